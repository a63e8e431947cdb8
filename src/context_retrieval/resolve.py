"""One query in one home: which entities it means (retrieval.md, Calls; service.md, Place).

`resolve_ir` is pure and deterministic. Priority of places: spoken room, default places in order, whole home. If no
default place has such a device, the only one elsewhere is taken; several are ambiguous. An unknown room or name never
widens the scope (architecture, law 1).
"""

from collections.abc import Sequence

from msgspec import structs

from context_retrieval.by_name import resolve_name
from context_retrieval.by_type import resolve_type, type_of_action
from context_retrieval.capability import Capability
from context_retrieval.catalog import Catalog
from context_retrieval.conditions import condition_rooms, resolve_condition
from context_retrieval.grounding import CLAUSE, ground
from context_retrieval.lexicon import default_lexicon
from context_retrieval.logic import resolve_scope
from context_retrieval.models import (
    DeviceType,
    EntityKind,
    Group,
    Quantifier,
    QueryIR,
    Reference,
    Resolution,
    ResolutionStatus,
)
from context_retrieval.near_rooms import asked_rooms
from context_retrieval.outcome import Asking, positions_of
from context_retrieval.state import ConversationState
from context_retrieval.telling import rooms_of
from context_retrieval.text import normalise, spoken
from context_retrieval.weighing import weighed

__all__ = ["resolve_ir"]

_UNKNOWN = "UNKNOWN"
_BEGINNING = 4
"""So many characters of a room's word a reading may have left out before it."""
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
    query = _with_spared_things(_without_asked_rooms(query, text, catalog), catalog)
    asking = Asking(query, catalog, standing, explicit_all, capability)
    result = _resolve(asking, state)
    result = weighed(result, asking, text, state)
    if query.when is not None and result.status in (ResolutionStatus.FOUND, ResolutionStatus.AMBIGUOUS):
        return _with_condition(query.when, result, catalog, standing)
    return result


def _without_asked_rooms(query: QueryIR, text: str, catalog: Catalog) -> QueryIR:
    """The query without the room word that only asks which rooms (哪些房间的空调); 哪个会议室 asks of those alone."""
    asked, plain = asked_rooms().search(text), default_lexicon().places
    rooms = tuple(_whole_word(one, text, catalog) for one in query.include)
    if asked is not None:
        rooms = tuple(one for one in rooms if one not in asked[0] or (one not in plain and rooms_of(one, catalog)))
    return structs.replace(query, include=rooms) if rooms != query.include else query


def _whole_word(word: str, text: str, catalog: Catalog) -> str:
    """The room's word as the text has it, where a reading took only its end (东西走廊, 阿珍的教室, 邱医生那屋)."""
    at = text.find(word)
    longer = (text[start : at + len(word)] for start in range(max(at - _BEGINNING, 0), at))
    return next((one for one in longer if CLAUSE.fullmatch(one) and rooms_of(one, catalog)), word)


def _with_spared_things(query: QueryIR, catalog: Catalog) -> QueryIR:
    """The query with what was excluded as a room and is none (除了1床的灯) excluded as a thing."""
    things = tuple(word for word in query.exclude if not rooms_of(word, catalog))
    within = catalog.in_rooms([room for word in query.include for room in rooms_of(word, catalog)]) or None
    if not things or not all(ground(spoken(word), catalog, within).positions for word in things):
        return query
    rooms = tuple(word for word in query.exclude if word not in things)
    return structs.replace(query, exclude=rooms, excluded_names=(*query.excluded_names, *things))


def _resolve(asking: Asking, state: ConversationState | None) -> Resolution:
    query = asking.query
    if query.reference is Reference.LAST:
        return _reference(asking, state)
    if query.include or query.exclude or query.here:
        asking = structs.replace(asking, scope=resolve_scope(query, asking.catalog, asking.places))
        if asking.scope.lost:
            return _group_of_place(asking) or asking.no_room()
    return resolve_name(asking, query.name) if query.name is not None else resolve_type(asking)


def _group_of_place(asking: Asking) -> Resolution | None:
    """The one group named by what was said as a room and a plain word of the type (公共区的灯)."""
    query, catalog = asking.query, asking.catalog
    if query.name is not None or query.exclude or len(query.include) != 1:
        return None
    forms = [normalise(query.include[0] + plain) for plain in default_lexicon().generic_words[query.type]]
    found = {one.id for form in forms for _, one in catalog.collectives_named(form) if isinstance(one, Group)}
    return Resolution(ResolutionStatus.FOUND, tuple(found), EntityKind.GROUP) if len(found) == 1 else None


def _reference(asking: Asking, state: ConversationState | None) -> Resolution:
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
    rooms = [room for word in asking.query.include for room in catalog.rooms.find(word)]
    if rooms and not any(catalog.room_of(position) in rooms for position in positions):
        return _implied(asking) or _nothing_alike(asking, positions, rooms)
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
        rooms = tuple(dict.fromkeys(map(catalog.room_of, sorted(positions_of(result, catalog))[:8])))
    ids, unwatched = resolve_condition(when, catalog, rooms, places)
    if not ids and not unwatched:
        return result
    missing = (*result.missing, when) if unwatched else result.missing
    return structs.replace(result, conditions=ids, missing=missing)
