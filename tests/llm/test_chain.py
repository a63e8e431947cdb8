"""The tier chain and what guards it (architecture, tiers; seed 001: 优先 LLM 但必须可降级)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.commands.reading import Reading, Verdict
from tingdong.llm import BreakerState, Budget, CircuitBreaker, run_chain
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


@pytest.mark.parametrize("verdict", [Verdict.ACCEPT, Verdict.REJECT])
async def test_sure_local_answers_ask_nobody(verdict: Verdict) -> None:
    """Requests that the local tier is sure of make no model call."""
    tier = Tier(Verdict.ACCEPT)
    local = Reading("开灯", confidence=0.99, verdict=verdict)
    result = await run_chain(local, [tier], lambda: pytest.fail("no budget is made"))
    assert result.answer is local
    assert (tier.calls, len(result.reports)) == (0, 1)


async def test_an_abstaining_model_leaves_the_local_answer() -> None:
    """If the model is late, down or unsure, the local result is served, and the reports say why."""
    result = await run_chain(LOCAL, [Tier(Verdict.ABSTAIN), Tier(Verdict.ABSTAIN)], lambda: Budget(1.0))
    assert result.answer is LOCAL
    assert [(r.tier, r.verdict, r.tokens) for r in result.reports] == [
        ("local", "abstain", 0),
        ("llm", "abstain", 100),
        ("llm", "abstain", 100),
    ]


async def test_first_judgement_ends_the_chain() -> None:
    """A tier that accepts or rejects is the last one asked."""
    second = Tier(Verdict.ACCEPT)
    result = await run_chain(LOCAL, [Tier(Verdict.REJECT), second], lambda: Budget(1.0))
    assert (result.answer.verdict, second.calls) == (Verdict.REJECT, 0)


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
def test_breaker_never_stays_shut_for_ever(events: list[tuple[bool, float]]) -> None:
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
    answer = answer.strip().replace("<", "")
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
