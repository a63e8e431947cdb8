"""Reading a turn: safety, segments with their agents, slots and cues (hospital.md, "Per turn").

`Reader.read` is what rules and the local classifier make of a text; an LLM may make a `Reading` of its own behind the
same call. Nothing here changes a context, and nothing here calls anything outside.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from tingdong.dialogue import statistics
from tingdong.dialogue.classify import Classifier
from tingdong.dialogue.directory import Directory
from tingdong.dialogue.domain import Domain
from tingdong.dialogue.model import UNKNOWN_AGENT, Layer, Reading, SafetyLabel, Segment
from tingdong.dialogue.safety import SafetyCheck
from tingdong.dialogue.segment import Piece, Segmenter
from tingdong.dialogue.spotting import Spots, Spotter

CLASS_MODEL = Path(__file__).parent / "data" / "hospital_classes.bin"
"""Weights of the local classifier for the domain that ships with the package."""


class Reader:
    """Reads turns by one domain and one directory; compiled once, used for every turn."""

    def __init__(self, domain: Domain, directory: Directory, *, model: statistics.LinearModel | None = None) -> None:
        self.domain = domain
        self.directory = directory
        self._spotter = Spotter(domain, directory)
        self._safety = SafetyCheck(self._spotter)
        self._classifier = Classifier(self._spotter, model)
        self._segmenter = Segmenter(self._spotter, self._classifier)

    def read(self, text: str) -> Reading:
        """What a turn says."""
        spots = self._spotter.spot(text)
        safety = self._safety.check(spots)
        if safety.label is not SafetyLabel.NORMAL:
            return Reading(text, safety)
        segments = tuple(self._segment(text, spots, piece) for piece in self._segmenter.cut(spots))
        layer = Layer.MODEL if any(segment.layer is Layer.MODEL for segment in segments) else Layer.RULE
        return Reading(text, safety, segments, layer=layer)

    def _segment(self, text: str, spots: Spots, piece: Piece) -> Segment:
        start, end = self._segmenter.trim(spots, piece.start, piece.end)
        start, end = spots.normalised.original_span(start, end)
        decision = piece.decision
        return Segment(
            text=text[start:end],
            start=start,
            end=end,
            agent_code=decision.agent_code,
            confidence=decision.score,
            signals=self._spotter.signals(piece.mask),
            candidates=decision.candidates,
            layer=decision.layer,
            connective=piece.connective,
            asks=piece.asks,
        )
