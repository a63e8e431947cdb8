"""Times in Chinese text: delays, clock times, dates, recurrences (command protocol: WHEN; seed 003: date slots).

`find_times` reads, `when_string` writes a mention for the command protocol, `resolve` counts it from a given now.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from zhtext.clock_reading import read_calendar, read_clock, read_date, to_24_hours
from zhtext.clock_words import (
    CLOCK_SLOT,
    DAY_SLOT,
    LENGTH_BEGINS,
    SHORT_PERIOD_SLOT,
    TIME_STARTS,
    Fields,
    Piece,
    may_begin,
)
from zhtext.durations import Duration, TimeUnit
from zhtext.numerals import NUMERAL_CHARACTERS
from zhtext.quantities import read_duration
from zhtext.resolving import resolve
from zhtext.timepoints import Period, Recurrence, TimeKind, TimeMention, when_string

__all__ = ["Period", "Recurrence", "TimeKind", "TimeMention", "find_times", "resolve", "when_string"]

_NUMERAL_RUN: Final = re.compile(f"[{''.join(sorted(NUMERAL_CHARACTERS))}]+")
_AFTER: Final = re.compile("以后|之后|过后|后(?![面背边台备院门排座])|\\s?later")
_WAIT: Final = re.compile("再?(?:过|等|隔)(?:上|个|他)?")
_EACH: Final = re.compile("每(?:隔|过)?(?:个?(小时|钟头|分钟))?")
_WAIT_STARTS: Final = frozenset("再过等隔")
_PAST_BEFORE: Final = frozenset("超不经通路看用开来去")
_SEPARATORS: Final = frozenset("的 ，,")
_SENTENCE_END: Final = re.compile("[。！？；!?;\n]")
_JOINED: Final = re.compile("\\s?(?:[和跟及、,，]|还有|以及)?\\s?")
_DAY_FIELDS: Final = (
    "recurrence",
    "interval",
    "weekdays",
    "week_offset",
    "day_offset",
    "year",
    "month",
    "month_offset",
    "day",
)
_DATED_UNITS: Final = {TimeUnit.DAY: 1, TimeUnit.WEEK: 7}


def find_times(text: str, *, carry: bool = True) -> tuple[TimeMention, ...]:
    """Every time in the text, left to right, not overlapping, in linear time.

    With `carry`, a bare clock time takes over the day and the half of the day of the time before it in the sentence
    (早上七点开，八点关); a day joined to the next time takes its clock (每周二和每周四晚上八点).
    """
    match = TIME_STARTS.search(text)
    if match is None:
        return ()
    mentions: list[TimeMention] = []
    while match is not None:
        start = match.start()
        mention = _read(text, start) if may_begin(text, start) else None
        if mention is not None:
            mentions.append(mention)
            position = mention.end
        else:
            run = _NUMERAL_RUN.match(text, start)
            position = run.end() if run else start + 1
        match = TIME_STARTS.search(text, position)
    return tuple(_carried(text, mentions)) if carry and len(mentions) > 1 else tuple(mentions)


def _read(text: str, start: int) -> TimeMention | None:
    if text.startswith("分之", start - 2) and start > 1:
        return None  # 百分之十二点五
    fields: Fields = {}
    slots = 0
    end = position = start
    if text[start] == "每" and (interval := _read_interval(text, start)) is not None:
        return interval
    delay = _read_delay(text, start)
    if delay is not None:
        end = position = delay[1]
        if not _is_dated(delay[0]):
            return TimeMention(start=start, end=end, kind=TimeKind.DELAY, delay=delay[0])
        fields["delay"], slots = delay[0], DAY_SLOT
    while (piece := _read_piece(text, position, fields, slots)) is not None and not piece[2] & slots:
        fields.update(piece[0])
        end, slots = piece[1], slots | piece[2]
        if slots & CLOCK_SLOT:
            break
        position = end + 1 if text[end : end + 1] in _SEPARATORS else end
    if not slots or (slots & SHORT_PERIOD_SLOT and not slots & CLOCK_SLOT):
        return None
    if delay is not None and len(fields) > 1:
        fields["day_offset"] = int(delay[0].value * _DATED_UNITS[delay[0].unit])
    return TimeMention(start=start, end=end, kind=_kind(fields, slots), **fields)


def _read_interval(text: str, start: int) -> TimeMention | None:
    """每隔两小时, 每半个钟头, 每小时."""
    each = _EACH.match(text, start)
    if each is None:
        return None
    if each[1]:
        interval, end = Duration(1, TimeUnit(each[1].replace("钟头", "小时"))), each.end()
    elif LENGTH_BEGINS.match(text, each.end()) is not None and (read := read_duration(text, each.end())) is not None:
        interval, end = read
    else:
        return None
    kind, recurrence = TimeKind.RECURRING, Recurrence.INTERVAL
    return TimeMention(start=start, end=end, kind=kind, recurrence=recurrence, interval=interval)


def _is_dated(delay: Duration) -> bool:
    """Whether a delay leads to a day, of which a time may follow: 三天后早上八点."""
    return delay.unit in _DATED_UNITS and delay.value == int(delay.value)


def _read_piece(text: str, position: int, fields: Fields, slots: int) -> Piece | None:
    character = text[position : position + 1]
    if character in NUMERAL_CHARACTERS or character == "差":
        found = read_clock(text, position, fields, slots) or read_date(text, position)
        if found is not None:
            return found
    return read_calendar(text, position, first=not slots) if character else None


def _read_delay(text: str, start: int) -> tuple[Duration, int] | None:
    """十分钟后, 半个钟头以后, 过一刻钟, 等五分钟, 再过半小时."""
    begin = start
    if text[start] in _WAIT_STARTS:
        wait = _WAIT.match(text, start)
        if wait is None or (text[start] == "过" and start and text[start - 1] in _PAST_BEFORE):
            return None  # 超过十分钟
        begin = wait.end()
    if LENGTH_BEGINS.match(text, begin) is None or (read := read_duration(text, begin)) is None:
        return None
    duration, end = read
    after = _AFTER.match(text, end)
    if after is not None:
        return duration, after.end()
    return read if begin > start else None


def _kind(fields: Fields, slots: int) -> TimeKind:
    if "delay" in fields and "day_offset" not in fields:
        return TimeKind.DELAY
    if "recurrence" in fields:
        return TimeKind.RECURRING
    if slots & CLOCK_SLOT:
        return TimeKind.CLOCK
    if "weekdays" in fields:
        return TimeKind.WEEKDAY
    return TimeKind.DATE if slots & DAY_SLOT else TimeKind.PERIOD


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
    if mention.period not in (None, following.period):
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
