"""The language-model port and its implementations (seed 001, 002, 003: 「规则 + LLM」)."""

from tingdong.llm.doubles import ScriptedChatModel
from tingdong.llm.port import ChatChunk, ChatMessage, ChatModel, ChatRequest, Constraint, ConstraintKind, Usage, collect

__all__ = [
    "ChatChunk",
    "ChatMessage",
    "ChatModel",
    "ChatRequest",
    "Constraint",
    "ConstraintKind",
    "ScriptedChatModel",
    "Usage",
    "collect",
]
