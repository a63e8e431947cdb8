"""From executed requests to the turn's outcome and the next page.

Instructs are in the home's order, one per device and time; deferred ones get a `timer_id`. The reply lists what is
done, what is not and why, then an open question.
"""

import hashlib
from collections.abc import Iterator

import msgspec

from context_retrieval.models import ResolutionStatus
from context_retrieval.state import Mentioned
from tingdong.home import reply
from tingdong.home.model import Instruct, Plan, ReplyKind
from tingdong.home.plan import merge_plans
from tingdong.home_dialogue import asking
from tingdong.home_dialogue.carry import Carried, Unclear
from tingdong.home_dialogue.clarify import MAX_ASKED, aged
from tingdong.home_dialogue.ledger import changes_of, with_entry
from tingdong.home_dialogue.outcome import AS_IT_WAS, NO_REQUEST, Outcome
from tingdong.home_dialogue.page import MAX_SAID, MAX_TIMERS, Choice, Entry, Page, Pending, Timer
from tingdong.home_dialogue.schedule import due_of
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_telling import cancelling, cancels_of
from tingdong.home_dialogue.timers import alive, hastens

__all__ = ["close"]


def close(carried: Carried, rule: str, *, opening: str = "") -> tuple[Page, Outcome]:
    """The outcome of what was carried out, and the page after it. `opening` is said first (what was put back)."""
    situation = carried.situation
    merged = merge_plans(situation.home, carried.plans) if carried.plans else Plan()
    _overtake_timers(carried, merged)
    if carried.cancels.instructs:
        taken_back = carried.cancels
        merged = Plan(merged.instructs + taken_back.instructs, merged.notes, merged.deeds + taken_back.deeds)
    instructs, timers = _timed(merged.instructs, situation)
    pending, question = _open_question(carried)
    text = _text(carried, merged, question, opening)
    kind = _kind(carried, instructs, asked=bool(question) and pending is not None)
    if not text and situation.spared and carried.doing.queries:
        return _next_page(carried, (), pending), Outcome(ReplyKind.ANSWER, AS_IT_WAS, rule="negated")
    if not text:
        return _next_page(carried, (), pending), NO_REQUEST
    sent = instructs if situation.scene.instruct else ()
    page = _next_page(carried, sent, pending, timers if sent else ())
    return page, Outcome(kind, text, sent, tuple(carried.findings), rule)


def _overtake_timers(carried: Carried, merged: Plan) -> None:
    """台灯不用等，现在就开: what is done now as it was set for later is taken back there; a condition is not waited for
    any more, whatever is done instead (那不用等了，新风就开一个小时)."""
    situation = carried.situation
    if carried.cancels.instructs or not situation.page.timers or not hastens(situation):
        return
    now = {one.id: one.state for one in merged.instructs if one.when is None}
    gone = [
        one
        for one in situation.page.timers
        if one.device in now and (one.due is None or now[one.device].items() <= one.state.items())
    ]
    if gone:
        carried.cancels = cancelling(cancels_of(gone))
        kept = tuple(timer for timer in situation.page.timers if timer not in gone)
        situation.page = msgspec.structs.replace(situation.page, timers=kept)


def _kind(carried: Carried, instructs: tuple[Instruct, ...], *, asked: bool) -> ReplyKind:
    if instructs:
        return ReplyKind.INSTRUCT
    asks = asked or any(
        _offered(one) or one.resolution.status is ResolutionStatus.NO_REFERENCE for one in carried.unclear
    )
    return ReplyKind.QUESTION if asks else ReplyKind.ANSWER


def _text(carried: Carried, merged: Plan, question: str, opening: str) -> str:
    home = carried.situation.home
    parts = [opening] if opening else []
    parts += carried.answers
    if merged.instructs or merged.notes:
        parts.append(reply.reply(home, merged))
    told = dict.fromkeys(
        asking.missing(home, unclear.query, unclear.resolution)
        for unclear in carried.unclear
        if unclear.resolution.status not in (ResolutionStatus.AMBIGUOUS, ResolutionStatus.NOTHING)
    )
    parts += told
    parts += dict.fromkeys(_held_over(carried, question))
    if question:
        parts.append(question)
    return "".join(parts)


