"""Rooms from one number to another (101到104, 包间1至3), of which a reading keeps one end."""

import re
from collections.abc import Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.models import QueryIR
from context_retrieval.text import normalise

__all__ = ["with_ranges"]

_RANGE = re.compile(r"(\d+)(?:号|室|房)?(?:到|至|~)(?:第)?[^\d，,。]{0,4}?(\d+)")
_NUMBERED = re.compile(r"(.*?)(\d+)\Z")
_MOST = 200


def with_ranges(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries with all rooms of a range in the place of its end; both ends must be rooms of this home."""
    ends = [(int(low), int(high)) for low, high in _RANGE.findall(normalise(text))]
    if not ends:
        return tuple(queries)
    return tuple(
        structs.replace(query, include=tuple(room for word in query.include for room in _rooms(word, ends, catalog)))
        for query in queries
    )


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
