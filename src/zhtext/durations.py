"""Lengths of time: a value and its unit, their size in seconds, and the way the command protocol writes a delay."""

from __future__ import annotations

import enum
from typing import Final

import msgspec


class TimeUnit(enum.StrEnum):
    """Units of a length of time, by their Chinese name."""

    SECOND = "秒"
    MINUTE = "分钟"
    HOUR = "小时"
    DAY = "天"
    WEEK = "周"
    MONTH = "个月"
    YEAR = "年"


SECONDS: Final = {
    TimeUnit.SECOND: 1,
    TimeUnit.MINUTE: 60,
    TimeUnit.HOUR: 3600,
    TimeUnit.DAY: 86_400,
    TimeUnit.WEEK: 604_800,
    TimeUnit.MONTH: 2_592_000,
    TimeUnit.YEAR: 31_536_000,
}
_NEXT_SMALLER: Final = {
    TimeUnit.MINUTE: (TimeUnit.SECOND, 60),
    TimeUnit.HOUR: (TimeUnit.MINUTE, 60),
    TimeUnit.DAY: (TimeUnit.HOUR, 24),
    TimeUnit.WEEK: (TimeUnit.DAY, 7),
    TimeUnit.MONTH: (TimeUnit.DAY, 30),
    TimeUnit.YEAR: (TimeUnit.MONTH, 12),
}


class Duration(msgspec.Struct, frozen=True):
    """A length of time as it was said: `value` (≥ 0) counted in `unit`."""

    value: float
    unit: TimeUnit

    @property
    def seconds(self) -> float:
        """The same length in seconds; a month counts 30 days, a year 365."""
        return self.value * SECONDS[self.unit]

    def whole(self) -> Duration:
        """The same length as a whole number of its unit, or of the next smaller ones: 1.5 hours are 90 minutes."""
        value, unit = self.value, self.unit
        while value != int(value) and unit in _NEXT_SMALLER:
            unit, factor = _NEXT_SMALLER[unit]
            value = round(value * factor, 6)
        return Duration(round(value), unit)

    def delay_string(self) -> str:
        """The delay as the command protocol writes it: `10分钟后`, `90分钟后`, `30秒后`."""
        whole = self.whole()
        return f"{int(whole.value)}{whole.unit.value}后"
