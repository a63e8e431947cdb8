"""Replaces the parts of a corrected clause by those of the correction (commands.md, Order and splitting)."""

import re

from tingdong.commands.parts import Act, ThingGroup, Unit
from tingdong.commands.requests import is_negated
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["amend", "same_day"]

_TURNED = frozenset("反倒")
_NUMBER = re.compile(r"[0-9一二三四五六七八九十]+号")
_CLOCK = re.compile(r"[0-9]{2}:[0-9]{2}$")
_NOON = 12
_NUMERALS = frozenset("0123456789一二三四五六七八九十两")


def amend(kept: list[Unit], unit: Unit) -> None:
    """Put the parts of the correction in the place of the same parts of the last clause."""
    last = next(u for u in reversed(kept) if u.elements or u.when)
    if is_negated(unit):
        last.elements = list(last.groups)
        return
    acts, groups = [a for a in unit.acts if not a.negated], unit.groups
    if acts and groups and len(kept) > 1 and not _TURNED.isdisjoint(unit.correction):
        kept[:] = [unit]  # 先关灯再开电视，说反了，先开电视再关灯
        return
    if acts and groups:
        if not any(not group.room_only for group in groups) and last.groups:
            _replace_rooms(last, groups[-1])
            _replace_act(last, acts)
            return
        unit.when = same_day(last, unit) if unit.when else last.when
        kept[kept.index(last)] = unit
        return
    if unit.when:
        last.when, last.whens = same_day(last, unit), unit.whens
    if unit.number:
        _replace_number(last, unit.number)
    if unit.count is not None and not groups and not any(act.complete for act in acts):
        _replace_count(last, unit.count)
        acts = []  # 换六台不是换八台
    if acts:
        _replace_act(last, acts)
    elif groups:
        if not any(u.groups for u in kept):
            if last.all and last.acts:
                last.all, last.elements = False, [*last.elements, *groups]
                return  # 全关！我是说灯和电视
            unit.correction = ""
            kept.append(unit)
            return
        if groups[-1].room_only and any(not group.room_only for group in last.groups):
            _replace_rooms(last, groups[-1])
        else:
            _replace_group(last, groups)


def _replace_count(last: Unit, count: int) -> None:
    value = last.acts[-1].value if last.acts else None
    if value is not None and value.attribute == "频道":
        last.acts[-1].value = Token(Kind.VALUE, value.start, value.end, str(count), str(count), "频道", "word")
        return  # 八台，错了，十八台
    for group in last.groups[-1:]:
        for item in group.items:
            item.count = count


def _replace_act(last: Unit, acts: list[Act]) -> None:
    old = last.acts
    numbered = _renumbered(old[-1].value, acts[0]) if old and len(acts) == 1 else None
    if numbered is not None:
        old[-1].value = numbered
        return
    if old and old[-1].value is not None and acts[0].value is not None and not acts[0].attribute:
        acts[0].attribute = acts[0].attribute or (old[-1].attribute if acts[0].value.quantity is not None else "")
        acts[0].direction = acts[0].direction or (old[-1].direction if not acts[0].set else "")
    if old:
        position = last.elements.index(old[-1])
        last.elements[position : position + 1] = acts
    else:
        last.elements.extend(acts)


def _renumbered(old: Token | None, act: Act) -> Token | None:
    """五频道，不是五，是八; 切HDMI1，是2: a bare number for the one in the channel or the input."""
    new = act.value
    bare = new is not None and new.quantity is not None and new.quantity.kind is QuantityKind.NUMBER
    if old is None or new is None or not bare or act.attribute or act.verb or act.direction:
        return None
    if old.attribute not in ("频道", "输入源") or not old.value[-1:].isdigit():
        return None
    text = old.value.rstrip("0123456789") + f"{new.quantity.value:g}" if new.quantity is not None else old.value
    return Token(Kind.VALUE, old.start, old.end, old.text, text, old.attribute, old.device)


def _replace_number(last: Unit, number: str) -> None:
    """三号风机，错了，二号: the same thing by another number."""
    for group in last.groups[-1:]:
        for item in group.items[-1:]:
            item.name, item.word = _NUMBER.sub(number, item.name), _NUMBER.sub(number, item.word)
            item.rooms = tuple(_NUMBER.sub(number, room) for room in item.rooms) if item.rooms else item.rooms


def same_day(last: Unit, unit: Unit) -> str:
    """明早五点，啊不，四点半: a bare clock time keeps the day, and its half, of the time it replaces."""
    old, new = last.when, unit.when
    bare = _CLOCK.fullmatch(new)
    said = _CLOCK.search(old)
    if bare is None or said is None or unit.when_text[:1] == "今":
        return new
    hour = int(new[:2])
    half = int(said.group()[:2]) >= _NOON > hour and hour > 0 and unit.when_text[:1] in _NUMERALS
    return old[: said.start()] + (f"{hour + _NOON}{new[2:]}" if half else new)


def _replace_rooms(last: Unit, place: ThingGroup) -> None:
    group = last.groups[-1]
    for item in group.items:
        item.rooms, item.here, item.whole = place.items[-1].rooms, place.items[-1].here, place.items[-1].whole


def _replace_group(last: Unit, groups: list[ThingGroup]) -> None:
    old = last.groups
    if old:
        position = last.elements.index(old[-1])
        for item in groups[-1].items:
            source = old[-1].items[-1]
            if item.rooms is None and not item.here and source.rooms is not None and not source.room_only:
                item.rooms = source.rooms
        last.elements[position : position + 1] = groups
    else:
        last.elements.extend(groups)
