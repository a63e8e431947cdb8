"""One turn of a smart-home dialogue, pure and deterministic: `step(page, reading, home, scene) -> (page, outcome)`.

The rules stand in the order in which they are asked; the first that knows what the turn is answers it. An LLM, a clock
or a store is nowhere here: the same page, reading, home and scene give the same result (seed 004 §3, §4).
"""

from collections.abc import Callable

import msgspec

from context_retrieval.models import Quantifier, QueryIR
from tingdong.commands.reading import MentionKind, Reading
from tingdong.home.home import Home
from tingdong.home.model import Deed, Instruct, Plan, ReplyKind
from tingdong.home.reply import reply
from tingdong.home.wishes import WishStep, match_wish, plan_wish
from tingdong.talk.addressee import Addressee, hear
from tingdong.talk.answers import answers
from tingdong.talk.carry import Carried
from tingdong.talk.clarify import AnswerKind, answer_to
from tingdong.talk.closing import close
from tingdong.talk.complete import Job
from tingdong.talk.correct import correction_of, repetition_of, restored
from tingdong.talk.infer import inferred
from tingdong.talk.inquire import inquiry_of
from tingdong.talk.outcome import NO_ADDRESSEE, NO_REQUEST, Outcome
from tingdong.talk.page import Doing, Page, WishMemory
from tingdong.talk.situation import Scene, Situation
from tingdong.talk.target import members, resolve_job
from tingdong.talk.timers import TimerRequest, TimerVerb, alive, list_timers, timer_request

__all__ = ["Scene", "step"]

Ended = tuple[Page, Outcome]
Rule = Callable[[Situation], Ended | None]


def step(page: Page, reading: Reading, home: Home, scene: Scene) -> Ended:
    """The page after this turn, and what the turn comes to."""
    call = scene.call or hear(reading.text, wake_words=scene.wake_words, names=home.shape.names.names)
    if call.to is Addressee.OTHER:
        return page, NO_ADDRESSEE
    situation = Situation(page, reading, home, scene)
    for rule in _RULES:
        ended = rule(situation)
        if ended is not None:
            return ended
    return _spoken_of(situation), NO_REQUEST


def _answered(situation: Situation) -> Ended | None:
    """The turn answers the open question."""
    pending = situation.page.pending
    if pending is None:
        return None
    answer = answer_to(pending, situation)
    match answer.kind:
        case AnswerKind.UNRELATED:
            return None
        case AnswerKind.DROPPED:
            page = msgspec.structs.replace(_passed(situation), pending=None, last=None)
            return page, Outcome(ReplyKind.ANSWER, "好的，那就不操作了。", rule="dropped")
    carried = Carried(situation)
    carried.answers_question = True
    for job in answer.jobs:
        carried.run_job(job)
    return close(carried, "answered")


def _timers(situation: Situation) -> Ended | None:
    """The turn is about the page's timers."""
    request = timer_request(situation)
    if request is None:
        return None
    page = situation.page
    if request.verb is TimerVerb.MOVE:
        return _moved(situation, request)
    if request.verb is TimerVerb.LIST:
        text = list_timers(request.timers)
        return _passed(situation), Outcome(ReplyKind.ANSWER, text, rule="timers_listed")
    if not request.timers:
        text = "没有找到要取消的定时。" if page.timers else "现在没有定时。"
        return _passed(situation), Outcome(ReplyKind.ANSWER, text, rule="no_timer")
    cancels = _cancels(request)
    text = reply(situation.home, _cancelling(cancels))
    gone = {timer.timer_id for timer in request.timers}
    left = tuple(timer for timer in page.timers if timer.timer_id not in gone)
    sent = cancels if situation.scene.instruct else ()
    page = msgspec.structs.replace(_passed(situation), timers=left if sent else page.timers, pending=None)
    return page, Outcome(ReplyKind.INSTRUCT, text, sent, rule="timers_cancelled")


def _cancels(request: TimerRequest) -> tuple[Instruct, ...]:
    return tuple(
        Instruct(timer.device, {}, f"取消定时：{timer.text}", cancel=timer.timer_id) for timer in request.timers
    )


def _cancelling(cancels: tuple[Instruct, ...]) -> Plan:
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
        carried.cancels = _cancelling(_cancels(request))
        left = tuple(timer for timer in situation.page.timers if timer.timer_id not in gone)
        situation.page = msgspec.structs.replace(situation.page, timers=left)
    return close(carried, "timers_moved")


def _corrected(situation: Situation) -> Ended | None:
    """The turn corrects the last one."""
    correction = correction_of(situation)
    if correction is None:
        return None
    carried = Carried(situation)
    carried.answers_question = True
    for job in correction.jobs:
        carried.run_job(job)
    back = restored(situation, correction.undo, carried.doing.ids)
    if back.instructs and any(planned.instructs for planned in carried.plans):
        carried.plans.append(back)
    return close(carried, "corrected")


def _dropped(situation: Situation) -> Ended | None:
    """算了 alone, with nothing open."""
    if situation.queries or not situation.has(MentionKind.CANCEL):
        return None
    page = msgspec.structs.replace(_passed(situation), pending=None)
    return page, Outcome(ReplyKind.ANSWER, "好的。", rule="dropped")


