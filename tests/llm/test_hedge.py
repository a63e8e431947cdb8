"""Hedging a slow model: off by default, and never two answers (architecture, tiers)."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tingdong.errors import BackendError
from tingdong.llm import Budget, ChatChunk, ChatMessage, ChatRequest, read_answer
from tingdong.llm.hedge import HedgedModel
from tingdong.settings import LlmSettings

ASKED = ChatRequest((ChatMessage("user", "灯"),))


class Model:
    """A model that waits for `speaks`, then says `text` or fails; `closed` once its stream is."""

    def __init__(self, text: str = "", *, speaks: asyncio.Event | None = None) -> None:
        self.name = "m"
        self.calls = self.closed = 0
        self._text = text
        self._speaks = speaks

    async def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:
        self.calls += 1
        try:
            if self._speaks is not None:
                await self._speaks.wait()
            if not self._text:
                raise BackendError("down", code="server_error")
            for letter in self._text:
                yield ChatChunk(letter)
        finally:
            self.closed += 1


async def test_a_quick_model_is_asked_once() -> None:
    """Hedging costs nothing where the first question is answered in time."""
    model = Model("好的")
    hedged = HedgedModel(model, after_s=60.0)
    assert (await read_answer(hedged, ASKED, Budget(5.0))).text == "好的"
    assert (model.calls, hedged.hedges, model.closed) == (1, 0, 1)


async def test_a_silent_model_is_asked_again_and_the_slower_call_is_closed() -> None:
    """The first to speak is heard; the other stream ends with it."""
    silent, quick = Model("晚", speaks=asyncio.Event()), Model("早")
    hedged = HedgedModel(silent, after_s=0.001, other=quick)
    assert (await read_answer(hedged, ASKED, Budget(5.0))).text == "早"
    assert (hedged.hedges, silent.closed, quick.closed) == (1, 1, 1)


async def test_one_that_fails_leaves_the_other_to_answer() -> None:
    """Two questions fail only together, and then with the reason of the last."""
    late = asyncio.Event()
    asyncio.get_running_loop().call_later(0.05, late.set)
    hedged = HedgedModel(Model("晚", speaks=late), after_s=0.001, other=Model())
    assert (await read_answer(hedged, ASKED, Budget(5.0))).text == "晚"
    with pytest.raises(BackendError) as error:
        await read_answer(HedgedModel(Model(), after_s=60.0), ASKED, Budget(5.0))
    assert error.value.code == "server_error"


def test_hedging_is_off_by_default() -> None:
    """It costs tokens, so a setting has to ask for it."""
    assert LlmSettings(base_url="http://127.0.0.1:9/v1", model="m").hedge_seconds is None
