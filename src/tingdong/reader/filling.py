"""From the network's scores to slots: the command grammar as masks, the likeliest choices, and how sure they are.

A choice that the grammar or the sentence does not allow is never made (spec: ACTION, SCOPE, TARGET). The same scores
say how likely any other array is, so no second run is needed.
"""

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from context_retrieval.models import Quantifier
from tingdong.commands.words import Kind
from tingdong.reader import slots as s
from tingdong.reader.network import Scores
from tingdong.reader.spots import SentenceTokens, count_of, value_of, when_of

__all__ = ["LONGEST_NAME", "Filled", "Filler", "PointerPlaces"]

Chances = NDArray[np.float32]
Mask = NDArray[np.bool_]

LONGEST_NAME = 14
"""Characters of a room or a name."""
_LEAST = 1e-9
_NEVER = np.float32(-1e9)
_NO_NAME = frozenset((Kind.BREAK, Kind.WHEN))
_VERB, _VALUE, _WHEN, _NAME, _TARGET, _COUNT, _HERE = range(len(s.CHOICES))


class Filled(msgspec.Struct, frozen=True):
    """Slots with log P of all their choices together, and the probability of the least sure one."""

    slots: tuple[s.Slot, ...]
    score: float
    worst: float


class PointerPlaces:
    """The places of a sentence where each kind of pointer may point."""

    def __init__(self, spots: SentenceTokens) -> None:
        length = len(spots.text)
        self.values, self.times, self.counts = (np.zeros(length, bool) for _ in range(3))
        self.words = np.ones(length, bool)
        for token in spots.tokens:
            self.values[token.start] = bool(value_of(token, ""))
            self.times[token.start] = bool(when_of(token))
            self.counts[token.start] = count_of(token) > 0
            if token.kind in _NO_NAME:
                self.words[token.start : token.end] = False
        self.has_values, self.has_times, self.has_counts = (
            bool(some.any()) for some in (self.values, self.times, self.counts)
        )

    def reach(self, first: int) -> int:
        """How far words that begin at `first` may go: one past their last position."""
        end = first + 1
        while end < len(self.words) and end - first < LONGEST_NAME and self.words[end]:
            end += 1
        return end


class Filler:
    """Fills slots by scores; one per alphabet. By class: `verbs`, and which targets are `excepting` or `counted`;
    `columns`: where each choice lies among the classes."""

    def __init__(self, alphabet: s.Alphabet) -> None:
        self.columns = s.columns_of(alphabet.sizes())
        self.verbs = ("", *alphabet.verbs)
        self.excepting: Mask = np.array([quantifier is Quantifier.EXCEPT for _, quantifier in alphabet.targets])
        self.counted = [quantifier is Quantifier.ANY for _, quantifier in alphabet.targets]

    def likeliest(self, scores: Scores, places: PointerPlaces) -> Filled:
        """The likeliest choices, slot by slot."""
        path = _Path()
        found: list[s.Slot] = []
        verbs = _chances(scores.classes[: s.SLOTS, self.columns[_VERB]])
        for at in range(s.SLOTS - 1):
            verb = path.take(verbs[at])
            if verb == 0:
                break
            found.append(_Slot(self, scores, places, path, at=at, verb=verb).filled())
        return Filled(tuple(found), path.total, path.worst)

    def score(self, scores: Scores, places: PointerPlaces, slots: Sequence[s.Slot]) -> Filled:
        """How likely given slots are."""
        path = _Path()
        verbs = _chances(scores.classes[: s.SLOTS, self.columns[_VERB]])
        for at, slot in enumerate(slots):
            path.take(verbs[at], slot.verb)
            _Slot(self, scores, places, path, at=at, verb=slot.verb, given=slot).filled()
        if len(slots) < s.SLOTS - 1:
            path.take(verbs[len(slots)], 0)
        return Filled(tuple(slots), path.total, path.worst)


class _Path:
    """The choices so far: log P of all, and the probability of the least sure."""

    __slots__ = ("total", "worst")

    def __init__(self) -> None:
        self.total, self.worst = 0.0, 1.0

    def take(self, chances: Chances, wanted: int | None = None) -> int:
        """The likeliest class, or the wanted one."""
        at = int(chances.argmax()) if wanted is None else wanted
        self.add(float(chances[at]))
        return at

    def add(self, chance: float) -> None:
        """Adds a choice with its chance."""
        self.total += math.log(max(chance, _LEAST))
        self.worst = min(self.worst, chance)


