"""Chat models behind the OpenAI wire format: vLLM, Ollama, llama.cpp, DashScope, DeepSeek, OpenAI itself.

The `openai` SDK is imported on first use. Every failure leaves as a `BackendError` with a stable code. What a server
can be bound to is found out once by asking it (`negotiate`) and kept: regular expression → JSON schema → schema of a
JSON object → JSON object → prompt only. A server that does not stream is read whole.
"""

import asyncio
import contextlib
import importlib
import time
from collections.abc import AsyncIterator, Awaitable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tingdong.errors import BackendError, BackendTimeout, RateLimited
from tingdong.llm.port import ChatChunk, ChatMessage, ChatRequest, Constraint, ConstraintKind, Usage
from tingdong.llm.shaping import ThinkingFilter, wrap_schema

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk

T = TypeVar("T")

__all__ = ["ModelOptions", "OpenAIChatModel", "preload"]

_PROBE = Constraint(
    "probe",
    {"type": "array", "items": {"type": "string", "enum": ["ok"]}, "minItems": 1, "maxItems": 1},
    r'\["ok"\]',
)
_PROBE_MESSAGES = (ChatMessage("user", "Reply with the single word: hello"),)
_NEGOTIATION_S = 30.0
_REFUSALS = frozenset({"bad_request", "server_error", "bad_response"})
_LADDER = tuple(ConstraintKind)


def preload() -> None:
    """Imports the SDK (a second or more) before the first request."""
    importlib.import_module("openai.resources.chat.completions")


class ModelOptions(msgspec.Struct, frozen=True):
    """How to reach a model. `constraint` pins a kind instead of asking the server; `extra_body` is sent as it is.

    Without `stream` the answer is asked for in one piece.
    """

    base_url: str
    model: str
    api_key: str = ""
    extra_body: Mapping[str, Any] = {}
    constraint: ConstraintKind | None = None
    stream: bool = True

    def __repr__(self) -> str:
        """Without the key."""
        return f"ModelOptions({self.base_url!r}, {self.model!r})"


