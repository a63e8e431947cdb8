"""The language-model port: the interface through which TingDong calls any chat model.

Models are asynchronous, stream, and have a deadline. Their answers are untrusted text that callers validate.
"""

from collections.abc import AsyncIterator, Sequence
from enum import StrEnum
from typing import Any, Protocol

import msgspec

__all__ = ["ChatChunk", "ChatMessage", "ChatModel", "ChatRequest", "Constraint", "ConstraintKind", "Usage"]


class ChatMessage(msgspec.Struct, frozen=True):
    """One message; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


class ConstraintKind(StrEnum):
    """How strictly a server can be bound to a form, strictest first.

    `JSON_OBJECT_SCHEMA` is a schema under `json_object`, as llama-cpp-python and some hosts have it.
    """

    REGEX = "regex"
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT_SCHEMA = "json_object_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


class Constraint(msgspec.Struct, frozen=True):
    """The form an answer must take: `schema` is its JSON schema, `regex` the same as a regular expression."""

    name: str
    schema: dict[str, Any]
    regex: str | None = None


class ChatRequest(msgspec.Struct, frozen=True):
    """One question to a model. `max_tokens` bounds the answer, `temperature` is 0 for parsing."""

    messages: Sequence[ChatMessage]
    constraint: Constraint | None = None
    max_tokens: int = 512
    temperature: float = 0.0


class Usage(msgspec.Struct, frozen=True):
    """Tokens as the server counted them; 0 where it did not say.

    `seconds` is how long the answer took, where a recording tells it.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class ChatChunk(msgspec.Struct, frozen=True):
    """A piece of an answer; the last one may carry `usage`."""

    text: str = ""
    usage: Usage | None = None


class ChatModel(Protocol):
    """Any chat model. `stream` raises `BackendError` or `BackendTimeout`, never a library's own error."""

    name: str

    def stream(self, request: ChatRequest, *, timeout_s: float) -> AsyncIterator[ChatChunk]:
        """The answer in pieces, within `timeout_s` seconds in all."""
        ...
