"""What the sentence itself says about a query that stayed open (seed 002, 召回负责"不漏").

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
from context_retrieval.said_attributes import bare_verb, short_attribute
from context_retrieval.text import normalise
from context_retrieval.verbs import verb_table

__all__ = ["joined_rooms", "other_actions", "second_look", "sounding_in"]

_SET = "设置"
"""What the verbs of players mean for a thing that plays nothing, or knows only how loud it is."""
_WARMTH = re.compile("[暖冷]")
_SIDES = "左右上下前后里外中东西南北"
_SIDE_LAST = re.compile(f"(.{{2,}})([{_SIDES}])[边侧面头]?")
_SIDE_FIRST = re.compile(f"([{_SIDES}])[边侧面头]?(.{{2,}})")
_ENDINGS = frozenset("灯机器仪板屏扇帘窗门锁阀泵表计头头盒箱柜座桩关控体组号路左右上下前后里外0123456789")
"""Last characters that many names share, or that are no nouns."""
_MARK = re.compile(r"[A-Za-z\d]\Z")
_ALL = re.compile("都|全|所有|两[个盏台只]|俩")
_POOL = 300
"""In a larger home a sentence is searched for names only in a room that was said."""
_DESCRIBED = 0.6
_SOUNDING = 3
"""The shortest name that is looked for by its sound anywhere in a sentence."""


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
    found: Sequence[int] = ()
    match result.status:
        case ResolutionStatus.AMBIGUOUS:
            choices = _positions(asking, result.choices)
            found = _singled_out(text, asking.catalog, choices)
            if not found:
                found = _of_measure(text, asking.catalog, choices)
            if len(found) != 1:
                found = described(normalise(text), asking.catalog, choices)
            if len(found) != 1 and _ALL.search(text) and _are_a_row(asking.catalog, choices):
                return asking.chosen(choices, exact=result.exact, single=False)
        case ResolutionStatus.NO_CAPABILITY if asking.query.name is not None:
            named = _named_in(text, asking.catalog, _positions(asking, result.incapable))
            return structs.replace(result, incapable=asking.catalog.ids(named)) if len(named) == 1 else result
        case ResolutionStatus.FOUND if result.kind is EntityKind.GROUP and asking.query.quantifier is Quantifier.ONE:
            members = asking.catalog.members(result.entity_ids[0])
            found = _of_side(text, asking.catalog, _positions(asking, members))
        case ResolutionStatus.FOUND if asking.query.name is None and asking.query.type is not DeviceType.UNKNOWN:
            meant = pointed_at(text) if len(result.entity_ids) > 1 else None
            found = described(normalise(meant), asking.catalog, _positions(asking, result.entity_ids)) if meant else ()
        case ResolutionStatus.NO_REFERENCE:
            pool = _pool(asking)
            found = _singled_out(text, asking.catalog, pool)
            if len(found) != 1:
                found = _described_in(text, asking, pool) or described(normalise(text), asking.catalog, pool)
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


def _are_a_row(catalog: Catalog, positions: Sequence[int]) -> bool:
    """Whether the devices are one row in one room: 舞台射灯1 and 舞台射灯2, or two of one name."""
    rows = {(catalog.room_of(p), name_variants(normalise(catalog.devices[p].name))[-1]) for p in positions}
    return len(rows) == 1


def _positions(asking: Asking, ids: Iterable[str]) -> list[int]:
    return [position for position in map(asking.catalog.position, ids) if position is not None]


def _singled_out(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """The one whose room or name the sentence says, or whose side; things of one name in a room stay together."""
    here = _in_room_said(text, catalog, positions)
    if len(here) == 1 or len({catalog.devices[position].name for position in positions}) < min(len(positions), 2):
        return here
    named = _named_in(text, catalog, here or positions)
    return named if len(named) == 1 else _of_side(text, catalog, here or positions)


def _in_room_said(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """Positions whose room stands in the sentence, where the query lost it (帮302客人把主灯调暗)."""
    form = normalise(text)
    said = {
        room for room in {catalog.room_of(position) for position in positions} if _room_stands_in(catalog, room, form)
    }
    return [position for position in positions if catalog.room_of(position) in said]


def _room_stands_in(catalog: Catalog, room: str, form: str) -> bool:
    """Whether a room is said by its name, or by whose it is (外婆床头灯 for 外婆屋)."""
    name = normalise(room)
    return (len(name) > 1 and name in form) or catalog.rooms.is_said_by_owner(room, form)


def _of_measure(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """The one whose description speaks of a measure that is said by its first character (小白雾开大点)."""
    devices = [catalog.devices[position] for position in positions]
    found = [p for p, one in zip(positions, devices, strict=True) if short_attribute(one.description, one.name, text)]
    return found if len(found) == 1 else []


def _of_side(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """Positions whose name's side is said with the rest of the name: 右边那个阅读灯 → 阅读灯右."""
    form = normalise(text)
    found = []
    for position in positions:
        for name in name_forms(catalog.devices[position].name):
            sided = _SIDE_LAST.fullmatch(name)
            rest, side = (sided[1], sided[2]) if sided else ("", "")
            if not sided and (first := _SIDE_FIRST.fullmatch(name)):
                side, rest = first[1], first[2]
            if side and re.search(f"{side}[边侧面头手]?[那这个盏台只扇]*{re.escape(rest)}", form):
                found.append(position)
                break
    return found


