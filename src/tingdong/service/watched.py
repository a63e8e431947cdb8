"""Store and language model as the metrics see them: how long, how often, how it ended (docs/operations.md, Sight).

Wrappers around ports, so that neither the store nor the use case knows of metrics.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.errors import TingDongError
from tingdong.service.metrics import Metrics

__all__ = ["WatchedReader", "WatchedStore"]

P = TypeVar("P")


class _Store(Protocol[P]):
    async def get(self, page_id: str) -> tuple[P, int] | None: ...
    async def put(self, page_id: str, page: P, *, expected: int) -> bool: ...
    async def delete(self, page_id: str) -> bool: ...


class _Reader(Protocol):
    async def read(self, text: str, names: NameTable | None = None) -> Reading: ...


class WatchedStore(Generic[P]):
    """A page store whose operations are timed and counted."""

    def __init__(self, store: _Store[P], metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None. Raises `BackendError`."""
        with self._watched("get"):
            return await self._store.get(page_id)

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        with self._watched("put"):
            kept = await self._store.put(page_id, page, expected=expected)
        if not kept:
            self._metrics.store_conflicts.inc()
        return kept

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none. Raises `BackendError`."""
        with self._watched("delete"):
            return await self._store.delete(page_id)

    @contextmanager
    def _watched(self, operation: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        except TingDongError as error:
            self._metrics.store_failures.of(operation, error.code).inc()
            raise
        finally:
            self._metrics.store_seconds.observe(time.perf_counter() - started, operation)


class WatchedReader:
    """A language-model tier whose readings are timed and counted by outcome: accept, reject, or why it abstained."""

    def __init__(self, reader: _Reader, metrics: Metrics) -> None:
        self._reader = reader
        self._metrics = metrics

    async def read(self, text: str, names: NameTable | None = None) -> Reading:
        """The tier's reading."""
        started = time.perf_counter()
        reading = await self._reader.read(text, names)
        self._metrics.model_seconds.observe(time.perf_counter() - started)
        abstained = reading.verdict is Verdict.ABSTAIN and reading.reason
        self._metrics.model_readings.of(reading.reason if abstained else reading.verdict.value).inc()
        return reading
