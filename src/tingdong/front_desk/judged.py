"""The learned reading of a turn: what each stretch is, judged for all together and by what is open (hospital.md,
Segments, Class, Frames).

A stretch is a task of some agent, tells of what is open, acts on the dialogue, points back, or is background. The rules
(`ruled`) cut and propose, the chain decides, and its words are read by the same rules afterwards: slots, what a refusal
names, whom a cue hints at. A task that the chain is not sure of is nobody's, and is said so. Agents that the chain has
never heard of stay with the rules.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

import msgspec

from tingdong.front_desk.atoms import MOST, Atom, Cutter, Span, situation
from tingdong.front_desk.board import OPEN
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.classify import ClassDecision, Classifier
from tingdong.front_desk.for_whom import whom
from tingdong.front_desk.grouped import LabelledStretch, chance_of, covers, groups, ruled_out
from tingdong.front_desk.in_force import InForce
from tingdong.front_desk.kinds import NAMED as NAMED_KINDS
from tingdong.front_desk.kinds import WHOM
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    AgentCandidate,
    Cue,
    CueKind,
    IntentContext,
    Layer,
    Segment,
)
from tingdong.front_desk.named import joined, named_first, names_of
from tingdong.front_desk.naming import NAMED, TaskWords, names_task, of_cue, which
from tingdong.front_desk.pieces import clause_at, clauses, is_mostly_in
from tingdong.front_desk.ruled import Ruled, RuleReader, placed
from tingdong.front_desk.slots import fill
from tingdong.front_desk.spoken import ACTS, ANSWER, BACKGROUND, RETURN
from tingdong.front_desk.spotting import RIVAL_NAME, Spots, Spotter
from tingdong.learned.chain import BEGINS, GOES_ON, LabelChain, class_of

__all__ = ["Judge", "LabelledStretch"]

FLOOR = 0.3
"""Chance below which a task is nobody's."""
SURE = 0.8
"""Chance from which a task is done without a word that says so."""
HALF = 0.5
"""Chance below which words are hardly background."""
_CANDIDATES = 3
_POINTS = frozenset({CueKind.ABOUT, CueKind.RESUME, CueKind.FIRST})
_BESIDE = _POINTS | {CueKind.REPAIR, CueKind.CHOICE}
"""Cues that stand in a stretch which is something besides."""
_CHOOSING = frozenset({CueKind.FORMER, CueKind.LATTER, CueKind.BOTH, CueKind.EITHER, CueKind.NEITHER, CueKind.OVERVIEW})
_ENDING = frozenset(
    {CueKind.CANCEL, CueKind.COMPLETE, CueKind.ALL_DONE, CueKind.REFUSE, CueKind.NEITHER, CueKind.CONFIRM}
)
"""Acts that others say more of (都取消, 报告等会再说)."""
_CLOSES = frozenset({CueKind.CANCEL, CueKind.COMPLETE, CueKind.PUT_OFF})
"""Acts that are said of one task."""
_DONE = frozenset({CueKind.COMPLETE, CueKind.ALL_DONE})


