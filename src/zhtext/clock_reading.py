"""Reads one piece of a time at a position: a clock time, a calendar date, a week or a month.

一点 is one o'clock only with a sign of it: a part of the day or a day before it, or 钟, 整, 半, 刻 or minutes after it;
else it means "a little" (亮一点). An hour after a word of change (调高两点) is none either.
"""

from __future__ import annotations

import re
from typing import Final

from zhtext.clock_words import (
    BEFORE_CLOCK_ONLY,
    CLOCK_SLOT,
    DAY_SLOT,
    MEAL_STARTS,
    MEALS,
    MONTH,
    MONTH_OFFSETS,
    PERIOD_SLOT,
    SHORT_PERIOD_SLOT,
    WEEK,
    WEEK_OFFSETS,
    WEEKDAY,
    WEEKDAY_NUMBERS,
    WEEKDAYS,
    WEEKLY,
    WORKWEEK,
    Fields,
    Piece,
    word_at,
)
from zhtext.numerals import scan_number
from zhtext.patterns import LazyPattern
from zhtext.remembering import remembered
from zhtext.timepoints import Period, Recurrence
from zhtext.unit_words import COMPARISONS

_MINUTES = "([0-5]?[0-9]|[零〇○][一二三四五六七八九1-9]|[二三四五]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_HOUR = "([0-9]{1,2}|二十[一二三四]?|十[一二三四五六七八九]?|廿[一二三四]?|[零〇一二两三四五六七八九])"
_QUARTER = "([一二两三123])刻钟?"
_DIGITAL: Final = LazyPattern("([01]?[0-9]|2[0-4])[:：]([0-5][0-9])(?:[:：][0-5][0-9])?(?![0-9])")
_COMPACT: Final = LazyPattern("([01][0-9]|2[0-3])([0-5][0-9])(?![0-9度%％Kk℃.])")
_OCLOCK: Final = LazyPattern(f"{_HOUR}(?:点(?!儿)|时(?![候间段常不区差光]))")
_TO_THE_HOUR: Final = LazyPattern(f"差(?:{_QUARTER}|{_MINUTES}分钟?)(?:到|就)?(?={_HOUR}点)")
_TAIL: Final = LazyPattern(
    f"钟?(?:(?P<sharp>整|正(?!在|好|常))|(?P<half>半)(?![个小天夜度分])|[过零]?(?P<quarter>{_QUARTER})|[差欠](?P<short>{_QUARTER}|{_MINUTES}分)"
    f"|(?P<fives>[一二两三四五六七八九十])个字|过?(?P<minutes>{_MINUTES})(?P<unit>分(?![之钟后以])|分钟(?!后|以后|之后))?)"
)
_MINUTE_LIKE: Final = LazyPattern("[0-5][0-9]|[零〇○][一二三四五六七八九1-9]|[二三四五]?十[一二三四五六七八九]?")
_NOT_MINUTES: Final = LazyPattern(r"\s?[度%％℃°档挡级成盏KkC.秒0-9百千万:：]|个(?!人)|分之|分钟(?:后|以后|之后)")
_DECIMAL_UNIT: Final = LazyPattern("[零〇一二三四五六七八九0-9]+\\s?(?:[度%％℃°成倍K万千档挡级格]|摄氏|华氏)")
_CHANGED_BEFORE: Final = frozenset("高低大小亮暗多少快慢加减升降暖冷热凉第")
_BY_NOW: Final = LazyPattern("[都快才]$|已经$")
_ENGLISH: Final = LazyPattern(r"(1[0-2]|0?[1-9])(?::([0-5][0-9]))?\s?([ap])\.?m\.?(?![a-z])", re.IGNORECASE)
_HALF_DAY: Final = frozenset(" aApP")
"""What may begin am or pm behind a clock time (8:00pm)."""
_DAY_NUMBER = "([0-9]{1,2}|[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九])"
_DATE: Final = LazyPattern(
    f"(?:([0-9]{{4}})年)?([0-9]{{1,2}}|十[一二]?|[一二三四五六七八九])月份?(?:{_DAY_NUMBER}([日号]?))?"
)
_SLASH_DATE: Final = LazyPattern("([0-9]{1,2})/([0-9]{1,2})(?= ?[0-9]{1,2}[:：点])")
_ISO_DATE: Final = LazyPattern("([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9])")
_DAY_OF_MONTH: Final = LazyPattern(f"{_DAY_NUMBER}[号日]")
_AFTER_DAY: Final = LazyPattern(
    "[^一-鿿]|[的早中晚上下凌傍零一二两三四五六七八九十吧呢啊哈前之能可行有挂约去来看就再还给帮要我你请都]|以[前后]|开(?!关)|$"
)
_BEFORE_QUEUE: Final = frozenset("到的第叫是")

