"""A text with the signals found in it, to be asked for any stretch (hospital.md, Frames, `evidence.signals`).

Spans are kept by the place where they begin, so that asking about a stretch costs what stands near it, whatever the
length of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from tingdong.front_desk.names import Name
from zhtext.clock import TimeMention
from zhtext.normalise import Normalised, fold

_STEP = 64
"""Characters whose spans are kept together."""

Row = tuple[int, int, int]
"""Start and end of a span, and the bits of its signals."""


class Spots:
    """A text with its signals: `found` maps the bit of a signal to its spans, by start.

    `classified` keeps what a span has once been classified as, beside its signals, and `meant` what is named in it.
    `places` keeps the chances of borders between requests, `people` who is named and `parted` where
    a text turns from one of them to another, once they are known.
    """

    __slots__ = (
        *("_order", "_rows", "classified", "closed", "found", "meant", "names", "normalised", "original"),
        *("parted", "people", "places", "text", "times"),
    )

    def __init__(self, original: str, normalised: Normalised) -> None:
        self.original: str = original
        self.normalised: Normalised = normalised
        self.text: str = fold(normalised.text)
        self.found: dict[int, list[tuple[int, int]]] = {}
        self.closed: list[tuple[int, int]] = []
        self.classified: dict[tuple[int, int], tuple[int, Any]] = {}
        self.meant: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.names: list[Name] = []
        self.times: tuple[TimeMention, ...] = ()
        self.places: dict[int, float] | None = None
        self.people: tuple[Any, ...] | None = None
        self.parted: list[int] | None = None
        self._rows: list[list[Row]] | None = None
        self._order: dict[int, int] | None = None

    def stretch(self, spans: list[tuple[int, int]]) -> Spots:
        """Some stretches of the text as a text of their own, with the signals that lie wholly within one of them;
        a comma stands between them."""
        part = Spots.__new__(Spots)
        part.original, part.normalised, part.classified, part.meant = self.original, self.normalised, {}, {}
        part.closed, part.names, part.times, part.places = [], [], (), None
        part.people = part.parted = None
        part._rows = part._order = None
        words: list[str] = []
        found: dict[int, list[tuple[int, int]]] = {}
        at = 0
        for start, end in spans:
            if words:
                words.append("，")
                at += 1
            for first, last, bits in self.rows(start, end):
                for bit in each(bits):
                    found.setdefault(bit, []).append((first + at - start, last + at - start))
            words.append(self.text[start:end])
            at += end - start
        part.text = "".join(words)
        part.found = {bit: found[bit] for bit in sorted(found, key=self._places_of_bits().__getitem__)}
        return part

    def until(self, end: int) -> Spots:
        """The text up to a place, with all that was found there."""
        part = self.stretch([(0, end)])
        part.closed = [span for span in self.closed if span[1] <= end]
        part.names = [name for name in self.names if name.title_end <= end]
        part.times = tuple(time for time in self.times if time.end <= end)
        return part

    def _places_of_bits(self) -> dict[int, int]:
        """Each signal's place among the found ones."""
        if self._order is None or len(self._order) != len(self.found):
            self._order = {bit: place for place, bit in enumerate(self.found)}
        return self._order

    def add(self, bits: int, start: int, end: int) -> None:
        """Note a span for every bit of `bits`."""
        self._rows = self._order = self.parted = None
        for bit in each(bits):
            self.found.setdefault(bit, []).append((start, end))

    def drop(self, bit: int, span: tuple[int, int]) -> None:
        """Forget a span of a signal."""
        self._rows = self._order = self.parted = None
        self.found[bit] = [other for other in self.found[bit] if other != span]
        if not self.found[bit]:
            del self.found[bit]

    def mask(self, start: int, end: int) -> int:
        """Bits of all signals that lie wholly within `start`..`end`."""
        mask = 0
        for rows in self._near(start, end):
            for first, last, bits in rows:
                if first >= start and last <= end:
                    mask |= bits
        return mask

    def inside(self, start: int, end: int, bits: int) -> Iterator[tuple[int, int]]:
        """Spans of any of `bits` within `start`..`end`, those of one step by start."""
        for rows in self._near(start, end) if self._present & bits else ():
            for first, last, held in rows:
                if first >= start and last <= end and held & bits:
                    yield first, last

    def within(self, bit: int, start: int, end: int) -> list[tuple[int, int]]:
        """Spans of one signal within `start`..`end`."""
        return list(self.inside(start, end, bit))

    def overlapping(self, start: int, end: int, bits: int) -> Iterator[tuple[int, int]]:
        """Spans of any of `bits` that share a character with `start`..`end`, found or not wholly inside."""
        for rows in self._near(start - _STEP, end):
            yield from ((first, last) for first, last, held in rows if first < end and start < last and held & bits)

    def ends_from(self, start: int, end: int, bits: int) -> Iterator[int]:
        """Ends of the spans of any of `bits` that begin at `start` and end at `end` at the latest."""
        for rows in self._near(start, start):
            for first, last, held in rows:
                if first == start and last <= end and held & bits:
                    yield last

    def rows(self, start: int, end: int) -> Iterator[Row]:
        """Spans within `start`..`end` with all their bits."""
        for rows in self._near(start, end):
            yield from (row for row in rows if row[0] >= start and row[1] <= end)

    @property
    def _present(self) -> int:
        """Bits of all signals that are found."""
        return reduce(or_, self.found, 0)

    def _near(self, start: int, end: int) -> list[list[Row]]:
        if self._rows is None:
            merged: dict[tuple[int, int], int] = {}
            for bit, spans in self.found.items():
                for span in spans:
                    merged[span] = merged.get(span, 0) | bit
            self._rows = [[] for _ in range(len(self.text) // _STEP + 1)]
            for (first, last), bits in sorted(merged.items()):
                self._rows[first // _STEP].append((first, last, bits))
        return self._rows[max(start, 0) // _STEP : end // _STEP + 1]


def each(bits: int) -> Iterator[int]:
    """The bits of a mask, the lowest first."""
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit
