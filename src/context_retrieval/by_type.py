"""Queries without a name: a whole type, everything, or the sensor of an attribute (service.md, Place)."""

from collections.abc import Callable, Iterable, Sequence

from context_retrieval.conditions import sensors
from context_retrieval.grounding import ground
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, Resolution
from context_retrieval.outcome import Asking
from context_retrieval.text import normalise, spoken

__all__ = ["excluded", "generic_type", "of_pool", "resolve_type", "type_of_action", "type_word"]

_QUERY = "查询"
_STATE = "状态"
_NOBODY: frozenset[int] = frozenset()
_TYPES_OF_ATTRIBUTES = {
    "亮度": DeviceType.LIGHT,
    "色温": DeviceType.LIGHT,
    "颜色": DeviceType.LIGHT,
    "温度": DeviceType.AIR_CONDITIONER,
    "开合度": DeviceType.BLIND,
    "频道": DeviceType.TELEVISION,
}


def resolve_type(asking: Asking) -> Resolution:
    """Resolves a query without a name to entities."""
    query, profiles = asking.query, asking.catalog.profiles
    spared, missing = excluded(asking)
    if missing:
        return asking.no_device(missing)
    if query.type is not DeviceType.UNKNOWN:
        wanted = query.type
        return of_pool(
            asking, lambda p: profiles[p].type is wanted and p not in spared, (type_word(wanted),), spared=spared
        )
    if query.action.startswith(_QUERY) and query.action not in (_QUERY, _QUERY + _STATE):
        return _measured(asking, query.action.removeprefix(_QUERY))
    return of_pool(asking, lambda p: not profiles[p].is_apart and p not in spared, ("设备",), spared=spared)


def type_word(kind_type: DeviceType) -> str:
    """The plain Chinese word of a type (Light → 灯)."""
    return next(iter(default_lexicon().generic_words[kind_type]), kind_type.value)


def type_of_action(action: str) -> DeviceType | None:
    """The type an action speaks of by itself (调高亮度 → Light); None when its attribute belongs to several."""
    for verb in ("设置", "调高", "调低"):
        if action.startswith(verb):
            return _TYPES_OF_ATTRIBUTES.get(action.removeprefix(verb))
    return None


def generic_type(word: str) -> DeviceType | None:
    """The type that a generic word says (灯, 空调); None for names and other words."""
    lexicon, form = default_lexicon(), normalise(word)
    kind_type = lexicon.type_of_word(form)
    return kind_type if kind_type is not DeviceType.UNKNOWN and lexicon.is_generic(form) else None


def of_pool(
    asking: Asking, fits: Callable[[int], bool], missing: tuple[str, ...], *, spared: frozenset[int] = _NOBODY
) -> Resolution:
    """Everything that fits, by the place rule; `spared` positions are excluded by name."""
    catalog, scope = asking.catalog, asking.scope
    if scope.rooms is not None:
        return _set(asking, list(filter(fits, catalog.in_rooms(scope.rooms))), missing)
    if not asking.explicit_all and not scope.excluded:
        for place in asking.places:
            here = catalog.in_rooms((place,))
            if spared and spared.isdisjoint(here):
                continue
            if fitting := list(filter(fits, here)):
                return _set(asking, fitting, missing)
    kind_type = asking.query.type
    pool = catalog.of_type(kind_type) if kind_type is not DeviceType.UNKNOWN else catalog.all_positions()
    all_of_type = kind_type is not DeviceType.UNKNOWN and not spared and not scope.excluded
    kept = pool if all_of_type else [p for p in filter(fits, pool) if scope.keeps(catalog.room_of(p))]
    found = _plain(asking, kept)
    whole = asking.explicit_all or scope.excluded or spared or not asking.places
    if len(found) > 1 and not whole and len(capable := asking.capable(found)[0]) > 1:
        return asking.ambiguous(capable)
    return _set(asking, found, missing)


_PLAIN_KINDS = {DeviceType.WASHER: "washer", DeviceType.TELEVISION: "television"}
"""Types that also hold another kind of thing: 洗衣机 beside a dryer is the washing machine, 电视 no projector."""


def _set(asking: Asking, positions: Sequence[int], missing: tuple[str, ...]) -> Resolution:
    return asking.chosen(_plain(asking, positions)) if positions else asking.no_device(missing)


def _plain(asking: Asking, positions: Sequence[int]) -> Sequence[int]:
    """Those of the kind that the type's own word says, where there are any."""
    kind = _PLAIN_KINDS.get(asking.query.type) if asking.query.name is None else None
    if kind is None:
        return positions
    catalog = asking.catalog
    found, sorts = catalog.by_sort(positions), catalog.sorts
    said = {sort for sort, one in found.items() if kind in catalog.profiles[one].kinds}
    return positions if len(said) in (0, len(found)) else [one for one in positions if sorts[one] in said]


def excluded(asking: Asking) -> tuple[frozenset[int], tuple[str, ...]]:
    """Positions that the excluded names and type words mean in scope, and the words that mean nothing there."""
    spared: set[int] = set()
    missing: list[str] = []
    for name in asking.query.excluded_names:
        found = _meant_by(asking, name)
        if found:
            spared.update(found)
        else:
            missing.append(name)
    return frozenset(spared), tuple(missing)


def _meant_by(asking: Asking, name: str) -> Iterable[int]:
    catalog, rooms = asking.catalog, asking.scope.rooms
    kind_type = generic_type(name)
    if kind_type is not None:
        return catalog.of_type(kind_type)
    pools = [catalog.names] if rooms is None else [catalog.names_in(room) for room in rooms]
    matches = [match for names in pools if (match := names.find(name)) is not None]
    found = [position for match in matches for position in match.positions]
    return found or ground(spoken(name), catalog, None if rooms is None else catalog.in_rooms(rooms)).positions


def _measured(asking: Asking, attribute: str) -> Resolution:
    """Who can tell the temperature of a room: its sensors, else the air conditioner that has it as a setting."""
    catalog, scope = asking.catalog, asking.scope

    def tellers(rooms: Sequence[str] | None) -> list[int]:
        if found := sensors(catalog, rooms, attribute):
            return found
        profiles, cooling = catalog.profiles, DeviceType.AIR_CONDITIONER
        pool = catalog.of_type(cooling) if rooms is None else catalog.in_rooms(rooms)
        return [p for p in pool if profiles[p].type is cooling and attribute in profiles[p].attributes]

    if scope.rooms is not None:
        return _set(asking, tellers(scope.rooms), (attribute,))
    if not asking.explicit_all:
        for place in asking.places:
            if found := tellers((place,)):
                return asking.chosen(found)
    found = [position for position in tellers(None) if scope.keeps(catalog.room_of(position))]
    if len(found) > 1 and asking.places and not asking.explicit_all:
        return asking.ambiguous(found)
    return _set(asking, found, (attribute,))
