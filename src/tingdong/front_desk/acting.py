"""Cues that act on open tasks, in spoken order (hospital.md, Ops).

Cancelling and completing are in `ending`; here are postponing, reordering and reopening.
"""

from __future__ import annotations

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.beside import exchanged_for
from tingdong.front_desk.cue_objects import by_own_words, named_by, overlap
from tingdong.front_desk.ending import (
    CUE_ENDS,
    EVERY,
    drop_told,
    end_frame,
    end_named,
    names_more,
    says_whose,
    told_apart,
)
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, OpKind, Segment, TaskFrame, TurnType
from tingdong.front_desk.naming import CLOSE, HINT, TaskWords, likeness, names_task, of_cue, which
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.undone import reopen
from tingdong.front_desk.whose import says_more

__all__ = ["apply_cues"]

_BACK = frozenset({CueKind.ABOUT, CueKind.RESUME})
"""Cues that point back at one; what ends one is heeded first, as no frame ends and goes on in one turn (hospital.md,
Ops)."""


def apply_cues(placing: Placing, *, clarify_pending: bool) -> None:
    """Applies every cue of the reading that acts on frames, in the order said."""
    ended = pointed = placing.chose
    for cue in sorted(told_apart(placing), key=lambda cue: cue.kind in _BACK):
        asked = bool(placing.unsure) and cue.kind in CUE_ENDS and named_by(placing, cue).hinted
        if cue.kind in CUE_ENDS and not asked and (not ended or cue.kind in EVERY or names_more(placing, cue)):
            ended = end_named(placing, cue, clarify_pending=clarify_pending) or ended
        elif cue.kind is CueKind.PUT_OFF and not placing.chose:
            _put_off(placing, cue)
        elif cue.kind is CueKind.FIRST and not pointed:
            pointed = _first(placing, cue)
        elif cue.kind in _BACK and not (pointed or placing.put_off) and (not ended or names_more(placing, cue)):
            _point_back(placing, cue)
    refused = [cue.text for cue in placing.reading.cues if cue.refused is not None]
    placing.board.notes.extend(f"refused: {text}" for text in refused)
    if refused and not placing.noted:
        placing.note(TurnType.DENY)


def _put_off(placing: Placing, cue: Cue) -> None:
    """先不挂了: the focus waits, and comes back when its lane is free (hospital.md, Ops)."""
    board = placing.board
    found = named_by(placing, cue)
    elsewhere = any(says_whose(placing, one) for one in placing.reading.cues)
    if found.best is None and (placing.off or names_task(cue) or elsewhere):
        return
    frame = found.best or board.standing_focus()
    if frame is None or placing.has(CueKind.ALL_DONE, CueKind.CANCEL_ALL):  # nothing waits where all of it ends
        return
    drop_told(placing, cue, frame)
    if board.focus(frame.lane) != frame:
        placing.off.add(frame.frame_id)
        placing.continue_frame(frame, {}, "waits already")
        return
    end_frame(placing, frame, CueKind.PUT_OFF, cue.text)
    others = [one for one in board.open() if one.frame_id not in placing.off]
    if not others and not any(agent != UNKNOWN_AGENT for agent in placing.agents):
        placing.continue_frame(board.frames[frame.frame_id], {}, "put off")


def _first(placing: Placing, cue: Cue) -> bool:
    """先说停车: the task asked for takes its lane's focus, the former one waits; a new one comes before all others.
    False when none is meant."""
    board = placing.board
    frame = _waiting(placing, cue)
    if frame is None:
        known = [index for index, agent in enumerate(placing.agents) if agent != UNKNOWN_AGENT]
        opening = known[:1] if known and _comes_first(placing, cue, known) else []
        placing.ahead = next((at for at in opening if overlap(cue, placing.reading.segments[at])), None)
        placing.stays = bool(opening) and placing.ahead is None
        return bool(opening)
    _drop_echo(placing, cue, frame)
    taken = board.take_focus(board.frames[frame.frame_id], keep_former=True)
    board.op(OpKind.SHIFT, [taken], cue.text)
    placing.note(TurnType.NEW_REQUEST)
    return True


