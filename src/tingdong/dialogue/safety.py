"""The check before everything else: emergencies, self-harm, misuse (hospital.md, "Safety").

A flag of the domain holds when its signals stand in the text, said of now and not denied. Recall comes first: what
takes a flag back must be said as well (a past, a denial, a question in general, a set phrase, a report's words).
"""

from __future__ import annotations

from msgspec import Struct

from tingdong.dialogue.domain import SafetyFlag
from tingdong.dialogue.lexicon import PUNCTUATION, phrases
from tingdong.dialogue.model import Safety, SafetyLabel
from tingdong.dialogue.spotting import Spots, Spotter

_URGENCY = {SafetyLabel.EMERGENCY: 0, SafetyLabel.SELF_HARM: 1, SafetyLabel.INJECTION: 2, SafetyLabel.NORMAL: 3}
_FILLERS = "有是过见再的"


class _Flag(Struct, frozen=True):
    label: SafetyLabel
    all: tuple[int, ...]
    any: int
    none: int
    reach: str
    excuses: int


class SafetyCheck:
    """The red flags of a domain, compiled."""

    def __init__(self, spotter: Spotter) -> None:
        domain = spotter.domain
        self._spotter = spotter
        self._spec = domain.safety
        self._denials = tuple(phrases(domain.markers.denials))
        self._flags = [self._compile(flag) for flag in domain.safety.flags]
        watched = 0
        for flag in self._flags:
            watched |= flag.any
            for bit in flag.all:
                watched |= bit
        self._watched = watched
        self._now = spotter.bit("right_now")

    def _compile(self, flag: SafetyFlag) -> _Flag:
        bits = self._spotter.bits
        excuses = 0
        for name in flag.excused:
            excuses |= bits(self._spec.excuses[name])
        return _Flag(
            flag.label, tuple(bits((name,)) for name in flag.all), bits(flag.any), bits(flag.none), flag.reach, excuses
        )

    def check(self, spots: Spots) -> Safety:
        """Label, action and evidence of a text."""
        live = self._live(spots)
        best: tuple[SafetyLabel, tuple[str, ...]] = (SafetyLabel.NORMAL, ())
        if live:
            for flag in self._flags:
                if _URGENCY[flag.label] >= _URGENCY[best[0]]:
                    continue
                spans = self._holds(flag, live)
                if spans and not self._excused(flag, spots, spans):
                    best = flag.label, tuple(spots.text[start:end] for start, end in spans)
        return Safety(best[0], self._spec.actions[best[0]], best[1])

    def _live(self, spots: Spots) -> dict[int, list[tuple[int, int]]]:
        """Watched signals that are not denied."""
        live: dict[int, list[tuple[int, int]]] = {}
        for bit, spans in spots.found.items():
            if bit & self._watched:
                said = [span for span in spans if not self._denied(spots.text, span)]
                if said:
                    live[bit] = said
        return live

    def _denied(self, text: str, span: tuple[int, int]) -> bool:
        before = text[max(0, span[0] - 6) : span[0]].rstrip(_FILLERS)
        if before.endswith(self._denials):
            return True
        after = text[span[1] : span[1] + 4]
        return after[:1] in {"？", "?"} and after[1:].startswith(self._denials)

    def _holds(self, flag: _Flag, live: dict[int, list[tuple[int, int]]]) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
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

    def _excused(self, flag: _Flag, spots: Spots, spans: list[tuple[int, int]]) -> bool:
        rest = flag.excuses
        for bit, excuses in spots.found.items():
            if bit & rest:
                for start, end in excuses:
                    if not any(start < other_end and other_start < end for other_start, other_end in spans):
                        return True
        return False


def clause_start(text: str, at: int) -> int:
    """Where the clause that holds `at` begins."""
    while at > 0 and text[at - 1] not in PUNCTUATION:
        at -= 1
    return at
