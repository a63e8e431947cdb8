"""New frames for segments without an open one, contested frames, and the new focus (hospital.md, Relations, Ops)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tingdong.front_desk.beside import asks_beside, copied, names_apart
from tingdong.front_desk.for_whom import holder, is_for
from tingdong.front_desk.kinds import NAMED, WHOM
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import OpKind, RelationType, Segment, Status, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, which
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.relate import relation_between
from tingdong.front_desk.whose import for_another, stand_beside

__all__ = ["clarify_between", "contested", "frame_of", "in_rank", "put_ahead", "questioned", "seat"]


_SURE = 0.5
"""Confidence from which what ails somebody takes the place of a booking."""


def frame_of(placing: Placing, index: int, *, contested: bool) -> TaskFrame:
    """A new frame of a segment; what is contested and under way already stays the frame that it is."""
    segment = placing.said(index)
    slots = placing.slots(dict(segment.slots), segment.agent_code)
    board = placing.board
    focus = board.focus(board.domain.lane(segment.agent_code)) if contested else None
    another = focus is not None and for_another(placing, focus, segment)
    if focus is not None and focus.agent_code == segment.agent_code and not another:
        return board.merge(focus, slots, TurnType.NEW_REQUEST)
    standing = board.focus(board.domain.lane(segment.agent_code))
    beside = standing is not None and asks_beside(placing, standing, segment)
    beside = beside or any(
        stand_beside(placing, other, index) for other in range(index) if _is_rival(placing, index, other)
    )
    if standing is not None and beside:
        slots = copied(placing, standing, segment) | slots
    slots = _told_before(placing, segment) | slots
    frame = board.create(msgspec.structs.replace(segment, slots=slots), TurnType.NEW_REQUEST)
    placing.fresh.append(frame.frame_id)
    if beside:
        placing.beside.add(frame.frame_id)
    return frame


def _is_rival(placing: Placing, index: int, other: int) -> bool:
    """Whether an earlier segment of the turn is a task of the same group."""
    return placing.board.same_group(placing.agents[index], placing.agents[other])


def _told_before(placing: Placing, segment: Segment) -> dict[str, str]:
    """What was told of a task that the turn before ended, and that is wanted all the same (唐大夫的号还要的)."""
    board = placing.board
    ended = [board.frames[key] for key in board.just_ended if key in board.frames]
    same = [frame for frame in ended if frame.agent_code == segment.agent_code]
    said = TaskWords("", [one for one in segment.mentions if one.kind in NAMED])
    found = which(board.domain, same, said, times=False)
    return dict(found.best.slots) if found.best is not None else {}


def contested(placing: Placing, fresh: Sequence[int]) -> list[int]:
    """Indexes of new segments that exclude one another (hospital.md, Relations)."""
    domain, contested = placing.board.domain, set()
    for place, a in enumerate(fresh):
        for b in fresh[place + 1 :]:
            one, other = placing.agents[a], placing.agents[b]
            rivals = one != other and relation_between(domain, one, other) is RelationType.EXCLUSIVE
            if rivals and not stand_beside(placing, a, b):
                contested |= {a, b}
    return sorted(contested)


def questioned(placing: Placing, index: int) -> TaskFrame | None:
    """The booking that misses nothing and that a segment would replace which asks and wants nothing (那位医生今天在不
    在): which of them is wanted is asked."""
    board, segment, words = placing.board, placing.said(index), placing.board.domain.operating
    focus = board.focus(board.domain.lane(segment.agent_code))
    if focus is None or focus.missing_slots or not board.same_group(segment.agent_code, focus.agent_code):
        return None
    wanted = any(board.domain.evidence.get(name) in segment.signals for name in words.wanted)
    named = (one for one in board.said if segment.start < one.end and one.start < segment.end and one.of(*NAMED))
    if wanted or not any(any_of(words.whether).search(one.text) for one in named):
        return None
    other = focus.agent_code != segment.agent_code or names_apart(board.domain, focus, segment)
    replaced = other and not asks_beside(placing, focus, segment)
    return focus if replaced and focus.agent_code not in board.domain.cutting.tells else None


def clarify_between(
    placing: Placing, frames: dict[int, TaskFrame], contested: Sequence[int], standing: Sequence[TaskFrame] = ()
) -> list[TaskFrame]:
    """Clarify is exclusive: the rest is only recorded, and waits (hospital.md, Ops). `standing` are contested too."""
    board = placing.board
    rivals = list({one.frame_id: one for one in (*standing, *(frames[index] for index in contested))}.values())
    for lane in board.domain.lanes:
        focus = board.focus(lane)
        if focus is not None and (lane in board.leading_lanes() or any(r.lane == lane for r in rivals)):
            board.queue(focus)
            for one in rivals:
                if board.same_group(one.agent_code, focus.agent_code) and one.frame_id != focus.frame_id:
                    board.merge(one, board.carried(focus, board.frames[one.frame_id]), TurnType.NEW_REQUEST)
            rivals = [board.frames[one.frame_id] for one in rivals]
    board.ops[:] = [msgspec.structs.replace(op, executed=False) for op in board.ops]
    board.op(OpKind.CLARIFY, rivals, "exclusive")
    rivals = [board.contest(frame) for frame in rivals]
    for frame in in_rank(placing, [frame for index, frame in frames.items() if index not in contested]):
        board.op(OpKind.ADD, [frame], "waits for the clarification", executed=False)
    return rivals


def in_rank(placing: Placing, frames: list[TaskFrame]) -> list[TaskFrame]:
    """Leading lanes first, then the order of classes (hospital.md, Class)."""
    domain = placing.board.domain
    return sorted(frames, key=lambda frame: (not domain.lanes[frame.lane].leads, domain.rank(frame.agent_code)))


def put_ahead(placing: Placing, frame: TaskFrame) -> None:
    """A new task that is asked for before all others (先告诉我停车怎么收费，我再挂号): what has the focus waits,
    and comes back when it is over; other tasks of the turn wait behind it."""
    board = placing.board
    for lane in board.domain.lanes:
        focus = board.focus(lane)
        if focus is not None and focus.frame_id != frame.frame_id:
            board.queue(focus)
            placing.off.add(focus.frame_id)
    others = [key for key in placing.fresh if key != frame.frame_id]
    placing.off.update(others)
    seat(placing, frame, waiting=False)


def seat(placing: Placing, frame: TaskFrame, *, waiting: bool) -> None:
    """A new frame takes the focus or a place in the queue (hospital.md, Relations)."""
    board = placing.board
    beside = frame.frame_id in placing.beside
    if board.focus(frame.lane) == frame:
        return
    _take_up(placing, frame)
    if _takes_focus(placing, frame, waiting=waiting):
        frame = board.take_focus(frame, keep_former=placing.put_off or beside)
        board.op(OpKind.SHIFT, [frame], "new focus")
    else:
        board.op(OpKind.ADD, [frame], "queued")


def _take_up(placing: Placing, frame: TaskFrame) -> None:
    """A booking for somebody takes the place of what waits to say where they belong (hospital.md, Relations)."""
    board = placing.board
    specs = board.domain.agents[frame.agent_code].slots
    named = any(specs[name].kind.startswith(WHOM) for name in frame.slots)
    if not named or frame.agent_code in board.domain.cutting.tells:
        return
    for other in board.queued(frame.lane):
        waits = other.agent_code in board.domain.cutting.tells and board.same_group(other.agent_code, frame.agent_code)
        if waits and other.frame_id != frame.frame_id and is_for(board.domain, other, [holder(board.domain, frame)]):
            board.end(other, Status.CANCELED)
            board.replaced.append(other.agent_code)


def _takes_focus(placing: Placing, frame: TaskFrame, *, waiting: bool) -> bool:
    board = placing.board
    leads = board.domain.lanes[frame.lane].leads
    if (waiting and leads) or frame.frame_id in placing.off or (placing.stays and board.standing_focus() is not None):
        return False
    focus = board.focus(frame.lane)
    if not leads:
        leading_busy = board.leading_focus() is not None or waiting
        if leading_busy:
            return False
    if focus is None:
        return True
    both = focus.agent_code == frame.agent_code or bool(placing.beside & {focus.frame_id, frame.frame_id})
    if focus.frame_id in placing.fresh and both:
        return False  # two in one turn stand side by side (hospital.md, Ops)
    if frame.frame_id in placing.beside:
        return not focus.missing_slots
    if board.same_group(focus.agent_code, frame.agent_code):
        tells = board.domain.cutting.tells  # what hardly tells of an ailment drops no booking
        return focus.agent_code in tells or frame.agent_code not in tells or frame.confidence >= _SURE
    return board.domain.rank(frame.agent_code) < board.domain.rank(focus.agent_code)
