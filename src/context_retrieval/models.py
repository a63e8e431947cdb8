"""Values of the command protocol (seeds 000, 001) and of context retrieval (seed 002).

A value that exists is valid: constructors normalise (a name loses `#` and `-`, an exclude-only scope implies `*`), so
that nothing downstream checks again. All values are immutable and hashable where their fields are.
"""

import re
from enum import StrEnum
from typing import Any, Self

import msgspec
from msgspec.structs import force_setattr

__all__ = [
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

ANY_NAME = "*"
LAST_NAME = "@last"
HERE_SCOPE = "@here"

_NOT_IN_NAME = re.compile(r"[#\-\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_IN_ROOM = re.compile(r"[#\-,!@*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_IN_ACTION = re.compile(r"[#\-@\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class DeviceType(StrEnum):
    """The closed set of seed 000, 需求 TYPE."""

    AIR_CONDITIONER = "AirConditioner"
    BLIND = "Blind"
    CHARGER = "Charger"
    FAN = "Fan"
    HUB = "Hub"
    LIGHT = "Light"
    NETWORK_AUDIO = "NetworkAudio"
    SWITCH = "Switch"
    TELEVISION = "Television"
    WASHER = "Washer"
    SMART_PLUG = "SmartPlug"
    UNKNOWN = "Unknown"


class Quantifier(StrEnum):
    """Seed 000, 需求 量词 Q."""

    ONE = "one"
    ALL = "all"
    ANY = "any"
    EXCEPT = "except"


class Reference(StrEnum):
    """What a request points back to instead of naming it."""

    LAST = "last"


def _clean(text: str, forbidden: re.Pattern[str]) -> str:
    """`text` with every forbidden character turned into a space, trimmed."""
    if forbidden.search(text):
        text = forbidden.sub(" ", text)
    return text.strip()


class Action(msgspec.Struct, frozen=True):
    """One atomic action `verb[=value][@when]`; none of the parts holds `-` (seed 000, 需求 ACTION)."""

    verb: str
    value: str | None = None
    when: str | None = None

    def __post_init__(self) -> None:
        verb = _clean(self.verb, _NOT_IN_ACTION).replace("=", " ").strip()
        if not verb:
            raise ValueError("an action needs a verb")
        force_setattr(self, "verb", verb)
        for field in ("value", "when"):
            text = getattr(self, field)
            if text is not None:
                force_setattr(self, field, _NOT_IN_ACTION.sub("", text).strip() or None)

    def __str__(self) -> str:
        text = self.verb if self.value is None else f"{self.verb}={self.value}"
        return text if self.when is None else f"{text}@{self.when}"


class Scope(msgspec.Struct, frozen=True):
    """Rooms a command covers. Empty `include` is `*` (the whole home); `here` is the speaker's room (`@here`)."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    here: bool = False

    def __post_init__(self) -> None:
        if self.here:
            force_setattr(self, "include", ())
            force_setattr(self, "exclude", ())
            return
        for field in ("include", "exclude"):
            rooms = getattr(self, field)
            if rooms:
                cleaned = (_clean(room, _NOT_IN_ROOM) for room in rooms)
                force_setattr(self, field, tuple(dict.fromkeys(room for room in cleaned if room)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `*`, `@here`, `客厅,卧室` or `*,!卧室`; only-excluded rooms imply `*` (seed 001, SCOPE)."""
        if text.strip() == HERE_SCOPE:
            return cls(here=True)
        parts = [part.strip() for part in text.split(",")]
        return cls(
            include=tuple(part for part in parts if part and part != ANY_NAME and not part.startswith("!")),
            exclude=tuple(part[1:] for part in parts if part.startswith("!")),
        )

    def __str__(self) -> str:
        if self.here:
            return HERE_SCOPE
        text = ",".join(self.include) or ANY_NAME
        return text + "".join(f",!{room}" for room in self.exclude)


class Target(msgspec.Struct, frozen=True):
    """`NAME#TYPE#Q[#N]` (seed 000, 需求 TARGET). `excluded` holds the names of `*,!name`; then `name` is `*`."""

    name: str = ANY_NAME
    type: DeviceType = DeviceType.UNKNOWN
    quantifier: Quantifier = Quantifier.ONE
    count: int | None = None
    excluded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.excluded:
            force_setattr(self, "name", ANY_NAME)
            names = (_clean(name, _NOT_IN_ROOM) for name in self.excluded)
            force_setattr(self, "excluded", tuple(dict.fromkeys(name for name in names if name)))
        else:
            name = _clean(self.name, _NOT_IN_NAME)
            if name.startswith("*,!"):
                name = _clean(name, _NOT_IN_ROOM)
            force_setattr(self, "name", name or ANY_NAME)
        if self.count is not None and self.count < 1:
            force_setattr(self, "count", None)

    @property
    def is_last(self) -> bool:
        return self.name == LAST_NAME

    def __str__(self) -> str:
        name = self.name + "".join(f",!{excluded}" for excluded in self.excluded)
        text = f"{name}#{self.type.value}#{self.quantifier.value}"
        return text if self.count is None else f"{text}#{self.count}"


class Command(msgspec.Struct, frozen=True):
    """One atomic command; `str()` is its protocol string `ACTION-SCOPE-TARGET`."""

    action: Action
    scope: Scope = Scope()
    target: Target = Target()

    @property
    def is_unknown(self) -> bool:
        return self.action.verb == "UNKNOWN"

    def __str__(self) -> str:
        return f"{self.action}-{self.scope}-{self.target}"


class QueryIR(msgspec.Struct, frozen=True):
    """A parsed request as retrieval evaluates it (seed 002, 变更内容 QueryIR).

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


class ValueRange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numeric limits of a device command's argument, in `unit`."""

    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None


class DeviceCommand(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a device can do (seed 002, 数据契约)."""

    id: str
    description: str = ""
    type: str | None = None
    value_range: ValueRange | None = None


class Device(msgspec.Struct, frozen=True, omit_defaults=True):
    """A device as seed 002 hands it in. `aliases` are further names a user may say; unknown fields are dropped."""

    id: str
    name: str
    room: str = ""
    type: str = ""
    commands: tuple[DeviceCommand, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def of(cls, value: "Device | dict[str, Any]") -> "Device":
        """The device itself, or one read from the seed's dict; `msgspec.ValidationError` names the bad field's
        path.
        """
        return value if isinstance(value, Device) else msgspec.convert(value, cls, strict=False)


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named set of devices; `devices` are their ids."""

    id: str
    name: str
    devices: tuple[str, ...] = ()
    local: str | None = None


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named scene (观影模式) that is executed as a whole."""

    id: str
    name: str


class EntityKind(StrEnum):
    DEVICE = "device"
    GROUP = "group"
    SCENE = "scene"


class Role(StrEnum):
    """Why an entity is needed: to act on, or to watch for a condition."""

    TARGET = "target"
    CONDITION = "condition"


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """One entity retrieval chose; `score` in 0..1, `command_ids` the fitting device commands, best first."""

    entity_id: str
    kind: EntityKind = EntityKind.DEVICE
    role: Role = Role.TARGET
    score: float = 1.0
    command_ids: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


class RetrievalResult(msgspec.Struct, frozen=True):
    """Answer of `retrieve`: candidates best first, their entities for the injector, an optional hint for the agent.

    `layer` names what produced the QueryIRs (`llm`, `local`, `fallback` …); `issues` are reasons of degradation.
    """

    candidates: tuple[Candidate, ...] = ()
    entities: tuple[Device | Group | Scene, ...] = ()
    hint: str | None = None
    queries: tuple[QueryIR, ...] = ()
    layer: str = ""
    issues: tuple[str, ...] = ()


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
        return self.status is ResolutionStatus.FOUND
