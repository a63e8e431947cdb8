"""The language-model port, its clients, and the tier chain (commands.md, retrieval.md, hospital.md).

`OpenAIChatModel` is imported from `tingdong.llm.openai_model`; the SDK behind it loads on the first request.
"""

from tingdong.llm.answer import ChatAnswer, read_answer
from tingdong.llm.breaker import BreakerState, CircuitBreaker
from tingdong.llm.budget import Budget
from tingdong.llm.chain import (
    ChainResult,
    Judged,
    LanguageTier,
    ReleasePath,
    Rollout,
    Shadowed,
    TierChain,
    TierReport,
    measured,
    report_of,
)
from tingdong.llm.checked import Asked, Checked, ask_checked
from tingdong.llm.doubles import ScriptedChatModel
from tingdong.llm.exchange import Exchange, Observer, outline
from tingdong.llm.guard import GuardedModel, ModelStatistics
from tingdong.llm.port import ChatChunk, ChatMessage, ChatModel, ChatRequest, Constraint, ConstraintKind, Usage

__all__ = [
    "Asked",
    "BreakerState",
    "Budget",
    "ChainResult",
    "ChatAnswer",
    "ChatChunk",
    "ChatMessage",
    "ChatModel",
    "ChatRequest",
    "Checked",
    "CircuitBreaker",
    "Constraint",
    "ConstraintKind",
    "Exchange",
    "GuardedModel",
    "Judged",
    "LanguageTier",
    "ModelStatistics",
    "Observer",
    "ReleasePath",
    "Rollout",
    "ScriptedChatModel",
    "Shadowed",
    "TierChain",
    "TierReport",
    "Usage",
    "ask_checked",
    "measured",
    "outline",
    "read_answer",
    "report_of",
]