_AFTERNOON: Final = frozenset((Period.AFTERNOON, Period.DUSK, Period.EVENING, Period.NIGHT))


def to_24_hours(hour: int, period: Period | None) -> tuple[int, bool]:
    """The hour of the day, and whether it lies after the midnight ending the period: 晚上十点 → 22, 夜里十二点 → 0."""
    if hour == 24:
        return 0, True
    late = period in (Period.EVENING, Period.NIGHT)
    if hour == 12 and (late or period is Period.DAWN):
        return 0, late
    if hour == 0 or hour >= 12 or period not in _AFTERNOON | {Period.NOON}:
        return hour, hour == 0 and late
    if period is Period.NOON:
        return (hour + 12, False) if hour <= 3 else (hour, False)
    if late and hour <= (5 if period is Period.NIGHT else 4):
        return hour, period is Period.EVENING
    return hour + 12, False


def read_clock(text: str, start: int, fields: Fields, slots: int) -> Piece | None:
    """The clock time at `start`; `fields` and `slots`: what the mention says before it (a day, a part of it)."""
    short = 0
    position = start
    if text[start] <= "9":
        digital = _DIGITAL.match(text, start)
        if digital is not None and text[digital.end() : digital.end() + 1] not in _HALF_DAY:
            return _clock(int(digital[1]), int(digital[2]), fields, digital.end())
        if slots & DAY_SLOT and (compact := _COMPACT.match(text, start)) is not None:
            return _clock(int(compact[1]), int(compact[2]), fields, compact.end())  # 每周一0730
        if (english := _ENGLISH.match(text, start)) is not None:
            hour = int(english[1]) % 12 + (12 if english[3] in "pP" else 0)
            return {"hour": hour, "minute": int(english[2] or 0)}, english.end(), CLOCK_SLOT
        if digital is not None:
            return _clock(int(digital[1]), int(digital[2]), fields, digital.end())
    elif text[start] == text[start + 1 : start + 2]:
        position = start + 1  # 七七点: a stammer
    elif text[start] == "差":
        if (before := _TO_THE_HOUR.match(text, start)) is None:
            return None
        short, position = _minutes(before[1], before[2]), before.end()
    match = _OCLOCK.match(text, position)
    if match is None:
        return None
    hour, end = _number(match[1]), match.end()
    if text.startswith("了", end) and _BY_NOW.search(text, max(0, start - 2), start) is not None:
        return None  # 都十二点了: what the clock shows now
    tail = _TAIL.match(text, end)
    if tail is not None and (minutes := _tail_minutes(text, tail)) is not None:
        return _clock(hour, minutes - short, fields, tail.end())
    if not short and not _is_oclock(text, start, match, slots):
        return None
    end += text.startswith("钟", end)
    return _clock(hour, -short, fields, end)


