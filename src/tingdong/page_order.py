"""One turn at a time for each page (service.md: requests of one `page_id` are handled in order)."""

import asyncio

__all__ = ["PageOrder"]


class PageOrder:
    """Order of turns per page; a page without turns takes no memory."""

    def __init__(self) -> None:
        self._locks: dict[str, _PageLock] = {}

    def __len__(self) -> int:
        """Pages that are served now."""
        return len(self._locks)

    def turn_of(self, page_id: str) -> "_PageLock":
        """Async context manager: entered when the earlier turns of the page are over."""
        lock = self._locks.get(page_id)
        if lock is None:
            lock = self._locks[page_id] = _PageLock(self._locks, page_id)
        return lock


class _PageLock:
    """An asyncio lock that removes itself from its registry when no turn waits for it."""

    __slots__ = ("_key", "_lock", "_registry", "_users")

    def __init__(self, registry: dict[str, "_PageLock"], key: str) -> None:
        self._registry = registry
        self._key = key
        self._lock = asyncio.Lock()
        self._users = 0

    async def __aenter__(self) -> None:
        self._users += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
        self._leave()

    def _leave(self) -> None:
        self._users -= 1
        if not self._users:
            self._registry.pop(self._key, None)
