"""What is said of curtains and blinds by steps: 百叶帘收一点 moves it a little, and never all the way."""

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.situation import Situation

__all__ = ["by_steps"]

SHORTEST_DEGREE = 2
"""Characters of a word of degree that is none by chance (一点; 点 alone is a time as well)."""


def by_steps(query: QueryIR, ids: tuple[str, ...], situation: Situation) -> QueryIR:
    """The request for covers as one step, where their own clause says so."""
    devices = situation.home.shape.devices
    if query.action not in verb_table().moves or query.value is not None or not ids:
        return query
    if not all(situation.type_of(one) is DeviceType.BLIND for one in ids):
        return query
    names = [devices[one].label for one in ids]
    things = [
        mention
        for mention in situation.of(MentionKind.NAME, MentionKind.DEVICE)
        if mention.type is DeviceType.BLIND or any(mention.value in name for name in names)
    ]
    start, end = situation.clause_around(things[-1].start) if things else (0, len(situation.text))
    clause = situation.text[start:end]
    little = any(word in clause for word in answers().step_after if len(word) >= SHORTEST_DEGREE)
    return msgspec.structs.replace(query, action=f"{verb_table().moves[query.action]}开合度") if little else query
