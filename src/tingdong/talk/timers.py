"""Timers of a page: cancelling and listing them in the dialogue (service.md, Timers fire at the client).

取消刚才的定时 · 那个十一点关空调的定时撤了吧 · 还有哪些定时. A cancel goes out per timer as
`{"id", "state": {}, "cancel": timer_id}`; which timers are meant is read from the devices and the time said, else the
latest are.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from pathlib import Path

import msgspec

from context_retrieval.models import DeviceType
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.model import Deed, Instruct, Plan
from tingdong.home.moment import to_iso
from tingdong.home.spoken_moment import tell_moment
from tingdong.home.vocabulary import read_table
from tingdong.talk.choose import place_of
from tingdong.talk.leaving import refusal_in
from tingdong.talk.page import Timer
from tingdong.talk.situation import Situation
from zhtext.clock import find_times, when_string

__all__ = [
    "TimerRequest", "TimerVerb", "alive", "asks_when", "cancelling", "cancels_of", "hastens", "list_timers",
    "remaining", "speaks_of_timers", "timer_request",
]  # fmt: skip


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`timers.yaml`."""

    nouns: tuple[str, ...]
    also_nouns: tuple[str, ...]
    hastens: tuple[str, ...]
    postpones: tuple[str, ...]
    cancels: tuple[str, ...]
    weak_cancels: tuple[str, ...]
    moves: tuple[str, ...]
    lists: tuple[str, ...]
    due: tuple[str, ...]
    all: tuple[str, ...]


_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_DAY = re.compile(r"([^\d:]*(?:\d{1,2}月\d{1,2}[日号])?)(\d{1,2}):\d{2}\Z")
_MINUTE = 60
_MORNING = ("早", "上午", "凌晨")


@cache
def _words() -> _Words:
    return read_table(Path(__file__).parent / "data" / "timers.yaml", _Words)


class TimerVerb(StrEnum):
    CANCEL = "cancel"
    MOVE = "move"
    LIST = "list"
    NOW = "now"


class TimerRequest(msgspec.Struct, frozen=True):
    """What is asked about the page's timers, and the timers meant; `when` is the WHEN text they are moved to."""

    verb: TimerVerb
    timers: tuple[Timer, ...]
    when: str = ""
    later_by: str = ""
    """The length of time by which they are put off, as WHEN text; empty where they are moved to `when`."""


def alive(timers: tuple[Timer, ...], now: float) -> tuple[Timer, ...]:
    """The timers that have not fired yet; recurring and conditional ones stay until cancelled."""
    if not timers:
        return timers
    return tuple(timer for timer in timers if timer.due is None or timer.due > now)


def asks_when(situation: Situation) -> bool:
    """Whether it is asked when something happens (空调几点关, 还有几分钟), rather than ordered for a time."""
    if not situation.says(_words().due) or situation.of(MentionKind.WHEN) or situation.says(_words().nouns):
        return False
    if not situation.queries:
        return bool(situation.page.timers) and not situation.has(MentionKind.DEVICE, MentionKind.NAME)
    return all(query.when is None for query in situation.queries)


def speaks_of_timers(situation: Situation) -> bool:
    """Whether a word for a timer is said (定时, 闹钟)."""
    return situation.says(_words().nouns)


def timer_request(situation: Situation) -> TimerRequest | None:
    """The request about timers that this turn is, or None."""
    words = _words()
    timers = alive(situation.page.timers, situation.scene.now.timestamp())
    if moved := _moved(situation, timers, words):
        return moved
    if timers and hastens(situation) and not situation.queries and (due := _of_last(situation, timers)):
        return TimerRequest(TimerVerb.NOW, due)
    if not situation.says(words.nouns) and not (timers and situation.says(words.also_nouns)):
        return _bare_cancel(situation, timers, words)
    sets = any(query.when is not None for query in situation.queries)
    if situation.says(words.cancels) or (not sets and situation.says(words.weak_cancels)):
        return TimerRequest(TimerVerb.CANCEL, _meant(situation, timers, words))
    if not sets and situation.says(words.lists):
        return TimerRequest(TimerVerb.LIST, timers)
    return None


