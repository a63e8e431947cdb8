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

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import Command, DeviceType
from tingdong.commands.preparing import Prepared
from tingdong.commands.reading import NameTable
from tingdong.commands.spotting import Token
from tingdong.reader.drafting import Draft
from tingdong.reader.explaining import unexplained
from tingdong.reader.grammar import Grammar, Places, last_marker
from tingdong.reader.guess import Guess
from tingdong.reader.inputs import LONGEST, Vocabulary, columns
from tingdong.reader.network import Decoding, Network, Scores
from tingdong.reader.spots import SentenceSpotter, Spots, spots_of
from tingdong.reader.symbols import END, Symbols
from tingdong.reader.weights import Trained, load
from tingdong.reader.writing import Row, RowWriter

__all__ = ["LearnedReader", "Sitting", "shipped"]

MAX_ROW = 60
_LEAST = 1e-9
_NEVER = np.float32(-1e9)
_DRAFT, _SHORT = 16, 6
"""Items run ahead: after a draft that came true, and after one that did not."""
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
        """One sentence, as it was understood, laid before the network; None where it is empty or too long."""
        return self._opened(self._spotter.read(text, names))

    def before(self, said: Prepared) -> "Sitting | None":
        """The same of a sentence that is prepared."""
        return self._opened(spots_of(said))

    def _opened(self, spots: Spots) -> "Sitting | None":
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

    def unexplained(self, commands: Sequence[Command]) -> int:
        """How many words of the sentence the commands leave unexplained (`explaining`); 0 where there are none."""
        return unexplained(self._spots, commands, self._lexicon) if commands else 0

    def guess(self) -> Guess:
        """The most likely array, step by step."""
        decoding = self._decoding.fork()
        return self._go_on([], _Path(), self._ahead(decoding, decoding.run(()), []))

    def weigh(self, commands: Sequence[Command]) -> tuple[Guess, float | None]:
        """The most likely array, and log P of the given one (None where it cannot be said by pointing).

        The given one is run at once; only from its first unlikely step on is there anything to decode.
        """
        row = self._writer.to_row(commands)
        if row is None or len(row) > MAX_ROW:
            return self.guess(), None
        symbols = self._grammar.symbols
        taken = symbols.numbers([*row, END])
        decoding = self._decoding.fork()
        scores = decoding.run(taken[:-1])
        each = self._all_chances(row, scores)
        chances = np.add.reduce(each) / np.float32(len(each))
        steps = np.arange(len(taken))
        certain = chances[steps, taken]
        unlikely = np.flatnonzero(certain < np.maximum.reduce(chances, -1))
        total = float(np.log(np.maximum(certain, _LEAST)).sum())
        split = int(unlikely[0]) if len(unlikely) else len(row) + 1
        path = _Path(certain[:split].tolist(), list(each[:, steps[:split], taken[:split]].T))
        if split > len(row):
            return path.guess(self._writer.commands(row)), total
        return self._go_on(row[:split], path, self._ahead(decoding, scores, row, split)), total

    def _ahead(self, decoding: Decoding, scores: Scores, row: Row, at: int = 0) -> "_Ahead":
        return _Ahead(decoding, scores, Draft(self._spots, self._type_of, row, at), at)

    def _type_of(self, token: Token) -> str:
        kind = self._lexicon.kinds.get(token.device)
        return (DeviceType.UNKNOWN if kind is None else kind.type).value

    def _go_on(self, row: Row, path: "_Path", ahead: "_Ahead") -> Guess:
        """The most likely array that begins with `row`; `ahead` has the scores of the step after it."""
        names, numbers = self._grammar.symbols.all, self._grammar.symbols
        while len(row) < MAX_ROW:
            symbols, positions = self._grammar.legal(row, self._places)
            said = symbols is not None
            each = _chances(ahead.scores[0 if said else 1][:, ahead.at], symbols if said else positions)
            chances = np.add.reduce(each)
            at = int(chances.argmax())
            path.on(float(chances[at]) / len(each), each[:, at])
            if said and names[at] == END:
                break
            row.append(names[at] if said else at)
            ahead.take(row, numbers)
        return path.guess(self._writer.commands(self._grammar.completed(row)))

    def _all_chances(self, row: Row, scores: Scores) -> Chances:
        """Probabilities of what may come after each beginning of `row`: (networks, steps, symbols and positions)."""
        size = scores[0].shape[2]
        legal = np.zeros((len(row) + 1, size + scores[1].shape[2]), bool)
        for step in range(len(row) + 1):
            symbols, positions = self._grammar.legal(row[:step], self._places)
            if symbols is not None:
                legal[step, :size] = symbols
            else:
                legal[step, size:] = positions
        return _chances(np.concatenate(scores, axis=2), legal)


class _Ahead:
    """Scores of the next step, and of those after it should the draft come true (`drafting`).

    What is decoded is the same for any draft.
    """

    __slots__ = ("_decoding", "_draft", "_gained", "_run", "at", "scores")

    def __init__(self, decoding: Decoding, scores: Scores, draft: Draft, at: int = 0) -> None:
        self._decoding, self._draft = decoding, draft
        self._run, self._gained = len(draft.items()), 0
        self.scores, self.at = scores, at

    def take(self, row: Row, symbols: Symbols) -> None:
        """One step on: the last item of `row` was taken."""
        items, length = self._draft.items(), _DRAFT
        if items[:1] == row[-1:]:
            self._draft.came_true()
            if self._run:
                self._run -= 1
                self._gained += 1
                self.at += 1
                return
        else:
            self._draft.missed(row, last_marker(row)[0])
            length = _DRAFT if self._gained else _SHORT
        self._decoding.keep(len(row) - 1)
        items = self._draft.items()[:length]
        self.scores = self._decoding.run(symbols.numbers([row[-1], *items]))
        self.at, self._run, self._gained = 0, len(items), 0


class _Path:
    """How likely each step of a row has been: by all networks together, and by each."""

    __slots__ = ("_each", "_together")

    def __init__(self, together: list[float] | None = None, each: list[Chances] | None = None) -> None:
        self._together, self._each = together or [], each or []

    def on(self, chance: float, each: Chances) -> None:
        """One step further."""
        self._together.append(chance)
        self._each.append(each)

    def guess(self, commands: tuple[Command, ...]) -> Guess:
        """The row as a guess."""
        total = sum(math.log(max(chance, _LEAST)) for chance in self._together)
        by_each = np.log(np.maximum(self._each, np.float32(_LEAST))).sum(0)
        return Guess(commands, total, min(self._together), float(by_each.min()))


def _chances(logits: Chances, legal: NDArray[np.bool_] | None) -> Chances:
    """Probabilities of what is legal, over the last axis."""
    assert legal is not None
    held: Chances = np.where(legal, logits, _NEVER)
    held -= np.maximum.reduce(held, -1, keepdims=True)
    np.exp(held, out=held)
    held /= np.add.reduce(held, -1, keepdims=True)
    return held


@cache
def shipped() -> LearnedReader | None:
    """The reader of the package; None where its weights are not installed."""
    try:
        return LearnedReader(load(DATA))
    except OSError:
        return None
