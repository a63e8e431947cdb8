"""Joins several outcomes of one turn: instructs, text, next page."""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import QueryIR
from tingdong.home.acts import ActKind, read_act
from tingdong.home.model import Instruct, ReplyKind
from tingdong.home.plan import plan
from tingdong.home_dialogue.ending import Ended
from tingdong.home_dialogue.ledger import changes_of
from tingdong.home_dialogue.outcome import ClauseOutcome, Outcome
from tingdong.home_dialogue.page import Entry, LedgerChange, Page, Pending
from tingdong.home_dialogue.situation import Situation

__all__ = ["as_one_turn", "asked_too"]


def as_one_turn(
    situation: Situation, page: Page, outcomes: Sequence[Outcome], clauses: tuple[ClauseOutcome, ...]
) -> Ended:
    """The outcomes, in their order, as the one turn that began with `situation` and left `page`."""
    instructs = _sent(outcomes)
    kinds = [outcome.kind for outcome in outcomes]
    kind = next((one for one in (ReplyKind.INSTRUCT, ReplyKind.QUESTION) if one in kinds), ReplyKind.ANSWER)
    page, settled = _settled(situation, page, instructs)
    text = "".join(
        dict.fromkeys(outcome.text.replace(settled, "") if settled else outcome.text for outcome in outcomes)
    )
    findings = tuple(finding for outcome in outcomes for finding in outcome.findings)
    rule = next((outcome.rule for outcome in outcomes if outcome.rule != "lost"), "lost")
    after = _one_turn(situation.page, page)
    return after, Outcome(kind, text, instructs, findings, rule, clauses)


def asked_too(before: Page, after: Page, whole: Situation) -> Page:
    """客厅多少度，湿度呢: the page after a clause, on which what the clause before asked is asked
    again as well (那卧室呢)."""
    first, second = before.last, after.last
    if first is None or second is None or first is second or before.turn <= whole.page.turn:
        return after
    asks = all(read_act(one.action).kind is ActKind.ASK for one in (*first.queries, *second.queries))
    if not asks:
        return after
    return msgspec.structs.replace(after, last=msgspec.structs.replace(second, queries=first.queries + second.queries))


def _settled(situation: Situation, page: Page, instructs: Sequence[Instruct]) -> tuple[Page, str]:
    """能不能送风，开送风: the page without a question of this turn whose request another clause has carried out, and
    the question; "" for none."""
    pending = page.pending
    if pending is None or pending == situation.page.pending or not pending.doubted or not instructs:
        return page, ""
    home, now = situation.home.after(one for one in instructs if not one.deferred), situation.scene.now
    for query, ids in zip(pending.queries, pending.targets, strict=True):
        planned = plan(home, query, ids, now=now).instructs
        if any(one.deferred or changes_of(home, (one,), {}) for one in planned):
            return page, ""
    return msgspec.structs.replace(page, pending=None), pending.text


def _sent(outcomes: Sequence[Outcome]) -> tuple[Instruct, ...]:
    """All that is sent, one a device and moment; what came later wins."""
    found: dict[tuple[str, str | None, str | None], Instruct] = {}
    for instruct in (one for outcome in outcomes for one in outcome.instructs):
        key = (instruct.id, instruct.when, instruct.cancel)
        known = found.get(key)
        if known is not None and instruct.cancel is None:
            told = instruct.summary if known.summary == instruct.summary else f"{known.summary}，{instruct.summary}"
            instruct = msgspec.structs.replace(instruct, state={**known.state, **instruct.state}, summary=told)
        found[key] = instruct
    return tuple(found.values())


def _one_turn(before: Page, after: Page) -> Page:
    """The page as after one turn: one entry of the ledger, and a question of this turn still open."""
    turn = before.turn + 1
    last = after.last
    if last is not None and last.turn > before.turn:
        last = msgspec.structs.replace(last, turn=turn)
    return msgspec.structs.replace(
        after, turn=turn, last=last, ledger=_one_entry(before, after), pending=_still_open(before, after)
    )


def _one_entry(before: Page, after: Page) -> tuple[Entry, ...]:
    old = tuple(entry for entry in after.ledger if entry.turn <= before.turn)
    new = after.ledger[len(old) :]
    if len(new) < 2:
        return tuple(msgspec.structs.replace(one, turn=before.turn + 1) if one in new else one for one in after.ledger)
    clauses: list[QueryIR] = []
    changes: list[LedgerChange] = []
    timers: list[str] = []
    for entry in new:
        offset = len(clauses)
        changes += [_shifted(change, offset) for change in entry.changes]
        clauses += entry.clauses
        timers += entry.timers
    return (*old, Entry(before.turn + 1, tuple(clauses), tuple(changes), tuple(timers), new[0].said))


def _shifted(change: LedgerChange, offset: int) -> LedgerChange:
    return msgspec.structs.replace(change, clause=change.clause + offset) if change.clause >= 0 else change


def _still_open(before: Page, after: Page) -> Pending | None:
    pending = after.pending
    if pending is None or (before.pending is not None and pending.text == before.pending.text):
        return pending
    return msgspec.structs.replace(pending, age=0)
