"""The red flags of a domain (hospital.md, "Safety"): signs of danger and their exceptions.

A sign is *live* if it is neither denied nor cancelled by a frame (past, general question; `framing`). A flag holds if
its signs are live and no excuse (a report's words, a place) stands in the same stretch.
"""

from __future__ import annotations

from msgspec import Struct

from tingdong.front_desk.domain import SafetyFlag
from tingdong.front_desk.framing import Framed
from tingdong.front_desk.lexicon import phrases
from tingdong.front_desk.model import SafetyLabel
from tingdong.front_desk.spotting import Spots, Spotter

URGENCY = {SafetyLabel.EMERGENCY: 0, SafetyLabel.SELF_HARM: 1, SafetyLabel.INJECTION: 2, SafetyLabel.NORMAL: 3}
"""Labels, the most urgent first: of several the worst wins."""

_FILLERS = "有是过见再的 "

Spans = list[tuple[int, int]]
Live = dict[int, Spans]
"""Signs that count, by their bit, with their places."""


class _Flag(Struct, frozen=True):
    label: SafetyLabel
    all: tuple[int, ...]
    any: int
    excuses: int
    sure: bool


class RedFlags:
    """The red flags of a domain, compiled.

    `watched` are the signs that flags look at, `weighed` those of the score, `signs` all of them.
    """

    def __init__(self, spotter: Spotter) -> None:
        self._spotter = spotter
        self._spec = spotter.domain.safety
        self._denials = tuple(phrases(spotter.domain.markers.denials))
        self._flags = [self._compile(flag) for flag in self._spec.flags]
        self.watched: int = 0
        for flag in self._flags:
            self.watched |= flag.any
            for bit in flag.all:
                self.watched |= bit
        prefix = self._spec.weighed
        self.weighed: int = spotter.bits(
            tuple(name for name in spotter.domain.signals if prefix and name.startswith(prefix))
        )
        self.signs: int = self.watched | self.weighed

    def _compile(self, flag: SafetyFlag) -> _Flag:
        bits = self._spotter.bits
        excuses = 0
        for name in flag.excused:
            excuses |= bits(self._spec.excuses[name])
        return _Flag(flag.label, tuple(bits((name,)) for name in flag.all), bits(flag.any), excuses, flag.sure)

    def live(self, spots: Spots, framed: list[Framed]) -> Live:
        """Watched and weighed signs that are neither denied nor taken back by a frame."""
        live: Live = {}
        for bit, spans in spots.found.items():
            if bit & self.signs:
                taking = [(frame.start, frame.end) for frame in framed if not bit & frame.spares]
                said = [
                    (start, end)
                    for start, end in spans
                    if not any([first <= start and end <= last for first, last in taking])  # noqa: C419 - few
                    and not self._denied(spots, (start, end))
                ]
                if said:
                    live[bit] = said
        return live

    def flagged(self, spots: Spots, live: Live, *, sure: bool = False) -> tuple[SafetyLabel, Spans]:
        """The most urgent label that a flag gives, with the words it stands on; of those alone that are `sure`."""
        best: tuple[SafetyLabel, Spans] = (SafetyLabel.NORMAL, [])
        for flag in self._flags:
            if sure <= flag.sure and URGENCY[flag.label] < URGENCY[best[0]]:
                spans = self._holds(flag, live)
                if spans and not self._excused(flag, spots, spans):
                    best = flag.label, spans
        return best

    def _denied(self, spots: Spots, span: tuple[int, int]) -> bool:
        """Whether a denial stands before a signal, or is what it begins with (没有呼吸 in 没有呼吸困难)."""
        start, end = span
        if spots.text[max(0, start - 6) : start].rstrip(_FILLERS).endswith(self._denials):
            return True
        if not spots.text.startswith(self._denials, start):
            return False
        within = {start + len(word) for word in self._denials if spots.text.startswith(word, start)}
        return bool(within) and any(
            other_start in within and other_end > end
            for bit, spans in spots.found.items()
            if bit & self.watched
            for other_start, other_end in spans
        )

    def _holds(self, flag: _Flag, live: Live) -> Spans:
        spans: Spans = []
        for bit in flag.all:
            if bit not in live:
                return []
            spans.append(live[bit][-1])
        if flag.any:
            found = [live[bit][-1] for bit in live if bit & flag.any]
            if not found:
                return []
            spans.append(max(found))
        return spans

    def _excused(self, flag: _Flag, spots: Spots, spans: Spans) -> bool:
        for bit, excuses in spots.found.items():
            if bit & flag.excuses:
                for start, end in excuses:
                    if not any(start < other_end and other_start < end for other_start, other_end in spans):
                        return True
        return False
