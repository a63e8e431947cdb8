"""What the sentence itself says about a query that stayed open (retrieval.md, Names).

A parser may lose a number (草坪灯二号), a room joined to its floor (一楼厕所), or a name between other words
(梳妆台那个插座). The names of the home that stand in the sentence then decide, but only where exactly one does:
evidence narrows a question, it never widens a scope and never overrides a resolution.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.described import described, pointed_at
from context_retrieval.kind_table import kind_table
from context_retrieval.models import DeviceType, EntityKind, Quantifier, QueryIR, Resolution, ResolutionStatus
from context_retrieval.name_forms import name_forms, name_variants
from context_retrieval.outcome import Asking
from context_retrieval.rooms import is_room_number
from context_retrieval.said_attributes import bare_verb
from context_retrieval.text import normalise
from context_retrieval.verbs import verb_table

__all__ = ["joined_rooms", "other_actions", "second_look"]

_SET = "设置"
"""What the verbs of players mean for a thing that plays nothing, or knows only how loud it is."""
_WARMTH = re.compile("[暖冷]")
_ENDINGS = "灯机器仪板屏扇帘窗门锁阀泵表计头盒箱柜座桩关控体组号路左右上下前后里外"
"""Last characters that many names share."""
_MARK = re.compile(r"[A-Za-z\d]\Z")
_ALL = re.compile("都|全|所有|两[个盏台只]|俩")
_POOL = 300
"""In a larger home a sentence is searched for names only in a room that was said."""
_DESCRIBED = 0.6


def joined_rooms(query: QueryIR, catalog: Catalog, text: str) -> QueryIR:
    """The query with room words that stand together in the sentence as one (一楼 + 厕所 → 一楼厕所, 403 + 房间).

    A mark alone goes on from the room before it (会议室A和B).
    """
    if len(query.include) < 2:
        return query
    form = normalise(text)
    rooms: list[str] = []
    changed = False
    for word in query.include:
        joined = rooms[-1] + word if rooms else ""
        if rooms and _MARK.fullmatch(word) and catalog.rooms.find(sibling := _MARK.sub(word, rooms[-1])):
            rooms.append(sibling)
            changed = True
        elif joined and normalise(joined) in form and (catalog.rooms.find(joined) or is_room_number(joined)):
            rooms[-1], changed = joined, True
        else:
            rooms.append(word)
    return structs.replace(query, include=tuple(rooms)) if changed else query


def second_look(result: Resolution, asking: Asking, text: str) -> Resolution:
    """`result`, settled by the sentence where it was open, missed an ordinal, or found nothing of the name read."""
    catalog, found = asking.catalog, list[int]()
    match result.status:
        case ResolutionStatus.AMBIGUOUS:
            choices = _positions(asking, result.choices)
            found = _singled_out(text, catalog, choices)
            if len(found) != 1 and _ALL.search(text) and _are_a_row(catalog, choices):
                return asking.chosen(choices, exact=result.exact, single=False)
        case ResolutionStatus.NO_CAPABILITY if asking.query.name is not None:
            named = _named_in(text, catalog, _positions(asking, result.incapable))
            return structs.replace(result, incapable=catalog.ids(named)) if len(named) == 1 else result
        case ResolutionStatus.FOUND if result.kind is EntityKind.GROUP and asking.query.quantifier is Quantifier.ONE:
            members = _positions(asking, catalog.members(result.entity_ids[0]))
            found = described(normalise(text), catalog, members)
        case ResolutionStatus.FOUND if asking.query.name is None and asking.query.type is not DeviceType.UNKNOWN:
            meant = pointed_at(text) if len(result.entity_ids) > 1 else None
            found = described(normalise(meant), catalog, _positions(asking, result.entity_ids)) if meant else []
        case ResolutionStatus.NO_REFERENCE:
            found = _singled_out(text, catalog, _pool(asking))
        case ResolutionStatus.NO_DEVICE if asking.query.name is not None and not asking.query.exclude:
            return _near_the_name(asking, asking.query.name, text) or result
    return asking.chosen(found) if len(found) == 1 else result


def other_actions(query: QueryIR, text: str) -> Iterator[str]:
    """What an action may have been, where the device found cannot do the one read.

    放水 is read as playing, 暖一点 of a lamp as a temperature, and a value without its attribute (开到最大) as one that
    the device does not have. An attribute that was said stays (law 1: a plug is not dimmed).
    """
    if (plain := verb_table().plainly.get(query.action)) is not None:
        yield plain
    if query.action.endswith("温度") and _WARMTH.search(text) is not None:
        yield f"{_SET}色温"
    if bare_verb(query.action, query.value, text) is not None:
        yield _SET


def _singled_out(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """The one whose name or description the sentence says; things of one name in a room stay together."""
    if len({catalog.devices[position].name for position in positions}) < min(len(positions), 2):
        return []
    named = _named_in(text, catalog, positions)
    return named if len(named) == 1 else described(normalise(text), catalog, positions)


def _near_the_name(asking: Asking, name: str, text: str) -> Resolution | None:
    """The one device in scope that the sentence describes, where nothing bears the name read from it.

    Only in a room that was said, or where its own name stands in the sentence: a room is never left (law 1).
    """
    catalog, form = asking.catalog, normalise(text)
    if len(catalog) > _POOL and not asking.query.include:
        return None
    pool = _pool(asking)
    found = _named_in(text, catalog, pool)
    if len(found) != 1 and (told := described(normalise(name), catalog, pool) or described(form, catalog, pool)):
        return asking.chosen(_near_by(asking, told), exact=False, score=_DESCRIBED)
    if asking.query.include and len(found) != 1:
        found = [p for p in pool if _is_short_for(normalise(name), catalog, p)]
    return asking.chosen(found, exact=False, score=_DESCRIBED) if len(found) == 1 else None


def _near_by(asking: Asking, positions: Sequence[int]) -> Sequence[int]:
    """Those in the first default place that has any (the place rule)."""
    for place in asking.places:
        if here := [position for position in positions if asking.catalog.room_of(position) == place]:
            return here
    return positions


def _is_short_for(name: str, catalog: Catalog, position: int) -> bool:
    """Whether what was said is of one word for the thing, in order (伞 → 遮阳伞, 抽烟的机器 → 抽油烟机)."""
    table = kind_table()
    words = (word for kind in catalog.profiles[position].kinds for word in table.kinds[kind].words)
    said, own = name.rstrip(_ENDINGS), normalise(catalog.devices[position].name)
    if own[-1:] not in _ENDINGS and not own[-1:].isascii() and own[-1:] in name:
        return True
    return bool(said) and any(_in_order(said, word) for word in (own, *map(normalise, words)))


def _in_order(said: str, word: str) -> bool:
    rest = iter(word)
    return all(character in rest for character in said)


def _are_a_row(catalog: Catalog, positions: Sequence[int]) -> bool:
    """Whether the devices are one row in one room: 舞台射灯1 and 舞台射灯2, or two of one name."""
    rows = {(catalog.room_of(p), name_variants(normalise(catalog.devices[p].name))[-1]) for p in positions}
    return len(rows) == 1


def _positions(asking: Asking, ids: Iterable[str]) -> list[int]:
    return [position for position in map(asking.catalog.position, ids) if position is not None]


def _pool(asking: Asking) -> Sequence[int]:
    catalog, wanted = asking.catalog, asking.query.type
    positions: Iterable[int] = catalog.all_positions()
    if asking.query.include:
        positions = catalog.in_rooms([room for word in asking.query.include for room in catalog.rooms.find(word)])
    if wanted is not DeviceType.UNKNOWN:
        positions = (position for position in positions if catalog.profiles[position].type is wanted)
    return list(positions)


def _named_in(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """Positions of the longest name that stands in the sentence."""
    form = normalise(text)
    best: list[int] = []
    longest = 1
    for position in positions:
        for name in name_forms(catalog.devices[position].name):
            if len(name) >= longest and len(name) > 1 and name in form:
                best = [*best, position] if len(name) == longest else [position]
                longest = len(name)
    return best
