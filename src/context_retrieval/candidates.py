"""From a resolution to scored candidates: command, value range, group, choices (retrieval.md, Devices)."""

from collections.abc import Sequence

from msgspec import structs

from context_retrieval.capability import RESTART, Capability, command_limits, in_range
from context_retrieval.catalog import Catalog
from context_retrieval.conditions import watched_attribute
from context_retrieval.gating import gate, hint_for, range_hint, wanted_count
from context_retrieval.models import (
    Candidate,
    DeviceCommand,
    EntityKind,
    Group,
    Quantifier,
    QueryIR,
    Resolution,
    ResolutionStatus,
    Role,
    ValueRange,
)
from context_retrieval.scoring import Evidence, Reason, fuse

__all__ = ["candidates_of"]

_SET = "设置"
_QUERY = "查询"
_STATE = "状态"
_SCORED_CHOICES = 64
_SERVING = 0.1
"""Commands this close to the best one serve the request as well."""


def candidates_of(
    query: QueryIR, resolution: Resolution, catalog: Catalog, capability: Capability, *, limit: int
) -> tuple[list[Candidate], str | None]:
    """Candidates of one query (targets, then what its condition watches) and the hint for the agent."""
    hint = hint_for(query, resolution, catalog)
    scorer = _Scorer(query, resolution, catalog, capability)
    if resolution.status is ResolutionStatus.AMBIGUOUS:
        choices = _with_count(query, scorer.choices(max(limit, query.count or 0)), catalog)
        return [_told(query, one) for one in choices] + _watched(query, resolution), hint
    if not resolution.found:
        return [], hint
    resolution = _member_by_member(query, resolution, catalog, scorer)
    if resolution.kind is not EntityKind.DEVICE:
        score, reasons = fuse([Evidence(Reason.NAME, resolution.score)])
        targets = [
            Candidate(item, resolution.kind, Role.TARGET, score, scorer.shared(catalog.group(item)), reasons)
            for item in resolution.entity_ids
        ]
    elif (group := _group(query, resolution, catalog)) is not None and scorer.shared(catalog.group(group.id)):
        serving = scorer.shared(catalog.group(group.id))
        targets = [Candidate(group.id, EntityKind.GROUP, Role.TARGET, 1.0, serving, ("group:1.00",))]
    else:
        targets, out_of_range = scorer.devices(resolution.entity_ids)
        if not targets:
            return [], range_hint(out_of_range, catalog)
    targets = _with_count(query, targets, catalog)
    if query.action.startswith(_QUERY) or query.action == RESTART:
        targets = [_told(query, one) for one in targets]
    return targets + _watched(query, resolution), hint


def _watched(query: QueryIR, resolution: Resolution) -> list[Candidate]:
    """What the condition watches."""
    sees = watched_attribute(query.when) if query.when is not None else None
    return [
        Candidate(entity_id, EntityKind.DEVICE, Role.CONDITION, 1.0, (), ("condition:1.00",), reads=sees)
        for entity_id in resolution.conditions
    ]


def _member_by_member(query: QueryIR, resolution: Resolution, catalog: Catalog, scorer: "_Scorer") -> Resolution:
    """A group whose things have no command in common for what is asked, as those of its things that can do it."""
    if resolution.kind is not EntityKind.GROUP or query.action.startswith(_QUERY):
        return resolution
    if all(scorer.shared(catalog.group(one)) for one in resolution.entity_ids):
        return resolution
    members = [member for one in resolution.entity_ids for member in catalog.members(one)]
    able = tuple(one for one in dict.fromkeys(members) if scorer.can(one))
    return structs.replace(resolution, entity_ids=able, kind=EntityKind.DEVICE) if able else resolution


def _told(query: QueryIR, target: Candidate) -> Candidate:
    """The candidate with what is to be read of it, or the steps of a restart that it has no command for."""
    if query.action.startswith(_QUERY):
        return structs.replace(target, reads=query.action.removeprefix(_QUERY) or _STATE)
    if query.action == RESTART and len(target.command_ids) > 1:
        return structs.replace(target, steps=target.command_ids)
    return target


def _with_count(query: QueryIR, targets: list[Candidate], catalog: Catalog) -> list[Candidate]:
    """The candidates with how many of them will do, where any few were asked for."""
    of_groups = bool(targets) and targets[0].kind is EntityKind.GROUP  # all of one kind
    groups = [len(catalog.members(item.entity_id)) for item in targets] if of_groups else []
    number = wanted_count(query, sum(groups) or len(targets))
    return targets if number is None else [structs.replace(item, count=number) for item in targets]


