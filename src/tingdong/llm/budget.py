"""Deadline and token allowance of one turn, shared by every tier of the chain."""

import time

__all__ = ["Budget"]


class Budget:
    """A deadline in monotonic seconds and a token allowance; spending is recorded, never refunded."""

    def __init__(self, seconds: float, tokens: int = 8_000, *, now: float | None = None) -> None:
        self._deadline = (time.monotonic() if now is None else now) + seconds
        self.tokens_left: int = tokens

    def seconds_left(self, now: float | None = None) -> float:
        """Seconds until the deadline, at least 0."""
        return max(0.0, self._deadline - (time.monotonic() if now is None else now))

    def spend(self, tokens: int) -> None:
        """Subtracts used tokens; never below 0."""
        self.tokens_left = max(0, self.tokens_left - tokens)

    def affords(self, tokens: int, *, seconds: float = 0.05) -> bool:
        """Whether the allowance covers a call of about `tokens` tokens."""
        return self.tokens_left >= tokens and self.seconds_left() >= seconds
