"""The learned reader: a sentence in, its guess out, with the probability of any other array.

All slots are filled in one pass under the grammar, so a guess is always a valid array about words of the sentence.
Sentences longer than `inputs.LONGEST` are not read.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import Command
from tingdong.commands.preparing import Prepared
from tingdong.commands.reading import NameTable
from tingdong.commands.words import WordTable
from tingdong.reader.explaining import unexplained
from tingdong.reader.filling import Filler, PointerPlaces
from tingdong.reader.guess import Guess
from tingdong.reader.inputs import LONGEST, columns, fingerprint
from tingdong.reader.network import Network, Scores
from tingdong.reader.slots import MOODS, NOTHING
from tingdong.reader.spots import SentenceSpotter, SentenceTokens, spots_of
from tingdong.reader.weights import Trained, load
from tingdong.reader.writing import SlotWriter

__all__ = ["LearnedReader", "Sitting", "advice", "shipped"]

DATA = Path(__file__).parent / "data"


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
        return self._opened(self._spotter.read(text, names))

    def before(self, said: Prepared) -> "Sitting | None":
        """The same of a sentence that is prepared."""
        return self._opened(spots_of(said))

    def _opened(self, spots: SentenceTokens) -> "Sitting | None":
        if not spots.text or len(spots.text) > LONGEST:
            return None
        lexicon = self._spotter.lexicon
        scores = self._network.run(self._vocabulary.encode(columns(spots, lexicon)))
        return Sitting(scores, self._filler, SlotWriter(self._spotter, spots, self._alphabet), spots, lexicon)


class Sitting:
    """One sentence before the network: its guess, and its score of other arrays."""

    def __init__(
        self, scores: Scores, filler: Filler, writer: SlotWriter, spots: SentenceTokens, lexicon: Lexicon
    ) -> None:
        self._scores, self._filler, self._writer = scores, filler, writer
        self._spots, self._places, self._lexicon = spots, PointerPlaces(spots), lexicon

    @cached_property
    def guess(self) -> Guess:
        """The likeliest array."""
        filled = self._filler.likeliest(self._scores, self._places)
        mood = self._scores.mood - self._scores.mood.max()
        chances = np.exp(mood) / np.exp(mood).sum()
        asks = float(chances[: len(MOODS) - len(NOTHING)].sum())
        fits = asks if filled.slots else 1 - asks
        return Guess(self._writer.commands_of(filled.slots), filled.score, filled.worst, fits, MOODS[mood.argmax()])

    def score(self, commands: Sequence[Command]) -> float | None:
        """log P of an array; None where it cannot be said by pointing into the sentence."""
        slots = self._writer.slots_of(commands)
        return None if slots is None else self._filler.score(self._scores, self._places, slots).score

    def unexplained(self, commands: Sequence[Command]) -> int:
        """How many words of the sentence the commands leave unexplained (`explaining`); 0 where there are none."""
        return unexplained(self._spots, commands, self._lexicon) if commands else 0


@cache
def shipped() -> LearnedReader | None:
    """The reader of the package; None where its weights are not installed."""
    try:
        return LearnedReader(load(DATA))
    except OSError:
        return None


def advice(trained: Trained, table: WordTable) -> str:
    """What to do where the words the network knows are no longer those it was trained with; "" where they are."""
    if fingerprint(trained.vocabulary, table) == trained.words:
        return ""
    return "retrain: a word that the network knows is gone or is of another kind (make train-commands)"
