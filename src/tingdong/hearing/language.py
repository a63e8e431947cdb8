"""The language model: trigrams of characters, made by `make train-hearing` from the project's sentences.

Digits and letters are counted by class, punctuation as one sign, so that 二十六度 is as usual as 二十七度.
Probabilities are natural logarithms in steps of a sixteenth. A row holds
the symbols that may follow one or two characters.
"""

from array import array
from bisect import bisect_left
from functools import cache, cached_property
from sys import byteorder

import msgspec

from tingdong.errors import DataError
from tingdong.hearing.channel import Sounds
from tingdong.hearing.signs import CHANCES, END, FIGURES, MARK, START
from zhtext.package_data import read_bytes

__all__ = ["STEPS", "ContextRow", "Stored", "TrigramModel", "default_language"]

STEPS = 16
"""Steps of a natural logarithm that are told apart."""


class Stored(msgspec.Struct, frozen=True):
    """The model as it lies on disk (little endian): `symbols`, their own cost, and of each context what follows.

    Contexts are first the symbols, then pairs of symbols by `pairs` (`first << 16 | second`, sorted). `starts` says
    where each context's part of `nexts` (uint16) and `costs` (uint8, sixteenths) begins; `back` is its cost of what it
    has not seen.
    """

    version: int
    symbols: str
    singles: bytes
    pairs: bytes
    starts: bytes
    nexts: bytes
    costs: bytes
    back: bytes
    unknown: float


class ContextRow(msgspec.Struct, gc=False):
    """What follows a context: log P of what was seen, `back` for the rest, which `lower` knows."""

    seen: dict[str, float]
    back: float
    lower: "ContextRow | None" = None

    def of(self, sign: str) -> float:
        """log P(sign | context)."""
        row, cost = self, 0.0
        while True:
            found = row.seen.get(sign)
            if found is not None:
                return cost + found
            cost += row.back
            if row.lower is None:
                return cost
            row = row.lower


class TrigramModel:
    """The model; rows are unpacked on first use. Thread-safe: two threads may unpack the same row."""

    def __init__(self, stored: Stored) -> None:
        self.symbols = stored.symbols
        self.numbers = {sign: number for number, sign in enumerate(stored.symbols)}
        self._pairs = _numbers("I", stored.pairs)
        self._starts = _numbers("I", stored.starts)
        self._nexts = _numbers("H", stored.nexts)
        self._costs, self._back = stored.costs, stored.back
        singles = {sign: -cost / STEPS for sign, cost in zip(stored.symbols, stored.singles, strict=True)}
        self.base = ContextRow(singles, stored.unknown)
        self._seen: dict[str, tuple[dict[str, float], float]] = {}

    @cached_property
    def characters(self) -> frozenset[str]:
        """Characters of the model, including those of the classes."""
        return frozenset(self.symbols).difference(CHANCES, (START, END, MARK)) | FIGURES

    @cached_property
    def sounds(self) -> Sounds:
        """The same, by how they sound."""
        return Sounds(sorted(self.characters))

    @classmethod
    def load(cls, data: bytes) -> "TrigramModel":
        """The model of a file's bytes. Raises `DataError` where they are none."""
        try:
            stored = msgspec.msgpack.decode(data, type=Stored)
            return cls(stored)
        except (msgspec.DecodeError, ValueError) as error:
            raise DataError(f"hearing.bin: {error}") from error

    def known(self, context: str) -> tuple[dict[str, float], float] | None:
        """What was seen after a context of one or two symbols, and what the rest costs; None where it never was."""
        found = self._seen.get(context)
        if found is None and (place := self._place(context)) is not None:
            begin, end = self._starts[place], self._starts[place + 1]
            signs, nexts, costs = self.symbols, self._nexts[begin:end], self._costs[begin:end]
            seen = {signs[number]: -cost / STEPS for number, cost in zip(nexts, costs, strict=True)}
            found = self._seen[context] = seen, -self._back[place] / STEPS
        return found

    def _place(self, context: str) -> int | None:
        numbers = [self.numbers.get(sign) for sign in context]
        if None in numbers or not numbers:
            return None
        if len(numbers) == 1:
            return numbers[0]
        key = (numbers[0] or 0) << 16 | (numbers[1] or 0)
        at = bisect_left(self._pairs, key)
        return len(self.symbols) + at if at < len(self._pairs) and self._pairs[at] == key else None


def _numbers(kind: str, data: bytes) -> "array[int]":
    found = array(kind)
    found.frombytes(data)
    if byteorder == "big":
        found.byteswap()
    return found


@cache
def default_language() -> TrigramModel:
    """The model that ships with the package."""
    return TrigramModel.load(read_bytes("tingdong.hearing", "hearing.bin"))
