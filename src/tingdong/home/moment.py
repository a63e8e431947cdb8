"""The protocol's WHEN as the wire's `when` (service.md, Timed): ISO 8601, RFC 5545, or a condition."""

from datetime import datetime, timedelta

from context_retrieval.when import Day, When, WhenKind, parse_when
from tingdong.home.home import HomeSnapshot

__all__ = ["to_iso"]

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def to_iso(when: str, now: datetime | None, *, home: HomeSnapshot | None = None, room: str = "") -> str | None:
    """`10分钟后` → `PT10M`, `22:00` → `T22:00`, `明天07:30` → `2026-11-24T07:30`, `每天07:00` → an RRULE,
    `温度>26C` → `卧室温度>26C` (`room` is the device's own). None when the text cannot be said; never act then.
    """
    parsed = parse_when(when)
    if parsed is None:
        return None
    match parsed.kind:
        case WhenKind.DELAY:
            return _duration(when, parsed.seconds)
        case WhenKind.CLOCK:
            return _clock(parsed, now)
        case WhenKind.CONDITION:
            return _condition(parsed, home, room)


def _duration(text: str, seconds: int) -> str:
    """The duration in the unit that was said (90分钟后 → PT90M)."""
    if "天" in text and seconds % 86_400 == 0:
        return f"P{seconds // 86_400}D"
    if "时" in text and seconds % 3600 == 0:
        return f"PT{seconds // 3600}H"
    return f"PT{seconds // 60}M" if seconds % 60 == 0 else f"PT{seconds}S"


def _clock(when: When, now: datetime | None) -> str | None:
    time = f"T{when.hour:02d}:{when.minute:02d}"
    rule = f"BYHOUR={when.hour};BYMINUTE={when.minute}"
    match when.day:
        case Day.NEXT:
            return time
        case Day.EVERY_DAY:
            return f"RRULE:FREQ=DAILY;{rule}"
        case Day.WORKDAYS:
            return f"RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;{rule}"
        case Day.WEEKEND:
            return f"RRULE:FREQ=WEEKLY;BYDAY=SA,SU;{rule}"
        case Day.EVERY_WEEK:
            return f"RRULE:FREQ=WEEKLY;BYDAY={_DAYS[when.weekday or 0]};{rule}"
    date = _date(when, now) if now is not None else None
    return None if date is None else f"{date:%Y-%m-%d}{time}"


def _date(when: When, now: datetime) -> datetime | None:
    match when.day:
        case Day.OFFSET:
            return now + timedelta(days=when.offset_days)
        case Day.THIS_WEEK | Day.NEXT_WEEK:
            days = (when.weekday or 0) - now.weekday()
            return now + timedelta(days=days + (7 if when.day is Day.NEXT_WEEK else 0))
    if when.month is None or when.day_of_month is None:
        return None
    for year in (now.year, now.year + 1, now.year + 2, now.year + 3, now.year + 4):
        try:
            date = now.replace(year=year, month=when.month, day=when.day_of_month)
        except ValueError:
            continue
        if date.date() >= now.date():
            return date
    return None


def _condition(when: When, home: HomeSnapshot | None, room: str) -> str:
    """The condition with the home's own room or device name before it."""
    subject = when.subject
    if not subject:
        subject = room
    elif home is not None:
        subject = home.shape.room_named(subject) or subject
    return f"{subject}{when.attribute}{when.comparison.value}{when.value}{when.unit}"
