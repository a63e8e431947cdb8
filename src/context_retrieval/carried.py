"""What a new room or a new thing makes of what was spoken of before (103也开, 射灯也开一下).

What is said anew replaces what is carried: the same things in the room said, or the thing said in the room before. A
room that was said is never left (architecture, law 1).
"""

from collections.abc import Sequence

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, EntityKind, QueryIR, Resolution, ResolutionStatus
from context_retrieval.state import ConversationState

__all__ = ["alike_in", "in_room_before"]


def alike_in(positions: Sequence[int], rooms: Sequence[str], catalog: Catalog) -> list[int]:
    """The things of `rooms` that are called as those at `positions`; where none is, those of the same type."""
    names = dict.fromkeys(catalog.devices[position].name for position in positions)
    types = {catalog.profiles[position].type for position in positions} - {DeviceType.UNKNOWN}
    found: list[int] = []
    for room in rooms:
        matches = [match for name in names if (match := catalog.names_in(room).find(name, fuzzy=False)) is not None]
        called = [position for match in matches for position in match.positions]
        found += called or [one for one in catalog.in_rooms((room,)) if catalog.profiles[one].type in types]
    return list(dict.fromkeys(found))


def in_room_before(
    query: QueryIR, result: Resolution, state: ConversationState | None, catalog: Catalog, text: str
) -> QueryIR | None:
    """The query in the room of the newest mention, where 也 joins it to that one and it fits in several; else None."""
    unsure = result.status in (ResolutionStatus.AMBIGUOUS, ResolutionStatus.NO_DEVICE)
    open_ended = unsure or result.kind is EntityKind.GROUP
    placed = query.include or query.exclude or query.here or query.reference is not None or query.name is None
    if not open_ended or placed or state is None or not any(word in text for word in default_lexicon().grammar["also"]):
        return None
    positions = (catalog.position(one) for one in state.last())
    rooms = tuple(dict.fromkeys(catalog.room_of(one) for one in positions if one is not None))
    return structs.replace(query, include=rooms) if len(rooms) == 1 and rooms[0] else None
