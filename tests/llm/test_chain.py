"""The tier chain and what guards it (architecture, tiers; commands.md, Consumer)."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tingdong.commands.reading import Reading, Verdict
from tingdong.llm import BreakerState, Budget, CircuitBreaker, ReleasePath, Rollout, TierChain
from tingdong.llm.shaping import ThinkingFilter, token_estimate, unwrap

LOCAL = Reading("开灯", confidence=0.4, verdict=Verdict.ABSTAIN, reason="unsure")


class Tier:
    """A tier that answers with a fixed verdict and counts its calls."""

    def __init__(self, verdict: Verdict, tokens: int = 100) -> None:
        self.calls = 0
        self._verdict = verdict
        self._tokens = tokens

    async def __call__(self, local: Reading, budget: Budget) -> Reading:
        self.calls += 1
        budget.spend(self._tokens)
        return Reading(local.text, confidence=0.9, tier="llm", verdict=self._verdict, reason="said")


def chain(**options: Any) -> TierChain[Reading]:
    """A chain with a second and 8000 tokens a turn."""
    return TierChain(lambda: Budget(1.0), **options)


async def test_an_abstaining_model_leaves_the_local_answer() -> None:
    """If the model is late, down or unsure, the local result is served, and the reports say why and what it cost."""
    result = await chain().ask(LOCAL, [Tier(Verdict.ABSTAIN), Tier(Verdict.ABSTAIN)])
    assert result.answer is LOCAL
    assert [(r.tier, r.verdict, r.tokens) for r in result.reports] == [
        ("local", "abstain", 0),
        ("llm", "abstain", 100),
        ("llm", "abstain", 100),
    ]
    assert result.failed_with("said")


async def test_first_judgement_ends_the_chain() -> None:
    """A tier that accepts or rejects is the last one asked; a rejection leaves the local answer."""
    second = Tier(Verdict.ACCEPT)
    result = await chain().ask(LOCAL, [Tier(Verdict.REJECT), second])
    assert (result.answer, second.calls) == (LOCAL, 0)
    result = await chain().ask(LOCAL, [Tier(Verdict.ABSTAIN), second])
    assert (result.answer.tier, second.calls) == ("llm", 1)


async def test_deadline_and_tokens_are_shared_by_the_chain() -> None:
    """Architecture, tiers: one budget a turn; what the first tier spends the second lacks."""
    seen: list[int] = []

    async def spends(local: Reading, budget: Budget) -> Reading:
        seen.append(budget.tokens_left)
        budget.spend(5_000)
        return Reading(local.text, tier="llm")

    await chain().ask(LOCAL, [spends, spends, spends])
    assert seen == [8_000, 3_000, 0]


async def test_a_tenant_on_the_old_path_asks_no_model() -> None:
    """commands.md, Consumer: the switch is per tenant; the old path is the local tier alone."""
    tier = Tier(Verdict.ACCEPT)
    rollout = Rollout(ReleasePath.NEW, {"acme": ReleasePath.OLD})
    assert (await chain(rollout=rollout).ask(LOCAL, [tier], tenant="acme")).answer is LOCAL
    assert tier.calls == 0
    assert (await chain(rollout=rollout).ask(LOCAL, [tier], tenant="other")).answer is not LOCAL


async def test_a_shadow_run_changes_nothing_and_logs_the_difference() -> None:
    """commands.md, Consumer: both run; the old path serves without waiting, and the comparison has both readings."""
    tier, runs = Tier(Verdict.ACCEPT), []
    shadowed = chain(rollout=Rollout(ReleasePath.SHADOW), watch=runs.append)
    result = await shadowed.ask(LOCAL, [tier], tenant="acme")
    assert (result.answer, len(result.reports), tier.calls) == (LOCAL, 1, 0)
    await shadowed.settle()
    assert tier.calls == 1
    assert [(run.tenant, run.served, run.shadow.tier) for run in runs] == [("acme", LOCAL, "llm")]


async def test_a_slow_model_cannot_pile_up_shadow_runs() -> None:
    """A shadow run is a courtesy: over the limit a sentence goes without, and closing ends what is under way."""
    never = asyncio.Event()
    begun: list[Budget] = []

    async def stalls(local: Reading, budget: Budget) -> Reading:
        begun.append(budget)
        await never.wait()
        return local

    shadowed = chain(rollout=Rollout(ReleasePath.SHADOW))
    for _ in range(200):
        await shadowed.ask(LOCAL, [stalls])
    await asyncio.sleep(0)
    assert len(begun) == 64
    await shadowed.close()


def test_breaker_opens_tries_once_and_recovers() -> None:
    """Circuit breaker with half-open: one trial after the pause, closed again by its success."""
    breaker = CircuitBreaker(threshold=2, cooldown_s=10)
    breaker.failure(0.0)
    assert breaker.allow(0.0)
    breaker.failure(1.0)
    assert breaker.state(2.0) is BreakerState.OPEN
    assert not breaker.allow(10.9)
    assert breaker.allow(11.0)
    assert not breaker.allow(11.1)
    breaker.failure(12.0)
    assert not breaker.allow(31.0)
    assert breaker.allow(32.0)
    breaker.success()
    assert breaker.state(32.0) is BreakerState.CLOSED


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 5)), max_size=60))
def test_the_breaker_always_tries_again(events: list[tuple[bool, float]]) -> None:
    """Whatever happened, a request passes again once the longest pause is over."""
    breaker, now = CircuitBreaker(threshold=3, cooldown_s=1, max_cooldown_s=4), 0.0
    for ok, step in events:
        now += step
        if breaker.allow(now):
            breaker.success() if ok else breaker.failure(now)
    assert breaker.allow(now + 4.0 + 1e-9)  # the sum is rounded


@given(st.text(max_size=40), st.text(max_size=40), st.integers(1, 7))
def test_thinking_is_dropped_however_it_is_cut(thought: str, answer: str, size: int) -> None:
    """A leading thinking block is no answer, in whatever pieces it comes."""
    thought = thought.replace("<", "")
    answer = answer.replace("<", "").strip()
    whole = f"<think>{thought}</think>{answer}"
    parts = ThinkingFilter()
    got = "".join(parts.feed(whole[at : at + size]) for at in range(0, len(whole), size))
    assert got.strip() == answer


@given(st.text(max_size=60).filter(lambda text: not text.lstrip().startswith("<")))
def test_other_text_passes_the_filter(text: str) -> None:
    """What is no thinking block is left as it is."""
    parts = ThinkingFilter()
    assert "".join(parts.feed(letter) for letter in text) == text or not text.strip()


@given(st.text())
def test_unwrap_never_raises(text: str) -> None:
    """Law 7 for the wrapped form."""
    assert isinstance(unwrap(text), str)
    assert token_estimate(text) >= 0
