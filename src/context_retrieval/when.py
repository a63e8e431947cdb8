"""The protocol's WHEN texts (`10分钟后`, `每天07:00`, `客厅温度<18C`) as values (commands.md, ACTION).

`parse_when` returns None for an unknown text; the caller must then refuse, because a lost delay or condition must never
become an immediate command (architecture, law 2).
"""

import re
from enum import StrEnum

import msgspec

from zhtext.remembering import remembered

__all__ = ["Comparison", "Day", "When", "WhenKind", "parse_when"]


class WhenKind(StrEnum):
    """Whether an act waits a while, for a time of the clock, or for a condition."""

    DELAY = "delay"
    CLOCK = "clock"
    CONDITION = "condition"


class Day(StrEnum):
    """Which days a clock time means. `WEEK_*` forms carry `weekday`, `DATE` carries `month` and `day_of_month`."""

    NEXT = "next"  # the next time the clock shows it
    OFFSET = "offset"  # `offset_days` from today: 明天 1, 后天 2
    EVERY_DAY = "every_day"
    WORKDAYS = "workdays"
    WEEKEND = "weekend"
    THIS_WEEK = "this_week"
    NEXT_WEEK = "next_week"
    EVERY_WEEK = "every_week"
    DATE = "date"


class Comparison(StrEnum):
    """The sign between what a condition watches and its value."""

    GREATER = ">"
    LESS = "<"
    GREATER_EQUAL = ">="
    LESS_EQUAL = "<="
    EQUAL = "="


class When(msgspec.Struct, frozen=True):
    """A parsed WHEN.

    Delay: `seconds`. Clock: `day`, `hour`, `minute`; `weekday` is 0 (Monday) to 6; `offset_days`, `month`,
    `day_of_month` as `Day` says. Condition: `subject` (room or device word, empty when none was said), `attribute`
    (`温度` …, empty when a device's state is meant), `comparison`, `value` as text without its unit, `unit` (`C`, `%`
    or empty).
    """

    kind: WhenKind
    text: str
    seconds: int = 0
    day: Day = Day.NEXT
    hour: int = 0
    minute: int = 0
    weekday: int | None = None
    offset_days: int = 0
    month: int | None = None
    day_of_month: int | None = None
    subject: str = ""
    attribute: str = ""
    comparison: Comparison = Comparison.EQUAL
    value: str = ""
    unit: str = ""


ATTRIBUTES = (
    "PM2.5",
    "二氧化碳",
    "空气质量",
    "开合度",
    "温度",
    "湿度",
    "亮度",
    "光照",
    "音量",
    "风速",
    "电量",
    "色温",
    "水温",
    "甲醛",
    "CO2",
    "模式",
    "有人",
    "漏水",
    "烟雾",
    "燃气",
    "状态",
)

_SECONDS = {"秒": 1, "秒钟": 1, "分钟": 60, "分": 60, "小时": 3600, "个小时": 3600, "天": 86_400}
_DELAY = re.compile(r"(\d{1,6})(秒钟?|分钟?|个?小时|天)后\Z")
_CLOCK = re.compile(r"(?P<day>[^\d:<>=]*(?:\d{1,2}月\d{1,2}[日号])?)(?P<hour>\d{1,2}):(?P<minute>\d{2})\Z")
_DATE = re.compile(r"(\d{1,2})月(\d{1,2})[日号]\Z")
_WEEK = re.compile(r"(每|下|这|本)?(?:周|星期|礼拜)([一二三四五六日天])\Z")
_CONDITION = re.compile(r"(?P<left>[^<>=]+)(?P<op>>=|<=|>|<|=)(?P<right>[^<>=]+)\Z")
_NUMBER = re.compile(r"(零下)?(-?\d+(?:\.\d+)?)(.*)\Z")
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_DAYS = {
    "": (Day.NEXT, 0),
    "今天": (Day.OFFSET, 0),
    "明天": (Day.OFFSET, 1),
    "后天": (Day.OFFSET, 2),
    "大后天": (Day.OFFSET, 3),
    "每天": (Day.EVERY_DAY, 0),
    "工作日": (Day.WORKDAYS, 0),
    "周末": (Day.WEEKEND, 0),
    "每周末": (Day.WEEKEND, 0),
}
_WEEK_DAYS = {None: Day.THIS_WEEK, "这": Day.THIS_WEEK, "本": Day.THIS_WEEK, "下": Day.NEXT_WEEK, "每": Day.EVERY_WEEK}


@remembered(4096)
def parse_when(text: str) -> When | None:
    """`text` as a value, or None when it is no WHEN of the protocol."""
    return _delay(text) or _clock(text) or _condition(text)


def _delay(text: str) -> When | None:
    match = _DELAY.match(text)
    if match is None:
        return None
    return When(WhenKind.DELAY, text, seconds=int(match[1]) * _SECONDS[match[2]])


def _clock(text: str) -> When | None:
    match = _CLOCK.match(text)
    if match is None:
        return None
    hour, minute, word = int(match["hour"]), int(match["minute"]), match["day"]
    if hour > 24 or minute > 59:
        return None
    hour %= 24
    if word in _DAYS:
        day, offset = _DAYS[word]
        return When(WhenKind.CLOCK, text, day=day, hour=hour, minute=minute, offset_days=offset)
    if week := _WEEK.match(word):
        return When(WhenKind.CLOCK, text, day=_WEEK_DAYS[week[1]], hour=hour, minute=minute, weekday=_WEEKDAYS[week[2]])
    date = _DATE.match(word)
    if date is None or not (1 <= int(date[1]) <= 12 and 1 <= int(date[2]) <= 31):
        return None
    return When(
        WhenKind.CLOCK, text, day=Day.DATE, hour=hour, minute=minute, month=int(date[1]), day_of_month=int(date[2])
    )


def _condition(text: str) -> When | None:
    match = _CONDITION.match(text)
    if match is None:
        return None
    subject, attribute = match["left"].strip(), ""
    for word in ATTRIBUTES:
        if subject.upper().endswith(word):
            subject, attribute = subject[: -len(word)].rstrip("的"), word
            break
    value, unit = match["right"].strip(), ""
    if number := _NUMBER.match(value):
        value, unit = ("-" if number[1] else "") + number[2], number[3]
    elif match["op"] != "=":
        return None
    if not subject and not attribute:
        return None
    return When(
        WhenKind.CONDITION,
        text,
        subject=subject,
        attribute=attribute,
        comparison=Comparison(match["op"]),
        value=value,
        unit=unit,
    )
