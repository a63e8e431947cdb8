"""Sentences read lately: a reading is a value made of a sentence and a home's names, so it need not be made twice.

What people say to a home repeats itself. Only the local tier is remembered: it is pure, and reads the same sentence
with the same names the same way each time. A language model is asked afresh each turn. A home that is forgotten
takes its readings with it. Both threads of the service may read.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from weakref import ref

from tingdong.commands.reading import NameTable, Reading
from tingdong.reader import SentenceReader

__all__ = ["RememberingReader"]

LONGEST = 200
"""Characters; a longer sentence is rarely said twice and is not kept."""


class RememberingReader:
    """A reading tier that keeps its latest `capacity` readings, the least recently used first out."""

    def __init__(self, reader: SentenceReader, *, capacity: int = 4_096) -> None:
        self._reader = reader
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int], tuple[ref[NameTable] | None, Reading]] = OrderedDict()
        self._lock = Lock()

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:
        """The reading of a sentence with a home's names; one that came with others is not kept."""
        if alternatives:
            return self._reader.read(text, names, alternatives)
        key = (text, id(names))
        with self._lock:
            kept = self._kept.get(key)
            # An id may be another table's by now, so it is asked which one it was.
            if kept is not None and (kept[0]() if kept[0] is not None else None) is names:
                self._kept.move_to_end(key)
                return kept[1]
        reading = self._reader.read(text, names)
        if len(text) <= LONGEST:
            with self._lock:
                self._kept[key] = (ref(names) if names is not None else None, reading)
                if len(self._kept) > self._capacity:
                    self._kept.popitem(last=False)
        return reading
