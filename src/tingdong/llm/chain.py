"""The tier chain: local first, a language model only where the local tier abstains, its result when that fails.

Every tier answers accept, abstain or reject with a reason and a confidence, afresh each turn. Nothing here knows what
is being read: a home command and a hospital turn run through the same chain.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from tingdong.llm.budget import Budget

__all__ = ["ChainResult", "LanguageTier", "TierReport", "run_chain"]

ACCEPT, ABSTAIN, REJECT = "accept", "abstain", "reject"


class Judged(Protocol):
    """What a tier's answer must tell about itself."""

    @property
    def verdict(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def reason(self) -> str: ...
    @property
    def tier(self) -> str: ...


A = TypeVar("A", bound=Judged)

LanguageTier = Callable[[A, Budget], Awaitable[A]]
"""A slower tier: given the local answer and the turn's budget, its own. It never raises for a backend's sake."""


class TierReport(msgspec.Struct, frozen=True):
    """What one tier did this turn; for `meta`, explanations and metrics."""

    tier: str
    verdict: str
    reason: str
    confidence: float
    microseconds: int
    tokens: int = 0


class ChainResult(msgspec.Struct, Generic[A], frozen=True):
    """The answer that stands and what every tier said, in order of asking."""

    answer: A
    reports: tuple[TierReport, ...]


async def run_chain(
    local: A, tiers: Sequence[LanguageTier[A]], make_budget: Callable[[], Budget], *, local_us: int = 0
) -> ChainResult[A]:
    """The first answer that is not an abstention, else the local one. A sure local answer asks nobody."""
    reports = [TierReport(local.tier, local.verdict, local.reason, local.confidence, local_us)]
    if local.verdict != ABSTAIN or not tiers:
        return ChainResult(local, tuple(reports))
    budget = make_budget()
    for tier in tiers:
        started, tokens = time.perf_counter_ns(), budget.tokens_left
        answer = await tier(local, budget)
        spent = (time.perf_counter_ns() - started) // 1000
        reports.append(
            TierReport(
                answer.tier, answer.verdict, answer.reason, answer.confidence, spent, tokens - budget.tokens_left
            )
        )
        if answer.verdict != ABSTAIN:
            return ChainResult(answer, tuple(reports))
    return ChainResult(local, tuple(reports))