def _comes_first(placing: Placing, cue: Cue, known: list[int]) -> bool:
    """Whether the first task of a turn is asked for before others: as an answer, or with what is to be done then."""
    words, segments = placing.board.domain.operating, placing.reading.segments
    if cue.start >= segments[known[0]].end:
        return False
    later = any(any_of(words.then).search(placing.words(segments[index])) for index in known[1:])
    return later or any_of(words.answer_first).search(cue.text) is not None


def _waiting(placing: Placing, cue: Cue) -> TaskFrame | None:
    """The waiting frame that a cue names better than the focus."""
    found = by_own_words(placing, cue)
    return found.best if found.best is not None and found.best in placing.board.queued() else None


def _point_back(placing: Placing, cue: Cue) -> None:
    """停车那个事 speaks of the waiting task; 接着挂号 takes up one that was put off."""
    board = placing.board
    frame = by_own_words(placing, cue).best or reopen(placing, of_cue(cue))
    if frame is None:
        return
    said = (placing.said(index) for index in range(len(placing.agents)))
    told = [one for one in said if overlap(cue, one) and not says_more(placing, one)]
    if cue.kind is CueKind.ABOUT and any(exchanged_for(board.domain, frame, one) for one in told):
        placing.given = frame.frame_id  # 爷爷那个要夏天医生的
        return
    close = likeness(board.domain, cue.about, frame.memory.summary) >= CLOSE
    _drop_echo(placing, cue, frame, pointed=close or by_own_words(placing, cue).score > HINT)
    frame = board.frames[frame.frame_id]
    leads = board.domain.lanes[frame.lane].leads
    taken_up = cue.kind is CueKind.RESUME and board.focus(frame.lane) != frame and (leads or not board.leading_focus())
    if taken_up:
        taken = board.take_focus(frame, keep_former=True)
        board.op(OpKind.SHIFT, [taken], "taken up again")
        placing.note(TurnType.NEW_REQUEST)
    elif frame.frame_id not in placing.fresh:
        placing.continue_frame(frame, {}, "back reference")


def _drop_echo(placing: Placing, cue: Cue, frame: TaskFrame, *, pointed: bool = False) -> None:
    """The words that point at a frame are no second task of its agent, nor, naming nothing new, of its group; where
    they name what the frame is about (`pointed`), clauses that do nothing else are no task at all."""
    domain = placing.board.domain
    for index, agent in enumerate(placing.agents):
        segment = placing.said(index)
        same = agent in (frame.agent_code, UNKNOWN_AGENT)
        echo = not same and placing.board.same_group(agent, frame.agent_code) and not segment.slots
        names = which(domain, [frame], TaskWords(segment.text, segment.mentions)).best is not None
        asks = bool(segment.opens) and domain.in_words(segment.agent_code)  # 妇科那个要不要憋尿
        nothing_else = pointed and not asks and _only_points(placing, segment)
        if ((same and (names or overlap(cue, segment))) or echo or nothing_else) and not placing.done[index]:
            filled = fitting_slots(domain, frame, segment.mentions)
            placing.board.merge(frame, placing.slots(filled, frame.agent_code), TurnType.SLOT_FILL)
            placing.place(index, frame.agent_code)


def _only_points(placing: Placing, segment: Segment) -> bool:
    """Whether every clause of a segment points back (刚才说的押金那个，接着讲)."""
    cues = [cue for cue in placing.reading.cues if cue.kind in (CueKind.ABOUT, CueKind.RESUME)]
    return all(
        any(cue.start <= segment.start + start and segment.start + end <= cue.end for cue in cues)
        for start, end in clauses(segment.text)
    )
