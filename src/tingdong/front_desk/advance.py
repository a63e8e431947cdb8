"""One step of the dialogue: a context and a reading → a new context (hospital.md, Ops, Frames; law 6).

Pure and deterministic: the same context, reading and `now` give the same turn. Order: safety, answers to a pending
question, cancelled and postponed tasks, segments, the freed focus; then the operations are sorted by priority and cut
to the limit.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from tingdong.front_desk.acting import apply_cues
from tingdong.front_desk.aligning import place_segments
from tingdong.front_desk.asking import ask_which, settle_choice
from tingdong.front_desk.board import OPEN, Board
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.ending import unclear
from tingdong.front_desk.limits import cut_ops, one_move, order_ops
from tingdong.front_desk.memory import remembered
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    DeskTurn,
    IntentContext,
    IntentOp,
    Meta,
    OpKind,
    OpPriority,
    PendingClarify,
    SafetyLabel,
    Segment,
    Status,
    TaskFrame,
    TurnReading,
    TurnType,
)
from tingdong.front_desk.operations import operate
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.relate import relate
from tingdong.front_desk.reply import reply_to
from tingdong.front_desk.settle import promote
from tingdong.front_desk.settled import Settled
from tingdong.front_desk.supposing import ask_of_stopped, set_aside
from tingdong.front_desk.undone import undo
from tingdong.hearing.told import HeardView, heard_view

__all__ = ["DeskOptions", "advance"]


class DeskOptions(msgspec.Struct, frozen=True):
    """`legacy` fills `legacy_agent_code` for a chain that knows nothing else (hospital.md, Turn as JSON)."""

    legacy: bool = False


DEFAULTS = DeskOptions()


def advance(
    context: IntentContext, reading: TurnReading, *, now: datetime, domain: Domain, options: DeskOptions = DEFAULTS
) -> DeskTurn:
    """The turn that this reading makes of the context. `now` keeps dates of the past out of the slots."""
    if reading.safety.label is not SafetyLabel.NORMAL:
        return _blocked(context, reading, domain)
    settled = Settled(domain, reading, [frame for frame in context.frames if frame.status in OPEN])
    board = Board(context, domain, settled)
    placing = Placing(board, reading, today=now.date())
    standing = board.standing_focus()
    clarify = settle_choice(placing, context.clarify)
    asked = unclear(placing) if clarify is None and not placing.chose else None
    if asked is not None:
        cue, rivals = asked
        frames = tuple(frame.frame_id for frame in ask_which(placing, cue, rivals))
        clarify = PendingClarify(frames, domain.limits.clarify_turns, cue.kind)
        return _turn(context, placing, clarify, standing, options)
    undo(placing)
    if clarify is None and not placing.chose:
        set_aside(placing, settled)
        operate(placing)
    apply_cues(placing, clarify_pending=clarify is not None and clarify.act is None)
    contested = place_segments(placing, waiting=clarify is not None)
    if contested:
        ids = tuple(frame.frame_id for frame in contested)
        stood = tuple(one.frame_id for one in context.frames if one.frame_id in ids and not one.missing_slots)
        clarify = PendingClarify(ids, domain.limits.clarify_turns, stood=stood)
    promote(placing, waiting=clarify is not None)
    ask_of_stopped(placing, settled)
    return _turn(context, placing, clarify, standing, options)


def _blocked(context: IntentContext, reading: TurnReading, domain: Domain) -> DeskTurn:
    """Nothing else is executed, and every frame stays as it was (hospital.md, Ops: block)."""
    label = reading.safety.label.value
    reason = "、".join(reading.safety.evidence) or label
    op = IntentOp(OpKind.BLOCK, label, "", OpPriority.BLOCK.value, reason, 1.0)
    meta = Meta(reading.layer, domain.version, reading.prompt_version)
    updated = msgspec.structs.replace(
        context, intent_ops=(op,), safety=reading.safety, meta=meta, turn=context.turn + 1
    )
    reply = domain.safety.replies[reading.safety.label]
    return DeskTurn(updated, turn_type=TurnType.UNKNOWN, reply=reply, heard=_heard(reading))


def _heard(reading: TurnReading) -> HeardView | None:
    return heard_view(reading.heard, reading.text) if reading.heard is not None else None


def _turn(
    context: IntentContext,
    placing: Placing,
    clarify: PendingClarify | None,
    standing: TaskFrame | None,
    options: DeskOptions,
) -> DeskTurn:
    board, reading, domain = placing.board, placing.reading, placing.board.domain
    if board.replaced:  # what no new focus tells of
        board.notes.append(f"replaced: {'、'.join(board.replaced)}")
    moved, still = one_move(board.ops, domain)
    ops, over = cut_ops(order_ops(moved, domain), domain)
    focus = board.leading_focus()
    frames = board.result()
    updated = IntentContext(
        intent_ops=ops,
        frames=frames,
        medical_focus_id=focus.frame_id if focus else None,
        memory_policy_default=domain.memory_policy_default,
        safety=reading.safety,
        meta=Meta(placing.layer(), domain.version, reading.prompt_version),
        legacy_agent_code=_legacy(board) if options.legacy else None,
        turn=context.turn + 1,
        clarify=clarify,
        history=remembered(context, board, reading.text),
    )
    segments = placing.segments()
    return DeskTurn(
        context=updated,
        segments=segments,
        relations=relate(domain, [segment.agent_code for segment in segments], _met(placing, standing, segments)),
        turn_type=placing.turn_type(),
        reply=reply_to(board, ops, placing),
        unread=reading.unread,
        heard=_heard(reading),
        notes=(*board.notes, *(f"not in the directory: {name}" for name in placing.unlisted()), *still, *over),
    )


def _met(placing: Placing, standing: TaskFrame | None, segments: tuple[Segment, ...]) -> str | None:
    """The agent of the standing focus where this turn's segments stand beside it: not where one continues it, and not
    where the turn itself ended it."""
    if standing is None or placing.continued & {standing.frame_id} or placing.chose:
        return None
    now = placing.board.frames[standing.frame_id]
    replaced = now.status is Status.CANCELED
    known = any(segment.agent_code != UNKNOWN_AGENT for segment in segments)
    return standing.agent_code if known and not replaced and now.status is not Status.COMPLETED else None


def _legacy(board: Board) -> str | None:
    """The one agent an old chain would call (hospital.md, Turn as JSON): the focus, else the first contested or waiting
    task."""
    focus = board.standing_focus() or next(iter(board.open()), None)
    return focus.agent_code if focus else None
