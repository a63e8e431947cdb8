"""Replies about timers: lists, remaining times, cancellations for the client."""

from collections.abc import Iterable

from tingdong.home.model import Deed, Instruct, Plan
from tingdong.home.spoken_moment import tell_moment
from tingdong.home_dialogue.page import Timer

__all__ = ["cancelling", "cancels_of", "list_timers", "remaining", "tell_left", "tell_timer"]

_MINUTE = 60


def cancels_of(timers: Iterable[Timer]) -> tuple[Instruct, ...]:
    """The instructs that cancel the timers at the client."""
    return tuple(Instruct(timer.device, {}, f"取消定时：{timer.text}", cancel=timer.timer_id) for timer in timers)


def cancelling(cancels: tuple[Instruct, ...]) -> Plan:
    """The cancels as a plan that can be told."""
    return Plan(cancels, (), tuple(Deed(cancel.id, "取消定时") for cancel in cancels))


def list_timers(timers: tuple[Timer, ...], now: float) -> str:
    """The timers as one sentence; what was set as a length of time is told by what is left of it."""
    if not timers:
        return "现在没有定时。"
    return f"有{len(timers)}个定时：{'；'.join(tell_timer(timer, now) for timer in timers)}。"


def tell_timer(timer: Timer, now: float) -> str:
    """20分钟后关闭客厅电视, as it stands at `now`."""
    return f"{tell_moment(_left(timer, now))}{timer.text}"


def tell_left(timers: tuple[Timer, ...], now: float) -> str:
    """How long it still is, counted from `now`: 15分钟后关闭客厅电视, 1小时30分钟后（晚上10点）打开大屋电热毯."""
    if not timers:
        return "现在没有定时。"
    told: dict[str, list[str]] = {}
    for timer in timers:
        told.setdefault(_counted(timer, now), []).append(timer.text)
    return "；".join(f"{moment}{'，'.join(texts)}" for moment, texts in told.items()) + "。"


def _counted(timer: Timer, now: float) -> str:
    """A moment as a length of time from now, with the clock time that was set; a condition as it is."""
    if timer.due is None:
        return tell_moment(timer.when)
    at = "" if timer.when.startswith("P") else f"（{tell_moment(timer.when)}）"
    return f"{tell_moment(remaining(timer.due - now))}{at}"


def _left(timer: Timer, now: float) -> str:
    """The timer's `when` as it stands at `now`: of half an hour set ten minutes ago twenty minutes are left."""
    if timer.due is None or not timer.when.startswith("PT"):
        return timer.when
    return remaining(timer.due - now)


def remaining(left: float) -> str:
    """A length of time in seconds as a `when`, to the minute above one."""
    seconds = max(1, round(left))
    if seconds < _MINUTE:
        return f"PT{seconds}S"
    hours, minutes = divmod(round(seconds / _MINUTE), _MINUTE)
    return "PT" + (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
