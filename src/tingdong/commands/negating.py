"""Negated clauses: an exclusion from a set, a withdrawal, or no request (commands.md)."""

from copy import deepcopy

from context_retrieval.models import LAST_NAME, Quantifier
from context_retrieval.verbs import verb_table
from tingdong.commands.neighbours import apart, in_parts
from tingdong.commands.parts import Exclusion, Item, ThingGroup, Unit
from tingdong.commands.requests import is_negated

__all__ = ["apply_exclusions", "negate"]

_EITHER_WAY = frozenset(("拉",))
"""Verbs that open as well as close."""


def negate(kept: list[Unit], unit: Unit, units: list[Unit], reasons: list[str]) -> None:
    """A negated clause leaves things out of what is done to all, takes back what was said, or asks for nothing."""
    reasons.append("negated")
    position = units.index(unit)
    following = units[position + 1] if position + 1 < len(units) else None
    if unit.when and following is not None and not (following.when or following.now):
        following.when = unit.when  # the time holds for what is asked instead
    groups = unit.groups or _named_before(kept, unit)
    if not groups and (unit.all or unit.other):
        return  # 别全关; 开厨房的灯就行，别的不用开
    if not groups:
        _deny_without_things(kept, unit)
        return
    if len(groups) > 1:
        groups = [group for group in groups if not _pronoun(group)] or groups  # 储藏室那盏别管它
    keep = next((act for act in reversed(unit.acts) if act.keep), None)
    if keep is not None and groups[0].room_only and groups[0].start < keep.start:
        _place(groups[1:], groups[0])
    after = [group for group in groups if keep is not None and group.start > keep.start]
    left = keep is not None and keep.word in ("留", "先留") and groups[0].room_only
    left = left and all(item.name == "*" for group in after for item in group.items)
    if after and len(after) < len(groups) and not left:
        kept.append(Unit(unit.start, elements=[group for group in groups if group not in after]))
        groups = after
    _place_generic(groups)
    exclusion = _leaving_out(groups)
    if unit.other or _takes_back(kept, groups) or _takes_rooms_back(kept, unit, groups):
        return
    if keep is not None and "留" in keep.word and following is not None and _is_setting(following, groups):
        following.elements[:0] = deepcopy(groups)  # 留着灯带，亮度二十
    done = [u for u in kept if u.acts]
    ahead = next((other for other in units[position + 1 :] if not is_negated(other)), None)  # 这个不动，那个不动，其余…
    near = [*([ahead] if ahead is not None else ()), *done[-1:]]
    if done and {act.verb for act in unit.acts if act.verb} & {act.verb for act in done[-1].acts}:
        near.reverse()  # 全部关掉，大白不可以关，…
    for other in near:
        asked = _acts(other) and not is_negated(other) and not _opposed(unit, other)
        if asked and _covers(other, groups):
            if done and other is done[-1] and other.exclusion is None:
                other.exclusion = exclusion  # 灯都关，阅读灯留着，空调二十四
                return
            unit.exclusion = exclusion
            unit.elements = []
            unit.all = True
            kept.append(unit)
            return
    over = keep is not None and (keep.word.endswith("了") or _turned(unit, following))
    counted = following is not None and following.count is not None and not following.groups
    if (keep is None or over or counted) and following is not None and following.acts:
        kept.append(Unit(unit.start, elements=list(groups), hint=bool(following.groups)))


def _leaving_out(groups: list[ThingGroup]) -> Exclusion:
    exclusion = Exclusion(kept=True)
    for group in groups:
        for item in group.items:
            exclusion.add(item, inside=group.inside)
    return exclusion


def _deny_without_things(kept: list[Unit], unit: Unit) -> None:
    """What names nothing takes back the act of before; beside 其余… nobody can say what it leaves out (水吧不用管)."""
    last = next((u for u in reversed(kept) if u.acts or u.exclusion), None)  # 都关了吧，音响除外，音乐不能停
    verbs = {act.verb for act in unit.acts if act.verb}
    if last is not None and (not unit.acts or verbs & {act.verb for act in last.acts}):
        last.elements = list(last.groups)


def _pronoun(group: ThingGroup) -> bool:
    return all(item.name == LAST_NAME and not item.typed and item.rooms is None for item in group.items)


