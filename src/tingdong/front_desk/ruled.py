"""The rules' reading of a turn: cues, refusals, and the agent of each piece (hospital.md, Segments, Class).

It is one feature of the learned reading (`judged`), and the only reading of a domain without a model.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

import msgspec

from tingdong.front_desk.board import OPEN
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.classify import ClassDecision, Classifier
from tingdong.front_desk.cues import CueFinder, kinds_of
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import DAY_TIMES, NAMED, TIMES, WHOM
from tingdong.front_desk.lexicon import phrases
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    AgentCandidate,
    Cue,
    CueKind,
    FrameRole,
    IntentContext,
    Layer,
    Segment,
    SlotMention,
    Status,
)
from tingdong.front_desk.pieces import Piece, clause_at, clauses, clauses_in
from tingdong.front_desk.refusal import Refusals, RefusedStretch
from tingdong.front_desk.segment import Segmenter
from tingdong.front_desk.slots import SlotFinder, fill
from tingdong.front_desk.spotting import Spots, Spotter

_CLOSING = frozenset({CueKind.CANCEL, CueKind.CANCEL_ALL, CueKind.COMPLETE, CueKind.ALL_DONE})
_ALL_OR_NONE = frozenset({CueKind.BOTH, CueKind.EITHER, CueKind.NEITHER})
"""Cues that answer nothing but a clarify."""

_ORDER = frozenset({CueKind.FIRST})
"""Cues that say something where nothing is open."""

_ANSWERS = frozenset({CueKind.CONFIRM, CueKind.DENY, CueKind.FORMER, CueKind.LATTER})
_APART = _CLOSING | _ALL_OR_NONE | _ANSWERS | {CueKind.PUT_OFF, CueKind.OVERVIEW}
"""Cues whose clause is no task, or no part of one."""

_TURNS_AWAY = (CueKind.CANCEL_ALL, CueKind.PUT_OFF, CueKind.CANCEL)
_POSITIONS = (CueKind.FORMER, CueKind.LATTER)
"""Cues that words which refuse something may be."""

_OWN_WORDS = 0.9
"""Score from which a piece is a task of its own even when it names nothing but what may fill a slot."""


class Ruled(NamedTuple):
    """What the rules read: cues in the order said, the pieces that are tasks, and what a focus misses (None where no
    task is open)."""

    cues: list[Cue]
    pieces: list[Piece]
    wanted: frozenset[str] | None

    def piece_at(self, start: int, end: int) -> int:
        """The number of the piece that holds half of a stretch, -1 where none does."""
        shares = (2 * (min(piece.end, end) - max(piece.start, start)) for piece in self.pieces)
        return next((number for number, share in enumerate(shares) if share >= end - start), -1)


class RuleReader:
    """The rules of a domain, compiled."""

    def __init__(self, spotter: Spotter, classifier: Classifier, borders: Borders) -> None:
        self.domain: Domain = spotter.domain
        self._spotter = spotter
        self.segmenter: Segmenter = Segmenter(spotter, classifier, borders)
        self.cues: CueFinder = CueFinder(spotter)
        self.slots: SlotFinder = SlotFinder(spotter)
        self._refusals = Refusals(spotter)
        words = sorted(phrases(self.domain.markers.around_answer), key=len, reverse=True)
        self._around_answer = re.compile(f"(?:{'|'.join(map(re.escape, words))})*" if words else "")
        self._arranged = spotter.bits(self.domain.cutting.arranged)
        self._asks = spotter.bits(self.domain.cutting.asks)
        self._parts = {
            code: [(name, spotter.bit(spec.part)) for name, spec in agent.slots.items() if spec.part]
            for code, agent in self.domain.agents.items()
        }

    def read(self, spots: Spots, context: IntentContext, now: dt.datetime) -> Ruled:
        """What a spotted turn says, given what is open in the dialogue; `now` is what dates are counted from."""
        under_way = any(frame.status in OPEN for frame in context.frames)
        cues, spans = self._turned(spots, list(clauses(spots.text)), context, now)
        pieces = self.segmenter.cut(spots, spans, answers=under_way)
        return Ruled(cues, pieces, self._wanted(context) if under_way else None)

    def places_of(self, person: str) -> tuple[str, ...]:
        """Where somebody works, by the directory."""
        return self._spotter.directory.places_of(person)

    def told(self, mask: int) -> tuple[str, ...]:
        """Signals as evidence names them (hospital.md, Frames)."""
        names = self.domain.evidence
        return tuple(dict.fromkeys(names[name] for name in self._spotter.signals(mask) if name in names))

    def _turned(
        self, spots: Spots, spans: list[tuple[int, int]], context: IntentContext, now: dt.datetime
    ) -> tuple[list[Cue], list[tuple[int, int]]]:
        """What acts on the dialogue or refuses something, and the clauses that may hold a task."""
        if any(bit & self._arranged for bit in spots.found):
            return [], spans
        cues: list[Cue] = []
        asked: list[tuple[int, int]] = []
        if context.clarify is not None:
            answered = {span: self.cues.find(spots, [span], only=_ALL_OR_NONE) for span in spans}
            cues = [cue for found in answered.values() for cue in found]
            spans = [span for span in spans if not answered[span]]
        whole, left = set(spans), None
        refused: list[RefusedStretch] = []
        for part in self._refusals.split(spots, spans):
            if isinstance(part, RefusedStretch):
                refused.append(self._with_object(spots, part, left if left and left[1] == part.start else None, asked))
            elif part in whole or self.segmenter.holds_task(spots, *part):
                asked.append(part)
            elif refused and refused[-1].end == part[0]:
                refused[-1] = refused[-1]._replace(end=part[1])
            left = None if isinstance(part, RefusedStretch) else part
        cues += [self._refusal(spots, part, now, choosing=context.clarify is not None) for part in refused]
        if not any(frame.status in OPEN for frame in context.frames):
            cues += self.cues.find(spots, asked, only=_ORDER)
        else:
            found = self.cues.find(spots, asked, but=_ALL_OR_NONE)
            asked = self._tasks_only(spots, asked, [*found, *cues])
            cues += found
        return sorted(cues, key=lambda cue: cue.start), asked

    def _with_object(
        self, spots: Spots, part: RefusedStretch, before: tuple[int, int] | None, asked: list[tuple[int, int]]
    ) -> RefusedStretch:
        """A refusal with the words of its clause before it, which may name what is refused (骨科就不挂了)."""
        if before is None:
            return part
        if self._refusals.takes(spots, before, part):
            asked[:] = [span for span in asked if span != before]
            part = part._replace(inner=before[0], inner_end=before[1])
        return part._replace(start=before[0])

    def _refusal(self, spots: Spots, part: RefusedStretch, now: dt.datetime, *, choosing: bool) -> Cue:
        """A refusal as a cue: of what kind, and of what."""
        span = part.start, part.end
        found = {cue.kind: cue for cue in self.cues.find(spots, [span])}
        kinds = (*_POSITIONS, *_TURNS_AWAY) if choosing else _TURNS_AWAY
        kind = next((kind for kind in kinds if kind in found), CueKind.REFUSE)
        cue = found.get(kind) or self.cues.cue(spots, kind, span, (0, 0))
        if part.inner == part.inner_end:
            return msgspec.structs.replace(cue, refused=Segment("", cue.end, cue.end))
        piece = self.segmenter.piece(spots, part.inner, part.inner_end)
        return msgspec.structs.replace(cue, refused=self.segment(spots, piece, now, None))

    def _tasks_only(self, spots: Spots, spans: list[tuple[int, int]], cues: list[Cue]) -> list[tuple[int, int]]:
        """Clauses that may hold a task: not those of a cue, and beside a closing cue only those that ask."""
        taken = {cue.start for cue in cues if cue.kind in _APART}
        closing = bool(_CLOSING & kinds_of(cues))
        kept = []
        for start, end in spans:
            at, _ = spots.normalised.original_span(start, end)
            asks = not closing or self.segmenter.asks(spots, start, end)
            if at not in taken and asks:
                kept.append((start, end))
        return kept

    def only_answers(self, spots: Spots, span: tuple[int, int], now: dt.datetime, wanted: frozenset[str]) -> bool:
        """Whether a stretch is nothing but values, one of them of a kind that is missed."""
        mentions = self.slots.mentions(spots, *span, now)
        missed = any(mention.value and mention.kind in wanted for mention in mentions)
        return missed and self._answers_only(spots, self.segmenter.piece(spots, *span), mentions, wanted)

    def moved(self, spots: Spots, now: dt.datetime) -> list[tuple[int, int]]:
        """The stretch that turns a day down, why, and the one that does (后天不得行，要带孩子打针，大后天嘛)."""
        told, untold = self.slots.meant(spots, 0, len(spots.text), now)
        first = min((one.start for one in untold if one.kind in DAY_TIMES), default=len(spots.text))
        behind = {clause_at(spots.text, one.start) for one in told if one.kind in DAY_TIMES and one.start > first}
        ends = [end for start, end in behind if self.only_answers(spots, (start, end), now, frozenset(DAY_TIMES))]
        return [(clause_at(spots.text, first)[0], max(ends))] if ends else []

    def _answers_only(
        self, spots: Spots, piece: Piece, mentions: tuple[SlotMention, ...], wanted: frozenset[str]
    ) -> bool:
        """Whether a piece names values and no task: nothing that any agent is asked about, or times, or what a focus
        misses (B超的), with nothing but what stands around an answer (有没有后天的)."""
        if piece.decision.score < _OWN_WORDS and self.segmenter.names_nothing(piece):
            return True
        mentions = tuple(mention for mention in mentions if mention.value)
        missed = wanted.intersection(mention.kind for mention in mentions if mention.kind not in NAMED)
        if not missed and any(mention.kind not in TIMES and not mention.kind.startswith(WHOM) for mention in mentions):
            return False
        rest, at = [], piece.start
        for mention in mentions:
            rest.append(spots.text[at : max(at, mention.start)])
            at = max(at, mention.end)
        return all(self._around_answer.fullmatch(part) for part in (*rest, spots.text[at : piece.end]))

    def _wanted(self, context: IntentContext) -> frozenset[str]:
        """Kinds of mentions that fill an empty slot of a focus."""
        return frozenset(
            spec.kind
            for frame in context.frames
            if frame.status is Status.ACTIVE and frame.role is FrameRole.FOCUS
            for name, spec in self.domain.agents[frame.agent_code].slots.items()
            if not frame.slots.get(name) and not spec.kind.startswith(WHOM)
        )

    def segment(self, spots: Spots, piece: Piece, now: dt.datetime, wanted: frozenset[str] | None) -> Segment:
        """A piece as a segment. `wanted` are the kinds of mentions that a focus misses, None where no task is open."""
        start, end = self.segmenter.trim(spots, piece.start, piece.end)
        mentions, denied = self.slots.meant(spots, piece.start, piece.end, now)
        decision = piece.decision
        if wanted is not None and mentions and self._answers_only(spots, piece, mentions, wanted):
            decision = ClassDecision((AgentCandidate(UNKNOWN_AGENT, 1.0), *decision.candidates), Layer.STATE)
        agent = self.domain.agents.get(decision.agent_code)
        slots = fill(agent, mentions) if agent is not None else {}
        questions = sum(self.segmenter.questions(spots, *span) for span in clauses_in(spots.text, start, end))
        for name, spec in agent.slots.items() if agent is not None else ():
            if spec.words and (questions > 1 or len({one.value for one in mentions if one.kind == spec.kind}) > 1):
                slots.pop(name, None)  # it is about all that is said, not about what is named first
        for name, part in self._parts.get(decision.agent_code, ()):
            if name not in slots and (clause := self._clause_of(spots, piece, part)):
                slots[name] = clause
        first, last = spots.normalised.original_span(start, end)
        return Segment(
            text=spots.original[first:last],
            start=first,
            end=last,
            agent_code=decision.agent_code,
            confidence=decision.score,
            signals=self.told(piece.mask),
            candidates=decision.candidates,
            slots=slots,
            mentions=tuple(placed(spots, mention) for mention in mentions),
            layer=decision.layer,
            connective=piece.connective,
            asks=piece.asks,
            denied=tuple(placed(spots, mention) for mention in denied),
        )

    def _clause_of(self, spots: Spots, piece: Piece, part: int) -> str:
        """The first clause of a piece that names a word of a signal and asks nothing, else that word."""
        for start, end in clauses_in(spots.text, piece.start, piece.end):
            if spots.mask(start, end) & part and not spots.mask(start, end) & self._asks:
                first, last = self.segmenter.trim(spots, start, end)
                return spots.text[first:last]
        named = next(iter(sorted(spots.inside(piece.start, piece.end, part))), None)
        return spots.text[slice(*named)] if named is not None else ""


def placed(spots: Spots, mention: SlotMention) -> SlotMention:
    """A mention by its place in the turn as it was said, with the words there."""
    start, end = spots.normalised.original_span(mention.start, mention.end)
    return msgspec.structs.replace(mention, start=start, end=end, text=spots.original[start:end])
