"""What agents downstream report about their tasks (hospital.md, Relations Handoff, Frames role insert)."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

import msgspec

from tingdong.errors import ClientError
from tingdong.front_desk.board import OPEN, Board
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.limits import order_ops
from tingdong.front_desk.model import (
    DeskTurn,
    FrameRole,
    IntentContext,
    OpKind,
    Relation,
    RelationType,
    Segment,
    Status,
    TaskFrame,
    TurnReading,
    TurnType,
)
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.relate import STANDING
from tingdong.front_desk.reply import reply_to
from tingdong.front_desk.settle import promote

__all__ = ["Report", "ReportKind", "UnknownFrame", "report"]


class UnknownFrame(ClientError):
    """A report about a task that the dialogue does not have open."""

    ret = 404
    code = "unknown_frame"


class ReportKind(StrEnum):
    """What an agent reports of a task: it has begun, is done, is dropped, or goes to another agent."""

    ACTIVATE = "activate"
    COMPLETE = "complete"
    CANCEL = "cancel"
    HANDOFF = "handoff"


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """One report. `agent_code` and `summary` belong to a handoff."""

    kind: ReportKind
    frame_id: str
    agent_code: str = ""
    summary: str = ""


def report(context: IntentContext, told: Report, domain: Domain) -> DeskTurn:
    """The turn a report makes. Raises `UnknownFrame` for a task or an agent that is not there."""
    board = Board(context, domain)
    frame = board.frames.get(told.frame_id)
    if frame is None or frame.status not in OPEN:
        raise UnknownFrame(f"没有进行中的任务 {told.frame_id}", path="frame_id")
    relations: tuple[Relation, ...] = ()
    if told.kind is ReportKind.ACTIVATE:
        _activate(board, frame, context)
    elif told.kind is ReportKind.HANDOFF:
        relations = _handoff(board, frame, told)
    else:
        _end(board, frame, completed=told.kind is ReportKind.COMPLETE, context=context)
    return _turn(context, board, relations)


def _activate(board: Board, frame: TaskFrame, context: IntentContext) -> None:
    if frame.frame_id in _contested(context):
        _release(board, frame, context)
        frame = board.take_focus(frame)
    elif frame.role is FrameRole.FOCUS:
        frame = board.put(msgspec.structs.replace(frame, status=Status.ACTIVE))
    else:
        frame = board.put(msgspec.structs.replace(frame, role=FrameRole.INSERT, status=Status.ACTIVE))
    board.op(OpKind.CONTINUE, [frame], "activated by its agent")


def _end(board: Board, frame: TaskFrame, *, completed: bool, context: IntentContext) -> None:
    placing = Placing(board, TurnReading(""), today=date.min)
    if board.focus(frame.lane) == frame or frame.frame_id in _contested(context):
        placing.freed.append(frame.lane)
    board.end(frame, Status.COMPLETED if completed else Status.CANCELED)
    board.op(OpKind.COMPLETE if completed else OpKind.CANCEL, [frame], "reported by its agent")
    settled = frame.frame_id in _contested(context)
    if settled:
        _release(board, frame, context)
    promote(placing, waiting=not settled and context.clarify is not None)


def _contested(context: IntentContext) -> tuple[str, ...]:
    return context.clarify.frame_ids if context.clarify is not None else ()


def _release(board: Board, frame: TaskFrame, context: IntentContext) -> None:
    """An agent answered the clarify: the rivals of its task are in question no more, and wait."""
    for key in _contested(context):
        if key != frame.frame_id and board.frames[key].status in OPEN:
            board.queue(board.frames[key])


def _handoff(board: Board, frame: TaskFrame, told: Report) -> tuple[Relation, ...]:
    code = board.domain.resolve(told.agent_code)
    if code is None:
        raise UnknownFrame(f"没有智能体 {told.agent_code}", path="agent_code")
    text = told.summary or board.domain.agents[code].title
    segment = Segment(text, 0, len(text), code, frame.confidence, signals=(f"handoff:{frame.agent_code}",))
    suggested = board.create(segment, TurnType.NEW_REQUEST)
    board.op(OpKind.ADD, [suggested], f"handoff from {frame.agent_code}")
    return (Relation(STANDING, 0, RelationType.HANDOFF),)


def _turn(context: IntentContext, board: Board, relations: tuple[Relation, ...]) -> DeskTurn:
    ops = order_ops(board.ops, board.domain)
    focus = board.leading_focus()
    clarify = context.clarify
    if clarify is not None and not all(_is_contested(board.frames.get(key)) for key in clarify.frame_ids):
        clarify = None
    updated = msgspec.structs.replace(
        context,
        intent_ops=ops,
        frames=board.result(),
        medical_focus_id=focus.frame_id if focus else None,
        clarify=clarify,
    )
    return DeskTurn(updated, relations=relations, reply=reply_to(board, ops), notes=tuple(board.notes))


def _is_contested(frame: TaskFrame | None) -> bool:
    return frame is not None and (frame.role, frame.status) == (FrameRole.FOCUS, Status.PENDING)
