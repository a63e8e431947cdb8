"""What a time leaves unsaid because another time of the sentence says it (早上七点开，八点关; 七点，不对，六点半).

One mention hands its day and its half of the day to the next, depending on how the two are linked:

| link | when | what is handed on |
| --- | --- | --- |
| sequence | both have a clock time | what does not lead backwards: 晚上十点关，十点半开; a recurrence always |
| correction | a word of correction between them | everything: 明早七点，不对，六点半 |
| topic | the first has no clock time, no clause between | everything: 明早客厅的窗帘七点打开 |
"""

from __future__ import annotations

import enum
from typing import Any, Final

import msgspec

from zhtext.clock_reading import to_24_hours
from zhtext.durations import TimeUnit
from zhtext.patterns import LazyPattern
from zhtext.timepoints import Recurrence, TimeKind, TimeMention

_SENTENCE_END: Final = LazyPattern("[。！？；!?;\n]")
_CORRECTION: Final = LazyPattern("不|错|改|算了|还是|[哦呃哎诶欸啊唉]")
_TOPIC: Final = LazyPattern("[，,]?[^，,]{0,14}[，,]?")
_THAT_DAY: Final = LazyPattern("[，,、].{0,8}(?:那天|当天|那日|那晚)的?$")
_JOINED: Final = LazyPattern("\\s?(?:[和跟及、,，]|还有|以及)?\\s?")
_SHORTLY: Final = 60
"""Minutes that a time may lie before the one it takes its half of the day from."""

_AFTERTHOUGHT: Final = LazyPattern("的?[吧啊哈呀哦]?(?:[\\s，。！？；,.!?;]|$)")
_DAY_FIELDS: Final = (
    "recurrence", "interval", "weekdays", "week_offset", "day_offset", "year", "month", "month_offset", "day",
)  # fmt: skip


class _Link(enum.Enum):
    SEQUENCE = enum.auto()
    CORRECTION = enum.auto()
    TOPIC = enum.auto()


def carried(text: str, mentions: list[TimeMention]) -> list[TimeMention]:
    """The mentions of one text, in order, each completed from its neighbours; a day of a week is one with that week."""
    mentions = _of_weeks(text, mentions)
    for index in range(1, len(mentions)):
        mentions[index] = _as_weekly(text, mentions[index - 1], mentions[index])
    for index in range(len(mentions) - 2, -1, -1):
        mentions[index] = _with_joined_clock(text, mentions[index], mentions[index + 1])
    for index in range(1, len(mentions)):
        before, mention = mentions[index - 1], mentions[index]
        link = _link(text, before, mention)
        if link is not None:
            mentions[index] = _completed(text, before, mention, link)
        elif before.hour is not None and mention.hour is None:
            _say_afterwards(text, mentions, index)
    return mentions


def _of_weeks(text: str, mentions: list[TimeMention]) -> list[TimeMention]:
    """周五 in 两周以后的周五 and in 下下周的周五 is one of that week."""
    kept: list[TimeMention] = []
    for mention in mentions:
        weeks = _weeks(kept[-1]) if kept and _is_of(text, kept[-1], mention) else None
        bare = bool(mention.weekdays) and mention.recurrence is None and mention.week_offset is None
        if weeks is not None and bare:
            kept[-1] = msgspec.structs.replace(mention, start=kept[-1].start, week_offset=weeks)
        else:
            kept.append(mention)
    return kept


def _is_of(text: str, before: TimeMention, mention: TimeMention) -> bool:
    """Whether no more than one character that joins nothing stands between two mentions."""
    between = mention.start - before.end
    return between == 0 or (between == 1 and _JOINED.fullmatch(text, before.end, mention.start) is None)


def _weeks(mention: TimeMention) -> int | None:
    """How many weeks on a mention that tells no day of a week leads."""
    if mention.weekdays or mention.hour is not None:
        return None
    delay = mention.delay
    if delay is not None and delay.unit is TimeUnit.WEEK and delay.value == int(delay.value):
        return int(delay.value)
    return mention.week_offset


def _as_weekly(text: str, before: TimeMention, mention: TimeMention) -> TimeMention:
    """周日 in 每周六和周日 is every Sunday."""
    bare = bool(mention.weekdays) and mention.recurrence is None and mention.week_offset is None
    if not bare or before.recurrence is not Recurrence.WEEKLY or not _JOINED.fullmatch(text, before.end, mention.start):
        return mention
    return msgspec.structs.replace(mention, kind=TimeKind.RECURRING, recurrence=Recurrence.WEEKLY)


