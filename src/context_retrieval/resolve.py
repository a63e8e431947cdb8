"""One query in one home: which entities it means (retrieval.md, Calls; service.md, Place).

`resolve_ir` is a pure function and deterministic. Place rule: a room said > the default places in their order > the
whole home; where no default place has such a device, the only one anywhere is meant, and several are asked about. An
explicit room or name that does not resolve never widens the scope (architecture, law 1).
"""

from collections.abc import Sequence

from msgspec import structs

from context_retrieval.by_name import resolve_name
from context_retrieval.by_type import generic_type, resolve_type, type_of_action
from context_retrieval.capability import Capability
from context_retrieval.carried import alike_in, in_room_before
from context_retrieval.catalog import Catalog
from context_retrieval.conditions import condition_rooms, resolve_condition
from context_retrieval.described import nth_of, without_ordinal
from context_retrieval.evidence import joined_rooms, second_look
from context_retrieval.lexicon import default_lexicon
from context_retrieval.logic import resolve_scope
from context_retrieval.models import (
    DeviceType,
    EntityKind,
    Quantifier,
    QueryIR,
    Reference,
    Resolution,
    ResolutionStatus,
)
from context_retrieval.outcome import Asking
from context_retrieval.rows import beside_of, family_of
from context_retrieval.state import ConversationState
from context_retrieval.told import resolve_told

__all__ = ["resolve_ir"]

_NEAR = 12
"""Characters before a name in which its ordinal stands, and of a room before a place in it."""
_UNKNOWN = "UNKNOWN"
_NOTHING = Resolution(ResolutionStatus.NOTHING)
_NO_REFERENCE = Resolution(ResolutionStatus.NO_REFERENCE)


def resolve_ir(
    query: QueryIR,
    catalog: Catalog,
    state: ConversationState | None = None,
    *,
    places: Sequence[str] = (),
    explicit_all: bool = False,
    capability: Capability | None = None,
    text: str = "",
) -> Resolution:
    """What `query` means in `catalog`.

    `places` are the default places in order (room of the conversation, `local`), in the home's own names.
    `explicit_all` says that all of the home was said in words (全屋, 所有), which the command string cannot tell.
    `capability` None leaves the question what a device can do to the caller. `text` is the sentence; it settles what
    the query leaves open.
    """
    if query.action == _UNKNOWN:
        return _NOTHING
    standing = tuple(place for place in places if place)
    if query.when is not None:
        standing = (*condition_rooms(query.when, catalog), *standing)
    if text:
        query = joined_rooms(query, catalog, text)
    asking = Asking(query, catalog, standing, explicit_all, capability)
    result = _counted(asking, text) or _resolve(asking, state, text)
    if text:
        result = second_look(result, asking, text)
        if (again := in_room_before(query, result, state, catalog, text)) is not None:
            near = structs.replace(asking, query=again)
            carried = second_look(_resolve(near, state, text), near, text)
            result = carried if carried.found else result
    if query.when is not None and result.status is ResolutionStatus.FOUND:
        return _with_condition(query.when, result, catalog, standing)
    return result


def _resolve(asking: Asking, state: ConversationState | None, text: str = "") -> Resolution:
    query = asking.query
    if query.reference is Reference.LAST:
        return _reference(asking, state, text)
    if query.include or query.exclude or query.here:
        asking = structs.replace(asking, scope=resolve_scope(query, asking.catalog, asking.places))
        if asking.scope.lost:
            return resolve_told(asking) or asking.no_room()
    return resolve_name(asking, query.name) if query.name is not None else resolve_type(asking)


def _counted(asking: Asking, text: str) -> Resolution | None:
    """The one that is counted off from a row (第二盏灯, 最后一盏筒灯), where the row is certain; else None."""
    query = asking.query
    if query.reference is not None or (query.name is not None and query.quantifier is not Quantifier.ONE):
        return None
    if query.name is None and not text:
        return None
    counted = without_ordinal(query.name) if query.name is not None else None
    if counted is None:
        said = (query.name,) if query.name else default_lexicon().generic_words(query.type)
        counted = next(filter(None, (_counted_before(word, text) for word in said)), None)
    if counted is None or not counted[1]:
        return None
    kind_type = generic_type(counted[1])
    name = None if kind_type else counted[1]
    row = structs.replace(query, name=name, type=kind_type or query.type, quantifier=Quantifier.ALL)
    found = _resolve(structs.replace(asking, query=row), None)
    if not found.found or found.kind is not EntityKind.DEVICE:
        return None
    catalog = asking.catalog
    positions = [p for p in map(catalog.position, found.entity_ids) if p is not None]
    own = [p for p in positions if not catalog.profiles[p].is_protected]
    if len({(catalog.room_of(p), family_of(catalog.devices[p].name)[0]) for p in own}) != 1:
        return None
    nth = nth_of(counted[0], own, catalog)
    return None if nth is None else asking.chosen([nth])


