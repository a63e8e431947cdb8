"""Questions over sets: which rooms have what (哪几间房的门开着, 哪间会议室有人), answered by what senses it.

The words are data: `asked_rooms` and the words of `attributes` in `kinds.yaml`.
"""

from collections.abc import Callable
from functools import cache

from context_retrieval.catalog import Catalog
from context_retrieval.kinds import kind_table
from context_retrieval.models import Quantifier, QueryIR
from context_retrieval.text import normalise

__all__ = ["asked_over_sets"]

_LONGEST_ROOM = 8
_CONFIDENCE = 0.5


def asked_over_sets(text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """Queries for the sensors that answer which of the rooms said have an attribute; empty for any other sentence."""
    form = normalise(text)
    if not any(word in form for word in kind_table().asked_rooms):
        return ()
    said = {attribute for word, attribute in _attributes().items() if word in form}
    rooms = _rooms_in(form, catalog.rooms.is_spoken)
    return tuple(
        QueryIR(f"查询{attribute}", include=rooms, quantifier=Quantifier.ALL, confidence=_CONFIDENCE)
        for attribute in sorted(said)
        if catalog.sensing(attribute)
    )


def _rooms_in(form: str, is_room: Callable[[str], bool]) -> tuple[str, ...]:
    """The first room word of the sentence, the longest at its place."""
    for start in range(len(form)):
        for size in range(min(_LONGEST_ROOM, len(form) - start), 1, -1):
            word = form[start : start + size]
            if is_room(word) and not any(word in which for which in kind_table().asked_rooms):
                return (word,)
    return ()


@cache
def _attributes() -> dict[str, str]:
    """Words for what can be sensed, in their normal form, and the attribute."""
    return {normalise(word): attribute for attribute, words in kind_table().attributes.items() for word in words}
