"""Times relative to an event: 到家前半小时开空调，大概七点到 (`data/events.yaml`; service.md, Timed).

If the sentence gives the hour of the event, the time is computed; otherwise the dialogue asks for it, and nothing is
done now (law 2).
"""

import re
from functools import cache
from pathlib import Path

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.models import ANY_NAME, Command, Scope
from context_retrieval.unsaid_conditions import event_before
from context_retrieval.when import parse_when
from tingdong.commands.reading import Reading
from tingdong.errors import DataError
from tingdong.home.vocabulary import read_table
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.day_words import day_words
from zhtext.clock import TimeKind, TimeMention, find_times
from zhtext.quantities import read_duration

__all__ = ["Hanging", "asked_hour", "at_hour", "hung_on", "with_event_times", "with_sensed_event"]

_DAY = 24 * 60
_NOON, _BEFORE_NOON = 12, 5
MOST_BESIDE_HOUR = 6
"""Characters of the clause of an event's hour beside the hour and the event (那我大概……吧)."""


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One event of `events.yaml`."""

    before: tuple[str, ...]
    clock: tuple[str, ...]
    asked: str
    half: str


class Hanging(msgspec.Struct, frozen=True):
    """What requests wait for (`when`); in the text a delay stands for a time of an event (`delay`), nothing for an
    event that a sensor tells."""

    delay: str | None
    when: str
    room: str = ""
    """Where the event is: what is done is done there, where no room is said for it."""


@cache
def _events() -> dict[str, Event]:
    """The table. Raises `DataError` naming file and key."""
    table = read_table(Path(__file__).parent / "data" / "events.yaml", dict[str, Event])
    for key, event in table.items():
        if event.half not in ("am", "pm", "night"):
            raise DataError(f"events.yaml: {key}: half: {event.half}")
    return table


@cache
def _said() -> re.Pattern[str]:
    words = sorted((word for event in _events().values() for word in event.before), key=len, reverse=True)
    return re.compile(
        f"(?:我们?|咱们?|在)?(?P<event>{'|'.join(words)})(?:了|着|觉)?(?P<side>之前|以前|前|之后|以后|后)(?:的|大约|大概)?"
    )


def _event_of(word: str) -> Event:
    return next(event for event in _events().values() if word in event.before)


def with_event_times(text: str) -> tuple[str, Hanging | None]:
    """The text with a time told by an event in its place, or with a delay where the event's hour is not said."""
    found = _said().search(text)
    length = _length(text, found.end()) if found is not None else None
    if found is None or length is None:
        return text, None
    minutes, end = length
    minutes = -minutes if "前" in found["side"] else minutes
    event = _event_of(found["event"])
    rest, hour = _without_its_hour(text, found.span(), event)
    place = rest.find(text[found.start() : end])
    if hour is None or place < 0:
        delay = f"{abs(minutes)}分钟后"
        when = f"{found['event']}{'前' if minutes < 0 else '后'}{abs(minutes)}分钟"
        return f"{text[: found.start()]}{delay}{text[end:]}", Hanging(delay, when)
    told = _spoken((hour + minutes) % _DAY, halved=rest[:place].endswith(day_words().halves))
    return f"{rest[:place]}{told}{rest[place + end - found.start() :]}", None


def with_sensed_event(text: str, catalog: Catalog) -> tuple[str, Hanging] | None:
    """What is done once somebody comes by, or water leaks (有人经过客厅就开灯), and that event; None where it is no
    such sentence, several things are done, or nothing in the home senses it."""
    event = event_before(text, catalog)
    when = parse_when(event[1]) if event is not None else None
    if event is None or when is None or len(pauses.spans(event[0])) > 1 or not catalog.sensing(when.attribute):
        return None
    return event[0], Hanging(None, when.text, when.subject)


def _length(text: str, start: int) -> tuple[int, int] | None:
    """The minutes that are said at the place, and where they end."""
    found = read_duration(text[start:], 0) if start < len(text) else None  # 前一个钟头 is read as an hour
    return None if found is None else (round(found[0].seconds / 60), start + found[1])


def _without_its_hour(text: str, phrase: tuple[int, int], event: Event) -> tuple[str, int | None]:
    """The text without the clause that tells the event's hour, and the hour in minutes from midnight."""
    for start, end in pauses.spans(text):
        clause = text[start:end]
        times = [one for one in find_times(clause) if one.kind is TimeKind.CLOCK and one.hour is not None]
        if start <= phrase[0] < end or len(times) != 1:
            continue
        beside = clause[: times[0].start] + clause[times[0].end :]
        if any(word in beside for word in event.clock) and len(beside) <= MOST_BESIDE_HOUR:
            return (text[:start] + text[end:]).strip("，, 。；"), _minutes(times[0], event)
    return text, None


def _minutes(time: TimeMention, event: Event) -> int:
    """The event's hour; one without its half of the day is in the half that the event is in."""
    minutes = (time.hour or 0) * 60 + time.minute
    return minutes if time.period is not None else _in_its_half(minutes, event)


def _in_its_half(minutes: int, event: Event) -> int:
    """A bare hour, in minutes, in the half of the day that the event is in."""
    later = event.half != "am" and _BEFORE_NOON * 60 <= minutes < _NOON * 60
    midnight = event.half == "night" and minutes // 60 == _NOON
    return (minutes + _NOON * 60) % _DAY if later or midnight else minutes


def _spoken(minutes: int, *, halved: bool) -> str:
    """22点30分, 早上8点: so that it is read as what it is."""
    hour, minute = divmod(minutes, 60)
    half = "" if halved or hour >= _NOON else "凌晨" if hour < _BEFORE_NOON else "早上"
    return f"{half}{hour}点" + (f"{minute}分" if minute else "整")


def hung_on(reading: Reading, hanging: Hanging | None) -> Reading:
    """The reading with what waits for the event in the place of the delay that stood for it."""
    if hanging is None:
        return reading
    commands = tuple(_waiting(one, hanging) if one.action.when == hanging.delay else one for one in reading.commands)
    parts = tuple(msgspec.structs.replace(one, reading=hung_on(one.reading, hanging)) for one in reading.parts)
    return msgspec.structs.replace(reading, commands=commands, parts=parts)


def _waiting(command: Command, hanging: Hanging) -> Command:
    action = msgspec.structs.replace(command.action, when=hanging.when)
    bare = bool(hanging.room) and command.scope == Scope() and command.target.name == ANY_NAME
    return msgspec.structs.replace(command, action=action, scope=Scope((hanging.room,)) if bare else command.scope)


def asked_hour(when: str | None) -> str:
    """How the hour of the event is asked for that a request waits for; "" where it waits for none."""
    found = _said().match(when or "")
    return "" if found is None else f"你{_event_of(found['event']).asked.removeprefix('你')}呢？"


def at_hour(when: str, clock: str) -> str:
    """The `when` of a request that waits for an event, now that its hour (`HH:MM`, a day before it or not) is known."""
    found = _said().match(when)
    length = _length(when, found.end()) if found is not None else None
    day, said = clock[:-5], clock[-5:]
    if found is None or length is None:
        return when
    minutes = int(said[:2]) * 60 + int(said[3:])
    minutes = minutes if day else _in_its_half(minutes, _event_of(found["event"]))
    hour, minute = divmod((minutes + (-length[0] if "前" in found["side"] else length[0])) % _DAY, 60)
    return f"{day}{hour:02d}:{minute:02d}"
