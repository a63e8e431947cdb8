"""Commands from sentences (commands.md): the local parser and the values it shares with the other tiers."""

from tingdong.commands.local_parser import LocalParser
from tingdong.commands.reading import Mention, MentionKind, NameTable, Reading, Verdict

__all__ = ["LocalParser", "Mention", "MentionKind", "NameTable", "Reading", "Verdict"]
