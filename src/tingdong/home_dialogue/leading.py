"""First clauses that refer to the previous turn: an answer (可以，灯也关了) or a correction
(不是客厅，是书房，再把风调大); the other clauses are handled by themselves."""

from collections.abc import Sequence

import msgspec

from tingdong.commands.reading import MentionKind
from tingdong.home_dialogue.answers import says_no, says_yes
from tingdong.home_dialogue.clarify import AnswerKind, answer_to
from tingdong.home_dialogue.clause_kinds import Clause
from tingdong.home_dialogue.mentioned import PLACED_THINGS
from tingdong.home_dialogue.situation import Situation

__all__ = ["MOST_BESIDE_ANSWER", "that_answer", "that_correct", "together"]

MOST_BESIDE_ANSWER = 1
"""Characters of a short answer that no mention covers."""


def that_answer(clauses: list[Clause], situation: Situation) -> int:
    """How many clauses at the beginning answer the open question, where others follow that request something."""
    pending = situation.page.pending
    if pending is None or answer_to(pending, situation).kind is not AnswerKind.UNRELATED:
        return 0
    for count in range(len(clauses) - 1, 0, -1):
        lead = together(situation, clauses[:count])
        if lead.left_beside() > MOST_BESIDE_ANSWER and not says_yes(lead.text) and not says_no(lead.text):
            continue  # 202有客人要到 tells something
        if any(one.commands for one in clauses[count:]) and answer_to(pending, lead).kind is not AnswerKind.UNRELATED:
            return count
    return 0


def that_correct(clauses: list[Clause], situation: Situation) -> int:
    """How many clauses at the beginning put the last turn right and name what is meant instead, where the others go on
    with it or are about things of their own (不是客厅，是书房，再把风调大)."""
    lead = next((n for n, one in enumerate(clauses) if one.commands), 0)
    goes_on = {mention.kind for mention in clauses[lead].part.reading.mentions} & {MentionKind.AGAIN, MentionKind.ALSO}
    named = any(one.kind in PLACED_THINGS for clause in clauses[:lead] for one in clause.part.reading.mentions)
    if not lead or not goes_on or not named or not situation.has(MentionKind.CORRECTION):
        return 0
    rest = situation.part(clauses[lead].part.start, len(situation.text))
    return 0 if rest.has(MentionKind.CORRECTION) else lead


def together(situation: Situation, clauses: Sequence[Clause]) -> Situation:
    """The clauses as a sentence of their own."""
    start, end = clauses[0].part.start, clauses[-1].part.end
    lead = situation.part(start, end)
    commands = tuple(command for clause in clauses for command in clause.commands)
    reading = msgspec.structs.replace(lead.reading, commands=commands)
    return situation.read_as(reading)
