"""The one-pass reader: one sentence in, its guess out, with what the network thinks of any other array for it.

A guess is filled in under the grammar, so it is always a valid array about words of the sentence. Lengths beyond
`tingdong.reader.inputs.LONGEST` are not read.
"""

from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from bench.onepass.filling import Filler, Places
from bench.onepass.inputs import columns, fingerprint
from bench.onepass.network import Network, Scores
from bench.onepass.slots import MOODS, NOTHING
from bench.onepass.weights import Trained
from bench.onepass.writing import SlotWriter
from context_retrieval.models import Command
from tingdong.commands.reading import NameTable
from tingdong.commands.words import WordTable
from tingdong.reader.inputs import LONGEST
from tingdong.reader.spots import SentenceSpotter, Spots

__all__ = ["Guess", "LearnedReader", "Sitting", "advice"]


class Guess(msgspec.Struct, frozen=True):
    """What the network reads. `score` is log P of all its choices, `worst` the probability of the least sure one;
    `asks`: how likely it is that anything is asked, by the mood alone, and `mood` the likeliest one (`slots.MOODS`).
    """

    commands: tuple[Command, ...]
    score: float
    worst: float
    asks: float
    mood: str

    @property
    def fits(self) -> float:
        """How likely it is by the mood that something is asked, where there are commands, or nothing, where not."""
        return self.asks if self.commands else 1 - self.asks


class LearnedReader:
    """Reads sentences by a trained network; thread-safe."""

    def __init__(self, trained: Trained, spotter: SentenceSpotter | None = None) -> None:
        self._network = Network(trained)
        self._vocabulary = trained.vocabulary
        self._alphabet = trained.alphabet
        self._filler = Filler(trained.alphabet)
        self._spotter = spotter or SentenceSpotter()

    def open(self, text: str, names: NameTable | None = None) -> "Sitting | None":
        """One sentence, as it was understood, laid before the network; None where it is empty or too long."""
        spots = self._spotter.read(text, names)
        if not spots.text or len(spots.text) > LONGEST:
            return None
        scores = self._network.run(self._vocabulary.encode(columns(spots, self._spotter.lexicon)))
        return Sitting(scores, self._filler, SlotWriter(self._spotter, spots, self._alphabet), spots)


class Sitting:
    """One sentence before the network: its guess, and its score of other arrays."""

    def __init__(self, scores: Scores, filler: Filler, writer: SlotWriter, spots: Spots) -> None:
        self._scores, self._filler, self._writer = scores, filler, writer
        self._places = Places(spots)

    @cached_property
    def guess(self) -> Guess:
        """The likeliest array."""
        filled = self._filler.likeliest(self._scores, self._places)
        mood = self._scores.mood - self._scores.mood.max()
        chances = np.exp(mood) / np.exp(mood).sum()
        asks = float(chances[: len(MOODS) - len(NOTHING)].sum())
        return Guess(self._writer.commands_of(filled.slots), filled.score, filled.worst, asks, MOODS[mood.argmax()])

    def score(self, commands: Sequence[Command]) -> float | None:
        """log P of an array; None where it cannot be said by pointing."""
        slots = self._writer.slots_of(commands)
        return None if slots is None else self._filler.score(self._scores, self._places, slots).score


def advice(trained: Trained, table: WordTable) -> str:
    """What to do where the words the network knows are no longer those it was trained with; "" where they are."""
    if fingerprint(trained.vocabulary, table) == trained.words:
        return ""
    return "retrain: a word the network knows is gone or is of another kind (python -m bench.onepass.train)"
