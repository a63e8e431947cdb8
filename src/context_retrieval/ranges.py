"""Rooms said as a range or a row of numbers (101到104, 洽谈间2和4, 会议室A、C), of which a reading keeps one.

The range or row must be one of rooms that the home has, all of it; a number that counts a room is no value to set.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.models import QueryIR
from context_retrieval.text import normalise

__all__ = ["with_ranges"]

_END = "(?:号?房间|号房|号|室|房)?"
_RANGE = re.compile(rf"(\d+){_END}(?:到|至|~|—)(?:第)?[^\d，,。]{{0,4}}?(\d+)")
_ROW = re.compile(
    r"(?P<word>[\u4e00-\u9fff]{1,5}?)(?P<marks>(?:\d{1,4}|[a-z])(?:(?:[、,，和跟与及同]|还有)(?:\d{1,4}|[a-z])(?![\d%度档级点成]))+)"
)
_MARK = re.compile(r"\d{1,4}|[a-z]")
_NUMBERED = re.compile(r"(.*?)(\d+)\Z")
_MOST = 200


def with_ranges(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries with all rooms of a range or a row in the place of one of them."""
    form = normalise(text)
    ends = [(int(low), int(high)) for low, high in _RANGE.findall(form)]
    if ends:
        queries = [
            structs.replace(
                query, include=tuple(room for word in query.include for room in _rooms(word, ends, catalog))
            )
            for query in queries
        ]
    for row, marks in _rows(text, catalog):
        queries = [_in_row(query, row, marks, catalog) for query in queries if not _sets_a_mark(query, marks)]
    return tuple(dict.fromkeys(queries))


def _rooms(word: str, ends: Sequence[tuple[int, int]], catalog: Catalog) -> tuple[str, ...]:
    """The rooms from end to end where `word` is one of the ends; else the word itself."""
    numbered = _NUMBERED.fullmatch(normalise(word))
    for low, high in ends:
        if numbered is None or int(numbered[2]) not in (low, high) or not 0 < high - low < _MOST:
            continue
        if all(catalog.rooms.find(f"{numbered[1]}{number}") for number in (low, high)):
            found = (catalog.rooms.find(f"{numbered[1]}{number}") for number in range(low, high + 1))
            return tuple(dict.fromkeys(room for rooms in found for room in rooms))
    return (word,)


def _rows(text: str, catalog: Catalog) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
    """Each row of rooms that the sentence says, and the marks that tell them apart."""
    for match in _ROW.finditer(_spaced(text)):
        marks = _MARK.findall(match["marks"])
        for start in range(len(match["word"])):
            word = match["word"][start:]
            found = [catalog.rooms.find(f"{word}{mark}") for mark in marks]
            if all(len(rooms) == 1 for rooms in found):
                yield tuple(rooms[0] for rooms in found), frozenset(marks)
                break


def _spaced(text: str) -> str:
    """The sentence with its numbers in digits and its commas kept."""
    return re.sub(r"[^，,、]+", lambda part: normalise(part[0]), text)


def _in_row(query: QueryIR, row: Sequence[str], marks: frozenset[str], catalog: Catalog) -> QueryIR:
    def is_of_row(word: str) -> bool:
        return normalise(word) in marks or (bool(found := catalog.rooms.find(word)) and set(found) <= set(row))

    if not any(map(is_of_row, query.include)):
        return query
    return structs.replace(query, include=(*(word for word in query.include if not is_of_row(word)), *row))


def _sets_a_mark(query: QueryIR, marks: frozenset[str]) -> bool:
    """Whether a query sets something to what only counts a room (洽谈间2和4的空调关掉)."""
    return query.action.startswith("设置") and (query.value or "").rstrip("%CK档") in marks
