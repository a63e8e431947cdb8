"""Questions over sets: which rooms have what (哪几间房的门开着, 哪间会议室有人), answered by what senses it.

The words are data: `asked_rooms` and the words of `attributes` in `kinds.yaml`.
"""

from collections.abc import Callable, Sequence
from functools import cache

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.described import described_table
from context_retrieval.kind_table import kind_table
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import Quantifier, QueryIR
from context_retrieval.text import normalise

__all__ = ["asked_over_sets", "in_any_room"]

_LONGEST_ROOM = 8
_CONFIDENCE = 0.5


def asked_over_sets(text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """Queries for the sensors that answer which of the rooms said have an attribute; empty for any other sentence."""
    form = normalise(text)
    asked = next((word for word in kind_table().asked_rooms if word in form), None)
    if asked is None:
        return ()
    said = {attribute for word, attribute in _attributes().items() if word in form}
    rooms = _rooms_in(form, catalog.rooms.is_spoken)
    return tuple(
        QueryIR(f"查询{attribute}", include=rooms, quantifier=Quantifier.ALL, confidence=_CONFIDENCE)
        for attribute in sorted(said)
        if catalog.sensing(attribute)
    )


def in_any_room(queries: Sequence[QueryIR], text: str) -> tuple[QueryIR, ...]:
    """Questions of which room (哪些房间的空调还开着) without the word for any room, which narrows nothing."""
    form = normalise(text)
    if not any(word in form for word in kind_table().asked_rooms):
        return tuple(queries)
    places = default_lexicon().places
    return tuple(
        structs.replace(query, include=tuple(word for word in query.include if word not in places)) for query in queries
    )


def _rooms_in(form: str, is_room: Callable[[str], bool]) -> tuple[str, ...]:
    """The first room word of the sentence, the longest at its place; a word for any room is none."""
    for start in range(len(form)):
        for size in range(min(_LONGEST_ROOM, len(form) - start), 1, -1):
            word = form[start : start + size]
            if is_room(word) and word not in default_lexicon().places:
                return (word,)
    return ()


@cache
def _attributes() -> dict[str, str]:
    """Words for what can be sensed, in their normal form, and the attribute."""
    words = {normalise(word): attribute for attribute, words in kind_table().attributes.items() for word in words}
    return {**words, **{word: attribute for word, attribute, _ in described_table().events}}
