"""Times in Chinese text: delays, clock times, dates, recurrences (command protocol: WHEN; seed 003: date slots).

`find_times` reads, `when_string` writes a mention for the command protocol, `resolve` counts it from a given now.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from zhtext.clock_reading import read_calendar, read_clock, read_date, to_24_hours
from zhtext.clock_words import WORDS_BY_START, Fields
from zhtext.durations import TimeUnit
from zhtext.numerals import NUMERAL_CHARACTERS
from zhtext.quantities import read_duration
from zhtext.resolving import resolve
from zhtext.timepoints import Period, Recurrence, TimeKind, TimeMention, when_string

__all__ = ["Period", "Recurrence", "TimeKind", "TimeMention", "find_times", "resolve", "when_string"]

_NUMERAL_RUN: Final = re.compile(f"[{''.join(sorted(NUMERAL_CHARACTERS))}]+")
_STARTS: Final = {*NUMERAL_CHARACTERS, *WORDS_BY_START, *"周星礼下上这本当月每早晚夜差半过等隔再"}
_TRIGGER: Final = re.compile(f"[{''.join(sorted(_STARTS))}]")
_AFTER: Final = re.compile("以后|之后|过后|后(?![面背边台备院门排座])")
_WAIT: Final = re.compile("再?(?:过|等|隔)(?:上|个|他)?")
_PAST_BEFORE: Final = frozenset("超不经通路看用开来去")
_SEPARATOR: Final = re.compile("的(?:时候)?|[ ，,]")
_SENTENCE_END: Final = re.compile("[。！？；!?;\n]")
_JOINED: Final = re.compile("\\s?(?:[和跟及、,，]|还有|以及)?\\s?")
_EXCLUSIVE: Final = (
    ("hour",),
    ("period",),
    ("recurrence", "day_offset", "weekdays", "week_offset", "day", "month", "month_offset"),
)
_DAY_FIELDS: Final = ("recurrence", "weekdays", "week_offset", "day_offset", "year", "month", "month_offset", "day")
_DATED_UNITS: Final = {TimeUnit.DAY: 1, TimeUnit.WEEK: 7}


def find_times(text: str, *, carry: bool = True) -> tuple[TimeMention, ...]:
    """Every time in the text, left to right, not overlapping, in linear time.

    With `carry`, a bare clock time takes over the day and the half of the day of the time before it in the sentence
    (早上七点开，八点关); a day joined to the next time takes its clock (每周二和每周四晚上八点).
    """
    match = _TRIGGER.search(text)
    if match is None:
        return ()
    mentions: list[TimeMention] = []
    while match is not None:
        start = match.start()
        mention = _read(text, start)
        if mention is not None:
            mentions.append(mention)
            position = mention.end
        else:
            run = _NUMERAL_RUN.match(text, start)
            position = run.end() if run else start + 1
        match = _TRIGGER.search(text, position)
    return tuple(_carried(text, mentions)) if carry and len(mentions) > 1 else tuple(mentions)


def _read(text: str, start: int) -> TimeMention | None:
    if text.startswith("分之", start - 2) and start > 1:
        return None  # 百分之十二点五
    fields, end = _read_delay(text, start) or ({}, start)
    if fields and not _dated_delay(fields):
        return _mention(start, end, fields)
    position = end
    while True:
        piece = _read_piece(text, position, fields)
        if piece is None or not _agrees(fields, piece[0]):
            break
        fields, end = fields | piece[0], piece[1]
        if "hour" in fields and any(name in fields for name in _DAY_FIELDS):
            break
        separator = _SEPARATOR.match(text, end)
        position = separator.end() if separator else end
    if "delay" in fields and len(fields) > 1 and _dated_delay(fields):
        delay = fields["delay"]
        fields = fields | {"day_offset": int(delay.value * _DATED_UNITS[delay.unit])}
    if "short_period" in fields and "hour" not in fields:
        return None
    return _mention(start, end, fields) if fields else None


def _dated_delay(fields: Fields) -> bool:
    delay = fields.get("delay")
    return delay is not None and delay.unit in _DATED_UNITS and delay.value == int(delay.value)


def _read_piece(text: str, position: int, fields: Fields) -> tuple[Fields, int] | None:
    character = text[position : position + 1]
    if character in NUMERAL_CHARACTERS or character == "差":
        found = read_clock(text, position, fields) or read_date(text, position)
        if found is not None:
            return found
    return read_calendar(text, position, fields) if character else None


def _agrees(fields: Fields, more: Fields) -> bool:
    """Whether two pieces may belong to one mention: neither says again what the other says, a clock comes last."""
    if "hour" in fields:
        return False
    return not any(_any_in(fields, group) and _any_in(more, group) for group in _EXCLUSIVE)


def _any_in(fields: Fields, names: tuple[str, ...]) -> bool:
    return any(name in fields for name in names)


def _read_delay(text: str, start: int) -> tuple[Fields, int] | None:
    """十分钟后, 半个钟头以后, 过一刻钟, 等五分钟, 再过半小时."""
    wait = _WAIT.match(text, start)
    if wait is not None and text[start] == "过" and start and text[start - 1] in _PAST_BEFORE:
        return None
    read = read_duration(text, wait.end() if wait else start)
    if read is None:
        return None
    duration, end = read
    after = _AFTER.match(text, end)
    if after is None and wait is None:
        return None
    return {"delay": duration}, after.end() if after else end


def _mention(start: int, end: int, fields: Fields) -> TimeMention:
    said: dict[str, Any] = {name: value for name, value in fields.items() if name != "short_period"}
    return TimeMention(start=start, end=end, kind=_kind(said), **said)


def _kind(fields: Fields) -> TimeKind:
    if "delay" in fields and "hour" not in fields and "day_offset" not in fields:
        return TimeKind.DELAY
    if fields.get("recurrence") is not None:
        return TimeKind.RECURRING
    if "hour" in fields:
        return TimeKind.CLOCK
    if fields.get("weekdays"):
        return TimeKind.WEEKDAY
    return TimeKind.DATE if any(fields.get(name) is not None for name in _DAY_FIELDS) else TimeKind.PERIOD


def _carried(text: str, mentions: list[TimeMention]) -> list[TimeMention]:
    for index in range(len(mentions) - 2, -1, -1):
        mentions[index] = _with_joined_clock(text, mentions[index], mentions[index + 1])
    for index in range(1, len(mentions)):
        before, mention = mentions[index - 1], mentions[index]
        if _SENTENCE_END.search(text, before.end, mention.start) is None:
            mentions[index] = _after(text, before, mention)
    return mentions


def _with_joined_clock(text: str, mention: TimeMention, following: TimeMention) -> TimeMention:
    """每周二 in 每周二和每周四晚上八点 is at eight in the evening too."""
    joined = _JOINED.fullmatch(text, mention.end, following.start) is not None
    if not joined or mention.hour is not None or following.hour is None or not mention.has_day or not following.has_day:
        return mention
    clock = {name: getattr(following, name) for name in ("hour", "minute", "period", "past_midnight")}
    kind = TimeKind.RECURRING if mention.recurrence else TimeKind.CLOCK
    return msgspec.structs.replace(mention, kind=kind, **clock)


def _after(text: str, before: TimeMention, mention: TimeMention) -> TimeMention:
    """The mention with what it leaves unsaid taken from the one before."""
    if mention.hour is None or before.hour is None or mention.delay is not None:
        return mention
    changes: dict[str, Any] = {}
    hour = mention.hour
    colon = {":", "："} & set(text[mention.start : mention.end])
    if mention.period is None and before.period is not None and 1 <= hour <= 12 and not colon:
        later, past_midnight = to_24_hours(hour, before.period)
        if (later, mention.minute) >= (before.hour, before.minute):
            hour = later
            changes = {"hour": later, "period": before.period, "past_midnight": past_midnight}
    forward = before.recurrence is not None or (hour, mention.minute) >= (before.hour, before.minute)
    if not mention.has_day and before.has_day and forward:
        changes |= {name: getattr(before, name) for name in _DAY_FIELDS}
        changes |= {"carried": True, "kind": before.kind}
    return msgspec.structs.replace(mention, **changes) if changes else mention
