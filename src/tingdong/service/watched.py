"""The store as the metrics see it: how long, how often, how it ended (docs/operations.md, Sight).

A wrapper around the port, so that neither the store nor the use case knows of metrics.
"""

import time
from typing import Generic, Protocol, TypeVar

from tingdong.errors import TingDongError
from tingdong.service.metrics import Metrics

__all__ = ["WatchedStore"]

P = TypeVar("P")


class _Store(Protocol[P]):
    async def get(self, page_id: str) -> tuple[P, int] | None: ...
    async def put(self, page_id: str, page: P, *, expected: int) -> bool: ...
    async def delete(self, page_id: str) -> bool: ...


class WatchedStore(Generic[P]):
    """A page store whose operations are timed and counted."""

    def __init__(self, store: _Store[P], metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None. Raises `BackendError`."""
        started = time.perf_counter()
        try:
            return await self._store.get(page_id)
        except TingDongError as error:
            self._failed("get", error)
            raise
        finally:
            self._took("get", started)

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        started = time.perf_counter()
        try:
            kept = await self._store.put(page_id, page, expected=expected)
        except TingDongError as error:
            self._failed("put", error)
            raise
        finally:
            self._took("put", started)
        if not kept:
            self._metrics.store_conflicts.inc()
        return kept

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none. Raises `BackendError`."""
        started = time.perf_counter()
        try:
            return await self._store.delete(page_id)
        except TingDongError as error:
            self._failed("delete", error)
            raise
        finally:
            self._took("delete", started)

    def _failed(self, operation: str, error: TingDongError) -> None:
        self._metrics.store_failures.of(operation, error.code).inc()

    def _took(self, operation: str, started: float) -> None:
        self._metrics.store_seconds.observe(time.perf_counter() - started, operation)