def _with_joined_clock(text: str, mention: TimeMention, following: TimeMention) -> TimeMention:
    """每周二 in 每周二和每周四晚上八点 is at eight in the evening too."""
    joined = _JOINED.fullmatch(text, mention.end, following.start) is not None
    if not joined or mention.hour is not None or following.hour is None or not mention.has_day or not following.has_day:
        return mention
    if mention.period not in (None, following.period):
        return mention
    clock = {name: getattr(following, name) for name in ("hour", "minute", "period", "past_midnight")}
    kind = TimeKind.RECURRING if mention.recurrence else TimeKind.CLOCK
    return msgspec.structs.replace(mention, kind=kind, **clock)


def _link(text: str, before: TimeMention, mention: TimeMention) -> _Link | None:
    if mention.hour is None or before.kind is TimeKind.DELAY or before.interval is not None:
        return None
    if _SENTENCE_END.search(text, before.end, mention.start) is not None:
        return None
    if before.hour is None:
        beside = _TOPIC.fullmatch(text, before.end, mention.start) is not None
        is_topic = beside or _THAT_DAY.search(text, before.end, mention.start) is not None
        return _Link.TOPIC if is_topic and not _is_past(before) else None
    corrected = _CORRECTION.search(text, before.end, mention.start) is not None
    return _Link.CORRECTION if corrected else _Link.SEQUENCE


def _is_past(mention: TimeMention) -> bool:
    offsets = (mention.day_offset, mention.week_offset, mention.month_offset)
    return any(offset is not None and offset < 0 for offset in offsets)


def _completed(text: str, before: TimeMention, mention: TimeMention, link: _Link) -> TimeMention:
    """The mention, which has a clock time, with what it leaves unsaid taken from the one before."""
    changes: dict[str, Any] = {}
    hour = mention.hour or 0
    earliest = (before.hour or 0, before.minute) if link is _Link.SEQUENCE else (0, 0)
    if mention.period is None and before.period is not None and _on_twelve_hours(text, mention):
        later, past_midnight = to_24_hours(hour, before.period)
        shortly_before = 60 * later + mention.minute + _SHORTLY >= 60 * earliest[0] + earliest[1]
        if shortly_before:  # 晚饭六点半，六点开灯
            hour = later
            changes = {"hour": later, "period": before.period, "past_midnight": past_midnight}
    forward = bool(changes) or before.recurrence is not None or (hour, mention.minute) >= earliest
    if not mention.has_day and before.has_day and forward:
        changes |= {name: getattr(before, name) for name in _DAY_FIELDS}
        changes |= {"carried": True, "kind": TimeKind.RECURRING if before.recurrence else TimeKind.CLOCK}
    return msgspec.structs.replace(mention, **changes) if changes else mention


def _on_twelve_hours(text: str, mention: TimeMention) -> bool:
    """Whether the half of the day is open: 八点 is, 8:00 and 二十点 are not."""
    return 1 <= (mention.hour or 0) <= 12 and not {":", "："} & set(text[mention.start : mention.end])


def _say_afterwards(text: str, mentions: list[TimeMention], index: int) -> None:
    """灯九点开，十一点关，晚上的: an afterthought belongs to every clock time before it that leaves it unsaid."""
    for earlier in range(index - 1, -1, -1):
        completed = _with_afterthought(text, mentions[earlier], mentions[index])
        if completed is mentions[earlier]:
            break
        mentions[earlier] = completed


def _with_afterthought(text: str, mention: TimeMention, said_later: TimeMention) -> TimeMention:
    """七点开窗帘，明早的: a day or part of it that closes the sentence belongs to the clock time before it."""
    if _SENTENCE_END.search(text, mention.end, said_later.start) or not _AFTERTHOUGHT.match(text, said_later.end):
        return mention
    if mention.delay is not None or said_later.kind is TimeKind.DELAY or said_later.interval or _is_past(said_later):
        return mention
    changes: dict[str, Any] = {}
    if mention.period is None and said_later.period is not None and _on_twelve_hours(text, mention):
        hour, past_midnight = to_24_hours(mention.hour or 0, said_later.period)
        changes = {"hour": hour, "period": said_later.period, "past_midnight": past_midnight}
    if not mention.has_day and said_later.has_day:
        changes |= {name: getattr(said_later, name) for name in _DAY_FIELDS} | {"carried": True}
        changes["kind"] = TimeKind.RECURRING if said_later.recurrence else TimeKind.CLOCK
    return msgspec.structs.replace(mention, **changes) if changes else mention
