"""Borders between requests without punctuation (hospital.md, Segments; voice transcripts).

A linear model over characters and signals on both sides, trained on joined requests. It only proposes: both sides must
be a task by the rules of `segment`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.learned.statistics import LinearModel

BORDER = "border"
INSIDE = "inside"
LEAST_SIDE = 2
"""Characters that a request has at least."""
_SIZES = (1, 2, 3, 4)


class BorderPlace(NamedTuple):
    """A place in a text: features of what is beside it, and what anywhere before and after it came or went since the
    place before."""

    at: int
    beside: list[str]
    came: list[str]
    went: list[str]


def features(spotter: Spotter, spots: Spots, start: int, end: int) -> list[BorderPlace]:
    """For every place within a span: what stands before and after it."""
    text = f"^{spots.text[start:end]}$"
    begins: dict[int, list[str]] = {}
    ends: dict[int, list[str]] = {}
    across: dict[int, list[str]] = {}
    left: Counter[str] = Counter()
    for bit, spans in spots.found.items():
        name = spotter.name(bit)
        for first, last in spans:
            if first >= start and last <= end:
                begins.setdefault(first, []).append(name)
                ends.setdefault(last, []).append(name)
                left[f"]@{name}"] += 1
                for place in range(first + 1, last):
                    across.setdefault(place, []).append(f"|@{name}")
    found: list[BorderPlace] = []
    before: set[str] = set()
    came, went = list(left), list[str]()
    for place in range(start, end - LEAST_SIDE + 1):
        ended, begun = ends.get(place, ()), begins.get(place, ())
        fresh = {f"[@{name}" for name in ended} - before
        before |= fresh
        came += sorted(fresh)
        if place >= start + LEAST_SIDE:
            at = place - start + 1
            parts = [
                *(f"<{text[max(0, at - size) : at]}" for size in _SIZES),
                *(f">{text[at : at + size]}" for size in _SIZES),
                f"={text[at - 1 : at + 1]}",
                f"={text[at - 2 : at + 2]}",
                *(f"(@{name}" for name in ended),
                *(f")@{name}" for name in begun),
                *(f"(@{one})@{other}" for one in ended for other in begun),
                *across.get(place, ()),
            ]
            found.append(BorderPlace(place, parts, came, went))
            came, went = [], []
        for name in begun:
            left[f"]@{name}"] -= 1
            if not left[f"]@{name}"]:
                went.append(f"]@{name}")
    return found


LIKELY = 0.5
"""Chance from which a place is proposed."""

POSSIBLE = 0.2
"""Chance from which a place is proposed between tasks that are certain and different."""

UNLIKELY = 0.1
"""Chance below which no second request of one agent begins at a place, whatever else speaks for it."""

PARTED = 0.9
"""Chance from which a second question of one agent behind a sign is a request of its own."""

NEVER = 0.04
"""Chance below which what follows a sign goes on with what stands before it."""


class Borders:
    """Chances of the places of a span by a trained model; without one nothing is likely, and nothing ruled out."""

    def __init__(self, spotter: Spotter, model: LinearModel | None) -> None:
        self._spotter = spotter
        self._leanings = model.leanings(BORDER, INSIDE) if model is not None else {}

    def chances(self, spots: Spots) -> dict[int, float]:
        """Places within a text with the chance that a request begins there; reckoned once for a text."""
        if spots.places is None:
            spots.places = self._reckoned(spots) if self._leanings else {}
        return spots.places

    def _reckoned(self, spots: Spots) -> dict[int, float]:
        found = {}
        standing, numbers = 0.0, 0
        for place in features(self._spotter, spots, 0, len(spots.text)):
            came, went, beside = self._known(place.came), self._known(place.went), self._known(place.beside)
            standing += sum(came) - sum(went)
            numbers += len(came) - len(went)
            total, number = standing + sum(beside), numbers + len(beside)
            found[place.at] = 1 / (1 + math.exp(-total / math.sqrt(number))) if number else 0.0
        return found

    def _known(self, parts: Sequence[str]) -> list[float]:
        return [leaning for leaning in map(self._leanings.get, parts) if leaning is not None]
