"""The language-model port, its clients, and the tier chain (seeds 001, 002, 003: 「规则 + LLM」).

`OpenAIChatModel` is imported from `tingdong.llm.openai_model`; the SDK behind it loads on the first request.
"""

from tingdong.llm.answer import ChatAnswer, read_answer
from tingdong.llm.breaker import BreakerState, CircuitBreaker
from tingdong.llm.budget import Budget
from tingdong.llm.chain import ChainResult, LanguageTier, TierReport, run_chain
from tingdong.llm.doubles import ScriptedChatModel
from tingdong.llm.guard import GuardedModel, ModelStatistics
from tingdong.llm.port import ChatChunk, ChatMessage, ChatModel, ChatRequest, Constraint, ConstraintKind, Usage

__all__ = [
    "BreakerState",
    "Budget",
    "ChainResult",
    "ChatAnswer",
    "ChatChunk",
    "ChatMessage",
    "ChatModel",
    "ChatRequest",
    "CircuitBreaker",
    "Constraint",
    "ConstraintKind",
    "GuardedModel",
    "LanguageTier",
    "ModelStatistics",
    "ScriptedChatModel",
    "TierReport",
    "Usage",
    "read_answer",
    "run_chain",
]
