"""Queries for things that are told without their name: pointed at with what they do or whose they are.

佳能那台 and 卡纸的那个 are no reference to what was spoken of before; 李阿婆的床头灯 is nobody else's (law 1).
"""

import re
from collections.abc import Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.described import described, person_in, pointed_at
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.text import normalise

__all__ = ["described_things", "whose"]

_CLAUSE = re.compile(r"[^，,。.！!？?；;\n]+")
_CONFIDENCE = 0.5


def described_things(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries, those that point back named instead where the pointing word is described (烧水的那个开开)."""
    what = pointed_at(text)
    if what is None or not described(normalise(what), catalog):
        return tuple(queries)
    return tuple(
        structs.replace(query, reference=None, name=what)
        if query.reference is not None and not query.include and query.name is None
        else query
        for query in queries
    )


def whose(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries of a clause that says whose the thing is, in that person's room or by that person's name."""
    person = person_in(text)
    if person is None:
        return tuple(queries)
    clause = next((one[0] for one in _CLAUSE.finditer(text) if person in one[0]), "")
    behind = normalise(clause[clause.find(person) + len(person) :])
    return tuple(_of_person(query, person, catalog) if _stands_in(query, behind) else query for query in queries)


def _stands_in(query: QueryIR, behind: str) -> bool:
    """Whether the query's thing is what is said to be somebody's; one with a room of its own is not."""
    if query.include or query.exclude or query.here or query.reference is not None:
        return False
    if query.name is not None:
        return normalise(query.name) in behind
    return query.type is not DeviceType.UNKNOWN and any(
        word in behind for word in default_lexicon().generic_words(query.type)
    )


def _of_person(query: QueryIR, person: str, catalog: Catalog) -> QueryIR:
    named = normalise(person + (query.name or ""))
    if catalog.rooms.find(person) or not described(normalise(person), catalog):
        return structs.replace(query, include=(person,))
    return structs.replace(query, name=named)
