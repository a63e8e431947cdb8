"""Where one task ends and the next begins (hospital.md, Segments).

A turn is cut at punctuation, at connectives, and, for transcripts without either, between two requests that stand side
by side. What only tells something (a symptom, a date, a reason; hospital.md, Segments) then goes with the request it
belongs to. Spans stay in the text as spotted; the segment's own words are what is left when the edges are trimmed.
"""

from __future__ import annotations

from itertools import pairwise

from tingdong.front_desk.borders import LIKELY, POSSIBLE, UNLIKELY, Borders
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.joining import LONGEST_READ, Joiner
from tingdong.front_desk.kinds import TIMES
from tingdong.front_desk.lexicon import PUNCTUATION
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.pieces import Piece, longest_at
from tingdong.front_desk.spotting import (
    ENDING,
    LEADING,
    NOT_CONNECTIVE,
    PRONOUN,
    RIVAL_NAME,
    Spots,
    Spotter,
)
from tingdong.front_desk.tasks import ASKED, CERTAIN

_LEAST_SIDE = 2
_MOST_TRIED = 8
"""Borders of one stretch that are tried, the likeliest first."""
_NEAR = 64
"""Characters that a word has at most."""
MOST_PIECES = 96
"""Pieces of a turn within whose clauses others are looked for: twice the stretches that are read."""
_BEYOND_DOUBT = 0.95
"""Chance of a border from which the rules of one task are not asked."""
_LONG = 14
"""Characters from which they may be two whatever words they are."""
_LEAST_SPOKEN = 7
"""Characters from which words without a sign may be two requests."""
_AUXILIARIES = frozenset("这那该要得应想我就给请去能")


