"""Language models as retrieval's `llm`, for programs that wait: `parse(text)` for `retrieve` (retrieval.md, Calls).

Three clients are ready: `OpenAILLM` here, `EmbeddedLLM` (`tingdong.bridges.embedded_llm`) and `FakeLLM`
(`context_retrieval.ir_compiler`); `Chain` joins them. `LedReader` is the reader that settings with `llm` describe, on
its release path (old, new, shadow, always). Each has an event loop in a thread of its own, so both may be called from
anywhere, a running loop too; they block until the answer is there.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self, TypeVar

from context_retrieval.catalog import Catalog
from tingdong.commands.llm_parser import LLMParser
from tingdong.commands.reading import NameTable, Reading
from tingdong.language import open_language, preload
from tingdong.llm import Budget, GuardedModel
from tingdong.llm.openai_model import ModelOptions, OpenAIChatModel
from tingdong.reader import sentence_reader
from tingdong.service.listed import names_of

if TYPE_CHECKING:
    from tingdong.settings import LlmSettings

__all__ = ["LedReader", "OpenAILLM"]

T = TypeVar("T")


class _Waiting:
    """Runs model calls on an event loop in its own thread; `ending` closes the connections."""

    def __init__(self, ending: Callable[[], Awaitable[None]]) -> None:
        self._ending = ending
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tingdong-model")
        self._runner = asyncio.Runner()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._runner.run, work).result()

    async def _end(self) -> None:
        await self._ending()

    def close(self) -> None:
        """Ends the connections and the thread."""
        self._do(self._end())
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OpenAILLM(_Waiting):
    """An OpenAI-compatible server as retrieval's `llm` (extra `llm`).

    Answers are validated and grounded; an invalid one has no commands, so that a `Chain` asks the next client.
    `timeout_s` and `tokens` bound one sentence, including a repair.
    """

    layer = "llm"

    def __init__(
        self, options: ModelOptions, *, catalog: Catalog | None = None, timeout_s: float = 8.0, tokens: int = 16_000
    ) -> None:
        self._model = OpenAIChatModel(options)
        self._parser = LLMParser(GuardedModel(self._model))
        self._names = names_of(catalog) if catalog is not None else None
        self._local = sentence_reader()
        self._bounds = timeout_s, tokens
        super().__init__(self._model.aclose)

    def parse(self, text: str) -> Reading:
        """The model's reading of the sentence; never raises for the server's sake."""
        local = self._local.read(text, self._names)
        return self._do(self._parser.read(local, Budget(*self._bounds), self._names))


class LedReader(_Waiting):
    """The embedded reader and the configured model on its release path: `always` asks the model first, `new` if the
    embedded reader is unsure; `old` and `shadow` return the embedded reading."""

    def __init__(self, settings: "LlmSettings") -> None:
        preload()  # so that a missing extra is told at the start, not at the first sentence that needs the model
        self._local = sentence_reader()
        self._language = open_language(settings, self._local.read)
        super().__init__(self._language.close)

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:
        """What stands of the sentence; never raises for the server's sake."""
        return self._do(self._language.home.read(self._local.read(text, names, alternatives), names))

    def parse(self, text: str) -> Reading:
        """The same without a home's names."""
        return self.read(text)
