"""Reading a turn: safety, cues, segments with their agents and slots (hospital.md, "Per turn").

`DeskReader.read` is what rules and the local classifier make of a text; an LLM may make a `TurnReading` of its own
behind the same call. Nothing here changes a context, and nothing here calls anything outside.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from tingdong.front_desk import domain, places_net
from tingdong.front_desk.antecedents import PersonMention
from tingdong.front_desk.atoms import MOST
from tingdong.front_desk.board import LEAST_QUESTION, OPEN
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.cues import kinds_of
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import standing
from tingdong.front_desk.hearing import DeskListener
from tingdong.front_desk.judged import Judge, LabelledStretch
from tingdong.front_desk.lexicon import any_of, is_foreign
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    AgentCandidate,
    Attachment,
    Cue,
    CueKind,
    IntentContext,
    Layer,
    SafetyLabel,
    Segment,
    SlotMention,
    TurnReading,
    TurnType,
    Unread,
)
from tingdong.front_desk.own_models import Models as Models
from tingdong.front_desk.own_models import own_models
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.ruled import RuleReader, placed
from tingdong.front_desk.safety import SafetyCheck, SafetyModels
from tingdong.front_desk.slots import fill
from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.front_desk.tasks import ASKED
from tingdong.learned import chain, statistics

CLASS_MODEL = Path(__file__).parent / "data" / "hospital_classes.bin"
"""Weights of the local classifier for the domain that ships with the package."""

BORDER_MODEL = Path(__file__).parent / "data" / "hospital_borders.bin"
"""Weights of the borders between requests, for the domain that ships with the package."""

TURN_MODEL = Path(__file__).parent / "data" / "hospital_turns.bin"
"""Weights of the reading of turns, for the domain that ships with the package."""

SAFETY_MODEL = Path(__file__).parent / "data" / "hospital_safety.bin"
"""Weights of the safety score of words, for the domain that ships with the package."""

PLACES_MODEL = Path(__file__).parent / "data" / "hospital_places.bin"
"""Weights of the safety score of places, for the domain that ships with the package."""

_CHOSEN = 0.8
"""Score of an agent that the LLM tier chose."""

_BEYOND, _OVERLAP = 120, 40
"""Characters of a stretch beyond what is read, of which only danger is asked, and those seen again with the next."""

_BLANK = re.compile(r"(?<=[\u4e00-\u9fff\d])\s+(?=[\u4e00-\u9fff])")

_TURNS_BACK = 4
"""Turns in which a pronoun may find whom it stands for."""

_REMEMBERED = 2
"""Turns before that a turn is judged with: signs are told one by one."""

_FIRST_WORDS = 12
"""Characters by which the user knows what was not read."""


class DeskReader:
    """Reads turns by one domain and one directory; compiled once, used for every turn."""

    def __init__(self, domain: Domain, directory: Directory, models: Models | None = None) -> None:
        self.domain = domain
        self.directory = directory
        self._spotter = Spotter(domain, directory)
        self._listener = DeskListener(self._spotter)
        models = models or Models()
        borders = Borders(self._spotter, models.borders)
        self._safety = SafetyCheck(self._spotter, borders, models.safety)
        classifier = Classifier(self._spotter, models.classes)
        self._rules = RuleReader(self._spotter, classifier, borders)
        self._judge = Judge(self._rules, self._spotter, borders, classifier, models.turns) if models.turns else None

    def read(
        self,
        context: IntentContext,
        text: str,
        *,
        now: dt.datetime,
        attachments: Sequence[Attachment] = (),
        alternatives: Sequence[str] = (),
    ) -> TurnReading:
        """What a turn says, given what is open in the dialogue; `now` is what dates are counted from, `alternatives`
        are what else a recogniser offers for the text."""
        limits = self.domain.limits
        listened = self._listener.listen(text[: limits.chars], [other[: limits.chars] for other in alternatives])
        spots = listened.spots
        for wording in listened.wordings:
            for attachment in attachments:
                if attachment.kind in self.domain.attachments:
                    wording.add(self._spotter.bit(attachment.kind), 0, len(wording.text))
        under_way = any(frame.status in OPEN for frame in context.frames)
        safety = self._safety.worst(listened.wordings, under_way=under_way)
        if safety.label is SafetyLabel.INJECTION and (paused := _BLANK.sub("，", text[: limits.chars])) != text:
            paused_safety = self._safety.check(self._spotter.spot(paused))  # blanks between clauses are pauses
            safety = paused_safety if paused_safety.label is SafetyLabel.NORMAL else safety
        for start in range(limits.chars - _OVERLAP, len(text) - _OVERLAP, _BEYOND - _OVERLAP):
            if safety.label is SafetyLabel.NORMAL:  # nobody in danger is unread
                safety = self._safety.check(self._spotter.spot(text[start : start + _BEYOND]), parted=False)
        if safety.label is SafetyLabel.NORMAL and (before := _said_before(context)):
            safety = self._safety.after(before, spots)
        if safety.label is not SafetyLabel.NORMAL:
            return TurnReading(text, safety, heard=listened.heard)
        if is_foreign(text) and "foreign" in self.domain.replies:
            return TurnReading(text, safety, heard=listened.heard)
        if len(told := clauses(spots.text)) > MOST:
            spots = spots.until(told[MOST - 1][1])
        spots.people = self._people_of(spots, context)
        ruled = self._rules.read(spots, context, now)
        if self._judge is not None:
            cues, segments, left, end = self._judge.read(spots, context, ruled, now)
        else:
            pieces = ruled.pieces[: limits.segments + 1]
            cues, segments = ruled.cues, [self._rules.segment(spots, piece, now, ruled.wanted) for piece in pieces]
            end, left = len(spots.text), ()
        unread = self._unread(text, segments, spots.normalised.original_span(0, end)[1])
        segments = segments[: limits.segments]
        turn_type = _turn_type(tuple(segments), cues, under_way=ruled.wanted is not None)
        layer = Layer.MODEL if any(segment.layer is Layer.MODEL for segment in segments) else Layer.RULE
        done = tuple(segments), tuple(cues), turn_type, layer
        named = self._named(spots, now) if under_way else ()
        reading = TurnReading(text, safety, *done, unread=unread, left=left, named=named, asked=self._asked(spots, now))
        return msgspec.structs.replace(reading, heard=listened.heard, either=listened.either)

    def _asked(self, spots: Spots, now: dt.datetime) -> tuple[Segment, ...]:
        """The clauses of a turn that ask or wish something by themselves, those of no agent where nothing holds what
        they wish."""
        segmenter, also = self._rules.segmenter, any_of(self.domain.correcting.also)
        told: list[Segment] = []
        for start, end in parts if len(parts := clauses(spots.text)) > 1 else ():
            unheld = any_of(self.domain.cutting.hopes).search(spots.text, start, end)
            piece = segmenter.piece(spots, start, end)
            wish = segmenter.wishes(spots, start, end) or (piece.asks and also.search(spots.text, start, end))
            known = piece.decision.score >= ASKED and piece.decision.agent_code in self.domain.agents
            if unheld or (wish and known and end - start >= LEAST_QUESTION):
                segment = self._rules.segment(spots, piece, now, None)
                told.append(msgspec.structs.replace(segment, agent_code=UNKNOWN_AGENT) if unheld else segment)
        return tuple(told)

    def _named(self, spots: Spots, now: dt.datetime) -> tuple[SlotMention, ...]:
        """The mentions of a turn, clause by clause."""
        found = (one for span in clauses(spots.text) for one in self._rules.slots.mentions(spots, *span, now))
        return tuple(placed(spots, one) for one in found)

    def _people_of(self, spots: Spots, context: IntentContext) -> tuple[PersonMention, ...]:
        """Who is named in a turn, given whom open tasks are for and what was said before."""
        people = self._rules.slots.people
        before = (self._spotter.spot(said.text) for said in reversed(context.history[-_TURNS_BACK:]))
        return people.find(spots, standing(self.domain, context), before)

    def judged(self, context: IntentContext, text: str, *, now: dt.datetime) -> list[LabelledStretch]:
        """What each stretch of a turn is taken for, and how likely; empty without a model. Safety is not asked."""
        spots = self._listener.listen(text[: self.domain.limits.chars]).spots
        spots.people = self._people_of(spots, context)
        return self._judge.judged(spots, context, self._rules.read(spots, context, now), now) if self._judge else []

    def _unread(self, text: str, segments: Sequence[Segment], end: int) -> Unread | None:
        """What is beyond the domain's limits, or beyond `end`, up to where the turn was read."""
        limits = self.domain.limits
        if len(segments) > limits.segments:
            start, reason = segments[limits.segments].start, f"at most {limits.segments} tasks a turn"
        elif _says_something(text[end : limits.chars]):
            start, reason = end, f"at most {MOST} stretches of tasks a turn"
        elif _says_something(text[limits.chars :]):
            start, reason = limits.chars, f"at most {limits.chars} characters a turn"
        else:
            return None
        return Unread(start, len(text), text[start : start + _FIRST_WORDS], reason)

    def described(self, text: str, span: tuple[int, int], agent: str, *, now: dt.datetime) -> Segment:
        """A stretch of a text as a segment of an agent that somebody else chose (the LLM tier), with the signals,
        mentions and slots that the rules find in its words. `span` counts characters of `text`."""
        start, end = span
        spots = self._listener.listen(text[start:end]).spots
        found = self._rules.slots.mentions(spots, 0, len(spots.text), now)
        mentions = tuple(_moved(placed(spots, mention), start) for mention in found)
        return Segment(
            text=text[start:end],
            start=start,
            end=end,
            agent_code=agent,
            confidence=_CHOSEN,
            signals=self._rules.told(spots.mask(0, len(spots.text))),
            candidates=(AgentCandidate(agent, _CHOSEN),),
            slots=fill(self.domain.agents[agent], mentions),
            mentions=mentions,
            layer=Layer.LLM,
            asks=True,
        )


