"""The tier chain: local first, a model where it is open (or before it), its own result when that fails.

Every tier answers accept, abstain or reject with a reason and a confidence, afresh each turn; one deadline and one
token budget are shared by all of them. Nothing here knows what is being read: a command at home and a turn at the
hospital run through the same chain. A tenant's path (commands.md, Consumer) decides whether models are asked,
and whether what they say counts.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

import msgspec

from tingdong.llm.budget import Budget

__all__ = [
    "ChainResult",
    "Judged",
    "LanguageTier",
    "ReleasePath",
    "Rollout",
    "Shadowed",
    "TierChain",
    "TierReport",
    "measured",
    "report_of",
]

ACCEPT, ABSTAIN = "accept", "abstain"
MAX_SHADOWS = 64
"""Shadow readings under way at once; beyond them a sentence goes without, so that a slow model cannot pile up work."""


class Judged(Protocol):
    """What a tier's answer must tell about itself; a verdict is accept, abstain or reject, a reason a stable code."""

    @property
    def verdict(self) -> str:
        """`accept`, `abstain` or `reject`."""

    @property
    def confidence(self) -> float:
        """How sure it is, 0..1."""

    @property
    def reason(self) -> str:
        """Why, as a code; empty where accepted."""

    @property
    def tier(self) -> str:
        """Who judged: `local` or the name of a model."""


A = TypeVar("A", bound=Judged)
J = TypeVar("J", bound=Judged)

LanguageTier = Callable[[A, Budget], Awaitable[A]]
"""A slower tier: given the local answer and the turn's budget, its own. It never raises for a backend's sake."""


class ReleasePath(StrEnum):
    """Which path serves a tenant: without models, with them where the local tier is open, without them while they are
    asked beside it, or with the model before the local tier (commands.md)."""

    OLD = "old"
    NEW = "new"
    SHADOW = "shadow"
    ALWAYS = "always"


class Rollout(msgspec.Struct, frozen=True):
    """The path of each tenant by name; tenants not named take `default`."""

    default: ReleasePath = ReleasePath.NEW
    tenants: Mapping[str, ReleasePath] = {}

    def path_of(self, tenant: str) -> ReleasePath:
        """The path of a tenant: its own, or the default."""
        return self.tenants.get(tenant, self.default)


class TierReport(msgspec.Struct, frozen=True):
    """What one tier did this turn and what it cost; for `meta`, explanations and metrics."""

    tier: str
    verdict: str
    reason: str
    confidence: float
    microseconds: int = 0
    tokens: int = 0


class ChainResult(msgspec.Struct, Generic[A], frozen=True):
    """The answer that stands, and what every tier said in order of asking; `budget` is what is left of the turn's."""

    answer: A
    reports: tuple[TierReport, ...]
    budget: Budget | None = None

    def failed_with(self, reason: str) -> bool:
        """Whether the last tier asked had to abstain for `reason`."""
        last = self.reports[-1]
        return (last.verdict, last.reason) == (ABSTAIN, reason)


class Shadowed(msgspec.Struct, Generic[A], frozen=True):
    """One comparison of a shadow run: what was served, and what the models would have made of it."""

    tenant: str
    served: A
    shadow: A
    reports: tuple[TierReport, ...]


Watch = Callable[[Shadowed[A]], None]


def report_of(answer: Judged, *, microseconds: int = 0, tokens: int = 0) -> TierReport:
    """The report of a tier's answer."""
    verdict, confidence = str(answer.verdict), round(answer.confidence, 4)
    return TierReport(answer.tier, verdict, answer.reason, confidence, microseconds, tokens)


async def measured(asking: Awaitable[J], budget: Budget) -> tuple[J, TierReport]:
    """A tier's answer, and its report with what it took of the turn's time and tokens."""
    started, tokens = time.perf_counter_ns(), budget.tokens_left
    answer = await asking
    spent = (time.perf_counter_ns() - started) // 1000
    return answer, report_of(answer, microseconds=spent, tokens=tokens - budget.tokens_left)


def _nobody(_: TierReport) -> None:
    """A watcher that ignores what it is told."""


class TierChain(Generic[A]):
    """Runs tiers after a local answer that left something open.

    `told` hears what every tier asked came to, `watch` of every shadow run. `rollout` may be replaced while turns run.
    `may_lead`: on the path `always` a tier's rejection stands too; a chain that may not lead takes that path for `new`.
    """

    def __init__(
        self,
        make_budget: Callable[[], Budget],
        *,
        rollout: Rollout | None = None,
        told: Callable[[TierReport], None] | None = None,
        watch: Watch[A] | None = None,
        may_lead: bool = False,
    ) -> None:
        self._may_lead = may_lead
        self._make_budget = make_budget
        self.rollout: Rollout = rollout or Rollout()
        self.told: Callable[[TierReport], None] = told or _nobody
        self._watch = watch
        self._shadows: set[asyncio.Task[None]] = set()

    def leads(self, tenant: str = "") -> bool:
        """Whether this tenant's sentences are put to the models before the local answer counts."""
        return self._may_lead and self.rollout.path_of(tenant) is ReleasePath.ALWAYS

    async def ask(self, local: A, tiers: Sequence[LanguageTier[A]], *, tenant: str = "") -> ChainResult[A]:
        """The first answer that a tier accepts; the local one when none does, or when models do not count here.

        A rejection ends the asking: the tier is sure that there is nothing to be done, and the local answer stands, or
        the rejection itself where the models lead.
        """
        path = self.rollout.path_of(tenant)
        if path in (ReleasePath.NEW, ReleasePath.ALWAYS):
            return await self._run(local, tiers, leads=self.leads(tenant))
        if path is ReleasePath.SHADOW and tiers and len(self._shadows) < MAX_SHADOWS:
            task = asyncio.create_task(self._shadow(local, tiers, tenant))
            self._shadows.add(task)
            task.add_done_callback(self._shadows.discard)
        return ChainResult(local, (report_of(local),))

    async def settle(self) -> None:
        """Waits for the shadow runs under way."""
        while self._shadows:
            await asyncio.wait(self._shadows)

    async def close(self) -> None:
        """Ends the shadow runs under way."""
        for task in self._shadows:
            task.cancel()
        await asyncio.gather(*self._shadows, return_exceptions=True)

    async def _run(self, local: A, tiers: Sequence[LanguageTier[A]], *, leads: bool = False) -> ChainResult[A]:
        reports = [report_of(local)]
        budget = self._make_budget()
        for tier in tiers:
            answer, report = await measured(tier(local, budget), budget)
            reports.append(report)
            self.told(report)
            if answer.verdict == ACCEPT or (leads and answer.verdict != ABSTAIN):
                return ChainResult(answer, tuple(reports), budget)
            if answer.verdict != ABSTAIN:
                break
        return ChainResult(local, tuple(reports), budget)

    async def _shadow(self, local: A, tiers: Sequence[LanguageTier[A]], tenant: str) -> None:
        result = await self._run(local, tiers)
        if self._watch is not None:
            self._watch(Shadowed(tenant, local, result.answer, result.reports))
