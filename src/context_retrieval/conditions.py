"""What a WHEN watches: the sensor or device a condition reads (retrieval.md, Conditions).

如果室温超过26度就开空调 needs the air conditioner and the temperature sensor of that room.
"""

from collections.abc import Iterator, Sequence

from context_retrieval.catalog import Catalog
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType
from context_retrieval.text import normalise
from context_retrieval.when import When, WhenKind, parse_when

__all__ = ["condition_rooms", "resolve_condition", "sensors", "watched_attribute"]

_SAME_ATTRIBUTE = {"水温": "温度", "CO2": "二氧化碳"}


def sensors(catalog: Catalog, rooms: Sequence[str] | None, attribute: str) -> list[int]:
    """Positions of the devices in `rooms` (None: in the home) that measure `attribute`; devices that are sensors and
    nothing else come alone.
    """
    profiles = catalog.profiles
    if rooms is None:
        found = list(catalog.sensing(attribute))
    else:
        found = [position for position in catalog.in_rooms(rooms) if attribute in profiles[position].senses]
    pure = [position for position in found if profiles[position].is_sensor]
    return pure or found


def condition_rooms(text: str, catalog: Catalog) -> tuple[str, ...]:
    """The rooms whose climate a WHEN names: what it switches is meant there when no other room was said."""
    when = parse_when(text)
    if when is None or when.kind is not WhenKind.CONDITION or not when.subject or not when.attribute:
        return ()
    return catalog.rooms.find(when.subject)


def watched_attribute(text: str) -> str | None:
    """The attribute that a WHEN waits for, the state of a thing where it names none; None for a clock or a delay."""
    when = parse_when(text)
    if when is None or when.kind is not WhenKind.CONDITION:
        return None
    return _SAME_ATTRIBUTE.get(when.attribute, when.attribute) or "状态"


def resolve_condition(
    text: str, catalog: Catalog, rooms: Sequence[str], places: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """Ids that the WHEN `text` watches, and whether a condition was said that nothing here can watch.

    `rooms` are the rooms of the command itself, `places` where the speaker is; both only count when the condition
    names none.
    """
    when = parse_when(text)
    if when is None or when.kind is not WhenKind.CONDITION:
        return (), False
    attribute = _SAME_ATTRIBUTE.get(when.attribute, when.attribute)
    if attribute and attribute != "状态":
        positions = _measuring(when, attribute, catalog, [*rooms, *places])
    else:
        positions = _named(when.subject, catalog, [*rooms, *places])
    return catalog.ids(positions), not positions


def _measuring(when: When, attribute: str, catalog: Catalog, nearby: Sequence[str]) -> list[int]:
    if when.subject:
        rooms = catalog.rooms.find(when.subject)
        if rooms:
            return sensors(catalog, rooms, attribute)
        return _named(when.subject, catalog, nearby)
    for room in dict.fromkeys(nearby):
        if found := sensors(catalog, (room,), attribute):
            return found
    everywhere = sensors(catalog, None, attribute)
    return everywhere if len(everywhere) == 1 else []


def _named(subject: str, catalog: Catalog, nearby: Sequence[str]) -> list[int]:
    if not subject:
        return []
    room, rest = next(_own_room(subject, catalog), ("", subject))
    pools = [room] if room else [*dict.fromkeys(nearby)]
    for pool in pools:
        match = catalog.names_in(pool).find(rest, fuzzy=False)
        if match is not None:
            return list(match.positions)
        if found := _of_word(rest, catalog, catalog.in_rooms((pool,))):
            return found
    match = catalog.names.find(subject, fuzzy=False)
    if match is not None:
        return list(match.positions) if len(match.positions) == 1 else []
    if room:
        return []
    found = _of_word(rest, catalog, catalog.all_positions())
    return found if len(found) == 1 else []


def _of_word(word: str, catalog: Catalog, positions: Sequence[int] | range) -> list[int]:
    """Devices of the type a generic word says."""
    kind_type = default_lexicon().type_of_word(normalise(word))
    if kind_type is None or kind_type is DeviceType.UNKNOWN:
        return []
    return [position for position in positions if catalog.profiles[position].type is kind_type]


def _own_room(subject: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """`卧室空调` as (卧室, 空调), where one room is meant."""
    found = ((catalog.rooms.find(word), rest) for word, rest in catalog.rooms.in_front(subject))
    yield from ((rooms[0], rest) for rooms, rest in found if len(rooms) == 1)
