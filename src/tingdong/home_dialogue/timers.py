"""Requests about the timers of a page: cancel, move, hasten, list (service.md, Timers).

取消刚才的定时 · 那个十一点关空调的定时撤了吧 · 灯那个再加十分钟 · 还有哪些定时.

`home_dialogue/timer_choice.py` selects them; if it is not clear which, the dialogue asks and none changes.
"""

import re
from enum import StrEnum

import msgspec

from context_retrieval.models import QueryIR
from context_retrieval.when import WhenKind, parse_when
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.moment import to_iso
from tingdong.home.readings import is_readable
from tingdong.home_dialogue.conditions import measure_of
from tingdong.home_dialogue.leaving import refusal_in
from tingdong.home_dialogue.page import Timer
from tingdong.home_dialogue.said import SaidWords
from tingdong.home_dialogue.schedule import due_of
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_choice import MeantTimers, keeps, meant
from tingdong.home_dialogue.timer_words import TimerWords, timer_words
from zhtext.clock import find_times, when_string

__all__ = [
    "TimerRequest",
    "TimerVerb",
    "alive",
    "asks_when",
    "hastens",
    "held",
    "lengths_said",
    "of_last",
    "resumed",
    "said_moment",
    "says_a_condition",
    "timer_request",
]

MOST_BESIDE_LENGTH = 2
"""Characters beside a bare length of time (那十分钟吧) that say nothing of their own."""
MOST_OF_ONE = 2
"""So many timers of the last turn are what 都 sums up; of fewer it is all there are."""
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_DAY = re.compile(r"([^\d:]*(?:\d{1,2}月\d{1,2}[日号])?)(\d{1,2}):\d{2}\Z")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LEVEL = re.compile(r"(?<=[<>=])-?\d+(?:\.\d+)?")
_TRIMMED = "，, "
_MORNING = ("早", "上午", "凌晨")
_NAMES_ONE = (MentionKind.DEVICE, MentionKind.NAME, MentionKind.ROOM, MentionKind.ORDINAL)
_BARE = (MentionKind.VALUE, MentionKind.WHEN, MentionKind.CORRECTION, MentionKind.FILLER, MentionKind.CONFIRM)


class TimerVerb(StrEnum):
    """What is asked of the page's timers: take back, move, list, do at once."""

    CANCEL = "cancel"
    MOVE = "move"
    LIST = "list"
    NOW = "now"


class TimerRequest(msgspec.Struct, frozen=True):
    """What is asked about the page's timers, and the timers meant. They are moved to `when` (WHEN text), or by `by`
    seconds; `doubtful`: one of them is meant, and it is to be asked which."""

    verb: TimerVerb
    timers: tuple[Timer, ...]
    when: str = ""
    by: float = 0.0
    doubtful: bool = False
    level: str = ""
    """The number that a condition is to wait for instead."""
    watching: tuple[str, str] = ("", "")
    """The room, and the attribute, that a condition is to watch instead."""


def alive(timers: tuple[Timer, ...], now: float) -> tuple[Timer, ...]:
    """The timers that have not fired yet; recurring and conditional ones stay until cancelled."""
    return tuple([timer for timer in timers if timer.due is None or timer.due > now])


def asks_when(situation: Situation) -> bool:
    """Whether it is asked when something happens (空调几点关, 还有几分钟), rather than ordered for a time."""
    if situation.says(timer_words().next) and not situation.queries and situation.page.timers:
        return True
    if not situation.says(timer_words().due) or situation.of(MentionKind.WHEN) or situation.says(timer_words().nouns):
        return False
    if not situation.queries:
        named = situation.has(MentionKind.DEVICE, MentionKind.NAME)
        return bool(meant(situation, situation.page.timers).timers if named else situation.page.timers)
    return all(query.when is None for query in situation.queries)


def hastens(situation: Situation) -> bool:
    """Whether what was set for later is wanted now (别等了)."""
    return situation.says(timer_words().hastens)


