"""Kinds of mentions that rules of the dialogue ask for together, and what bounds a turn that leaves much out."""

from tingdong.commands.reading import MentionKind

__all__ = ["MAX_CHARACTERS", "PLACED_THINGS", "THINGS", "TURNS_RECENT", "WHERE"]

THINGS = (MentionKind.NAME, MentionKind.DEVICE)
PLACED_THINGS = (*THINGS, MentionKind.ROOM)
WHERE = (MentionKind.ROOM, MentionKind.HERE, MentionKind.WHOLE_HOME)
"""Mentions of a thing, of a thing or its room, and of a place."""
MAX_CHARACTERS, TURNS_RECENT = 14, 3
"""Of a turn that is completed by what was done: its characters, and how many turns ago that was."""
