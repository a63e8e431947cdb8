"""Circuit breaker: after repeated failures a backend is not called for a while, then tested with one request."""

from enum import StrEnum

__all__ = ["BreakerState", "CircuitBreaker"]


class BreakerState(StrEnum):
    """Whether calls pass: all, none, or one on trial."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class CircuitBreaker:
    """A circuit breaker over given times (monotonic seconds); it reads no clock.

    `threshold` failures in a row open it. After `cooldown_s` one trial call passes (half-open): success closes the
    breaker, failure opens it for twice the pause, at most `max_cooldown_s`.
    """

    def __init__(self, threshold: int = 5, cooldown_s: float = 10.0, *, max_cooldown_s: float = 120.0) -> None:
        self._threshold = threshold
        self._base_cooldown_s = cooldown_s
        self._max_cooldown_s = max_cooldown_s
        self._cooldown_s = cooldown_s
        self._failures = 0
        self._opened_at: float | None = None
        self._trial_started: float | None = None

    def state(self, now: float) -> BreakerState:
        """The state at `now` (seconds of a monotonic clock)."""
        if self._opened_at is None:
            return BreakerState.CLOSED
        return BreakerState.HALF_OPEN if now - self._opened_at >= self._cooldown_s else BreakerState.OPEN

    def allow(self, now: float) -> bool:
        """Whether a call may be made now; while half-open, one at a time, and another one if the trial never reported
        back."""
        state = self.state(now)
        if state is BreakerState.CLOSED:
            return True
        if state is BreakerState.OPEN:
            return False
        if self._trial_started is not None and now - self._trial_started < self._cooldown_s:
            return False
        self._trial_started = now
        return True

    def success(self) -> None:
        """Records a success: the breaker is closed and the failure count reset."""
        self._failures = 0
        self._opened_at = None
        self._trial_started = None
        self._cooldown_s = self._base_cooldown_s

    def failure(self, now: float, *, pause_s: float | None = None) -> None:
        """Records a failure; `pause_s`, the server's Retry-After in seconds, opens the breaker at once."""
        self._failures += 1
        reopened = self._trial_started is not None
        if reopened:
            self._cooldown_s = min(self._max_cooldown_s, self._cooldown_s * 2)
        if pause_s is not None:
            self._cooldown_s = min(self._max_cooldown_s, max(pause_s, 0.0))
        if reopened or pause_s is not None or self._failures >= self._threshold:
            self._opened_at = now
        self._trial_started = None