def _group(query: QueryIR, resolution: Resolution, catalog: Catalog) -> Group | None:
    """The group that equals the whole set asked for."""
    if len(resolution.entity_ids) < 2 or query.quantifier not in (Quantifier.ALL, Quantifier.EXCEPT):
        return None
    return catalog.group_of(resolution.entity_ids) if query.reference is None else None


class _Scorer:
    """Scores devices of one resolution; devices with the same commands share one score."""

    def __init__(self, query: QueryIR, resolution: Resolution, catalog: Catalog, capability: Capability) -> None:
        self._query = query
        self._resolution = resolution
        self._catalog = catalog
        self._capability = capability
        self._scores: dict[int, tuple[float, tuple[str, ...], tuple[str, ...], ValueRange | None]] = {}

    def devices(self, ids: Sequence[str]) -> tuple[list[Candidate], list[tuple[str, str]]]:
        """Candidates in the given order, and (id, allowed range) of those whose range does not hold the value."""
        chosen: list[Candidate] = []
        out_of_range: list[tuple[str, str]] = []
        device, target, scores = EntityKind.DEVICE, Role.TARGET, self._scores
        positions, commands = self._catalog.by_id(), self._catalog.commands
        places = list(map(positions.__getitem__, ids))
        if len(self._catalog.by_sort(places)) == 1:
            score, reasons, command_ids, exceeded = self._fresh(commands[places[0]])
            if exceeded is None:
                return [Candidate(one, device, target, score, command_ids, reasons) for one in ids], []
        for entity_id in ids:
            own = commands[positions[entity_id]]
            found = scores.get(id(own))
            if found is None:
                found = scores[id(own)] = self._fresh(own)
            score, reasons, command_ids, exceeded = found
            if exceeded is None:
                chosen.append(Candidate(entity_id, device, target, score, command_ids, reasons))
            else:
                out_of_range.append((entity_id, _range_text(exceeded)))
        return chosen, out_of_range

    def choices(self, limit: int) -> list[Candidate]:
        """The best of several readings; each can only be as sure as its share."""
        share = 1 / max(len(self._resolution.choices), 1)
        scored, _ = self.devices(self._resolution.choices[: max(limit, _SCORED_CHOICES)])
        kept, _ = gate(scored, limit=limit)
        return [structs.replace(item, score=round(item.score * share, 4)) for item in kept]

    def can(self, entity_id: str) -> bool:
        """Whether a device has a command that serves."""
        own = self._catalog.commands[self._catalog.by_id()[entity_id]]
        return bool(self._capability.fitting(self._query.action, own))

    def shared(self, group: Group | None) -> tuple[str, ...]:
        """The commands of a group that serve; none for a scene, which is run as a whole."""
        return () if group is None else self._serving(self._capability.fitting(self._query.action, group.commands))

    @staticmethod
    def _serving(fitting: Sequence[tuple[str, float]]) -> tuple[str, ...]:
        return tuple(command_id for command_id, sureness in fitting if sureness >= fitting[0][1] - _SERVING)

    def _fresh(
        self, commands: tuple[DeviceCommand, ...]
    ) -> tuple[float, tuple[str, ...], tuple[str, ...], ValueRange | None]:
        """Score, reasons, fitting command ids, and the value range if the value lies outside."""
        query, resolution = self._query, self._resolution
        fitting = self._capability.fitting(query.action, commands)
        evidence = [Evidence(_main_reason(query, resolution), resolution.score)]
        if fitting:
            evidence.append(Evidence(Reason.CAPABILITY, fitting[0][1]))
        if resolution.rooms:
            evidence.append(Evidence(Reason.ROOM, 1.0))
        score, reasons = fuse(evidence)
        command_ids = self._serving(fitting)
        limits = command_limits(command_ids, commands) if query.action.startswith(_SET) else None
        return score, reasons, command_ids, None if in_range(query.value, limits) else limits


def _main_reason(query: QueryIR, resolution: Resolution) -> Reason:
    if query.reference is not None:
        return Reason.REFERENCE
    if not resolution.exact:
        return Reason.FUZZY
    return Reason.NAME if query.name is not None else Reason.TYPE


def _range_text(limits: ValueRange) -> str:
    low = "" if limits.minimum is None else f"{limits.minimum:g}"
    high = "" if limits.maximum is None else f"{limits.maximum:g}"
    return f"{low}–{high}{limits.unit or ''}"
