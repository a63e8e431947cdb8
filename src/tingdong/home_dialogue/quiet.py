"""Clauses without a request: statements, quotations and questions (law 2), by the learned `functions`.

A learned veto: it removes requests and never makes one. A question keeps its query.
"""

import msgspec

from context_retrieval.models import Command
from tingdong.commands.reading import Part, Reading, Verdict
from tingdong.home.questions import wants_answer
from tingdong.home_dialogue.clause_kinds import Clause
from tingdong.home_dialogue.conditions import of_itself
from tingdong.home_dialogue.functions import Function
from tingdong.home_dialogue.parting import same_request
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.turn_functions import chance

__all__ = [
    "SURE",
    "acts_in_telling",
    "gives_a_reason",
    "is_quiet",
    "is_told",
    "may_be_talk",
    "orders_something",
    "quieted",
]

SURE, LIKELY = 0.97, 0.9
"""Chances from which a clause is held for what it does: where a request is taken away in silence, and where it is said
that it was not understood, or where nothing was found to do. Chosen on voices left out (docs/dialogue-home.md)."""
MOST_BESIDE_POINTING = 1
"""Characters of a clause that only points, beside what is mentioned."""
_ASKS = "查询"
NOTHING_ASKED = "no_request"
"""The reason of a reading that found nothing asked; others (a condition, a refusal) are no background."""


def is_told(clause: Clause, whole: Situation) -> bool:
    """Whether a clause of the turn asks for nothing (background, somebody else's words, chat), and the rules find
    neither a wish nor a question in it. Where the reading, too, is sure that nothing is asked, less will do."""
    reading = clause.part.reading
    least = LIKELY if reading.verdict is Verdict.REJECT and reading.reason == NOTHING_ASKED else SURE
    told = chance(whole, clause.part.start, clause.part.end, Function.TELL) >= least
    return told and not clause.commands and not clause.wishes and not wants_answer(clause.text)


def acts_in_telling(clause: Clause, whole: Situation) -> bool:
    """打开的时候家里没人: it rather tells than orders, so that an act that was read in it is doubtful."""
    acts = any(
        not one.action.verb.startswith(_ASKS)
        and of_itself(one.action.when, one.target.name, one.target.type) is None  # 空调开着的话也关了 does order
        for one in clause.commands
    )
    return acts and chance(whole, clause.part.start, clause.part.end, Function.TELL) >= LIKELY


def gives_a_reason(clause: Clause, whole: Situation) -> bool:
    """净化器声音太大, beside an order: it tells why, or what is complained of."""
    told = chance(whole, clause.part.start, clause.part.end, Function.TELL, Function.WISH)
    return told >= LIKELY and not wants_answer(clause.text)


def orders_something(clause: Clause, whole: Situation) -> bool:
    """扫完让它回去: it orders something, understood or not, and not only with words that point (那个)."""
    orders = chance(whole, clause.part.start, clause.part.end, Function.ORDER) >= SURE
    return orders and whole.part(clause.part.start, clause.part.end).left_beside() > MOST_BESIDE_POINTING


def may_be_talk(situation: Situation) -> bool:
    """Whether the turn, in which nothing was found, is rather told than asked for."""
    return chance(situation, 0, len(situation.text), Function.TELL) >= LIKELY


def is_quiet(situation: Situation) -> bool:
    """Whether the turn only tells or asks."""
    return chance(situation, 0, len(situation.text), Function.TELL, Function.ASK) >= SURE


def quieted(situation: Situation) -> Situation:
    """The turn without the acts of clauses that only tell or ask."""
    reading = situation.reading
    if not reading.parts:
        kept = _kept(reading.commands, situation, 0, len(reading.text))
        return situation if len(kept) == len(reading.commands) else _anew(situation, kept, ())
    parts = tuple(_part(part, situation) for part in reading.parts)
    if parts == reading.parts:
        return situation
    asked = [one for part in parts for one in part.reading.commands]
    lost = [one for part in reading.parts for one in part.reading.commands if one not in asked]
    kept = tuple(
        one
        for one in reading.commands
        if not any(same_request(other, one) for other in lost) or any(same_request(other, one) for other in asked)
    )
    return _anew(situation, kept, parts)


def _part(part: Part, situation: Situation) -> Part:
    commands = part.reading.commands
    kept = _kept(commands, situation, part.start, part.end)
    if len(kept) == len(commands):
        return part
    return msgspec.structs.replace(part, reading=_without(part.reading, kept))


def _kept(commands: tuple[Command, ...], situation: Situation, start: int, end: int) -> tuple[Command, ...]:
    if not commands:
        return commands
    if chance(situation, start, end, Function.TELL, Function.ASK) >= SURE:
        return tuple(one for one in commands if one.action.verb.startswith(_ASKS))
    return commands


def _without(reading: Reading, kept: tuple[Command, ...]) -> Reading:
    return msgspec.structs.replace(reading, commands=kept, reason=reading.reason or "told")


def _anew(situation: Situation, kept: tuple[Command, ...], parts: tuple[Part, ...]) -> Situation:
    reading = msgspec.structs.replace(_without(situation.reading, kept), parts=parts)
    return situation.read_as(reading)
