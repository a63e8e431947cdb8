"""Times in Chinese text: delays, clock times, dates, recurrences (commands.md, ACTION; hospital.md: date slots).

`find_times` reads, `when_string` writes a mention for the command protocol, `resolve` counts it from a given now.
"""

from __future__ import annotations

import re
from typing import Final

from zhtext.carrying import carried
from zhtext.clock_reading import read_calendar, read_clock, read_date
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
from zhtext.patterns import LazyPattern
from zhtext.quantities import read_duration
from zhtext.resolving import resolve
from zhtext.timepoints import Period, Recurrence, TimeKind, TimeMention, when_string

__all__ = ["Period", "Recurrence", "TimeKind", "TimeMention", "find_times", "resolve", "when_string"]

_NUMERAL_RUN: Final = LazyPattern(f"[{''.join(sorted(NUMERAL_CHARACTERS))}]+")
_AFTER: Final = LazyPattern(" ?(?:左右)?(?:以后|之后|过后|后(?![面边]))|\\s?later")
_WAIT: Final = LazyPattern("再?(?:等?过|等|隔)(?:上|个|他|了)?|数[到够]|再有|[延推](?:时|迟)|倒计时")
_SOME = "(?:好?几|十几|十来|[二三四五六七八九]十[几来多]|三五|两三|三四|四五|五六|个把)"
_FEW = f"{_SOME}个?(?:秒钟?|分钟|小时|钟头?|天|月|星期|礼拜)"
_VAGUE: Final = LazyPattern(
    f"再?过(?:上|个)?(?:一?会儿?|{_FEW})(?:以后|之后|后)?|(?:一会儿?|{_FEW})(?:左右)?(?:以后|之后|过后|后)"
)
_EACH: Final = LazyPattern("每(?:隔|过)?(?:个?(小时|钟头|分钟))?")
_WAIT_STARTS: Final = frozenset("再过等隔延推倒数")
_VAGUE_STARTS: Final = frozenset("再过好几个一两二三四五六七八九十")
_PAST_BEFORE: Final = frozenset("超已不经通路看用开来去")
_DUE: Final = LazyPattern("到(?:点(?![一二三四五六七八九十0-9点])|时候|时间)")
_LENGTH: Final = LazyPattern("[半一二三四五六七八九十两0-9]+(?:个半?)?(?:分钟|小时|秒|钟头|刻钟)")
_HOUR_AND_HALF: Final = "点半钟"
"""As southern speech waits it (过点半钟); at the beginning of a time it would be half past."""
_DUE_REACH: Final = 30
_DELAYING: Final = LazyPattern("(?<![a-z])(?:t ?\\+|delay|after|in|wait) ?:?$", re.IGNORECASE)
_DELAY_REACH: Final = 8
_SEPARATORS: Final = frozenset("的 ，,")
_DATED_UNITS: Final = {TimeUnit.DAY: 1, TimeUnit.WEEK: 7}


