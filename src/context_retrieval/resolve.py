"""One query in one home: which entities it means (seed 002, 变更内容; service page, "Place").

`resolve_ir` is a pure function and deterministic. Place rule: a room said > the default places in their order > the
whole home; where no default place has such a device, the only one anywhere is meant, and several are asked about. An
explicit room or name that does not resolve never widens the scope (architecture, law 1).
"""

from collections.abc import Callable, Iterable, Sequence

from msgspec import structs

from context_retrieval.capability import Capability
from context_retrieval.catalog import Catalog
from context_retrieval.conditions import condition_rooms, resolve_condition, sensors
from context_retrieval.lexicon import default_lexicon
from context_retrieval.logic import RoomScope, resolve_scope
from context_retrieval.models import (
    DeviceType,
    EntityKind,
    Group,
    Quantifier,
    QueryIR,
    Reference,
    Resolution,
    ResolutionStatus,
    Scene,
)
from context_retrieval.names import Level, Match
from context_retrieval.state import ConversationState
from context_retrieval.text import normalise

__all__ = ["resolve_ir"]

_UNKNOWN = "UNKNOWN"
_EXECUTE = "执行"
_QUERY = "查询"
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
) -> Resolution:
    """What `query` means in `catalog`.

    `places` are the default places in order (room of the conversation, `local`), in the home's own names.
    `explicit_all` says that all of the home was said in words (全屋, 所有), which the command string cannot tell.
    `capability` None leaves the question what a device can do to the caller.
    """
    if query.action == _UNKNOWN:
        return _NOTHING
    places = tuple(place for place in places if place)
    if query.when is not None:
        places = (*condition_rooms(query.when, catalog), *places)
    result = _Query(query, catalog, places, explicit_all, capability).resolve(state)
    if query.when is not None and result.status is ResolutionStatus.FOUND:
        result = _with_condition(query.when, result, catalog, places)
    return result


def _with_condition(when: str, result: Resolution, catalog: Catalog, places: Sequence[str]) -> Resolution:
    rooms = result.rooms
    if not rooms and result.kind is EntityKind.DEVICE:
        positions = (catalog.position(entity_id) for entity_id in result.entity_ids[:8])
        rooms = tuple(dict.fromkeys(catalog.room_of(p) for p in positions if p is not None))
    ids, unwatched = resolve_condition(when, catalog, rooms, places)
    if not ids and not unwatched:
        return result
    missing = (*result.missing, when) if unwatched else result.missing
    return structs.replace(result, conditions=ids, missing=missing)