class _Slot:
    """One slot as it is filled, by the likeliest choices or by those that are `given`."""

    def __init__(
        self, filler: Filler, scores: Scores, places: PointerPlaces, path: _Path, *, at: int, verb: int,
        given: s.Slot | None = None,
    ) -> None:  # fmt: skip
        self._filler, self._scores, self._places = filler, scores, places
        self._at, self._verb, self._path, self._given = at, verb, path, given
        self._said = filler.verbs[verb]
        self._wanted: Sequence[int | None] = (None,) * len(s.CHOICES) if given is None else given.choices()
        self._wanted_at: Sequence[int | None] = (None,) * len(s.POINTERS) if given is None else given.pointers()

    def filled(self) -> s.Slot:
        """The slot."""
        value = self._choose(_VALUE, self._values())
        value_at = self._valued(value)
        when = self._choose(_WHEN) if self._places.has_times else 0
        when_at = self._point(1, self._places.times) if when else -1
        name, name_at = self._named()
        here = self._choose(_HERE)
        marks = self._marks(here=bool(here), named=name != s.NO_NAME)
        excluding = any(kind != s.ROOM for kind, _, _ in marks)
        legal = self._filler.excepting if excluding else ~self._filler.excepting
        target = self._choose(_TARGET, legal)
        count, count_at = self._counted(target)
        return s.Slot(
            self._verb, value, when, name, target, count, here, value_at, when_at, name_at, count_at, tuple(marks)
        )

    def _choose(self, choice: int, legal: Mask | None = None) -> int:
        logits = self._scores.classes[self._at, self._filler.columns[choice]]
        chances = _chances(logits if legal is None else np.where(legal, logits, _NEVER))
        return self._path.take(chances, self._wanted[choice])

    def _point(self, pointer: int, legal: Mask) -> int:
        logits = self._scores.pointers[self._at, pointer]
        return self._path.take(_chances(np.where(legal, logits, _NEVER)), self._wanted_at[pointer])

    def _end(self, first: int, wanted: int | None) -> int:
        chances = _chances(self._scores.ends[first, first : self._places.reach(first)])
        if wanted is not None and wanted - first >= len(chances):
            self._path.add(0.0)
            return wanted
        return first + self._path.take(chances, None if wanted is None else wanted - first)

    def _values(self) -> Mask:
        """Values that a verb may have."""
        column = self._filler.columns[_VALUE]
        legal = np.zeros(column.stop - column.start, bool)
        if self._said.startswith(s.SETTING):
            legal[s.VALUE_SPAN :] = True
            legal[s.VALUE_TOKEN] = self._places.has_values
        legal[s.NO_VALUE] = not self._said.startswith("设置")
        return legal

    def _valued(self, value: int) -> s.Span:
        if value == s.VALUE_TOKEN:
            return self._point(0, self._places.values), -1
        if value == s.VALUE_SPAN:
            first = self._point(0, self._places.words)
            return first, self._end(first, None if self._given is None else self._given.value_at[1])
        return -1, -1

    def _named(self) -> tuple[int, s.Span]:
        name = self._choose(_NAME, np.array((False, False, True)) if self._said == "执行" else None)
        if name != s.NAMED:
            return name, (-1, -1)
        first = self._point(2, self._places.words)
        return name, (first, self._end(first, None if self._given is None else self._given.name_at[1]))

    def _marks(self, *, here: bool, named: bool) -> list[s.Mark]:
        """Rooms and what is left out, in the order of the sentence."""
        logits = np.concatenate((np.zeros((1, len(self._places.words)), np.float32), self._scores.marks[self._at]))
        if here:
            logits[[s.ROOM, s.EXCLUDED_ROOM]] = _NEVER
        if named:
            logits[s.EXCLUDED_NAME] = _NEVER
        chances = _chances(logits[:, self._places.words].T)
        where = np.flatnonzero(self._places.words)
        given = None if self._given is None else self._given.marks
        kinds = chances.argmax(1)
        if given is not None:
            begun = {first: kind for kind, first, _ in given}
            kinds = np.array([begun.get(int(at), 0) for at in where])
        sure = chances[np.arange(len(where)), kinds]
        self._path.total += float(np.log(np.maximum(sure, np.float32(_LEAST))).sum())
        self._path.worst = min(self._path.worst, float(sure.min(initial=1.0)))
        if given is not None:
            for _, first, last in given:
                self._end(first, last)
            return list(given)
        return [(int(kinds[i]), int(where[i]), self._end(int(where[i]), None)) for i in np.flatnonzero(kinds)]

    def _counted(self, target: int) -> tuple[int, int]:
        if not self._filler.counted[target]:
            return s.NO_COUNT, -1
        column = self._filler.columns[_COUNT]
        legal = np.ones(column.stop - column.start, bool)
        legal[s.COUNT_TOKEN] = self._places.has_counts
        count = self._choose(_COUNT, legal)
        return count, self._point(3, self._places.counts) if count == s.COUNT_TOKEN else -1


def _chances(logits: Chances) -> Chances:
    """Probabilities over the last axis."""
    held: Chances = logits - np.maximum.reduce(logits, -1, keepdims=True)
    np.exp(held, out=held)
    held /= np.add.reduce(held, -1, keepdims=True)
    return held
