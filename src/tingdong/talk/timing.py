"""The rule for turns about the page's timers: cancel, list, move (service.md, Timers fire at the client)."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from context_retrieval.models import QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.model import Deed, Instruct, Plan, ReplyKind
from tingdong.home.moment import to_iso
from tingdong.home.reply import reply
from tingdong.talk.carry import Carried
from tingdong.talk.closing import close
from tingdong.talk.ending import Ended, passed
from tingdong.talk.knowing import knowing
from tingdong.talk.outcome import Outcome
from tingdong.talk.page import Doing, Timer
from tingdong.talk.schedule import due_of
from tingdong.talk.situation import Situation
from tingdong.talk.timers import (
    TimerRequest,
    TimerVerb,
    alive,
    asks_when,
    cancelling,
    cancels_of,
    list_timers,
    remaining,
    timer_request,
)

__all__ = ["about_timers"]


def about_timers(situation: Situation) -> Ended | None:
    """The turn is about the page's timers."""
    if asks_when(situation) and not _asks_of_a_programme(situation):
        return _told_when(situation)
    request = timer_request(situation)
    if request is None:
        return None
    page = situation.page
    if request.verb is TimerVerb.MOVE:
        return _anew(
            situation, request.timers, {one.timer_id: _moment(one, request, situation) for one in request.timers}
        )
    if request.verb is TimerVerb.NOW:
        return _anew(situation, request.timers, {})
    if request.verb is TimerVerb.LIST:
        text = list_timers(request.timers, situation.scene.now.timestamp())
        return passed(situation), Outcome(ReplyKind.ANSWER, text, rule="timers_listed")
    if not request.timers:
        text = "没有找到要取消的定时。" if page.timers else "现在没有定时。"
        return passed(situation), Outcome(ReplyKind.ANSWER, text, rule="no_timer")
    cancels = cancels_of(request.timers)
    text = reply(situation.home, cancelling(cancels))
    gone = {timer.timer_id for timer in request.timers}
    left = tuple(timer for timer in page.timers if timer.timer_id not in gone)
    sent = cancels if situation.scene.instruct else ()
    last = page.last
    if last is not None and last.timers and gone.issuperset(last.timers):
        last = None  # what was taken back is not repeated elsewhere
    page = msgspec.structs.replace(passed(situation), timers=left if sent else page.timers, pending=None, last=last)
    return page, Outcome(ReplyKind.INSTRUCT, text, sent, rule="timers_cancelled")


def _moment(timer: Timer, request: TimerRequest, situation: Situation) -> str:
    """The `when` that the timer is moved to; its own where what was said cannot be a time."""
    now, by = (
        situation.scene.now,
        due_of((request.later_by and to_iso(request.later_by, None)) or "", situation.scene.now),
    )
    if request.later_by and by is not None and timer.due is not None:
        if timer.when.startswith("P"):
            return remaining(timer.due + by - 2 * now.timestamp())
        later = datetime.fromtimestamp(timer.due + by - now.timestamp(), now.tzinfo)
        return f"T{later:%H:%M}" if timer.when.startswith("T") else f"{later:%Y-%m-%dT%H:%M}"
    device = situation.home.shape.devices.get(timer.device)
    room = device.room if device is not None else ""
    return to_iso(request.when, now, home=situation.home, room=room) or timer.when


def _anew(situation: Situation, timers: tuple[Timer, ...], moments: Mapping[str, str]) -> Ended:
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
        last = Doing(tuple(_described(timer, situation) for timer in timers), ids)
    return msgspec.structs.replace(page, last=msgspec.structs.replace(last, timers=new, turn=page.turn)), outcome


def _as_instruct(timer: Timer, when: str | None, situation: Situation) -> tuple[Instruct, Deed]:
    """The timer's instruct, told as it was when it was set."""
    device = situation.home.shape.devices.get(timer.device)
    label = device.label if device is not None else ""
    verb, _, tail = timer.text.partition(label) if label and label in timer.text else (timer.text, "", "")
    return Instruct(timer.device, timer.state, timer.text, when=when), Deed(timer.device, verb, tail)


def _described(timer: Timer, situation: Situation) -> QueryIR:
    device = situation.home.shape.devices.get(timer.device)
    if device is None:
        return QueryIR("打开")
    action = "关闭" if timer.text.startswith("关闭") else "打开"
    return QueryIR(action, include=(device.room,) if device.room else (), name=device.plain, type=device.type)


def _asks_of_a_programme(situation: Situation) -> bool:
    """洗衣机还要多久: whether what is asked about tells itself how long it still runs, and no timer is set for it."""
    if not situation.has(MentionKind.DEVICE, MentionKind.NAME):
        return False
    ids = knowing(situation, situation.question)
    return bool(ids) and not any(timer.device in ids for timer in situation.page.timers)


def _told_when(situation: Situation) -> Ended:
    """空调几点关: the timers of what is asked about, and how it is now; a question never acts (law 2)."""
    carried = Carried(situation)
    for query in situation.queries:
        carried.run(msgspec.structs.replace(query, action="查询状态", value=None, when=None))
    now = situation.scene.now.timestamp()
    timers = alive(situation.page.timers, now)
    if not situation.queries:
        return passed(situation), Outcome(ReplyKind.ANSWER, list_timers(timers, now), rule="asked_when")
    timers = tuple(timer for timer in timers if timer.device in carried.doing.ids)
    return close(carried, "asked_when", opening=list_timers(timers, now) if timers else "没有定时。")