def _wished(situation: Situation) -> Ended | None:
    """The turn says how it feels, not what to do (seed 004 §4.2: 好热 … 还是好热)."""
    wish = None if situation.queries else match_wish(situation.text)
    if wish is None:
        return None
    before = situation.page.wish
    last = before.steps if before is not None and before.wish == wish.key else ()
    place = situation.local or situation.page.room
    steps = _about_named(situation, plan_wish(situation.home, wish, place, last=last))
    if not steps:
        return _passed(situation), Outcome(ReplyKind.ANSWER, f"{place or '家里'}没有可以调节的设备了。", rule="wished")
    carried = Carried(situation)
    carried.wish = WishMemory(wish.key, tuple(steps))
    for query, ids in steps:
        if query.quantifier is Quantifier.ONE and len(ids) > 1:
            carried.ask(query, ids)
        else:
            carried.run_job(Job(query, ids, "wish"))
    return close(carried, "wished")


def _about_named(situation: Situation, steps: list[WishStep]) -> list[WishStep]:
    """电视太吵了 is about the television: where a thing is named, only what is done to it."""
    named = situation.of(MentionKind.DEVICE, MentionKind.NAME)
    devices = situation.home.shape.devices
    found = []
    for query, ids in steps:
        kept = tuple(
            i for i in ids for m in named if i in devices and (m.value in devices[i].name or m.type is devices[i].type)
        )
        if kept:
            found.append((query, tuple(dict.fromkeys(kept))))
    return found or steps


def _undone(situation: Situation) -> Ended | None:
    """撤销: what the last turn changed is put back."""
    last = situation.page.last
    if last is None or not last.before or situation.queries or not situation.says(answers().undo):
        return None
    back = restored(situation, last.before, ())
    if not back.instructs:
        return None
    carried = Carried(situation)
    carried.plans.append(back)
    return close(carried, "undone")


def _requested(situation: Situation) -> Ended | None:
    """The turn makes requests or asks questions."""
    if not situation.queries:
        return None
    carried = Carried(situation)
    for query in situation.orders:
        carried.run(query)
    return close(carried, "requested")


def _inquired(situation: Situation) -> Ended | None:
    """The turn asks for a state or a measure of the home (law 2)."""
    inquiry = inquiry_of(situation)
    if inquiry is None:
        return None
    carried = Carried(situation)
    if inquiry.everywhere:
        carried.run_job(Job(inquiry.query, None, "inquired", everywhere=True))
    else:
        carried.run(inquiry.query)
    return close(carried, "inquired")


def _inferred(situation: Situation) -> Ended | None:
    """The turn goes on with what the last one was about."""
    jobs = () if situation.queries else inferred(situation)
    if not jobs:
        return None
    carried = Carried(situation)
    for job in jobs:
        carried.run_job(job)
    return close(carried, "inferred")


def _repeated(situation: Situation) -> Ended | None:
    """The turn only names another place or thing: the same again there."""
    if not situation.is_fragment:
        return None
    jobs = repetition_of(situation)
    if not jobs:
        return None
    carried = Carried(situation)
    for job in jobs:
        carried.run_job(_asked_if_same(job, situation))
    return close(carried, "repeated")


def _asked_if_same(job: Job, situation: Situation) -> Job:
    """大白呢 of what was just switched asks how it is; nothing is switched twice."""
    last = situation.page.last
    if last is None or job.query.action.startswith("查询") or not situation.says(("呢",)):
        return job
    found = members(resolve_job(job, situation), situation)
    if not found or found != last.ids:
        return job
    query = msgspec.structs.replace(job.query, action="查询状态", value=None, when=None)
    return Job(query, found, "repeated")


def _unclear(situation: Situation) -> Ended | None:
    """Something was asked of a device, but not in a way that could be carried out safely (law 2)."""
    named = situation.has(MentionKind.DEVICE, MentionKind.NAME)
    meant = named or situation.page.last is not None
    if meant and situation.has(MentionKind.ACTION) and situation.has(MentionKind.NEGATION):
        return _passed(situation), Outcome(ReplyKind.ANSWER, "好的，保持不变。", rule="negated")
    if not named or not (situation.has(MentionKind.ACTION) or situation.is_fragment):
        return None
    return _spoken_of(situation), Outcome(ReplyKind.QUESTION, "没听明白，请换个说法再说一遍。", rule="unclear")


def _spoken_of(situation: Situation) -> Page:
    """The page after a turn that was not understood: a device it named is what 它 then means."""
    page = _passed(situation)
    names = situation.of(MentionKind.NAME)
    if not names:
        return page
    query = QueryIR("查询状态", name=names[-1].value, type=names[-1].type)
    found = resolve_job(Job(query), situation)
    if not found.found or len(found.entity_ids) != 1:
        return page
    return msgspec.structs.replace(page, last=Doing((query,), found.entity_ids, turn=page.turn))


def _passed(situation: Situation) -> Page:
    """The page after a turn that carried nothing out."""
    page, scene = situation.page, situation.scene
    return msgspec.structs.replace(
        page, turn=page.turn + 1, local=scene.local, timers=alive(page.timers, scene.now.timestamp())
    )


_RULES: tuple[Rule, ...] = (
    _answered,
    _timers,
    _inquired,
    _corrected,
    _undone,
    _dropped,
    _requested,
    _inferred,
    _wished,
    _repeated,
    _unclear,
)
