"""Unfinished tasks that were reported as done, and tasks that come back (hospital.md, Ops: complete).

等交完了再挂 and 还没交 complete nothing. An ended frame never reopens; a new one with its slots is created.
"""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.front_desk.cues import awaits
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, OpKind, Status, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, which
from tingdong.front_desk.pieces import clause_at
from tingdong.front_desk.placing import Placing

__all__ = ["is_done_later", "reopen", "undo"]

_BEHIND = 3
"""Characters behind a cue that may say that something is to be done first."""


def is_done_later(placing: Placing, cue: Cue) -> bool:
    """Whether what a cue seems to complete is only supposed, awaited or denied (等交完了再挂, 不是办完了)."""
    text = placing.reading.text
    start, end = clause_at(text, cue.start)
    if any(one.opens and cue.start < one.start < end for one in placing.reading.segments):
        return True  # 看完了能开药吗
    undone = (other for other in placing.reading.cues if other.kind is CueKind.UNDONE)
    if any(start <= other.start and other.start < cue.end for other in undone):
        return True
    pointing = placing.board.domain.pointing
    first = any_of(pointing.done_first).search(text, cue.start, cue.end + _BEHIND)
    return first is not None or awaits(pointing, text[start:end], cue.start - start)


def undo(placing: Placing) -> None:
    """Takes back what ended, where the turn says that it is not done (不是办完了！我还没退呢): what it names, else
    what the turn before ended, else what was done last. What is open goes on."""
    cues = [placing.reading.cues[index] for index in placing.cues(CueKind.UNDONE)]
    frame = _undone(placing, cues) if cues else None
    if frame is None:
        return
    if frame in placing.board.open():
        placing.continue_frame(frame, {}, "not done yet")
    else:
        frame = placing.board.take_focus(placing.board.again(frame), keep_former=True)
        placing.board.op(OpKind.SHIFT, [frame], "not done yet")
        placing.fresh.append(frame.frame_id)
        placing.note(TurnType.REPAIR)
    for number, segment in enumerate(placing.reading.segments):
        names = which(placing.board.domain, [frame], TaskWords(segment.text, segment.mentions)).best is not None
        if names and segment.agent_code in (frame.agent_code, UNKNOWN_AGENT):
            placing.place(number, frame.agent_code)


def _undone(placing: Placing, cues: Sequence[Cue]) -> TaskFrame | None:
    board = placing.board
    told = [one for segment in placing.reading.segments for one in segment.mentions]
    told += [one for cue in cues for one in cue.mentions]
    said = TaskWords(placing.reading.text, told, [agent for cue in cues for agent in cue.agents])
    over = [frame for frame in board.frames.values() if frame not in board.open()]
    just = [board.frames[key] for key in board.just_ended if key in board.frames]
    named = [which(board.domain, frames, said) for frames in (just, board.open(), over)]
    best = max(named, key=lambda found: found.score)  # of those alike the first
    if best.best is not None:
        return best.rivals[-1]
    done = [frame for frame in over if frame.status is Status.COMPLETED]
    focus = board.standing_focus()
    return next(iter([*just[-1:], *([focus] if focus else done[-1:])]), None)


def reopen(placing: Placing, said: TaskWords) -> TaskFrame | None:
    """A frame like the one of those that ended which words point back at; None where they name none."""
    board = placing.board
    ended = [frame for frame in board.frames.values() if frame not in board.open()]
    found = which(board.domain, ended, said)
    if found.best is None or found.hinted:
        return None
    frame = board.again(found.rivals[-1])
    placing.fresh.append(frame.frame_id)
    leads = board.domain.lanes[frame.lane].leads
    if board.focus(frame.lane) is None and (leads or board.leading_focus() is None):
        frame = board.take_focus(frame, keep_former=True)
        board.op(OpKind.SHIFT, [frame], "taken up again")
    else:
        board.op(OpKind.ADD, [frame], "taken up again")
    placing.note(TurnType.NEW_REQUEST)
    return frame
