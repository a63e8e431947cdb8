"""The tier chain: the local tier first, a model if it is unsure (or first), and the local result if the model fails.

Every tier returns accept, abstain or reject with a reason and a confidence, on every turn; all share one deadline and
one token budget. The chain does not know what is read: home commands and front-desk turns use the same one. A tenant's
path (commands.md, Consumer) decides whether models are asked and whether their answers count.
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
    """What the chain needs of a tier's answer: a verdict (accept, abstain, reject), a stable reason code, a
    confidence."""

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
    """How models serve a tenant (commands.md): not at all, where the local tier is unsure, in a shadow run that changes
    nothing, or before the local tier."""

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
    """What one tier returned this turn and its cost; for `meta`, explanations and metrics."""

    tier: str
    verdict: str
    reason: str
    confidence: float
    microseconds: int = 0
    tokens: int = 0


class ChainResult(msgspec.Struct, Generic[A], frozen=True):
    """The final answer, the report of every tier in the order asked, and the rest of the turn's `budget`."""

    answer: A
    reports: tuple[TierReport, ...]
    budget: Budget | None = None

    def failed_with(self, reason: str) -> bool:
        """Whether the last tier abstained with `reason`."""
        last = self.reports[-1]
        return (last.verdict, last.reason) == (ABSTAIN, reason)


class Shadowed(msgspec.Struct, Generic[A], frozen=True):
    """One comparison of a shadow run: the served answer and the models' answer."""

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
    """A tier's answer and its report, with the time and tokens it used."""
    started, tokens = time.perf_counter_ns(), budget.tokens_left
    answer = await asking
    spent = (time.perf_counter_ns() - started) // 1000
    return answer, report_of(answer, microseconds=spent, tokens=tokens - budget.tokens_left)


def _nobody(_: TierReport) -> None:
    """A watcher that does nothing."""


class TierChain(Generic[A]):
    """Runs tiers after an unsure local answer.

    `told` receives the report of every tier asked, `watch` every shadow run. `rollout` may be replaced between turns.
    With `may_lead`, the path `always` also accepts a tier's rejection; without it that path behaves as `new`.
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
        """Whether this tenant's sentences go to the models before the local answer."""
        return self._may_lead and self.rollout.path_of(tenant) is ReleasePath.ALWAYS

    async def ask(self, local: A, tiers: Sequence[LanguageTier[A]], *, tenant: str = "") -> ChainResult[A]:
        """The first answer that a tier accepts; the local one if none does or if models do not count here.

        A rejection ends the chain: the tier is sure that nothing is requested. Then the local answer is returned, or
        the rejection itself if the models lead.
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
