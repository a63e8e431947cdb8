"""Stretches of a text: the clauses between its signs, and the pieces that become segments (hospital.md, Segments)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from tingdong.front_desk.classify import ClassDecision
from tingdong.front_desk.lexicon import PUNCTUATION
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.spotting import Spots

_QUOTES = {"“": "”", "「": "」", "『": "』", '"': '"', "《": "》"}
_LONGEST_RUN = 2
"""Parts side by side that are judged together, beside the turn as a whole."""
MOST_PARTS = 24
"""Parts of a turn that are judged by themselves: the work of a long text has an end."""


class Piece:
    """A stretch of text that is one task, or part of one."""

    __slots__ = ("answers", "asks", "connective", "decision", "end", "loose", "mask", "parted", "settled", "start")

    def __init__(self, start: int, end: int, *, connective: bool) -> None:
        self.start: int = start
        self.end: int = end
        self.connective: bool = connective
        self.mask: int = 0
        self.answers: bool = False
        self.parted: bool = False
        self.asks: bool = False
        self.loose: bool = False
        self.settled: bool = False
        self.decision: ClassDecision = ClassDecision(())

    @property
    def agent(self) -> str:
        """The agent the piece is known to belong to, `unknown` while it could be another's."""
        return self.decision.agent_code if self.settled else UNKNOWN_AGENT


@lru_cache(maxsize=8)
def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Spans between punctuation, and between blanks that part Chinese words; what is quoted stays whole."""
    spans: list[tuple[int, int]] = []
    start, closing = 0, ""
    for at, char in enumerate(text):
        if closing:
            closing = "" if char == closing else closing
        elif char in _QUOTES and text.find(_QUOTES[char], at + 1) > 0:
            closing = _QUOTES[char]
        elif char in PUNCTUATION or (char == " " and _parts_words(text, at)):
            if at > start:
                spans.append((start, at))
            start = at + 1
    if len(text) > start:
        spans.append((start, len(text)))
    return tuple(spans)


def clauses_in(text: str, first: int, last: int) -> list[tuple[int, int]]:
    """The clauses of a stretch of a text, as far as they lie in it."""
    parts = ((max(start, first), min(end, last)) for start, end in clauses(text))
    return [(start, end) for start, end in parts if start < end]


def clause_at(text: str, at: int) -> tuple[int, int]:
    """The clause that holds a place or ends there; an empty one between two signs."""
    spans = clauses(text)
    number = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return spans[number] if number >= 0 and at <= spans[number][1] else (at, at)


def overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a stretch shares a place with one of some spans."""
    return any(first < end and start < last for first, last in spans)


def is_mostly_in(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether half of a stretch, or more, lies in some spans, their shares added up."""
    return 2 * sum(max(0, min(end, last) - max(start, first)) for first, last in spans) >= end - start


def _parts_words(text: str, at: int) -> bool:
    return 0 < at < len(text) - 1 and text[at - 1] >= "一" and text[at + 1] >= "一"


def longest_at(spots: Spots, bits: int, start: int, end: int) -> int:
    """End of the longest hit of any of `bits` that starts at `start`, 0 when there is none."""
    return max(spots.ends_from(start, end, bits), default=0)


def fewer(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts, neighbours joined where there are so many that judging each would take long."""
    joined = -(-len(parts) // MOST_PARTS)
    return [(parts[at][0], parts[min(at + joined, len(parts)) - 1][1]) for at in range(0, len(parts), joined or 1)]


def runs(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts by themselves and side by side, less all of them together."""
    count = len(parts)
    return [
        (parts[first][0], parts[last][1])
        for size in range(1, min(_LONGEST_RUN, count - 1) + 1)
        for first in range(count - size + 1)
        for last in (first + size - 1,)
    ]
