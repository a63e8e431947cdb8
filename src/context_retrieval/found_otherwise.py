"""Fallbacks for a query without a result (retrieval.md, Names): part of a name, the mode that a device has, the sensor
that answers a question. A spoken room is never left (architecture, law 1)."""

from collections.abc import Iterable

from context_retrieval.by_type import type_of_action
from context_retrieval.capability import OPERATE
from context_retrieval.kind_table import kind_table
from context_retrieval.models import DeviceCommand, DeviceType, Resolution, ResolutionStatus
from context_retrieval.near_rooms import near_rooms
from context_retrieval.outcome import TOLD, Asking, positions_of
from context_retrieval.telling import rooms_of, said_table
from context_retrieval.text import normalise, spoken

__all__ = ["able", "answering", "running", "shortened"]

_ANYTHINGS = (OPERATE, "打开", "关闭", "设置", "调高", "调低")
_ASKED = "查询"
_MODE = "设置模式"
_STATE = f"{_ASKED}状态"
_CLOSE = 0.05
_OPENING = "开合"
_LEAST = 2
"""Characters of an abbreviation."""


def shortened(asking: Asking) -> Resolution | None:
    """The one thing in the room said of whose name, or a word of its kind, the name keeps some characters in order
    (伞 → 遮阳伞, 抽烟的机器 → 抽油烟机). What is the name of something elsewhere is nobody else's here."""
    query, catalog, table = asking.query, asking.catalog, kind_table()
    if query.name is not None and catalog.names.bears(normalise(query.name)):
        return None
    rooms = [room for word in query.include for room in rooms_of(word, catalog)]
    if not rooms:
        return _abbreviated(asking) if query.name is not None and not query.include else None
    said = spoken(query.name or "").rstrip(said_table().ends)
    if not said:
        return None
    kept = []
    for position in catalog.in_rooms(rooms):
        if DeviceType.UNKNOWN not in (types := {query.type, catalog.profiles[position].type}) and len(types) > 1:
            continue
        words = (word for kind in catalog.profiles[position].kinds for word in table.kinds[kind].words)
        own = spoken(catalog.devices[position].name)
        ends = own[-1:] not in said_table().ends and own[-1:] in said
        if ends or any(_in_order(said, spoken(word)) for word in (own, *words)):
            kept.append(position)
    return asking.chosen(kept, exact=False, score=TOLD) if len(kept) == 1 else None


def _abbreviated(asking: Asking) -> Resolution | None:
    """The one thing of the home of whose name first, last and some between were said, where these are no word of their
    own (药柜 → 药品冷藏柜)."""
    catalog, said = asking.catalog, spoken(asking.query.name or "")
    if len(said) < _LEAST or said in kind_table().by_word:
        return None
    names = ((position, spoken(catalog.devices[position].name)) for position in catalog.all_positions())
    ends = ((position, own) for position, own in names if own[:1] == said[0] and own[-1:] == said[-1])
    found = [position for position, own in ends if _in_order(said, own)]
    return asking.chosen(found, exact=False, score=TOLD) if len(found) == 1 else None


def running(asking: Asking) -> Resolution | None:
    """The things, in the room said or where one is, that run the mode asked for, by the words of their own commands
    (除湿 of an air conditioner in a home without a dehumidifier)."""
    query, catalog = asking.query, asking.catalog
    mode = query.value if query.action == _MODE else query.name
    rooms = [room for word in query.include for room in rooms_of(word, catalog)] or asking.places[:1]
    if not mode or query.exclude or (query.include and not rooms) or query.type is not DeviceType.UNKNOWN:
        return None
    positions = catalog.in_rooms(rooms) if rooms else catalog.all_positions()
    sorts = {sort for sort, one in catalog.by_sort(positions).items() if _has_mode(mode, catalog.commands[one])}
    able = [position for position in positions if catalog.sorts[position] in sorts]
    return asking.chosen(able, exact=False, score=TOLD) if able else None


def _has_mode(mode: str, commands: Iterable[DeviceCommand]) -> bool:
    return any(mode in one.description for one in commands if one.values)


def able(asking: Asking) -> Resolution | None:
    """The one thing of the room said, or where one is, that the action itself fits best (直播间乙静个音, 泳池水调到28
    度); none where what is set is not said as a value (浴室暖和一点), and nothing protected."""
    query, catalog, capability = asking.query, asking.catalog, asking.capability
    by_type = type_of_action(query.action) is not None and query.value is None
    if capability is None or by_type or query.action in _ANYTHINGS or query.action.startswith(_ASKED):
        return None
    rooms = [room for word in query.include for room in rooms_of(word, catalog)] or asking.places[:1]
    fitting = {
        p: found[0][1]
        for p in catalog.in_rooms(rooms)
        if not catalog.profiles[p].is_protected and (found := capability.fitting(query.action, catalog.commands[p]))
    }
    best = [position for position, score in fitting.items() if score >= max(fitting.values()) - _CLOSE]
    return asking.chosen(best) if len(best) == 1 else None


def answering(taken: Resolution, asking: Asking, text: str) -> Resolution:
    """Of a door's or window's things those that sense whether it is open, where that is asked and no lock is spoken of:
    all of them where it is asked which, else where every room of them has one."""
    if taken.status is not ResolutionStatus.AMBIGUOUS or asking.query.action != _STATE:
        return taken
    catalog, positions = asking.catalog, sorted(positions_of(taken, asking.catalog))
    able = [one for one in positions if _OPENING in catalog.profiles[one].senses]
    locks = any(spoken(word) in spoken(text) for word in kind_table().kinds["lock"].words)
    which = any(word in text for word in near_rooms().which)
    whole = {*map(catalog.room_of, able)} == {*map(catalog.room_of, positions)}
    if locks or not able or not (which or whole):
        return taken
    return asking.chosen(able, exact=taken.exact, single=not which)


def _in_order(said: str, word: str) -> bool:
    rest = iter(word)
    return all(character in rest for character in said)
