"""Statements about appointments made elsewhere, and withdrawals (hospital.md, Ops)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tingdong.front_desk.align import slot_frame
from tingdong.front_desk.kinds import DAY_TIMES, PERSON, PLACE, is_object
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import UNKNOWN_AGENT, TaskFrame
from tingdong.front_desk.naming import TaskWords, which
from tingdong.front_desk.pieces import overlaps
from tingdong.front_desk.placing import Placing, Unsure
from tingdong.front_desk.settled import Said

__all__ = ["Frames", "Outcome", "elsewhere", "says_stays", "staying", "suits", "withdrawn"]

SURE_ASKED = 0.5
"""Confidence from which a question is one, and gives nothing up."""
Frames = Sequence[TaskFrame]
Outcome = Sequence[tuple[TaskFrame, dict[str, str]]] | Unsure | None
"""Tasks that a clause changes with their slots, tasks that it may mean, or None for a clause that changes none."""


def withdrawn(placing: Placing, clause: Said, _: Frames) -> Outcome:
    """号别退了: the question that asks for that is given up, and what is booked goes on."""
    board, words = placing.board, placing.board.domain.operating
    said = re.search(f"(?:{any_of(words.refuses).pattern})({any_of(words.undoes).pattern})", clause.text)
    if said is None or clause.text[: said.start()].endswith(said[1]) or clause.supposed:  # 退不退得了
        return None
    asked = [one for one in placing.reading.segments if overlaps(one.start, one.end, [(clause.start, clause.end)])]
    if any(one.opens and one.asks and one.confidence >= SURE_ASKED for one in asked):
        return None
    alone = [frame for frame in board.open() if not board.domain.agents[frame.agent_code].group]
    meant = [frame for frame in alone if any(said[1] in value for value in frame.slots.values())]
    for frame in meant:
        placing.give_up(frame, clause.text)
    focus = board.standing_focus()
    return [(focus, {})] if focus is not None and board.domain.agents[focus.agent_code].group else [] if meant else None


def elsewhere(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """我挂的是骨科的，十七号; 公众号上约好了: what stands elsewhere is told of, and no booking wanted; nor is one that
    others speak of while what to book is the question. It fits at most what is asked (the queue of a place)."""
    board, words = placing.board, placing.board.domain.operating
    by_itself = any_of(words.stands).search(clause.text) is not None and not frames
    asked = bool(frames) and all(frame.agent_code in board.domain.cutting.tells for frame in frames)
    asked = asked and not any(one.of(*DAY_TIMES) for one in board.said)  # 他说挂骨科就行，明天一早
    by_itself = by_itself or (asked and any_of(words.opinions).search(clause.text) is not None)
    if not by_itself and not any_of(words.arranged).search(clause.text):
        return None
    behind = [
        one
        for one in placing.reading.segments
        if by_itself and one.opens and one.start >= clause.end and one.agent_code in board.domain.agents
    ]
    asked_for = next((one.start for one in behind if not board.domain.agents[one.agent_code].group), clause.end)
    _open_nothing(placing, clause.start, asked_for)
    others = [frame for frame in board.open() if not board.domain.agents[frame.agent_code].group]
    fits = slot_frame(board.domain, others, clause.mentions)
    focus = board.standing_focus()
    return [fits] if fits is not None else [(focus, {})] if focus is not None else None


def suits(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """看方便医生对不对路: whether whoever is booked is right for what ails somebody changes no booking."""
    board = placing.board
    named = clause.of(PERSON, PLACE)
    held = {value for frame in frames for value in frame.slots.values()}
    if not frames or not any_of(board.domain.operating.suits).search(clause.text) or clause.of(*DAY_TIMES):
        return None
    if any(one.value not in held for one in named):
        return None
    _open_nothing(placing, 0, clause.end, within=clause.start)
    meant = which(board.domain, frames, TaskWords("", named), times=False).sure if named else board.standing_focus()
    return [(meant if meant is not None and meant in frames else frames[0], {})]


def says_stays(placing: Placing, clause: Said) -> bool:
    """Whether a clause says that something stays as it is."""
    domain = placing.board.domain
    text = clause.text.rstrip(domain.markers.particles)
    return re.fullmatch(f".*(?:{any_of(domain.operating.stays).pattern})", text) is not None


def staying(placing: Placing, clause: Said, frames: Frames) -> TaskFrame | None:
    """The task that a clause says stays as it is: the one that it names, or points at."""
    named = [one for one in clause.mentions if is_object(one.kind) and one.value]
    if not says_stays(placing, clause):
        return None
    if named:
        return which(placing.board.domain, frames, TaskWords("", named), times=False).sure
    focus, pointed = placing.board.standing_focus(), any_of(placing.board.domain.operating.that_one).search(clause.text)
    return focus if focus in frames and pointed else None


def _open_nothing(placing: Placing, since: int, until: int, *, within: int = 0) -> None:
    """What begins `since` and `until` two places, and goes on behind `within`, would be a booking and is none."""
    for index, segment in enumerate(placing.reading.segments):
        agent = placing.board.domain.agents.get(segment.agent_code)
        if since <= segment.start < until and segment.end > within and (agent is None or agent.group):
            placing.place(index, UNKNOWN_AGENT)
