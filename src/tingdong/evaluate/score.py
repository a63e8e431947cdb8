"""Scores: one outcome a scored item, counted per leading tag, with calibration where the answer carries a confidence.

Everything here is exact counting; nothing is rounded before it is shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

__all__ = ["Bin", "Calibration", "ScoredItem", "Summary", "Tally", "calibrate", "coverage_curve", "summarise"]

BINS = 10


class ScoredItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One scored item (a sentence, or a turn of a dialogue).

    `wrong` names the scored fields that differ from every right answer; `confidence` in 0..1 and `accepted` are None
    where the answer has none. `beside` holds what other readers made of the same item, by their name.
    """

    id: str
    tag: str
    right: bool
    text: str = ""
    expected: Any = None
    got: Any = None
    wrong: tuple[str, ...] = ()
    confidence: float | None = None
    accepted: bool | None = None
    beside: Mapping[str, "ScoredItem"] = {}


class Tally(msgspec.Struct, frozen=True):
    """Counts of one group; `accepted_right` counts among `accepted` only."""

    total: int = 0
    right: int = 0
    accepted: int = 0
    accepted_right: int = 0

    @property
    def share(self) -> float:
        """Right over total in 0..1; an empty group counts as 0."""
        return self.right / self.total if self.total else 0.0

    def with_(self, outcome: ScoredItem) -> "Tally":
        """This tally with one item more."""
        accepted = bool(outcome.accepted)
        return Tally(
            self.total + 1,
            self.right + outcome.right,
            self.accepted + accepted,
            self.accepted_right + (accepted and outcome.right),
        )


class Bin(msgspec.Struct, frozen=True):
    """Items whose confidence lies in `[low, high)`: their number, mean confidence and share right."""

    low: float
    high: float
    total: int
    confidence: float
    share: float


class Calibration(msgspec.Struct, frozen=True):
    """How far confidence can be believed: Brier score, expected calibration error, and the bins behind it."""

    brier: float
    error: float
    bins: tuple[Bin, ...]


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The scores of one set: `fields` counts wrong items per scored field, `extra` holds a scorer's figures in 0..1.

    `beside` holds the scores of other readers on the same set, by their name.
    """

    name: str
    overall: Tally
    tags: Mapping[str, Tally]
    fields: Mapping[str, int] = {}
    extra: Mapping[str, float] = {}
    calibration: Calibration | None = None
    curve: tuple[tuple[float, float], ...] = ()
    beside: Mapping[str, "Summary"] = {}


def summarise(name: str, outcomes: Sequence[ScoredItem], extra: Mapping[str, float] | None = None) -> Summary:
    """Count the outcomes overall, per leading tag (in the set's order) and per wrong field."""
    overall = Tally()
    tags: dict[str, Tally] = {}
    fields: dict[str, int] = {}
    for outcome in outcomes:
        overall = overall.with_(outcome)
        tags[outcome.tag] = tags.get(outcome.tag, Tally()).with_(outcome)
        for field in outcome.wrong:
            fields[field] = fields.get(field, 0) + 1
    judged = [(o.confidence, o.right) for o in outcomes if o.confidence is not None]
    others = dict.fromkeys(other for outcome in outcomes for other in outcome.beside)
    return Summary(
        name,
        overall,
        tags,
        fields,
        dict(extra or {}),
        calibrate(judged) if judged else None,
        coverage_curve(judged),
        {other: summarise(other, [o.beside[other] for o in outcomes if other in o.beside]) for other in others},
    )


def calibrate(judged: Iterable[tuple[float, bool]]) -> Calibration:
    """Calibration of (confidence, right) pairs over ten equal bins; the last bin includes 1.0."""
    pairs = list(judged)
    groups: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for confidence, right in pairs:
        groups[min(int(confidence * BINS), BINS - 1)].append((confidence, right))
    bins = tuple(_bin(index, group) for index, group in enumerate(groups) if group)
    count = len(pairs) or 1
    brier = sum((confidence - right) ** 2 for confidence, right in pairs) / count
    error = sum(found.total * abs(found.confidence - found.share) for found in bins) / count
    return Calibration(brier, error, bins)


def _bin(index: int, group: Sequence[tuple[float, bool]]) -> Bin:
    total = len(group)
    confidence = sum(pair[0] for pair in group) / total
    return Bin(index / BINS, (index + 1) / BINS, total, confidence, sum(pair[1] for pair in group) / total)


def coverage_curve(judged: Iterable[tuple[float, bool]]) -> tuple[tuple[float, float], ...]:
    """(coverage, accuracy) when only the most confident answers are kept; one point a distinct confidence."""
    pairs = sorted(judged, key=lambda pair: -pair[0])
    points: list[tuple[float, float]] = []
    right = 0
    for index, (confidence, good) in enumerate(pairs, start=1):
        right += good
        if index == len(pairs) or pairs[index][0] != confidence:
            points.append((index / len(pairs), right / index))
    return tuple(points)
