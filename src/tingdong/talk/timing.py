"""The rule for turns about the page's timers: cancel, list, move (service.md, Timers fire at the client)."""

from collections.abc import Iterable

import msgspec

from tingdong.home.model import Deed, Instruct, Plan, ReplyKind
from tingdong.home.reply import reply
from tingdong.talk.carry import Carried
from tingdong.talk.closing import close
from tingdong.talk.complete import Job
from tingdong.talk.ending import Ended, passed
from tingdong.talk.outcome import Outcome
from tingdong.talk.page import Timer
from tingdong.talk.situation import Situation
from tingdong.talk.timers import TimerRequest, TimerVerb, alive, asks_when, list_timers, timer_request

__all__ = ["about_timers", "cancelling", "cancels_of"]


def about_timers(situation: Situation) -> Ended | None:
    """The turn is about the page's timers."""
    if asks_when(situation):
        return _told_when(situation)
    request = timer_request(situation)
    if request is None:
        return None
    page = situation.page
    if request.verb is TimerVerb.MOVE:
        return _moved(situation, request)
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


def cancels_of(timers: Iterable[Timer]) -> tuple[Instruct, ...]:
    """What takes the timers back at the client."""
    return tuple(Instruct(timer.device, {}, f"取消定时：{timer.text}", cancel=timer.timer_id) for timer in timers)


def cancelling(cancels: tuple[Instruct, ...]) -> Plan:
    """The cancels as a plan that can be told."""
    return Plan(cancels, (), tuple(Deed(cancel.id, "取消定时") for cancel in cancels))


def _moved(situation: Situation, request: TimerRequest) -> Ended:
    """The timers just set, at another time: the old ones are taken back."""
    last = situation.page.last
    carried = Carried(situation)
    for query in last.queries if last is not None else ():
        if query.when is not None:
            ids = tuple(dict.fromkeys(timer.device for timer in request.timers))
            carried.run_job(Job(msgspec.structs.replace(query, when=request.when), ids, "moved"))
    gone = {timer.timer_id for timer in request.timers}
    if any(planned.instructs for planned in carried.plans):
        carried.cancels = cancelling(cancels_of(request.timers))
        left = tuple(timer for timer in situation.page.timers if timer.timer_id not in gone)
        situation.page = msgspec.structs.replace(situation.page, timers=left)
    return close(carried, "timers_moved")


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
