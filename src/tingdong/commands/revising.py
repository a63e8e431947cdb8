"""Corrections, cancellations, negations and exclusions across clauses, before commands are made (spec, Splitting and order).

A correction puts what it says in the place of the same part of the clause before; a negated clause takes back what it names,
or leaves it out of what is done to all the others. A clause that asks nothing of the home is dropped with its reason.
"""

from context_retrieval.models import LAST_NAME, Quantifier
from tingdong.commands.clauses import add_exclusion
from tingdong.commands.parts import Act, Exclusion, Group, Item, Unit

__all__ = ["revise"]


def revise(units: list[Unit], reasons: list[str]) -> list[Unit]:
    """The units that remain, changed by the corrections among them."""
    kept: list[Unit] = []
    denied = False
    remaining = _without_talk(units, reasons)
    _ask_for_bare(remaining)
    for index, unit in enumerate(remaining):
        if denied and not unit.correction:
            unit.correction = "不是"
        denied = False
        if unit.correction == "不是" and kept and _denies(unit, kept, last=index + 1 == len(remaining)):
            denied = True
            continue
        if unit.absent and unit.acts and all(act.negated for act in unit.acts):
            unit.elements = list(unit.groups)
        if _only_when(unit) and kept and kept[-1].acts and (index + 1 == len(remaining) or kept[-1].when):
            kept[-1].when = unit.when
            continue
        if unit.cancel and not unit.elements and not unit.when:
            _cancel(kept, reasons)
        elif (unit.cancel or unit.correction) and kept and not _leaves_out(unit) and _amends(unit, kept):
            _amend(kept, unit)
        elif kept and _changes_value(kept, unit):
            _amend(kept, unit)
        elif _negated(unit):
            _negation(kept, unit, units, reasons)
        else:
            kept.append(unit)
    _apply_exclusions(kept)
    return [unit for unit in kept if unit.elements or unit.exclusion or unit.when or unit.count]


def _only_when(unit: Unit) -> bool:
    return bool(unit.when) and not unit.elements and not unit.exclusion and not unit.unknown


def _ask_for_bare(units: list[Unit]) -> None:
    """An attribute alone asks for its value where nothing else is asked (卫生间湿度；门口摄像头，电量)."""
    if any(act.complete for unit in units for act in unit.acts):
        return
    for unit in units:
        for act in unit.acts:
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


def _without_talk(units: list[Unit], reasons: list[str]) -> list[Unit]:
    kept: list[Unit] = []
    waits = tail = False
    for unit in units:
        acting = bool(unit.acts)
        tail = unit.tail = unit.tail or tail
        if unit.addressed:
            reasons.append("not_addressed")
            return []
        if unit.talk:
            reasons.append("no_request")
            if kept and kept[-1].acts:
                kept.pop()
            unit.elements = list(unit.groups)
            kept.append(unit)
            continue
        if unit.event and (acting or unit.condition) and not _negated(unit):
            reasons.append("when_not_expressible")
            waits = not acting
            continue
        media = any(item.kind in ("audio", "television") for group in unit.groups for item in group.items)
        if unit.domain and media and any(act.verb == "播放" for act in unit.acts):
            kept.append(unit)
            continue
        if unit.domain:
            reasons.append("other_domain")
            continue
        if unit.sign:
            reasons.append("no_request")
            unit.elements = list(unit.groups)
            unit.unknown += 1
            kept.append(unit)
            continue
        if waits and not acting and (unit.unknown or unit.elements):
            waits = False
        if waits and acting:
            reasons.append("when_not_expressible")
            waits = False
            continue
        if unit.when_lost and acting:
            reasons.append("when_not_expressible")
            continue
        if unit.when_lost and unit.condition:
            waits = True
            continue
        _questions(unit)
        kept.append(unit)
    return kept


