"""Doubtful corrections as questions: “是说…吗？”, or which of two (docs/hearing.md).

A yes executes, a no drops. One of two is selected by position (前一个), by its own words (二十七度), or by repeating
the sentence; a bare yes selects neither.
"""

import msgspec

from context_retrieval.models import QueryIR, Reference
from tingdong.commands.reading import MentionKind
from tingdong.home.model import ReplyKind
from tingdong.home_dialogue.answers import answers, clauses_of, says_yes
from tingdong.home_dialogue.choose import place_of
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.page import Choice, OfferedText, Pending
from tingdong.home_dialogue.situation import Situation

__all__ = ["asked_again", "doubted", "said_again", "which_was_said"]

MOST_ASKED = 2
LONGEST_PART = 12
"""Characters of an answer that names one by a part of it."""


def doubted(situation: Situation) -> Ended | None:
    """Something else was probably said, which would do another thing: it is asked about."""
    found, sure = situation.reading.perhaps, situation.reading.confidence
    if not found:
        return None
    said = tuple(OfferedText(one.text, tuple(QueryIR.from_command(it, sure) for it in one.commands)) for one in found)
    text = f"是说{'还是'.join(f'“{one.text}”' for one in said)}{'？' if len(said) > 1 else '吗？'}"
    pending = Pending(Choice.HEARD, said[0].queries, (), text, said=said)
    page = msgspec.structs.replace(passed(situation), pending=pending)
    return page, Outcome(ReplyKind.QUESTION, text, rule="heard")


def said_again(pending: Pending, situation: Situation) -> OfferedText | None:
    """The text asked about that the turn says once more, word for word."""
    heard = situation.reading.heard
    words = heard.said if heard is not None else situation.text
    return next((one for one in pending.said if one.text == words), None)


def which_was_said(pending: Pending, situation: Situation) -> tuple[QueryIR, ...]:
    """The requests of the text that the turn says was said; none where it says neither."""
    if (again := said_again(pending, situation)) is not None:
        return again.queries
    if situation.queries and not all(query.reference is Reference.LAST for query in situation.queries):
        return ()
    if len(pending.said) < 2:
        return pending.queries if says_yes(situation.text) else ()
    chosen = _by_place(pending, situation) or _by_part(pending, situation)
    return chosen.queries if chosen is not None else ()


def asked_again(pending: Pending, situation: Situation) -> Ended | None:
    """A yes where two were asked about: the same question once more."""
    again = len(pending.said) > 1 and not situation.queries and says_yes(situation.text)
    if not again or pending.asked >= MOST_ASKED:
        return None
    pending = msgspec.structs.replace(pending, asked=pending.asked + 1)
    page = msgspec.structs.replace(passed(situation), pending=pending)
    return page, Outcome(ReplyKind.QUESTION, pending.text, rule="heard")


def _by_place(pending: Pending, situation: Situation) -> OfferedText | None:
    """前一个, 第二个."""
    places = [place_of(mention, len(pending.said)) for mention in situation.of(MentionKind.ORDINAL)]
    words = "".join(clauses_of(situation.text))
    for place, said in ((1, answers().former), (len(pending.said), answers().latter)):
        if words in said:
            places.append(place)
    return pending.said[places[0] - 1] if len(set(places)) == 1 and places[0] is not None else None


def _by_part(pending: Pending, situation: Situation) -> OfferedText | None:
    """The one that has the words of a short answer, where the others have not."""
    words = "".join(clauses_of(situation.text))
    having = [one for one in pending.said if words and words in one.text]
    return having[0] if len(having) == 1 and len(words) <= LONGEST_PART else None
