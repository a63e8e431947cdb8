"""Where one request may end and the next begin in words said without a sign (seed 003 §2.1; voice transcripts).

A linear model over the characters and signals on both sides of a place, trained on requests said one behind the other.
It only proposes: what stands on both sides must be a task by the rules of `segment`.
"""

from __future__ import annotations

from tingdong.dialogue.spotting import Spots, Spotter
from tingdong.dialogue.statistics import LinearModel

BORDER = "border"
INSIDE = "inside"
LEAST_SIDE = 2
"""Characters that a request has at least."""
_REACH = 4


def features(spotter: Spotter, spots: Spots, start: int, end: int) -> list[tuple[int, list[str]]]:
    """For every place within a span: what stands before and after it."""
    text = f"^{spots.text[start:end]}$"
    begins: dict[int, list[str]] = {}
    ends: dict[int, list[str]] = {}
    across: dict[int, list[str]] = {}
    for bit, spans in spots.found.items():
        for first, last in spans:
            if first >= start and last <= end:
                name = spotter.name(bit)
                begins.setdefault(first, []).append(name)
                ends.setdefault(last, []).append(name)
                for place in range(first + 1, last):
                    across.setdefault(place, []).append(name)
    found = []
    before: set[str] = set()
    after = [name for names in begins.values() for name in names]
    for place in range(start, end - LEAST_SIDE + 1):
        before.update(ends.get(place, ()))
        if place >= start + LEAST_SIDE:
            at = place - start + 1
            parts = [f"<{text[max(0, at - size) : at]}" for size in range(1, _REACH + 1)]
            parts += [f">{text[at : at + size]}" for size in range(1, _REACH + 1)]
            parts += [f"={text[at - 1 : at + 1]}", f"={text[at - 2 : at + 2]}"]
            parts += [f"(@{name}" for name in ends.get(place, ())]
            parts += [f")@{name}" for name in begins.get(place, ())]
            parts += [f"|@{name}" for name in across.get(place, ())]
            parts += [f"[@{name}" for name in before]
            parts += [f"]@{name}" for name in set(after)]
            found.append((place, parts))
        for name in begins.get(place, ()):
            after.remove(name)
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
        self._model = model

    def chances(self, spots: Spots, start: int, end: int) -> dict[int, float]:
        """Places within a span with the chance that a request begins there."""
        if self._model is None:
            return {}
        found = features(self._spotter, spots, start, end)
        return {place: self._model.probabilities(parts)[BORDER] for place, parts in found}
