"""Sentences read lately: a reading is a value made of a sentence and a home's names, so it need not be made twice.

What people say to a house repeats itself. Only the local tier is remembered: it is pure, and reads the same sentence
with the same names the same way each time. A language model is asked afresh each turn.
"""

from collections import OrderedDict
from typing import Protocol

from tingdong.commands.reading import NameTable, Reading

__all__ = ["RememberingReader"]

LONGEST = 200
"""Characters; a longer sentence is rarely said twice and is not kept."""


class _Reader(Protocol):
    def read(self, text: str, names: NameTable | None = None) -> Reading: ...


class RememberingReader:
    """A reading tier that keeps its latest `capacity` readings, the least recently used first out."""

    def __init__(self, reader: _Reader, *, capacity: int = 4_096) -> None:
        self._reader = reader
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int], tuple[NameTable | None, Reading]] = OrderedDict()

    def read(self, text: str, names: NameTable | None = None) -> Reading:
        """The reading of a sentence with a home's names."""
        key = (text, id(names))
        kept = self._kept.get(key)
        # The table is kept beside the reading, so that its id stands for it and for no other.
        if kept is not None and kept[0] is names:
            self._kept.move_to_end(key)
            return kept[1]
        reading = self._reader.read(text, names)
        if len(text) <= LONGEST:
            self._kept[key] = (names, reading)
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return reading
