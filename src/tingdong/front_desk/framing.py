"""Clauses that are not about the present (hospital.md, "Safety": past, denied, told).

去年中过风, 要是胸痛, 听说有人晕倒, 气得我要吐血, 中风有哪些前兆: a frame cancels its clause, the text up to it, or the
whole turn, unless a word says that it is happening now. Frames are data of the domain.
"""

from __future__ import annotations

from msgspec import Struct

from tingdong.front_desk.domain import Frame, FrameReach
from tingdong.front_desk.pieces import clauses, longest_at
from tingdong.front_desk.spotting import Spots, Spotter


class Framed(Struct, frozen=True):
    """A stretch of text that a frame takes back, except for signals in `spares`; `far` when it reaches beyond its
    own clause."""

    name: str
    start: int
    end: int
    spares: int
    far: bool = False

    def covers(self, bit: int, start: int, end: int) -> bool:
        """Whether a signal at a place is taken back."""
        return self.start <= start and end <= self.end and not bit & self.spares


class _CompiledFrame(Struct, frozen=True):
    name: str
    signals: int
    unless: int
    spares: int
    opening: bool
    reach: FrameReach


class Framing:
    """The frames of a domain, compiled."""

    def __init__(self, spotter: Spotter) -> None:
        self._frames = [self._compile(spotter, name, frame) for name, frame in spotter.domain.safety.frames.items()]
        self._watched = 0
        for frame in self._frames:
            self._watched |= frame.signals

    @staticmethod
    def _compile(spotter: Spotter, name: str, frame: Frame) -> _CompiledFrame:
        others = frozenset(spotter.domain.signals).difference(frame.takes) if frame.takes else frozenset()
        spared = tuple(one for one in spotter.domain.signals if one in others or one.startswith(frame.spares))
        bits = spotter.bits
        return _CompiledFrame(name, bits(frame.signals), bits(frame.unless), bits(spared), frame.opening, frame.reach)

    def find(self, spots: Spots) -> list[Framed]:
        """The spans of a text that do not hold now (past, denied, supposed); usually none."""
        spans = clauses(spots.text)
        found: list[Framed] = []
        if not any(bit & self._watched for bit in spots.found):
            return found
        for start, end in spans:
            mask = spots.mask(start, end)
            for frame in self._frames:
                if mask & frame.signals and (not frame.opening or longest_at(spots, frame.signals, start, end)):
                    first = start if frame.reach is FrameReach.CLAUSE else 0
                    last = len(spots.text) if frame.reach is FrameReach.TURN else end
                    if not spots.mask(first, last) & frame.unless:
                        far = frame.reach is not FrameReach.CLAUSE
                        found.append(Framed(frame.name, first, last, frame.spares, far))
        return found
