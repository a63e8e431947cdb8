"""A cache of readings: a reading depends only on a sentence and a home's names.

Only the local tier is cached, because it is pure; a language model is asked on each turn. With a dropped home its
readings go. Thread-safe.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, TypeVar
from weakref import ref

from tingdong.commands.reading import NameTable, Reading
from tingdong.reader import SentenceReader

__all__ = ["Remembered", "RememberingReader"]

LONGEST = 200
"""Characters; a longer sentence is rarely said twice and is not kept."""
T = TypeVar("T")


class Remembered:
    """Keeps the latest `capacity` values that were made of a text and of a thing (a home's names, its shape), the least
    recently used first out."""

    def __init__(self, capacity: int = 4_096) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int], tuple[ref[Any] | None, Any]] = OrderedDict()
        self._lock = Lock()

    def once(self, text: str, thing: object, make: Callable[[], T]) -> T:
        """The cached result for both, made by `make` if missing."""
        key = (text, id(thing))
        with self._lock:
            kept = self._kept.get(key)
            # An id may be another thing's by now, so it is asked which one it was.
            if kept is not None and (kept[0]() if kept[0] is not None else None) is thing:
                self._kept.move_to_end(key)
                known: T = kept[1]
                return known
        made = make()
        if len(text) <= LONGEST:
            with self._lock:
                self._kept[key] = (ref(thing) if thing is not None else None, made)
                if len(self._kept) > self._capacity:
                    self._kept.popitem(last=False)
        return made


class RememberingReader:
    """A reading tier that keeps its latest readings."""

    def __init__(self, reader: SentenceReader, kept: Remembered | None = None) -> None:
        self._reader = reader
        self._kept = kept if kept is not None else Remembered()

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:
        """The reading of a sentence with a home's names; one that came with others is not kept."""
        if alternatives:
            return self._reader.read(text, names, alternatives)
        return self._kept.once(text, names, lambda: self._reader.read(text, names))
