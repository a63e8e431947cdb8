"""Token buckets (service.md, 429 too many; docs/security.md).

Pure: times are passed in, as seconds of any clock. A clock that jumps back changes nothing; one that jumps ahead fills
the bucket to its burst at most.
"""

import msgspec

__all__ = ["Rate", "TokenBucket"]


class Rate(msgspec.Struct, frozen=True):
    """At most `burst` at once, and `per_second` in the long run."""

    per_second: float
    burst: float


class TokenBucket:
    """The token bucket of one caller; it starts full."""

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def take(self, now: float) -> bool:
        """Takes one token; False when there is none."""
        elapsed = max(0.0, now - self._at)
        self._at = now
        self._tokens = min(self._rate.burst, self._tokens + elapsed * self._rate.per_second)
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True