def find_times(text: str, *, carry: bool = True) -> tuple[TimeMention, ...]:
    """Every time in the text, left to right, not overlapping, in linear time.

    With `carry`, each takes what it leaves unsaid from its neighbours in the sentence (早上七点开，八点关).
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
    return tuple(carried(text, mentions)) if carry and len(mentions) > 1 else tuple(mentions)


def _read(text: str, start: int) -> TimeMention | None:
    if text.startswith("分之", start - 2) and start > 1:
        return None  # 百分之十二点五
    if text[start] == "到":
        return _read_due(text, start)
    if text[start] in _VAGUE_STARTS and (vague := _VAGUE.match(text, start)) is not None:
        return TimeMention(start=start, end=vague.end(), kind=TimeKind.DELAY)
    fields: Fields = {}
    slots = 0
    end = position = start
    if text[start] == "每" and (interval := _read_interval(text, start)) is not None:
        return interval
    delay = _read_delay(text, start)
    if delay is not None:
        start = _said_before(text, start)
        end = position = delay[1]
        if not _is_dated(delay[0]):
            return TimeMention(start=start, end=end, kind=TimeKind.DELAY, delay=delay[0])
        fields["delay"], slots = delay[0], DAY_SLOT
    while (piece := _read_piece(text, position, fields, slots)) is not None and not piece[2] & slots:
        if piece[2] & SHORT_PERIOD_SLOT and not _clock_follows(text, piece[1]):
            break
        fields.update(piece[0])
        end, slots = piece[1], slots | piece[2]
        if slots & CLOCK_SLOT:
            break
        position = end + 1 if text[end : end + 1] in _SEPARATORS else end
    if not slots:
        return None
    if delay is not None and len(fields) > 1:
        fields["day_offset"] = int(delay[0].value * _DATED_UNITS[delay[0].unit])
    return TimeMention(start=start, end=end, kind=_kind(fields, slots), **fields)


def _read_due(text: str, start: int) -> TimeMention | None:
    """到点, 到时候: when the length of time said before is over (我出去二十分钟，到时候…)."""
    due = _DUE.match(text, start)
    if due is None:
        return None
    starts = [said.start() for said in _LENGTH.finditer(text, max(0, start - _DUE_REACH), start)]
    read = read_duration(text, starts[-1]) if starts else None
    if read is not None and read[1] <= start:
        return TimeMention(start=start, end=due.end(), kind=TimeKind.DELAY, delay=read[0])
    if due[0] != "到时候" or "点" in text[max(0, start - _DUE_REACH) : start]:
        return None
    return TimeMention(start=start, end=due.end(), kind=TimeKind.DELAY)  # some time that nobody said


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


def _clock_follows(text: str, position: int) -> bool:
    """Whether a clock time stands right behind 早 or 晚."""
    return read_clock(text, position, {}, SHORT_PERIOD_SLOT) is not None if position < len(text) else False


def _read_piece(text: str, position: int, fields: Fields, slots: int) -> Piece | None:
    character = text[position : position + 1]
    if character in NUMERAL_CHARACTERS or character == "差":
        found = read_clock(text, position, fields, slots) or read_date(text, position)
        if found is not None:
            return found
    return read_calendar(text, position, first=not slots) if character else None


def _is_past(text: str, start: int, wait: re.Match[str]) -> bool:
    """超过十分钟, 过了十分钟: no time to wait; 等过了十分钟 is."""
    return wait[0].endswith("了") or (start > 0 and text[start - 1] in _PAST_BEFORE)


def _said_before(text: str, start: int) -> int:
    """Where a delay begins whose word stands before it in Latin letters: t+30min, delay 1h."""
    if not ("0" <= text[start] <= "9"):
        return start
    begin = max(0, start - _DELAY_REACH)
    said = _DELAYING.search(text, begin, start)
    return said.start() if said is not None else start


def _read_delay(text: str, start: int) -> tuple[Duration, int] | None:
    """十分钟后, 半个钟头以后, 过一刻钟, 等五分钟, 再过半小时."""
    begin = start
    if text[start] in _WAIT_STARTS:
        wait = _WAIT.match(text, start)
        if wait is None or (text[start] == "过" and _is_past(text, start, wait)):
            return None
        begin = wait.end()
        if text.startswith(_HOUR_AND_HALF, begin):
            return Duration(1.5, TimeUnit.HOUR), begin + len(_HOUR_AND_HALF)
    if LENGTH_BEGINS.match(text, begin) is None or (read := read_duration(text, begin)) is None:
        return None
    duration, end = read
    after = _AFTER.match(text, end)
    if after is not None:
        return duration, after.end()
    return read if begin > start or _said_before(text, start) < start else None


def _kind(fields: Fields, slots: int) -> TimeKind:
    if "delay" in fields and "day_offset" not in fields:
        return TimeKind.DELAY
    if "recurrence" in fields:
        return TimeKind.RECURRING
    if slots & CLOCK_SLOT or "hour" in fields:
        return TimeKind.CLOCK
    if "weekdays" in fields:
        return TimeKind.WEEKDAY
    return TimeKind.DATE if slots & DAY_SLOT else TimeKind.PERIOD
