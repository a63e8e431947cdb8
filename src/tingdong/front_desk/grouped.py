"""Stretches with their labels, and those of one task side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tingdong.front_desk.atoms import Atom
from tingdong.front_desk.model import Cue, CueKind
from tingdong.front_desk.spoken import ACTS, ANSWER, RETURN
from tingdong.front_desk.spotting import Spots
from tingdong.learned.chain import BEGINS, GOES_ON, class_of

__all__ = ["LabelledStretch", "chance_of", "covers", "groups", "ruled_out"]


class LabelledStretch(NamedTuple):
    """A stretch with its label, and the chance of every class."""

    atom: Atom
    label: str
    chances: dict[str, float]

    @property
    def kind(self) -> str:
        """The label's class."""
        return class_of(self.label)


def groups(judged: Sequence[LabelledStretch], borders: Sequence[tuple[int, str]]) -> Iterator[list[LabelledStretch]]:
    """Stretches of one task, or of one kind, side by side; at a border the words turn to somebody else."""
    number = 0
    keyed = []
    for at, one in enumerate(judged):
        before = judged[at - 1] if at else one
        begins = one.label.startswith(BEGINS) or one.kind != before.kind
        told = (
            (before.atom.start, before.kind) in borders and before.label.startswith(GOES_ON) and one.kind == before.kind
        )
        begins = begins and not told  # what is told of somebody goes with what is asked for them
        begins = (
            begins or (one.atom.start, one.kind) in borders or (one.kind in ACTS and before.atom.end < one.atom.start)
        )
        number += bool(begins)
        keyed.append((number, one))
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        yield [one for _, one in group]


def chance_of(group: Sequence[LabelledStretch]) -> float:
    """How likely stretches of one kind are that, by their length."""
    length = sum(one.atom.end - one.atom.start for one in group)
    return sum(one.chances.get(one.kind, 0.0) * (one.atom.end - one.atom.start) for one in group) / length


def ruled_out(labels: Sequence[str], *, anything_open: bool) -> list[str]:
    """Labels that have no meaning where nothing is open."""
    out = {ANSWER, RETURN, *ACTS} - {CueKind.REFUSE.value, CueKind.UNDONE.value}
    return [] if anything_open else [label for label in labels if label in out]


def covers(spots: Spots, cue: Cue, start: int, end: int, *, share: float = 0.5) -> bool:
    """Whether a cue stands in more than a share of a stretch."""
    first, last = spots.normalised.original_span(start, end)
    shared = min(last, cue.end) - max(first, cue.start)
    return shared > 0 and shared >= share * (last - first)
