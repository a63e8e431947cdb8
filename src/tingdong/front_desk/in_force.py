"""Questions about an existing appointment (hospital.md, Segments).

还算数吧, 预约还在不在 and statements that identify one (我上周约了妇科) request no new appointment. The signals are in
the domain file (`cutting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from tingdong.front_desk.atoms import Atom
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.pieces import clause_at, is_mostly_in
from tingdong.front_desk.spoken import ACTS, BACKGROUND
from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.front_desk.stories import Stories
from tingdong.learned.chain import BEGINS, GOES_ON

__all__ = ["InForce"]

_NEAR = 3
"""Stretches before a question within which it is told what it is about."""


class InForce:
    """Finds the stretches of turns that ask whether an appointment stands, or tell what was, by the words of one
    domain."""

    def __init__(self, spotter: Spotter, classifier: Classifier) -> None:
        words = spotter.domain.operating
        self._asks, self._usable, self._altered = map(spotter.bits, (words.in_force, words.usable, words.altered))
        self._had, self._arranged = any_of(words.had), any_of(words.arranged)
        self._classifier = classifier
        self._stories = Stories(spotter)

    def labels(self, spots: Spots, atoms: Sequence[Atom], *, booked: bool) -> dict[int, str]:
        """Labels of the stretches of a turn by number: those that ask, those that tell of what is asked about, and
        those that tell of the past. While a booking is open (`booked`), that is what is altered, unless the words say
        where another was made."""
        masks = [spots.mask(atom.start, atom.end) for atom in atoms]
        had = [at for at, atom in enumerate(atoms) if self._had.search(spots.text, *clause_at(spots.text, atom.start))]
        asking = {at: mask for at, mask in enumerate(masks) if mask & self._asks}
        altered = not booked or self._arranged.search(spots.text) is not None
        later = self._usable | self._altered if altered else self._usable
        asking |= {at: self._asks for at, mask in enumerate(masks) if mask & later and had and had[0] <= at}
        agents = {at: self._classifier.rules(mask).agent_code for at, mask in asking.items()}
        known = {at: code for at, code in agents.items() if code != UNKNOWN_AGENT}
        first = next((at for at in had if known and 0 < min(known) - at <= _NEAR), None)
        if first is not None:  # what is asked about goes with the question
            known |= dict.fromkeys(range(first, min(known)), known[min(known)])
        found = {at: (GOES_ON if known.get(at - 1) == code else BEGINS) + code for at, code in known.items()}
        past, about = self._stories.parted(spots)
        told = {at: one for at, one in enumerate(atoms) if one.by_rules not in ACTS}
        labels = {at: BACKGROUND for at, one in told.items() if is_mostly_in(one.start, one.end, past)}
        wished = [at for at, one in told.items() if is_mostly_in(one.start, one.end, about)]
        named = reduce(or_, (masks[at] & self._stories.listed for at in wished), 0)
        code = self._classifier.rules(named).agent_code
        if code != UNKNOWN_AGENT:  # all that they name is one task
            labels |= {at: (GOES_ON if number else BEGINS) + code for number, at in enumerate(wished)}
        return labels | found
