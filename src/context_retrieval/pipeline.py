"""`retrieve`: a sentence and a home in, the fewest necessary entities out (seed 002, 对外接口).

compile → resolve → capability and value range → group → gate. `retrieve` = `compile_ir` + `retrieve_ir`; a caller
that already holds queries calls `retrieve_ir`, and one that wants a single query's meaning calls `resolve_ir`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from msgspec import structs

from context_retrieval.capability import Capability, command_limits, in_range
from context_retrieval.catalog import Catalog, Entity
from context_retrieval.gating import gate, hint_for, range_hint
from context_retrieval.ir_compiler import Chain, LLMClient, compile_ir
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
from context_retrieval.scoring import Evidence, Reason, fuse
from context_retrieval.state import ConversationState

__all__ = ["default_capability", "resolve_ir", "retrieve", "retrieve_ir", "says_whole_home"]

_SET = "设置"
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
    compiled = compile_ir(text, llm)
    result = retrieve_ir(
        compiled.queries, catalog, state, location=location, limit=limit, explicit_all=says_whole_home(text)
    )
    return RetrievalResult(
        result.candidates, result.entities, result.hint, compiled.queries, compiled.layer, compiled.issues
    )


def retrieve_ir(
    queries: Sequence[QueryIR],
    catalog: Catalog,
    state: ConversationState,
    *,
    location: str | None = None,
    limit: int = 5,
    explicit_all: bool = False,
    capability: Capability | None = None,
) -> RetrievalResult:
    """The entities that `queries` need, in the order said; targets before what their conditions watch."""
    capability = capability if capability is not None else default_capability()
    places = catalog.rooms.find(location)[:1] if location else ()
    found: dict[tuple[str, Role], Candidate] = {}
    hints: list[str] = []
    state.next_turn()
    for query in queries:
        resolution = resolve_ir(query, catalog, state, places=places, explicit_all=explicit_all, capability=capability)
        candidates, hint = _candidates(query, resolution, catalog, capability, limit)
        if hint is not None and hint not in hints:
            hints.append(hint)
        for candidate in candidates:
            found.setdefault((candidate.entity_id, candidate.role), candidate)
        if resolution.found:
            state.remember(
                resolution.entity_ids,
                kind=resolution.kind,
                action=query.action,
                value=query.value,
                rooms=resolution.rooms,
            )
    chosen = sorted(found.values(), key=lambda candidate: candidate.role is Role.CONDITION)
    return RetrievalResult(tuple(chosen), _entities(chosen, catalog), " ".join(hints) or None, tuple(queries))


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


def _without_protected(query: QueryIR, resolution: Resolution, catalog: Catalog) -> Resolution:
    """所有设备 without what is protected (service page): the fridge keeps running when everything is switched off."""
    anything = query.name is None and query.reference is None and query.type is DeviceType.UNKNOWN
    if not anything or not resolution.found or query.action.startswith("查询"):
        return resolution
    kept = tuple(entity_id for entity_id in resolution.entity_ids if not catalog.profile(entity_id).is_protected)
    return structs.replace(resolution, entity_ids=kept) if kept else resolution


def _candidates(
    query: QueryIR, resolution: Resolution, catalog: Catalog, capability: Capability, limit: int
) -> tuple[list[Candidate], str | None]:
    hint = hint_for(query, resolution, catalog)
    if resolution.status is ResolutionStatus.AMBIGUOUS:
        return _choices(query, resolution, catalog, capability, limit), hint
    if not resolution.found:
        return [], hint
    if resolution.kind is not EntityKind.DEVICE:
        score, reasons = fuse([Evidence(Reason.NAME, resolution.score)])
        targets = [
            Candidate(entity_id, resolution.kind, Role.TARGET, score, (), reasons)
            for entity_id in resolution.entity_ids
        ]
    else:
        group = _group(query, resolution, catalog)
        if group is not None:
            targets = [Candidate(group.id, EntityKind.GROUP, Role.TARGET, 1.0, (), ("group:1.00",))]
        else:
            targets, out_of_range = _devices(query, resolution, catalog, capability)
            if not targets:
                return [], range_hint(out_of_range, catalog)
    watched = [
        Candidate(entity_id, EntityKind.DEVICE, Role.CONDITION, 1.0, (), ("condition:1.00",))
        for entity_id in resolution.conditions
    ]
    return targets + watched, hint


def _group(query: QueryIR, resolution: Resolution, catalog: Catalog) -> Group | None:
    """The group that equals the whole set asked for."""
    if len(resolution.entity_ids) < 2 or query.quantifier not in (Quantifier.ALL, Quantifier.EXCEPT):
        return None
    return catalog.group_of(resolution.entity_ids) if query.reference is None else None


def _devices(
    query: QueryIR, resolution: Resolution, catalog: Catalog, capability: Capability
) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """Candidates in the home's order, and (id, allowed range) of those whose range does not hold the value."""
    chosen: list[Candidate] = []
    out_of_range: list[tuple[str, str]] = []
    for entity_id in resolution.entity_ids:
        candidate = _scored(query, resolution, catalog, capability, entity_id)
        position = catalog.position(entity_id)
        limits = None if position is None else command_limits(candidate.command_ids, catalog.devices[position].commands)
        if limits is None or not query.action.startswith(_SET) or in_range(query.value, limits):
            chosen.append(candidate)
        else:
            out_of_range.append((entity_id, f"{limits.minimum:g}–{limits.maximum:g}"))
    return chosen, out_of_range


def _scored(
    query: QueryIR, resolution: Resolution, catalog: Catalog, capability: Capability, entity_id: str
) -> Candidate:
    position = catalog.position(entity_id)
    fitting = () if position is None else capability.fitting(query.action, catalog.devices[position].commands)
    evidence = [Evidence(_main_reason(query, resolution), resolution.score)]
    if fitting:
        evidence.append(Evidence(Reason.CAPABILITY, fitting[0][1]))
    if resolution.rooms:
        evidence.append(Evidence(Reason.ROOM, 1.0))
    score, reasons = fuse(evidence)
    return Candidate(entity_id, EntityKind.DEVICE, Role.TARGET, score, tuple(item[0] for item in fitting), reasons)


def _main_reason(query: QueryIR, resolution: Resolution) -> Reason:
    if query.reference is not None:
        return Reason.REFERENCE
    if not resolution.exact:
        return Reason.FUZZY
    return Reason.NAME if query.name is not None else Reason.TYPE


def _choices(
    query: QueryIR, resolution: Resolution, catalog: Catalog, capability: Capability, limit: int
) -> list[Candidate]:
    """The best of several readings; each can only be as sure as its share."""
    share = 1 / max(len(resolution.choices), 1)
    scored = (_scored(query, resolution, catalog, capability, entity_id) for entity_id in resolution.choices)
    kept, _ = gate(scored, limit=limit)
    return [structs.replace(item, score=round(item.score * share, 4)) for item in kept]


def _entities(candidates: Iterable[Candidate], catalog: Catalog) -> tuple[Entity, ...]:
    ids = dict.fromkeys(candidate.entity_id for candidate in candidates)
    return tuple(entity for entity in map(catalog.get, ids) if entity is not None)
