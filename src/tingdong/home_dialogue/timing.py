"""The rule for turns about the page's timers: cancel, list, move (service.md, Timers fire at the client)."""

import re
from collections.abc import Mapping
from datetime import datetime

import msgspec

from context_retrieval.models import QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.model import Deed, Instruct, Plan, ReplyKind
from tingdong.home.moment import to_iso
from tingdong.home.reply import reply
from tingdong.home_dialogue.answers import says_no
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.conditions import Unwatched, measure_of, measured_in, watching_in
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.knowing import knowing
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.page import Choice, Doing, Pending, Timer
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_choice import MeantTimers, meant
from tingdong.home_dialogue.timer_telling import cancelling, cancels_of, list_timers, remaining, tell_left, tell_timer
from tingdong.home_dialogue.timer_words import timer_words
from tingdong.home_dialogue.timers import (
    TimerRequest,
    TimerVerb,
    alive,
    asks_when,
    held,
    of_last,
    resumed,
    timer_request,
)

__all__ = ["about_timers"]


def about_timers(situation: Situation) -> Ended | None:
    """The turn is about the page's timers."""
    if (chosen := _chosen(situation)) is not None:
        return chosen
    if asks_when(situation) and not _asks_of_a_programme(situation):
        return _told_when(situation)
    request = timer_request(situation)
    if request is None:
        return None
    return _asked_which(situation, request) if request.doubtful else _done(situation, request)


def _done(situation: Situation, request: TimerRequest) -> Ended:
    match request.verb:
        case TimerVerb.MOVE:
            return _moved(situation, request)
        case TimerVerb.NOW:
            return _anew(situation, request.timers, {})
        case TimerVerb.LIST:
            text = list_timers(request.timers, situation.scene.now.timestamp())
            return passed(situation), Outcome(ReplyKind.ANSWER, text, rule="timers_listed")
        case TimerVerb.CANCEL:
            return _cancelled(situation, request.timers)


def _cancelled(situation: Situation, timers: tuple[Timer, ...]) -> Ended:
    page = situation.page
    if not timers:
        text = "没有找到要取消的定时。" if page.timers else "现在没有定时。"
        return passed(situation), Outcome(ReplyKind.ANSWER, text, rule="no_timer")
    cancels = cancels_of(timers)
    text = reply(situation.home, cancelling(cancels))
    gone = {timer.timer_id for timer in timers}
    left = tuple(timer for timer in page.timers if timer.timer_id not in gone)
    sent = cancels if situation.scene.instruct else ()
    last = page.last
    if last is not None and last.timers and gone.issuperset(last.timers):
        last = None  # what was taken back is not repeated elsewhere
    page = msgspec.structs.replace(passed(situation), timers=left if sent else page.timers, pending=None, last=last)
    return page, Outcome(ReplyKind.INSTRUCT, text, sent, rule="timers_cancelled")


# ---- which one


def _asked_which(situation: Situation, request: TimerRequest) -> Ended:
    """Several fit and one is meant: it is asked which, and none is touched."""
    now = situation.scene.now.timestamp()
    told = "；".join(f"第{place}个，{tell_timer(one, now)}" for place, one in enumerate(request.timers, start=1))
    verb = "取消" if request.verb is TimerVerb.CANCEL else "改"
    text = f"要{verb}哪个定时，还是都要？{told}。"
    options = tuple(timer.timer_id for timer in request.timers)
    page = msgspec.structs.replace(
        passed(situation), pending=Pending(Choice.TIMER, (held(request),), options, text), last=situation.page.last
    )
    return page, Outcome(ReplyKind.QUESTION, text, rule="which_timer")


def _chosen(situation: Situation) -> Ended | None:
    """The answer to which timer is meant."""
    pending = situation.page.pending
    if pending is None or pending.choice is not Choice.TIMER or situation.queries:
        return None
    page = msgspec.structs.replace(situation.page, pending=None)
    there = situation.read_as(situation.reading, page)
    timers = tuple(timer for timer in page.timers if timer.timer_id in pending.options)
    if says_no(situation.text):
        return passed(there), Outcome(ReplyKind.ANSWER, "好的，定时都没有动。", rule="dropped")
    held_back, own = pending.queries[0], timer_request(there)
    if own is not None and (own.verb != held_back.action or own.verb is TimerVerb.MOVE):
        return None  # a request of its own
    found = meant(there, timers) if timers else MeantTimers()
    if found.described and found.timers and not found.doubtful:
        return _done(there, resumed(held_back, found.timers))
    return None


# ---- moving


def _moved(situation: Situation, request: TimerRequest) -> Ended:
    """The timers at their new moments; one that would be due before now is left as it is, and that is said."""
    now, (room, attribute) = situation.scene.now.timestamp(), request.watching
    if room:
        asked = {attribute or said.attribute for one in request.timers if (said := measure_of(one.when)) is not None}
        for lack in (Unwatched(one, room, measured_in(one, situation)) for one in asked):
            if room not in lack.rooms:
                return passed(situation), Outcome(ReplyKind.ANSWER, lack.told, rule="timers_kept")
    over = [one for one in request.timers if request.by and one.due is not None and one.due + request.by <= now]
    if over or (request.by and any(one.due is None for one in request.timers)):
        text = f"“{tell_timer((over or list(request.timers))[0], now)}”不能这样改，没有动。"
        return passed(situation), Outcome(ReplyKind.ANSWER, text, rule="timers_kept")
    moments = {one.timer_id: _moment(one, request, situation) for one in request.timers}
    return _anew(situation, request.timers, moments, request.when)


