"""Queries with a name: devices, groups and scenes by their names (retrieval.md, Names).

A spoken room is never left: a name in another room is no match. A fuzzy match in the room yields to an exact one
elsewhere, which becomes a hint, not a target.
"""

from collections.abc import Sequence

from msgspec import structs

from context_retrieval.by_type import excluded, generic_type, resolve_type
from context_retrieval.catalog import Entity
from context_retrieval.logic import resolve_scope
from context_retrieval.models import EntityKind, Group, Quantifier, Resolution, ResolutionStatus, Scene
from context_retrieval.names import Level, Match
from context_retrieval.outcome import Asking
from context_retrieval.text import normalise

__all__ = ["resolve_name"]

_EXECUTE = "执行"


def resolve_name(asking: Asking, name: str) -> Resolution:
    """Resolves a query with a name to entities."""
    if asking.query.excluded_names:
        return _all_but(asking, name)
    collective = _collective(asking, name)
    match = _in_rooms(asking, name) if asking.scope.rooms is not None else _by_place(asking, name)
    if collective is not None:
        entity, level = collective
        if match is None or level < match.level or asking.query.action == _EXECUTE:
            if isinstance(entity, Group) and asking.query.quantifier is Quantifier.ANY:
                return _members(asking, entity)
            kind = EntityKind.GROUP if isinstance(entity, Group) else EntityKind.SCENE
            return Resolution(ResolutionStatus.FOUND, (entity.id,), kind, rooms=asking.scope.rooms or ())
    if match is not None:
        return _chosen(asking, match)
    return _split(asking, name) or asking.no_device((name,))


def _all_but(asking: Asking, name: str) -> Resolution:
    """All of a name but those excluded (除了射灯2，其他射灯); an exclusion that means nothing here loses the query."""
    spared, missing = excluded(asking)
    match = _in_rooms(asking, name) if asking.scope.rooms is not None else _by_place(asking, name)
    if missing or match is None:
        return asking.no_device(missing or (name,))
    kept = [position for position in match.positions if position not in spared]
    return asking.chosen(kept, score=match.score, single=False) if kept else asking.no_device((name,))


def _members(asking: Asking, group: Group) -> Resolution:
    """Any few of a group are of its devices."""
    positions = map(asking.catalog.position, asking.catalog.members(group.id))
    found = [position for position in positions if position is not None]
    return asking.chosen(found) if found else asking.no_device((group.name,))


def _chosen(asking: Asking, match: Match) -> Resolution:
    single = not _one_a_word(asking, match.positions)
    return asking.chosen(match.positions, exact=match.level is not Level.FUZZY, score=match.score, single=single)


def _one_a_word(asking: Asking, positions: Sequence[int]) -> bool:
    """Whether several room words each got their own device (客厅和卧室的顶灯)."""
    words = asking.scope.words
    if len(words) < 2 or len(positions) > len(words):
        return False
    rooms = [asking.catalog.room_of(position) for position in positions]
    return all(sum(room in word for room in rooms) <= 1 for word in words)


def _in_rooms(asking: Asking, name: str) -> Match | None:
    """Each room word finds its own; a fuzzy reading yields to an exact one elsewhere."""
    catalog, found = asking.catalog, list[Match]()
    for rooms in asking.scope.words:
        matches = [match for room in rooms if (match := catalog.names_in(room).find(name, asking.query.type))]
        if matches:
            best = min(match.level for match in matches)
            found.extend(match for match in matches if match.level is best)
    if not found:
        return None
    if len(found) == 1:
        match = found[0]
    else:
        positions = {position for match in found for position in match.positions}
        worst = max(match.level for match in found)
        match = Match(worst, tuple(sorted(positions)), min(match.score for match in found))
    if match.level is Level.FUZZY and catalog.names.find(name, fuzzy=False) is not None:
        return None
    return match


def _by_place(asking: Asking, name: str) -> Match | None:
    """The place rule for names: a near match as good as the home's best goes first."""
    catalog, kind_type, scope = asking.catalog, asking.query.type, asking.scope
    home = catalog.names.find(name, kind_type)
    if home is None:
        return None
    if scope.excluded:
        kept = tuple(position for position in home.positions if scope.keeps(catalog.room_of(position)))
        return structs.replace(home, positions=kept) if kept else None
    if asking.explicit_all or (len(home.positions) == 1 and home.level <= Level.CORE):
        return home
    for place in asking.places:
        near = catalog.names_in(place).find(name, kind_type, fuzzy=home.level is Level.FUZZY)
        if near is not None and (near.level <= Level.PART or near.level <= home.level):
            return near
    return home


def _collective(asking: Asking, name: str) -> tuple[Group | Scene, Level] | None:
    """The group or scene of that name, and how sure the name is."""
    catalog = asking.catalog
    if not catalog.collectives:
        return None
    form = normalise(name)
    for spoken in (form, *(normalise(room) + form for room in asking.query.include)):
        fitting = [(level, entity) for level, entity in catalog.collectives_named(spoken) if _within(asking, entity)]
        if fitting:
            best = min(level for level, _ in fitting)
            first = [entity for level, entity in fitting if level is best]
            return (first[0], best) if len(first) == 1 else None
    if asking.query.action != _EXECUTE:
        return None
    match = catalog.collective_names.find(name)
    if match is None or len(match.positions) != 1:
        return None
    return catalog.collectives[match.positions[0]], match.level


def _within(asking: Asking, entity: Entity) -> bool:
    """Whether a group lies in the rooms said."""
    rooms, catalog = asking.scope.rooms, asking.catalog
    if rooms is None or not isinstance(entity, Group):
        return True
    if entity.local is not None and (own := catalog.rooms.find(entity.local)):
        return set(own) <= set(rooms)
    positions = map(catalog.position, catalog.members(entity.id))
    return {catalog.room_of(position) for position in positions if position is not None} <= set(rooms)


def _split(asking: Asking, name: str) -> Resolution | None:
    """A name that begins with a room's word (卧室空调, 厨房灯), where no room was said beside it."""
    query, catalog = asking.query, asking.catalog
    if query.include or query.here:
        return None
    for room, rest in catalog.rooms.in_front(name):
        if not rest:
            continue
        kind_type = generic_type(rest)
        narrowed = structs.replace(
            query, include=(room,), name=None if kind_type else rest, type=kind_type or query.type
        )
        inner = structs.replace(asking, query=narrowed, scope=resolve_scope(narrowed, catalog, asking.places))
        result = resolve_type(inner) if kind_type else resolve_name(inner, rest)
        return result if result.status is not ResolutionStatus.NO_DEVICE else None
    return None
