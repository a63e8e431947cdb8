"""What is said to be done and is not, and tasks that come back (hospital.md, Ops: complete).

等交完了再挂 and 还没交 complete nothing. A frame that ended never comes back; whoever still wants it, or says
that it is not done, gets one like it with all that was told of it.
"""

from __future__ import annotations

from tingdong.front_desk.lexicon import PUNCTUATION, any_of
from tingdong.front_desk.model import Cue, OpKind, TaskFrame, TurnType
from tingdong.front_desk.naming import Said, which
from tingdong.front_desk.placing import Placing

__all__ = ["is_done_later", "reopen", "undo"]

_BEHIND = 3
"""Characters behind a cue that may say that something is to be done first."""


def is_done_later(placing: Placing, cue: Cue) -> bool:
    """Whether what a cue seems to complete is only supposed, awaited or denied (等交完了再挂, 不是办完了)."""
    text, start = placing.reading.text, cue.start
    while start and text[start - 1] not in PUNCTUATION:
        start -= 1
    pointing = placing.board.domain.pointing
    if any_of(pointing.not_done).search(text, start, cue.end):
        return True
    first = any_of(pointing.done_first).search(text, cue.start, cue.end + _BEHIND)
    return first is not None


def undo(placing: Placing) -> None:
    """Takes back what the turn before ended, where this one says that it is not done (不是办完了！我还没退呢)."""
    board = placing.board
    ended = [board.frames[key] for key in board.just_ended if key in board.frames]
    said = any_of(board.domain.pointing.not_done).search(placing.reading.text)
    if not ended or said is None:
        return
    told = [one for segment in placing.reading.segments for one in segment.mentions]
    found = which(board.domain, ended, Said(placing.reading.text, told))
    standing = which(board.domain, board.open(), Said(placing.reading.text, told))
    if found.best is None and standing.best is not None:
        return
    frame = board.again(found.best or ended[-1])
    taken = board.take_focus(frame, keep_former=True)
    board.op(OpKind.SHIFT, [taken], "not done yet")
    placing.fresh.append(taken.frame_id)
    placing.note(TurnType.REPAIR)
    for index, segment in enumerate(placing.reading.segments):
        names = which(board.domain, [taken], Said(segment.text, segment.mentions)).best is not None
        if names and segment.agent_code in (taken.agent_code, "unknown"):
            placing.place(index, taken.agent_code)


def reopen(placing: Placing, said: Said) -> TaskFrame | None:
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
