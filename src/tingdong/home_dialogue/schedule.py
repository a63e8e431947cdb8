"""When a deferred instruct comes due, so that a page forgets timers that have fired (service.md, Timers)."""

import re
from datetime import datetime, timedelta

__all__ = ["due_of"]

_DELAY = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_CLOCK = re.compile(r"T(\d{2}):(\d{2})")


def due_of(when: str, now: datetime) -> float | None:
    """Seconds since 1970 at which an instruct's `when` comes due, sent at `now` (aware); None for recurring and
    conditional ones."""
    if (delay := _DELAY.fullmatch(when)) is not None:
        days, hours, minutes, seconds = (int(part or 0) for part in delay.groups())
        return now.timestamp() + ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if (clock := _CLOCK.fullmatch(when)) is not None:
        at = now.replace(hour=int(clock[1]), minute=int(clock[2]), second=0, microsecond=0)
        return (at if at > now else at + timedelta(days=1)).timestamp()
    try:
        return datetime.fromisoformat(when).replace(tzinfo=now.tzinfo).timestamp()
    except ValueError:
        return None