def _moved(situation: Situation, timers: tuple[Timer, ...], words: _Words) -> TimerRequest | None:
    """改成一小时后 right after a timed request; a bare time keeps the day that was said."""
    named = situation.has(MentionKind.DEVICE, MentionKind.NAME)
    of_named = tuple(timer for timer in timers if named and _is_of_named(timer, situation))
    meant = of_named if named else _of_last(situation, timers)
    if not meant or (not named and any(query.reference is None for query in situation.queries)):
        return None
    moments = _moments(situation, relative=all(timer.when.startswith("P") for timer in meant))
    rather = len(moments) == 2 and situation.has(MentionKind.NEGATION)  # 不要十分钟，要二十分钟
    if not (rather or (len(moments) == 1 and situation.says((*words.moves, *words.postpones)))) or not moments[-1]:
        return None
    by = moments[-1] if situation.says(words.postpones) and moments[-1].endswith("后") else ""
    last = situation.page.last
    before = last.query.when or "" if last is not None and last.query is not None else ""
    return TimerRequest(TimerVerb.MOVE, meant, _same_day(moments[-1], before, situation), later_by=by)


def _of_last(situation: Situation, timers: tuple[Timer, ...]) -> tuple[Timer, ...]:
    """The timers that the last turn has set."""
    last = situation.page.last
    return tuple(timer for timer in timers if last is not None and timer.timer_id in last.timers)


def hastens(situation: Situation) -> bool:
    """Whether what was set for later is wanted now (别等了)."""
    return situation.says(_words().hastens)


def _moments(situation: Situation, *, relative: bool) -> list[str]:
    """The times said; a bare length of time (改成四十分钟) is one from now, where such a one was set before."""
    moments = [mention.value for mention in situation.of(MentionKind.WHEN)]
    if moments or not relative:
        return moments
    said = [situation.text[mention.start : mention.end] for mention in situation.of(MentionKind.VALUE)]
    found = [time for text in said for time in find_times(f"{text}后")]
    return [when for time in found if (when := when_string(time)) is not None]


def _same_day(when: str, before: str, situation: Situation) -> str:
    """A bare time with the day, and the half of it, that was said before: 晚上十点 … 改到十一点 is 23:00."""
    day, clock = _DAY.fullmatch(before), _CLOCK.fullmatch(when)
    if day is None or clock is None:
        return when
    hour = int(clock[1])
    if hour < 12 <= int(day[2]) and not situation.says(_MORNING):
        hour += 12
    return f"{day[1]}{hour:02d}:{clock[2]}"


def _bare_cancel(situation: Situation, timers: tuple[Timer, ...], words: _Words) -> TimerRequest | None:
    """算了 right after a timed request takes that one back; 取消加湿器那个 the one of that device."""
    last = situation.page.last
    if not timers or situation.queries or not (situation.has(MentionKind.CANCEL, MentionKind.NEGATION)):
        return None
    if ordinals := situation.of(MentionKind.ORDINAL):
        places = (place_of(mention, len(timers)) for mention in ordinals)
        meant = tuple(timers[place - 1] for place in places if place is not None)
    elif situation.has(MentionKind.DEVICE, MentionKind.NAME):
        meant = tuple(timer for timer in timers if _fits(timer, situation))
    elif situation.has(MentionKind.ALL) and situation.says(words.cancels):
        meant = timers
    else:
        meant = tuple(timer for timer in timers if last is not None and timer.timer_id in last.timers)
    refusal = refusal_in(situation)
    if refusal is not None and refusal.on is not None:  # 还是不开了 takes back no timer that switches off
        meant = tuple(timer for timer in meant if refusal.is_of("关闭" if timer.text.startswith("关闭") else "打开"))
    return TimerRequest(TimerVerb.CANCEL, meant) if meant else None


