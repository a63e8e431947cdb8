"""Hedging: if a model is slow to start, the question is sent a second time and the first answer to start is used.

Off by default because it costs tokens. The other call is closed at once.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from tingdong.errors import BackendError
from tingdong.llm.port import ChatChunk, ChatModel, ChatRequest

__all__ = ["HedgedModel"]


class HedgedModel:
    """A chat model that is asked again after `after_s` seconds of silence; `other` answers the second time, if given.

    `hedges` counts second questions.
    """

    def __init__(self, model: ChatModel, *, after_s: float, other: ChatModel | None = None) -> None:
        self.name: str = model.name
        self.hedges: int = 0
        self._models = (model, other or model)
        self._after_s = after_s

    def negotiate_beside(self) -> None:
        """Starts the models' negotiation of constraints in the background."""
        for model in dict.fromkeys(self._models):
            prepare = getattr(model, "negotiate_beside", None)
            if prepare is not None:
                prepare()

    async def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:
        """The answer of the first run to start; raises the last error if both fail."""
        runs = [_Run(self._models[0], request, timeout_s)]
        try:
            await asyncio.wait([runs[0].first], timeout=self._after_s)
            if not runs[0].first.done():
                self.hedges += 1
                runs.append(_Run(self._models[1], request, max(0.0, timeout_s - self._after_s)))
            run = await _first_to_speak(runs)
            await _close([other for other in runs if other is not run])
            chunk = run.first.result()
            while chunk is not None:
                yield chunk
                chunk = await anext(run.answer, None)
        finally:
            await _close(runs)


class _Run:
    """One question under way: its answer, and the task that waits for the first piece (None: an empty answer)."""

    def __init__(self, model: ChatModel, request: ChatRequest, timeout_s: float) -> None:
        self.answer = aiter(model.stream(request, timeout_s=timeout_s))
        self.first: asyncio.Task[ChatChunk | None] = asyncio.ensure_future(_next(self.answer))


async def _next(answer: AsyncIterator[ChatChunk]) -> ChatChunk | None:
    return await anext(answer, None)


async def _first_to_speak(runs: list[_Run]) -> _Run:
    """The first run with output; the last one to fail if none has any."""
    waiting = {run.first: run for run in runs}
    while True:
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            run = waiting.pop(task)
            if not waiting or not isinstance(task.exception(), BackendError):
                return run


async def _close(runs: list[_Run]) -> None:
    for run in runs:
        run.first.cancel()
        await asyncio.gather(run.first, return_exceptions=True)
        if isinstance(run.answer, AsyncGenerator):
            await run.answer.aclose()
