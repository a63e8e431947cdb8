"""Scope of a query: included and excluded rooms (retrieval.md, Names; commands.md, SCOPE).

Law 1: an unknown room never widens the scope. Law 2: an exclusion that does not resolve invalidates the query, because
acting on an excluded device is worse than asking.
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import HERE_SCOPE, QueryIR
from context_retrieval.telling import rooms_of

__all__ = ["RoomScope", "resolve_scope"]


class RoomScope(msgspec.Struct, frozen=True):
    """`rooms` said (None: none was said), as one tuple a word in `words`; `excluded` rooms; `missing` unresolved
    words.
    """

    rooms: tuple[str, ...] | None = None
    words: tuple[tuple[str, ...], ...] = ()
    excluded: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    lost: bool = False

    def keeps(self, room: str) -> bool:
        """Whether the room is not left out."""
        return room not in self.excluded


WHOLE_HOME = RoomScope()


def resolve_scope(query: QueryIR, catalog: Catalog, places: Sequence[str]) -> RoomScope:
    """The scope of `query`. `lost` says that nothing may be done: no room said resolved, or an exclusion did not."""
    if query.here:
        return _here(places)
    if not query.include and not query.exclude:
        return WHOLE_HOME
    excluded, missing = _excluded(query, catalog)
    if missing:
        return RoomScope(missing=missing, lost=True)
    if not query.include:
        return RoomScope(excluded=excluded)
    words: list[tuple[str, ...]] = []
    unresolved: list[str] = []
    for word in query.include:
        found = _nearest(word, rooms_of(word, catalog), catalog, places)
        kept = tuple(room for room in found if room not in excluded)
        if kept:
            words.append(kept)
        elif not found and word not in default_lexicon().places:
            unresolved.append(word)
    rooms = tuple(dict.fromkeys(room for group in words for room in group))
    missing = tuple(unresolved) if rooms else tuple(query.include)
    return RoomScope(rooms, tuple(words), excluded, missing, lost=not rooms)


def _here(places: Sequence[str]) -> RoomScope:
    if not places:
        return RoomScope(missing=(HERE_SCOPE,), lost=True)
    return RoomScope((places[0],), ((places[0],),))


def _excluded(query: QueryIR, catalog: Catalog) -> tuple[frozenset[str], tuple[str, ...]]:
    excluded: set[str] = set()
    missing: list[str] = []
    for word in query.exclude:
        found = rooms_of(word, catalog)
        if found:
            excluded.update(found)
        else:
            missing.append(word)
    return frozenset(excluded), tuple(missing)


def _nearest(word: str, found: tuple[str, ...], catalog: Catalog, places: Sequence[str]) -> tuple[str, ...]:
    """Of several rooms of one word the one where the speaker is (走廊 of this floor); a floor keeps all its rooms."""
    if len(found) > 1 and places and places[0] in found and not catalog.rooms.is_zone(word):
        return (places[0],)
    return found
