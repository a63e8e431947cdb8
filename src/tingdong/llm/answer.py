"""Reads one streamed answer: invalid text is cut off early, and times and tokens are measured."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable

import msgspec

from tingdong.errors import BackendTimeout
from tingdong.llm.budget import Budget
from tingdong.llm.port import ChatChunk, ChatModel, ChatRequest, Usage
from tingdong.llm.shaping import token_estimate, unwrap

__all__ = ["ChatAnswer", "read_answer"]

MAX_ANSWER_CHARS = 16_384
CHECK_EVERY = 256
"""Beyond its first characters an answer is checked again only after so many more: the check reads it whole."""


class ChatAnswer(msgspec.Struct, frozen=True):
    """A finished answer.

    `stopped`: cut off because it could no longer become valid or grew too long. `usage` is the server's count, or an
    estimate where it gave none. Times in seconds since the request; a replayed answer takes as long as the recorded
    one did.
    """

    text: str
    usage: Usage
    seconds: float
    first_token_s: float
    stopped: bool = False


async def read_answer(
    model: ChatModel,
    request: ChatRequest,
    budget: Budget,
    *,
    first_token_s: float = 5.0,
    viable: Callable[[str], bool] | None = None,
) -> ChatAnswer:
    """The model's answer within the budget; `viable` says whether the text so far can still become a valid answer.

    Raises `BackendTimeout` if the first token is later than `first_token_s`, and whatever the model raises.
    """
    started = time.monotonic()
    text, usage, first_at, stopped, checked = "", Usage(), 0.0, False, 0
    iterator = aiter(model.stream(request, timeout_s=budget.seconds_left()))
    try:
        while not stopped:
            left = budget.seconds_left()
            chunk = await _next(iterator, left if text else min(first_token_s, left))
            if chunk is None:
                break
            if chunk.text and not text:
                first_at = time.monotonic() - started
            text += chunk.text
            usage = chunk.usage or usage
            if viable is not None and (len(text) < CHECK_EVERY or len(text) - checked >= CHECK_EVERY):
                checked = len(text)
                stopped = not viable(text)
            stopped = stopped or len(text) > MAX_ANSWER_CHARS
    finally:
        if isinstance(iterator, AsyncGenerator):
            await iterator.aclose()
    if not usage.prompt_tokens:
        prompt = sum(token_estimate(message.content) for message in request.messages)
        usage = Usage(prompt, token_estimate(text), usage.seconds)
    budget.spend(usage.prompt_tokens + usage.completion_tokens)
    return ChatAnswer(unwrap(text), usage, usage.seconds or time.monotonic() - started, first_at, stopped)


async def _next(iterator: AsyncIterator[ChatChunk], limit_s: float) -> ChatChunk | None:
    """The next piece, or None at the end of the answer."""
    try:
        async with asyncio.timeout(limit_s):
            return await anext(iterator)
    except StopAsyncIteration:
        return None
    except TimeoutError as error:
        raise BackendTimeout("模型服务没有按时回答") from error
