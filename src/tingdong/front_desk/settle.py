"""The pending clarify, and who takes a freed focus (hospital.md, Ops)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.board import OPEN
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    CueKind,
    OpKind,
    PendingClarify,
    Segment,
    SlotMention,
    Status,
    TaskFrame,
    TurnType,
)
from tingdong.front_desk.naming import likeness, names_task, would_be
from tingdong.front_desk.placing import Placing

__all__ = ["promote", "settle_choice"]


def settle_choice(placing: Placing, clarify: PendingClarify | None) -> PendingClarify | None:
    """Answers the pending clarify where this turn does; otherwise it stands one turn less, then its frames end."""
    if clarify is None:
        return None
    board = placing.board
    known = [board.frames[key] for key in clarify.frame_ids if key in board.frames]
    rivals = [frame for frame in known if frame.status in OPEN]
    if len(rivals) < 2:
        _uncontested(placing, rivals)
        return None
    if placing.has(CueKind.BOTH):
        _take_all(placing, rivals)
        return None
    if placing.has(CueKind.NEITHER):
        _take_none(placing, rivals)
        return None
    if all(_refused(placing, number, rivals) for number in range(len(rivals))):
        (_put_off if placing.has(CueKind.PUT_OFF) else _take_none)(placing, rivals)
        return None
    chosen = _chosen(placing, rivals)
    if chosen is None and placing.has(CueKind.EITHER):
        chosen = min(rivals, key=lambda frame: board.domain.rank(frame.agent_code))  # hospital.md, Class
    if chosen is not None:
        _choose(placing, chosen, rivals)
        return None
    left = clarify.turns_left - 1
    if left < 0:
        for frame in rivals:
            if frame.frame_id in clarify.stood:
                board.op(OpKind.SHIFT, [board.take_focus(frame, keep_former=True)], "not answered: goes on")
                continue
            board.end(frame, Status.CANCELED)
            board.notes.append(f"clarify was not answered: {frame.agent_code} canceled")
        return None
    return msgspec.structs.replace(clarify, turns_left=left)


def _uncontested(placing: Placing, left: Sequence[TaskFrame]) -> None:
    """An agent ended the rivals meanwhile: one that is left is in question no more, and waits for the free focus."""
    for frame in left:
        placing.board.queue(frame)
        placing.board.notes.append(f"{frame.agent_code} is contested no more")
        placing.freed.append(frame.lane)


def _take_all(placing: Placing, rivals: Sequence[TaskFrame]) -> None:
    """两个都要: the first by hospital.md, Class takes the focus, the others wait behind it."""
    board = placing.board
    first, *others = sorted(rivals, key=lambda frame: board.domain.rank(frame.agent_code))
    for frame in others:
        board.queue(frame)
    taken = board.take_focus(first, keep_former=True)
    board.op(OpKind.SHIFT, [taken], "all chosen")
    for frame in others:
        board.op(OpKind.ADD, [frame], "chosen too, waits")
    placing.chose = True
    placing.note(TurnType.SLOT_FILL)


def _put_off(placing: Placing, rivals: Sequence[TaskFrame]) -> None:
    """先不挂号了: none is chosen now; the rivals wait, and what else is asked for comes first."""
    for frame in rivals:
        placing.board.queue(frame)
    placing.chose = True
    placing.off |= {frame.frame_id for frame in rivals}
    placing.freed.extend(dict.fromkeys(frame.lane for frame in rivals))
    placing.note(TurnType.NEW_REQUEST)


def _take_none(placing: Placing, rivals: Sequence[TaskFrame]) -> None:
    """都不要: the rivals end, and what waits comes up."""
    for frame in rivals:
        placing.board.end(frame, Status.CANCELED)
        placing.board.op(OpKind.CANCEL, [frame], "not chosen")
        placing.freed.append(frame.lane)
    placing.chose = True
    placing.note(TurnType.DENY)


def _chosen(placing: Placing, rivals: Sequence[TaskFrame]) -> TaskFrame | None:
    """The rival that the words choose: by place, by class, by its agent's segment, by a name it holds, or because
    all others are refused."""
    left = [frame for number, frame in enumerate(rivals) if not _refused(placing, number, rivals)]
    if len(left) == 1:
        return left[0]
    for cue in placing.reading.cues:
        if cue.refused is not None:
            continue
        if cue.kind is CueKind.FORMER:
            return rivals[0]
        if cue.kind is CueKind.LATTER:
            return rivals[-1]
        hinted = [frame for frame in rivals if frame.agent_code in cue.agents]
        if cue.kind is CueKind.CHOICE and len(hinted) == 1:
            return hinted[0]
    for segment in placing.reading.segments:
        same = [frame for frame in rivals if frame.agent_code == segment.agent_code]
        if same:
            return max(same, key=lambda frame: likeness(placing.board.domain, segment.text, frame.memory.summary))
        named = [frame for frame in rivals if _holds(frame, segment.mentions)]
        if segment.agent_code == UNKNOWN_AGENT and len(named) == 1:
            return named[0]
    return None


def _refused(placing: Placing, number: int, rivals: Sequence[TaskFrame]) -> bool:
    """Whether the turn refuses a rival, by its place or by what it names."""
    for cue in placing.reading.cues:
        if cue.refused is None:
            continue
        if cue.kind is CueKind.FORMER or cue.kind is CueKind.LATTER:
            if number == (0 if cue.kind is CueKind.FORMER else len(rivals) - 1):
                return True
        elif names_task(cue) and would_be(placing.board.domain, rivals[number], cue):
            return True
    return False


def _holds(frame: TaskFrame, mentions: Sequence[SlotMention]) -> bool:
    return any(mention.value in frame.slots.values() for mention in mentions)


def _choose(placing: Placing, chosen: TaskFrame, rivals: Sequence[TaskFrame]) -> None:
    board = placing.board
    others = [frame for frame in rivals if frame.frame_id != chosen.frame_id]
    for frame in others:
        board.end(frame, Status.CANCELED)
    for index, segment in enumerate(placing.reading.segments):
        if segment.agent_code in (chosen.agent_code, UNKNOWN_AGENT) or _echoes(placing, segment):
            filled = fitting_slots(board.domain, chosen, segment.mentions) | dict(segment.slots)
            chosen = board.merge(chosen, placing.slots(filled, chosen.agent_code), TurnType.SLOT_FILL)
            placing.place(index, chosen.agent_code)
    taken = board.take_focus(chosen, keep_former=True)
    named = "、".join(frame.agent_code for frame in others)
    board.op(OpKind.SHIFT, [taken], f"chosen, not {named}")
    placing.chose = True
    placing.note(TurnType.SLOT_FILL)


def _echoes(placing: Placing, segment: Segment) -> bool:
    """挂科室的那个: the words that choose are no task of their own."""
    choosing = (CueKind.CHOICE, CueKind.FORMER, CueKind.LATTER)
    return not segment.slots and any(
        cue.kind in choosing and cue.start < segment.end and segment.start < cue.end for cue in placing.reading.cues
    )


def promote(placing: Placing, *, waiting: bool) -> None:
    """Gives a freed focus to the first that waits: its own lane first, then the others (hospital.md, Ops);
    to none while a clarify is `waiting` for its answer."""
    board = placing.board
    if not placing.freed or waiting:
        return
    for lane in [*board.leading_lanes(), *placing.freed, *board.domain.lanes]:
        if board.focus(lane) is not None or (board.leading_focus() is not None):
            continue
        queued = [frame for frame in board.queued(lane) if frame.frame_id not in placing.off]
        if not queued:
            continue
        if (not board.domain.lanes[lane].leads or placing.put_off) and board.standing_focus() is not None:
            continue
        spoken = [frame for frame in queued if frame.frame_id in placing.continued]
        taken = board.take_focus((spoken or queued)[0])
        board.op(OpKind.SHIFT, [taken], "next in the queue")
        return