class Judge:
    """Judges the stretches of turns; compiled once."""

    def __init__(
        self, rules: RuleReader, spotter: Spotter, borders: Borders, classifier: Classifier, chain: LabelChain | None
    ) -> None:
        self._rules = rules
        self._domain = rules.domain
        self._chain = chain
        self._cutter = Cutter(spotter, borders, rules.cues, classifier)
        self._in_force = InForce(spotter, classifier)
        self._names = names_of(rules.domain)
        self._again = any_of(rules.domain.correcting.again)
        self._rival = spotter.bit(RIVAL_NAME)
        self._about = {
            code: spotter.bits(tuple(NAMED_KINDS & {spec.kind for spec in agent.slots.values() if spec.required}))
            or spotter.bits(rules.domain.people.ails)
            for code, agent in rules.domain.agents.items()
            if any(spec.kind.startswith(WHOM) for spec in agent.slots.values())
        }
        labels = chain.labels if chain is not None else ()
        self._tasks = frozenset(class_of(label) for label in labels if label.startswith(BEGINS))

    def read(
        self, spots: Spots, context: IntentContext, ruled: Ruled, now: dt.datetime
    ) -> tuple[list[Cue], list[Segment], tuple[Segment, ...], int]:
        """Cues and segments of a turn that the rules have read, what is hardly background, and up to which place of
        the folded text."""
        judged = [self._kept(one) for one in self.judged(spots, context, ruled, now)]
        end = judged[-1].atom.end if len(judged) == MOST else len(spots.text)
        doubtful = (group for group in groups(judged, ()) if group[0].kind == BACKGROUND and chance_of(group) < HALF)
        left = tuple(self._nothing(spots, group) for group in doubtful)
        return *self.assembled(spots, judged, ruled, now), left, end

    def judged(self, spots: Spots, context: IntentContext, ruled: Ruled, now: dt.datetime) -> list[LabelledStretch]:
        """The stretches of a turn with what the chain takes them for; none for a turn without words."""
        atoms, features = self.seen(spots, context, ruled, now)
        if not atoms or self._chain is None:
            return []
        booked = any(self._domain.agents[one.agent_code].group for one in context.frames if one.status in OPEN)
        told = (self._certain(spots, atom, ruled, context, now, booked=booked) for atom in atoms)
        certain = {at: label for at, label in enumerate(told) if label}
        certain |= self._in_force.labels(spots, atoms, booked=booked)
        moved = self._rules.moved(spots, now) if booked else []
        certain |= {at: ANSWER for at, one in enumerate(atoms) if is_mostly_in(one.start, one.end, moved)}
        known = {at: label for at, label in certain.items() if label in self._chain.labels}
        read = self._chain.read(features, without=self._ruled_out(context), known=known)
        judged = [
            LabelledStretch(atom, certain.get(at, label), chances)
            for at, (atom, (label, chances)) in enumerate(zip(atoms, read, strict=True))
        ]
        return [self._heeded(spots, one, ruled, now) for one in judged]

    def _heeded(self, spots: Spots, judged: LabelledStretch, ruled: Ruled, now: dt.datetime) -> LabelledStretch:
        """Nothing but a value that is missed answers, however it is taken (下午, beside a question). The end of all
        (那没事了), a value in place of another (算了改后天) and what is to be told first are no small talk."""
        span = judged.atom.start, judged.atom.end
        first = (cue for cue in ruled.cues if cue.kind is CueKind.FIRST and covers(spots, cue, *span, share=0.0))
        if judged.kind == BACKGROUND and judged.atom.by_rules[:2] in (BEGINS, GOES_ON) and any(first):
            return judged._replace(label=judged.atom.by_rules, chances={class_of(judged.atom.by_rules): FLOOR})
        if ruled.wanted is None or (judged.kind in ACTS and judged.kind not in {CueKind.CANCEL, *_DONE}):
            return judged
        if judged.kind in _DONE and judged.atom.by_rules not in ACTS and judged.chances.get(judged.kind, 0.0) < SURE:
            return judged._replace(label=CueKind.CONFIRM.value)
        if judged.kind == BACKGROUND and judged.atom.by_rules == CueKind.ALL_DONE.value:
            return judged._replace(label=judged.atom.by_rules)
        if judged.kind == CueKind.CANCEL.value:
            anew = any(cue.kind is CueKind.REPAIR and covers(spots, cue, *span) for cue in ruled.cues)
            return judged._replace(label=ANSWER) if anew and self._rules.slots.mentions(spots, *span, now) else judged
        if span in clauses(spots.text) and self._rules.only_answers(spots, span, now, ruled.wanted):
            return judged._replace(label=ANSWER)
        return judged

    def _certain(
        self, spots: Spots, atom: Atom, ruled: Ruled, context: IntentContext, now: dt.datetime, *, booked: bool
    ) -> str | None:
        """What a stretch is whatever the chain would say: a refusal that names what it refuses (不挂骨科), words that
        end or put off an open task which they name (老爷子那个算了), that answer the question which of several is
        meant, and somebody who does not work where they are asked for."""
        for cue in ruled.cues:
            if cue.kind.value in ACTS and covers(spots, cue, atom.start, atom.end):
                named = cue.refused is not None and names_task(cue)
                if named or cue.kind in _CHOOSING or (context.clarify is not None and cue.refused is not None):
                    return cue.kind.value
                if cue.kind in _CLOSES and self._names_open(spots, cue, atom, context, now):
                    return cue.kind.value
        standing = [frame for frame in context.frames if frame.status in OPEN]
        asks = self._rules.segmenter.questions(spots, atom.start, atom.end)
        if standing and not asks and self._rules.slots.people.settles(spots, atom.start, atom.end):
            return ANSWER
        asks_again = booked and self._again.search(spots.text, atom.start, atom.end)
        if asks_again and not atom.by_rules.startswith(BEGINS):
            return ANSWER
        if (atom.start, atom.start) in spots.found.get(self._rival, ()) and atom.by_rules.startswith(BEGINS):
            return atom.by_rules
        return None

    def _names_open(self, spots: Spots, cue: Cue, atom: Atom, context: IntentContext, now: dt.datetime) -> bool:
        """Whether a cue, or what stands before it where it says no more, names an open task; nothing is asked."""
        if self._rules.segmenter.questions(spots, *clause_at(spots.text, atom.start)):
            return False
        frames = [frame for frame in context.frames if frame.status in OPEN]
        told = self._rules.slots.mentions(spots, atom.start, atom.end, now)
        if cue.about or whom(self._domain, told):
            said = of_cue(cue, told)
            return which(self._domain, frames, said, only_hinted=False).best is not None
        before = TaskWords(spots.text[: atom.start], self._rules.slots.mentions(spots, 0, atom.start, now))
        return bool(before.text) and which(self._domain, frames, before, times=False).score >= NAMED

    def seen(
        self, spots: Spots, context: IntentContext, ruled: Ruled, now: dt.datetime
    ) -> tuple[list[Atom], list[set[str]]]:
        """The stretches of a turn and their features."""
        borders = self._rules.slots.people.borders(spots)
        pieces = [(piece.start, piece.end) for piece in ruled.pieces]
        spans = self._cutter.spans(spots, clauses(spots.text), pieces, borders)
        read = (piece for piece in ruled.pieces if spans and piece.start < spans[-1][1])
        segments = [self._rules.segment(spots, piece, now, ruled.wanted) for piece in read]
        atoms = self._by_rules(spots, spans, ruled, segments)
        mentions = [self._rules.slots.mentions(spots, atom.start, atom.end, now) for atom in atoms]
        return atoms, self._cutter.features(spots, atoms, mentions, situation(self._domain, context))

    def _by_rules(self, spots: Spots, spans: Sequence[Span], ruled: Ruled, segments: Sequence[Segment]) -> list[Atom]:
        """Each stretch with the label that the rules give it."""
        atoms, begun = list[Atom](), set[int]()
        for start, end in spans:
            label = BACKGROUND
            acts = [cue for cue in ruled.cues if cue.kind.value in ACTS and covers(spots, cue, start, end)]
            number = ruled.piece_at(start, end)
            if acts:
                label = acts[0].kind.value
            elif number >= 0 and segments[number].agent_code != UNKNOWN_AGENT:
                label = (GOES_ON if number in begun else BEGINS) + segments[number].agent_code
                begun.add(number)
            elif any(cue.kind in _POINTS and covers(spots, cue, start, end) for cue in ruled.cues):
                label = RETURN
            elif number >= 0 and segments[number].mentions and ruled.wanted is not None:
                label = ANSWER
            atoms.append(Atom(start, end, label))
        return atoms

    def _ruled_out(self, context: IntentContext) -> list[str]:
        """Labels that nothing open gives a meaning to, and those of agents that the domain does not have."""
        out = [label for label in self._chain.labels if label[:2] in (BEGINS, GOES_ON)] if self._chain else []
        out = [label for label in out if class_of(label) not in self._domain.agents]
        anything_open = any(frame.status in OPEN for frame in context.frames)
        out += [] if context.frames else [CueKind.UNDONE.value]
        return out + ruled_out(self._chain.labels if self._chain else (), anything_open=anything_open)

    def _kept(self, judged: LabelledStretch) -> LabelledStretch:
        """What an agent that the chain does not know has by the rules stays so."""
        by_rules = class_of(judged.atom.by_rules)
        if by_rules in self._tasks or by_rules not in self._domain.agents:
            return judged
        return judged._replace(label=judged.atom.by_rules, chances={by_rules: 1.0})

    def assembled(
        self, spots: Spots, judged: Sequence[LabelledStretch], ruled: Ruled, now: dt.datetime
    ) -> tuple[list[Cue], list[Segment]]:
        """Cues and segments of labelled stretches."""
        cues: list[Cue] = []
        segments: list[Segment] = []
        bare, plain = dict[int, bool](), dict[int, bool]()
        told = 0
        borders = [(at, kind) for at in self._rules.slots.people.borders(spots) for kind in self._turning(spots, at)]
        for group in groups(self._parted(spots, judged, now), borders):
            kind, span = group[0].kind, (group[0].atom.start, group[-1].atom.end)
            if kind in ACTS:
                cues.append(self._act(spots, ACTS[kind], span, ruled, now))
                continue
            if kind == BACKGROUND:
                cues += [
                    cue for cue in ruled.cues if cue.kind is CueKind.FIRST and covers(spots, cue, *span, share=0.0)
                ]
                continue
            beside = [cue for cue in ruled.cues if cue.kind in _BESIDE and covers(spots, cue, *span, share=0.0)]
            if kind == RETURN and not any(cue.kind in _POINTS for cue in beside):
                beside.append(self._rules.cues.cue(spots, CueKind.RESUME, span, (0, 0)))
            cues += [cue for cue in beside if cue not in cues]
            segment = self._segment(spots, group, span, now)
            if segment.agent_code in self._about:
                segment = self._continued(spots, segment, (told, span[0]))
                told = span[1]
            bare[segment.start] = not self._rules.segmenter.in_words(spots, *span)
            plain[segment.start] = not self._rules.segmenter.questions(spots, *span)
            if kind != RETURN or segment.mentions:
                segments.append(segment)
        if not segments and not cues and judged:
            segments.append(self._nothing(spots, judged))
        return sorted(cues, key=lambda cue: cue.start), joined(segments, self._rules, bare, plain)

    def _continued(self, spots: Spots, segment: Segment, before: Span) -> Segment:
        """A booking that names nobody is for whoever was spoken of right before it (我爸耳朵背，挂耳鼻喉科)."""
        named = any(one.kind in NAMED_KINDS for one in segment.mentions)
        if not named or any(one.kind.startswith(WHOM) for one in segment.mentions):
            return segment
        people = [placed(spots, one) for one in self._rules.slots.people.before(spots, *before)]
        mentions = (*people, *segment.mentions)
        slots = fill(self._domain.agents[segment.agent_code], mentions) if people else segment.slots
        return msgspec.structs.replace(segment, mentions=mentions, slots=slots)

    def _turning(self, spots: Spots, at: int) -> Iterator[str]:
        """Kinds of stretches of which another one begins where the words turn to somebody else: what is told, and tasks
        for somebody that say on both sides what they are about."""
        yield ANSWER
        for code, own in self._about.items():
            if spots.mask(0, at) & own and spots.mask(at, len(spots.text)) & own:
                yield code

    def _parted(self, spots: Spots, judged: Sequence[LabelledStretch], now: dt.datetime) -> list[LabelledStretch]:
        """Stretches of one task that name two people or places, none taken back, are two tasks (明天李四，后天王五),
        as are two questions of an agent whose tasks are about their own words (能借轮椅吗，停车怎么收费)."""
        found: list[LabelledStretch] = []
        first = 0
        for number, one in enumerate(judged):
            at = number
            since, anew = judged[first].atom.start, self._rules.segmenter.begins_anew
            if not one.label.startswith(GOES_ON) or anew(spots, one.kind, since, *one.atom[:2]):
                first, one = at, one._replace(label=one.label.replace(GOES_ON, BEGINS))
            elif kinds := self._names.get(one.kind):
                told = self._rules.slots.mentions(spots, judged[first].atom.start, one.atom.end, now)
                named = [(mention.value, mention.start >= one.atom.start) for mention in told if mention.kind in kinds]
                if len({value for value, _ in named if value}) > 1 and any(here for _, here in named):
                    while at - 1 > first and judged[at - 1].atom.end == judged[at].atom.start:
                        at, one = at - 1, found.pop()  # with what stands before the name in its clause
                    first = at
                    found.append(one._replace(label=BEGINS + one.kind))
                    found += judged[at + 1 : number + 1]
                    continue
            found.append(one)
        return found

    def _act(self, spots: Spots, kind: CueKind, span: Span, ruled: Ruled, now: dt.datetime) -> Cue:
        """A stretch that acts on the dialogue, with what the rules know of it."""
        there = [cue for cue in ruled.cues if covers(spots, cue, *span, share=0.0)]
        told = {cue.kind for cue in there}
        if kind in _ENDING and CueKind.CANCEL_ALL in told:
            kind = CueKind.CANCEL_ALL
        elif kind is CueKind.PUT_OFF and CueKind.FIRST in told and CueKind.PUT_OFF not in told:
            kind = CueKind.FIRST
        elif kind in _ENDING and CueKind.PUT_OFF in told:
            kind = CueKind.PUT_OFF  # what is put off is neither done nor given up
        elif kind in _DONE and CueKind.UNDONE in told:
            kind = CueKind.UNDONE
        elif kind is CueKind.UNDONE and self._rules.cues.find(spots, [span], only=frozenset({CueKind.CANCEL_ALL})):
            kind = CueKind.CANCEL_ALL
        elif kind in _DONE and self._rules.segmenter.questions(spots, *span):
            kind = CueKind.RESUME  # 弄好了吗 asks whether it is done
        same = next((cue for cue in there if cue.kind is kind), None)
        cue = same or next((cue for cue in there if cue.refused is not None), None)
        if cue is None:
            cue = self._rules.cues.cue(spots, kind, span, (0, 0))
        mentions = tuple(placed(spots, one) for one in self._rules.slots.mentions(spots, *span, now))
        if kind is CueKind.REFUSE and cue.refused is None:
            piece = self._rules.segmenter.piece(spots, *span)
            refused = self._rules.segment(spots, piece, now, None)
            return msgspec.structs.replace(cue, kind=kind, refused=refused, mentions=mentions)
        return msgspec.structs.replace(cue, kind=kind, mentions=mentions)

    def _segment(self, spots: Spots, group: Sequence[LabelledStretch], span: Span, now: dt.datetime) -> Segment:
        kind = group[0].kind
        piece = self._rules.segmenter.piece(spots, *span)
        chance = chance_of(group)
        if chance < FLOOR:  # what one stretch of it is, by the rules as well
            agreed = [(one.chances.get(code, 0.0), code) for one in group if (code := class_of(one.atom.by_rules))]
            chance, kind = max([(chance, kind), *(one for one in agreed if one[1] in self._tasks and one[0] >= FLOOR)])
        if kind in self._domain.agents and chance >= FLOOR:
            layer = Layer.RULE if class_of(group[0].atom.by_rules) == kind else Layer.MODEL
            piece.decision = ClassDecision(self._candidates(group, kind, chance), layer)
            opens: bool | None = True
        else:
            told = [one for one in piece.decision.candidates if one.agent_code != UNKNOWN_AGENT]
            layer = Layer.MODEL if kind in self._domain.agents else Layer.STATE  # a task that is unsure is left open
            piece.decision = ClassDecision((AgentCandidate(UNKNOWN_AGENT, chance), *told), layer)
            opens = None if kind == RETURN else kind in self._domain.agents
        segment = msgspec.structs.replace(self._rules.segment(spots, piece, now, None), opens=opens)
        return named_first(segment, self._domain) if opens else segment

    def _candidates(self, group: Sequence[LabelledStretch], kind: str, chance: float) -> tuple[AgentCandidate, ...]:
        others = [(agent, score) for agent, score in group[0].chances.items() if agent in self._tasks - {kind}]
        ranked = sorted(others, key=lambda item: -item[1])[: _CANDIDATES - 1]
        return (
            AgentCandidate(kind, round(chance, 4)),
            *(AgentCandidate(agent, round(score, 4)) for agent, score in ranked),
        )

    def _nothing(self, spots: Spots, judged: Sequence[LabelledStretch]) -> Segment:
        """A turn that is no task and does nothing."""
        chance = min(one.chances.get(BACKGROUND, 0.0) for one in judged)
        start, end = spots.normalised.original_span(judged[0].atom.start, judged[-1].atom.end)
        return Segment(spots.original[start:end], start, end, confidence=round(chance, 4), layer=Layer.MODEL)
