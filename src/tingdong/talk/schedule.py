"""WHEN of the command protocol → `when` of an instruct (service.md, More decisions: ISO 8601 duration, time of day, dated
time, RFC 5545 RRULE, condition).

What cannot be said exactly is refused: a lost delay or condition must never become an immediate command (law 2).
"""

from datetime import datetime, timedelta

import msgspec

from context_retrieval.when import Day, When, WhenKind, parse_when

__all__ = ["Moment", "moment_of", "spoken"]

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKDAY_WORDS = "一二三四五六日"
_RECURRING = {
    Day.EVERY_DAY: "FREQ=DAILY",
    Day.WORKDAYS: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    Day.WEEKEND: "FREQ=WEEKLY;BYDAY=SA,SU",
}


class Moment(msgspec.Struct, frozen=True):
    """`when` as it goes on the wire; `due` in seconds since 1970 when it fires once at a known time.

    `subject` is the room or device word of a condition, still to be matched with the home's own name.
    """

    when: str
    due: float | None = None
    subject: str = ""
    condition: str = ""


def moment_of(text: str, now: datetime) -> Moment | None:
    """The moment that a WHEN text means at `now` (aware); None when it cannot be said."""
    when = parse_when(text)
    if when is None:
        return None
    if when.kind is WhenKind.DELAY:
        return Moment(_duration(when.seconds), now.timestamp() + when.seconds) if when.seconds > 0 else None
    if when.kind is WhenKind.CLOCK:
        return _clock(when, now)
    condition = f"{when.attribute}{when.comparison.value}{when.value}{when.unit}"
    return Moment(f"{when.subject}{condition}", None, when.subject, condition)


def _duration(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = [f"{amount}{unit}" for amount, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if amount]
    return "PT" + "".join(parts)


def _clock(when: When, now: datetime) -> Moment | None:
    if when.day in _RECURRING:
        return Moment(f"RRULE:{_RECURRING[when.day]};BYHOUR={when.hour};BYMINUTE={when.minute}")
    if when.day is Day.EVERY_WEEK and when.weekday is not None:
        day = _WEEKDAYS[when.weekday]
        return Moment(f"RRULE:FREQ=WEEKLY;BYDAY={day};BYHOUR={when.hour};BYMINUTE={when.minute}")
    at = now.replace(hour=when.hour % 24, minute=when.minute, second=0, microsecond=0)
    if when.day is Day.NEXT or (when.day is Day.OFFSET and when.offset_days == 0):
        due = at if at > now else at + timedelta(days=1)
        return Moment(f"T{at.hour:02d}:{at.minute:02d}", due.timestamp())
    date = _date(when, at, now)
    return None if date is None else Moment(f"{date:%Y-%m-%dT%H:%M}", date.timestamp())


def _date(when: When, at: datetime, now: datetime) -> datetime | None:
    if when.day is Day.OFFSET:
        return at + timedelta(days=when.offset_days)
    if when.day in (Day.THIS_WEEK, Day.NEXT_WEEK) and when.weekday is not None:
        date = at + timedelta(days=when.weekday - at.weekday() + (7 if when.day is Day.NEXT_WEEK else 0))
        return date if date > now else date + timedelta(days=7)
    if when.day is Day.DATE and when.month and when.day_of_month:
        try:
            date = at.replace(month=when.month, day=when.day_of_month)
            return date if date > now else date.replace(year=date.year + 1)
        except ValueError:
            return None
    return None


def spoken(text: str) -> str:
    """A WHEN text as one says it: `10分钟后`, `晚上十点` stays a clock time `22:00`, `每天07:00`; conditions as 条件时."""
    when = parse_when(text)
    if when is None:
        return text
    if when.kind is WhenKind.CONDITION:
        words = {">": "高于", "<": "低于", ">=": "不低于", "<=": "不高于", "=": "为"}
        unit = {"C": "度", "%": "%"}.get(when.unit, when.unit)
        return f"{when.subject}{when.attribute}{words[when.comparison.value]}{when.value}{unit}时"
    return text
