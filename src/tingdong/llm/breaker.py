"""Circuit breaker: after repeated failures a backend is left alone for a while, then tried with one request."""

from enum import StrEnum

__all__ = ["BreakerState", "CircuitBreaker"]


class BreakerState(StrEnum):
    """Whether calls pass: all, none, or one on trial."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class CircuitBreaker:
    """Pure over the times it is given (monotonic seconds).

    `threshold` failures in a row open it; after `cooldown_s` one trial passes (half-open): its success closes the
    breaker, its failure opens it again with twice the pause, at most `max_cooldown_s`.
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
        """Whether a request may go out now; in half-open only one at a time, retried if it never reported back."""
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
        """One answered request: closed again, and no failure counts."""
        self._failures = 0
        self._opened_at = None
        self._trial_started = None
        self._cooldown_s = self._base_cooldown_s

    def failure(self, now: float, *, pause_s: float | None = None) -> None:
        """One failed request; `pause_s` is what the server asked for (Retry-After), which opens at once."""
        self._failures += 1
        reopened = self._trial_started is not None
        if reopened:
            self._cooldown_s = min(self._max_cooldown_s, self._cooldown_s * 2)
        if pause_s is not None:
            self._cooldown_s = min(self._max_cooldown_s, max(pause_s, 0.0))
        if reopened or pause_s is not None or self._failures >= self._threshold:
            self._opened_at = now
        self._trial_started = None