def _counted_before(word: str, text: str) -> tuple[str, str] | None:
    """The ordinal that stands in the sentence before the last `word`, and the word."""
    before = text[: max(text.rfind(word), 0)]
    counted = without_ordinal(before[-_NEAR:] + word)
    return (counted[0], word) if counted is not None and before.endswith(counted[0]) else None


def _reference(asking: Asking, state: ConversationState | None, text: str) -> Resolution:
    """What @last points to, as far as this home still has it and it lies in the room said; else what the action
    says.
    """
    ids = () if state is None else _antecedent(asking, state)
    if not ids:
        return _implied(asking) or _NO_REFERENCE
    catalog = asking.catalog
    kind = catalog.kind_of(ids[0])
    if kind is not EntityKind.DEVICE:
        return Resolution(ResolutionStatus.FOUND, ids, kind)
    positions = sorted(position for position in map(catalog.position, ids) if position is not None)
    if text and len(positions) == 1 and (beside := beside_of(text, catalog, positions[0])):
        return asking.chosen(beside, single=False)
    rooms = [room for word in asking.query.include for room in catalog.rooms.find(word)]
    if rooms and not any(catalog.room_of(position) in rooms for position in positions):
        other = _implied(asking)
        alike = () if other is not None else alike_in(positions, rooms, catalog)
        return other or (asking.chosen(alike, single=False) if alike else _nothing_alike(asking, positions, rooms))
    return asking.chosen(positions, single=False)


def _nothing_alike(asking: Asking, positions: Sequence[int], rooms: Sequence[str]) -> Resolution:
    """The room said has nothing of what was spoken of: said so, never the room before."""
    names = tuple(dict.fromkeys(asking.catalog.devices[position].name for position in positions))
    return Resolution(ResolutionStatus.NO_DEVICE, rooms=tuple(rooms), missing=names, exact=False)


def _antecedent(asking: Asking, state: ConversationState) -> tuple[str, ...]:
    query, catalog = asking.query, asking.catalog
    ids = tuple(entity_id for entity_id in state.last(query.quantifier) if entity_id in catalog)
    if query.type is not DeviceType.UNKNOWN:
        ids = _last_of_type(query.type, ids, state, catalog)
    return ids


def _implied(asking: Asking) -> Resolution | None:
    """Without an antecedent a room and an attribute say enough (厨房亮一点 → the kitchen's lamps), and so does an
    attribute that one thing of the home has (换到八频道 → the only television)."""
    query = asking.query
    kind_type = query.type if query.type is not DeviceType.UNKNOWN else type_of_action(query.action)
    if kind_type is None:
        return None
    placed = bool(query.include or query.here or asking.places)
    if not placed and len(asking.catalog.of_type(kind_type)) != 1:
        return None
    said = structs.replace(query, reference=None, type=kind_type, quantifier=Quantifier.ALL)
    result = _resolve(structs.replace(asking, query=said), None)
    return result if result.status in (ResolutionStatus.FOUND, ResolutionStatus.NO_CAPABILITY) else None


def _last_of_type(
    wanted: DeviceType, ids: tuple[str, ...], state: ConversationState, catalog: Catalog
) -> tuple[str, ...]:
    """The newest mentioned entities of the type said (把那盏灯关了)."""
    for mentioned in (ids, *(mention.entity_ids for mention in reversed(state.mentions))):
        positions = ((entity_id, catalog.position(entity_id)) for entity_id in mentioned)
        fitting = tuple(
            entity_id
            for entity_id, position in positions
            if position is not None and catalog.profiles[position].type is wanted
        )
        if fitting:
            return fitting
    return ()


def _with_condition(when: str, result: Resolution, catalog: Catalog, places: Sequence[str]) -> Resolution:
    rooms = result.rooms
    if not rooms and result.kind is EntityKind.DEVICE:
        positions = (catalog.position(entity_id) for entity_id in result.entity_ids[:8])
        rooms = tuple(dict.fromkeys(catalog.room_of(position) for position in positions if position is not None))
    ids, unwatched = resolve_condition(when, catalog, rooms, places)
    if not ids and not unwatched:
        return result
    missing = (*result.missing, when) if unwatched else result.missing
    return structs.replace(result, conditions=ids, missing=missing)
