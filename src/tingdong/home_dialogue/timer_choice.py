"""Selects timers by device, room, time and act, by order, or as the ones just set.

A described timer excludes all others; if several fit and one is meant, the dialogue asks.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from context_retrieval.models import DeviceType
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.moment import to_iso
from tingdong.home.spoken_moment import tell_moment
from tingdong.home_dialogue.choose import place_of
from tingdong.home_dialogue.day_words import day_words
from tingdong.home_dialogue.leaving import leaving
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.page import Timer
from tingdong.home_dialogue.schedule import due_of
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_words import timer_words

__all__ = ["MeantTimers", "keeps", "meant"]

NEARLY = 30.0
"""Seconds by which what is left of a timer may differ from what is said."""
"""How what a timer ends begins when it is told."""


class MeantTimers(msgspec.Struct, frozen=True):
    """The timers meant; `described` whether it was said which, `doubtful` whether it is not clear which of them."""

    timers: tuple[Timer, ...] = ()
    described: bool = False
    doubtful: bool = False


def meant(situation: Situation, timers: tuple[Timer, ...], lengths: Iterable[float] = ()) -> MeantTimers:
    """The timers that the clause is about. `lengths` are lengths of time, in seconds, that describe
    one (半小时那个)."""
    if ordinals := situation.of(MentionKind.ORDINAL):
        places = (place_of(mention, len(timers)) for mention in ordinals)
        return MeantTimers(tuple(timers[place - 1] for place in places if place is not None), described=True)
    beside = _beside(situation)
    found = [timer for timer in timers if _is_of(timer, beside, situation)]
    lengths = tuple(lengths)
    if lengths:
        now = situation.scene.now.timestamp()
        found = [timer for timer in found if timer.due is not None and _is_as_long(timer, lengths, now)]
    kinds = {one.kind for one in beside}
    by_act = kinds >= {MentionKind.ACTION, MentionKind.REFERENCE}  # 关的那个
    described = bool(lengths) or by_act or not kinds.isdisjoint((*THINGS, MentionKind.ROOM, MentionKind.WHEN))
    if described:
        return _one_of(_of_the_act(found, beside), situation, described=True)
    if _all_said(situation):
        return MeantTimers(timers, described=True)
    return _one_of(_latest(situation, timers), situation, described=False)


def _is_as_long(timer: Timer, lengths: tuple[float, ...], now: float) -> bool:
    """Whether the timer was set for so long, or so long is left of it."""
    left = (timer.due or now) - now
    return any(_length(timer) == length or abs(left - length) < NEARLY for length in lengths)


def _length(timer: Timer) -> float | None:
    """The seconds that the timer was set for; None for one set for a time of day."""
    begin = datetime.fromtimestamp(0, UTC)
    return due_of(timer.when, begin) if timer.when.startswith("P") else None


def _one_of(found: tuple[Timer, ...], situation: Situation, *, described: bool) -> MeantTimers:
    """What was set at once for one moment is one; of several such, it is to be said which, or all."""
    several = len({(timer.turn, timer.when) for timer in found}) > 1
    return MeantTimers(found, described, doubtful=several and not _all_said(situation))


def _all_said(situation: Situation) -> bool:
    return situation.says(timer_words().all) or situation.has(MentionKind.ALL)


def _latest(situation: Situation, timers: tuple[Timer, ...]) -> tuple[Timer, ...]:
    """The timers that the last turn was about, else those set last."""
    last = situation.page.last
    if last is not None and (own := tuple(timer for timer in timers if timer.timer_id in last.timers)):
        return own
    return tuple(timer for timer in timers if timer.turn == timers[-1].turn)


def _beside(situation: Situation) -> list[Mention]:
    """What is mentioned in the clause that speaks of a timer; in the whole sentence where no clause names one. What is
    to be kept describes nothing (加湿器的定时不要了灯的保留)."""
    words = timer_words()
    places = [situation.text.find(word) for word in (*words.nouns, *words.also_nouns)]
    found = min((place for place in places if place >= 0), default=-1)
    start, end = situation.clause_around(found) if found >= 0 else (0, len(situation.text))
    inside = [mention for mention in situation.reading.mentions if start <= mention.start < end]
    kept = [place for place, mention in enumerate(inside) if keeps(mention, situation)]
    things = [place for place, mention in enumerate(inside) if mention.kind in THINGS]
    if kept and len(things) > 1:
        first = max((place for place in things if place < kept[0]), default=len(inside))
        return inside[:first]
    return inside


def keeps(mention: Mention, situation: Situation) -> bool:
    """Whether it leaves something as it is (保留, 别动, 留一盏), and takes nothing back."""
    said, table = situation.text[mention.start : mention.end], leaving()
    if mention.kind is not MentionKind.NEGATION:
        return False
    return any(word in said or said in word for word in table.keeping) or said in table.untouched


def _of_the_act(found: list[Timer], beside: list[Mention]) -> tuple[Timer, ...]:
    """Of several, those that do what is said of them (关灯的那个)."""
    acts = {mention.value for mention in beside if mention.kind is MentionKind.ACTION}
    ending, beginning = bool(acts & verb_table().ending), bool(acts & verb_table().beginning)
    if ending is not beginning:
        doing = tuple(timer for timer in found if timer.text.startswith(tuple(verb_table().ending)) is ending)
        return doing or tuple(found)
    return tuple(found)


def _is_of(timer: Timer, beside: list[Mention], situation: Situation) -> bool:
    """Whether the timer is of the room, of one of the things and of the time that are said."""
    device = situation.home.shape.devices.get(timer.device)
    room = device.room if device is not None else ""
    rooms = [mention for mention in beside if mention.kind is MentionKind.ROOM]
    if rooms and not any(_is_in(room, mention.value, situation) for mention in rooms):
        return False
    if not all(_is_at(timer, room, mention, situation) for mention in beside if mention.kind is MentionKind.WHEN):
        return False
    things = [mention for mention in beside if mention.kind in THINGS]
    return not things or any(_is_thing(timer, mention, situation) for mention in things)


def _is_in(room: str, word: str, situation: Situation) -> bool:
    return word in room or room in situation.home.shape.catalog.rooms.find(word)


def _is_thing(timer: Timer, thing: Mention, situation: Situation) -> bool:
    """Whether the timer's device is called so; a word that is the name of another thing of the home names no kind."""
    devices = situation.home.shape.devices
    device = devices.get(timer.device)
    label = device.label if device is not None else timer.text
    if thing.value not in ("", "*"):
        if thing.value in label:
            return True
        if any(thing.value in other.label for other in devices.values()):
            return False
    return thing.type is not DeviceType.UNKNOWN and situation.type_of(timer.device) is thing.type


def _is_at(timer: Timer, room: str, moment: Mention, situation: Situation) -> bool:
    said = to_iso(moment.value, situation.scene.now, home=situation.home, room=room)
    if said is None:
        return situation.text[moment.start : moment.end].rstrip("的") in tell_moment(timer.when)
    behind, words = situation.text[moment.end :], timer_words()
    if said.startswith("T") and timer.due is not None and behind.startswith((*words.before, *words.after)):
        due = _next(said, situation.text[moment.start : moment.end], situation)
        return timer.due <= due if behind.startswith(words.before) else timer.due >= due
    return _same_time(said, timer.when)


def _next(said: str, words: str, situation: Situation) -> float:
    """When a time of day comes next, in seconds since 1970; without its half of the day either may be meant."""
    hour = int(said[1:3])
    halves = (hour,) if any(half in words for half in day_words().halves) else (hour % 12, hour % 12 + 12)
    return min(due_of(f"T{half:02d}{said[3:]}", situation.scene.now) or 0.0 for half in halves)


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
