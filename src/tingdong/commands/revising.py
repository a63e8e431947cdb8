"""Corrections and cancellations across clauses, before commands are made (spec, Splitting and order).

A correction puts what it says in the place of the same part of the clause before.
"""

from itertools import pairwise

from tingdong.commands.negating import apply_exclusions, negate
from tingdong.commands.parts import Act, Group, Unit
from tingdong.commands.requests import OPPOSITE, is_negated, without_talk
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["revise"]

_MOVING = frozenset("改换挪推提调定")
_DOUBTING = frozenset(("呃", "额"))
_TURNED = frozenset("反倒")


def revise(units: list[Unit], reasons: list[str]) -> list[Unit]:
    """The units that remain, changed by the corrections among them."""
    kept: list[Unit] = []
    denied = False
    remaining = without_talk(units, reasons)
    _ask_for_bare(remaining)
    if len(remaining) > 1:
        _speak_of(remaining)
        _hear_of_states(remaining)
    for index, unit in enumerate(remaining):
        if denied and not unit.correction:
            unit.correction = "不对"
        denied = False
        if unit.hesitant and not unit.correction and kept and _puts_right(unit, kept[-1]):
            unit.correction = "呃"
        if kept and not unit.correction and _turns_round(unit, kept[-1]):
            unit.correction = "不对"
        if unit.correction and _is_aside(unit) and index + 1 < len(remaining):
            remaining[index + 1].correction = remaining[index + 1].correction or unit.correction
            continue
        if unit.correction == "不是" and kept and _denies(unit, kept, last=index + 1 == len(remaining)):
            denied = True
            continue
        if unit.absent and unit.acts and all(act.negated for act in unit.acts):
            unit.elements = list(unit.groups)
        if kept and _moves_time(unit):
            kept[-1].when = unit.when
            continue
        if _only_when(unit) and kept and kept[-1].acts and (index + 1 == len(remaining) or kept[-1].when):
            kept[-1].when = unit.when
            continue
        if unit.cancel and not unit.elements and not unit.when:
            _cancel(kept, reasons)
        elif ((unit.cancel or unit.correction) and kept and not _leaves_out(unit) and _amends(unit, kept)) or (
            kept and _changes_value(kept, unit)
        ):
            _amend(kept, unit)
        elif is_negated(unit):
            negate(kept, unit, units, reasons)
        else:
            kept.append(unit)
    apply_exclusions(kept)
    _close_the_rest(kept)
    return [unit for unit in kept if unit.elements or unit.exclusion or unit.when or unit.count]


def _puts_right(unit: Unit, last: Unit) -> bool:
    """解锁后门，呃前门: after a hesitation another thing of the same kind, with no other act."""
    said = {act.verb for act in unit.acts}
    if (
        unit.hesitant not in _DOUBTING
        or unit.also
        or not unit.groups
        or not last.groups
        or (said and said != {act.verb for act in last.acts})
    ):
        return False
    old, new = last.groups[-1].items[-1], unit.groups[0].items[0]
    return unit.groups[0].room_only or old.kind == new.kind


def _turns_round(unit: Unit, last: Unit) -> bool:
    """上锁，哎先解锁，门锁: an act and at once its opposite, of which neither has a thing."""
    if (
        not unit.hesitant
        or unit.groups
        or last.groups
        or unit.when
        or last.when
        or len(unit.acts) != 1
        or len(last.acts) != 1
    ):
        return False
    one, other = last.acts[0], unit.acts[0]
    return OPPOSITE.get(one.verb) == other.verb and not (one.negated or other.negated or one.value or other.value)


def _close_the_rest(kept: list[Unit]) -> None:
    """客厅的灯只留落地灯: where nothing else is asked for, what is not left on is switched off."""
    for unit in kept:
        if unit.negated or unit.acts:
            return
    for unit in kept:
        if unit.only and unit.groups and unit.exclusion is not None and not (unit.unknown or unit.ask):
            unit.elements.append(Act(unit.groups[-1].start, verb="关闭"))


def _speak_of(units: list[Unit]) -> None:
    """音量50太大，调到30: a value said without its attribute is one of what was just found wrong."""
    for before, unit in pairwise(units):
        if unit.acts and any(act.mild for act in before.acts):
            before.elements = list(before.groups)
        found = [act for act in before.acts if act.attribute and (before.statement or act.value is not None)]
        for act in unit.acts if found and not unit.groups else ():
            quantity = act.value.quantity if act.value is not None else None
            if quantity is not None and quantity.kind is QuantityKind.NUMBER and not (act.attribute or act.verb):
                act.attribute = found[-1].attribute


