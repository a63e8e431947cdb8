"""Long work in a thread, so that short requests are served meanwhile (service.md, Limits).

One thread; the interpreter switches between it and the event loop: long work runs at half speed, short requests wait
one switch at most. Work must be bounded, since a thread cannot be stopped.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["LONG_HOME", "LONG_TEXT", "Workshop"]

LONG_TEXT = 100
"""Characters from which on a sentence is read in the workshop."""

LONG_HOME = 20_000
"""Bytes from which on a home that is not known is compiled there."""

T = TypeVar("T")


class Workshop:
    """Runs long work in its own thread, one piece after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tingdong-long")

    async def do(self, work: Callable[[], T], *, long: bool) -> T:
        """The result of `work`; run at once if it is not long."""
        if not long:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Accepts no more work; queued work is dropped."""
        self._thread.shutdown(wait=False, cancel_futures=True)
