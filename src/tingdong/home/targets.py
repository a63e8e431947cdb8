"""A set of devices in one phrase (客厅、卧室的照明灯和厨房油烟机; 所有房间的照明灯; 二楼的17盏灯)."""

import re
from collections.abc import Sequence

from context_retrieval.models import DeviceType
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot

__all__ = ["MOST_NAMED", "common_word", "joined", "phrase_of", "whole_type"]

MOST_NAMED = 5
"""Larger sets are counted, not listed."""

_FLOOR = re.compile(r"负?[一二三四五六七八九十\d]+[楼层]")


def joined(parts: Sequence[str]) -> str:
    """`a`, `a和b`, `a、b和c`."""
    if len(parts) < 2:
        return "".join(parts)
    return "、".join(parts[:-1]) + "和" + parts[-1]


def phrase_of(home: HomeSnapshot, devices: Sequence[DeviceShape]) -> str:
    """The devices as one phrase; names only what is there."""
    if len(devices) == 1:
        return devices[0].label
    whole = whole_type(home, devices)
    if whole:
        return whole
    if len(devices) > MOST_NAMED:
        return _counted(devices)
    return _listed(devices)


def whole_type(home: HomeSnapshot, devices: Sequence[DeviceShape]) -> str:
    """`所有房间的X` when these are all devices of their type and stand in several rooms."""
    first = devices[0]
    if first.type is DeviceType.UNKNOWN or any(device.type is not first.type for device in devices):
        return ""
    everyone = [device for device in home.shape.of_type(first.type) if home.is_online(device.id)]
    if len(devices) != len(everyone) or len({device.room for device in devices}) < 2:
        return ""
    return f"所有房间的{common_word(devices)}"


def common_word(devices: Sequence[DeviceShape]) -> str:
    """What all of the devices are called: their one name, else the word of their kind."""
    plains = {device.plain for device in devices}
    if len(plains) == 1:
        return plains.pop()
    words = {device.kind.word for device in devices}
    return words.pop() if len(words) == 1 else devices[0].kind.word


def _counted(devices: Sequence[DeviceShape]) -> str:
    by_word: dict[str, list[DeviceShape]] = {}
    for device in devices:
        by_word.setdefault(device.kind.word, []).append(device)
    counts = [
        same[0].plain if len(same) == 1 else f"{len(same)}{same[0].kind.measure}{word}"
        for word, same in by_word.items()
    ]
    place = _common_place(devices)
    listed = joined(counts) if len(counts) <= 4 else f"{len(devices)}个设备"
    return f"{place}的{listed}" if place else listed


def _common_place(devices: Sequence[DeviceShape]) -> str:
    rooms = list(dict.fromkeys(device.room for device in devices))
    if len(rooms) <= 3 and all(rooms):
        return "、".join(rooms)
    floors = {match[0] if (match := _FLOOR.match(room)) else "" for room in rooms}
    return floors.pop() if len(floors) == 1 else ""


def _listed(devices: Sequence[DeviceShape]) -> str:
    """Devices of one name share it; the others of a room share the room."""
    by_plain: dict[str, list[DeviceShape]] = {}
    for device in devices:
        by_plain.setdefault(device.plain, []).append(device)
    parts: list[str] = []
    alone: dict[str, list[DeviceShape]] = {}
    for plain, same in by_plain.items():
        rooms = list(dict.fromkeys(device.room for device in same if device.room))
        if len(same) == 1:
            device = same[0]
            key = device.room if device.label == device.room + device.plain else device.label
            alone.setdefault(key, []).append(device)
        elif len(rooms) == len(same):
            parts.append(f"{'、'.join(rooms)}的{plain}")
        else:
            place = f"{'、'.join(rooms)}的" if rooms else ""
            parts.append(f"{place}{len(same)}{same[0].kind.measure}{plain}")
    for room, same in alone.items():
        if len(same) == 1:
            parts.append(same[0].label)
        else:
            names = [device.plain for device in same]
            # Where more follows, 和 comes only once, at the end.
            parts.append(f"{room}的{joined(names) if len(alone) == 1 and not parts else '、'.join(names)}")
    return joined(parts)
