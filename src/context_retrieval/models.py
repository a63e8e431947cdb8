"""Values of context retrieval (retrieval.md), and those of the command protocol (`command_values`) under one roof.

All values are immutable and hashable where their fields are.
"""

from enum import StrEnum
from typing import Any, Self

import msgspec

from context_retrieval.command_values import (
    ANY_NAME,
    HERE_SCOPE,
    LAST_NAME,
    Action,
    Command,
    DeviceType,
    Quantifier,
    Reference,
    Scope,
    Target,
)

__all__ = [
    "ANY_NAME",
    "HERE_SCOPE",
    "LAST_NAME",
    "Action",
    "Candidate",
    "Command",
    "Device",
    "DeviceCommand",
    "DeviceType",
    "EntityKind",
    "Group",
    "Quantifier",
    "QueryIR",
    "Reference",
    "Resolution",
    "ResolutionStatus",
    "RetrievalResult",
    "Role",
    "Scene",
    "Scope",
    "Target",
    "ValueRange",
]


class QueryIR(msgspec.Struct, frozen=True):
    """A parsed request as retrieval evaluates it (retrieval.md, Calls).

    `name` is None for "any of this type"; `reference` LAST points at the conversation's last entities; `include` and
    `exclude` are room words as spoken; `when` is the protocol's WHEN text; `confidence` lies in 0..1.
    """

    action: str
    value: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    here: bool = False
    name: str | None = None
    excluded_names: tuple[str, ...] = ()
    type: DeviceType = DeviceType.UNKNOWN
    quantifier: Quantifier = Quantifier.ONE
    count: int | None = None
    reference: Reference | None = None
    when: str | None = None
    confidence: float = 1.0

    @classmethod
    def from_command(cls, command: Command, confidence: float = 1.0) -> Self:
        """The query that a command of the protocol means."""
        target, scope, action = command.target, command.scope, command.action
        last = target.is_last
        return cls(
            action=action.verb,
            value=action.value,
            include=scope.include,
            exclude=scope.exclude,
            here=scope.here,
            name=None if last or target.name == ANY_NAME else target.name,
            excluded_names=target.excluded,
            type=target.type,
            quantifier=target.quantifier,
            count=target.count,
            reference=Reference.LAST if last else None,
            when=action.when,
            confidence=confidence,
        )


class ValueRange(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Numeric limits of a device command's argument, in `unit`."""

    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None


class DeviceCommand(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a device can do (retrieval.md, Devices). `values` are those that may be sent where there are but a few."""

    id: str
    description: str = ""
    type: str | None = None
    value_range: ValueRange | None = None
    values: tuple[str | int | float, ...] = ()


class Device(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A device as retrieval.md hands it in. `aliases` are further names a user may say, `state` its present readings by
    property; unknown fields are dropped."""

    id: str
    name: str
    room: str = ""
    type: str = ""
    commands: tuple[DeviceCommand, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""
    state: dict[str, Any] = {}

    @classmethod
    def of(cls, value: "Device | dict[str, Any]") -> "Device":
        """The device itself, or one read from a dict of the documented form; `msgspec.ValidationError` names the bad
        field's path.
        """
        return value if isinstance(value, Device) else msgspec.convert(value, cls, strict=False)


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named set of devices; `devices` are their ids, `commands` what all of them can do (filled in by a catalog)."""

    id: str
    name: str
    devices: tuple[str, ...] = ()
    local: str | None = None
    commands: tuple[DeviceCommand, ...] = ()


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named scene (观影模式) that is executed as a whole."""

    id: str
    name: str


class EntityKind(StrEnum):
    """What an entity is."""

    DEVICE = "device"
    GROUP = "group"
    SCENE = "scene"


class Role(StrEnum):
    """Why an entity is needed: to act on, or to watch for a condition."""

    TARGET = "target"
    CONDITION = "condition"


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """One entity retrieval chose; `score` in 0..1, `command_ids` the fitting device commands, best first.

    `count` says that any so many of the candidates with this count will do (commands.md, any + N); of a group, so many
    of its devices. `reads` is the attribute whose reading is asked for or watched (温度, 状态), `steps` are commands
    that are sent one after the other (a restart).
    """

    entity_id: str
    kind: EntityKind = EntityKind.DEVICE
    role: Role = Role.TARGET
    score: float = 1.0
    command_ids: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    count: int | None = None
    reads: str | None = None
    steps: tuple[str, ...] = ()


class RetrievalResult(msgspec.Struct, frozen=True):
    """Answer of `retrieve`: candidates best first, their entities for the injector, an optional hint for the agent.

    `layer` names what produced the QueryIRs (`llm`, `local`, `fallback` …); `issues` are reasons of degradation;
    `spared` are protected devices that the sets asked for leave out.
    """

    candidates: tuple[Candidate, ...] = ()
    entities: tuple[Device | Group | Scene, ...] = ()
    hint: str | None = None
    queries: tuple[QueryIR, ...] = ()
    layer: str = ""
    issues: tuple[str, ...] = ()
    spared: tuple[Device | Group | Scene, ...] = ()


class ResolutionStatus(StrEnum):
    """What became of one query; only `FOUND` may lead to an action (architecture, law 1)."""

    FOUND = "found"
    AMBIGUOUS = "ambiguous"  # several fit and one was asked for: `choices`
    NO_ROOM = "no_room"  # a room word that this home does not have: `missing`
    NO_DEVICE = "no_device"  # the scope holds nothing of that name or type: `missing`, `near`
    NO_CAPABILITY = "no_capability"  # found, but none can do the action: `incapable`
    NO_REFERENCE = "no_reference"  # @last without anything to point back to
    NOTHING = "nothing"  # an UNKNOWN query


class Resolution(msgspec.Struct, frozen=True):
    """What one query means in one home: a pure function of query, catalog, state and default places.

    `entity_ids` are the targets in the home's order, `choices` the ids to ask between, `rooms` the home's own names
    of the rooms said, `conditions` the ids that the query's WHEN watches, `missing` the words that did not resolve,
    `near` names close to them, `incapable` ids that fit by name but cannot do the action. `exact` is False for fuzzy
    matches.
    """

    status: ResolutionStatus
    entity_ids: tuple[str, ...] = ()
    kind: EntityKind = EntityKind.DEVICE
    choices: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    incapable: tuple[str, ...] = ()
    exact: bool = True
    score: float = 1.0

    @property
    def found(self) -> bool:
        """Whether there is at least one entity."""
        return self.status is ResolutionStatus.FOUND
