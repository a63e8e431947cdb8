"""Pages in memory: bounded, and forgotten when unused (service.md, Dialogue: TTL and bounded)."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from tingdong.talk.page import Page

__all__ = ["MemoryPageStore", "MemoryStore"]

P = TypeVar("P")


class _Kept(msgspec.Struct, Generic[P], frozen=True):
    page: P
    revision: int
    until: float


class MemoryStore(Generic[P]):
    """Pages of one kind in one process. Over `capacity` the least recently used page goes; `clock` counts seconds."""

    def __init__(
        self, *, capacity: int = 10_000, ttl_seconds: float = 1_800, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._capacity = capacity
        self._ttl = ttl_seconds
        self._clock = clock
        self._pages: OrderedDict[str, _Kept[P]] = OrderedDict()  # least recently used first, so also first to expire

    def __len__(self) -> int:
        """Pages kept, expired ones that nobody touched included."""
        return len(self._pages)

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None; reading counts as use."""
        kept = self._pages.get(page_id)
        now = self._clock()
        if kept is None or kept.until <= now:
            return None
        self._keep(page_id, _Kept(kept.page, kept.revision, now + self._ttl))
        return kept.page, kept.revision

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when the kept one is not `expected` (0: none may be kept)."""
        now = self._clock()
        kept = self._pages.get(page_id)
        current = kept.revision if kept is not None and kept.until > now else 0
        if current != expected:
            return False
        self._keep(page_id, _Kept(page, expected + 1, now + self._ttl))
        while self._pages and (len(self._pages) > self._capacity or next(iter(self._pages.values())).until <= now):
            self._pages.popitem(last=False)
        return True

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none."""
        kept = self._pages.pop(page_id, None)
        return kept is not None and kept.until > self._clock()

    async def check(self) -> None:
        """Memory is always there."""

    async def close(self) -> None:
        """Forgets everything."""
        self._pages.clear()

    def _keep(self, page_id: str, kept: _Kept[P]) -> None:
        self._pages[page_id] = kept
        self._pages.move_to_end(page_id)


class MemoryPageStore(MemoryStore[Page]):
    """A `PageStore` of smart-home dialogues."""
