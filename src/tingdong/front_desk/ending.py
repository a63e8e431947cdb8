"""What ends, waits or is asked for first: cues applied to the frames they name (hospital.md, Ops)."""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.front_desk.align import CLOSE, by_cue, by_meaning, fitting_slots, likeness, names_task, would_be
from tingdong.front_desk.board import Board
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, OpKind, Segment, Status, TaskFrame, TurnType
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.placing import Placing

__all__ = ["apply_cues"]

_ENDS = {
    CueKind.CANCEL: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.CANCEL_ALL: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.REFUSE: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.COMPLETE: (Status.COMPLETED, OpKind.COMPLETE, TurnType.CONFIRM),
    CueKind.ALL_DONE: (Status.COMPLETED, OpKind.COMPLETE, TurnType.CONFIRM),
}

_EVERY = frozenset({CueKind.ALL_DONE, CueKind.CANCEL_ALL})
"""Cues that are said of every open task."""


def apply_cues(placing: Placing, *, clarify_pending: bool) -> None:
    """Applies every cue of the reading that acts on frames, in the order said."""
    ended = pointed = placing.chose
    for cue in _told_apart(placing.reading.cues):
        if cue.kind in _ENDS and (not ended or cue.kind in _EVERY or _names(placing, cue)):
            ended = _end(placing, cue, clarify_pending=clarify_pending) or ended
        elif cue.kind is CueKind.PUT_OFF and not (placing.chose and placing.put_off):
            _put_off(placing, cue)
        elif cue.kind is CueKind.FIRST and not pointed:
            pointed = _first(placing, cue)
        elif cue.kind in (CueKind.ABOUT, CueKind.RESUME) and not (pointed or ended or placing.put_off):
            _point_back(placing, cue)
    refused = [cue.text for cue in placing.reading.cues if cue.refused is not None]
    placing.board.notes.extend(f"refused: {text}" for text in refused)
    if refused and not placing.noted:
        placing.note(TurnType.DENY)


def _told_apart(cues: Sequence[Cue]) -> list[Cue]:
    """先不挂了 puts off and does not cancel: where both are read in the same words, the milder one counts. What is said
    of all tasks leaves nothing to one."""
    put_off = [(cue.start, cue.end) for cue in cues if cue.kind is CueKind.PUT_OFF]
    every = any(cue.kind is CueKind.CANCEL_ALL for cue in cues)
    return [
        cue
        for cue in cues
        if not (every and cue.kind in (CueKind.CANCEL, CueKind.NEITHER))
        and (cue.kind is not CueKind.CANCEL or not any(cue.start < end and start < cue.end for start, end in put_off))
    ]


def _end(placing: Placing, cue: Cue, *, clarify_pending: bool) -> bool:
    """Ends the frame the cue names, the focus where it names none; True when something ended."""
    board = placing.board
    status, op, kind = _ENDS[cue.kind]
    if cue.kind not in _EVERY and kind is TurnType.DENY and (_is_replaced(placing) or _is_moved(placing, cue)):
        return False
    frames = _meant(placing, cue)
    if clarify_pending and cue.kind is not CueKind.REFUSE and not frames:
        frames = [frame for frame in board.open() if frame.role.value == "focus"]
    for frame in frames:
        was_focus = board.focus(frame.lane) == frame
        frame = board.end(frame, status)
        board.op(op, [frame], cue.text)
        if was_focus:
            placing.freed.append(frame.lane)
    if frames:
        placing.note(kind)
    return bool(frames)


def _is_replaced(placing: Placing) -> bool:
    """算了，挂血液科吧: what is given up is replaced by a task of its own group in the same breath."""
    board = placing.board
    focus = board.standing_focus()
    return focus is not None and any(
        agent != UNKNOWN_AGENT and board.same_group(agent, focus.agent_code) for agent in placing.agents
    )


def _is_moved(placing: Placing, cue: Cue) -> bool:
    """算了，今天没空，周四的: what seems given up is told anew behind it."""
    focus = placing.board.standing_focus()
    if focus is None or cue.kind is not CueKind.CANCEL or cue.about or cue.agents:
        return False
    told = [one for one in placing.reading.segments if one.opens is False and one.start >= cue.end]
    return any(fitting_slots(placing.board.domain, focus, segment.mentions) for segment in told)


def _names(placing: Placing, cue: Cue) -> bool:
    """Whether a cue names an open task (停车也不问了), and so ends it beside what another one ended."""
    return _named(placing.board, cue, _open(placing)) is not None


