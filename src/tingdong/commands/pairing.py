"""Groups with their acts within one clause: topic first (灯打开) or verb first (打开灯)."""

from msgspec.structs import replace

from context_retrieval.models import LAST_NAME
from tingdong.commands.parts import Act, Item, ThingGroup, Unit

__all__ = ["join_rows", "pair", "points", "points_twice", "share_out"]

_IT_OR_PERSON = frozenset(("它", "佢", "伊", "她", "他"))
_ROW = 4
"""Fewer clauses are no row in which acts and things take turns."""


def pair(unit: Unit) -> list[tuple[ThingGroup | None, list[Act]]]:
    """Groups with their acts, in order of speaking. A group without acts is a topic for later."""
    elements = [e for e in unit.elements if not (isinstance(e, Act) and e.negated)]
    elements = _merge_groups(elements)
    pairs: list[tuple[ThingGroup | None, list[Act]]] = []
    waiting: list[Act] = []
    for index, element in enumerate(elements):
        if isinstance(element, ThingGroup):
            if waiting:
                pairs.append((element, waiting))
                waiting = []
            else:
                pairs.append((element, []))
            continue
        following = elements[index + 1] if index + 1 < len(elements) else None
        after = elements[index + 2] if index + 2 < len(elements) else None
        if not pairs or (isinstance(following, ThingGroup) and _verb_first(pairs[-1], element, following, after)):
            waiting.append(element)
        else:
            pairs[-1][1].append(element)
    if waiting:
        if pairs and not pairs[-1][1]:
            pairs[-1][1].extend(waiting)
        else:
            pairs.append((None, waiting))
    return _split_closed(pairs)


def _split_closed(pairs: list[tuple[ThingGroup | None, list[Act]]]) -> list[tuple[ThingGroup | None, list[Act]]]:
    """关夜灯热水器开到五十度: what is switched off is not set, so the last thing goes with what follows it."""
    for at, (group, acts) in enumerate(pairs):
        if group is None or len(group.items) < 2 or len(acts) != 2 or group.all:
            continue
        closing, setting = acts
        closes = closing.verb == "关闭" and closing.value is None and closing.start < group.start
        if closes and setting.start > group.start and setting.set and setting.value is not None:
            rest = ThingGroup(group.start, group.items[:-1], marked=group.marked)
            pairs[at : at + 1] = [(rest, [closing]), (ThingGroup(group.start, group.items[-1:]), [setting])]
            break
    return pairs


def _verb_first(last: tuple[ThingGroup | None, list[Act]], act: Act, following: ThingGroup, after: object) -> bool:
    """Whether an act between two groups belongs to the second: it has a verb, and the first is served already."""
    group, acts = last
    value_only = act.value is not None and not act.verb and not act.set and act.attribute == ""
    if following.marked or (value_only and acts):
        return False
    if acts:
        return not isinstance(after, Act) or act.verb != "" or _began_with_verb(group, acts)
    return False


def _began_with_verb(group: ThingGroup | None, acts: list[Act]) -> bool:
    return group is None or (bool(acts) and acts[0].start < group.start)


def _merge_groups(elements: list[ThingGroup | Act]) -> list[ThingGroup | Act]:
    """A room alone goes with the thing named next, even across a verb (客厅亮三盏灯), or before (空调只开客厅的)."""
    merged: list[ThingGroup | Act] = []
    for index, element in enumerate(elements):
        previous = merged[-1] if merged else None
        if (
            isinstance(element, ThingGroup)
            and element.room_only
            and isinstance(previous, Act)
            and index + 1 == len(elements)
        ):
            topic = merged[-2] if len(merged) > 1 else None
            if isinstance(topic, ThingGroup) and not topic.room_only and _roomless(topic):
                _join_groups(topic, element)
                continue
        if isinstance(element, ThingGroup):
            if isinstance(previous, ThingGroup) and not previous.room_only and points(element):
                continue  # 排风扇给它拧开
            if isinstance(previous, ThingGroup):
                _join_groups(previous, element)
                continue
            place = merged[-2] if len(merged) > 1 and isinstance(previous, Act) else None
            if (
                isinstance(place, ThingGroup)
                and place.room_only
                and not element.room_only
                and previous is not None
                and not element.marked
            ):
                for item in element.items:
                    if item.rooms is None and not item.here and not item.whole:
                        source = place.items[-1]
                        item.rooms, item.here, item.whole = source.rooms, source.here, source.whole
                element.all, element.any = element.all or place.all, element.any or place.any
                merged.remove(place)
        merged.append(element)
    return merged


def points(group: ThingGroup) -> bool:
    """Whether it is nothing but 它, said of what stands right before."""
    return all(item.word in _IT_OR_PERSON and not item.typed for item in group.items)


def points_twice(units: list[Unit]) -> bool:
    """那盏关了这盏打开: this one and that one are two."""
    items = [item for unit in units for group in unit.groups for item in group.items]
    return {"那", "这"} <= {item.word[:1] for item in items if item.name == LAST_NAME and not item.plural}


def _roomless(group: ThingGroup) -> bool:
    return all(item.rooms is None and not item.here and item.name != LAST_NAME for item in group.items)


def _join_groups(first: ThingGroup, second: ThingGroup) -> None:
    if first.room_only:
        place = first.items[-1]
        for item in second.items:
            if item.rooms is None and not item.here and not item.whole:
                item.rooms, item.here, item.whole = place.rooms, place.here, place.whole
        first.items = second.items
    elif second.room_only:
        for item in first.items:
            if item.rooms is None:
                item.rooms, item.here = second.items[-1].rooms, second.items[-1].here
    else:
        for item in second.items:
            if item.rooms is None and not item.here and not item.whole:
                item.rooms, item.here = first.items[-1].rooms, first.items[-1].here
        first.items.extend(second.items)
    first.all = first.all or second.all
    first.any = first.any or second.any


def join_rows(units: list[Unit]) -> None:
    """开，台灯；关，吊灯: where acts and things take turns from the first on, each act is for the thing behind it."""
    if len(units) < _ROW:
        return
    acting, named = units[::2], units[1::2]
    if len(acting) != len(named) or any(unit.groups or not unit.acts for unit in acting):
        return
    if all(unit.groups and not (unit.acts or unit.unknown or unit.when or unit.exclusion) for unit in named):
        for unit, thing in zip(acting, named, strict=True):
            unit.elements.extend(thing.elements)
        units[:] = acting


def share_out(acts: list[Act], items: list[Item]) -> tuple[list[Act], list[Item]]:
    """分别: as many values as things (or rooms of one thing) are given one to one."""
    values = [act for act in acts if act.complete]
    if len(items) == 1 and items[0].rooms and len(items[0].rooms) == len(values):
        items = [replace(items[0], rooms=(room,)) for room in items[0].rooms]
    if len(items) == len(values):
        return values, list(items)
    return [act for act in values for _ in items], [item for _ in values for item in items]
