"""The question which of several tasks to cancel or postpone (周三那个不要了, with two on Wednesday), and its answer.

Clarify executes nothing else (hospital.md, Ops): other requests of the turn are recorded and wait. No task is cancelled
before one is named.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tingdong.front_desk.board import OPEN
from tingdong.front_desk.ending import end_frame
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, OpKind, PendingClarify, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, of_cue, which
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.seats import frame_of
from tingdong.front_desk.settle import settle_choice as settle_rivals

__all__ = ["ask_which", "settle_choice"]


def ask_which(placing: Placing, cue: Cue, rivals: Sequence[TaskFrame]) -> Sequence[TaskFrame]:
    """Asks which of some tasks a cue means; new tasks of the turn wait."""
    board = placing.board
    board.ops[:] = [msgspec.structs.replace(op, executed=False) for op in board.ops]
    board.op(OpKind.CLARIFY, rivals, cue.text)
    board.asks_which = True
    for lane in board.domain.lanes:
        focus = board.focus(lane)
        if focus is not None:
            board.queue(focus)
    rivals = [board.contest(frame) for frame in rivals]
    for index, segment in enumerate(placing.reading.segments):
        new = (
            placing.agents[index] != UNKNOWN_AGENT and which(board.domain, rivals, TaskWords(segment.text)).best is None
        )
        if new and not (segment.start < cue.end and cue.start < segment.end):
            board.op(OpKind.ADD, [frame_of(placing, index, contested=False)], "waits for the answer", executed=False)
    placing.note(TurnType.NEW_REQUEST)
    return rivals


def settle_choice(placing: Placing, clarify: PendingClarify | None) -> PendingClarify | None:
    """Answers the pending clarify where this turn does; otherwise it stands one turn less."""
    if clarify is None or clarify.act is None:
        return settle_rivals(placing, clarify)
    board = placing.board
    rivals = [
        board.frames[key] for key in clarify.frame_ids if key in board.frames and board.frames[key].status in OPEN
    ]
    chosen = _chosen(placing, rivals)
    for frame in chosen:
        end_frame(placing, frame, clarify.act, "named")
        placing.chose = True
        for index, segment in enumerate(placing.reading.segments):
            if which(board.domain, [frame], TaskWords(segment.text, segment.mentions)).best is not None:
                placing.place(index, frame.agent_code)
    if chosen or placing.has(CueKind.NEITHER) or clarify.turns_left == 0 or len(rivals) < len(clarify.frame_ids):
        for frame in rivals:
            if board.frames[frame.frame_id].status in OPEN:
                board.queue(board.frames[frame.frame_id])
        placing.freed.extend(dict.fromkeys(frame.lane for frame in rivals))
        return None
    return msgspec.structs.replace(clarify, turns_left=clarify.turns_left - 1)


def _chosen(placing: Placing, rivals: Sequence[TaskFrame]) -> Sequence[TaskFrame]:
    """The tasks that the words name, all of them or none."""
    if placing.has(CueKind.BOTH, CueKind.CANCEL_ALL):
        return rivals
    for cue in placing.reading.cues:
        if cue.kind is CueKind.FORMER or cue.kind is CueKind.LATTER:
            return rivals[:1] if cue.kind is CueKind.FORMER else rivals[-1:]
    told = [one for segment in placing.reading.segments for one in segment.mentions]
    said = [TaskWords(placing.reading.text, told), *map(of_cue, placing.reading.cues)]
    named = [frame for one in said if (frame := which(placing.board.domain, rivals, one).sure) is not None]
    others = set(placing.agents) - {UNKNOWN_AGENT} - {frame.agent_code for frame in rivals}
    return named[:1] if not others else []