def _said_before(context: IntentContext) -> list[str]:
    """What was said in the turns before; nothing from before one that was a danger by itself."""
    recent = [(context.turn - past.turn, past.text) for past in reversed(context.history[-_REMEMBERED:])]
    return [text for place, (ago, text) in enumerate(recent) if ago == place][::-1]


def _says_something(text: str) -> bool:
    """Whether there is more than signs and blanks."""
    return any(map(str.isalnum, text))


def _moved(mention: SlotMention, by: int) -> SlotMention:
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
    """The models that ship with the package, for a domain that says that its agents are those of that name (`learned`).

    The classifier, the borders and the reading of turns serve the agents that they know; the safety score domains that
    say what it weighs.
    """
    if not domain.learned:
        return Models()
    learned = set(statistics.load(CLASS_MODEL).labels) & set(domain.agents)
    return Models(
        classes=statistics.load(CLASS_MODEL) if learned else None,
        borders=statistics.load(BORDER_MODEL) if learned else None,
        safety=safety_models() if domain.safety.weighed else None,
        turns=chain.load(TURN_MODEL) if learned else None,
    )


def models_of(domain: Domain) -> Models:
    """What reads a domain's turns besides its rules: what was learned from its own sentences, else what ships."""
    shipped = shipped_models(domain)
    own = own_models(domain).models
    return own._replace(safety=shipped.safety) if own is not None else shipped


def safety_models() -> SafetyModels:
    """The shipped models of dangers."""
    return SafetyModels(statistics.load(SAFETY_MODEL), places_net.load(PLACES_MODEL))


def unserved(domain: Domain) -> tuple[str, ...]:
    """Agents of a domain of which no model knows anything: the rules alone read their tasks."""
    classes = models_of(domain).classes
    return tuple(agent for agent in domain.agents if classes is None or agent not in classes.labels)


@cache
def default_reader(directory: Directory) -> DeskReader:
    """The reader of the domain that ships with the package, with its models; made once per directory."""
    shipped = domain.default()
    return DeskReader(shipped, directory, shipped_models(shipped))