# ---- deferred instructs


def _timed(instructs: tuple[Instruct, ...], situation: Situation) -> tuple[tuple[Instruct, ...], tuple[Timer, ...]]:
    """The instructs with a `timer_id` where they are deferred, and the page's record of those."""
    if all(instruct.when is None for instruct in instructs):
        return instructs, ()
    page, named, timers = situation.page, [], []
    prefix = hashlib.blake2s(page.id.encode(), digest_size=6).hexdigest()
    number = page.timer_count
    for instruct in instructs:
        if instruct.when is not None:
            number += 1
            instruct = msgspec.structs.replace(instruct, timer_id=f"{prefix}-{number}")
            timers.append(_timer(instruct, situation))
        named.append(instruct)
    return tuple(named), tuple(timers)


def _timer(instruct: Instruct, situation: Situation) -> Timer:
    return Timer(
        timer_id=instruct.timer_id or "",
        device=instruct.id,
        state=instruct.state,
        when=instruct.when or "",
        text=instruct.summary,
        turn=situation.page.turn,
        due=due_of(instruct.when or "", situation.scene.now),
    )


# ---- what is still open


def _open_question(carried: Carried) -> tuple[Pending | None, str]:
    """The question this turn ends with, and its text."""
    before = carried.situation.page.pending
    if carried.risky or carried.untimed:
        return _confirmation(carried)
    if carried.lacking:
        _, options, text = carried.lacking[0]
        return Pending(
            Choice.WHEN, tuple(query for query, own, _ in carried.lacking if own == options), options, text
        ), text
    unclear = [one for one in carried.unclear if one.resolution.status is ResolutionStatus.AMBIGUOUS]
    if unclear:
        return _which(carried, unclear)
    lost = [one for one in carried.unclear if one.resolution.status is ResolutionStatus.NO_REFERENCE]
    if lost:
        return Pending(Choice.WHAT, tuple(one.query for one in lost)), ""
    near = [one for one in carried.unclear if _offered(one)]
    if before is not None and carried.answers_question and before.choice is Choice.TARGET and carried.unclear:
        return _again(carried, before)
    if near:
        options = tuple(_near_ids(carried, near[0]))
        return (Pending(Choice.TARGET, (near[0].query,), options) if options else None), ""
    return (None if carried.answers_question else aged(before)), ""


def _again(carried: Carried, before: Pending) -> tuple[Pending | None, str]:
    """An answer that named nothing possible: the question once more, then what is possible."""
    if before.asked >= MAX_ASKED:
        return None, asking.what_is_possible(carried.situation.home, before.options)
    return msgspec.structs.replace(before, asked=before.asked + 1, age=0), before.text


def _confirmation(carried: Carried) -> tuple[Pending, str]:
    """Asks whether to go on with what is risky, or to do now what cannot be timed."""
    home = carried.situation.home
    jobs = carried.risky or carried.untimed
    ids = tuple(dict.fromkeys(device for job in jobs for device in job.ids or ()))
    asked = merge_plans(home, carried.held)
    if carried.risky:
        text = reply.ask_confirmation(home, asked, doubted=carried.doubted)
    else:
        text = f"这里还不能定时，要现在就{reply.tell_deeds(home, asked)}吗？"
    queries, targets = tuple(job.query for job in jobs), tuple(job.ids or () for job in jobs)
    return Pending(Choice.CONFIRM, queries, ids, text, targets=targets, doubted=carried.doubted), text


def _offered(unclear: Unclear) -> tuple[str, ...]:
    """The near names that are offered instead of what was said."""
    return tuple(name for name in unclear.resolution.near if name != unclear.query.name)


def _near_ids(carried: Carried, unclear: Unclear) -> Iterator[str]:
    """The devices whose names were offered."""
    rooms = unclear.resolution.rooms
    for device in carried.situation.home.shape.devices.values():
        if device.name in _offered(unclear) and (not rooms or device.room in rooms):
            yield device.id


