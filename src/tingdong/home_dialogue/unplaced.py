"""Clauses that no rule handled: a question or a report, by their function (`functions`).

Corrections, answers, undoing and timers get a question about it; wishes and orders are reported as not understood. Only
clauses without a request are no request (service.md, Scene).
"""

import msgspec

from tingdong.home.model import ReplyKind
from tingdong.home_dialogue.clarify import MAX_ASKED
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.functions import Function
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.parting import is_weighty
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_telling import list_timers
from tingdong.home_dialogue.turn_functions import told_in
from tingdong.home_dialogue.undoing import NOTHING_DONE

__all__ = ["NOT_UNDERSTOOD", "unplaced"]

SURE_WHAT_IT_DOES = 0.8
"""Chance from which a turn is held for what it does."""
NOT_UNDERSTOOD = "“{}”没听懂，没有做。"
WHAT_IS_WRONG = "刚才说的是“{}”，哪里要改？"
WHAT_OF_IT = "“{}”要怎么做？刚才说的是“{}”。"
WHAT_TO_UNDO = "刚才说的是“{}”，要恢复哪一个？"
WHICH_TIMER = "{}要怎么改？"
_UNSAID = frozenset({"other_domain", "not_addressed"})
_ABOUT_OURS = (Function.CORRECT, Function.ANSWER, Function.UNDO, Function.TIMER)


def unplaced(situation: Situation) -> Ended | None:
    """What the turn comes to, where it asks for something; None where it does not, or nothing says so for sure."""
    told = told_in(situation)
    best = max(told, key=lambda one: one.chance(one.function) * (one.function in _ABOUT_OURS), default=None)
    if best is not None and best.function in _ABOUT_OURS and best.chance(best.function) >= SURE_WHAT_IT_DOES:
        return _about_ours(situation, best.function)
    lost = [one for one in told if one.chance(Function.ORDER, Function.WISH) >= SURE_WHAT_IT_DOES]
    orders = any(one.function is Function.ORDER for one in lost)
    if not lost or situation.reading.reason in _UNSAID or (orders and not is_weighty(situation.reading)):
        return None
    said = "，".join(situation.text[one.start : one.end] for one in lost)
    return passed(situation), Outcome(ReplyKind.ANSWER, NOT_UNDERSTOOD.format(said), rule="unclear")


def _about_ours(situation: Situation, function: Function) -> Ended | None:
    """A question about what we asked, did or set."""
    page, last = situation.page, situation.page.last
    said = last.text if last is not None else ""
    if function is Function.TIMER:
        timers = list_timers(page.timers, situation.scene.now.timestamp())
        return _asked(situation, WHICH_TIMER.format(timers)) if page.timers else _told(situation, timers)
    if function is Function.UNDO and not page.ledger:
        return _told(situation, NOTHING_DONE)
    if function is Function.ANSWER and page.pending is not None and page.pending.text:
        if page.pending.asked >= MAX_ASKED:
            return _told(situation, NOT_UNDERSTOOD.format(situation.text))
        pending = msgspec.structs.replace(page.pending, asked=page.pending.asked + 1)
        page = msgspec.structs.replace(passed(situation), pending=pending)
        return page, Outcome(ReplyKind.QUESTION, pending.text, rule="unclear")
    if not said:
        return _told(situation, NOT_UNDERSTOOD.format(situation.text))
    text = {
        Function.CORRECT: WHAT_IS_WRONG.format(said),
        Function.UNDO: WHAT_TO_UNDO.format(said),
        Function.ANSWER: WHAT_OF_IT.format(situation.text, said),
    }[function]
    return _asked(situation, text)


def _asked(situation: Situation, text: str) -> Ended:
    return passed(situation), Outcome(ReplyKind.QUESTION, text, rule="unclear")


def _told(situation: Situation, text: str) -> Ended:
    return passed(situation), Outcome(ReplyKind.ANSWER, text, rule="unclear")
