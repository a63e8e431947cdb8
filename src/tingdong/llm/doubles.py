"""Doubles of the language-model port for tests, demos and examples: a shipped feature, not a mock."""

from collections.abc import AsyncIterator, Callable, Mapping

from tingdong.errors import TingDongError
from tingdong.llm.port import ChatChunk, ChatRequest

__all__ = ["ScriptedChatModel"]


class ScriptedChatModel:
    """Answers from presets keyed by the last user message, or by a function of the request.

    A text without a preset is answered with `otherwise`. A preset may be an error, which is raised. `requests` records
    what was asked, in order.
    """

    def __init__(
        self,
        presets: Mapping[str, str | TingDongError] | Callable[[ChatRequest], str],
        *,
        otherwise: str = '["UNKNOWN-*-*#Unknown#one"]',
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.requests: list[ChatRequest] = []
        self._presets = presets
        self._otherwise = otherwise

    async def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:  # noqa: ARG002
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, TingDongError):
            raise answer
        for start in range(0, len(answer), 16):
            yield ChatChunk(answer[start : start + 16])

    def _answer(self, request: ChatRequest) -> str | TingDongError:
        if callable(self._presets):
            return self._presets(request)
        question = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        return self._presets.get(question, self._otherwise)
