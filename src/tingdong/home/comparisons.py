"""Comparisons of measurements and normal ranges: 哪间最热, 主卧比客厅冷多少, 哪些快没电了 (service.md, Token frame)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from context_retrieval.models import QueryIR
from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.questions import Question
from tingdong.home.targets import joined
from tingdong.home.vocabulary import RoleEntry, attributes, roles

__all__ = ["Known", "beyond", "compared", "judged", "outside", "place_of", "rooms_at_the_end"]

Known = tuple[DeviceShape, PropertySpec, Any]
"""A device, one of its properties and the value it has."""


def compared(home: HomeSnapshot, question: Question, query: QueryIR, found: Sequence[Known]) -> str:
    """The answer to a comparison: the extreme, or the relation of two places."""
    known = _numbers(home, found)
    if not known:
        return "还不知道，没有读到数值。"
    if question.versus and query.include:
        by_place = {device.room: (device, spec, value) for device, spec, value in reversed(known)}
        if question.where and query.include[-1] in by_place:
            return _beyond(question, by_place.pop(query.include[-1]), list(reversed(by_place.values())))
        pair = [by_place[room] for room in query.include if room in by_place]
        if len(pair) == 2:
            return _versus(question, pair[0], pair[1])
    by_room = {device.room: (device, spec, value) for device, spec, value in reversed(known)}
    if len(known) == len(by_room) == 2 and by_room.keys() == set(query.include):  # 主卧和次卧哪个热
        first, second = (by_room[room] for room in sorted(by_room, key=query.include.index))
        return _versus(msgspec.structs.replace(question, amount=True), first, second)
    winners, best = _at_the_end(question, known)
    if question.versus and question.amount and len(known) > 1:
        other, least = _at_the_end(msgspec.structs.replace(question, highest=not question.highest), known)
        ends = [f"{place_of(*one[0])}{told(one[0][1], value)}" for one, value in ((winners, best), (other, least))]
        return f"{'，'.join(ends)}，差{told(winners[0][1], round(abs(best - least), 2))}。"
    names = list(dict.fromkeys(place_of(device, spec) for device, spec in winners))
    said = told(winners[0][1], best)
    if len(known) == 1 and not question.target:
        return f"只有{names[0]}能查{question.attribute}，{said}。"
    if len(known) > 1 and len(winners) == len(known):
        return f"{joined(names)}一样，都是{said}。"
    return f"{joined(names)}{_superlative(winners[0][1].role, highest=question.highest)}，{said}。"


def _numbers(home: HomeSnapshot, found: Sequence[Known]) -> list[Known]:
    known = [(device, spec, _present(home, device, spec, value)) for device, spec, value in found]
    return [one for one in known if isinstance(one[2], int | float) and not isinstance(one[2], bool)]


def _at_the_end(question: Question, known: Sequence[Known]) -> tuple[list[tuple[DeviceShape, PropertySpec]], Any]:
    """The readings at the extreme, and its value."""
    best = (max if question.highest else min)(value for _, _, value in known)
    return [(device, spec) for device, spec, value in known if value == best], best


def rooms_at_the_end(home: HomeSnapshot, question: Question, found: Sequence[Known]) -> tuple[str, ...]:
    """The rooms of those at the end that is asked for (哪间最热); () where two are measured against each other."""
    known = [] if question.versus else _numbers(home, found)
    winners = _at_the_end(question, known)[0] if known else []
    return tuple(dict.fromkeys(device.room for device, _ in winners if device.room))


def _present(home: HomeSnapshot, device: DeviceShape, spec: PropertySpec, value: Any) -> Any:
    """What a setting comes to: that of a device that is off is the least there is."""
    return (spec.low or 0) if not spec.readonly and home.is_on(device) is False and spec.role in _NOUGHT else value


_BEYOND = "{}{}于{:g}{}的{}。"
_HIGHER = {True: "高", False: "低"}
_NOUGHT = (PropertyRole.BRIGHTNESS, PropertyRole.VOLUME, PropertyRole.SPEED)
"""Of a device that is off there is none of it."""


def _versus(question: Question, first: Known, second: Known) -> str:
    """主卧17.2度，客厅20.5度，主卧低3.3度."""
    (device, spec, value), (other, its, against) = first, second
    here, there = place_of(device, spec), place_of(other, its)
    values = f"{here}{told(spec, value)}，{there}{told(its, against)}"
    if value == against:
        return f"{values}，一样。"
    truth = (value > against) is question.highest
    lead = "" if question.amount else "是的，" if truth else "没有，"
    difference = told(spec, round(abs(value - against), 2))
    return f"{lead}{values}，{here}{_HIGHER[value > against]}{difference}。"


def _beyond(question: Question, against: Known, others: Sequence[Known]) -> str:
    """The places whose value is above (below) that of another one."""
    device, spec, limit = against
    than = f"{place_of(device, spec)}（{told(spec, limit)}）"
    beyond = [one for one in others if (one[2] > limit if question.highest else one[2] < limit)]
    word = _HIGHER[question.highest]
    if not beyond:
        return f"没有比{than}更{word}的了。"
    return f"比{than}{word}的有{joined([place_of(one[0], one[1]) + told(one[1], one[2]) for one in beyond])}。"


def beyond(home: HomeSnapshot, question: Question, found: Sequence[Known]) -> str:
    """Those above or below a number (电量低于50%的有…); that there are none."""
    limit, values, unit = question.limit or 0.0, [], ""
    for device, spec, value in _numbers(home, found):
        shown = told(spec, value)
        unit = shown.lstrip("-.0123456789")
        number = float(shown.removesuffix(unit) or 0)
        if number > limit if question.highest else number < limit:
            values.append(f"{place_of(device, spec)}{shown}")
    listed = f"有{len(values)}个：{joined(values)}" if values else "没有"
    return _BEYOND.format(question.attribute, _HIGHER[question.highest], limit, unit, listed)


def outside(found: Sequence[Known]) -> str:
    """The values outside the normal range (快没电的, 超标的), or that there are none."""
    bad = [one for one in found if judged(roles().get(one[1].role), one[2])]
    label = roles()[found[0][1].role].attribute
    if not bad:
        return f"{label}都正常。"
    said = [
        f"{place_of(device, spec)}{told(spec, value)}" for device, spec, value in sorted(bad, key=lambda one: one[2])
    ]
    entry = roles()[bad[0][1].role]
    word = entry.beyond if entry.fine is not None and bad[0][2] > entry.fine[1] else entry.below
    rest = "，其他的正常" if len(bad) < len(found) else ""
    return f"{label}{word}的有{joined(said)}{rest}。"


def judged(entry: RoleEntry | None, value: Any) -> str:
    """The word for a value outside the normal range; "" within it or without one."""
    if entry is None or entry.fine is None or not isinstance(value, int | float):
        return ""
    low, high = entry.fine
    return entry.beyond if value > high else entry.below if value < low else ""


def place_of(device: DeviceShape, spec: PropertySpec) -> str:
    """Where a value is: in the room, for what is measured of one, else at the device."""
    entry = roles().get(spec.role)
    of_room = entry is not None and entry.of_room and (device.kind.sensor or device.kind.climate)
    return device.room if of_room and device.room else device.label


def _superlative(role: PropertyRole, *, highest: bool) -> str:
    """How the winner of a comparison is told."""
    entry = roles()[role]
    if role is PropertyRole.TEMPERATURE:
        return "设得最高" if highest else "设得最低"
    own = next((roles()[one] for one in attributes()[entry.attribute] if roles()[one].most), None)
    if own is not None:
        return own.most if highest else own.least
    return f"{entry.attribute}最{_HIGHER[highest]}"