def _is_oclock(text: str, start: int, match: re.Match[str], slots: int) -> bool:
    """Whether a bare hour is one: see the rule in the head of this module."""
    end = match.end()
    if text[end - 1] == "时":
        if text[max(0, start - 2) : start] in COMPARISONS:
            return False
        return match[1].isascii() or len(match[1]) > 1 or match[1] in "零〇"
    if text.startswith("钟", end):
        return True
    said_before = bool(slots) and not slots & SHORT_PERIOD_SLOT
    if _DECIMAL_UNIT.match(text, end) is not None and not said_before:
        return False  # 二十四点五度
    if text.startswith("一点点", end - 2):
        return False
    if said_before:
        return True
    return match[1] != "一" and (start == 0 or text[start - 1] not in _CHANGED_BEFORE)


def _tail_minutes(text: str, tail: re.Match[str]) -> int | None:
    """Minutes after the hour (negative: before it), or None where what follows the hour is no part of the time."""
    if tail["sharp"]:
        return 0
    if tail["half"]:
        return 30
    if tail["quarter"]:
        return 15 * _number(tail["quarter"][0])
    if tail["short"]:
        return -_said_minutes(tail["short"])
    if tail["fives"]:
        return 5 * _number(tail["fives"])
    if tail["unit"]:
        return _number(tail["minutes"])
    if _MINUTE_LIKE.fullmatch(tail["minutes"]) is None or _NOT_MINUTES.match(text, tail.end()) is not None:
        return None
    return _number(tail["minutes"])


def _said_minutes(said: str) -> int:
    return 15 * _number(said[0]) if "刻" in said else _number(said.rstrip("分"))


def _minutes(quarters: str | None, minutes: str | None) -> int:
    return 15 * _number(quarters) if quarters else _number(minutes or "0")


def _clock(hour: int, minute: int, fields: Fields, end: int) -> Piece | None:
    if hour > 24 or minute > 59:
        return None
    hour, past_midnight = to_24_hours(hour, fields.get("period"))
    if minute < 0:
        hour, minute = (hour - 1) % 24, minute + 60
    return {"hour": hour, "minute": minute, "past_midnight": past_midnight}, end, CLOCK_SLOT


def read_calendar(text: str, position: int, *, first: bool) -> Piece | None:
    """The day, week, recurrence or part of the day at `position`; `first` where nothing before belongs to it."""
    character = text[position : position + 1]
    if character == "每" and (found := _read_weekly(text, position)) is not None:
        return found
    if (found := word_at(text, position, first=first)) is not None:
        return found
    if character in MEAL_STARTS:
        for length in (4, 3, 2):
            if (period := MEALS.get(text[position : position + length])) is not None:
                return {"period": period}, position + length, SHORT_PERIOD_SLOT | PERIOD_SLOT
    if character in _WEEK_STARTS:
        return _read_workweek(text, position) or _read_weekday(text, position) or _read_month(text, position)
    if character in BEFORE_CLOCK_ONLY:
        word = text[position : position + 2] if text[position : position + 2] in BEFORE_CLOCK_ONLY else character
        return {"period": BEFORE_CLOCK_ONLY[word]}, position + len(word), SHORT_PERIOD_SLOT | PERIOD_SLOT
    return None


_COUNTED_WEEKS: Final = LazyPattern("(?:^|[^周期拜])[一二两三四五六七八九十0-9]周")
_WEEK_STARTS: Final = frozenset("周星礼下上这本当月每")


def _read_weekly(text: str, position: int) -> Piece | None:
    if (workweek := _read_workweek(text, position)) is not None:
        return workweek
    if (weekly := WEEKLY.match(text, position)) is not None:
        days = tuple(dict.fromkeys(WEEKDAY_NUMBERS[day] for day in weekly[1] if day in WEEKDAY_NUMBERS))
        return {"recurrence": Recurrence.WEEKLY, "weekdays": days}, weekly.end(), DAY_SLOT
    if text.startswith(("每月", "每个月"), position):
        begin = position + (2 if text[position + 1] == "月" else 3)
        day = _DAY_OF_MONTH.match(text, begin)
        if day is not None and 1 <= (number := _number(day[1])) <= 31:
            return {"recurrence": Recurrence.MONTHLY, "day": number}, day.end(), DAY_SLOT
    return None