def _near_the_name(asking: Asking, name: str, text: str) -> Resolution | None:
    """The one device in scope that the sentence describes, where nothing bears the name read from it.

    Only in a room that was said, or where its own name stands in the sentence: a room is never left (law 1).
    """
    catalog = asking.catalog
    if len(catalog) > _POOL and not asking.query.include:
        return None
    pool = _pool(asking)
    found = _named_in(text, catalog, pool) or sounding_in(text, catalog, pool)
    if len(found) != 1 and (told := described(normalise(name), catalog, pool)):
        return asking.chosen(_near_by(asking, told), exact=False, score=_DESCRIBED)
    if asking.query.include and len(found) != 1:
        found = _described_in(text, asking, pool) or [p for p in pool if _shares_its_noun(catalog, p, name)]
    if len(found) != 1:
        return None
    return asking.chosen(found, exact=False, score=_DESCRIBED)


def _near_by(asking: Asking, positions: Sequence[int]) -> Sequence[int]:
    """Those in the first default place that has any (the place rule)."""
    for place in asking.places:
        if here := [position for position in positions if asking.catalog.room_of(position) == place]:
            return here
    return positions


def _shares_its_noun(catalog: Catalog, position: int, name: str) -> bool:
    """Whether the last character of a device's name, where it is a noun of its own, was said (那把伞 → 遮阳伞)."""
    noun = normalise(catalog.devices[position].name)[-1:]
    return noun in normalise(name) and noun not in _ENDINGS


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


def sounding_in(text: str, catalog: Catalog, positions: Sequence[int]) -> list[int]:
    """Positions of the names of three or more characters that the sentence holds by their sound (灭军器 → 灭菌器)."""
    from zhtext.sound import sound_key  # the sound table loads when a name is first misheard

    syllables = sound_key(normalise(text)).split(" ")
    found = []
    for position in positions:
        name = normalise(catalog.devices[position].name)
        if len(name) < _SOUNDING or name.isascii():
            continue
        key = sound_key(name).split(" ")
        if any(syllables[at : at + len(key)] == key for at in range(len(syllables) - len(key) + 1)):
            found.append(position)
    return found


def _described_in(text: str, asking: Asking, positions: Sequence[int]) -> list[int]:
    """Positions whose distinguishing words stand in the sentence: what a socket is for, or a word of the kind."""
    form, table, catalog = normalise(text), kind_table(), asking.catalog
    typed = asking.query.type is not DeviceType.UNKNOWN
    said = _kinds_said(form)
    found = []
    for position in positions:
        name = normalise(catalog.devices[position].name)
        kind = table.of_ending(name)
        modifier = name[: -_ending_length(name, kind.words)] if kind is not None else ""
        if len(modifier) < 2 and (asking.query.include or typed):
            modifier = name[:-1]
        if ((typed or asking.query.include) and _stands_in(modifier, form)) or not said.isdisjoint(
            catalog.profiles[position].kinds
        ):
            found.append(position)
    return found


def _stands_in(modifier: str, form: str) -> bool:
    """Whether what tells a device apart stands in the sentence; 东侧 also as 东边."""
    if len(modifier) < 2:
        return False
    side = re.fullmatch("([左右上下前后里外中东西南北])[边侧面头]", modifier)
    return modifier in form if side is None else re.search(f"{side[1]}[边侧面头]", form) is not None


def _ending_length(name: str, words: Sequence[str]) -> int:
    return max((len(word) for word in map(normalise, words) if name.endswith(word)), default=len(name))


def _kinds_said(form: str) -> frozenset[str]:
    """Kinds of which a word of two or more characters stands in the sentence (抽油烟 → 油烟机)."""
    return frozenset(
        kind.id
        for word, kind in kind_table().by_word.items()
        if len(word) > 1 and kind.type is DeviceType.UNKNOWN and word in form
    )
