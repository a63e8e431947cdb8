"""A word said as a place that is no room of the home: what it tells of the things (retrieval.md, Names).

旗杆那儿的灯 is the 旗杆射灯, 右边的床头灯 the 床头灯右 where one is, 二楼的灯 those whose names say 二楼, 205靠窗
what stands at the window of 205, 车库的门 the 车库门磁, 公共区的灯 the group of that name. Only the things' own names
count: a room that was said and that nothing is called after is never left (architecture, law 1).
"""

from collections.abc import Iterator, Sequence

from msgspec import structs

from context_retrieval.described import described, tells_all
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, EntityKind, Group, Quantifier, Resolution, ResolutionStatus
from context_retrieval.names import Level
from context_retrieval.outcome import Asking
from context_retrieval.text import normalise

__all__ = ["resolve_told"]

_LONGEST = 24
"""A stranger's text may be any length."""


def resolve_told(asking: Asking) -> Resolution | None:
    """What the query means where its one room word tells things apart; None where it tells nothing."""
    query = asking.query
    if len(query.include) != 1 or query.exclude or len(query.include[0]) > _LONGEST:
        return None
    word = query.include[0]
    if query.name is None and (group := _group(asking, word)) is not None:
        return group
    for rooms, rest in _readings(asking, word):
        if not rooms and (found := _called(asking, (), word)):
            return structs.replace(asking.chosen(found), missing=())
        pool = _pool(asking, rooms)
        form = normalise(rest)
        told = described(form, asking.catalog, pool) if tells_all(form, asking.catalog, pool) else ()
        found = told or _called(asking, rooms, rest)
        if found:
            single = query.quantifier is Quantifier.ONE and query.name is not None
            return structs.replace(asking.chosen(found, single=single), missing=())
    return None


def _readings(asking: Asking, word: str) -> Iterator[tuple[Sequence[str], str]]:
    """The word as a room and what is told in it, the longest room first; then where one is, then anywhere."""
    catalog = asking.catalog
    for end in range(len(word) - 1, 1, -1):
        if rooms := catalog.rooms.find(word[:end]):
            yield rooms, word[end:]
    if asking.scope.rooms:
        yield asking.scope.rooms, word
        return
    for place in asking.places:
        yield (place,), word
    yield (), word


def _pool(asking: Asking, rooms: Sequence[str]) -> list[int]:
    """What the query would mean in `rooms` (none: in the home) without the word."""
    query, catalog = asking.query, asking.catalog
    if query.name is not None:
        pools = [catalog.names_in(room) for room in rooms] if rooms else [catalog.names]
        matches = [match for names in pools if (match := names.find(query.name, query.type, fuzzy=False))]
        return [position for match in matches for position in match.positions]
    within = catalog.in_rooms(rooms) if rooms else catalog.of_type(query.type)
    return [p for p in within if query.type is not DeviceType.UNKNOWN and catalog.profiles[p].type is query.type]


def _called(asking: Asking, rooms: Sequence[str], word: str) -> Sequence[int]:
    """The things whose name is the word (AC203), or the word and the name together (车库 + 门 → 车库门磁)."""
    query, catalog = asking.query, asking.catalog
    pools = [catalog.names_in(room) for room in rooms] if rooms else [catalog.names]
    matches = [match for names in pools if (match := names.find(word + (query.name or ""), query.type, fuzzy=False))]
    told = [match for match in matches if query.name is not None or match.level <= Level.CORE]
    return [position for match in told for position in match.positions]


def _group(asking: Asking, word: str) -> Resolution | None:
    """The one group named by the word and a plain word of the type."""
    forms = [normalise(word) + normalise(plain) for plain in default_lexicon().generic_words(asking.query.type)]
    found = {entity.id: entity for form in forms for _, entity in asking.catalog.collectives_named(form)}
    groups = [entity for entity in found.values() if isinstance(entity, Group)]
    return Resolution(ResolutionStatus.FOUND, (groups[0].id,), EntityKind.GROUP) if len(groups) == 1 else None
