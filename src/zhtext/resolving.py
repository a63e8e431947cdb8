"""From a mention of time and a given now to a date, a session of the day and a time (the date slots of hospital.md)."""

from __future__ import annotations

import datetime as dt
from typing import Final

from zhtext.durations import TimeUnit
from zhtext.timepoints import Period, Recurrence, TimeMention

_SESSIONS: Final = {
    Period.DAWN: "上午",
    Period.MORNING: "上午",
    Period.FORENOON: "上午",
    Period.NOON: "中午",
    Period.AFTERNOON: "下午",
    Period.DUSK: "晚上",
    Period.EVENING: "晚上",
    Period.NIGHT: "晚上",
}
"""Parts of the day as sessions of a consultation."""

Resolved = tuple[dt.date | None, str | None, dt.time | None]
"""Date, session (上午, 中午, 下午, 晚上), time of day; None for what was not said."""


def resolve(mention: TimeMention, now: dt.datetime) -> Resolved:
    """What the mention says, counted from `now`. Pure; the time carries no time zone.

    A weekday without 这 or 下 is the coming one, today included; 下周三 is Wednesday of the next calendar week. A day
    of the month, and a month, that has passed is the next one. A whole week (下周) or a day that does not exist
    (2月30日) gives no date.
    """
    if mention.delay is not None and mention.day_offset is None:
        return _resolve_delay(mention, now)
    time = None if mention.hour is None else dt.time(mention.hour, mention.minute)
    date = _date(mention, now.date())
    if date is not None and mention.past_midnight:
        date = _shifted(date, 1)
    return date, _session(mention), time


def _resolve_delay(mention: TimeMention, now: dt.datetime) -> Resolved:
    delay = mention.delay
    if delay is None:
        return None, None, None
    if delay.unit is TimeUnit.MONTH and delay.value == int(delay.value):
        return _month_later(now.date(), int(delay.value)), None, None
    try:
        then = now + dt.timedelta(seconds=delay.seconds)
    except OverflowError:
        return None, None, None
    if delay.unit in (TimeUnit.DAY, TimeUnit.WEEK, TimeUnit.MONTH, TimeUnit.YEAR):
        return then.date(), None, None
    return then.date(), None, then.time().replace(microsecond=0)


def _session(mention: TimeMention) -> str | None:
    if mention.period is not None:
        return _SESSIONS[mention.period]
    if mention.hour is None:
        return None
    return "上午" if mention.hour < 12 else "中午" if mention.hour < 13 else "下午" if mention.hour < 18 else "晚上"


def _date(mention: TimeMention, today: dt.date) -> dt.date | None:
    if mention.day_offset is not None:
        return _shifted(today, mention.day_offset)
    if mention.recurrence is Recurrence.WEEKENDS:
        return _coming(today, (5, 6))
    if mention.recurrence is Recurrence.WORKDAYS:
        return _coming(today, tuple(range(5)))
    if mention.recurrence is Recurrence.DAILY:
        return today
    if mention.weekdays:
        return _weekday(mention, today)
    return None if mention.day is None else _day_of_month(mention, today)


def _weekday(mention: TimeMention, today: dt.date) -> dt.date | None:
    if mention.week_offset is None:
        return _coming(today, mention.weekdays)
    monday = _shifted(today, 7 * mention.week_offset - today.weekday())
    if monday is None:
        return None
    days = [day for day in mention.weekdays if mention.week_offset or day >= today.weekday()]
    return _shifted(monday, (days or mention.weekdays)[0])


def _coming(today: dt.date, weekdays: tuple[int, ...]) -> dt.date | None:
    return _shifted(today, min((day - today.weekday()) % 7 for day in weekdays))


def _day_of_month(mention: TimeMention, today: dt.date) -> dt.date | None:
    day = mention.day or 1
    if mention.month is not None:
        date = _real_date(mention.year or today.year, mention.month, day)
        if date is not None and date < today and mention.year is None:
            date = _real_date(today.year + 1, mention.month, day)
        return date
    if mention.month_offset is not None:
        first = _month_later(today.replace(day=1), mention.month_offset)
        return None if first is None else _real_date(first.year, first.month, day)
    date = _real_date(today.year, today.month, day)
    if date is not None and date >= today:
        return date
    following = _month_later(today.replace(day=1), 1)
    return None if following is None else _real_date(following.year, following.month, day)


def _real_date(year: int, month: int, day: int) -> dt.date | None:
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        return None
    last = _days(year, month)
    return dt.date(year, month, last if day == -1 else day) if day <= last else None


def _month_later(date: dt.date, months: int) -> dt.date | None:
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        return None
    return dt.date(year, month + 1, min(date.day, _days(year, month + 1)))


def _shifted(date: dt.date, days: int) -> dt.date | None:
    try:
        return date + dt.timedelta(days=days)
    except OverflowError:
        return None


def _days(year: int, month: int) -> int:
    """How many days a month has."""
    from calendar import monthrange  # not for every start of a parser: few sentences name a day of a month

    return monthrange(year, month)[1]