def _hear_of_states(units: list[Unit]) -> None:
    """空调开着呢，二十六度，挺舒服: a bare value after a state that was only told is told as well."""
    for before, unit in pairwise(units):
        told = before.stated and before.going_on and not before.acts and not before.ask
        if told and not unit.groups and not unit.request and all(_bare(act) for act in unit.acts):
            unit.elements = []


def _bare(act: Act) -> bool:
    return act.value is not None and not (act.verb or act.set or act.attribute or act.direction)


def _only_when(unit: Unit) -> bool:
    return bool(unit.when) and not unit.elements and not unit.exclusion and not unit.unknown


def _moves_time(unit: Unit) -> bool:
    """明早七点拉开窗帘，改成八点: another time for what was said."""
    acts = unit.acts
    moved = len(acts) == 1 and acts[0].set and not acts[0].complete and acts[0].word[:1] in _MOVING
    return bool(unit.when) and moved and not unit.groups


def _ask_for_bare(units: list[Unit]) -> None:
    """An attribute alone asks for its value where nothing else is asked (卫生间湿度；门口摄像头，电量)."""
    acts = [(unit, act) for unit in units for act in unit.acts]
    for _, act in acts:
        if act.complete:
            return
    for unit, act in acts:
        if act.attribute and not act.set and not unit.unknown and not unit.statement:
            act.query = f"查询{act.attribute}"


def _denies(unit: Unit, kept: list[Unit], *, last: bool) -> bool:
    """不是三十，是十三; 不是烘干机: what is denied is what was said, or an afterthought."""
    previous = kept[-1]
    said = {item.word for group in previous.groups for item in group.items}
    rooms = {room for group in previous.groups for item in group.items for room in item.rooms or ()}
    values = {act.value.text for act in previous.acts if act.value is not None}
    words = {item.word for group in unit.groups for item in group.items if not item.room_only}
    places = {room for group in unit.groups for item in group.items for room in item.rooms or ()}
    again = {act.value.text for act in unit.acts if act.value is not None}
    if unit.acts and not again:
        return False
    repeated = (words <= said or not words) and (places <= rooms or not places) and (again <= values or not again)
    if not (words or places or again):
        return False
    return repeated or (last and bool(previous.acts) and bool(previous.groups) and not unit.acts and bool(words))


def _is_aside(unit: Unit) -> bool:
    """哦等一下，老爷子还在客厅看报，客厅的就算了: why it is corrected stands before what is."""
    return unit.unknown > 1 and not unit.acts and not unit.negated


def _cancel(kept: list[Unit], reasons: list[str]) -> None:
    if any(unit.acts for unit in kept):
        reasons.append("cancelled")
    kept.clear()


def _leaves_out(unit: Unit) -> bool:
    """啊不，留着厨房的: what the correction keeps is left out."""
    return is_negated(unit) and bool(unit.groups)


def _changes_value(kept: list[Unit], unit: Unit) -> bool:
    """音量50，改30: a new value said with 改 for the same thing."""
    acts = unit.acts
    if (
        unit.groups
        or len(acts) != 1
        or acts[0].word[:1] != "改"
        or acts[0].value is None
        or acts[0].value.quantity is None
    ):
        return False
    last = next((u.acts[-1] for u in reversed(kept) if u.acts), None)
    return last is not None and last.value is not None and last.value.quantity is not None


def _amends(unit: Unit, kept: list[Unit]) -> bool:
    if not any(u.elements or u.when for u in kept):
        return False
    if unit.cancel and not unit.correction:
        fragment = not unit.groups
        if not fragment:
            kept.clear()
            return False
    return bool(unit.elements or unit.when or unit.count)


def _amend(kept: list[Unit], unit: Unit) -> None:
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
        if last.when and not unit.when:
            unit.when = last.when
        kept[kept.index(last)] = unit
        return
    if unit.when:
        last.when = unit.when
    if unit.count is not None and not groups and not acts:
        _replace_count(last, unit.count)
    if acts:
        _replace_act(last, acts)
    elif groups:
        if not any(u.groups for u in kept):
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
    if old and old[-1].value is not None and acts[0].value is not None and not acts[0].attribute:
        acts[0].attribute = acts[0].attribute or (old[-1].attribute if acts[0].value.quantity is not None else "")
        acts[0].direction = acts[0].direction or (old[-1].direction if not acts[0].set else "")
    if old:
        position = last.elements.index(old[-1])
        last.elements[position : position + 1] = acts
    else:
        last.elements.extend(acts)


def _replace_rooms(last: Unit, place: Group) -> None:
    group = last.groups[-1]
    for item in group.items:
        item.rooms, item.here, item.whole = place.items[-1].rooms, place.items[-1].here, place.items[-1].whole


def _replace_group(last: Unit, groups: list[Group]) -> None:
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
