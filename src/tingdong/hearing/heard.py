"""What became of a sentence, as values."""

import math

import msgspec

from zhtext.sound import readings

__all__ = ["Change", "Heard"]


class Change(msgspec.Struct, frozen=True):
    """One repair: `heard` at `[start, end)` of the sentence as it was heard, `understood` instead.

    `odds` are the natural log-odds that it is right: what the sentence gains by it.
    """

    start: int
    end: int
    heard: str
    understood: str
    odds: float

    @property
    def sure(self) -> float:
        """How sure it is, from 0 to 1."""
        return 1 / (1 + math.exp(-self.odds))

    @property
    def sounds(self) -> tuple[str, str]:
        """The sounds of both, by their usual readings (deng1, deng4)."""
        return _sounds(self.heard), _sounds(self.understood)


class Heard(msgspec.Struct, frozen=True):
    """`said` as it was heard (normalised), `text` as it is understood, and the changes between them in order.

    `doubts` are changes that are probable but are not made in silence; `asks` is the text with them, "" without any.
    """

    said: str
    text: str
    changes: tuple[Change, ...] = ()
    doubts: tuple[Change, ...] = ()
    asks: str = ""

    def said_span(self, start: int, end: int) -> tuple[int, int]:
        """Where in `said` the span `[start, end)` of `text` was heard."""
        places, at = list[int](), 0
        for change in self.changes:
            places += range(at, change.start)
            places += (min(change.start + more, change.end - 1) for more in range(len(change.understood)))
            at = change.end
        places += range(at, len(self.said) + 1)
        return places[start], (places[end - 1] + 1 if end > start else places[start])


def _sounds(text: str) -> str:
    return " ".join(readings(character)[0] for character in text)
