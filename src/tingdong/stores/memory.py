"""Pages in memory: bounded in number and in bytes, and forgotten when unused (service.md, Dialogue: TTL and bounded).

They are kept as the bytes that a Redis would get: smaller than the values, and as large as they say. Of those used last
the values are kept as well, so that a conversation that goes on is not read anew each turn.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tingdong.home_dialogue.page import Page
from tingdong.stores.codec import HOME_PAGES, Codec

if TYPE_CHECKING:
    from tingdong.settings import PageSettings

__all__ = ["MemoryPageStore", "MemoryStore", "open_store"]


P = TypeVar("P")

OPEN_BYTES = 4 * 2**20
"""Bytes of the pages whose values are kept as well; a value takes about five times as many."""


class _Kept(msgspec.Struct, frozen=True):
    data: bytes
    revision: int
    until: float


class MemoryStore(Generic[P]):
    """Pages of one kind in one process. Over `capacity` pages or `most_bytes` the least recently used one goes; `clock`
    counts seconds."""

    def __init__(
        self,
        codec: Codec[P],
        *,
        capacity: int = 10_000,
        most_bytes: int = 128 * 2**20,
        ttl_seconds: float = 1_800,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._codec = codec
        self._most_bytes = most_bytes
        self.bytes: int = 0
        self._capacity = capacity
        self._ttl = ttl_seconds
        self._clock = clock
        self._pages: OrderedDict[str, _Kept] = OrderedDict()  # least recently used first, so also first to expire
        self._open: OrderedDict[str, tuple[bytes, P]] = OrderedDict()
        self._open_bytes = 0

    def __len__(self) -> int:
        """Pages kept, expired ones that nobody touched included."""
        return len(self._pages)

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None; reading counts as use."""
        kept = self._pages.get(page_id)
        now = self._clock()
        if kept is None or kept.until <= now:
            return None
        self._keep(page_id, _Kept(kept.data, kept.revision, now + self._ttl))
        opened = self._open.get(page_id)
        if opened is not None and opened[0] is kept.data:
            return opened[1], kept.revision
        return self._codec.decode(kept.data, page_id), kept.revision

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when the kept one is not `expected` (0: none may be kept)."""
        now = self._clock()
        kept = self._pages.get(page_id)
        current = kept.revision if kept is not None and kept.until > now else 0
        if current != expected:
            return False
        data = self._codec.encode(page)
        self._keep(page_id, _Kept(data, expected + 1, now + self._ttl))
        self._leave_open(page_id, data, page)
        while len(self._pages) > 1 and (
            len(self._pages) > self._capacity
            or self.bytes > self._most_bytes
            or next(iter(self._pages.values())).until <= now
        ):
            oldest, gone = self._pages.popitem(last=False)
            self.bytes -= len(gone.data)
            self._shut(oldest)
        return True

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none."""
        kept = self._pages.pop(page_id, None)
        self._shut(page_id)
        self.bytes -= len(kept.data) if kept is not None else 0
        return kept is not None and kept.until > self._clock()

    async def check(self) -> None:
        """Memory is always there."""

    async def close(self) -> None:
        """Forgets everything."""
        self._pages.clear()
        self._open.clear()
        self.bytes = self._open_bytes = 0

    def _keep(self, page_id: str, kept: _Kept) -> None:
        before = self._pages.get(page_id)
        self.bytes += len(kept.data) - (len(before.data) if before is not None else 0)
        self._pages[page_id] = kept
        self._pages.move_to_end(page_id)

    def _leave_open(self, page_id: str, data: bytes, page: P) -> None:
        self._shut(page_id)
        self._open[page_id] = data, page
        self._open_bytes += len(data)
        while self._open_bytes > OPEN_BYTES:
            self._shut(next(iter(self._open)))

    def _shut(self, page_id: str) -> None:
        opened = self._open.pop(page_id, None)
        self._open_bytes -= len(opened[0]) if opened is not None else 0


def open_store(pages: "PageSettings", codec: Codec[P]) -> MemoryStore[P]:
    """The store that the settings describe."""
    return MemoryStore(codec, capacity=pages.capacity, most_bytes=pages.memory_bytes, ttl_seconds=pages.ttl_seconds)


class MemoryPageStore(MemoryStore[Page]):
    """A `PageStore` of smart-home dialogues."""

    def __init__(self, **bounds: Any) -> None:
        super().__init__(HOME_PAGES, **bounds)
