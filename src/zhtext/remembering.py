"""Caches results for texts, bounded in bytes, because users' texts may be long."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

__all__ = ["remembered"]

T = TypeVar("T")


def remembered(most: int, *, longest: int = 64) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """A cache for a pure function of a text: its latest `most` results, none for a text over `longest` characters."""

    def over(make: Callable[[str], T]) -> Callable[[str], T]:
        kept = lru_cache(maxsize=most)(make)

        @wraps(make)
        def known_or_made(text: str) -> T:
            return kept(text) if len(text) <= longest else make(text)

        return known_or_made

    return over
