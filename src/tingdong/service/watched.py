"""A store wrapper for metrics: duration, count and result of operations (docs/operations.md, Observability)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from tingdong.errors import TingDongError
from tingdong.pages import PageStore
from tingdong.service.metrics import Metrics

__all__ = ["WatchedStore"]

P = TypeVar("P")


class WatchedStore(Generic[P]):
    """A page store whose operations are timed and counted."""

    def __init__(self, store: PageStore[P], metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None. Raises `BackendError`."""
        with self._seen("get"):
            return await self._store.get(page_id)

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        with self._seen("put"):
            kept = await self._store.put(page_id, page, expected=expected)
        if not kept:
            self._metrics.store_conflicts.inc()
        return kept

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none. Raises `BackendError`."""
        with self._seen("delete"):
            return await self._store.delete(page_id)

    @contextmanager
    def _seen(self, operation: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        except TingDongError as error:
            self._metrics.store_failures.of(operation, error.code).inc()
            raise
        finally:
            self._metrics.store_seconds.observe(time.perf_counter() - started, operation)