def timer_request(situation: Situation) -> TimerRequest | None:
    """The request about timers that this turn is, or None."""
    words = timer_words()
    timers = alive(situation.page.timers, situation.scene.now.timestamp())
    if timers and (moved := _changed(situation, timers, words)):
        return moved
    if timers and hastens(situation) and not situation.queries:
        due = meant(situation, timers) if situation.has(*_NAMES_ONE) else MeantTimers(of_last(situation, timers))
        if due.timers:
            return _asked_of(TimerVerb.NOW, due)
    if not situation.says(words.nouns) and not (timers and situation.says(words.also_nouns)):
        return _bare_cancel(situation, timers, words)
    sets = any(query.when is not None for query in situation.queries)
    if situation.says(words.cancels) or (not sets and situation.says(words.weak_cancels)):
        if situation.says(words.whether):
            return TimerRequest(TimerVerb.LIST, timers)
        if situation.says(words.conditional):
            timers = tuple(timer for timer in timers if timer.due is None) or timers
        return _asked_of(
            TimerVerb.CANCEL, meant(situation, timers, lengths_said(situation)) if timers else MeantTimers()
        )
    if not sets and situation.says((*words.lists, *words.due)):
        return TimerRequest(TimerVerb.LIST, timers)
    return None


def _asked_of(verb: TimerVerb, found: MeantTimers, when: str = "", by: float = 0.0, level: str = "") -> TimerRequest:
    return TimerRequest(verb, found.timers, when, by, found.doubtful, level)


def of_last(situation: Situation, timers: tuple[Timer, ...]) -> tuple[Timer, ...]:
    """The timers that the last turn has set."""
    last = situation.page.last
    if last is None or not last.timers:
        return ()
    return tuple(timer for timer in timers if timer.timer_id in last.timers)


# ---- moving


def _moved(situation: Situation, timers: tuple[Timer, ...], words: TimerWords) -> TimerRequest | None:
    """改成一小时后, 灯那个提前十分钟; a bare time keeps the day that was said."""
    said = situation.said.once(_moments)
    if not said or len(said) > 2 or _only_cancels(situation, words):
        return None
    at, moment = said[-1]
    sign = _direction(at, situation, words)
    shifts = sign != 0 and _length(moment, situation) is not None
    rather = len(said) == 2 and situation.has(MentionKind.NEGATION, MentionKind.CORRECTION)  # 不是十分钟，是二十分钟
    rights = situation.has(MentionKind.CORRECTION) and not situation.has(MentionKind.ATTRIBUTE)  # 不对，灯二十分钟
    if not (shifts or rather or rights or situation.says(words.moves) or _is_only_a_time(situation)):
        return None
    described = [seconds for _, one in said[:-1] if not rather and (seconds := _length(one, situation))]
    found = _meant_to_move(situation, timers, described)
    if found is None or (not shifts and not _takes(at, found.timers)):
        return None
    if shifts:
        by = sign * (_length(moment, situation) or 0.0)
        return _asked_of(TimerVerb.MOVE, found, by=by)
    last = situation.page.last
    said_before = last.query.when or "" if last is not None and last.query is not None else ""
    when = _same_day(moment, said_before, situation)
    when = situation.at_the_next(QueryIR("", when=when)).when or when if when == moment else when
    return _asked_of(TimerVerb.MOVE, found, when)


def _changed(situation: Situation, timers: tuple[Timer, ...], words: TimerWords) -> TimerRequest | None:
    """What a timer waits for is changed: its condition, or its moment."""
    return (
        _at_another_level(situation, timers, words)
        or _watching_elsewhere(situation, timers, words)
        or _moved(situation, timers, words)
    )


def _watching_elsewhere(situation: Situation, timers: tuple[Timer, ...], words: TimerWords) -> TimerRequest | None:
    """说的是客厅的, 改成书房的湿度: the condition just set, or the only one, is to watch what is said instead."""
    if not (situation.has(MentionKind.CORRECTION) or situation.says(words.moves)):
        return None
    waiting = tuple(timer for timer in timers if measure_of(timer.when) is not None)
    waiting = of_last(situation, waiting) or (waiting if len(waiting) == 1 else ())
    said = situation.part(*situation.clause_around(len(situation.text) - 1))
    rooms, things = said.rooms_said or (), said.has(MentionKind.DEVICE, MentionKind.NAME, MentionKind.VALUE)
    if not (waiting and len(rooms) == 1) or things or said.has(MentionKind.WHEN):
        return None
    attribute = said.question.attribute if is_readable(said.question.attribute) else ""
    return TimerRequest(TimerVerb.MOVE, waiting, watching=(rooms[0], attribute))