def _meant(placing: Placing, cue: Cue) -> list[TaskFrame]:
    board = placing.board
    if cue.kind in _EVERY and not cue.agents:
        return sorted(board.open(), key=lambda frame: board.domain.rank(frame.agent_code))
    named = _named(board, cue, _open(placing))
    if named is not None:
        return [named]
    if names_task(cue) or cue.kind is CueKind.REFUSE:
        return []
    if cue.kind in _EVERY:
        return sorted(board.open(), key=lambda frame: board.domain.rank(frame.agent_code))
    focus = board.standing_focus()
    return [focus] if focus is not None else []


def _named(board: Board, cue: Cue, frames: list[TaskFrame]) -> TaskFrame | None:
    """The frame a cue names; what it refuses is only a task like it."""
    if names_task(cue):
        return next((frame for frame in frames if would_be(board, frame, cue)), None)
    return by_cue(board, frames, cue)


def _open(placing: Placing) -> list[TaskFrame]:
    """Open frames, focuses first: what a name may mean."""
    board = placing.board
    return sorted(board.open(), key=lambda frame: board.focus(frame.lane) != frame)


def _put_off(placing: Placing, cue: Cue) -> None:
    """先不挂了: the focus waits, and comes back when its lane is free (hospital.md, Ops)."""
    board = placing.board
    named = _named(board, cue, [frame for frame in _open(placing) if board.focus(frame.lane) == frame])
    if named is None and (waits := _named(board, cue, board.queued())) is not None:
        placing.continue_frame(waits, {}, "waits already")
        return
    frame = named or (None if names_task(cue) else board.standing_focus())
    if frame is None or board.focus(frame.lane) != frame:
        return
    board.queue(frame)
    placing.put_off = True
    placing.note(TurnType.NEW_REQUEST)
    if not any(agent != UNKNOWN_AGENT for agent in placing.agents):
        placing.freed.append(frame.lane)
        waiting = [other for other in board.queued() if other.frame_id != frame.frame_id]
        if waiting:
            taken = board.take_focus(waiting[0], keep_former=True)
            board.op(OpKind.SHIFT, [taken], f"{frame.agent_code} put off")
        else:
            placing.continue_frame(board.frames[frame.frame_id], {}, "put off")


def _first(placing: Placing, cue: Cue) -> bool:
    """先说停车: the task asked for takes its lane's focus, the former one waits; False when none is meant."""
    board = placing.board
    frame = by_cue(board, board.queued(), cue)
    if frame is None:
        return False
    _drop_echo(placing, frame)
    taken = board.take_focus(board.frames[frame.frame_id], keep_former=True)
    board.op(OpKind.SHIFT, [taken], cue.text)
    placing.note(TurnType.NEW_REQUEST)
    return True


def _point_back(placing: Placing, cue: Cue) -> None:
    """停车那个事 speaks of the waiting task; 接着挂号 takes up one that was put off."""
    board = placing.board
    frame = by_cue(board, _open(placing), cue)
    if frame is None and not placing.has(*_ENDS):
        frame = by_meaning(board, _open(placing), cue.about or placing.reading.text)
    if frame is None:
        return
    _drop_echo(placing, frame, pointed=likeness(board, cue.about, frame) >= CLOSE)
    frame = board.frames[frame.frame_id]
    leads = board.domain.lanes[frame.lane].leads
    taken_up = cue.kind is CueKind.RESUME and board.focus(frame.lane) != frame and (leads or not board.leading_focus())
    if taken_up:
        taken = board.take_focus(frame, keep_former=True)
        board.op(OpKind.SHIFT, [taken], "taken up again")
        placing.note(TurnType.NEW_REQUEST)
    else:
        placing.continue_frame(frame, {}, "back reference")


def _drop_echo(placing: Placing, frame: TaskFrame, *, pointed: bool = False) -> None:
    """The words that point at a frame are no second task of its agent, nor, naming nothing new, of its group; where
    they name what the frame is about (`pointed`), clauses that do nothing else are no task at all."""
    for index, agent in enumerate(placing.agents):
        same = agent in (frame.agent_code, UNKNOWN_AGENT)
        echo = (
            not same and placing.board.same_group(agent, frame.agent_code) and not placing.reading.segments[index].slots
        )
        nothing_else = pointed and _only_points(placing, placing.reading.segments[index])
        if (same or echo or nothing_else) and not placing.done[index]:
            filled = fitting_slots(placing.board.domain, frame, placing.reading.segments[index].mentions)
            placing.board.merge(frame, placing.slots(filled, frame.agent_code), TurnType.SLOT_FILL)
            placing.place(index, frame.agent_code)


def _only_points(placing: Placing, segment: Segment) -> bool:
    """Whether every clause of a segment points back (刚才说的押金那个，接着讲)."""
    cues = [cue for cue in placing.reading.cues if cue.kind in (CueKind.ABOUT, CueKind.RESUME)]
    return all(
        any(cue.start <= segment.start + start and segment.start + end <= cue.end for cue in cues)
        for start, end in clauses(segment.text)
    )
