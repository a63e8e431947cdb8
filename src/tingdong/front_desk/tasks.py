"""The agent of a piece, and whether it is a request or a statement (hospital.md, Segments, Class)."""

from __future__ import annotations

from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.pieces import Piece
from tingdong.front_desk.spotting import CONNECTIVE, HISTORY, WEAK_CONNECTIVE, Spots, Spotter

CERTAIN = 0.9
"""Score or chance that leaves no doubt."""
ASKED = 0.85
"""Score from which a request that the rules know counts as one without a word of asking."""
SURE_OF_TASK = 0.7
"""Score from which a piece is taken to belong to its agent whatever stands beside it."""


class TaskReader:
    """Reads pieces by the cutting rules of a domain."""

    def __init__(self, spotter: Spotter, classifier: Classifier) -> None:
        domain: Domain = spotter.domain
        cutting = domain.cutting
        self._classifier = classifier
        self._asks = spotter.bits(cutting.asks)
        self._alone = spotter.bits(cutting.alone)
        self._wishes = spotter.bits(cutting.wishes)
        self._once = spotter.bits(cutting.once)
        self._question = spotter.bits(cutting.questions)
        self._existing = spotter.bits(cutting.arranged)
        self._connective = spotter.bit(CONNECTIVE)
        self._links = self._connective | spotter.bit(WEAK_CONNECTIVE)
        self._in_words = {code for code in domain.agents if domain.in_words(code)}
        self._also = any_of(domain.correcting.also)
        self._history = spotter.bit(HISTORY) | self._existing
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
        self._particles = frozenset(domain.markers.particles)

    def names_nothing(self, piece: Piece) -> bool:
        """Whether a piece names no object of any agent and makes no request that stands alone."""
        return not piece.mask & (self._objects | self._alone | self._question)

    def in_words(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a stretch asks or wishes in words of its own, not by a name alone."""
        return bool(spots.mask(start, end) & (self._asks | self._question))

    def questions(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a stretch has the form of a question."""
        return bool(spots.mask(start, end) & self._question)

    def wishes(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a stretch has the form of a question, or of a wish."""
        return bool(spots.mask(start, end) & (self._question | self._wishes))

    def asks(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a clause asks or wishes something, in so many words or as a request the rules are sure of."""
        if self.wishes(spots, start, end):
            return True
        piece = self.piece(spots, start, end)
        return piece.decision.score >= ASKED and piece.decision.agent_code not in {*self._tells, UNKNOWN_AGENT}

    def piece(self, spots: Spots, start: int, end: int) -> Piece:
        """A stretch read as one task."""
        piece = Piece(start, end, connective=False)
        self._read(spots, piece)
        return piece

    def _read(self, spots: Spots, piece: Piece) -> None:
        span = piece.start, piece.end
        known = spots.classified.get(span)
        if known is None:
            mask = spots.mask(*span)
            known = spots.classified[span] = mask, self._classifier.classify(spots.text[span[0] : span[1]], mask)
        piece.mask, piece.decision = known
        asks = piece.mask & (self._asks | self._question)
        if piece.mask & self._existing:
            asks &= ~self._wishes  # 上周约的李四: what was wished for then
        sure = piece.decision.score >= SURE_OF_TASK
        piece.asks = bool(asks) or (sure and piece.decision.agent_code not in self._tells)
        piece.loose = bool(asks) and piece.decision.score < CERTAIN and not piece.mask & (self._objects | self._alone)
        piece.settled = piece.asks or (sure and not piece.mask & self._history)

    def _says_so(self, piece: Piece) -> bool:
        """Whether a piece asks or wishes in words of its own, not by a name alone."""
        return bool(piece.mask & (self._asks | self._question))

    def _closed(self, spots: Spots, at: int) -> bool:
        """Whether a question ends here: with a particle, or with its question word."""
        return spots.text[at - 1] in self._particles or spots.text.endswith(self._closers, 0, at)

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
        return not (both_ask and not same and piece.decision.score >= SURE_OF_TASK)
