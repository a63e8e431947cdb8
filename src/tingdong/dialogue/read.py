"""Reading a turn: safety, cues, segments with their agents and slots (hospital.md, "Per turn").

`Reader.read` is what rules and the local classifier make of a text; an LLM may make a `Reading` of its own behind the
same call. Nothing here changes a context, and nothing here calls anything outside.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from tingdong.dialogue import domain, statistics
from tingdong.dialogue.borders import Borders
from tingdong.dialogue.classify import Classifier, Decision
from tingdong.dialogue.cues import CueFinder, kinds_of
from tingdong.dialogue.directory import Directory
from tingdong.dialogue.domain import Domain
from tingdong.dialogue.hearing import Listener
from tingdong.dialogue.lexicon import phrases
from tingdong.dialogue.model import (
    UNKNOWN_AGENT,
    Attachment,
    Candidate,
    Cue,
    CueKind,
    IntentContext,
    Layer,
    Mention,
    Reading,
    Role,
    SafetyLabel,
    Segment,
    Status,
    TurnType,
    Unread,
)
from tingdong.dialogue.pieces import Piece, clauses
from tingdong.dialogue.refusal import Refusals, Refused
from tingdong.dialogue.safety import SafetyCheck
from tingdong.dialogue.segment import Segmenter
from tingdong.dialogue.slots import SlotFinder, fill
from tingdong.dialogue.spotting import Spots, Spotter

CLASS_MODEL = Path(__file__).parent / "data" / "hospital_classes.bin"
"""Weights of the local classifier for the domain that ships with the package."""

BORDER_MODEL = Path(__file__).parent / "data" / "hospital_borders.bin"
"""Weights of the borders between requests, for the domain that ships with the package."""

SAFETY_MODEL = Path(__file__).parent / "data" / "hospital_safety.bin"
"""Weights of the safety score for the domain that ships with the package."""

_CLOSING = frozenset({CueKind.CANCEL, CueKind.COMPLETE, CueKind.ALL_DONE})
_ALL_OR_NONE = frozenset({CueKind.BOTH, CueKind.EITHER, CueKind.NEITHER})
"""Cues that answer nothing but a clarify."""

_APART = _CLOSING | _ALL_OR_NONE | {CueKind.PUT_OFF, CueKind.CONFIRM, CueKind.DENY, CueKind.FORMER, CueKind.LATTER}
"""Cues whose clause is no task, or no part of one."""

_TURNS_AWAY = (CueKind.PUT_OFF, CueKind.CANCEL)
_POSITIONS = (CueKind.FORMER, CueKind.LATTER)
"""Cues that words which refuse something may be."""

_OWN_WORDS = 0.9
"""Score from which a piece is a task of its own even when it names nothing but what may fill a slot."""

_CHOSEN = 0.8
"""Score of an agent that the LLM tier chose."""

_DIRECTORY = "directory:"
"""Kinds of mentions that open a task by their name alone."""

_TIMES = frozenset({"date", "period", "duration"})
"""Kinds of mentions that name no object of a task."""

_OVERLAP = 100
"""Characters of a stretch that the safety check sees again with the next."""

_FIRST_WORDS = 12
"""Characters by which the user knows what was not read."""

_OPEN = frozenset({Status.ACTIVE, Status.PENDING})


class Models(NamedTuple):
    """The local models of a domain; without one the rules decide alone."""

    classes: statistics.LinearModel | None = None
    safety: statistics.LinearModel | None = None
    borders: statistics.LinearModel | None = None


class Reader:
    """Reads turns by one domain and one directory; compiled once, used for every turn."""

    def __init__(self, domain: Domain, directory: Directory, models: Models | None = None) -> None:
        self.domain = domain
        self.directory = directory
        self._spotter = Spotter(domain, directory)
        self._listener = Listener(self._spotter)
        models = models or Models()
        borders = Borders(self._spotter, models.borders)
        self._safety = SafetyCheck(self._spotter, borders, models.safety)
        self._classifier = Classifier(self._spotter, models.classes)
        self._segmenter = Segmenter(self._spotter, self._classifier, borders)
        self._cues = CueFinder(self._spotter)
        self._refusals = Refusals(self._spotter)
        self._slots = SlotFinder(self._spotter)
        words = sorted(phrases(domain.markers.around_answer), key=len, reverse=True)
        self._around_answer = re.compile(f"(?:{'|'.join(map(re.escape, words))})*" if words else "")
        self._existing = self._spotter.bit("existing")

    def read(
        self, context: IntentContext, text: str, *, now: dt.datetime, attachments: Sequence[Attachment] = ()
    ) -> Reading:
        """What a turn says, given what is open in the dialogue; `now` is what dates are counted from."""
        limits = self.domain.limits
        listened = self._listener.listen(text[: limits.chars])
        spots = listened.spots
        for wording in listened.wordings:
            for attachment in attachments:
                if self._spotter.knows(attachment.kind):
                    wording.add(self._spotter.bit(attachment.kind), 0, len(wording.text))
        safety = self._safety.worst(listened.wordings)
        for start in range(limits.chars - _OVERLAP, len(text) - _OVERLAP, limits.chars - _OVERLAP):
            if safety.label is SafetyLabel.NORMAL:  # nobody in danger is unread
                safety = self._safety.worst(self._listener.listen(text[start : start + limits.chars]).wordings)
        if safety.label is not SafetyLabel.NORMAL:
            return Reading(text, safety, heard=listened.heard)
        under_way = any(frame.status in _OPEN for frame in context.frames)
        cues, spans = self._turned(spots, clauses(spots.text), context, now)
        pieces = self._segmenter.cut(spots, spans, answers=under_way)
        wanted = self._wanted(context)
        unread = self._unread(spots, text, pieces)
        pieces = pieces[: limits.segments]
        segments = tuple(self._segment(spots, piece, now, wanted if under_way else None) for piece in pieces)
        turn_type = _turn_type(segments, cues, under_way=under_way)
        layer = Layer.MODEL if any(segment.layer is Layer.MODEL for segment in segments) else Layer.RULE
        return Reading(text, safety, segments, tuple(cues), turn_type, layer, unread=unread, heard=listened.heard)

    def _unread(self, spots: Spots, text: str, pieces: Sequence[Piece]) -> Unread | None:
        """What is beyond the domain's limits."""
        limits = self.domain.limits
        if len(pieces) > limits.segments:
            reason = f"at most {limits.segments} tasks a turn"
            start, _ = spots.normalised.original_span(pieces[limits.segments].start, len(spots.text))
        elif len(text) > limits.chars:
            start, reason = limits.chars, f"at most {limits.chars} characters a turn"
        else:
            return None
        return Unread(start, len(text), text[start : start + _FIRST_WORDS], reason)

    def _turned(
        self, spots: Spots, spans: list[tuple[int, int]], context: IntentContext, now: dt.datetime
    ) -> tuple[list[Cue], list[tuple[int, int]]]:
        """What acts on the dialogue or refuses something, and the clauses that may hold a task."""
        if self._existing in spots.found:
            return [], spans
        cues: list[Cue] = []
        asked: list[tuple[int, int]] = []
        if context.clarify is not None:
            answered = {span: self._cues.find(spots, [span], only=_ALL_OR_NONE) for span in spans}
            cues = [cue for found in answered.values() for cue in found]
            spans = [span for span in spans if not answered[span]]
        whole, left = set(spans), None
        refused: list[Refused] = []
        for part in self._refusals.split(spots, spans):
            if isinstance(part, Refused):
                refused.append(self._with_object(spots, part, left if left and left[1] == part.start else None, asked))
            elif part in whole or self._segmenter.holds_task(spots, *part):
                asked.append(part)
            elif refused and refused[-1].end == part[0]:
                refused[-1] = refused[-1]._replace(end=part[1])
            left = None if isinstance(part, Refused) else part
        cues += [self._refusal(spots, part, now, choosing=context.clarify is not None) for part in refused]
        if any(frame.status in _OPEN for frame in context.frames):
            found = self._cues.find(spots, asked, but=_ALL_OR_NONE)
            asked = self._tasks_only(spots, asked, [*found, *cues])
            cues += found
        return sorted(cues, key=lambda cue: cue.start), asked

    def _with_object(
        self, spots: Spots, part: Refused, before: tuple[int, int] | None, asked: list[tuple[int, int]]
    ) -> Refused:
        """A refusal with the words of its clause before it, which may name what is refused (骨科就不挂了)."""
        if before is None:
            return part
        if self._refusals.takes(spots, before, part):
            asked[:] = [span for span in asked if span != before]
            part = part._replace(inner=before[0], inner_end=before[1])
        return part._replace(start=before[0])

    def _refusal(self, spots: Spots, part: Refused, now: dt.datetime, *, choosing: bool) -> Cue:
        """A refusal as a cue: of what kind, and of what."""
        span = part.start, part.end
        found = {cue.kind: cue for cue in self._cues.find(spots, [span])}
        kinds = (*_POSITIONS, *_TURNS_AWAY) if choosing else _TURNS_AWAY
        kind = next((kind for kind in kinds if kind in found), CueKind.REFUSE)
        cue = found.get(kind) or self._cues.cue(spots, kind, span, (0, 0))
        if part.inner == part.inner_end:
            return msgspec.structs.replace(cue, refused=Segment("", cue.end, cue.end))
        piece = self._segmenter.piece(spots, part.inner, part.inner_end)
        return msgspec.structs.replace(cue, refused=self._segment(spots, piece, now, None))

    def described(self, text: str, span: tuple[int, int], agent: str, *, now: dt.datetime) -> Segment:
        """A stretch of a text as a segment of an agent that somebody else chose (the LLM tier), with the signals,
        mentions and slots that the rules find in its words. `span` counts characters of `text`."""
        start, end = span
        spots = self._listener.listen(text[start:end]).spots
        found = self._slots.mentions(spots, 0, len(spots.text), now)
        mentions = tuple(_moved(_placed(spots, mention), start) for mention in found)
        return Segment(
            text=text[start:end],
            start=start,
            end=end,
            agent_code=agent,
            confidence=_CHOSEN,
            signals=self._told(spots.mask(0, len(spots.text))),
            candidates=(Candidate(agent, _CHOSEN),),
            slots=fill(self.domain.agents[agent], mentions),
            mentions=mentions,
            layer=Layer.LLM,
            asks=True,
        )

    def _told(self, mask: int) -> tuple[str, ...]:
        """Signals as evidence names them (seed 003 §7.2)."""
        names = self.domain.evidence
        return tuple(dict.fromkeys(names[name] for name in self._spotter.signals(mask) if name in names))

    def _tasks_only(self, spots: Spots, spans: list[tuple[int, int]], cues: list[Cue]) -> list[tuple[int, int]]:
        """Clauses that may hold a task: not those of a cue, and beside a closing cue only those that ask."""
        taken = {cue.start for cue in cues if cue.kind in _APART}
        closing = bool(_CLOSING & kinds_of(cues))
        kept = []
        for start, end in spans:
            at, _ = spots.normalised.original_span(start, end)
            asks = not closing or self._segmenter.asks(spots, start, end)
            if at not in taken and asks:
                kept.append((start, end))
        return kept

    def _answers_only(self, spots: Spots, piece: Piece, mentions: tuple[Mention, ...], wanted: frozenset[str]) -> bool:
        """Whether a piece names values and no task: nothing that any agent is asked about, or times, or what a focus
        misses (B超的), with nothing but what stands around an answer (有没有后天的)."""
        if piece.decision.score < _OWN_WORDS and self._segmenter.names_nothing(piece):
            return True
        mentions = tuple(mention for mention in mentions if mention.value)
        missed = wanted.intersection(mention.kind for mention in mentions if not mention.kind.startswith(_DIRECTORY))
        if not missed and any(mention.kind not in _TIMES for mention in mentions):
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
            if frame.status is Status.ACTIVE and frame.role is Role.FOCUS
            for name, spec in self.domain.agents[frame.agent_code].slots.items()
            if not frame.slots.get(name)
        )

    def _segment(self, spots: Spots, piece: Piece, now: dt.datetime, wanted: frozenset[str] | None) -> Segment:
        """A piece as a segment. `wanted` are the kinds of mentions that a focus misses, None where no task is open."""
        start, end = self._segmenter.trim(spots, piece.start, piece.end)
        mentions = self._slots.mentions(spots, piece.start, piece.end, now)
        decision = piece.decision
        if wanted is not None and mentions and self._answers_only(spots, piece, mentions, wanted):
            decision = Decision((Candidate(UNKNOWN_AGENT, 1.0), *decision.candidates), Layer.STATE)
        agent = self.domain.agents.get(decision.agent_code)
        first, last = spots.normalised.original_span(start, end)
        return Segment(
            text=spots.original[first:last],
            start=first,
            end=last,
            agent_code=decision.agent_code,
            confidence=decision.score,
            signals=self._told(piece.mask),
            candidates=decision.candidates,
            slots=fill(agent, mentions) if agent is not None else {},
            mentions=tuple(_placed(spots, mention) for mention in mentions),
            layer=decision.layer,
            connective=piece.connective,
            asks=piece.asks,
        )