def _named_before(kept: list[Unit], unit: Unit) -> list[ThingGroup]:
    """就是那个鱼缸插座，里头有鱼，你可千万给我留着: what is to be kept was only named before."""
    before = next((u for u in reversed(kept) if u.elements), None)
    done = next((u for u in reversed(kept) if u.acts), None)
    denied = {act.verb for act in unit.acts if act.verb}
    again = done is not None and bool(denied) and denied <= {act.verb for act in done.acts}  # 208有人住，不停
    keeps = (again or any(act.keep for act in unit.acts)) and not (unit.other or unit.all)
    if before is None or not keeps or before.acts or before.sign or before.exclusion is not None or before is kept[0]:
        return []
    kept.remove(before)
    return before.groups


def _place_generic(groups: list[ThingGroup]) -> None:
    """二楼别关灯, 门厅、玄关留灯: the kind of thing named after the act is that of the rooms before it."""
    if len(groups) < 2 or not groups[0].room_only:
        return
    _place([ThingGroup(group.start, [i for i in group.items if i.name == "*"]) for group in groups[1:]], groups[0])


def _place(groups: list[ThingGroup], place: ThingGroup) -> None:
    for group in groups:
        for item in group.items:
            if item.rooms is None and not (item.whole or item.here or item.name == LAST_NAME):
                item.rooms = place.items[-1].rooms


def _turned(unit: Unit, following: Unit | None) -> bool:
    """橱柜灯就不用亮了，关掉: what is asked next is the opposite of what it need not do."""
    denied = {verb_table().opposite.get(act.verb) for act in unit.acts if act.verb}
    return following is not None and bool(denied & {act.verb for act in following.acts if act.verb})


def _opposed(unit: Unit, other: Unit) -> bool:
    """把灯打开，台灯别关: what shall not be done is the opposite of what is asked for, so nothing is left out."""
    if any(act.keep or act.word in _EITHER_WAY for act in unit.acts):
        return False
    denied = {verb_table().opposite.get(act.verb) for act in unit.acts if act.negated}
    return bool(denied) and denied == {act.verb for act in other.acts}


def _takes_back(kept: list[Unit], groups: list[ThingGroup]) -> bool:
    """打开厨房灯和客厅灯，厨房的不要了: the thing is named and taken out again."""
    for unit in reversed(kept):
        if not unit.acts:
            continue
        for group in unit.groups:
            named = [item for item in group.items if any(_same(item, other) for g in groups for other in g.items)]
            if named and len(group.items) > len(named):
                group.items = [item for item in group.items if item not in named]
                group.all = group.all and (len(group.items) > 1 or group.items[0].name == "*")
                return True
            if named and len(unit.groups) > 1:
                position = unit.elements.index(group)
                del unit.elements[position]
                return True
            placed = groups[0].items[0].rooms
            if named and len(group.items) == 1 and not group.all and placed in (None, group.items[0].rooms):
                unit.elements = []
                kept.append(Unit(unit.start, elements=[group], hint=True, holds=True))
                return True
    return False


def _takes_rooms_back(kept: list[Unit], unit: Unit, groups: list[ThingGroup]) -> bool:
    """关卧室和书房的空调，书房的不用关: one of the rooms that share a thing is taken out again."""
    done = next((u for u in reversed(kept) if u.acts), None)
    if done is None or done.exclusion is not None or _opposed(unit, done):
        return False
    left = [item for group in groups for item in group.items]
    out = {room for item in left for room in item.rooms or ()}
    for item in (item for group in done.groups for item in group.items):
        alike = all(other.room_only or (other.name, other.kind) == (item.name, item.kind) for other in left)
        if alike and out and out < set(item.rooms or ()):
            item.rooms = tuple(room for room in item.rooms or () if room not in out)
            return True
    return False


def _same(item: Item, other: Item) -> bool:
    if other.room_only or (other.name == LAST_NAME and other.rooms is not None):
        return item.rooms is not None and item.rooms == other.rooms
    return item.word == other.word and (other.rooms is None or item.rooms == other.rooms) and item.quantifier is None


def _covers(unit: Unit, groups: list[ThingGroup]) -> bool:
    if not unit.other and apart(unit.groups, groups):
        return False
    if unit.other or unit.exclusion is not None or (unit.all and not unit.groups):
        return True
    if any(item.anything for group in unit.groups for item in group.items):
        return True
    pointed = [item.name == LAST_NAME for group in groups for item in group.items]
    if any(pointed) and not all(pointed):
        return True
    if all(group.room_only for group in groups):
        out = [room for group in groups for item in group.items for room in item.rooms or ()]
        return any(group.all or in_parts(item, out) for group in unit.groups for item in group.items)
    kinds = {item.kind for group in groups for item in group.items if item.kind}
    done = {item.kind for group in unit.groups for item in group.items if not item.anything}
    if kinds and "" not in done and not kinds & done:
        return False
    for group in unit.groups:
        if group.all or any(item.quantifier is Quantifier.ALL or item.anything or item.whole for item in group.items):
            return True
    return False


