"""Negated clauses and exclusions: left out of what is done to all, taken back, or asking for nothing (spec)."""

from context_retrieval.models import LAST_NAME, Quantifier
from tingdong.commands.parts import Act, Exclusion, Group, Item, Unit
from tingdong.commands.requests import OPPOSITE, is_negated

__all__ = ["apply_exclusions", "negate"]

_EITHER_WAY = frozenset(("拉",))
"""Verbs that open as well as close."""


def negate(kept: list[Unit], unit: Unit, units: list[Unit], reasons: list[str]) -> None:
    """A negated clause leaves things out of what is done to all, takes back what was said, or asks for nothing."""
    reasons.append("negated")
    groups = unit.groups
    if unit.exclusion is not None and not groups:
        unit.elements = []
        kept.append(unit)
        return
    if not groups and unit.all:
        return
    if not groups:
        last = next((u for u in reversed(kept) if u.acts), None)
        verbs = {act.verb for act in unit.acts}
        if last is not None and (not unit.acts or verbs & {act.verb for act in last.acts}):
            last.elements = list(last.groups)
        return
    keep = next((act for act in reversed(unit.acts) if act.keep), None)
    after = [group for group in groups if keep is not None and group.start > keep.start]
    if after and len(after) < len(groups):
        kept.append(Unit(unit.start, elements=[group for group in groups if group not in after]))
        groups = after
    exclusion = Exclusion()
    for group in groups:
        for item in group.items:
            exclusion.add(item)
    if unit.other:
        return
    if _takes_back(kept, groups):
        return
    position = units.index(unit)
    done = [u for u in kept if u.acts or u.exclusion is None]
    for other in [*units[position + 1 : position + 2], *reversed(done[-1:])]:
        if other.acts and not is_negated(other) and not _opposed(unit, other) and _covers(other, exclusion, groups):
            unit.exclusion = exclusion
            unit.elements = []
            unit.all = True
            kept.append(unit)
            return
    following = units[position + 1] if position + 1 < len(units) else None
    over = keep is not None and (keep.word.endswith("了") or _turned(unit, following))
    if (keep is None or over) and following is not None and following.acts:
        kept.append(Unit(unit.start, elements=list(groups), hint=bool(following.groups)))


def _turned(unit: Unit, following: Unit | None) -> bool:
    """橱柜灯就不用亮了，关掉: what is asked next is the opposite of what it need not do."""
    denied = {OPPOSITE.get(act.verb) for act in unit.acts if act.verb}
    return following is not None and bool(denied & {act.verb for act in following.acts if act.verb})


def _opposed(unit: Unit, other: Unit) -> bool:
    """把灯打开，台灯别关: what shall not be done is the opposite of what is asked for, so nothing is left out."""
    if any(act.keep or act.word in _EITHER_WAY for act in unit.acts):
        return False
    denied = {OPPOSITE.get(act.verb) for act in unit.acts if act.negated}
    return bool(denied) and denied == {act.verb for act in other.acts}


def _takes_back(kept: list[Unit], groups: list[Group]) -> bool:
    """打开厨房灯和客厅灯，厨房的不要了: the thing is named and taken out again."""
    for unit in reversed(kept):
        if not unit.acts:
            continue
        for group in unit.groups:
            named = [item for item in group.items if any(_same(item, other) for g in groups for other in g.items)]
            if named and len(group.items) > len(named):
                group.items = [item for item in group.items if item not in named]
                return True
            if named and len(unit.groups) > 1:
                position = unit.elements.index(group)
                acts = [e for e in unit.elements if isinstance(e, Act)]
                del unit.elements[position]
                if len(acts) > len(unit.groups):
                    unit.elements.remove(acts[-1])
                return True
            if named and len(group.items) == 1 and not group.all and group.items[0].rooms == groups[0].items[0].rooms:
                unit.elements = []
                return True
    return False


def _same(item: Item, other: Item) -> bool:
    if other.room_only:
        return item.rooms is not None and item.rooms == other.rooms
    return item.word == other.word and (other.rooms is None or item.rooms == other.rooms) and item.quantifier is None


def _covers(unit: Unit, exclusion: Exclusion, groups: list[Group]) -> bool:
    if unit.other or unit.exclusion is not None or (unit.all and not unit.groups):
        return True
    if any(item.anything for group in unit.groups for item in group.items):
        return True
    pointed = [item.name == LAST_NAME for group in groups for item in group.items]
    if any(pointed) and not all(pointed):
        return True
    if all(group.room_only for group in groups):
        return any(group.all or _in_parts(item) for group in unit.groups for item in group.items)
    kinds = {item.kind for group in groups for item in group.items if item.kind}
    done = {item.kind for group in unit.groups for item in group.items if not item.anything}
    if kinds and "" not in done and not kinds & done:
        return False
    for group in unit.groups:
        if group.all or any(item.quantifier is Quantifier.ALL or item.anything or item.whole for item in group.items):
            return True
        same = {item.kind for item in group.items if item.name == "*"} & {i.kind for g in groups for i in g.items}
        if same and not all(item.rooms for item in group.items):
            return bool(exclusion.rooms)
        if same and not exclusion.rooms:
            return all(item.room_only or item.name != "*" for g in groups for item in g.items)
    return False


def _in_parts(item: Item) -> bool:
    """Whether a room can be left out of it: a kind of thing all over the home or on a floor (楼上的灯)."""
    return item.name == "*" and (not item.rooms or any(room[:1] in "一二三四楼上下" for room in item.rooms))


def apply_exclusions(kept: list[Unit]) -> None:
    """An exclusion said by itself belongs to the next clause that acts, or to the one before."""
    for index, unit in enumerate(kept):
        if unit.exclusion is None or unit.acts:
            continue
        target = next((u for u in kept[index + 1 :] if u.acts), None)
        if target is None or target.exclusion is not None:
            target = next((u for u in reversed(kept[:index]) if u.acts), None)
        if target is None:
            continue
        if target.exclusion is None:
            target.exclusion = unit.exclusion
        else:
            target.exclusion.rooms.extend(unit.exclusion.rooms)
            target.exclusion.items.extend(unit.exclusion.items)
        if not unit.groups:
            unit.exclusion = None
