"""Pages in memory: bounded in number and bytes, dropped when unused (service.md, Dialogue: TTL and bounded).

Pages are kept as the bytes that a Redis would get, smaller than the values and of known size. Recently used ones are
also kept as values, and written only now and then, so that an ongoing conversation is not decoded and encoded on each
turn.
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
"""Bytes of the pages that are kept as values; a value takes about five times as many."""
UNWRITTEN, UNWRITTEN_BYTES = 8, 16_384
"""Turns, and bytes of their answers, after which a page that is kept as a value is written: until then it is counted as
large as it was."""


class _StoredPage(msgspec.Struct, Generic[P]):
    """A page as last written, `turns` and `added` bytes ago, and as a value if recently used."""

    data: bytes = b""
    revision: int = 0
    until: float = 0.0
    page: P | None = None
    turns: int = 0
    added: int = 0


class MemoryStore(Generic[P]):
    """Pages of one kind in one process. Above `capacity` pages or `most_bytes` the least recently used one is dropped;
    `clock` counts seconds."""

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
        self._pages: OrderedDict[str, _StoredPage[P]] = (
            OrderedDict()
        )  # least recently used first, so also first to expire
        self._open: OrderedDict[str, None] = OrderedDict()  # those kept as values, the least recently put first
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
        kept.until = now + self._ttl
        self._pages.move_to_end(page_id)
        page = kept.page if kept.page is not None else self._codec.decode(kept.data, page_id)
        return page, kept.revision

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when the kept one is not `expected` (0: none may be kept)."""
        now = self._clock()
        kept = self._pages.get(page_id)
        current = kept.revision if kept is not None and kept.until > now else 0
        if current != expected:
            return False
        if kept is None or not current:
            self._forget(page_id)
            kept = self._pages[page_id] = _StoredPage()
        kept.page, kept.revision, kept.until = page, expected + 1, now + self._ttl
        self._pages.move_to_end(page_id)
        self._open_bytes += 0 if page_id in self._open else len(kept.data)
        self._open[page_id] = None
        self._open.move_to_end(page_id)
        kept.turns += 1
        kept.added += self._codec.latest(page) if self._codec.latest is not None else UNWRITTEN_BYTES + 1
        if not kept.data or kept.turns > UNWRITTEN or kept.added > UNWRITTEN_BYTES:
            self._write(kept)
        while self._open_bytes > OPEN_BYTES:
            self._shut(self._pages[self._open.popitem(last=False)[0]])
        while len(self._pages) > 1 and (
            len(self._pages) > self._capacity
            or self.bytes > self._most_bytes
            or next(iter(self._pages.values())).until <= now
        ):
            self._forget(next(iter(self._pages)))
        return True

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none."""
        kept = self._forget(page_id)
        return kept is not None and kept.until > self._clock()

    async def check(self) -> None:
        """Does nothing: memory is always available."""

    async def close(self) -> None:
        """Forgets everything."""
        self._pages.clear()
        self._open.clear()
        self.bytes = self._open_bytes = 0

    def _write(self, kept: _StoredPage[P]) -> None:
        """Writes a page that is kept as a value."""
        assert kept.page is not None
        before, kept.data = len(kept.data), self._codec.encode(kept.page)
        kept.turns = kept.added = 0
        self.bytes += len(kept.data) - before
        self._open_bytes += len(kept.data) - before

    def _shut(self, kept: _StoredPage[P]) -> None:
        """Keeps a page as its bytes alone."""
        if kept.turns:
            self._write(kept)
        kept.page = None
        self._open_bytes -= len(kept.data)

    def _forget(self, page_id: str) -> _StoredPage[P] | None:
        kept = self._pages.pop(page_id, None)
        if kept is not None:
            self.bytes -= len(kept.data)
        if page_id in self._open and kept is not None:
            del self._open[page_id]
            self._open_bytes -= len(kept.data)
        return kept


def open_store(pages: "PageSettings", codec: Codec[P]) -> MemoryStore[P]:
    """The store that the settings describe."""
    return MemoryStore(codec, capacity=pages.capacity, most_bytes=pages.memory_bytes, ttl_seconds=pages.ttl_seconds)


class MemoryPageStore(MemoryStore[Page]):
    """A `PageStore` of smart-home dialogues."""

    def __init__(self, **bounds: Any) -> None:
        super().__init__(HOME_PAGES, **bounds)