def _is_setting(unit: Unit, groups: list[ThingGroup]) -> bool:
    """Whether it but sets something, of a thing that is not named and may be the one left on."""
    plain = not (unit.groups or unit.then or unit.all or unit.other or unit.exclusion or unit.negated or unit.ask)
    acts = [act for act in unit.acts if not act.state]
    lamps = all(item.kind == "light" for group in groups for item in group.items)
    own = lamps or not any(act.attribute for act in acts)  # 窗帘留着，音量给个二十五
    return plain and own and bool(acts) and all(act.value is not None or act.direction for act in acts)


def _acts(unit: Unit) -> bool:
    return any(act.complete for act in unit.acts)


def apply_exclusions(kept: list[Unit]) -> None:
    """An exclusion said by itself belongs to the next clause that acts, or to the one before."""
    for index, unit in enumerate(kept):
        if unit.exclusion is not None and unit.acts and _goes_on(unit, kept):
            unit.elements = []  # 风扇都关，就留落地扇慢慢吹
        if unit.exclusion is None or unit.acts:
            continue
        target = next((u for u in kept[index + 1 :] if _acts(u)), None)
        before = any(_acts(u) for u in kept[:index])
        then = target is not None and target.then  # 灯全关了，除了玄关，再把电视关了
        looks_back = unit.trailing or then or _of_before(unit.exclusion, target, kept[:index])
        back = looks_back and before and not (target is not None and target.other)
        if target is None or target.exclusion is not None or back:
            target = next((u for u in reversed(kept[:index]) if _acts(u)), target)
        if target is None:
            continue
        if target.exclusion is None:
            target.exclusion = unit.exclusion
        else:
            target.exclusion.rooms.extend(unit.exclusion.rooms)
            target.exclusion.items.extend(unit.exclusion.items)
        if not unit.groups:
            unit.exclusion = None
    for unit in kept:
        if unit.elsewhere and unit.exclusion is not None:
            _out_as_rooms(unit.exclusion)


def _of_before(exclusion: Exclusion, target: Unit | None, kept: list[Unit]) -> bool:
    """灯全灭，只留落地灯，电视也关: what is left out is of the kind spoken of before, and not of the next."""
    kinds = {item.kind for item in exclusion.items}
    if target is not None and kept and _wide(kept[-1]) and not _wide(target) and target.groups:
        of = {item.kind for group in kept[-1].groups for item in group.items if not item.anything}
        return not kinds or not of or bool(kinds & of)  # 一楼的电视全关，除了饭厅那台，二楼灯打开
    if target is None or exclusion.rooms or not kinds or "" in kinds:
        return False
    items = [item for group in target.groups for item in group.items]
    if not items or any(item.anything or not item.kind or item.kind in kinds for item in items):
        return False
    done = [item for unit in kept if _acts(unit) for group in unit.groups for item in group.items]
    return any(item.anything or item.kind in kinds for item in done)


def _wide(unit: Unit) -> bool:
    """Whether it speaks of all of something, of which some may be left out."""
    groups = unit.groups
    everything = any(group.all or any(item.quantifier is Quantifier.ALL for item in group.items) for group in groups)
    return _acts(unit) and (unit.all or unit.other or everything or any(i.anything for g in groups for i in g.items))


def _goes_on(unit: Unit, kept: list[Unit]) -> bool:
    """Whether the acts of what leaves something out only say that it goes on while all else ends."""
    on = all(act.verb in verb_table().beginning and act.value is None for act in unit.acts) and all(
        _pronoun(g) for g in unit.groups
    )
    done = [act.verb for other in kept if other is not unit for act in other.acts if act.verb and not act.negated]
    return on and not (unit.other or unit.all) and bool(done) and all(verb in verb_table().ending for verb in done)


def _out_as_rooms(exclusion: Exclusion) -> None:
    """酒廊留着，别处都关: beside other places what nobody knows is a place."""
    unknown = [item for item in exclusion.items if item.positional and not item.kind]
    exclusion.rooms.extend(item.word for item in unknown if item.word not in exclusion.rooms)
    exclusion.items = [item for item in exclusion.items if item not in unknown]
