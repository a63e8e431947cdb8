"""Pages in memory: bounded in number and in bytes, and forgotten when unused (service.md, Dialogue: TTL and bounded).

They are kept as the bytes that a Redis would get: smaller than the values, and as large as they say.
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

    def __len__(self) -> int:
        """Pages kept, expired ones that nobody touched included."""
        return len(self._pages)

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None; reading counts as use."""
        kept = self._pages.get(page_id)
        now = self._clock()
        if kept is None or kept.until <= now:
            return None
        self._keep(page_id, msgspec.structs.replace(kept, until=now + self._ttl))
        return self._codec.decode(kept.data, page_id), kept.revision

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when the kept one is not `expected` (0: none may be kept)."""
        now = self._clock()
        kept = self._pages.get(page_id)
        current = kept.revision if kept is not None and kept.until > now else 0
        if current != expected:
            return False
        self._keep(page_id, _Kept(self._codec.encode(page), expected + 1, now + self._ttl))
        while len(self._pages) > 1 and (
            len(self._pages) > self._capacity
            or self.bytes > self._most_bytes
            or next(iter(self._pages.values())).until <= now
        ):
            self.bytes -= len(self._pages.popitem(last=False)[1].data)
        return True

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none."""
        kept = self._pages.pop(page_id, None)
        self.bytes -= len(kept.data) if kept is not None else 0
        return kept is not None and kept.until > self._clock()

    async def check(self) -> None:
        """Memory is always there."""

    async def close(self) -> None:
        """Forgets everything."""
        self._pages.clear()
        self.bytes = 0

    def _keep(self, page_id: str, kept: _Kept) -> None:
        before = self._pages.get(page_id)
        self.bytes += len(kept.data) - (len(before.data) if before is not None else 0)
        self._pages[page_id] = kept
        self._pages.move_to_end(page_id)


def open_store(pages: "PageSettings", codec: Codec[P]) -> MemoryStore[P]:
    """The store that the settings describe."""
    return MemoryStore(codec, capacity=pages.capacity, most_bytes=pages.memory_bytes, ttl_seconds=pages.ttl_seconds)


class MemoryPageStore(MemoryStore[Page]):
    """A `PageStore` of smart-home dialogues."""

    def __init__(self, **bounds: Any) -> None:
        super().__init__(HOME_PAGES, **bounds)
