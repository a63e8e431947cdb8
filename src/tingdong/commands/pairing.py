"""Groups with their acts within one clause: topic first (灯打开) or verb first (打开灯)."""

from context_retrieval.models import LAST_NAME
from tingdong.commands.parts import Act, Item, ThingGroup, Unit

__all__ = ["pair", "points", "share_out"]

_IT_OR_PERSON = frozenset(("它", "佢", "伊", "她", "他"))


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
        pairs.append((None, waiting))
    return pairs


def _verb_first(last: tuple[ThingGroup | None, list[Act]], act: Act, following: ThingGroup, after: object) -> bool:
    """Whether an act between two groups belongs to the second: it has a verb, and the first is served already."""
    _, acts = last
    value_only = act.value is not None and not act.verb and not act.set and act.attribute == ""
    if following.marked or (value_only and acts):
        return False
    if acts:
        return not isinstance(after, Act) or act.verb != ""
    return False


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
        first.items.extend(second.items)
    first.all = first.all or second.all
    first.any = first.any or second.any


def share_out(acts: list[Act], items: list[Item]) -> tuple[list[Act], list[Item]]:
    """分别: as many values as things (or rooms of one thing) are given one to one."""
    values = [act for act in acts if act.complete]
    if len(items) == len(values):
        return values, list(items)
    return [act for act in values for _ in items], [item for _ in values for item in items]
