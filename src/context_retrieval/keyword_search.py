"""Recall by words: devices that share room, type or name with a query (retrieval.md, Names).

Recall is generous and ranked; `resolve` decides what may be acted on. It serves hints and uncertain requests.
"""

from collections.abc import Sequence

from context_retrieval.catalog import Catalog
from context_retrieval.kinds import kind_of_name
from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.text import bigrams, normalise

__all__ = ["keyword_search"]

_NAME, _PART, _KIND, _TYPE, _ROOM = 1.0, 0.6, 0.5, 0.5, 0.3


def keyword_search(query: QueryIR, catalog: Catalog, *, limit: int = 5) -> list[tuple[str, float]]:
    """At most `limit` device ids with a score above 0, best first, ties in the home's order.

    Excluded rooms and names never come back; a room that was said but is unknown recalls nothing from other rooms.
    """
    excluded = {room for word in query.exclude for room in catalog.rooms.find(word)}
    spared = {normalise(name) for name in query.excluded_names}
    rooms: list[str] = []
    for word in query.include:
        rooms.extend(catalog.rooms.find(word))
    if query.include and not rooms:
        return []
    positions: Sequence[int] | range = catalog.in_rooms(rooms) if rooms else catalog.all_positions()
    scored: list[tuple[float, int]] = []
    for position in positions:
        device = catalog.devices[position]
        if device.room in excluded or normalise(device.name) in spared:
            continue
        score = _score(query, catalog, position) + (_ROOM if rooms else 0.0)
        if score > (_ROOM if rooms and (query.name or query.type is not DeviceType.UNKNOWN) else 0.0):
            scored.append((-score, position))
    scored.sort()
    return [(catalog.devices[position].id, round(-score, 4)) for score, position in scored[:limit]]


def _score(query: QueryIR, catalog: Catalog, position: int) -> float:
    device, profile = catalog.devices[position], catalog.profiles[position]
    score = _TYPE if query.type is not DeviceType.UNKNOWN and profile.type is query.type else 0.0
    if query.name is None:
        return score
    wanted, form = normalise(query.name), normalise(device.name)
    if wanted == form or any(normalise(alias) == wanted for alias in device.aliases):
        return score + _NAME
    shared = bigrams(wanted) & bigrams(form)
    if shared:
        score += _PART * len(shared) / max(len(bigrams(wanted)), 1)
    kind = kind_of_name(query.name)
    return score + (_KIND if kind is not None and kind.id in profile.kinds else 0.0)