def _read_workweek(text: str, position: int) -> Piece | None:
    match = WORKWEEK.match(text, position)
    if match is None:
        return None
    first, last = WEEKDAY_NUMBERS[match[1]], WEEKDAY_NUMBERS[match[2]]
    if (first, last) == (0, 4):
        return {"recurrence": Recurrence.WORKDAYS}, match.end(), DAY_SLOT
    if first >= last:
        return None
    return {"recurrence": Recurrence.WEEKLY, "weekdays": tuple(range(first, last + 1))}, match.end(), DAY_SLOT


def _read_weekday(text: str, position: int) -> Piece | None:
    if (several := WEEKDAYS.match(text, position)) is not None:
        days = tuple(dict.fromkeys(WEEKDAY_NUMBERS[day] for day in several[1] if day in WEEKDAY_NUMBERS))
        return {"recurrence": Recurrence.WEEKLY, "weekdays": days}, several.end(), DAY_SLOT
    match = WEEKDAY.match(text, position)
    if match is not None:
        if _COUNTED_WEEKS.search(text, max(0, position - 2), position + 1) is not None:
            return None  # 两周一次
        days = (5, 6) if match[3] else (WEEKDAY_NUMBERS[match[2]],)
        return {"weekdays": days, "week_offset": WEEK_OFFSETS.get(match[1])}, match.end(), DAY_SLOT
    week = WEEK.match(text, position)
    return ({"week_offset": WEEK_OFFSETS[week[1]]}, week.end(), DAY_SLOT) if week else None


def _read_month(text: str, position: int) -> Piece | None:
    match = MONTH.match(text, position)
    if match is None:
        return None
    edge = match[2] or match[3]
    fields: Fields = {"month_offset": MONTH_OFFSETS[match[1]] if match[1] else 0}
    if edge:
        return fields | {"day": 1 if edge == "初" else -1}, match.end(), DAY_SLOT
    day = _DAY_OF_MONTH.match(text, match.end() + text.startswith("的", match.end()))
    if day is not None and 1 <= (number := _number(day[1])) <= 31:
        return fields | {"day": number}, day.end(), DAY_SLOT
    return fields, match.end(), DAY_SLOT


def read_date(text: str, start: int) -> Piece | None:
    """The calendar date that begins with a numeral at `start`: 11月24日, 十一月二十四号, 25号, 2026-11-24."""
    if (iso := _ISO_DATE.match(text, start)) is not None:
        return _dated(int(iso[1]), int(iso[2]), int(iso[3]), iso.end())
    if (slash := _SLASH_DATE.match(text, start)) is not None:
        return _dated(None, int(slash[1]), int(slash[2]), slash.end())  # 11/28 09:00
    if (match := _DATE.match(text, start)) is not None:
        if match[3] is None or (not match[4] and not match[3].isascii()):
            return None if match[1] is None else _dated(int(match[1]), _number(match[2]), None, match.end(2) + 1)
        return _dated(int(match[1]) if match[1] else None, _number(match[2]), _number(match[3]), match.end())
    day = _DAY_OF_MONTH.match(text, start)
    if day is None or not 1 <= (number := _number(day[1])) <= 31 or _AFTER_DAY.match(text, day.end()) is None:
        return None
    if start and text[start - 1] in _BEFORE_QUEUE and not text.startswith(("改到", "约到", "换到", "推到"), start - 2):
        return None
    return {"day": number}, day.end(), DAY_SLOT


def _dated(year: int | None, month: int, day: int | None, end: int) -> Piece | None:
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return {"year": year, "month": month, "day": day}, end, DAY_SLOT


@remembered(1024)
def _number(said: str) -> int:
    scanned = scan_number(said, 0)
    if scanned is not None and scanned[1] < len(said):  # 零5
        scanned = scan_number(said, scanned[1])
    return int(scanned[0]) if scanned else 0