def _only_cancels(situation: Situation, words: TimerWords) -> bool:
    """取消, unless another time is said behind it (取消，改为一小时后)."""
    cancels = [mention.end for mention in situation.of(MentionKind.CANCEL)]
    behind = situation.text[cancels[-1] :] if cancels else ""
    return bool(cancels) and not any(word in behind for word in words.moves)


def _at_another_level(situation: Situation, timers: tuple[Timer, ...], words: TimerWords) -> TimerRequest | None:
    """那个条件改成29度: what is waited for, and nothing is set now."""
    said = [one.value for one in situation.of(MentionKind.VALUE) if _NUMBER.match(one.value)]
    waiting = tuple(timer for timer in timers if timer.due is None and _LEVEL.search(timer.when))
    if len(said) != 1 or not waiting or not (situation.says(words.conditional) and situation.says(words.moves)):
        return None
    found = meant(situation, waiting) if situation.has(*_NAMES_ONE) else MeantTimers(waiting, doubtful=len(waiting) > 1)
    number = _NUMBER.match(said[0])
    return _asked_of(TimerVerb.MOVE, found, level=number[0] if number else "") if found.timers else None


def _direction(at: Mention, situation: Situation, words: TimerWords) -> int:
    """1 where a length of time puts off (再加十分钟), -1 where it brings forward (提前半小时), else 0."""
    before, own = situation.text[: at.start].rstrip(_TRIMMED), situation.text[at.start : at.end]
    for sign, said in ((1, words.later), (-1, words.sooner)):
        if before.endswith(said) or own.startswith(said):
            return sign
    return 0


def _meant_to_move(situation: Situation, timers: tuple[Timer, ...], lengths: list[float]) -> MeantTimers | None:
    """The timers to be moved: those described, else those that the last turn was about, or the only ones there are."""
    if lengths or situation.has(*_NAMES_ONE):
        found = meant(_without_new_moment(situation), timers, lengths)
        return found if found.timers else None
    if any(query.reference is None for query in situation.queries):
        return None
    own = of_last(situation, timers)
    if situation.has(MentionKind.REFERENCE) and situation.left_beside() > MOST_BESIDE_LENGTH - 1:
        return MeantTimers(timers, doubtful=len(timers) > 1)  # 毯子那个, where nothing is called so
    every = situation.has(MentionKind.ALL) and len(own) < MOST_OF_ONE  # 两个都往后推
    if every:
        return MeantTimers(timers)
    if not own and len(timers) > 1:
        return None
    return meant(_without_new_moment(situation), own or timers)


def _without_new_moment(situation: Situation) -> Situation:
    """The clause without the time to which a timer is moved, which describes none."""
    mentions = tuple(one for one in situation.reading.mentions if one.kind is not MentionKind.WHEN)
    reading = msgspec.structs.replace(situation.reading, mentions=mentions, commands=())
    return situation.read_as(reading)


def _takes(at: Mention, timers: tuple[Timer, ...]) -> bool:
    """Whether a bare length of time (改成四十分钟) can be what the timers are moved to: such a one was set before."""
    return at.kind is MentionKind.WHEN or all(timer.when.startswith("P") for timer in timers)


def _is_only_a_time(situation: Situation) -> bool:
    """十分钟 right after a timer was set: nothing else is said."""
    last, page = situation.page.last, situation.page
    if last is None or not last.timers or last.turn != page.turn or situation.queries or situation.asks:
        return False
    others = [one for one in situation.reading.mentions if one.kind not in _BARE]
    return not others and situation.left_beside(*_BARE) <= MOST_BESIDE_LENGTH


def _moments(clause: SaidWords) -> list[tuple[Mention, str]]:
    """The times and lengths of time that are said, as WHEN text."""
    found = [(one, one.value) for one in clause.of(MentionKind.WHEN) if not _is_condition(one.value)]
    for mention in clause.of(MentionKind.VALUE):
        times = find_times(f"{clause.text[mention.start : mention.end]}后")
        if len(times) == 1 and (when := when_string(times[0])) is not None:
            found.append((mention, when))
    return sorted(found, key=lambda one: one[0].start)


def lengths_said(situation: Situation) -> list[float]:
    """The lengths of time, in seconds, by which a timer is told (两个小时的那个)."""
    said = (one for at, one in situation.said.once(_moments) if at.kind is MentionKind.VALUE)
    return [length for one in said if (length := _length(one, situation)) is not None]