def _placed(spots: Spots, mention: Mention) -> Mention:
    start, end = spots.normalised.original_span(mention.start, mention.end)
    return msgspec.structs.replace(mention, start=start, end=end, text=spots.original[start:end])


def _moved(mention: Mention, by: int) -> Mention:
    return msgspec.structs.replace(mention, start=mention.start + by, end=mention.end + by)


def _turn_type(segments: tuple[Segment, ...], cues: list[Cue], *, under_way: bool) -> TurnType:
    """What the words alone suggest (hospital.md, "turn_type"); `under_way` when tasks are open in the dialogue."""
    kinds = kinds_of(cues)
    mentioned = any(segment.mentions for segment in segments)
    if kinds & {CueKind.REPAIR, CueKind.DENY} and mentioned:
        return TurnType.REPAIR
    if CueKind.DENY in kinds or (CueKind.CANCEL in kinds and not segments):
        return TurnType.DENY
    known = [segment for segment in segments if segment.agent_code != UNKNOWN_AGENT]
    if any(segment.asks or not under_way for segment in known):
        return TurnType.NEW_REQUEST
    if kinds & {CueKind.CONFIRM, CueKind.COMPLETE, CueKind.ALL_DONE}:
        return TurnType.CONFIRM
    if under_way and (mentioned or kinds & {CueKind.FORMER, CueKind.LATTER, CueKind.CHOICE}):
        return TurnType.SLOT_FILL
    return TurnType.NEW_REQUEST if known else TurnType.UNKNOWN


def shipped_models(domain: Domain) -> Models:
    """The models that ship with the package, as far as a domain can use them.

    The classifier serves domains that know all its agents; the safety score those that say what it weighs.
    """
    classes = statistics.load(CLASS_MODEL)
    known = {*domain.agents, UNKNOWN_AGENT}
    served = known.issuperset(classes.labels)
    return Models(
        classes=classes if served else None,
        borders=statistics.load(BORDER_MODEL) if served else None,
        safety=statistics.load(SAFETY_MODEL) if domain.safety.weighed else None,
    )


@cache
def default_reader(directory: Directory) -> Reader:
    """The reader of the domain that ships with the package, with its models; made once per directory."""
    shipped = domain.default()
    return Reader(shipped, directory, shipped_models(shipped))
