"""What the sentence itself says about a query that stayed open (seed 002, 召回负责"不漏").

A parser may lose a number (草坪灯二号), a room joined to its floor (一楼厕所), or a name between other words
(梳妆台那个插座). The names of the home that stand in the sentence then decide, but only where exactly one does:
evidence narrows a question, it never widens a scope and never overrides a resolution.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.kinds import kind_table
from context_retrieval.models import DeviceType, QueryIR, Resolution, ResolutionStatus
from context_retrieval.outcome import Asking
from context_retrieval.text import normalise

__all__ = ["joined_rooms", "second_look"]


def joined_rooms(query: QueryIR, catalog: Catalog, text: str) -> QueryIR:
    """The query with room words that stand together in the sentence as one (一楼 + 厕所 → 一楼厕所)."""
    if len(query.include) < 2:
        return query
    form = normalise(text)
    rooms: list[str] = []
    for word in query.include:
        joined = rooms[-1] + word if rooms else ""
        if joined and normalise(joined) in form and catalog.rooms.find(joined):
            rooms[-1] = joined
        else:
            rooms.append(word)
    return query if len(rooms) == len(query.include) else structs.replace(query, include=tuple(rooms))


def second_look(result: Resolution, asking: Asking, text: str) -> Resolution:
    """`result`, settled by the sentence where it was ambiguous, pointed to nothing, or missed an ordinal."""
    if asking.query.name is not None and "第" in text and (nth := _nth(asking, text)) is not None:
        return asking.chosen(nth)
    if result.status is ResolutionStatus.AMBIGUOUS:
        positions = [p for p in map(asking.catalog.position, result.choices) if p is not None]
        found = _named_in(text, asking.catalog, positions)
    elif result.status is ResolutionStatus.NO_REFERENCE:
        pool = _pool(asking)
        found = _named_in(text, asking.catalog, pool)
        if len(found) != 1:
            found = _described_in(text, asking, pool)
    else:
        return result
    return asking.chosen(found) if len(found) == 1 else result


def _nth(asking: Asking, text: str) -> Sequence[int] | None:
    """The device that 第二个射灯 counts to, where the query holds only 射灯."""
    name = normalise(asking.query.name or "")
    counted = re.search(rf"第([一二三四五六七八九十\d]+)[个盏台只扇号]?的?{re.escape(name)}", text)
    if counted is None:
        return None
    spoken = f"{normalise(counted[1])}{name}"
    rooms = [room for word in asking.query.include for room in asking.catalog.rooms.find(word)]
    pools = [asking.catalog.names_in(room) for room in rooms or asking.places] or [asking.catalog.names]
    matches = [match for names in pools if (match := names.find(spoken, fuzzy=False)) is not None]
    return matches[0].positions if len(matches) == 1 and len(matches[0].positions) == 1 else None


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
        name = normalise(catalog.devices[position].name)
        if len(name) >= longest and len(name) > 1 and name in form:
            best = [*best, position] if len(name) == longest else [position]
            longest = len(name)
    return best


def _described_in(text: str, asking: Asking, positions: Sequence[int]) -> list[int]:
    """Positions whose distinguishing words stand in the sentence: what a socket is for, or a word of the kind."""
    form, table, catalog = normalise(text), kind_table(), asking.catalog
    typed = asking.query.type is not DeviceType.UNKNOWN
    found = []
    for position in positions:
        name = normalise(catalog.devices[position].name)
        kind = table.of_ending(name)
        modifier = name[: -_ending_length(name, kind.words)] if kind is not None else ""
        if (typed and _stands_in(modifier, form)) or _kind_said(form, catalog, position):
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


def _kind_said(form: str, catalog: Catalog, position: int) -> bool:
    """Whether a word of two or more characters for the device's kind stands in the sentence (抽油烟 → 油烟机)."""
    kinds = catalog.profiles[position].kinds
    table = kind_table()
    return any(
        len(word) > 1 and word in form and kind.id in kinds and kind.type is DeviceType.UNKNOWN
        for word, kind in table.by_word.items()
    )
