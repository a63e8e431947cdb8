"""Values of a mention of time: the type used by `clock`, and its form in the command protocol (WHEN)."""

from __future__ import annotations

import enum
from typing import Final

import msgspec

from zhtext.durations import Duration


class TimeKind(enum.StrEnum):
    """The main kind of a mention of time."""

    DELAY = "delay"
    CLOCK = "clock"
    DATE = "date"
    WEEKDAY = "weekday"
    RECURRING = "recurring"
    PERIOD = "period"


class Period(enum.StrEnum):
    """A part of the day."""

    DAWN = "凌晨"
    MORNING = "早上"
    FORENOON = "上午"
    NOON = "中午"
    AFTERNOON = "下午"
    DUSK = "傍晚"
    EVENING = "晚上"
    NIGHT = "夜里"


class Recurrence(enum.StrEnum):
    """How a time comes back. WEEKLY goes with `weekdays`, MONTHLY with `day`, INTERVAL with `interval`."""

    DAILY = "每天"
    WORKDAYS = "工作日"
    WEEKENDS = "周末"
    WEEKLY = "每周"
    INTERVAL = "每隔"
    MONTHLY = "每月"


class TimeMention(msgspec.Struct, frozen=True, kw_only=True):
    """A time found in a text: `text[start:end]` says the fields that are not None."""

    start: int
    end: int
    kind: TimeKind
    delay: Duration | None = None
    interval: Duration | None = None
    """From one time to the next: 每隔两小时, 每半小时."""

    recurrence: Recurrence | None = None
    weekdays: tuple[int, ...] = ()
    """0 is Monday; (5, 6) is a weekend."""

    week_offset: int | None = None
    """0 this week, 1 next week, -1 last week; None with a weekday: the coming one."""

    day_offset: int | None = None
    """Days from today: 今天 0, 明天 1, 昨天 -1, 三天后早上 3."""

    year: int | None = None
    month: int | None = None
    month_offset: int | None = None
    """0 this month, 1 the next one (下个月5号)."""

    day: int | None = None
    """Day of the month; -1 is its last one (月底). Without a month it may be a number of a queue: 25号."""

    period: Period | None = None
    hour: int | None = None
    """0 to 23, the period already counted in: 晚上十点 is 22."""

    minute: int = 0
    past_midnight: bool = False
    """Said of the evening, but after midnight: 明晚十二点 is on the day after tomorrow."""

    carried: bool = False
    """The day or recurrence was said with the mention before (早上七点开，八点关)."""

    @property
    def has_day(self) -> bool:
        """Whether a day is said: a date, a weekday, a recurrence, 明天."""
        return (
            self.recurrence is not None or self.day_offset is not None or self.day is not None
            or bool(self.weekdays) or self.week_offset is not None or self.month_offset is not None
        )  # fmt: skip


_DAY_NAMES: Final = {0: "", 1: "明天", 2: "后天", 3: "大后天"}
_WEEK_NAMES: Final = {None: "", 0: "", 1: "下", 2: "下下"}
_WEEKDAY_NAMES: Final = "一二三四五六日"


def when_string(mention: TimeMention) -> str | None:
    """The WHEN of the command protocol (`10分钟后`, `22:00`, `明天07:30`, `每周一08:00`), or None where it has no word.

    It has none for a day without a time, a part of the day alone, an interval (每隔两小时), and the past.
    """
    if mention.delay is not None and mention.hour is None:
        return mention.delay.delay_string() if mention.day_offset is None else None
    if mention.hour is None or mention.recurrence is Recurrence.INTERVAL:
        return None
    day = _day_string(mention)
    return None if day is None else f"{day}{mention.hour:02d}:{mention.minute:02d}"


def _day_string(mention: TimeMention) -> str | None:
    if mention.recurrence is Recurrence.WEEKLY:
        return "每周" + "".join(_WEEKDAY_NAMES[day] for day in mention.weekdays)
    if mention.recurrence is Recurrence.MONTHLY:
        return f"每月{mention.day}号"
    if mention.recurrence is not None:
        return str(mention.recurrence.value)
    if mention.weekdays:
        week = _WEEK_NAMES.get(mention.week_offset)
        name = "末" if len(mention.weekdays) > 1 else _WEEKDAY_NAMES[mention.weekdays[0]]
        return None if week is None else f"{week}周{name}"
    if mention.day is not None:
        return _date_string(mention)
    if mention.week_offset is not None or mention.month_offset is not None:
        return None
    if mention.day_offset is None or mention.day_offset == 0:
        return ""
    offset = mention.day_offset + mention.past_midnight
    return None if offset < 0 else _DAY_NAMES.get(offset, f"{offset}天后")


def _date_string(mention: TimeMention) -> str:
    day = "底" if mention.day == -1 else f"{mention.day}日"
    if mention.month is not None:
        return (f"{mention.year}年" if mention.year else "") + f"{mention.month}月{day}"
    month = {None: "", 0: "", 1: "下个月"}.get(mention.month_offset, "")
    return f"{month}{day}" if mention.day != -1 else f"{month or ''}月底".replace("月月", "月")
