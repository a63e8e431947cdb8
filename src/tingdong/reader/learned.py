"""The learned reader: one sentence in, its guess out, with what the network thinks of any other array for it.

A guess is decoded under the grammar (greedily), so it is always a valid array about words of the sentence. Lengths
beyond `inputs.LONGEST` are not read.
"""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from context_retrieval.models import Command
from tingdong.commands.reading import NameTable
from tingdong.reader.grammar import Grammar, Places
from tingdong.reader.guess import Guess
from tingdong.reader.inputs import LONGEST, Vocabulary, columns
from tingdong.reader.network import Decoding, Network, Scores
from tingdong.reader.spots import SentenceSpotter, Spots
from tingdong.reader.symbols import END, Symbols
from tingdong.reader.weights import Trained, load
from tingdong.reader.writing import Row, RowWriter

__all__ = ["LearnedReader", "Sitting", "shipped"]

MAX_ROW = 60
DATA = Path(__file__).parent / "data"


class LearnedReader:
    """Reads sentences by a trained network; thread-safe."""

    def __init__(self, trained: Trained, spotter: SentenceSpotter | None = None) -> None:
        self._network = Network(trained)
        self._vocabulary: Vocabulary = trained.vocabulary
        self._symbols: Symbols = trained.symbols
        self._grammar = Grammar(trained.symbols)
        self._spotter = spotter or SentenceSpotter()

    def open(self, text: str, names: NameTable | None = None) -> "Sitting | None":
        """One sentence laid before the network; None where it is empty or too long."""
        spots = self._spotter.read(text, names)
        if not spots.text or len(spots.text) > LONGEST:
            return None
        inputs = self._vocabulary.encode(columns(spots, self._spotter.lexicon))
        decoding = self._network.decoding(inputs)
        return Sitting(decoding, self._grammar, RowWriter(self._spotter, spots, self._symbols), spots)


class Sitting:
    """One sentence before the network: its guess, and its score of other arrays."""

    def __init__(self, decoding: Decoding, grammar: Grammar, writer: RowWriter, spots: Spots) -> None:
        self._decoding = decoding
        self._grammar = grammar
        self._writer = writer
        self._places = Places(spots)

    def guess(self) -> Guess:
        """The most likely array, step by step."""
        return self._go_on([], 0.0, 1.0, 0.0)

    def weigh(self, commands: Sequence[Command]) -> tuple[Guess, float | None]:
        """The most likely array, and log P of the given one (None where it cannot be said by pointing).

        The given one is run at once; only from its first unlikely step on is there anything to decode.
        """
        row = self._writer.to_row(commands)
        if row is None or len(row) > MAX_ROW:
            return self.guess(), None
        symbols, places = self._decoding.fork().run(self._grammar.symbols.numbers(row))
        total, kept, split = 0.0, (0.0, 1.0, 0.0), -1
        for index, wanted in enumerate([*row, END]):
            chances = self._chances(row[:index], (symbols[index : index + 1], places[index : index + 1]))
            chance = float(chances[self._grammar.symbols.number[wanted] if isinstance(wanted, str) else wanted])
            if split < 0 and chance < chances.max():
                split = index
            total += math.log(max(chance, 1e-9))
            if split < 0:
                nothing = float(chances[0]) if index == 0 else kept[2]
                kept = total, min(kept[1], chance), nothing
        if split < 0:
            return Guess(self._writer.commands(row), *kept), total
        return self._go_on(row[:split], *kept), total

    def _go_on(self, row: Row, total: float, worst: float, nothing: float) -> Guess:
        """The most likely array that begins with `row`."""
        names, numbers = self._grammar.symbols.all, self._grammar.symbols.number
        decoding = self._decoding.fork()
        scores = decoding.run(self._grammar.symbols.numbers(row))
        while len(row) < MAX_ROW:
            chances = self._chances(row, scores)
            at = int(chances.argmax())
            chance = float(chances[at])
            nothing = nothing if row else float(chances[0])
            total, worst = total + math.log(max(chance, 1e-9)), min(worst, chance)
            said = self._grammar.legal(row, self._places)[0] is not None
            if said and names[at] == END:
                break
            row.append(names[at] if said else at)
            scores = decoding.run((at if said else len(numbers) + at,))
        return Guess(self._writer.commands(self._grammar.completed(row)), total, worst, nothing)

    def _chances(self, row: Row, scores: Scores) -> NDArray[np.float32]:
        """Probabilities of the next symbol, or of the next position, of those that are legal."""
        symbols, positions = self._grammar.legal(row, self._places)
        logits, legal = (scores[0][-1], symbols) if symbols is not None else (scores[1][-1], positions)
        assert legal is not None
        found = np.exp(np.where(legal, logits - logits[legal].max(), np.float32(-1e9)))
        chances: NDArray[np.float32] = found / found.sum()
        return chances


@cache
def shipped() -> LearnedReader | None:
    """The reader of the package; None where its weights are not installed."""
    try:
        return LearnedReader(load(DATA))
    except OSError:
        return None
