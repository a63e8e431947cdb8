"""Where one task ends and the next begins (seed 003 §2).

A turn is cut at punctuation, at connectives, and, for transcripts without either, between two requests that stand side
by side. What only tells something (a symptom, a date, a reason; §2.2) then goes with the request it belongs to.
Spans stay in the text as spotted; the segment's own words are what is left when the edges are trimmed.
"""

from __future__ import annotations

from tingdong.dialogue.classify import Classifier
from tingdong.dialogue.domain import Domain
from tingdong.dialogue.lexicon import PUNCTUATION, phrases
from tingdong.dialogue.model import UNKNOWN_AGENT
from tingdong.dialogue.pieces import Piece, longest_at
from tingdong.dialogue.spotting import (
    CONNECTIVE,
    ENDING,
    LEADING,
    NOT_CONNECTIVE,
    PRONOUN,
    RIVAL_NAME,
    WEAK_CONNECTIVE,
    Spots,
    Spotter,
)

_LEAST_SIDE = 2
_CERTAIN = 0.9
_ASKED = 0.85
_SURE = 0.7
"""Score from which a piece is taken to belong to its agent whatever stands beside it."""
_AUXILIARIES = frozenset("这那该要得应想我就给请去能")


class Segmenter:
    """Cuts spotted texts by the markers and the cutting rules of a domain."""

    def __init__(self, spotter: Spotter, classifier: Classifier) -> None:
        domain: Domain = spotter.domain
        cutting = domain.cutting
        self._classifier = classifier
        self._asks = spotter.bits(cutting.asks)
        self._alone = spotter.bits(cutting.alone)
        self._wishes = spotter.bits(cutting.wishes)
        self._answering = spotter.bits(("date", "period", "duration"))
        self._once = spotter.bits(cutting.once)
        self._question = spotter.bit("question")
        self._closers = tuple(phrases(domain.markers.closers))
        self._apart = set(cutting.apart)
        self._unlike = set(cutting.unlike)
        self._own = {agent: spotter.bits(names) for agent, names in cutting.own.items()}
        self._objects = 0
        for bits in self._own.values():
            self._objects |= bits
        self._tells = {*cutting.tells, UNKNOWN_AGENT}
        self._groups = {code: agent.group for code, agent in domain.agents.items() if agent.group}
        self._group_objects: dict[str, int] = {}
        for code, group in self._groups.items():
            self._group_objects[group] = self._group_objects.get(group, 0) | self._own.get(code, 0)
        self._lanes = {code: agent.lane for code, agent in domain.agents.items()}
        self._leads = {name for name, lane in domain.lanes.items() if lane.leads}
        self._particles = frozenset(domain.markers.particles)
        self._keeps_pronoun = tuple(domain.markers.keeps_pronoun.split())
        self._connective = spotter.bit(CONNECTIVE)
        self._weak = spotter.bit(WEAK_CONNECTIVE)
        self._rival = spotter.bit(RIVAL_NAME)
        self._not_connective = spotter.bit(NOT_CONNECTIVE)
        self._leading = spotter.bit(LEADING)
        self._pronoun = spotter.bit(PRONOUN)
        self._ending = spotter.bit(ENDING)

    def cut(self, spots: Spots, spans: list[tuple[int, int]], *, answers: bool = False) -> list[Piece]:
        """Pieces of some clauses of a text, one a task, in order; empty when nothing but edges is said.

        With `answers` the turn may answer a question put to the user: a bare date before a connective is then a piece
        of its own (周四的，对了停车怎么收费).
        """
        pieces = self._pieces(spots, spans)
        if answers:
            for piece in pieces:
                piece.answers = bool(piece.mask & self._answering) and not piece.asks
        return self._joined(spots, pieces)

    def names_nothing(self, piece: Piece) -> bool:
        """Whether a piece names no object of any agent and makes no request that stands alone."""
        return not piece.mask & (self._objects | self._alone | self._question)

    def asks(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a clause asks or wishes something, in so many words or as a request the rules are sure of."""
        mask = spots.mask(start, end)
        if mask & (self._question | self._wishes):
            return True
        piece = Piece(start, end, connective=False)
        self._read(spots, piece)
        return piece.decision.score >= _ASKED and piece.decision.agent_code not in {*self._tells, UNKNOWN_AGENT}

    def trim(self, spots: Spots, start: int, end: int) -> tuple[int, int]:
        """The span without connectives, openers, politeness and subject pronouns at its edges (hospital.md)."""
        start, end, _ = self._trim_start(spots, start, end)
        text = spots.text
        while end > start:
            if text[end - 1] in PUNCTUATION or text[end - 1] == " ":
                end -= 1
                continue
            ending = next((s for s, e in spots.found.get(self._ending, ()) if e == end and s > start), None)
            if ending is None:
                break
            end = ending
        start = self._trim_pronoun(spots, start, end)
        return start, end

    def _trim_start(self, spots: Spots, start: int, end: int) -> tuple[int, int, bool]:
        """Skip punctuation, openers, politeness and connectives; tells whether a connective was among them."""
        connective = False
        while start < end:
            if spots.text[start] in PUNCTUATION or spots.text[start] == " ":
                start += 1
                continue
            lead = longest_at(spots, self._leading, start, end)
            link = longest_at(spots, self._connective | self._weak, start, end)
            if link and longest_at(spots, self._not_connective, start, end):
                link = 0
            step = max(lead, link)
            if not step or step >= end:
                break
            connective = connective or link >= lead
            start = step
        return start, end, connective

    def _trim_pronoun(self, spots: Spots, start: int, end: int) -> int:
        after = longest_at(spots, self._pronoun, start, end)
        if not after or after >= end or spots.text.startswith(self._keeps_pronoun, after):
            return start
        return after

    def _pieces(self, spots: Spots, spans: list[tuple[int, int]]) -> list[Piece]:
        """Clauses, cut further at connectives and between requests, each classified by itself."""
        pieces: list[Piece] = []
        pending = False
        for clause_start, clause_end in spans:
            for start, end, linked in self._at_connectives(spots, clause_start, clause_end):
                begin, _, connective = self._trim_start(spots, start, end)
                pending = pending or connective or linked
                if begin >= end:
                    continue
                parts = [
                    part for whole in self._between_requests(spots, begin, end) for part in self._rivals(spots, *whole)
                ]
                for index, (left, right) in enumerate(parts):
                    piece = Piece(left, right, connective=pending and index == 0)
                    self._read(spots, piece)
                    pieces.append(piece)
                pending = False
        return pieces

    def _at_connectives(self, spots: Spots, start: int, end: int) -> list[tuple[int, int, bool]]:
        parts: list[tuple[int, int, bool]] = []
        begin, linked = start, False
        blocked = spots.found.get(self._not_connective, ())
        for at, after in sorted(spots.found.get(self._connective, ())):
            inside = begin + _LEAST_SIDE <= at and after < end
            if inside and not any(other_start <= at < other_end for other_start, other_end in blocked):
                parts.append((begin, at, linked))
                begin, linked = at, True
        parts.append((begin, end, linked))
        return parts

    def _read(self, spots: Spots, piece: Piece) -> None:
        span = piece.start, piece.end
        known = spots.classified.get(span)
        if known is None:
            mask = spots.mask(*span)
            known = spots.classified[span] = mask, self._classifier.classify(spots.text[span[0] : span[1]], mask)
        piece.mask, piece.decision = known
        asks = piece.mask & (self._asks | self._question)
        sure = piece.decision.score >= _SURE
        piece.asks = bool(asks) or (sure and piece.decision.agent_code not in self._tells)
        piece.loose = bool(asks) and piece.decision.score < _CERTAIN and not piece.mask & (self._objects | self._alone)
        piece.settled = piece.asks or sure

    def _between_requests(self, spots: Spots, start: int, end: int) -> list[tuple[int, int]]:
        """Cuts inside a clause where one whole request follows another (voice transcripts)."""
        clusters = self._clusters(spots, start, end)
        parts: list[tuple[int, int]] = []
        for index, right in enumerate(clusters):
            left_end = clusters[index - 1][1] if index else start
            for at in self._borders(spots, left_end, right, told=not index):
                if at - start >= _LEAST_SIDE and end - at >= _LEAST_SIDE and self._two_tasks(spots, start, at, end):
                    parts.append((start, at))
                    start = at
                    break
        parts.append((start, end))
        return parts

    def _rivals(self, spots: Spots, start: int, end: int) -> list[tuple[int, int]]:
        """Cuts one request where it names two things that exclude one another (挂骨科李四医生, who is no one there)."""
        borders = [at for at, _ in spots.found.get(self._rival, ()) if start < at < end]
        if not borders:
            return [(start, end)]
        piece = Piece(start, end, connective=False)
        self._read(spots, piece)
        if piece.agent not in self._groups:
            return [(start, end)]
        return [(start, borders[0]), (borders[0], end)]

    def _clusters(self, spots: Spots, start: int, end: int) -> list[tuple[int, int]]:
        """Spans of asking words, those that touch joined."""
        spans = sorted(
            span
            for bit, found in spots.found.items()
            if bit & self._asks
            for span in found
            if span[0] >= start and span[1] <= end
        )
        clusters: list[tuple[int, int]] = []
        for span in spans:
            if clusters and span[0] <= clusters[-1][1]:
                clusters[-1] = (clusters[-1][0], max(clusters[-1][1], span[1]))
            else:
                clusters.append(span)
        return clusters

    def _borders(self, spots: Spots, left_end: int, right: tuple[int, int], *, told: bool) -> list[int]:
        """Likely borders before the request `right`, best first.

        After a request: behind its particle or question word, or before an object that the next request names. After
        something told: right before the request.
        """
        text = spots.text
        starts = {span[0] for found in spots.found.values() for span in found}
        if told:
            at = right[0]
            while at > left_end and text[at - 1] in _AUXILIARIES:
                at -= 1
            return [at] if at > left_end else []
        places = range(left_end, right[0] + 1)
        behind = [at for at in places if text[at - 1] in self._particles and text[at : at + 1] not in self._particles]
        closed = [at for at in places if at in starts and text.endswith(self._closers, 0, at)]
        named = [
            span[0]
            for bit, found in spots.found.items()
            if bit & self._objects
            for span in found
            if left_end <= span[0] <= right[0]
        ]
        return [*behind, *closed, *sorted(named), left_end][:3]

    def _two_tasks(self, spots: Spots, start: int, at: int, end: int) -> bool:
        left, right = Piece(start, at, connective=False), Piece(at, end, connective=False)
        self._read(spots, left)
        self._read(spots, right)
        if UNKNOWN_AGENT in {left.agent, right.agent} or right.loose or left.loose or not right.asks:
            return False
        if not left.asks:
            return (left.agent, right.agent) in self._unlike
        closed = spots.text[at - 1] in self._particles or spots.text.endswith(self._closers, 0, at)
        if not closed and not self._both_whole(left, right):
            return False
        return not self._one_task(left, right)

    def _both_whole(self, left: Piece, right: Piece) -> bool:
        """Whether both sides ask and name something; who is booked and why (头痛想挂李四的号) is one request."""
        group = self._groups.get(left.agent)
        if group and group == self._groups.get(right.agent):
            return False
        return bool(left.mask & self._asks and left.mask & self._objects and right.mask & self._objects)

    def _joined(self, spots: Spots, pieces: list[Piece]) -> list[Piece]:
        tasks: list[Piece] = []
        for index, piece in enumerate(pieces):
            following = pieces[index + 1] if index + 1 < len(pieces) else None
            if tasks and self._belongs(tasks[-1], piece, following):
                self._join(spots, tasks[-1], piece)
            else:
                tasks.append(piece)
        return self._without_leftovers(spots, tasks)

    def _belongs(self, task: Piece, piece: Piece, following: Piece | None) -> bool:
        """Whether a piece is part of the task before it (seed 003 §2.2)."""
        if piece.loose and not piece.connective:
            return True
        if not task.asks:
            return self._told_before(task, piece)
        if not piece.asks:
            return self._told_after(task, piece, following)
        return not piece.connective and self._one_task(task, piece)

    def _one_task(self, task: Piece, piece: Piece) -> bool:
        """Whether two requests side by side, with no connective between, are one."""
        if piece.agent == UNKNOWN_AGENT:
            return True
        group = self._groups.get(task.agent)
        if group and group == self._groups.get(piece.agent):
            objects = self._group_objects[group]
            return not (piece.mask & objects and task.mask & (objects | self._alone))
        if piece.agent != task.agent:
            return False
        if task.mask & piece.mask & self._once:
            return True
        if piece.mask & self._own.get(piece.agent, 0):
            return False
        both_ask = task.mask & piece.mask & self._question
        same = task.mask & piece.mask & self._asks & ~self._question
        return not (both_ask and not same and piece.decision.score >= _SURE)

    def _told_before(self, task: Piece, piece: Piece) -> bool:
        if task.answers and piece.connective:
            return False
        if task.agent == UNKNOWN_AGENT:
            return not (piece.connective and piece.asks and task.end - task.start > 6)
        if not piece.asks and piece.agent in {task.agent, UNKNOWN_AGENT}:
            return True
        if self._lanes.get(task.agent) != self._lanes.get(piece.agent):
            return piece.agent == UNKNOWN_AGENT and not piece.connective
        return not piece.connective and (task.agent, piece.agent) not in self._apart

    def _told_after(self, task: Piece, piece: Piece, following: Piece | None) -> bool:
        if piece.agent == UNKNOWN_AGENT:
            return not (piece.connective and following is not None and not following.connective)
        if piece.connective:
            return piece.agent == task.agent
        goes_on = (
            following is not None
            and following.asks
            and not following.connective
            and (piece.agent, following.agent) not in self._apart
            and (
                following.agent == piece.agent or self._groups.get(following.agent) == self._groups.get(piece.agent, "")
            )
        )
        if goes_on and piece.agent != task.agent:
            return False
        same_lane = self._lanes.get(task.agent) == self._lanes.get(piece.agent)
        return task.agent == piece.agent or (same_lane and (piece.agent, task.agent) not in self._apart)

    def _join(self, spots: Spots, task: Piece, piece: Piece) -> None:
        kept = task.decision if task.asks and (piece.loose or not piece.asks) else None
        task.end = piece.end
        asks, loose = task.asks or piece.asks, task.loose and piece.loose
        self._read(spots, task)
        task.asks, task.loose = asks, loose
        if kept is not None and kept.agent_code != UNKNOWN_AGENT:
            task.decision = kept

    def _without_leftovers(self, spots: Spots, tasks: list[Piece]) -> list[Piece]:
        """Told pieces that fit no agent go with their neighbour, so that only a turn of nothing else is unknown."""
        kept: list[Piece] = []
        for task in tasks:
            if kept and task.agent == UNKNOWN_AGENT and not task.asks:
                self._join(spots, kept[-1], task)
            elif kept and kept[-1].agent == UNKNOWN_AGENT and not (kept[-1].asks or kept[-1].answers):
                kept[-1].connective = False
                self._join(spots, kept[-1], task)
            else:
                kept.append(task)
        return kept
