"""Values cached for as long as an object lives: with a dropped home, its derived values go."""

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import ref

__all__ = ["WhileAlive"]

T = TypeVar("T")
V = TypeVar("V")


class WhileAlive(Generic[T, V]):
    """Values by the identity of what they were made of; thread-safe. A value must not hold what it was made of.

    Two threads may make one value at once; then the later one stays.
    """

    def __init__(self, make: Callable[[T], V]) -> None:
        self._make = make
        self._kept: dict[int, tuple[ref[T], V]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, thing: T) -> V:
        """The value that was made of the object, made now if there is none."""
        key = id(thing)
        kept = self._kept.get(key)
        # An id may be another thing's by now, so it is asked which one it was.
        if kept is not None and kept[0]() is thing:
            return kept[1]
        value = self._make(thing)
        self._kept[key] = ref(thing, lambda gone: self._forget(key, gone)), value
        return value

    def _forget(self, key: int, gone: "ref[T]") -> None:
        kept = self._kept.get(key)
        if kept is not None and kept[0] is gone:
            del self._kept[key]
