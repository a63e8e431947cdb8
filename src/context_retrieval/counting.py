"""Numbers in a sentence as counts and ordinals of its queries.

A reading may take a number for a value, or keep only one of a row; the home's names and rooms decide what it is.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.counted import SpanPart, has_mark, rows_of
from context_retrieval.grounding import ROOM_DIGITS, clauses_of, ground, spans_of
from context_retrieval.models import Quantifier, QueryIR
from context_retrieval.telling import rooms_of, said_table
from context_retrieval.text import spoken

__all__ = ["counting_things"]


def counting_things(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries as the sentence's numbers have them: none that sets a number which only counts (洽谈间2和4的空调), at
    the room or thing that a number read out says (二零一空调), each thing of a row by its name (1号跟4号射灯), for all
    rooms of a word where just so many are said (两个会议室)."""
    forms = [form for form in clauses_of(text) if has_mark(form)]
    rows = [(form, span, numbers) for form in forms for span, numbers in rows_of(form, catalog)]
    counted = {one for _, _, numbers in rows for one in numbers if len(numbers) > 1 or len(one) >= ROOM_DIGITS}
    kept = [query for query in queries if not (query.value and query.value.rstrip("%CK档") in counted)]
    lost = [numbers[0] for _, _, numbers in rows if len(numbers) == 1 and len(numbers[0]) >= ROOM_DIGITS]
    if lost and len(kept) < len(queries):
        kept = [_at_number(query, lost[0], catalog) for query in kept]
    counting = dict.fromkeys(form for form, span, numbers in rows if len(numbers) > 1 and span.part is SpanPart.NUMBER)
    several = [_CountedRow(form, catalog) for form in counting]
    found = [one for query in kept or queries for one in _each_of_row(query, several)]
    if not any(query.quantifier is Quantifier.ANY for query in found):
        return tuple(found)
    form = spoken(text)
    return tuple(_of_counted_rooms(query, form, catalog) for query in found)


class _CountedRow:
    """A clause with a row of numbers: what it names, and the names of the things that the row tells."""

    def __init__(self, form: str, catalog: Catalog) -> None:
        self._form, self._catalog = form, catalog

    @cached_property
    def heads(self) -> set[str]:
        spans = spans_of(self._form, self._catalog)
        return {self._form[span.start : span.end] for span in spans if span.part is SpanPart.HEAD}

    @cached_property
    def names(self) -> dict[str, None]:
        """Empty where the things do not stand by their names."""
        heard = ground(self._form, self._catalog)
        rows = [span for span in heard.spans if span.part is SpanPart.NUMBER and len(span.numbers) > 1]
        names = dict.fromkeys(self._catalog.devices[position].name for position in heard.positions)
        return names if rows and len(names) == len(rows[0].numbers) else {}


def _at_number(query: QueryIR, number: str, catalog: Catalog) -> QueryIR:
    """The query at the number, which is the end of a thing's name or a room, whether the home has it or not (law 1)."""
    if query.name is not None or query.include or query.here or query.reference is not None:
        return query
    named = [catalog.devices[p].name for p in catalog.of_type(query.type)]
    named = [name for name in named if spoken(name).endswith(number)]
    if not catalog.rooms.find(number) and len(named) == 1:
        return structs.replace(query, name=named[0], quantifier=Quantifier.ONE)
    return structs.replace(query, include=(number,))


def _each_of_row(query: QueryIR, rows: Sequence[_CountedRow]) -> Iterator[QueryIR]:
    """The query once for each thing of the row that stands by its name; itself where no row does."""
    name = spoken(query.name) if query.name is not None else ""
    row = next((one for one in rows if any(head in name for head in one.heads)), None) if name else None
    if row is None or not row.names:
        yield query
        return
    for name in row.names:
        yield structs.replace(query, name=name, quantifier=Quantifier.ONE, count=None)


def _of_counted_rooms(query: QueryIR, form: str, catalog: Catalog) -> QueryIR:
    if query.quantifier is not Quantifier.ANY or query.count is None:
        return query
    said = [f"{count}{one}" for count in (query.count, said_table().two) for one in said_table().counters]
    for word in query.include:
        rooms = rooms_of(word, catalog)
        if len(rooms) == query.count and any(one + spoken(word) in form for one in said):
            return structs.replace(query, quantifier=Quantifier.ALL, count=None)
    return query
