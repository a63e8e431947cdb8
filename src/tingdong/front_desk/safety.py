"""The check before everything else: emergencies, self-harm, misuse (hospital.md, "Safety").

A turn is judged as a whole, without the requests that stand beside a sign, and in every run of its clauses; also where
no sign parts them (`borders`). The worst label wins, so that no other wish makes a danger less, and what excuses a sign
(a price, a report, a past) holds for its own clause.

What every place of the turn says (`places_net`), without the requests beside, is judged as well: a mean of both
decides, so that neither the words of one stretch nor one place do alone.

A stretch of text is judged by two means. What is denied or stands in a frame (a past, a question in general, a set
phrase; `framing`) counts for nothing. Of the rest a *flag* of the domain may hold (`flags`), and a *score*, a linear
model over the words, the weighed signs and their pairs, and the flag, says how likely each label is; from a label's
threshold on it counts. Without a model the flags decide alone. Recall comes first: thresholds are low.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from tingdong.front_desk.borders import LEAST_SIDE, LIKELY, Borders
from tingdong.front_desk.flags import URGENCY, Live, RedFlags, Spans
from tingdong.front_desk.for_whom import whom_kind
from tingdong.front_desk.framing import Framing
from tingdong.front_desk.judgements import NOTHING, Judgement, chance, leaning, likely, rank
from tingdong.front_desk.kinds import PERSON, signals_of
from tingdong.front_desk.model import Safety, SafetyLabel
from tingdong.front_desk.pieces import clauses, fewer, runs
from tingdong.front_desk.places_net import PlacesNet, features
from tingdong.front_desk.spots import each
from tingdong.front_desk.spotting import CONNECTIVE, Spots, Spotter
from tingdong.learned.statistics import LinearModel, ngrams

_EVEN = 0.5
_LOUDEST = 3.0
"""Log-odds that places say at the most: they are sure of too much."""
_WORDS_WEIGH, _PLACES_WEIGH = 2 / 3, 1 / 3
_LONGEST_EVIDENCE = 40
_LONGEST_BEFORE = 120
"""Characters of the turns before that a turn is judged with."""
_NORMAL = SafetyLabel.NORMAL
_DANGERS = tuple(label for label in URGENCY if label is not _NORMAL)
"""The most urgent first."""
_LONGEST_QUALIFIER = 6
"""Characters of a clause that says no more than how little something is."""


class SafetyStretch(Struct, frozen=True):
    """A part of a turn as a text of its own: its signs that count, the frames within it, and those that reach it from
    `around`.

    `heard` are the signs that would count in a part of it: those that no frame of another clause takes back; `reaching`
    the frames that reach beyond their clause.
    """

    spots: Spots
    live: Live
    framed: frozenset[str]
    around: frozenset[str] = frozenset()
    heard: dict[int, frozenset[tuple[int, int]]] = {}
    reaching: frozenset[str] = frozenset()


class SafetyModels(NamedTuple):
    """What was learned of dangers: of the words of a stretch, and of places."""

    words: LinearModel
    places: PlacesNet


class SafetyCheck:
    """The safety of turns by one domain; `borders` proposes where clauses without a sign fall apart."""

    def __init__(self, spotter: Spotter, borders: Borders, models: SafetyModels | None = None) -> None:
        spec = spotter.domain.safety
        self._spotter = spotter
        self._borders = borders
        self._spec = spec
        self._model = models.words if models else None
        self._net = models.places if models else None
        self._framing = Framing(spotter)
        self._flags = RedFlags(spotter)
        self._places = spotter.bits(spec.places)
        self._fine = spotter.bits(spec.fine)
        self._telling = self._flags.signs & ~spotter.bits(spec.vague)
        self._mild = spotter.bits(spec.excuses.get("mild", ()))
        self._people = spotter.bits((PERSON, *signals_of(whom_kind(spotter.domain))))
        self._connective = spotter.bit(CONNECTIVE)
        cutting = spotter.domain.cutting
        self._alone = spotter.bits(cutting.alone)
        self._objects = 0
        for agent, names in cutting.own.items():
            if agent not in spec.told_to:
                self._objects |= spotter.bits(names)

    def worst(self, wordings: Iterable[Spots], *, under_way: bool = False) -> Safety:
        """The most urgent of what the wordings of one turn are judged as: what was put right takes no danger back.
        With tasks `under_way` signs that say nothing by themselves are talk about those (他说不去了，换他弟弟去)."""
        judged = [
            Safety() if under_way and self._is_talk(spots, safety.label) else safety
            for spots in wordings
            if (safety := self.check(spots))
        ]
        return min(judged, key=lambda safety: URGENCY[safety.label])

    def _is_talk(self, spots: Spots, label: SafetyLabel) -> bool:
        """Whether nothing in a text that counts as a danger is a sign of one by itself; of misuse, where it names
        somebody (先告诉我王五看什么病)."""
        if label is _NORMAL or (label is SafetyLabel.INJECTION and not spots.mask(0, len(spots.text)) & self._people):
            return False
        live = self.whole(spots).live
        return not any(bit & self._telling for bit in live) and self._flags.flagged(spots, live)[0] is _NORMAL

    def after(self, before: Sequence[str], spots: Spots) -> Safety:
        """The safety of a turn that is no danger by itself, as it goes on from the turns right before: what ails
        somebody is told over several. Only where each tells of a sign, in a clause that asks for nothing else."""
        safety = Safety()
        if not self._tells(spots, 0, len(spots.text)):
            return safety
        for first in reversed(range(len(before))):
            told = "，".join(before[first:])[-_LONGEST_BEFORE:]
            together = self._spotter.spot(f"{told}，{spots.original}")
            if self._tells(together, 0, len(told)):
                safety = self.worst([together], under_way=True)
            if safety.label is not _NORMAL:
                break
        return safety

    def _tells(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a clause within a stretch tells of a sign that counts, more than where it is or whose, and is no
        request."""
        others = self._objects | self._alone
        kept = [(a, b) for a, b in clauses(spots.text) if start <= a and b <= end and not spots.mask(a, b) & others]
        if not any(spots.mask(*span) & self._telling & ~self._places for span in kept):
            return False
        live = self.whole(spots).live
        told = [span for bit, spans in live.items() if bit & self._telling & ~self._places for span in spans]
        return any(a <= first and last <= b for a, b in kept for first, last in told)

    def check(self, spots: Spots, *, parted: bool = True) -> Safety:
        """Label, action and evidence of a text; as a whole alone where it is not `parted`."""
        judgements: list[Judgement] = []
        told = spots
        if any(bit & self._flags.signs for bit in spots.found):
            sure, spans = self._flags.flagged(spots, self.whole(spots).live, sure=True)
            if spans:
                return Safety(sure, self._spec.actions[sure], tuple(spots.text[slice(*span)] for span in spans))
            judgements, told = self._judgements(spots, parted=parted)
        worst = min(likely(judgements), key=rank, default=NOTHING)
        if self._net is None:
            label, words = worst.label, worst.words
        else:
            riskiest = max(judgements, key=lambda one: one.risk, default=NOTHING)
            label, words = self._together(told, worst, riskiest, self._net)
        return Safety(label, self._spec.actions[label], words if label is not _NORMAL else ())

    def _together(
        self, told: Spots, worst: Judgement, riskiest: Judgement, net: PlacesNet
    ) -> tuple[SafetyLabel, tuple[str, ...]]:
        """The label of a text by both scores: that of its words where they count by themselves, else of its places."""
        thresholds = self._spec.thresholds
        words = _WORDS_WEIGH * leaning(riskiest.risk)
        if chance(words + _PLACES_WEIGH * _LOUDEST) < min(thresholds.values(), default=_EVEN):
            return _NORMAL, ()  # whatever the places say: most turns end here
        places = features(self._spotter, told)
        said = net.leanings(places)
        heard = min(max(math.log(sum(map(math.exp, said.values()))), -_LOUDEST), _LOUDEST)
        label = worst.label if worst.counts else max(_DANGERS, key=lambda label: said[label])
        if chance(words + _PLACES_WEIGH * heard) < thresholds.get(label, _EVEN):
            return _NORMAL, ()
        evidence = worst.words if worst.counts else riskiest.words
        return label, evidence or (self._where(told, net.peak(places, label)),)

    @staticmethod
    def _where(spots: Spots, place: int) -> str:
        """The clause that a place stands in, or what of it is near."""
        start, end = next(span for span in [*clauses(spots.text), (0, len(spots.text))] if span[0] <= place < span[1])
        start = max(start, place - _LONGEST_EVIDENCE // 2)
        return spots.text[start : min(end, start + _LONGEST_EVIDENCE)]

    def _judgements(self, spots: Spots, *, parted: bool) -> tuple[list[Judgement], Spots]:
        """What the whole turn is judged as, then without the requests beside, then its parts; the whole alone where it
        is no danger even with nothing taken back. And the turn without the requests beside."""
        whole = self.whole(spots)
        judged = self._judge(whole)
        bare = self._bare(spots) if whole.framed else judged
        if bare.risk < self._spec.quiet_below:
            return [], spots
        judgements, told = [judged], spots
        if not parted:
            return judgements, told
        chances = self._borders.chances(spots)
        spans = self._qualified(spots)
        kept = [part for span in spans for part in self._concerned(spots, span, chances)]
        parts = [part for span in kept for part in self._cut(spots, span, chances, self._spec.parted_from)]
        if sum(end - start for start, end in kept) < sum(end - start for start, end in spans):
            whole, parts = self.together(spots, parts)
            judgements.append(self._judge(whole))
            told = whole.spots if kept else spots
        judgements += [self._judge(self.within(whole, run)) for run in runs(fewer(parts))]
        return judgements, told

    def _qualified(self, spots: Spots) -> Spans:
        """The clauses of a text; one that only says how little it is goes with the one before (划了个口子，不深)."""
        spans: Spans = []
        for start, end in clauses(spots.text):
            little = end - start <= _LONGEST_QUALIFIER and spots.mask(start, end) & self._mild
            if little and spans and not spots.mask(start, end) & self._telling:
                spans[-1] = spans[-1][0], end
            else:
                spans.append((start, end))
        return spans

    def _bare(self, spots: Spots) -> Judgement:
        """The judgement of a text when no excuse is applied."""
        return self._judge(SafetyStretch(spots, self._flags.live(spots, []), frozenset()))

    def _concerned(self, spots: Spots, clause: tuple[int, int], chances: dict[int, float]) -> Spans:
        """A clause, or what is left of it, without requests that stand beside what it says."""
        kept: Spans = []
        beside = False
        for part in reversed(self._cut(spots, clause, chances, LIKELY)):
            opens = beside and not spots.mask(*part) & self._flags.signs & ~self._places  # 听说 before 停车很贵
            beside = opens or self._beside(spots, part)
            if not beside:
                kept.append(part)
        return kept[::-1]

    def _beside(self, spots: Spots, part: tuple[int, int]) -> bool:
        """Whether a part speaks of something else: it names an object of an agent, or is a request in no frame, and no
        danger is in it, taken back or not."""
        mask = spots.mask(*part)
        if not mask & (self._objects | self._alone):
            return False
        words = spots.stretch([part])
        if not mask & self._objects and self._framing.find(words):
            return False
        return self._bare(words).risk < self._spec.calm_below

    def parts(self, spots: Spots) -> Spans:
        """Clauses, cut further before a connective and where a request may begin or end without a sign."""
        chances = self._borders.chances(spots)
        return [
            part for span in clauses(spots.text) for part in self._cut(spots, span, chances, self._spec.parted_from)
        ]

    def _cut(self, spots: Spots, clause: tuple[int, int], chances: dict[int, float], least: float) -> Spans:
        start, end = clause
        links = {first for first, _ in spots.found.get(self._connective, ()) if start < first < end}
        likely = {at for at in range(start + 1, end) if chances.get(at, 0.0) >= least}
        borders = [start]
        for at in sorted(links | likely):
            if at - borders[-1] >= LEAST_SIDE and end - at >= LEAST_SIDE:
                borders.append(at)
        return list(zip(borders, [*borders[1:], end], strict=True))

    def whole(self, spots: Spots) -> SafetyStretch:
        """A text as one stretch."""
        framed = self._framing.find(spots)
        heard = live = self._flags.live(spots, framed)
        if any(not frame.far for frame in framed):
            heard = self._flags.live(spots, [frame for frame in framed if frame.far])
        names = frozenset(frame.name for frame in framed)
        reaching = frozenset(frame.name for frame in framed if frame.far)
        said = {bit: frozenset(spans) for bit, spans in heard.items()}
        return SafetyStretch(spots, live, names, heard=said, reaching=reaching)

    def together(self, spots: Spots, parts: Spans) -> tuple[SafetyStretch, Spans]:
        """Some parts of a text as one stretch, and where they stand in it."""
        joined: Spans = []
        moved: Spans = []
        at = 0
        for start, end in parts:
            if joined and joined[-1][1] == start:
                joined[-1] = joined[-1][0], end
            else:
                at += bool(joined)
                joined.append((start, end))
            moved.append((at, at + end - start))
            at += end - start
        return self.whole(spots.stretch(joined)), moved

    def within(self, whole: SafetyStretch, span: tuple[int, int]) -> SafetyStretch:
        """A part of a stretch; what a frame of another clause takes back there stays so."""
        start, end = span
        inside: Live = {}
        for first, last, bits in whole.spots.rows(start, end):
            for bit in each(bits):
                if (first, last) in whole.heard.get(bit, ()):
                    inside.setdefault(bit, []).append((first - start, last - start))
        live: Live = {}
        if not inside:
            return SafetyStretch(whole.spots, live, frozenset())
        spots = whole.spots.stretch([span])
        framed = self._framing.find(spots)
        for bit in spots.found:
            said = [place for place in inside.get(bit, ()) if not any(frame.covers(bit, *place) for frame in framed)]
            if said:
                live[bit] = said
        names = frozenset(frame.name for frame in framed)
        return SafetyStretch(spots, live, names, whole.reaching - names)

    def _judge(self, stretch: SafetyStretch) -> Judgement:
        """The likeliest label; it counts from its threshold on."""
        if not stretch.live:
            return Judgement(_NORMAL, 0.0, ())
        flagged, spans = self._flags.flagged(stretch.spots, stretch.live)
        spans = spans or [span for bit, found in stretch.live.items() if bit & self._flags.watched for span in found]
        words = tuple(dict.fromkeys(stretch.spots.text[start:end] for start, end in spans))
        if self._model is None:
            danger = flagged is not _NORMAL
            return Judgement(flagged, float(danger), words, danger)
        chances = self._model.probabilities(self.features(stretch, flagged))
        risk = 1 - chances[_NORMAL]
        likeliest = max(_DANGERS, key=lambda one: chances[one])
        return Judgement(likeliest, risk, words, risk >= self._spec.thresholds.get(likeliest, _EVEN))

    def features(self, stretch: SafetyStretch, flagged: SafetyLabel | None = None) -> set[str]:
        """What the score sees of a stretch; `flagged` is what its flags give, where that is known."""
        spots, live = stretch.spots, stretch.live
        flagged = flagged or self._flags.flagged(spots, live)[0]
        features = ngrams(self._told(spots, live))
        taken_back = self._flags.signs & ~sum(live)
        features.update(f"@{name}" for name in self._spotter.signals(spots.mask(0, len(spots.text)) & ~taken_back))
        features.update(f"~{name}" for name in stretch.framed)
        features.update(f"<~{name}" for name in stretch.around)
        features.update(f"!{self._spotter.name(bit)}" for bit in live)
        features.add(f"#{flagged.value}")
        return features

    def _told(self, spots: Spots, live: Live) -> str:
        """The text without the clauses that only deny or say that all is well."""
        parts = []
        alive = {(bit, span) for bit, spans in live.items() for span in spans}
        for start, end in clauses(spots.text):
            harmful = fine = denied = False
            for first, last, bits in spots.rows(start, end):
                fine = fine or bool(bits & self._fine)
                for bit in each(bits & self._flags.signs):
                    lives = (bit, (first, last)) in alive
                    harmful = harmful or (lives and not bit & self._places)
                    denied = denied or not lives
            if harmful or not (fine or denied):
                parts.append(spots.text[start:end])
        return "，".join(parts)
