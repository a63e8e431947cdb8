"""`retrieve`: a sentence and a home in, the fewest necessary entities out (retrieval.md, Calls).

compile → resolve → capability and value range → group → gate. `retrieve` = `compile_ir` + `retrieve_ir`; a caller
that already holds queries calls `retrieve_ir`, and one that wants a single query's meaning calls `resolve_ir`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from msgspec import structs

from context_retrieval.candidates import candidates_of
from context_retrieval.capability import OPERATE, Capability
from context_retrieval.catalog import Catalog, Entity
from context_retrieval.conditions import condition_rooms
from context_retrieval.counting import counting_things
from context_retrieval.gating import count_hint
from context_retrieval.grounding import working
from context_retrieval.ir_compiler import UNKNOWN_QUERY, Chain, Compiled, LLMClient, compile_ir
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import (
    Candidate,
    Device,
    DeviceType,
    EntityKind,
    Group,
    Quantifier,
    QueryIR,
    Resolution,
    ResolutionStatus,
    RetrievalResult,
    Role,
    Scene,
)
from context_retrieval.resolve import resolve_ir
from context_retrieval.said_attributes import other_actions
from context_retrieval.scenes import asked_scenes
from context_retrieval.sparing import spare
from context_retrieval.state import ConversationState
from context_retrieval.text import plain_question
from context_retrieval.unread import beside, unread
from context_retrieval.unsaid_conditions import event_before

__all__ = ["aretrieve", "default_capability", "resolve_ir", "retrieve", "retrieve_ir", "says_whole_home"]

_QUERY = "查询"
_ALL_WORDS = ("所有", "全部", "每个", "每盏", "每台", "每间")


def retrieve(
    text: str,
    devices: Catalog | Iterable[Device | dict[str, Any]],
    llm: LLMClient | Chain,
    state: ConversationState,
    *,
    groups: Iterable[Group | dict[str, Any]] = (),
    scenes: Iterable[Scene | dict[str, Any]] = (),
    location: str | None = None,
    limit: int = 5,
) -> RetrievalResult:
    """The entities that `text` needs. `location` is the room where the speaker is; `state` remembers what was meant.

    A `Catalog` in place of `devices` is built once and reused; it then holds groups and scenes itself. Raises
    `msgspec.ValidationError` for devices of a foreign shape, nothing for what the model says.
    """
    catalog = devices if isinstance(devices, Catalog) else Catalog.build(devices, groups, scenes)
    compiled = compile_ir(plain_question(text), llm)
    text = compiled.text
    explicit_all = says_whole_home(text)
    places = catalog.rooms.find(location)[:1] if location else ()

    def read(sentence: str, compiled: Compiled) -> Sequence[QueryIR]:
        known = [query for query in compiled.queries if len(compiled.queries) > 1 or not _says_nothing(query)]
        if known and (state.last() or not all(_points_to_nothing(query, catalog, places, sentence) for query in known)):
            return (*known, *beside(sentence, compiled.said, known, catalog, places))
        return unread(sentence, compiled.said, catalog, places, explicit_all=explicit_all) or known

    event = event_before(text, catalog) if all(query.when is None for query in compiled.queries) else None
    queries: Sequence[QueryIR] = ()
    if event is not None:
        queries = tuple(structs.replace(query, when=event[1]) for query in read(event[0], compile_ir(event[0], llm)))
        explicit_all = says_whole_home(event[0]) if queries else explicit_all
    queries = queries or asked_scenes(read(text, compiled), text, catalog) or compiled.queries
    result = retrieve_ir(
        queries,
        catalog,
        state,
        location=location,
        limit=limit,
        explicit_all=explicit_all,
        text=text,
    )
    return structs.replace(result, queries=tuple(queries), layer=compiled.layer, issues=compiled.issues)


def _says_nothing(query: QueryIR) -> bool:
    """Whether a query is none, or asks how a place is, which the sentence may say better (书房有人用吗)."""
    bare = query.name is None and query.type is DeviceType.UNKNOWN
    return query.action == UNKNOWN_QUERY.action or (bare and query.action == f"{_QUERY}状态")


def _points_to_nothing(query: QueryIR, catalog: Catalog, places: Sequence[str], text: str) -> bool:
    """Whether a query goes on with what was spoken of, where nothing was, and says no other thing."""
    if query.reference is None:
        return False
    found = resolve_ir(query, catalog, places=places, capability=default_capability(), text=text)
    return found.status is ResolutionStatus.NO_REFERENCE


async def aretrieve(
    text: str,
    devices: Catalog | Iterable[Device | dict[str, Any]],
    llm: LLMClient | Chain,
    state: ConversationState,
    *,
    groups: Iterable[Group | dict[str, Any]] = (),
    scenes: Iterable[Scene | dict[str, Any]] = (),
    location: str | None = None,
    limit: int = 5,
) -> RetrievalResult:
    """`retrieve` in a thread of its own, for whose loop goes on meanwhile."""
    from asyncio import to_thread

    found = partial(retrieve, text, devices, llm, state, location=location, limit=limit)
    return await to_thread(partial(found, groups=groups, scenes=scenes))


def retrieve_ir(
    queries: Sequence[QueryIR],
    catalog: Catalog,
    state: ConversationState,
    *,
    location: str | None = None,
    limit: int = 5,
    explicit_all: bool = False,
    capability: Capability | None = None,
    text: str = "",
) -> RetrievalResult:
    """The entities that `queries` need, in the order said; targets before what their conditions watch.

    `text`, the sentence itself, settles what a query leaves open.
    """
    capability = capability if capability is not None else default_capability()
    places = catalog.rooms.find(location)[:1] if location else ()
    resolve = partial(
        resolve_ir,
        catalog=catalog,
        state=state,
        places=places,
        explicit_all=explicit_all,
        capability=capability,
        text=text,
    )
    targets: dict[str, Candidate] = {}
    watched: dict[str, Candidate] = {}
    hints: dict[str, tuple[str, ...]] = {}
    spared: dict[str, None] = {}
    sure: set[str] = set()
    state.next_turn()
    if text:
        queries = counting_things(queries, text, catalog)
    for asked in queries:
        query, resolution = _resolved(asked, resolve, catalog, text)
        resolution, left_out, told = spare(query, resolution, catalog, text)
        spared.update(dict.fromkeys(left_out))
        candidates, hint = candidates_of(query, resolution, catalog, capability, limit=limit)
        if hint is None and text and _is_bare_set(query, resolution, catalog, text, places, explicit_all=explicit_all):
            hint = count_hint(query, resolution.entity_ids, catalog)
        if hint is not None:
            hints.setdefault(hint, () if resolution.found else resolution.choices or resolution.incapable)
        if told is not None:
            hints.setdefault(told, ())
        _add(candidates, targets, watched)
        if resolution.found:
            sure.update(resolution.entity_ids)
            state.remember(
                resolution.entity_ids,
                kind=resolution.kind,
                action=query.action,
                value=query.value,
                rooms=resolution.rooms,
            )
    said = [hint for hint, ids in hints.items() if not ids or not sure.issuperset(ids)]
    entities = _entities((*targets, *watched) if watched else targets, catalog)
    chosen = (*targets.values(), *watched.values())
    left = _entities((one for one in spared if one not in targets), catalog)
    return RetrievalResult(chosen, entities, " ".join(said) or None, tuple(queries), spared=left)


def _add(candidates: Sequence[Candidate], targets: dict[str, Candidate], watched: dict[str, Candidate]) -> None:
    """Add the candidates of one query, its targets before what it watches, to those of the others."""
    if not targets and candidates and candidates[-1].role is Role.TARGET:
        targets.update({one.entity_id: one for one in candidates})
        return
    for candidate in candidates:
        kept, entity_id = targets if candidate.role is Role.TARGET else watched, candidate.entity_id
        kept[entity_id] = _joined(kept[entity_id], candidate) if entity_id in kept else candidate


def _resolved(
    query: QueryIR, resolve: Callable[[QueryIR], Resolution], catalog: Catalog, text: str
) -> tuple[QueryIR, Resolution]:
    """The query as it is understood, and what it means: an action that the device found cannot do may be another."""
    resolution = resolve(query)
    if text and resolution.status is ResolutionStatus.NO_CAPABILITY:
        for action in (*other_actions(query, text), *_own_work(resolution, catalog, text)):
            again = structs.replace(query, action=action)
            second = resolve(again)
            if second.found:
                return again, second
    return query, resolution


def _own_work(resolution: Resolution, catalog: Catalog, text: str) -> Iterator[str]:
    """All of its commands, where what such a thing does is said in other words than they have (把床摇起来)."""
    if working(text, catalog).intersection(map(catalog.position, resolution.incapable)):
        yield OPERATE


def _is_bare_set(
    query: QueryIR, resolution: Resolution, catalog: Catalog, text: str, places: Sequence[str], *, explicit_all: bool
) -> bool:
    """Whether several things of a type are meant that was said without all, without a room, and not where one is."""
    ids = resolution.entity_ids
    several = resolution.found and resolution.kind is EntityKind.DEVICE and len(ids) > 1
    told = query.name or query.reference or query.include or query.exclude or query.here or query.excluded_names
    if not several or told or explicit_all or query.type is DeviceType.UNKNOWN or query.quantifier is Quantifier.ANY:
        return False
    if query.action.startswith(_QUERY) or query.count == len(ids) or _said_all().search(text) is not None:
        return False
    positions = (catalog.position(one) for one in ids)
    told_rooms = condition_rooms(query.when, catalog) if query.when is not None else places[:1]
    return {catalog.room_of(one) for one in positions if one is not None} != set(told_rooms)


@cache
def _said_all() -> re.Pattern[str]:
    """The words for all of a kind (都, 全部, 每盏), and for which of them (哪个), as the grammar lists them."""
    grammar = default_lexicon().grammar
    return re.compile("|".join(map(re.escape, sorted({*grammar["all"], *grammar["which"]}, key=len, reverse=True))))


@cache
def default_capability() -> Capability:
    """Capability by the local embedder, shared so that its cache is."""
    return Capability()


def says_whole_home(text: str) -> bool:
    """Whether `text` says all of the home in words (全屋, 所有), which a command string cannot tell from a bare
    type.
    """
    return any(word in text for word in _ALL_WORDS) or any(word in text for word in _whole_home_words())


@cache
def _whole_home_words() -> tuple[str, ...]:
    return tuple(default_lexicon().rooms.whole_home.split())


def _joined(first: Candidate, second: Candidate) -> Candidate:
    """One entity of several commands (打开台灯，调到50%) serves them all."""
    command_ids = tuple(dict.fromkeys((*first.command_ids, *second.command_ids)))
    return structs.replace(
        first,
        score=max(first.score, second.score),
        command_ids=command_ids,
        reads=first.reads or second.reads,
        steps=first.steps or second.steps,
    )


def _entities(ids: Iterable[str], catalog: Catalog) -> tuple[Entity, ...]:
    positions, devices = catalog.by_id(), catalog.devices
    ids = dict.fromkeys(ids)
    if positions.keys() >= ids.keys():
        return tuple(map(devices.__getitem__, map(positions.__getitem__, ids)))
    found = (devices[positions[one]] if one in positions else catalog.get(one) for one in ids)
    return tuple(entity for entity in found if entity is not None)
