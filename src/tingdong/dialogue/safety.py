"""The check before everything else: emergencies, self-harm, misuse (hospital.md, "Safety").

First, what is denied or stands in a frame (a past, a question in general, a set phrase; `framing`) counts for nothing.
Of the rest two means decide together. A *flag* of the domain holds when its signals stand in the text and nothing
excuses it (a report's words, a place). A *score*, a linear model
over the words, the weighed signals and their pairs, and the flags, then says how likely each label is; from a label's
threshold on it counts. Without a model the flags decide alone. Recall comes first: thresholds are low.
"""

from __future__ import annotations

from itertools import combinations, pairwise

from msgspec import Struct

from tingdong.dialogue.domain import SafetyFlag
from tingdong.dialogue.framing import Framed, Framing
from tingdong.dialogue.lexicon import phrases
from tingdong.dialogue.model import Safety, SafetyAction, SafetyLabel
from tingdong.dialogue.pieces import clauses, longest_at
from tingdong.dialogue.spotting import CONNECTIVE, Spots, Spotter
from tingdong.dialogue.statistics import LinearModel, ngrams

_URGENCY = {SafetyLabel.EMERGENCY: 0, SafetyLabel.SELF_HARM: 1, SafetyLabel.INJECTION: 2, SafetyLabel.NORMAL: 3}
_FILLERS = "有是过见再的"
_EVEN = 0.5

Spans = list[tuple[int, int]]


class _Flag(Struct, frozen=True):
    label: SafetyLabel
    all: tuple[int, ...]
    any: int
    excuses: int


