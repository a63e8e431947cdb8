"""Values of the home (service.md, Closing frame, Home): property roles, instructs, what a plan says, what a turn
answers."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, ClassVar

import msgspec

__all__ = ["Deed", "Instruct", "Note", "NoteCode", "Plan", "PropertyRole", "ReplyKind", "now_and_later"]


class ReplyKind(StrEnum):
    """Kinds of reply on the wire (service.md, Token frame)."""

    INSTRUCT = "instruct"
    QUESTION = "question"
    ANSWER = "answer"
    NONE = "none"


class PropertyRole(str):
    """What a thing model's property means, whatever a platform calls it: a row of `data/properties.yaml`.

    Only the roles that code speaks of are named here. There is one object a role, so that `is` compares them.
    """

    __slots__ = ()
    _known: ClassVar[dict[str, "PropertyRole"]] = {}

    POWER: ClassVar["PropertyRole"]
    BRIGHTNESS: ClassVar["PropertyRole"]
    COLOUR: ClassVar["PropertyRole"]
    COLOUR_TEMPERATURE: ClassVar["PropertyRole"]
    TEMPERATURE: ClassVar["PropertyRole"]
    """A target temperature."""
    HUMIDITY: ClassVar["PropertyRole"]
    """A target humidity."""
    SPEED: ClassVar["PropertyRole"]
    """Fan speed, gear, flow."""
    VOLUME: ClassVar["PropertyRole"]
    OPENING: ClassVar["PropertyRole"]
    MODE: ClassVar["PropertyRole"]
    MUTE: ClassVar["PropertyRole"]
    CHANNEL: ClassVar["PropertyRole"]
    PLAYBACK: ClassVar["PropertyRole"]
    LOCK: ClassVar["PropertyRole"]
    INPUT: ClassVar["PropertyRole"]
    ACTIVITY: ClassVar["PropertyRole"]
    """What a robot is doing."""
    SENSED_TEMPERATURE: ClassVar["PropertyRole"]
    SENSED_HUMIDITY: ClassVar["PropertyRole"]
    OPEN: ClassVar["PropertyRole"]
    """A contact sensor."""
    ALARM: ClassVar["PropertyRole"]
    """Something was found that is not said more closely."""
    OTHER: ClassVar["PropertyRole"]

    def __new__(cls, key: str) -> "PropertyRole":
        """The role of this key; the same object each time."""
        return cls._known.setdefault(key, super().__new__(cls, key))


for _name in PropertyRole.__annotations__:
    if _name.isupper():
        setattr(PropertyRole, _name, PropertyRole(_name.lower()))


class Instruct(msgspec.Struct, frozen=True, omit_defaults=True):
    """A state change sent to a device (service.md, Closing frame). `state` holds only what changes, in the model's own
    properties.

    `when` (ISO 8601 duration, time or date-time, RRULE, or a condition) marks a deferred one: not to be applied now;
    `timer_id` names it, `cancel` takes the named timer back.
    """

    id: str
    state: dict[str, Any]
    summary: str = ""
    when: str | None = None
    timer_id: str | None = None
    cancel: str | None = None

    @property
    def deferred(self) -> bool:
        """Whether nothing is to be done now: it waits, or takes a timer back."""
        return self.when is not None or self.cancel is not None


def now_and_later(instructs: Iterable[Instruct]) -> tuple[tuple[Instruct, ...], tuple[Instruct, ...]]:
    """The immediate instructs in the protocol's form, and the entries of `active.scheduled` (service.md)."""
    now: list[Instruct] = []
    later: list[Instruct] = []
    for instruct in instructs:
        (later if instruct.deferred else now).append(instruct)
    return tuple(now), tuple(later)


class NoteCode(StrEnum):
    """Why a target device gets no instruct; stable codes for replies and explanations."""

    NO_ROOM = "no_room"
    NO_DEVICE = "no_device"
    UNSUPPORTED = "unsupported"
    OUT_OF_RANGE = "out_of_range"
    READ_ONLY = "read_only"
    OFFLINE = "offline"
    PROTECTED = "protected"
    NOT_BEGUN = "not_begun"
    SKIPPED = "skipped"
    RISKY = "risky"
    AT_LIMIT = "at_limit"
    IS_OFF = "is_off"
    TOO_FEW = "too_few"
    CHANGED_SINCE = "changed_since"
    UNKNOWN_VALUE = "unknown_value"


class Note(msgspec.Struct, frozen=True):
    """One part of a request that was not planned.

    `attribute` is what was to be changed (温度, 睡眠模式), `detail` what the reply adds (the allowed range or choices,
    a room, a name).
    """

    code: NoteCode
    device_id: str | None = None
    detail: str = ""
    attribute: str = ""


class Deed(msgspec.Struct, frozen=True):
    """How an instruct is told: `verb` + device + `tail` (调节 | 客厅空调 | 温度到26度).

    `of` names the property it speaks of ("" for a scene or a timer); `switched` says that the device is switched on
    first, which is told before it (打开客厅空调并调节温度到26度).
    """

    device_id: str
    verb: str
    tail: str = ""
    of: str = ""
    switched: bool = False

    def told(self, who: str) -> str:
        """The phrase about `who`."""
        return (
            f"打开{who}并{self.verb}{self.tail.removeprefix('的')}" if self.switched else f"{self.verb}{who}{self.tail}"
        )


class Plan(msgspec.Struct, frozen=True):
    """Instructs and notes with reasons; replies are made from a plan only.

    `deeds` are parallel to `instructs`.
    """

    instructs: tuple[Instruct, ...] = ()
    notes: tuple[Note, ...] = ()
    deeds: tuple[Deed, ...] = ()
