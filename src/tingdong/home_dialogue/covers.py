"""What is said of things that move: 百叶帘收一点 moves it a little, never all the way; 停 halts what knows a halt."""

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.document import PropertyType
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.switching import can_halt
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.situation import Situation

__all__ = ["by_steps", "halts", "is_robot"]

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


def halts(device_id: str, home: HomeSnapshot) -> bool:
    """Whether 停 stops what the device does: one that is not simply switched, and knows a halt."""
    device = home.shape.devices.get(device_id)
    if device is None or not can_halt(device):
        return False
    return device.power is None or device.power.type is PropertyType.ENUM or is_robot(device_id, home)


def is_robot(device_id: str, home: HomeSnapshot) -> bool:
    """Whether the device works by itself (a vacuum, a mower)."""
    device = home.shape.devices.get(device_id)
    return device is not None and PropertyRole.ACTIVITY in device.by_role
