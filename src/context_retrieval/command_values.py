"""Values of the command protocol (commands.md): action, scope, target, command.

A value that exists is valid: constructors normalise (a name loses `#` and `-`, an exclude-only scope implies `*`), so
that nothing downstream checks again. All are immutable and hashable.
"""

import re
from enum import StrEnum
from typing import Self

import msgspec
from msgspec.structs import force_setattr

__all__ = [
    "ANY_NAME",
    "HERE_SCOPE",
    "LAST_NAME",
    "Action",
    "Command",
    "DeviceType",
    "Quantifier",
    "Reference",
    "Scope",
    "Target",
]

ANY_NAME = "*"
LAST_NAME = "@last"
HERE_SCOPE = "@here"

_NOT_IN_NAME = re.compile(r"[#\-\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_IN_ROOM = re.compile(r"[#\-,!@*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_IN_ACTION = re.compile(r"[#\-@\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class DeviceType(StrEnum):
    """The closed set of commands.md, NAME and TYPE."""

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
    """How many of what is named are meant (commands.md, Q and N)."""

    ONE = "one"
    ALL = "all"
    ANY = "any"
    EXCEPT = "except"


class Reference(StrEnum):
    """How a request refers to something spoken of before, in place of a name."""

    LAST = "last"


def _clean(text: str, forbidden: re.Pattern[str]) -> str:
    """`text` with every forbidden character turned into a space, trimmed."""
    if forbidden.search(text):
        text = forbidden.sub(" ", text)
    return text.strip()


class Action(msgspec.Struct, frozen=True):
    """One atomic action `verb[=value][@when]`; none of the parts holds `-` (commands.md, ACTION)."""

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
        """Read `*`, `@here`, `客厅,卧室` or `*,!卧室`; only-excluded rooms imply `*` (commands.md, SCOPE)."""
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
    """`NAME#TYPE#Q[#N]` (commands.md, NAME and TYPE). `excluded` holds the names of `*,!name`; then `name` is `*`."""

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
        """Whether it points at what was spoken of last (它), and names nothing."""
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
        """Whether it asks nothing of a home (`UNKNOWN`)."""
        return self.action.verb == "UNKNOWN"

    def __str__(self) -> str:
        return f"{self.action}-{self.scope}-{self.target}"