class OpenAIChatModel:
    """The OpenAI-compatible client; one instance per server and model, safe to share between turns."""

    def __init__(self, options: ModelOptions) -> None:
        self.name: str = options.model
        self._options = options
        self.constraint_kind: ConstraintKind | None = options.constraint
        """What the server was found to obey; None before `negotiate`."""
        self._client: AsyncOpenAI | None = None
        self._negotiation: asyncio.Task[None] | None = None

    async def aclose(self) -> None:
        """Closes the connections; the next request opens new ones."""
        if self._negotiation is not None:
            self._negotiation.cancel()
            await asyncio.gather(self._negotiation, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def negotiate(self, *, timeout_s: float) -> ConstraintKind:
        """Tests each constraint on the server, strictest first, and keeps the first that it obeys.

        Raises `BackendError` if the server cannot be reached; nothing is kept then.
        """
        if self.constraint_kind is not None:
            return self.constraint_kind
        deadline = time.monotonic() + timeout_s
        failed = False
        for kind in _LADDER[:-1]:
            try:
                obeys = await self._obeys(kind, deadline - time.monotonic())
            except BackendError as error:
                if error.code not in _REFUSALS:
                    raise
                obeys, failed = False, failed or error.code != "bad_request"
            if obeys:
                self.constraint_kind = kind
                return kind
        if failed:  # some servers answer 500 to a form they do not know; one that answers it to everything is down
            await self._obeys(ConstraintKind.PROMPT, deadline - time.monotonic())
        self.constraint_kind = ConstraintKind.PROMPT
        return self.constraint_kind

    def negotiate_beside(self) -> None:
        """Starts the negotiation in the background, one at a time, so that no turn waits. After a failure the next call
        tries again."""
        if self.constraint_kind is None and (self._negotiation is None or self._negotiation.done()):
            self._negotiation = asyncio.create_task(self._negotiate_quietly())

    async def _negotiate_quietly(self) -> None:
        with contextlib.suppress(BackendError):
            await self.negotiate(timeout_s=_NEGOTIATION_S)

    async def _obeys(self, kind: ConstraintKind, timeout_s: float) -> bool:
        request = ChatRequest(_PROBE_MESSAGES, constraint=_PROBE, max_tokens=32)
        text = ""
        async for chunk in self._run(request, kind, timeout_s):
            text += chunk.text
        answer = "".join(text.split())
        if kind is ConstraintKind.JSON_OBJECT:
            with contextlib.suppress(msgspec.DecodeError):
                return isinstance(msgspec.json.decode(answer), dict)
            return False
        return answer in ('["ok"]', '{"items":["ok"]}')

    async def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:
        """The answer in pieces. If the server refuses the constraint, it is asked once more without it."""
        kind = self.constraint_kind or ConstraintKind.PROMPT
        deadline = time.monotonic() + timeout_s
        try:
            async for chunk in self._run(request, kind, timeout_s):
                yield chunk
        except BackendError as error:
            if error.code != "bad_request" or kind is ConstraintKind.PROMPT or request.constraint is None:
                raise
        else:
            return
        self.constraint_kind = ConstraintKind.PROMPT
        async for chunk in self._run(request, ConstraintKind.PROMPT, deadline - time.monotonic()):
            yield chunk

    async def _run(self, request: ChatRequest, kind: ConstraintKind, timeout_s: float) -> AsyncIterator[ChatChunk]:
        import openai

        deadline = time.monotonic() + timeout_s
        thinking = ThinkingFilter()
        response: AsyncStream[ChatCompletionChunk] | None = None
        try:
            response = await _within(deadline, self._open(request, kind, timeout_s))
            if not _is_stream(response):
                yield _whole(await _within(deadline, response.response.aread()), thinking)
                return
            iterator = aiter(response)
            while True:
                try:
                    event = await _within(deadline, anext(iterator))
                except StopAsyncIteration:
                    return
                chunk = _chunk(event, thinking)
                if chunk is not None:
                    yield chunk
        except (openai.OpenAIError, OSError, ValueError, TypeError, AttributeError, LookupError) as error:
            raise _translated(error) from error
        finally:
            if response is not None:
                with contextlib.suppress(Exception):
                    await response.close()

    async def _open(
        self, request: ChatRequest, kind: ConstraintKind, timeout_s: float
    ) -> "AsyncStream[ChatCompletionChunk]":
        messages: Any = [{"role": m.role, "content": m.content} for m in request.messages]
        extra = dict(self._options.extra_body)
        options: dict[str, Any] = {}
        if request.constraint is not None:
            options, more = _binding(request.constraint, kind)
            extra.update(more)
        if self._options.stream:
            options["stream_options"] = {"include_usage": True}
        else:
            extra["stream"] = False
        stream: AsyncStream[ChatCompletionChunk] = await self._connected().chat.completions.create(
            model=self._options.model,
            messages=messages,
            stream=True,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            timeout=max(timeout_s, 0.001),
            extra_body=extra or None,
            **options,
        )
        return stream

    def _connected(self) -> "AsyncOpenAI":
        if self._client is None:
            import openai

            self._client = openai.AsyncOpenAI(
                base_url=self._options.base_url,
                api_key=self._options.api_key or "none",
                max_retries=0,
            )
        return self._client


def _binding(constraint: Constraint, kind: ConstraintKind) -> tuple[dict[str, Any], dict[str, Any]]:
    """SDK options and extra body that bind the answer to `constraint` as `kind` does."""
    if kind is ConstraintKind.REGEX and constraint.regex is not None:
        return {}, {"guided_regex": constraint.regex, "structured_outputs": {"regex": constraint.regex}}
    schema = constraint.schema
    if schema.get("type") == "array":
        schema = wrap_schema(schema)
    if kind in (ConstraintKind.JSON_SCHEMA, ConstraintKind.REGEX):
        body = {"name": constraint.name, "schema": schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": body}}, {}
    if kind is ConstraintKind.JSON_OBJECT_SCHEMA:
        return {"response_format": {"type": "json_object", "schema": schema}}, {}
    if kind is ConstraintKind.JSON_OBJECT:
        return {"response_format": {"type": "json_object"}}, {}
    return {}, {}


async def _within(deadline: float, awaitable: Awaitable[T]) -> T:
    """`awaitable` bounded by a monotonic deadline; the stream may be read by whichever task runs the turn."""
    async with asyncio.timeout(max(deadline - time.monotonic(), 0.0)):
        return await awaitable


def _is_stream(response: "AsyncStream[ChatCompletionChunk]") -> bool:
    """Whether the server streams; otherwise it returns one JSON document."""
    return "json" not in response.response.headers.get("content-type", "")


def _whole(body: bytes, thinking: ThinkingFilter) -> ChatChunk:
    """The answer of a document in one piece. Raises `LookupError`, `TypeError` or `ValueError` for any other."""
    document = msgspec.json.decode(body)
    content = document["choices"][0]["message"]["content"]
    usage = document.get("usage") or {}
    counted = Usage(usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0)
    return ChatChunk(thinking.feed(content or ""), counted if counted.prompt_tokens else None)


def _chunk(event: "ChatCompletionChunk", thinking: ThinkingFilter) -> ChatChunk | None:
    """The answer's part of one wire event."""
    usage = None
    if event.usage is not None:
        usage = Usage(event.usage.prompt_tokens or 0, event.usage.completion_tokens or 0)
    piece = event.choices[0].delta.content if event.choices else None
    text = thinking.feed(piece) if piece else ""
    return ChatChunk(text, usage) if text or usage else None


def _translated(error: Exception) -> BackendError:
    """Our error for one of the SDK's."""
    import openai

    if isinstance(error, BackendError):
        return error
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return BackendTimeout("模型服务没有按时回答")
    if isinstance(error, openai.APIConnectionError):
        return BackendError("连不上模型服务", code="unreachable")
    if isinstance(error, openai.APIStatusError):
        return _status_error(error)
    return BackendError("模型服务的回答无法读取", code="bad_response")


def _retry_after(header: str | None) -> float:
    """Seconds of the Retry-After header; 1 if it is missing or a date."""
    try:
        return max(0.0, float(header or 1.0))
    except ValueError:
        return 1.0


def _status_error(error: Any) -> BackendError:
    status = error.status_code
    if status in (400, 422):
        return BackendError("模型服务拒绝了请求", code="bad_request")
    if status == 429:
        return RateLimited("模型服务限流", _retry_after(error.response.headers.get("retry-after")))
    if status in (401, 403):
        return BackendError("模型服务拒绝了凭证", code="unauthorised")
    return BackendError(f"模型服务出错（{status}）", code="server_error")
