"""Recording a model's answers and replaying them, so that an evaluation repeats without a network.

A cassette is JSON lines, one answer a line: the request's key, the answer, what it cost. The key covers everything that
shapes an answer (messages, constraint, limits), so a changed prompt is never answered from an old recording.
"""

import hashlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from tingdong.errors import BackendError, DataError
from tingdong.llm.port import ChatChunk, ChatModel, ChatRequest, Usage

__all__ = ["CassettePlayer", "CassetteRecorder", "Recorded", "request_key"]


class Recorded(msgspec.Struct, frozen=True):
    """One line of a cassette. `error` is the code of a failure in place of an answer."""

    key: str
    text: str = ""
    usage: Usage = Usage()
    error: str = ""


def request_key(request: ChatRequest) -> str:
    """The key of a request: the same across runs and machines."""
    return hashlib.sha256(msgspec.json.encode(request, order="deterministic")).hexdigest()


class CassetteRecorder:
    """Asks the model and appends its answer, unchanged, to the cassette."""

    def __init__(self, model: ChatModel, path: Path) -> None:
        self.name: str = model.name
        self._model = model
        self._path = path

    async def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:
        key, usage = request_key(request), Usage()
        parts: list[str] = []
        started = time.monotonic()

        def recorded() -> Recorded:
            seconds = round(time.monotonic() - started, 4)
            return Recorded(key, "".join(parts), msgspec.structs.replace(usage, seconds=seconds))

        try:
            async for chunk in self._model.stream(request, timeout_s=timeout_s):
                parts.append(chunk.text)
                usage = chunk.usage or usage
                yield chunk
        except BackendError as error:
            self._append(Recorded(key, error=error.code))
            raise
        except GeneratorExit:
            self._append(recorded())
            raise
        self._append(recorded())

    def _append(self, recorded: Recorded) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(recorded) + b"\n")


class CassettePlayer:
    """Answers from a cassette only; the same request asked again gets the next recording, the last one repeats."""

    def __init__(self, path: Path, *, name: str = "cassette") -> None:
        self.name = name
        self._answers: dict[str, list[Recorded]] = {}
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            try:
                recorded = msgspec.json.decode(line, type=Recorded)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise DataError(f"{path.name} 第 {number} 行不是录音：{error}") from error
            self._answers.setdefault(recorded.key, []).append(recorded)

    async def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:  # noqa: ARG002
        answers = self._answers.get(request_key(request))
        if not answers:
            raise BackendError("录音里没有这个请求", code="not_recorded")
        recorded = answers.pop(0) if len(answers) > 1 else answers[0]
        if recorded.error:
            raise BackendError("录音里是一次失败", code=recorded.error)
        yield ChatChunk(recorded.text, recorded.usage)
