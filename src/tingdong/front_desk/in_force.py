"""Questions about an appointment that is there: whether it stands (hospital.md, Segments).

What asks that (还算数吧, 预约还在不在) asks for no other appointment, and neither does what tells which one is meant
(我上周约了妇科). The signals are the domain file's (`cutting`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.front_desk.atoms import Atom
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.pieces import clause_at
from tingdong.front_desk.spoken import BACKGROUND
from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.learned.chain import BEGINS

__all__ = ["InForce"]


class InForce:
    """Finds the stretches of turns that ask whether an appointment stands, by the words of one domain."""

    def __init__(self, spotter: Spotter, classifier: Classifier) -> None:
        words = spotter.domain.operating
        self._asks, self._had = spotter.bits(words.in_force), any_of(words.had)
        self._classifier = classifier

    def labels(self, spots: Spots, atoms: Sequence[Atom]) -> dict[int, str]:
        """Labels of the stretches of a turn by number: those that ask, and those that tell of what is asked about."""
        masks = [spots.mask(atom.start, atom.end) for atom in atoms]
        asking = [number for number, mask in enumerate(masks) if mask & self._asks]
        agents = {at: self._classifier.rules(masks[at]).agent_code for at in asking}
        found = {at: BEGINS + code for at, code in agents.items() if code != UNKNOWN_AGENT}
        before = ((at, atoms[at]) for at in range(max(found, default=0)) if at not in found)
        told = [at for at, atom in before if self._had.search(spots.text, *clause_at(spots.text, atom.start))]
        return dict.fromkeys(told, BACKGROUND) | found
