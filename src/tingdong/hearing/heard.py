"""Results of the correction as values."""

import math
from collections.abc import Iterable

import msgspec

from zhtext.normalise import Normalised
from zhtext.sound import readings

__all__ = ["Heard", "HearingRepair", "TakenAlternative"]


class HearingRepair(msgspec.Struct, frozen=True):
    """One repair: `heard` at `[start, end)` of the original sentence, replaced by `understood`.

    `odds` are the natural log-odds that it is right: the gain of the sentence.
    """

    start: int
    end: int
    heard: str
    understood: str
    odds: float

    @property
    def sure(self) -> float:
        """Confidence from 0 to 1."""
        return 1 / (1 + math.exp(-self.odds))

    @property
    def sounds(self) -> tuple[str, str]:
        """The sounds of both, by their usual readings (deng1, deng4)."""
        return _sounds(self.heard), _sounds(self.understood)


class TakenAlternative(msgspec.Struct, frozen=True):
    """The recogniser's alternative taken instead of its first text: its index from 0, the text, and its gain
    (log-odds)."""

    alternative: int
    text: str
    gain: float


class Heard(msgspec.Struct, frozen=True):
    """`said` is the normalised input, `text` the corrected sentence, with the changes between them in order.

    `doubts` are probable changes that need a question; `asks` is the text with them, or "". `rivals` are texts nearly
    as probable as `text`. `taken` is the alternative used, if any.
    """

    said: str
    text: str
    changes: tuple[HearingRepair, ...] = ()
    doubts: tuple[HearingRepair, ...] = ()
    asks: str = ""
    rivals: tuple[str, ...] = ()
    taken: TakenAlternative | None = None

    @property
    def understood(self) -> Normalised:
        """`text`, with the way back into `said`."""
        return _changed(self.text, self.changes)

    @property
    def asked(self) -> Normalised:
        """`asks`, with the way back into `said`."""
        return _changed(self.asks, sorted((*self.changes, *self.doubts), key=lambda change: change.start))

    @property
    def verbatim(self) -> bool:
        """Whether the corrected text is the recogniser's, word for word."""
        return not self.changes or (self.taken is not None and self.text == self.taken.text)

    def followed_by(self, other: "Heard") -> "Heard":
        """This text and the next one joined."""
        by = len(self.said)
        moved = (
            tuple(msgspec.structs.replace(one, start=one.start + by, end=one.end + by) for one in found)
            for found in (other.changes, other.doubts)
        )
        changes, doubts = moved
        asks = (self.asks or self.text) + (other.asks or other.text) if self.asks or other.asks else ""
        rivals = (*(one + other.text for one in self.rivals), *(self.text + one for one in other.rivals))
        said, text = self.said + other.said, self.text + other.text
        return Heard(said, text, self.changes + changes, self.doubts + doubts, asks, rivals)

    def said_span(self, start: int, end: int) -> tuple[int, int]:
        """Where `[start, end)` of `text` stands in `said`."""
        return self.understood.original_span(start, end)


def _changed(text: str, changes: Iterable[HearingRepair]) -> Normalised:
    places, at = list[int](), 0
    for change in changes:
        places += range(at, change.start)
        places += (min(change.start + more, change.end - 1) for more in range(len(change.understood)))
        at = change.end
    places += range(at, at + len(text) - len(places))
    return Normalised(text, tuple(places))


def _sounds(text: str) -> str:
    return " ".join(readings(character)[0] for character in text)