def said_moment(situation: Situation) -> str:
    """The one time or length of time that is said, as WHEN text; "" for none or several."""
    found = situation.said.once(_moments)
    return found[0][1] if len(found) == 1 else ""


def says_a_condition(situation: Situation) -> bool:
    """Whether a condition is said (不超过26度)."""
    return any(_is_condition(mention.value) for mention in situation.of(MentionKind.WHEN))


def _is_condition(when: str) -> bool:
    parsed = parse_when(when)
    return parsed is not None and parsed.kind is WhenKind.CONDITION


def _length(moment: str, situation: Situation) -> float | None:
    """A length of time in seconds; None for a time of day."""
    now = situation.scene.now
    iso = to_iso(moment, now) or ""
    due = due_of(iso, now) if iso.startswith("P") else None
    return None if due is None else due - now.timestamp()


def _same_day(when: str, before: str, situation: Situation) -> str:
    """A bare time with the day, and the half of it, that was said before: 晚上十点 … 改到十一点 is 23:00."""
    day, clock = _DAY.fullmatch(before), _CLOCK.fullmatch(when)
    if day is None or clock is None:
        return when
    hour = int(clock[1])
    if hour < 12 <= int(day[2]) and not situation.says(_MORNING):
        hour += 12
    return f"{day[1]}{hour:02d}:{clock[2]}"


# ---- cancelling


def _bare_cancel(situation: Situation, timers: tuple[Timer, ...], words: TimerWords) -> TimerRequest | None:
    """算了 right after a timed request takes that one back; 取消加湿器那个 the one of that device."""
    if not timers or situation.queries or _refuses_a_cancel(situation):
        return None
    takes = any(not keeps(one, situation) for one in situation.of(MentionKind.CANCEL, MentionKind.NEGATION))
    if not takes and not (situation.says(words.cancels) and situation.has(MentionKind.REFERENCE)):
        return None
    said = _where_it_cancels(situation)
    lengths = lengths_said(said)
    by_act = said.has(MentionKind.ACTION) and said.has(MentionKind.REFERENCE)  # 关的那个不要了
    if said.has(*_NAMES_ONE, MentionKind.WHEN) or lengths or by_act:
        found = meant(said, timers, lengths)
    elif situation.has(MentionKind.ALL) and situation.says(words.cancels):
        found = MeantTimers(timers)
    else:
        own = of_last(situation, timers)
        fewer = any(one.value.isdigit() and int(one.value) < len(own) for one in situation.of(MentionKind.COUNT))
        found = MeantTimers(own, doubtful=fewer)
    refusal = refusal_in(said)
    if refusal is not None and refusal.on is not None:  # 还是不开了 takes back no timer that switches off
        of_it = tuple(t for t in found.timers if refusal.is_of("关闭" if t.text.startswith("关闭") else "打开"))
        found = msgspec.structs.replace(found, timers=of_it, doubtful=found.doubtful and len(of_it) > 1)
    return _asked_of(TimerVerb.CANCEL, found) if found.timers else None


def _where_it_cancels(situation: Situation) -> Situation:
    """The clause that takes something back (灯不要了，空调就好); the whole where that clause names nothing."""
    found = situation.of(MentionKind.CANCEL, MentionKind.NEGATION) or situation.of(MentionKind.REFERENCE)
    part = situation.part(*situation.clause_around(found[0].start))
    return part if part.has(*_NAMES_ONE) else situation


def _refuses_a_cancel(situation: Situation) -> bool:
    """不是让你取消: a denial right before the cancel takes nothing back."""
    cancels = {mention.start for mention in situation.of(MentionKind.CANCEL)}
    return any(mention.end in cancels for mention in situation.of(MentionKind.NEGATION, MentionKind.CORRECTION))


def held(request: TimerRequest) -> QueryIR:
    """The request as a question keeps it until it is said which timer is meant."""
    return QueryIR(request.verb.value, value=str(request.by), when=request.when or None)


def resumed(query: QueryIR, timers: tuple[Timer, ...]) -> TimerRequest:
    """The request that was held, for the timers that were chosen."""
    return TimerRequest(TimerVerb(query.action), timers, query.when or "", float(query.value or 0))