class SafetyCheck:
    """The red flags of a domain, compiled."""

    def __init__(self, spotter: Spotter, model: LinearModel | None = None) -> None:
        spec = spotter.domain.safety
        self._spotter = spotter
        self._spec = spec
        self._model = model
        self._denials = tuple(phrases(spotter.domain.markers.denials))
        self._framing = Framing(spotter)
        self._flags = [self._compile(flag) for flag in spec.flags]
        self._watched = 0
        for flag in self._flags:
            self._watched |= flag.any
            for bit in flag.all:
                self._watched |= bit
        weighed = [name for name in spotter.domain.signals if spec.weighed and name.startswith(spec.weighed)]
        self._weighed = {spotter.bit(name): name for name in weighed}
        self._places = spotter.bits(spec.places)
        self._fine = spotter.bits(spec.fine)
        self._signs = sum(self._weighed) & ~self._places
        self._grave = 0
        for flag in self._flags:
            if self._spec.actions[flag.label] is SafetyAction.ESCALATE and not flag.all:
                self._grave |= flag.any
        self._connective = spotter.bit(CONNECTIVE)
        self._asks = spotter.bits(spotter.domain.cutting.asks) | spotter.bit("question")
        self._excusing = self._fine | spotter.bits(spec.softening)
        for frame in spec.frames.values():
            self._excusing |= spotter.bits(frame.signals)
        self._gate = self._watched
        for bit in self._weighed:
            self._gate |= bit

    def _compile(self, flag: SafetyFlag) -> _Flag:
        bits = self._spotter.bits
        excuses = 0
        for name in flag.excused:
            excuses |= bits(self._spec.excuses[name])
        return _Flag(flag.label, tuple(bits((name,)) for name in flag.all), bits(flag.any), excuses)

    def check(self, spots: Spots) -> Safety:
        """Label, action and evidence of a text."""
        framed = self._framing.find(spots)
        live = self._live(spots, framed)
        if not live:
            return Safety(SafetyLabel.NORMAL, self._spec.actions[SafetyLabel.NORMAL])
        label, spans = self._flagged(spots, live)
        if self._model is not None:
            label = self._weigh(self._features(spots, live, label, framed), live, label)
            if label is SafetyLabel.NORMAL:
                label = self._alone(spots, live)
        spans = spans or [span for bit, found in live.items() if bit & self._watched for span in found]
        evidence = () if label is SafetyLabel.NORMAL else tuple(dict.fromkeys(spots.text[a:b] for a, b in spans))
        return Safety(label, self._spec.actions[label], evidence)

    def _alone(self, spots: Spots, live: dict[int, Spans]) -> SafetyLabel:
        """The label of a part with signs, without what is asked for beside it: words of another request take
        nothing back, but make a text longer."""
        spans = clauses(spots.text)
        linked = [start for start, _ in spans[1:] if longest_at(spots, self._connective, start, len(spots.text))]
        if linked:
            borders = [0, *linked, len(spots.text)]
            parts = [span for span in pairwise(borders) if self._harmful(live, *span, watched=True)]
            labels = [self._part(spots.text[start:end], 0.0) for start, end in parts]
            return min(labels, key=_URGENCY.__getitem__, default=SafetyLabel.NORMAL)
        harmful = [span for span in spans if self._harmful(live, *span)]
        beside = [spots.mask(*span) for span in spans if span not in harmful]
        if len(harmful) in (0, len(spans)) or not all(
            mask & self._asks and not mask & self._excusing for mask in beside
        ):
            return SafetyLabel.NORMAL
        return self._part("，".join(spots.text[start:end] for start, end in harmful), self._spec.alone_from)

    def _part(self, text: str, least: float) -> SafetyLabel:
        spots = self._spotter.spot(text)
        framed = self._framing.find(spots)
        live = self._live(spots, framed)
        if not live:
            return SafetyLabel.NORMAL
        flagged = self._flagged(spots, live)[0]
        return self._weigh(self._features(spots, live, flagged, framed), live, flagged, least=least)

    def _harmful(self, live: dict[int, Spans], start: int, end: int, *, watched: bool = False) -> bool:
        """Whether a sign stands within a stretch; with `watched` also what only a flag looks at."""
        signs = self._signs | self._grave if watched else self._signs
        return any(start <= span[0] and span[1] <= end for bit, spans in live.items() if bit & signs for span in spans)

    def features(self, spots: Spots) -> set[str]:
        """What the score sees of a text."""
        framed = self._framing.find(spots)
        live = self._live(spots, framed)
        return self._features(spots, live, self._flagged(spots, live)[0], framed)

    def _weigh(
        self, features: set[str], live: dict[int, Spans], flagged: SafetyLabel, *, least: float = 0.0
    ) -> SafetyLabel:
        """The likeliest label that reaches its threshold; a flag of danger to life needs less, too few
        signs an even chance."""
        assert self._model is not None
        chances = self._model.probabilities(features)
        likeliest = max((label for label in _URGENCY if label is not SafetyLabel.NORMAL), key=lambda one: chances[one])
        risk = 1 - chances[SafetyLabel.NORMAL]
        if self._spec.actions[flagged] is SafetyAction.ESCALATE and risk >= max(least, self._spec.flagged_from):
            return likeliest
        signs = sum(1 for bit in live if bit in self._weighed and not bit & self._places)
        threshold = self._spec.thresholds.get(likeliest, _EVEN)
        if signs < self._spec.signs.get(likeliest, 0):
            threshold = _EVEN
        return likeliest if risk >= max(least, threshold) else SafetyLabel.NORMAL

    def _features(self, spots: Spots, live: dict[int, Spans], flagged: SafetyLabel, framed: list[Framed]) -> set[str]:
        features = ngrams(self._told(spots, live))
        taken_back = self._gate & ~sum(live)
        features.update(f"@{name}" for name in self._spotter.signals(spots.mask(0, len(spots.text)) & ~taken_back))
        features.update(f"~{frame.name}" for frame in framed)
        names = [self._weighed[bit] for bit in live if bit in self._weighed]
        features.update(f"!{self._spotter.name(bit)}" for bit in live)
        features.update(f"{one}&{other}" for one, other in combinations(sorted(names), 2))
        features.add(f"#{flagged.value}")
        return features

    def _told(self, spots: Spots, live: dict[int, Spans]) -> str:
        """The text without the clauses that only deny or say that all is well."""
        parts = []
        for start, end in clauses(spots.text):
            harmful = fine = denied = False
            for bit, spans in spots.found.items():
                if bit & (self._gate | self._fine):
                    for span in spans:
                        if start <= span[0] and span[1] <= end:
                            alive = bit & self._gate and span in live.get(bit, ())
                            harmful = harmful or bool(alive and not bit & self._places)
                            fine = fine or bool(bit & self._fine)
                            denied = denied or bool(bit & self._gate and not alive)
            if harmful or not (fine or denied):
                parts.append(spots.text[start:end])
        return "，".join(parts)

    def _live(self, spots: Spots, framed: list[Framed]) -> dict[int, Spans]:
        """Watched and weighed signals that are neither denied nor taken back by a frame."""
        live: dict[int, Spans] = {}
        for bit, spans in spots.found.items():
            if bit & self._gate:
                said = [
                    span
                    for span in spans
                    if not self._denied(spots, span) and not any(frame.covers(bit, *span) for frame in framed)
                ]
                if said:
                    live[bit] = said
        return live

    def _denied(self, spots: Spots, span: tuple[int, int]) -> bool:
        """Whether a denial stands before a signal, or is what it begins with (没有呼吸 in 没有呼吸困难)."""
        start, end = span
        if spots.text[max(0, start - 6) : start].rstrip(_FILLERS).endswith(self._denials):
            return True
        within = {start + len(word) for word in self._denials if spots.text.startswith(word, start)}
        return bool(within) and any(
            other_start in within and other_end > end
            for bit, spans in spots.found.items()
            if bit & self._watched
            for other_start, other_end in spans
        )

    def _flagged(self, spots: Spots, live: dict[int, Spans]) -> tuple[SafetyLabel, Spans]:
        """The most urgent label a flag gives, with the words it stands on."""
        best: tuple[SafetyLabel, Spans] = (SafetyLabel.NORMAL, [])
        for flag in self._flags:
            if _URGENCY[flag.label] < _URGENCY[best[0]]:
                spans = self._holds(flag, live)
                if spans and not self._excused(flag, spots, spans):
                    best = flag.label, spans
        return best

    def _holds(self, flag: _Flag, live: dict[int, Spans]) -> Spans:
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