def _questions(unit: Unit) -> None:
    """Acts of a question are asked about, never carried out (architecture, law 2)."""
    asks = (unit.ask and not unit.tail) or unit.look
    if unit.which:
        unit.elements = [e for e in unit.elements if not isinstance(e, Act) or e.query or e.state]
    if unit.ask and unit.absent:
        for act in unit.acts:
            act.negated = False
    if any(act.query for act in unit.acts):
        unit.elements = [
            e for e in unit.elements if not isinstance(e, Act) or e.query or e.value or not (e.state or e.weak)
        ]
    for act in unit.acts:
        if act.query or act.negated:
            continue
        if asks and (act.verb or act.state) and not act.value and not act.set:
            act.query, act.verb = "查询状态", ""
        elif asks and act.attribute and not act.value:
            act.query = f"查询{act.attribute}"
        elif unit.ask and not unit.tail:
            unit.elements = [element for element in unit.elements if element is not act]
        elif act.state in ("打开", "关闭") and unit.any:
            act.query = "查询状态"
        elif act.state in ("打开", "关闭") and (unit.request or unit.when) and not unit.now:
            act.verb = act.state
        elif act.state and not act.query:
            unit.elements = [element for element in unit.elements if element is not act]


def _negated(unit: Unit) -> bool:
    acts = unit.acts
    if acts:
        return all(act.negated or act.state for act in acts) and any(act.negated for act in acts)
    alone = not (unit.groups or unit.unknown or unit.statement or unit.count or unit.all or unit.when or unit.absent or unit.event)
    if unit.negated and alone and not (unit.exclusion or unit.other or unit.any or unit.correction):
        return True
    return unit.negated and bool(unit.groups) and not unit.unknown and not unit.statement and not unit.absent


def _cancel(kept: list[Unit], reasons: list[str]) -> None:
    if any(unit.acts for unit in kept):
        reasons.append("cancelled")
    kept.clear()


def _leaves_out(unit: Unit) -> bool:
    """啊不，留着厨房的: what the correction keeps is left out."""
    return _negated(unit) and bool(unit.groups)


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
        fragment = not unit.groups and all(act.value is not None and not act.verb for act in unit.acts)
        if not fragment:
            kept.clear()
            return False
    return bool(unit.elements or unit.when or unit.count)


def _amend(kept: list[Unit], unit: Unit) -> None:
    """Put the parts of the correction in the place of the same parts of the last clause."""
    last = next(u for u in reversed(kept) if u.elements or u.when)
    if _negated(unit):
        last.elements = list(last.groups)
        return
    acts, groups = [a for a in unit.acts if not a.negated], unit.groups
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
    if unit.count is not None and not groups:
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


def _negation(kept: list[Unit], unit: Unit, units: list[Unit], reasons: list[str]) -> None:
    """A negated clause: leaves things out of what is done to all, takes back what was said, or just asks for nothing."""
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
    keep = unit.acts[-1] if unit.acts and unit.acts[-1].keep else None
    after = [group for group in groups if keep is not None and group.start > keep.start]
    if after and len(after) < len(groups):
        kept.append(Unit(unit.start, elements=[group for group in groups if group not in after]))
        groups = after
    exclusion = Exclusion()
    for group in groups:
        for item in group.items:
            add_exclusion(exclusion, item)
    if unit.other:
        return
    if _takes_back(kept, groups):
        return
    position = units.index(unit)
    for other in [*units[position + 1 : position + 2], *reversed(kept[-1:])]:
        if other.acts and not _negated(other) and _covers(other, exclusion, groups):
            unit.exclusion = exclusion
            unit.elements = []
            unit.all = True
            kept.append(unit)
            return
    following = units[position + 1] if position + 1 < len(units) else None
    over = keep is not None and keep.word.endswith("了")
    if (keep is None or over) and following is not None and following.acts:
        kept.append(Unit(unit.start, elements=list(groups), hint=bool(following.groups)))


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
    return False


def _apply_exclusions(kept: list[Unit]) -> None:
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


def last_named(items: list[Item]) -> bool:
    """Whether the items are references only."""
    return all(item.name == LAST_NAME for item in items)