def _moment(timer: Timer, request: TimerRequest, situation: Situation) -> str:
    """The `when` that the timer is moved to; its own where what was said cannot be a time."""
    now = situation.scene.now
    if request.watching[0]:
        return watching_in(request.watching[0], timer.when, request.watching[1])
    if request.level:
        return re.sub(r"(?<=[<>=])-?\d+(?:\.\d+)?", request.level, timer.when)
    if request.by and timer.due is not None:
        if timer.when.startswith("P"):
            return remaining(timer.due + request.by - now.timestamp())
        later = datetime.fromtimestamp(timer.due + request.by, now.tzinfo)
        return f"T{later:%H:%M}" if timer.when.startswith("T") else f"{later:%Y-%m-%dT%H:%M}"
    device = situation.home.shape.devices.get(timer.device)
    room = device.room if device is not None else ""
    return to_iso(request.when, now, home=situation.home, room=room) or timer.when


def _anew(situation: Situation, timers: tuple[Timer, ...], moments: Mapping[str, str], when: str = "") -> Ended:
    """What the timers were set to do, at new moments, or now where they have none; the old ones are taken back."""
    carried = Carried(situation)
    planned = [_as_instruct(timer, moments.get(timer.timer_id), situation) for timer in timers]
    carried.plans.append(Plan(tuple(one for one, _ in planned), (), tuple(deed for _, deed in planned)))
    carried.cancels = cancelling(cancels_of(timers))
    gone = {timer.timer_id for timer in timers}
    left = tuple(timer for timer in situation.page.timers if timer.timer_id not in gone)
    situation.page = msgspec.structs.replace(situation.page, timers=left)
    page, outcome = close(carried, "timers_moved" if moments else "timers_hastened")
    new = tuple(timer.timer_id for timer in page.timers if timer not in left)
    ids = tuple(dict.fromkeys(timer.device for timer in timers))
    last = situation.page.last
    if last is None or not gone.issuperset(last.timers) or not last.timers:
        last = Doing(tuple(_described(timer, situation, when) for timer in timers), ids)
    elif when:
        moved = (msgspec.structs.replace(one, when=when) if one.when else one for one in last.queries)
        last = msgspec.structs.replace(last, queries=tuple(moved))
    return msgspec.structs.replace(page, last=msgspec.structs.replace(last, timers=new, turn=page.turn)), outcome


def _as_instruct(timer: Timer, when: str | None, situation: Situation) -> tuple[Instruct, Deed]:
    """The timer's instruct, told as it was when it was set."""
    device = situation.home.shape.devices.get(timer.device)
    label = device.label if device is not None else ""
    verb, _, tail = timer.text.partition(label) if label and label in timer.text else (timer.text, "", "")
    return Instruct(timer.device, timer.state, timer.text, when=when), Deed(timer.device, verb, tail)


def _described(timer: Timer, situation: Situation, when: str) -> QueryIR:
    """What the timer is for, as a request for `when` (WHEN text; now where there is none)."""
    device = situation.home.shape.devices.get(timer.device)
    if device is None:
        return QueryIR("打开", when=when or None)
    action = "关闭" if timer.text.startswith("关闭") else "打开"
    include = (device.room,) if device.room else ()
    return QueryIR(action, include=include, name=device.plain, type=device.type, when=when or None)


def _asks_of_a_programme(situation: Situation) -> bool:
    """洗衣机还要多久: whether what is asked about tells itself how long it still runs, and no timer is set for it."""
    if not situation.has(MentionKind.DEVICE, MentionKind.NAME):
        return False
    ids = knowing(situation, situation.question)
    return bool(ids) and not any(timer.device in ids for timer in situation.page.timers)


def _told_when(situation: Situation) -> Ended:
    """空调几点关: the timers of what is asked about, counted from now; where there is none, how it stands. A question
    never acts (law 2), and the timers are all that is said of a time (电视没有剩余时间 is no answer beside them)."""
    now = situation.scene.now.timestamp()
    timers = alive(situation.page.timers, now)
    if not situation.has(*THINGS, MentionKind.ROOM):
        own = () if situation.says(timer_words().next) else of_last(situation, timers)  # 还有多久开
        return passed(situation), Outcome(ReplyKind.ANSWER, tell_left(own or timers, now), rule="asked_when")
    if (found := meant(_asked_of(situation), timers)).described and found.timers:
        page = msgspec.structs.replace(passed(situation), last=_spoken_of(found.timers, situation))
        return page, Outcome(ReplyKind.ANSWER, tell_left(found.timers, now), rule="asked_when")
    carried = Carried(situation)
    for query in situation.queries:
        carried.run(msgspec.structs.replace(query, action="查询状态", value=None, when=None))
    return close(carried, "asked_when", opening="没有定时。")


def _asked_of(situation: Situation) -> Situation:
    """The question without what it says of a time (还有几分钟), which tells no timer from another."""
    kept = tuple(one for one in situation.reading.mentions if one.kind not in (MentionKind.WHEN, MentionKind.VALUE))
    reading = msgspec.structs.replace(situation.reading, mentions=kept)
    return situation.read_as(reading)


def _spoken_of(timers: tuple[Timer, ...], situation: Situation) -> Doing:
    """What was told, as what 它 and 改成… then mean."""
    ids = tuple(dict.fromkeys(timer.device for timer in timers))
    queries = tuple(_described(timer, situation, "") for timer in timers)
    return Doing(queries, ids, timers=tuple(timer.timer_id for timer in timers), turn=situation.page.turn + 1)
