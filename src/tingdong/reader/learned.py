"""The learned reader: one sentence in, its guess out, with what the network thinks of any other array for it.

A guess is decoded under the grammar (greedily), so it is always a valid array about words of the sentence. Lengths
beyond `inputs.LONGEST` are not read.
"""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import Command
from tingdong.commands.reading import NameTable
from tingdong.reader.explaining import unexplained
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
_LEAST = 1e-9
_DRAFT, _NEAR = 16, 7
"""Items run ahead, and how far a drafted item is looked for."""
Chances = NDArray[np.float32]
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
        return Sitting(
            decoding, self._grammar, RowWriter(self._spotter, spots, self._symbols), spots, self._spotter.lexicon
        )


class Sitting:
    """One sentence before the network: its guess, and its score of other arrays."""

    def __init__(self, decoding: Decoding, grammar: Grammar, writer: RowWriter, spots: Spots, lexicon: Lexicon) -> None:
        self._spots = spots
        self._lexicon = lexicon
        self._decoding = decoding
        self._grammar = grammar
        self._writer = writer
        self._places = Places(spots)

    @property
    def repaired(self) -> bool:
        """Whether a slip was put right before anybody read the sentence."""
        return self._spots.repaired

    def unexplained(self, commands: Sequence[Command]) -> int:
        """How many words of the sentence the commands leave unexplained (`explaining`); 0 where there are none."""
        return unexplained(self._spots, commands, self._lexicon) if commands else 0

    def guess(self) -> Guess:
        """The most likely array, step by step."""
        decoding = self._decoding.fork()
        return self._go_on([], _Path.of(decoding.members), _Ahead(decoding, decoding.run(()), []))

    def weigh(self, commands: Sequence[Command]) -> tuple[Guess, float | None]:
        """The most likely array, and log P of the given one (None where it cannot be said by pointing).

        The given one is run at once; only from its first unlikely step on is there anything to decode.
        """
        row = self._writer.to_row(commands)
        if row is None or len(row) > MAX_ROW:
            return self.guess(), None
        decoding = self._decoding.fork()
        scores = decoding.run(self._grammar.symbols.numbers(row))
        total, path, split = 0.0, _Path.of(decoding.members), -1
        for index, wanted in enumerate([*row, END]):
            each = self._chances(row[:index], scores, index)
            chances = np.add.reduce(each) / np.float32(len(each))
            at = self._grammar.symbols.number[wanted] if isinstance(wanted, str) else wanted
            if split < 0 and chances[at] < chances.max():
                split = index
            total += math.log(max(float(chances[at]), _LEAST))
            if split < 0:
                path = path.on(each, at, float(chances[at]))
        if split < 0:
            return path.guess(self._writer.commands(row)), total
        return self._go_on(row[:split], path, _Ahead(decoding, scores, row, split)), total

    def _go_on(self, row: Row, path: "_Path", ahead: "_Ahead") -> Guess:
        """The most likely array that begins with `row`; `ahead` has the scores of the step after it."""
        names, numbers = self._grammar.symbols.all, self._grammar.symbols
        while len(row) < MAX_ROW:
            each = self._chances(row, ahead.scores, ahead.at)
            chances = np.add.reduce(each) / np.float32(len(each))
            at = int(chances.argmax())
            path = path.on(each, at, float(chances[at]))
            said = self._grammar.legal(row, self._places)[0] is not None
            if said and names[at] == END:
                break
            row.append(names[at] if said else at)
            ahead.take(row, numbers)
        return path.guess(self._writer.commands(self._grammar.completed(row)))

    def _chances(self, row: Row, scores: Scores, step: int) -> Chances:
        """Probabilities of the next symbol, or of the next position, of those that are legal: (networks, …).

        `step`: which of the scores are those of the step after `row`.
        """
        symbols, positions = self._grammar.legal(row, self._places)
        logits, legal = (scores[0][:, step], symbols) if symbols is not None else (scores[1][:, step], positions)
        assert legal is not None
        held = np.where(legal, logits, np.float32(-1e9))
        found = np.exp(held - held.max(-1, keepdims=True))
        chances: Chances = found / found.sum(-1, keepdims=True)
        return chances


class _Ahead:
    """Scores of the next step, and of those after it should the draft come true (speculative decoding).

    Where the network leaves the rules' row it mostly comes back to it; so what is left of that row is run along with
    each new item, and its scores are there already where the next items are the drafted ones. What is decoded is the
    same for any draft.
    """

    __slots__ = ("_decoding", "_draft", "at", "scores")

    def __init__(self, decoding: Decoding, scores: Scores, draft: Row, at: int = 0) -> None:
        self._decoding = decoding
        self._draft = draft[at:]
        self.scores = scores
        self.at = at

    def take(self, row: Row, symbols: Symbols) -> None:
        """One step on: the last item of `row` was taken."""
        item = row[-1]
        if self._draft and self._draft[0] == item:
            self._draft = self._draft[1:]
            self.at += 1
            return
        self._decoding.keep(len(row) - 1)
        self._draft = _redrafted(item, self._draft)[:_DRAFT]
        self.scores = self._decoding.run(symbols.numbers([item, *self._draft]))
        self.at = 0


def _redrafted(item: str | int, rest: Row) -> Row:
    """What probably follows `item`, which came in place of the first of `rest`: some of it left out, something else
    instead of the first, or something put in between.
    """
    near = rest[1:_NEAR]
    if item in near:
        return rest[near.index(item) + 2 :]
    alike = bool(rest) and _sort(item) == _sort(rest[0])
    return rest[1:] if alike else rest


def _sort(item: str | int) -> str:
    """Of which sort an item of a row is: a pointer (""), a verb, a value, a target, …"""
    return item.partition(":")[0][:1] if isinstance(item, str) else ""


class _Path(msgspec.Struct, frozen=True):
    """How likely a row has been so far: log P, its least sure step, and log P by each network."""

    total: float
    worst: float
    each: Chances

    @classmethod
    def of(cls, members: int) -> "_Path":
        """Before the first step."""
        return cls(0.0, 1.0, np.zeros(members, np.float32))

    def on(self, each: Chances, at: int, chance: float) -> "_Path":
        """One step further: what was taken, and with what probability."""
        said = self.each + np.log(np.maximum(each[:, at], np.float32(_LEAST)))
        return _Path(self.total + math.log(max(chance, _LEAST)), min(self.worst, chance), said)

    def guess(self, commands: tuple[Command, ...]) -> Guess:
        """The row as a guess."""
        return Guess(commands, self.total, self.worst, float(self.each.min()))


@cache
def shipped() -> LearnedReader | None:
    """The reader of the package; None where its weights are not installed."""
    try:
        return LearnedReader(load(DATA))
    except OSError:
        return None
