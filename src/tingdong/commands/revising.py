"""Corrections and cancellations across clauses, before commands are made (commands.md, Order and splitting).

A correction replaces the same part of the previous clause.
"""

from tingdong.commands.amending import amend, same_day
from tingdong.commands.negating import apply_exclusions, negate
from tingdong.commands.parts import Act, Item, ThingGroup, Unit
from tingdong.commands.requests import is_negated, without_talk

__all__ = ["revise"]

_STOPPING = frozenset(
    (
        "不行不行",
        "别别别",
        "不要不要",
        "啊不要不要",
        "哦不要不要",
        "哎不要不要",
        "呃不要不要",
        "要不得",
        "要不得要不得",
        "打住",
    )
)
_MOVING = frozenset("改换挪推提调定")
_NOTHING_BUT = frozenset("只光仅单")


def revise(units: list[Unit], reasons: list[str]) -> list[Unit]:
    """The units that remain, changed by the corrections among them."""
    kept: list[Unit] = []
    denied = False
    remaining = without_talk(units, reasons)
    _ask_for_bare(remaining)
    for index, unit in enumerate(remaining):
        if denied and not unit.correction:
            unit.correction = "不对"
        denied = False
        if unit.correction and _is_aside(unit) and index + 1 < len(remaining):
            remaining[index + 1].correction = remaining[index + 1].correction or unit.correction
            continue
        if unit.correction.endswith("不是") and kept and _denies(unit, kept, last=index + 1 == len(remaining)):
            denied = True
            continue
        if unit.absent and unit.acts and all(act.negated for act in unit.acts):
            unit.elements = list(unit.groups)
        moved = kept and (_moves_time(unit) or (_only_when(unit) and bool(kept[-1].acts)))
        if moved and (index + 1 == len(remaining) or kept[-1].when or not _only_when(unit)):
            kept[-1].when, kept[-1].whens = same_day(kept[-1], unit), unit.whens
            continue
        stopped = unit.correction in _STOPPING and kept and not any(_asks(later) for later in remaining[index:])
        if unit.count is not None and kept and _only_counts(unit, kept[-1]):
            amend(kept, unit)
        elif unit.cancel and is_negated(unit) and not unit.groups and not unit.when and unit.elements:
            _take_back(kept, unit, reasons)
        elif stopped or (unit.cancel and not unit.elements and not unit.when):
            _cancel(kept, reasons)
        elif (unit.cancel or unit.correction) and kept and (not _leaves_out(unit)) and _amends(unit, kept):
            amend(kept, unit)
        elif is_negated(unit):
            negate(kept, unit, units, reasons)
        else:
            kept.append(unit)
    apply_exclusions(kept)
    _close_the_rest(kept)
    return [unit for unit in kept if unit.elements or unit.exclusion or unit.when or unit.count]


def _only_counts(unit: Unit, last: Unit) -> bool:
    """开三盏灯，两盏吧; 打开阳台的灯，一盏就好: a number alone is how many of the things of before."""
    said = unit.elements or unit.when or unit.cancel or unit.ask or unit.unknown or unit.negated
    if said or not last.acts or last.negated or last.ask or any(act.negated or act.query for act in last.acts):
        return False
    items = [item for group in last.groups[-1:] for item in group.items]
    alone = len(last.groups) == 1 and len(items) == 1 and items[0].name == "*"
    return alone or any(item.count is not None for item in items)


def _close_the_rest(kept: list[Unit]) -> None:
    """客厅的灯只留落地灯: where nothing else is asked for, what is not left on is switched off."""
    for unit in kept:
        if unit.negated or unit.acts:
            return
    for unit in kept:
        if not unit.only or unit.exclusion is None or unit.unknown or unit.ask:
            continue
        if not unit.groups and unit.only[0] in _NOTHING_BUT and (rest := _rest_of_kind(unit)) is not None:
            unit.elements.append(rest)  # 只留玄关的灯
        if unit.groups:
            unit.elements.append(Act(unit.groups[-1].start, verb="关闭"))


def _rest_of_kind(unit: Unit) -> ThingGroup | None:
    """All things of the kind that only some are left of, where it is one kind and known."""
    exclusion = unit.exclusion
    if exclusion is None:
        return None
    kinds = {item.kind for item in exclusion.items} | ({exclusion.kind} if exclusion.rooms else set())
    return ThingGroup(unit.start, [Item(kind=kinds.pop())]) if len(kinds) == 1 and "" not in kinds else None


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
    named = all(any(word in other for other in said) for word in words)
    placed = all(any(place in other for other in rooms) for place in places)
    repeated = named and placed and all(any(value in other for other in values) for value in again)
    if not (words or places or again):
        return False
    last = last and unit.correction == "不是"
    return repeated or (last and bool(previous.acts) and bool(previous.groups) and not unit.acts and bool(words))


def _asks(unit: Unit) -> bool:
    """Whether it says anything that could be put in the place of what was asked for."""
    acting = any(not act.negated for act in unit.acts)
    return bool(acting or unit.groups or unit.when or unit.count or unit.duration or unit.number)


def _is_aside(unit: Unit) -> bool:
    """哦等一下，老爷子还在客厅看报，客厅的就算了: why it is corrected stands before what is."""
    return unit.unknown > 1 and not unit.acts and not unit.negated


def _cancel(kept: list[Unit], reasons: list[str]) -> None:
    if any(unit.acts for unit in kept):
        reasons.append("cancelled")
    kept.clear()


def _take_back(kept: list[Unit], unit: Unit, reasons: list[str]) -> None:
    """关，关掉，算了算了不关了: what is taken back was said more than once; its things may still be spoken of."""
    denied = {act.verb for act in unit.acts}
    for other in kept:
        if other.acts and (other is kept[-1] or {act.verb for act in other.acts} <= denied):
            other.elements = list(other.groups)
            reasons.append("cancelled")


def _leaves_out(unit: Unit) -> bool:
    """啊不，留着厨房的: what the correction keeps is left out."""
    return is_negated(unit) and bool(unit.groups)


def _amends(unit: Unit, kept: list[Unit]) -> bool:
    if not any(u.elements or u.when for u in kept):
        return False
    if unit.cancel and not unit.correction:
        fragment = not unit.groups
        if not fragment:
            kept.clear()
            return False
    return bool(unit.elements or unit.when or unit.count or unit.duration or unit.number)
