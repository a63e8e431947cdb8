"""When a deferred instruct comes due, so that a page forgets timers that have fired (service.md, Timers)."""

from datetime import datetime, timedelta

from context_retrieval.when import Day, When, WhenKind, parse_when

__all__ = ["due_of"]


def due_of(text: str, now: datetime) -> float | None:
    """Seconds since 1970 at which a WHEN text comes due at `now` (aware); None for recurring and conditional ones."""
    when = parse_when(text)
    if when is None or when.kind is WhenKind.CONDITION:
        return None
    if when.kind is WhenKind.DELAY:
        return now.timestamp() + when.seconds
    date = _date(when, now)
    return None if date is None else date.timestamp()


def _date(when: When, now: datetime) -> datetime | None:
    at = now.replace(hour=when.hour, minute=when.minute, second=0, microsecond=0)
    match when.day:
        case Day.NEXT:
            return at if at > now else at + timedelta(days=1)
        case Day.OFFSET:
            return at + timedelta(days=when.offset_days)
        case Day.THIS_WEEK | Day.NEXT_WEEK:
            days = (when.weekday or 0) - at.weekday()
            return at + timedelta(days=days + (7 if when.day is Day.NEXT_WEEK else 0))
        case Day.DATE:
            return _next_date(when, at, now)
    return None


def _next_date(when: When, at: datetime, now: datetime) -> datetime | None:
    for year in range(now.year, now.year + 5):
        try:
            date = at.replace(year=year, month=when.month or 0, day=when.day_of_month or 0)
        except ValueError:
            continue
        if date > now:
            return date
    return None
