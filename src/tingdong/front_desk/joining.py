"""Which pieces are one task: statements join the request they belong to (hospital.md, Segments)."""

from __future__ import annotations

from tingdong.front_desk.board import LEAST_QUESTION
from tingdong.front_desk.borders import LIKELY, NEVER, PARTED
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.pieces import Piece, longest_at
from tingdong.front_desk.spotting import Spots
from tingdong.front_desk.tasks import ASKED, TaskReader

LONGEST_READ = 160
"""Characters that are read as one at most; more are read in parts."""


class Joiner(TaskReader):
    """Joins pieces that stand side by side."""

    def _joined(self, spots: Spots, pieces: list[Piece], chances: dict[int, float]) -> list[Piece]:
        tasks: list[Piece] = []
        for index, piece in enumerate(pieces):
            following = pieces[index + 1] if index + 1 < len(pieces) else None
            chance = chances.get(piece.start, LIKELY)
            goes_on = chance < NEVER and not (piece.connective or self._says_so(piece))
            apart = chance >= PARTED and self._asks_again(tasks[-1:], piece)
            if tasks and not (apart or piece.parted) and (goes_on or self._belongs(tasks[-1], piece, following)):
                self._join(spots, tasks[-1], piece)
            else:
                tasks.append(piece)
        return self._without_leftovers(spots, tasks)

    def _asks_again(self, tasks: list[Piece], piece: Piece) -> bool:
        """Whether a piece is another question of the agent before it (一个号几块，老年人半价不)."""
        return any(
            task.agent == piece.agent
            and task.agent not in self._groups
            and min(task.decision.score, piece.decision.score) >= ASKED
            and self._says_so(task)
            and self._says_so(piece)
            for task in tasks
        )

    def begins_anew(self, spots: Spots, agent: str, since: int, start: int, end: int) -> bool:
        """Whether a stretch that goes on with a task of an agent is led to a wish for one more (顺便帮我也挂一个), or,
        where tasks are about their own words, is another question than what stands before it."""
        task, mask = spots.mask(since, start), spots.mask(start, end)
        led = longest_at(spots, self._links, start, end)
        if mask & self._wishes and led and self._also.search(spots.text, start, end):
            return True
        anew = agent in self._in_words and (mask & self._own.get(agent, 0) or led)
        return bool(anew and task & mask & self._question) and end - start >= LEAST_QUESTION

    def _belongs(self, task: Piece, piece: Piece, following: Piece | None) -> bool:
        """Whether a piece is part of the task before it (hospital.md, Segments)."""
        if piece.loose and not piece.connective:
            return True
        if not task.asks:
            return self._told_before(task, piece)
        if not piece.asks:
            return self._told_after(task, piece, following)
        return not piece.connective and self._one_task(task, piece)

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
        if piece.end - task.start > LONGEST_READ:
            self._append(task, piece)
            return
        task.end = piece.end
        asks, loose = task.asks or piece.asks, task.loose and piece.loose
        self._read(spots, task)
        task.asks, task.loose = asks, loose
        if kept is not None and kept.agent_code != UNKNOWN_AGENT:
            task.decision = kept

    @staticmethod
    def _append(task: Piece, piece: Piece) -> None:
        """What is too long to be read as one is what its parts are."""
        if piece.asks and not task.asks:
            task.decision = piece.decision
        task.asks, task.loose = task.asks or piece.asks, task.loose and piece.loose
        task.mask |= piece.mask
        task.settled = task.settled or piece.settled
        task.end = piece.end

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
