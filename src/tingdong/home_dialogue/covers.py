"""Devices that move: 百叶帘收一点 is one step, never the full way; 幕布放下来 goes to that end; 停 stops a motor that
can stop."""

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import acts
from tingdong.home.document import PropertyType
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.switching import can_halt
from tingdong.home.vocabulary import values
from tingdong.home_dialogue.acting import OFF, ON
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.situation import Situation

__all__ = ["as_it_moves", "halts", "is_robot"]

SHORTEST_DEGREE = 2
"""Characters of a word of degree that is none by chance (一点; 点 alone is a time as well)."""


def as_it_moves(query: QueryIR, ids: tuple[str, ...], situation: Situation) -> QueryIR:
    """The request for things that move: by one step, or to the end that the word says, as their own clause has it."""
    things = all(one in situation.home.shape.devices for one in ids)
    if query.action not in verb_table().moves or query.value is not None or not ids or not things:
        return query
    clause = _own_clause(ids, situation)
    ends = {_ends(one, situation.home) for one in ids}
    if len(ends) == 1 and any(both := ends.pop()):
        meant = {_meant(way, both) for way in _ways_said(query, clause, situation)}
        return msgspec.structs.replace(query, action=meant.pop() or query.action) if len(meant) == 1 else query
    if not all(situation.type_of(one) is DeviceType.BLIND for one in ids):
        return query
    little = any(word in clause for word in answers().step_after if len(word) >= SHORTEST_DEGREE)
    return msgspec.structs.replace(query, action=f"{verb_table().moves[query.action]}开合度") if little else query


def _own_clause(ids: tuple[str, ...], situation: Situation) -> str:
    """The clause in which the things are spoken of, the last one; the whole text where they are not named."""
    names = [situation.home.shape.devices[one].label for one in ids]
    things = [
        mention
        for mention in situation.of(MentionKind.NAME, MentionKind.DEVICE)
        if mention.type is DeviceType.BLIND or any(mention.value in name for name in names)
    ]
    start, end = situation.clause_around(things[-1].start) if things else (0, len(situation.text))
    return situation.text[start:end]


def _ends(device_id: str, home: HomeSnapshot) -> tuple[str, str]:
    device = home.shape.devices[device_id]
    spec = device.by_role.get(PropertyRole.OPENING)
    return spec.ends if spec is not None and spec.numeric and device.power is None else ("", "")


def _ways_said(query: QueryIR, clause: str, situation: Situation) -> set[str]:
    """What the verbs of the clause say of a motor: 降 of 放下来."""
    said = [one for one in situation.of(MentionKind.ACTION) if one.value == query.action]
    words = [text for one in said if (text := situation.text[one.start : one.end]) in clause]
    return {way for text in words for way in acts().moved if any(part in text for part in (way, *_words(way)))}


def _words(way: str) -> tuple[str, ...]:
    return values().choices[way].words


def _meant(way: str, ends: tuple[str, str]) -> str:
    """打开 for the highest position, 关闭 for the lowest, "" where the way is neither."""
    pairs = {one: other for pair in acts().ways for one, other in (pair, pair[::-1])}
    low, high = ends
    if way in (high, pairs[low]):
        return ON
    return OFF if way in (low, pairs[high]) else ""


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