def _which(carried: Carried, unclear: list[Unclear]) -> tuple[Pending | None, str]:
    """Asks which of the options is meant, at most twice in a row."""
    home, before = carried.situation.home, carried.situation.page.pending
    first = unclear[0]
    options = first.resolution.choices
    queries = tuple(one.query for one in unclear if one.resolution.choices == options)
    asked = 1
    if before is not None and before.choice is Choice.TARGET and carried.answers_question:
        asked = before.asked + 1
    if asked > MAX_ASKED:
        return None, asking.what_is_possible(home, options)
    text = asking.ask_which(home, first.query, options)
    return Pending(Choice.TARGET, queries, options, text, asked), text


def _held_over(carried: Carried, question: str) -> Iterator[str]:
    """What is to be asked as well, and is not while another question is open: it is named, so that nothing is dropped
    in silence."""
    home = carried.situation.home
    for one in carried.unclear:
        options = one.resolution.choices
        ambiguous = one.resolution.status is ResolutionStatus.AMBIGUOUS
        if ambiguous and asking.ask_which(home, one.query, options) != question:
            yield asking.not_yet(home, options)
    for _, _, text in carried.lacking:
        if text != question:
            yield f"{text.removesuffix('？')}，也请说一下。"


# ---- the next page


def _next_page(
    carried: Carried, sent: tuple[Instruct, ...], pending: Pending | None, timers: tuple[Timer, ...] = ()
) -> Page:
    situation, doing = carried.situation, carried.doing
    page = situation.page
    kept = alive(page.timers, situation.scene.now.timestamp())
    if doing.queries:
        acted = {instruct.id for planned in carried.plans for instruct in planned.instructs}
        done = () if carried.answers else tuple(device for device in doing.ids if device in acted)
        doing = msgspec.structs.replace(
            doing,
            ids=done or doing.ids,  # 再亮一点 is for what could be done, not for what was refused beside it
            missed=tuple(one.query for one in carried.unclear if not one.resolution.choices),
            timers=tuple(timer.timer_id for timer in timers),
            text=carried.question_text or situation.text,
            turn=page.turn + 1,
        )
    query = doing.query
    mentioned = Mentioned(doing.ids, action=query.action if query else "", value=query.value if query else None)
    return msgspec.structs.replace(
        page,
        turn=page.turn + 1,
        room=_room(carried),
        local=situation.scene.local,
        last=doing if doing.queries else page.last,
        state=page.state.remembering(mentioned) if doing.ids else page.state,
        pending=pending,
        timers=(*kept, *timers)[-MAX_TIMERS:],
        timer_count=page.timer_count + len(timers),
        ledger=_ledger(carried, sent, timers),
        redo=page.redo if carried.ledger is not None or not sent else (),
        wish=carried.wish,
    )


def _ledger(carried: Carried, sent: tuple[Instruct, ...], timers: tuple[Timer, ...]) -> tuple[Entry, ...]:
    """The ledger after this turn; an undoing turn has taken its part out of it and adds nothing."""
    page = carried.situation.page
    if carried.ledger is not None:
        return carried.ledger if sent else page.ledger
    clauses = tuple(query for query, _ in carried.clauses)
    clause_of = {one: place for place, (_, ids) in enumerate(carried.clauses) for one in ids}
    changes = changes_of(carried.situation.home, sent, clause_of)
    made = tuple(timer.timer_id for timer in timers)
    return with_entry(page.ledger, Entry(page.turn + 1, clauses, changes, made, carried.situation.text[:MAX_SAID]))


def _room(carried: Carried) -> str:
    """The room of the conversation: the one that was said; none once the user has moved or the whole home was meant."""
    situation = carried.situation
    if carried.rooms is not None:
        return carried.rooms[0] if len(carried.rooms) == 1 else ""
    if situation.whole_home or situation.page.local != situation.scene.local:
        return ""
    return situation.page.room