def _meant(situation: Situation, timers: tuple[Timer, ...], words: _Words) -> tuple[Timer, ...]:
    if ordinals := situation.of(MentionKind.ORDINAL):
        places = (place_of(mention, len(timers)) for mention in ordinals)
        return tuple(timers[place - 1] for place in places if place is not None)
    found = tuple(timer for timer in timers if _fits(timer, situation))
    described = _beside(situation, MentionKind.DEVICE, MentionKind.NAME, MentionKind.ROOM, MentionKind.WHEN)
    if described:
        return found
    if situation.says(words.all):
        return timers
    return _latest(timers)


def _latest(timers: tuple[Timer, ...]) -> tuple[Timer, ...]:
    """The timers that were set last, all of one request."""
    return tuple(timer for timer in timers if timer.turn == timers[-1].turn)


def _beside(situation: Situation, *kinds: MentionKind) -> list[Mention]:
    """What is mentioned in the clause that speaks of a timer; in the whole sentence where no clause names one."""
    places = [situation.text.find(word) for word in _words().nouns]
    found = min((place for place in places if place >= 0), default=-1)
    start, end = situation.clause_around(found) if found >= 0 else (0, len(situation.text))
    return [mention for mention in situation.of(*kinds) if start <= mention.start < end]


def _fits(timer: Timer, situation: Situation) -> bool:
    device = situation.home.shape.devices.get(timer.device)
    room = device.room if device is not None else ""
    for mention in _beside(situation, MentionKind.WHEN):
        said = to_iso(mention.value, situation.scene.now, home=situation.home, room=room)
        if said is None:
            words = situation.text[mention.start : mention.end].rstrip("的")
            if words not in tell_moment(timer.when):
                return False
        elif not _same_time(said, timer.when):
            return False
    return _is_of_named(timer, situation)


def _is_of_named(timer: Timer, situation: Situation) -> bool:
    """Whether the timer is of the room and the thing that are said beside the word for it."""
    device = situation.home.shape.devices.get(timer.device)
    room, name = (device.room, device.label) if device is not None else ("", timer.text)
    for mention in _beside(situation, MentionKind.ROOM):
        if mention.value not in room:
            return False
    for mention in _beside(situation, MentionKind.DEVICE, MentionKind.NAME):
        named = mention.value not in ("", "*")
        if named and mention.value in name:
            continue
        if mention.type is DeviceType.UNKNOWN or situation.type_of(timer.device) is not mention.type:
            return False
    return True


def _same_time(said: str, kept: str) -> bool:
    """Whether a time that was said names a kept one: 十一点 also names a dated or a recurring 23:00."""
    if said == kept:
        return True
    if "T" not in said or said.startswith(("PT", "RRULE")):
        return False
    return _half_day(_clock(said)) == _half_day(_clock(kept)) != ""


def _half_day(clock: str) -> str:
    """A time of day without its half: 十一点 may be either."""
    return f"{int(clock[:2]) % 12:02d}{clock[2:]}" if clock else ""


def _clock(when: str) -> str:
    """The time of day of a `when`, as `HH:MM`; "" when it has none."""
    if when.startswith("RRULE:"):
        parts = dict(part.partition("=")[::2] for part in when.removeprefix("RRULE:").split(";"))
        return f"{int(parts['BYHOUR']):02d}:{int(parts['BYMINUTE']):02d}" if "BYHOUR" in parts else ""
    return "" if when.startswith("PT") else when.rpartition("T")[2]


def cancels_of(timers: Iterable[Timer]) -> tuple[Instruct, ...]:
    """What takes the timers back at the client."""
    return tuple(Instruct(timer.device, {}, f"取消定时：{timer.text}", cancel=timer.timer_id) for timer in timers)


def cancelling(cancels: tuple[Instruct, ...]) -> Plan:
    """The cancels as a plan that can be told."""
    return Plan(cancels, (), tuple(Deed(cancel.id, "取消定时") for cancel in cancels))


def list_timers(timers: tuple[Timer, ...], now: float) -> str:
    """The timers as one sentence; what was set as a length of time is told by what is left of it."""
    if not timers:
        return "现在没有定时。"
    said = [f"{tell_moment(_left(timer, now))}{timer.text}" for timer in timers]
    return f"有{len(said)}个定时：{'；'.join(said)}。"


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
