"""Values of the home (seed 004 §4.3, §4.4): property roles, instructs, what a plan says, what a turn answers."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import msgspec

__all__ = ["Deed", "Instruct", "Note", "NoteCode", "Plan", "PropertyRole", "ReplyKind", "now_and_later"]


class ReplyKind(StrEnum):
    """Kinds of reply on the wire (seed 004 §4.2)."""

    INSTRUCT = "instruct"
    QUESTION = "question"
    ANSWER = "answer"
    NONE = "none"


class PropertyRole(StrEnum):
    """What a thing model's property means, whatever a platform calls it."""

    POWER = "power"
    BRIGHTNESS = "brightness"
    COLOUR = "colour"
    COLOUR_TEMPERATURE = "colour_temperature"
    TEMPERATURE = "temperature"  # a target temperature
    HUMIDITY = "humidity"  # a target humidity
    SPEED = "speed"  # fan speed, gear, flow
    VOLUME = "volume"
    OPENING = "opening"
    MODE = "mode"
    MUTE = "mute"
    CHANNEL = "channel"
    PLAYBACK = "playback"
    LOCK = "lock"
    INPUT = "input"
    ACTIVITY = "activity"  # what a robot is doing
    SENSED_TEMPERATURE = "sensed_temperature"
    SENSED_HUMIDITY = "sensed_humidity"
    SENSED_PM25 = "sensed_pm25"
    SENSED_LIGHT = "sensed_light"
    SENSED_CO2 = "sensed_co2"
    SENSED_FORMALDEHYDE = "sensed_formaldehyde"
    OPEN = "open"  # a contact sensor
    MOTION = "motion"
    BATTERY = "battery"
    ALARM = "alarm"  # smoke, water or gas was found
    OTHER = "other"


class Instruct(msgspec.Struct, frozen=True, omit_defaults=True):
    """A state change sent to a device (seed 004 §4.3). `state` holds only what changes, in the model's own properties.

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
    """What is to be done now, in the seed's own shape, and what stands in `active.scheduled` (service.md)."""
    now: list[Instruct] = []
    later: list[Instruct] = []
    for instruct in instructs:
        (later if instruct.deferred else now).append(instruct)
    return tuple(now), tuple(later)


class NoteCode(StrEnum):
    """Why a device that was meant gets no instruct; stable codes, used by replies and explanations."""

    NO_ROOM = "no_room"
    NO_DEVICE = "no_device"
    UNSUPPORTED = "unsupported"
    OUT_OF_RANGE = "out_of_range"
    READ_ONLY = "read_only"
    OFFLINE = "offline"
    PROTECTED = "protected"
    SKIPPED = "skipped"
    RISKY = "risky"
    AT_LIMIT = "at_limit"
    IS_OFF = "is_off"
    TOO_FEW = "too_few"
    CHANGED_SINCE = "changed_since"
    UNKNOWN_VALUE = "unknown_value"


class Note(msgspec.Struct, frozen=True):
    """One thing a plan could not or would not do.

    `attribute` is what was to be changed (温度, 睡眠模式), `detail` what a reply needs beside it (the allowed range or
    choices, a room, a name).
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
        return f"打开{who}并{self.verb}{self.tail}" if self.switched else f"{self.verb}{who}{self.tail}"


class Plan(msgspec.Struct, frozen=True):
    """What is to be sent and what is not, with the reasons; replies are made from a plan only.

    `deeds` stand in the order of `instructs`, one for each.
    """

    instructs: tuple[Instruct, ...] = ()
    notes: tuple[Note, ...] = ()
    deeds: tuple[Deed, ...] = ()
