"""What the clauses of this turn do, on this page (`functions`)."""

from tingdong.home_dialogue.function_signs import Facts
from tingdong.home_dialogue.functions import Function, ToldClause, functions_of
from tingdong.home_dialogue.said import SaidWords
from tingdong.home_dialogue.situation import Situation

__all__ = ["LONGEST", "chance", "told_in"]

LONGEST = 500
"""Characters; of a longer text no clause is judged, as none is heard anew."""


def told_in(situation: Situation) -> tuple[ToldClause, ...]:
    """The clauses of the turn with what each does."""
    if len(situation.text) > LONGEST:
        return ()
    page, last = situation.page, situation.page.last
    acted = last is not None and last.turn >= page.turn - 1
    facts = Facts(page.pending is not None, acted, bool(page.timers))
    return situation.said.once(_told, facts)


def _told(said: SaidWords, facts: Facts) -> tuple[ToldClause, ...]:
    return functions_of(said.text, said.mentions, facts)


def chance(situation: Situation, start: int, end: int, *functions: Function) -> float:
    """How likely all that is said at `[start, end)` does one of these; 0 where nothing is said, or where a clause that
    reaches beyond it was read as one."""
    inside = [one for one in told_in(situation) if one.start < end and start < one.end]
    if any(one.start < start or one.end > end for one in inside):
        return 0.0
    return min((one.chance(*functions) for one in inside), default=0.0)
