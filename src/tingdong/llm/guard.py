"""One guarded model: the circuit breaker around calls, and the counts that operators watch."""

import time
from collections import Counter
from collections.abc import Callable

import msgspec

from tingdong.errors import BackendError, RateLimited
from tingdong.llm.answer import ChatAnswer, read_answer
from tingdong.llm.breaker import BreakerState, CircuitBreaker
from tingdong.llm.budget import Budget
from tingdong.llm.port import ChatModel, ChatRequest

__all__ = ["GuardedModel", "ModelStatistics"]


class ModelStatistics(msgspec.Struct):
    """Counts since start: calls made, failures by code, tokens, seconds spent waiting."""

    calls: int = 0
    stopped_early: int = 0
    failures: Counter[str] = msgspec.field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class GuardedModel:
    """A chat model that is not called while it is known to be down. Raises `BackendError` only."""

    def __init__(self, model: ChatModel, *, breaker: CircuitBreaker | None = None, first_token_s: float = 5.0) -> None:
        self.model = model
        self.statistics: ModelStatistics = ModelStatistics()
        self._breaker = breaker or CircuitBreaker()
        self._first_token_s = first_token_s
        self._prepare = getattr(model, "negotiate_beside", None)

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def state(self) -> BreakerState:
        """The state of its circuit breaker now."""
        return self._breaker.state(time.monotonic())

    async def ask(
        self, request: ChatRequest, budget: Budget, *, viable: Callable[[str], bool] | None = None
    ) -> ChatAnswer:
        """One answer within the budget; raises `breaker_open` or `no_budget` without a call."""
        if not budget.affords(request.max_tokens):
            raise BackendError("本轮的时间或词元预算已用完", code="no_budget")
        if not self._breaker.allow(time.monotonic()):
            raise BackendError("模型服务暂停使用", code="breaker_open")
        if self._prepare is not None and request.constraint is not None:
            self._prepare()
        self.statistics.calls += 1
        try:
            answer = await read_answer(self.model, request, budget, first_token_s=self._first_token_s, viable=viable)
        except BackendError as error:
            self._failed(error)
            raise
        self._breaker.success()
        self._count(answer)
        return answer

    def _failed(self, error: BackendError) -> None:
        self.statistics.failures[error.code] += 1
        pause = error.retry_after_s if isinstance(error, RateLimited) else None
        self._breaker.failure(time.monotonic(), pause_s=pause)

    def _count(self, answer: ChatAnswer) -> None:
        statistics = self.statistics
        statistics.stopped_early += answer.stopped
        statistics.prompt_tokens += answer.usage.prompt_tokens
        statistics.completion_tokens += answer.usage.completion_tokens
        statistics.seconds += answer.seconds
