"""What is scheduled (`active.scheduled`, with `when` and `timer_id`): timers fire here, at the client.

A duration (`PT10M`), a time of day (`T22:00`) and a date with time are kept until then; what repeats (RRULE) or hangs
on a condition is refused, since a promise that is not kept would be worse. Timers do not outlive a restart.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant
from homeassistant.helpers.event import async_track_point_in_time
from homeassistant.util import dt as dt_util

CarryOut = Callable[[Mapping[str, Any]], Awaitable[None]]
_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?\Z")


class Deferral:
    """The timers of one agent."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._waiting: dict[str, CALLBACK_TYPE] = {}

    def put_off(self, instruct: Mapping[str, Any], carry_out: CarryOut) -> bool:
        """Waits until the instruct's moment; False when that moment cannot be waited for."""
        moment = moment_of(instruct["when"], dt_util.now())
        if moment is None:
            return False
        timer_id = str(instruct.get("timer_id") or f"{instruct['id']} {instruct['when']}")
        self.cancel(timer_id)

        async def fire(_: datetime) -> None:
            self._waiting.pop(timer_id, None)
            await carry_out(instruct)

        job = HassJob(fire, f"tingdong timer {timer_id}", cancel_on_shutdown=True)
        self._waiting[timer_id] = async_track_point_in_time(self._hass, job, moment)
        return True

    def cancel(self, timer_id: str) -> None:
        """Takes a timer back."""
        stop = self._waiting.pop(timer_id, None)
        if stop is not None:
            stop()

    def cancel_all(self) -> None:
        """Takes all timers back."""
        for timer_id in list(self._waiting):
            self.cancel(timer_id)


def moment_of(when: str, now: datetime) -> datetime | None:
    """The moment a `when` names, in the zone of `now`; None for what repeats, hangs on a condition, or is over."""
    match = _DURATION.match(when)
    if match and any(match.groups()):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return now + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if when.startswith("T"):
        time = dt_util.parse_time(when[1:])
        if time is None:
            return None
        moment = now.replace(hour=time.hour, minute=time.minute, second=time.second, microsecond=0)
        return moment if moment > now else moment + timedelta(days=1)
    dated = dt_util.parse_datetime(when)
    if dated is None:
        return None
    moment = dated if dated.tzinfo else dated.replace(tzinfo=now.tzinfo)
    return moment if moment > now else None
