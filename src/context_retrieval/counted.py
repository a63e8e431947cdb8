"""Numbers that count things or rooms: 1号和3号, 2到4, 前两盏, 最后一盏, 甲和丙, and the rooms that bear them."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.kind_table import kind_table
from context_retrieval.telling import LONGEST, said_table
from context_retrieval.text import spoken

__all__ = ["Span", "SpanPart", "has_mark", "rows_of"]

_ORDINAL = "第"
_MOST_NUMBERS = 60


class SpanPart(StrEnum):
    """What a stretch says: a room, the kind of thing, what tells one from another, a number."""

    ROOM = "room"
    HEAD = "head"
    TELLS = "tells"
    NUMBER = "number"


class Span(msgspec.Struct, frozen=True):
    """A stretch `[start, end)` of a spoken form, and what it says: rooms, positions, or numbers (`ordinal` ones count
    in a row where nothing bears them; `last` from its end)."""

    part: SpanPart
    start: int
    end: int
    positions: frozenset[int] = frozenset()
    rooms: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    ordinal: bool = False
    last: bool = False


@cache
def _numbers() -> re.Pattern[str]:
    """Numbers that may count a thing, with what joins them: 1号和3号, 2到4, 前两盏, 最后1盏, 甲和丙."""
    table = said_table()
    joint = "|".join(map(re.escape, (*table.joints, *table.ranges)))
    end, middle = "|".join(table.end), "|".join(table.middle)
    after = f"{table.counters}{table.labels}"
    letter = rf"(?<![a-z])[a-z](?![a-z])|[a-z](?=(?:{joint})[a-z](?![a-z]))"
    mark = rf"(?:第?\d{{1,4}}(?![\d{table.units}])|{table.two}|{letter}|[{table.marks}])"
    more = rf"(?:(?:{joint}){mark}[{after}]?)*|(?:(?<=[{table.labels}]){mark}[{table.labels}])*"
    side = f"[{table.leans}]?[{table.sides}][{table.side_ends}]?"
    return re.compile(
        rf"(?P<which>{end}|{table.from_end}|[{table.first}{table.last}])?(?P<row>{mark}[{after}]?(?:{more}))"
        rf"|(?P<sides>{side}(?:(?:{joint}){side})+)"
        rf"|(?P<end>{end})(?=[{table.counters}那])|(?P<middle>{middle})[那1]*[{table.counters}]?"
    )


@cache
def _attributes() -> re.Pattern[str]:
    """Words of what is measured, whose numbers count nothing (二氧化碳, PM2.5)."""
    words = {spoken(word) for words in kind_table().attributes.values() for word in words}
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(rf"[\da-z{said_table().two}{said_table().marks}]")


def has_mark(form: str) -> bool:
    """Whether a number, a letter or another mark of a row stands in a spoken form."""
    return _marks().search(form) is not None


def rows_of(form: str, catalog: Catalog) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Numbers and rows of them as spans, with the numbers: of rooms where each of them has one."""
    blocked = _attributes().sub(lambda match: " " * len(match[0]), form)
    for match in _numbers().finditer(blocked):
        if match["sides"]:
            both = tuple(one for one in match["sides"] if one in said_table().sides)
            yield Span(SpanPart.NUMBER, *match.span(), numbers=both), both
            continue
        if match["row"] is None:
            yield (
                Span(
                    SpanPart.NUMBER,
                    *match.span(),
                    ordinal=True,
                    numbers=("中",) if match["middle"] else ("1",),
                    last=bool(match["end"]),
                ),
                (),
            )
            continue
        numbers = _listed(match["row"])
        if not numbers:
            continue
        if len(numbers) > 1 and (room := _row_of_rooms(form, match, numbers, catalog)) is not None:
            yield room, numbers
            continue
        which, table = match["which"] or "", said_table()
        counts = which in (table.first, table.last, *table.end) and which
        if counts and numbers[0].isdigit():
            numbers = tuple(str(number + 1) for number in range(min(int(numbers[0]), _MOST_NUMBERS)))
        last = which in (*table.end, table.from_end) or which == table.last
        ordinal = bool(which) or match["row"].startswith(_ORDINAL)
        if not ordinal and len(numbers) == 1 and match["row"][-1] in table.counters:
            continue
        yield Span(SpanPart.NUMBER, *match.span(), numbers=numbers, ordinal=ordinal, last=last), numbers


def _listed(row: str) -> tuple[str, ...]:
    """The numbers of a row; all between its ends where it is a range."""
    table = said_table()
    marks = re.findall(rf"\d+|两|[a-z]|[{table.marks}]", row)
    marks = ["2" if mark == "两" else mark for mark in marks]
    if len(marks) == 2 and all(map(str.isdigit, marks)) and any(word in row for word in table.ranges):
        low, high = map(int, marks)
        return tuple(map(str, range(low, high + 1))) if 0 <= high - low < _MOST_NUMBERS else ()
    return tuple(dict.fromkeys(marks))


def _row_of_rooms(form: str, match: re.Match[str], numbers: Sequence[str], catalog: Catalog) -> Span | None:
    """The rooms of a word before or behind the row that bear its numbers, all of them."""
    find = catalog.rooms.find
    found = [find(number) for number in numbers]
    if all(len(rooms) == 1 for rooms in found):
        return _of_row(*match.span(), found, numbers)
    for start in range(max(0, match.start() - LONGEST), match.start()):
        word = form[start : match.start()]
        found = [find(word + number) for number in numbers]
        if all(len(rooms) == 1 for rooms in found):
            return _of_row(start, match.end(), found, numbers)
    for end in range(min(len(form), match.end() + LONGEST), match.end(), -1):
        word = form[match.end() : end]
        found = [find(number + word) or find(word + number) for number in numbers]
        if all(len(rooms) == 1 for rooms in found):
            return _of_row(match.start(), end, found, numbers)
    return None


def _of_row(start: int, end: int, found: Sequence[Sequence[str]], numbers: Sequence[str]) -> Span:
    rooms = tuple(dict.fromkeys(rooms[0] for rooms in found))
    return Span(SpanPart.ROOM, start, end, rooms=rooms, numbers=tuple(numbers))
