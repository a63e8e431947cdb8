"""The reasons of a turn, for a client that asked with `explain: true` (architecture, One request).

It only reports what the use case recorded. Spans are code points of the question as sent, so that a page can highlight
them.
"""

from collections.abc import Callable

import msgspec

from tingdong.commands.reading import Mention, Reading
from tingdong.hearing.told import HeardView, heard_at, heard_view
from tingdong.home_dialogue.outcome import Finding
from tingdong.home_turn import Turn
from tingdong.llm import TierReport

__all__ = ["Explanation", "MentionView", "ReadingView", "explanation"]

Place = Callable[[int, int], tuple[int, int]]


class MentionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A typed span `[start, end)` of the question, in code points; `value` is its canonical form."""

    kind: str
    start: int
    end: int
    value: str = ""
    type: str = ""


class ReadingView(msgspec.Struct, frozen=True):
    """A tier's reading: command array (commands.md), confidence, tier, and the words it is based on.

    `heard` is null if nothing was corrected and nothing is in doubt.
    """

    commands: list[str]
    confidence: float
    tier: str
    verdict: str
    reason: str
    mentions: list[MentionView]
    heard: HeardView | None = None


class Explanation(msgspec.Struct, frozen=True):
    """`data.explain` of a closing frame.

    `addressee` is who was addressed, `rule` the dialogue rule that decided, `tiers` the result and cost of each tier,
    `findings` the resolution of each command, `options` short answers to the question asked, `microseconds` the time of
    each stage. A repeated `rid` is answered from the page (`replayed`), which stores no reasons.
    """

    addressee: str = ""
    rule: str = ""
    reading: ReadingView | None = None
    tiers: tuple[TierReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    options: tuple[str, ...] = ()
    microseconds: dict[str, int] = {}
    replayed: bool = False


def explanation(turn: Turn, question: str) -> Explanation:
    """The explanation of a turn, from what it recorded."""
    decision = turn.decision
    if decision is None:
        return Explanation(options=turn.options, replayed=turn.replayed)
    return Explanation(
        addressee=decision.addressee.value,
        rule=decision.rule,
        reading=_reading(decision.reading, question) if decision.reading is not None else None,
        tiers=decision.tiers,
        findings=decision.findings,
        options=turn.options,
        microseconds=decision.microseconds,
    )


def _reading(reading: Reading, question: str) -> ReadingView:
    place = _read_at(reading, question)
    return ReadingView(
        commands=[str(command) for command in reading.commands],
        confidence=round(reading.confidence, 4),
        tier=reading.tier,
        verdict=reading.verdict.value,
        reason=reading.reason,
        mentions=[_mention(mention, place) for mention in reading.mentions],
        heard=heard_view(reading.heard, question) if reading.heard is not None else None,
    )


def _read_at(reading: Reading, question: str) -> Place:
    """Where in the question a span of what was read stands."""
    heard = reading.heard
    if heard is not None and heard.changes and reading.text == heard.text:
        return lambda start, end: heard_at(heard, question, *heard.said_span(start, end))
    # What is read is the question after the name that was called, so spans move by what was left out.
    offset = len(question) - len(reading.text) if question.endswith(reading.text) else 0
    return lambda start, end: (start + offset, end + offset)


def _mention(mention: Mention, place: Place) -> MentionView:
    kind = mention.type.value if mention.type.value != "Unknown" else ""
    return MentionView(mention.kind.value, *place(mention.start, mention.end), mention.value, kind)