class Segmenter(Joiner):
    """Cuts spotted texts by the markers and the cutting rules of a domain."""

    def __init__(self, spotter: Spotter, classifier: Classifier, borders: Borders) -> None:
        super().__init__(spotter, classifier)
        self._borders_model = borders
        self._answering = spotter.bits(TIMES)
        self._keeps_pronoun = tuple(spotter.domain.markers.keeps_pronoun.split())
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
        length = len(spots.text)
        telling = self._asks | self._question | self._objects
        several = len(spans) > 1 or length >= _LONG or len(self._clusters(spots, 0, length, telling)) > 1
        chances = self._borders_model.chances(spots) if several and length >= _LEAST_SPOKEN else {}
        pieces = self._pieces(spots, _short(spans, chances), chances)
        if answers:
            for piece in pieces:
                piece.answers = bool(piece.mask & self._answering) and not piece.asks
        return self._joined(spots, pieces, chances)

    def holds_task(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a stretch asks or tells something of an agent."""
        start, end, _ = self._trim_start(spots, start, end)
        piece = self.piece(spots, start, end)
        return piece.asks or piece.agent != UNKNOWN_AGENT

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
            link = longest_at(spots, self._links, start, end)
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

    def _pieces(self, spots: Spots, spans: list[tuple[int, int]], chances: dict[int, float]) -> list[Piece]:
        """Clauses, cut further at connectives and between requests, each classified by itself."""
        pieces: list[Piece] = []
        pending = False
        for clause_start, clause_end in spans:
            for start, end, linked in self._at_connectives(spots, clause_start, clause_end):
                begin, _, connective = self._trim_start(spots, start, end)
                pending = pending or connective or linked
                if begin >= end:
                    continue
                clauses = self._at_borders(spots, begin, end, chances) if len(pieces) < MOST_PIECES else []
                parts = [
                    part
                    for clause in clauses
                    for whole in self._between_requests(spots, *clause, chances)
                    for part in self._rivals(spots, *whole)
                ] or [(begin, end)]
                for index, (left, right) in enumerate(parts):
                    piece = Piece(left, right, connective=pending and index == 0)
                    piece.parted = bool(index and chances)
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

    def _between_requests(self, spots: Spots, start: int, end: int, chances: dict[int, float]) -> list[tuple[int, int]]:
        """Cuts inside a clause where one whole request follows another (voice transcripts)."""
        clusters = self._clusters(spots, start, end, self._asks)
        parts: list[tuple[int, int]] = []
        for index, right in enumerate(clusters):
            left_end = clusters[index - 1][1] if index else start
            for at in self._borders(spots, left_end, right, told=not index):
                wide = at - start >= _LEAST_SIDE and end - at >= _LEAST_SIDE
                if wide and self._two_tasks(spots, start, at, end, chances.get(at, 1.0)):
                    parts.append((start, at))
                    start = at
                    break
        parts.append((start, end))
        return parts

    def _at_borders(self, spots: Spots, start: int, end: int, chances: dict[int, float]) -> list[tuple[int, int]]:
        """Cuts where the local model finds a border and both sides are tasks of their own, the likeliest first."""
        likely = [(chances[at], at) for at in range(start + 1, end) if chances.get(at, 0.0) >= POSSIBLE]
        for chance, at in sorted(likely, reverse=True)[:_MOST_TRIED]:
            if self._likely_two(spots, start, at, end, chance):
                return [*self._at_borders(spots, start, at, chances), *self._at_borders(spots, at, end, chances)]
        return [(start, end)]

    def _likely_two(self, spots: Spots, start: int, at: int, end: int, chance: float) -> bool:
        left, right = self.piece(spots, start, at), self.piece(spots, at, end)
        if (
            UNKNOWN_AGENT in {left.agent, right.agent}
            or right.loose
            or left.loose
            or not (right.asks or chance >= CERTAIN)
        ):
            return False
        same, pair = left.agent == right.agent, (left.agent, right.agent)
        certain = min(left.decision.score, right.decision.score) >= CERTAIN
        if chance < (POSSIBLE if certain and not same else LIKELY):
            return False
        if left.mask & right.mask & self._once:
            return False
        group = self._groups.get(left.agent)
        if group and group == self._groups.get(right.agent) and self._one_task(left, right):
            return False
        if chance >= _BEYOND_DOUBT and left.asks and min(left.decision.score, right.decision.score) >= ASKED:
            return True
        if not left.asks:
            return pair in self._unlike or (chance >= LIKELY and pair in self._apart and self._says_so(right))
        if not self._says_so(left) or (same and not self._closed(spots, at)):
            return False
        if not self._says_so(right) and not (certain and (not same or chance >= CERTAIN)):
            return False
        return not self._one_task(left, right)

    def _rivals(self, spots: Spots, start: int, end: int) -> list[tuple[int, int]]:
        """Cuts one request where it names two things that exclude one another (挂骨科李四医生, who is no one there), or
        that it counts (一个…一个…)."""
        borders = [at for at, _ in spots.inside(start + 1, end - 1, self._rival)]
        if not borders or self.piece(spots, start, end).agent not in self._groups:
            return [(start, end)]
        return list(pairwise((start, *sorted(borders), end)))

    @staticmethod
    def _clusters(spots: Spots, start: int, end: int, bits: int) -> list[tuple[int, int]]:
        """Spans of asking words, those that touch joined."""
        spans = sorted(spots.inside(start, end, bits))
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
        if told:
            at = right[0]
            while at > left_end and text[at - 1] in _AUXILIARIES:
                at -= 1
            return [at] if at > left_end else []
        places = range(left_end, right[0] + 1)
        behind = [at for at in places if text[at - 1] in self._particles and text[at : at + 1] not in self._particles]
        near = [row for row in spots.rows(left_end, min(len(text), right[0] + _NEAR)) if row[0] <= right[0]]
        starts = {first for first, _, _ in near}
        closed = [at for at in places if at in starts and text.endswith(self._closers, 0, at)]
        named = [first for first, _, bits in near if bits & self._objects]
        return [*behind, *closed, *sorted(named), left_end][:3]

    def _two_tasks(self, spots: Spots, start: int, at: int, end: int, chance: float) -> bool:
        left, right = self.piece(spots, start, at), self.piece(spots, at, end)
        if UNKNOWN_AGENT in {left.agent, right.agent} or right.loose or left.loose or not right.asks:
            return False
        if not left.asks:
            return (left.agent, right.agent) in self._unlike
        if left.agent == right.agent and chance < UNLIKELY:
            return False
        if not self._closed(spots, at) and not self._both_whole(left, right):
            return False
        return not self._one_task(left, right)

    def _both_whole(self, left: Piece, right: Piece) -> bool:
        """Whether both sides ask and name something; who is booked and why (头痛想挂李四的号) is one request."""
        group = self._groups.get(left.agent)
        if group and group == self._groups.get(right.agent):
            return False
        return bool(left.mask & self._asks and left.mask & self._objects and right.mask & self._objects)


def _short(spans: list[tuple[int, int]], chances: dict[int, float]) -> list[tuple[int, int]]:
    """Clauses, the overlong cut at their likeliest borders: work grows with the length, not with its square."""
    short: list[tuple[int, int]] = []
    for start, end in spans:
        while end - start > LONGEST_READ:
            places = range(start + LONGEST_READ // 2, start + LONGEST_READ)
            at = max(places, key=lambda place: chances.get(place, 0.0))
            short.append((start, at))
            start = at
        short.append((start, end))
    return short
