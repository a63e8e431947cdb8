"""Long work in a thread, so that short requests are served meanwhile (service.md, Limits).

One thread, and the interpreter switches between it and the loop: long work goes on at half the speed, and what is short
waits no longer than a switch takes. What is asked here must be bounded by itself, since a thread cannot be stopped.
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
    """Does long work in a thread of its own, one piece after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tingdong-long")

    async def do(self, work: Callable[[], T], *, long: bool) -> T:
        """What `work` gives; at once where it is not long."""
        if not long:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Takes no more work; what has not begun never will."""
        self._thread.shutdown(wait=False, cancel_futures=True)