class _Query:
    """The steps of one resolution; holds what every step needs."""

    __slots__ = ("_capability", "_catalog", "_explicit_all", "_places", "_query", "_scope")

    def __init__(
        self,
        query: QueryIR,
        catalog: Catalog,
        places: tuple[str, ...],
        explicit_all: bool,
        capability: Capability | None,
    ) -> None:
        self._query = query
        self._catalog = catalog
        self._places = places
        self._explicit_all = explicit_all
        self._capability = capability
        self._scope = RoomScope()

    def resolve(self, state: ConversationState | None) -> Resolution:
        query = self._query
        if query.reference is Reference.LAST:
            return self._reference(state)
        self._scope = resolve_scope(query, self._catalog, self._places)
        if self._scope.lost:
            joined = self._joined_name() if query.name is not None else None
            return joined or self._failed(ResolutionStatus.NO_ROOM, self._scope.missing)
        return self._named(query.name) if query.name is not None else self._typed()

    # References

    def _reference(self, state: ConversationState | None) -> Resolution:
        if state is None or not state.mentions:
            return _NO_REFERENCE
        query, catalog = self._query, self._catalog
        ids = [entity_id for entity_id in state.last(query.quantifier) if entity_id in catalog]
        if query.type is not DeviceType.UNKNOWN:
            ids = self._last_of_type(ids, state)
        if not ids:
            return _NO_REFERENCE
        kind = catalog.kind_of(ids[0])
        if kind is not EntityKind.DEVICE:
            return Resolution(ResolutionStatus.FOUND, tuple(ids), kind)
        return self._found(sorted(position for position in map(catalog.position, ids) if position is not None))

    def _last_of_type(self, ids: list[str], state: ConversationState) -> list[str]:
        """The newest mentioned entities of the type said (把那盏灯关了)."""
        wanted = self._query.type
        for mentioned in (tuple(ids), *(mention.entity_ids for mention in reversed(state.mentions))):
            fitting = [entity_id for entity_id in mentioned if self._is_of_type(entity_id, wanted)]
            if fitting:
                return fitting
        return []

    def _is_of_type(self, entity_id: str, wanted: DeviceType) -> bool:
        position = self._catalog.position(entity_id)
        return position is not None and self._catalog.profiles[position].type is wanted

    # Names

    def _named(self, name: str) -> Resolution:
        collective = self._collective(name)
        match = self._match_in_rooms(name) if self._scope.rooms is not None else self._match_by_place(name)
        if collective is not None and (match is None or collective[1] < match.level or self._query.action == _EXECUTE):
            return Resolution(
                ResolutionStatus.FOUND, (collective[0].id,), _kind(collective[0]), rooms=self._scope.rooms or ()
            )
        if match is None:
            return self._joined_name() or self._by_word(name) or self._failed(ResolutionStatus.NO_DEVICE, (name,))
        return self._chosen(match)

    def _match_in_rooms(self, name: str) -> Match | None:
        """Each room word finds its own; a fuzzy reading yields to an exact one elsewhere."""
        found: list[Match] = []
        for rooms in self._scope.words:
            matches = [match for room in rooms if (match := self._catalog.names_in(room).find(name, self._query.type))]
            if matches:
                best = min(match.level for match in matches)
                found.extend(match for match in matches if match.level is best)
        if not found:
            return None
        level = max(match.level for match in found)
        if level is Level.FUZZY and self._catalog.names.find(name, fuzzy=False) is not None:
            return None
        return Match(level, tuple(sorted({p for match in found for p in match.positions})), min(m.score for m in found))

    def _match_by_place(self, name: str) -> Match | None:
        catalog, kind_type, scope = self._catalog, self._query.type, self._scope
        home = catalog.names.find(name, kind_type)
        if home is None:
            return None
        if scope.excluded:
            kept = tuple(p for p in home.positions if scope.keeps(catalog.room_of(p)))
            return Match(home.level, kept, home.score) if kept else None
        if self._explicit_all or (len(home.positions) == 1 and home.level <= Level.CORE):
            return home
        for place in self._places:
            near = catalog.names_in(place).find(name, kind_type, fuzzy=False)
            if near is not None and (near.level <= Level.PART or near.level <= home.level):
                return near
        return home

    def _chosen(self, match: Match) -> Resolution:
        """One target, or the set; several where one was asked for are a question."""
        exact = match.level is not Level.FUZZY
        positions, incapable = self._capable(match.positions)
        if not positions:
            return self._incapable(incapable)
        if len(positions) > 1 and self._query.quantifier is Quantifier.ONE and not self._one_a_room(positions):
            return self._ambiguous(positions, exact=exact)
        return self._found(positions, exact=exact, score=match.score, incapable=incapable)

    def _one_a_room(self, positions: Sequence[int]) -> bool:
        """Whether several room words each got their own device (客厅和卧室的顶灯)."""
        words = self._scope.words
        if len(words) < 2 or len(positions) > len(words):
            return False
        rooms = [self._catalog.room_of(position) for position in positions]
        return all(sum(room in word for room in rooms) <= 1 for word in words)

    def _collective(self, name: str) -> tuple[Group | Scene, Level] | None:
        """The group or scene of that name, and how sure the name is."""
        catalog = self._catalog
        if not catalog.collectives:
            return None
        form = normalise(name)
        for spoken in (form, *(normalise(room) + form for room in self._query.include)):
            fitting = [(level, entity) for level, entity in catalog.collectives_named(spoken) if self._within(entity)]
            if fitting:
                best = min(level for level, _ in fitting)
                first = [entity for level, entity in fitting if level is best]
                return (first[0], best) if len(first) == 1 else None
        if self._query.action != _EXECUTE:
            return None
        match = catalog.collective_names.find(name)
        if match is None or len(match.positions) != 1:
            return None
        return catalog.collectives[match.positions[0]], match.level

    def _within(self, entity: object) -> bool:
        """Whether a group lies in the rooms said."""
        rooms = self._scope.rooms
        if rooms is None or not isinstance(entity, Group):
            return True
        if entity.local is not None and self._catalog.rooms.find(entity.local):
            return set(self._catalog.rooms.find(entity.local)) <= set(rooms)
        members = self._catalog.members(entity.id)
        homes = {self._catalog.room_of(p) for p in map(self._catalog.position, members) if p is not None}
        return homes <= set(rooms)

    def _joined_name(self) -> Resolution | None:
        """A room word that is the first part of a device's own name (车库 + 门 → 车库门磁)."""
        query = self._query
        if query.name is None or len(query.include) != 1 or query.exclude:
            return None
        joined = query.include[0] + query.name
        pools = [self._catalog.names_in(room) for room in self._scope.rooms or ()] or [self._catalog.names]
        for names in pools:
            match = names.find(joined, query.type, fuzzy=False)
            if match is not None:
                return self._chosen(match)
        return None

    def _by_word(self, name: str) -> Resolution | None:
        """A name that is the plain word of a type (窗帘) where no device bears it."""
        lexicon, form = default_lexicon(), normalise(name)
        kind_type = lexicon.type_of_word(form)
        if kind_type is None or kind_type is DeviceType.UNKNOWN or not lexicon.is_generic(form):
            return None
        return self._of_pool(lambda position: self._catalog.profiles[position].type is kind_type, (name,))

    # Types and sets

    def _typed(self) -> Resolution:
        query, profiles = self._query, self._catalog.profiles
        spared, missing = self._excluded_names()
        if missing:
            return self._failed(ResolutionStatus.NO_DEVICE, missing)
        if query.type is not DeviceType.UNKNOWN:
            wanted = query.type
            return self._of_pool(lambda p: profiles[p].type is wanted and p not in spared, (wanted.value,), spared)
        attribute = query.action.removeprefix(_QUERY) if query.action.startswith(_QUERY) else ""
        if attribute and attribute != "状态":
            return self._measured(attribute)
        return self._of_pool(lambda p: not profiles[p].is_apart and p not in spared, (), spared)

    def _excluded_names(self) -> tuple[frozenset[int], tuple[str, ...]]:
        """Positions that the excluded names and type words mean anywhere in scope, and those that mean nothing."""
        spared: set[int] = set()
        missing: list[str] = []
        for name in self._query.excluded_names:
            found = self._spared_by(name)
            if found:
                spared.update(found)
            else:
                missing.append(name)
        return frozenset(spared), tuple(missing)

    def _spared_by(self, name: str) -> Iterable[int]:
        catalog = self._catalog
        kind_type = default_lexicon().type_of_word(normalise(name))
        if (
            kind_type is not None
            and kind_type is not DeviceType.UNKNOWN
            and default_lexicon().is_generic(normalise(name))
        ):
            return catalog.of_type(kind_type)
        rooms = self._scope.rooms
        if rooms is None:
            match = catalog.names.find(name)
            return () if match is None else match.positions
        return [
            position
            for room in rooms
            if (match := catalog.names_in(room).find(name)) is not None
            for position in match.positions
        ]

    def _measured(self, attribute: str) -> Resolution:
        """Who can tell the temperature of a room: its sensors, else what has it as a setting."""
        catalog = self._catalog

        def tellers(positions: Sequence[int] | range) -> list[int]:
            found = sensors(catalog, positions, attribute)
            return found or [p for p in positions if attribute in catalog.profiles[p].attributes]

        for rooms in [self._scope.rooms] if self._scope.rooms is not None else [(place,) for place in self._places]:
            if found := tellers(catalog.in_rooms(rooms)):
                return self._found(found)
        if self._scope.rooms is not None:
            return self._failed(ResolutionStatus.NO_DEVICE, (attribute,))
        found = [p for p in tellers(catalog.all_positions()) if self._scope.keeps(catalog.room_of(p))]
        if not found:
            return self._failed(ResolutionStatus.NO_DEVICE, (attribute,))
        return self._found(found) if len(found) == 1 or not self._places else self._ambiguous(found)

    def _of_pool(
        self, fits: Callable[[int], bool], missing: tuple[str, ...], spared: frozenset[int] = frozenset()
    ) -> Resolution:
        """Everything that fits in the scope, by the place rule."""
        catalog, query, scope = self._catalog, self._query, self._scope
        if scope.rooms is not None:
            return self._set(list(filter(fits, catalog.in_rooms(scope.rooms))), missing)
        if not self._explicit_all and not scope.excluded:
            for place in self._places:
                here = catalog.in_rooms((place,))
                if spared and not any(position in spared for position in here):
                    continue
                if found := list(filter(fits, here)):
                    return self._set(found, missing)
        pool = catalog.of_type(query.type) if query.type is not DeviceType.UNKNOWN else catalog.all_positions()
        found = [p for p in filter(fits, pool) if scope.keeps(catalog.room_of(p))]
        whole = self._explicit_all or scope.excluded or spared or not self._places
        if len(found) > 1 and not whole and len({catalog.room_of(p) for p in found}) > 1:
            return self._ambiguous(self._capable(found)[0] or found)
        return self._set(found, missing)

    def _set(self, positions: list[int], missing: tuple[str, ...]) -> Resolution:
        if not positions:
            return self._failed(ResolutionStatus.NO_DEVICE, missing)
        capable, incapable = self._capable(positions)
        if not capable:
            return self._incapable(incapable)
        if len(capable) > 1 and self._query.quantifier is Quantifier.ONE:
            return self._ambiguous(capable)
        return self._found(capable, incapable=incapable)

    # Outcomes

    def _capable(self, positions: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """The positions that can do the action, and those that cannot."""
        if self._capability is None:
            return positions, ()
        can, action = self._capability.can, self._query.action
        devices, profiles = self._catalog.devices, self._catalog.profiles
        capable = [p for p in positions if can(action, devices[p].commands, profiles[p])]
        if len(capable) == len(positions):
            return positions, ()
        kept = set(capable)
        return capable, [p for p in positions if p not in kept]

    def _found(
        self, positions: Sequence[int], *, exact: bool = True, score: float = 1.0, incapable: Sequence[int] = ()
    ) -> Resolution:
        if self._query.reference is not None:
            positions, incapable = self._capable(positions)
            if not positions:
                return self._incapable(incapable)
        return Resolution(
            ResolutionStatus.FOUND,
            self._catalog.ids(positions),
            rooms=self._scope.rooms or (),
            missing=self._scope.missing,
            incapable=self._catalog.ids(incapable),
            exact=exact,
            score=score,
        )

    def _ambiguous(self, positions: Sequence[int], *, exact: bool = True) -> Resolution:
        return Resolution(
            ResolutionStatus.AMBIGUOUS,
            choices=self._catalog.ids(positions),
            rooms=self._scope.rooms or (),
            missing=self._scope.missing,
            exact=exact,
        )

    def _incapable(self, positions: Sequence[int]) -> Resolution:
        return Resolution(
            ResolutionStatus.NO_CAPABILITY, rooms=self._scope.rooms or (), incapable=self._catalog.ids(positions)
        )

    def _failed(self, status: ResolutionStatus, missing: tuple[str, ...]) -> Resolution:
        near: tuple[str, ...] = ()
        if status is ResolutionStatus.NO_DEVICE and self._query.name is not None:
            near = self._catalog.names.near(self._query.name)
        return Resolution(status, rooms=self._scope.rooms or (), missing=missing, near=near)


def _kind(entity: object) -> EntityKind:
    return EntityKind.GROUP if isinstance(entity, Group) else EntityKind.SCENE
