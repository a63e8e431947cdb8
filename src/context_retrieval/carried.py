"""A new room or device replaces the carried one (103也开, 射灯也开一下).

The same devices in the new room, or the new device in the previous room. A spoken room is never left (architecture, law
1).
"""

from collections.abc import Iterator, Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.counted import Span, SpanPart
from context_retrieval.grounding import assign, clauses_of, spans_of
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, Resolution
from context_retrieval.outcome import Asking
from context_retrieval.state import ConversationState
from context_retrieval.telling import said_table, telling
from context_retrieval.text import spoken

__all__ = ["carried"]


def carried(result: Resolution, asking: Asking, text: str, state: ConversationState | None) -> Resolution | None:
    """What goes on with the things spoken of last: the same in another room, another in the same room, or another of
    its row (3室的也开, 窗帘也拉上, 左边的也亮一点). What is said anew replaces what is carried; the rest stays."""
    query, catalog = asking.query, asking.catalog
    last = _last(state, catalog)
    goes_on = query.reference is not None or any(word in text for word in default_lexicon().grammar["also"])
    if not last or not goes_on or (query.name is None and query.reference is None and result.found and query.include):
        return None
    form = "".join(clauses_of(text))
    for word in said_table().alike:
        form = form.replace(spoken(word), "")
    spans = spans_of(form, catalog)
    rooms = tuple(dict.fromkeys(map(catalog.room_of, last)))
    head = any(span.part is SpanPart.HEAD for span in spans)
    if head and not any(word in form for word in said_table().other_one):
        alone = query.reference is None and result.found and len(result.entity_ids) == 1
        if query.include or query.exclude or alone:
            return None
        found = assign(form, spans, catalog, catalog.in_rooms(rooms))
        positions = list(asking.capable(found.positions)[0]) if found.positions and not found.rooms else []
    else:
        positions = list(_alike(form, spans, last, rooms, catalog))
    if not positions or set(positions) == set(last):
        return None
    return structs.replace(asking.chosen(positions, single=False), missing=())


def _alike(
    form: str, spans: Sequence[Span], last: Sequence[int], rooms: Sequence[str], catalog: Catalog
) -> Iterator[int]:
    """Things called as those spoken of last, in the rooms said or beside theirs, that everything else said fits."""
    said = [span for span in spans if span.part is SpanPart.ROOM]
    numbers = [span for span in spans if span.part is SpanPart.NUMBER]
    beside = tuple(
        other
        for room in rooms
        for span in numbers
        for mark in span.numbers
        for other in catalog.rooms.beside(room, mark) or catalog.rooms.bearing(mark)
    )
    words = telling(catalog)
    if any(word in form for word in said_table().other_one):
        alike = [p for p in catalog.in_rooms(rooms) if any(_are_alike(p, one, words.bare, catalog) for one in last)]
        family = [p for p in alike if any(words.bare[p] == words.bare[one] for one in last)]
        found = [p for p in (family if len(family) > len(last) else alike) if p not in last]
        yield from found if len(found) == 1 else ()
        return
    before = next((form[:at] for word in default_lexicon().grammar["also"] if (at := form.find(word)) > 0), "")
    if before and (called := [p for p in _pool(last, rooms, catalog) if before in spoken(catalog.devices[p].name)]):
        yield from called
        return
    if not spans:
        return
    where = tuple(room for span in said for room in span.rooms) or beside or rooms
    rest = [span for span in spans if span.part is not SpanPart.ROOM and not (beside and span in numbers and not said)]
    pool = _pool(last, where, catalog)
    named = [p for p in pool if any(words.bare[p] == words.bare[other] for other in last)]
    just_so = [p for p in named if any(words.marks[p] == words.marks[other] for other in last)]
    named = just_so or named
    if not rest:
        yield from named or pool
        return
    for alike in (named, pool):
        told = assign(form, [Span(SpanPart.HEAD, 0, 0, frozenset(alike)), *rest], catalog, alike)
        if alike and not told.unfit:
            yield from told.positions
            return


def _pool(last: Sequence[int], rooms: Sequence[str], catalog: Catalog) -> list[int]:
    """What the rooms have that is called so, or is such a thing."""
    bare = telling(catalog).bare
    return [p for p in catalog.in_rooms(rooms) if any(_are_alike(p, other, bare, catalog) for other in last)]


def _are_alike(one: int, other: int, bare: dict[int, str], catalog: Catalog) -> bool:
    if bare[one] == bare[other]:
        return True
    types = catalog.profiles[one].type, catalog.profiles[other].type
    if types[0] is types[1] and types[0] is not DeviceType.UNKNOWN:
        return True
    return bool(catalog.profiles[one].kinds & catalog.profiles[other].kinds)


def _last(state: ConversationState | None, catalog: Catalog) -> list[int]:
    ids = state.last() if state is not None else ()
    return [position for position in map(catalog.position, ids) if position is not None]
