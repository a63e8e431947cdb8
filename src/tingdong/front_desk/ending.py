"""What ends, waits or is asked for first: cues applied to the frames that they name (hospital.md, Ops).

A cue speaks of the task that its words name, or those before it that are no task of their own (医保卡那个找到了，
不用管了); where nothing is named, of the focus. What is not named is never touched, and where two tasks fit equally the
user is asked which one is meant (`unclear`).
"""

from __future__ import annotations

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.beside import asks_beside, exchanged_for, is_exchange
from tingdong.front_desk.for_whom import whom
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, OpKind, Segment, Status, TaskFrame, TurnType
from tingdong.front_desk.naming import CLOSE, HINT, Found, Said, likeness, names_task, of_cue, which, would_be
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.undone import is_done_later, reopen
from tingdong.front_desk.whose import corrects

__all__ = ["apply_cues", "end_frame", "named_by", "unclear"]

_ENDS = {
    CueKind.CANCEL: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.CANCEL_ALL: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.REFUSE: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.COMPLETE: (Status.COMPLETED, OpKind.COMPLETE, TurnType.CONFIRM),
    CueKind.ALL_DONE: (Status.COMPLETED, OpKind.COMPLETE, TurnType.CONFIRM),
}

_EVERY = frozenset({CueKind.ALL_DONE, CueKind.CANCEL_ALL})
"""Cues that are said of every open task."""
_ONE = frozenset({CueKind.CANCEL, CueKind.REFUSE, CueKind.COMPLETE, CueKind.PUT_OFF})
"""Cues that are said of one."""
_BACK = frozenset({CueKind.ABOUT, CueKind.RESUME})
"""Cues that point back at one; what ends one is heeded first, as no frame ends and goes on in one turn (§7.3)."""
_BEFORE = 0.3
"""What words before a cue must say of a task, beyond hinting at its agent, to name it."""


def apply_cues(placing: Placing, *, clarify_pending: bool) -> None:
    """Applies every cue of the reading that acts on frames, in the order said."""
    ended = pointed = placing.chose
    for cue in sorted(_told_apart(placing), key=lambda cue: cue.kind in _BACK):
        if cue.kind in _ENDS and (not ended or cue.kind in _EVERY or named_by(placing, cue).best is not None):
            ended = _end(placing, cue, clarify_pending=clarify_pending) or ended
        elif cue.kind is CueKind.PUT_OFF and not placing.chose:
            _put_off(placing, cue)
        elif cue.kind is CueKind.FIRST and not pointed:
            pointed = _first(placing, cue)
        elif cue.kind in _BACK and not (pointed or ended or placing.put_off):
            _point_back(placing, cue)
    refused = [cue.text for cue in placing.reading.cues if cue.refused is not None]
    placing.board.notes.extend(f"refused: {text}" for text in refused)
    if refused and not placing.noted:
        placing.note(TurnType.DENY)


def unclear(placing: Placing) -> tuple[Cue, tuple[TaskFrame, ...]] | None:
    """The first cue that would end or put off one of several tasks that it names alike, with these."""
    for cue in _told_apart(placing):
        if cue.kind in _ONE:
            found = named_by(placing, cue)
            if found.best is not None and found.sure is None and not _gives_way(placing, cue, found.best):
                return cue, found.rivals
    return None


def _told_apart(placing: Placing) -> list[Cue]:
    """先不挂了 puts off and does not cancel: where both are read in the same words, the milder one counts. What is said
    of all tasks leaves nothing to one; what is only to be done, or is not done yet, completes nothing."""
    cues = placing.reading.cues
    put_off = [(cue.start, cue.end) for cue in cues if cue.kind is CueKind.PUT_OFF]
    every = any(cue.kind is CueKind.CANCEL_ALL for cue in cues)
    kept = [
        cue
        for cue in cues
        if not (every and cue.kind in (CueKind.CANCEL, CueKind.NEITHER))
        and (cue.kind is not CueKind.CANCEL or not any(cue.start < end and start < cue.end for start, end in put_off))
        and not (cue.kind in (CueKind.COMPLETE, CueKind.ALL_DONE) and is_done_later(placing, cue))
    ]
    named = [
        (cue, frame) for cue in kept if cue.kind in _ONE and (frame := _by_own_words(placing, cue).best) is not None
    ]
    naming = [(cue, frame) for cue, frame in named if not _hints(cue)] or named
    kinds = {(cue.kind, frame.agent_code) for cue, frame in naming}
    naming_cues = [cue for cue, _ in naming]
    return [
        cue for cue in kept if cue in naming_cues or cue.kind not in _ONE or not naming or not _adds_nothing(cue, kinds)
    ]


def _hints(cue: Cue) -> bool:
    """Whether a cue names nothing but agents (不用答了)."""
    return not cue.about and not names_task(cue)


def _adds_nothing(cue: Cue, kinds: set[tuple[CueKind, str]]) -> bool:
    """Whether a cue names nothing (算了), or only hints at an agent of which another of its kind names a task."""
    return _hints(cue) and (not cue.agents or any((cue.kind, agent) in kinds for agent in cue.agents))


def _end(placing: Placing, cue: Cue, *, clarify_pending: bool) -> bool:
    """Ends the frame the cue names, the focus where it names none; True when something ended."""
    board = placing.board
    kind = _ENDS[cue.kind][2]
    frames = _meant(placing, cue)
    if cue.kind not in _EVERY and kind is TurnType.DENY and _is_moved(placing, cue):
        return False
    if cue.kind not in _EVERY and _is_handed_on(placing, cue):
        return False
    if len(frames) == 1 and cue.kind not in _EVERY and kind is TurnType.DENY and _gives_way(placing, cue, frames[0]):
        return False
    if clarify_pending and cue.kind is not CueKind.REFUSE and not frames:
        frames = [frame for frame in board.open() if frame.role.value == "focus"]
    for frame in frames:
        end_frame(placing, frame, cue.kind, cue.text)
        _drop_told(placing, cue, frame)
    return bool(frames)


def end_frame(placing: Placing, frame: TaskFrame, kind: CueKind, reason: str) -> None:
    """Ends a frame as a cue of this kind does; the focus of its lane is free then. What is put off only waits."""
    board = placing.board
    if board.focus(frame.lane) == frame:
        placing.freed.append(frame.lane)
    if kind is CueKind.PUT_OFF:
        board.queue(frame)
        placing.off.add(frame.frame_id)
        placing.note(TurnType.NEW_REQUEST)
        return
    status, op, turn_type = _ENDS[kind]
    board.op(op, [board.end(frame, status)], reason)
    placing.note(turn_type)


def _gives_way(placing: Placing, cue: Cue, frame: TaskFrame) -> bool:
    """算了，挂血液科吧; 不去妇科了，换产科: what is given up is replaced by another of its group in the same breath."""
    board = placing.board
    if cue.kind not in (CueKind.CANCEL, CueKind.REFUSE):
        return False
    others = [one for one in board.open() if one.frame_id != frame.frame_id]
    for index, segment in enumerate(placing.reading.segments):
        agent = placing.agents[index]
        same = agent != UNKNOWN_AGENT and board.same_group(agent, frame.agent_code)
        if not same and not _exchanges(placing, frame, segment):
            continue
        said = Said(segment.text, segment.mentions)
        standing = same and which(board.domain, others, said, times=False).score >= HINT
        if not standing and not asks_beside(placing, frame, segment):
            placing.given = frame.frame_id
            return True
    return False


def _is_moved(placing: Placing, cue: Cue) -> bool:
    """算了，今天没空，周四的: what seems given up is told anew behind it."""
    focus = placing.board.standing_focus()
    if focus is None or cue.kind is not CueKind.CANCEL or cue.about or cue.agents:
        return False
    told = [one for one in placing.reading.segments if one.opens is False and one.start >= cue.end]
    return any(fitting_slots(placing.board.domain, focus, segment.mentions) for segment in told)


def _is_handed_on(placing: Placing, cue: Cue) -> bool:
    """我不去了，给我老婆用: what seems given up is somebody else's now."""
    return not names_task(cue) and any(
        one.opens is False and whom(placing.board.domain, one.mentions) and corrects(placing, one)
        for one in placing.reading.segments
    )


# ---- what is meant


def _meant(placing: Placing, cue: Cue) -> list[TaskFrame]:
    board = placing.board
    if cue.kind in _EVERY and not cue.agents:
        return sorted(board.open(), key=lambda frame: board.domain.rank(frame.agent_code))
    found = named_by(placing, cue)
    if found.best is not None:
        return [found.best]
    if names_task(cue) or cue.kind is CueKind.REFUSE or (cue.kind is CueKind.COMPLETE and cue.agents):
        return []  # 我已经挂好了, to a queue: what is done is none of these
    if cue.kind in _EVERY:
        return sorted(board.open(), key=lambda frame: board.domain.rank(frame.agent_code))
    focus = board.standing_focus()
    return [focus] if focus is not None else []


def named_by(placing: Placing, cue: Cue) -> Found:
    """The open frames that a cue names: by its own words, else by those before it. Where it only hints at agents, the
    focus of one of them is meant."""
    found = _by_own_words(placing, cue)
    if found.best is not None and not found.hinted:
        return found
    frames = list(found.rivals) or _candidates(placing, cue)
    told = which(placing.board.domain, frames, _before(placing, cue))
    if told.best is not None and told.score >= _BEFORE + (HINT if found.best is not None else 0.0):
        return told
    focus = placing.board.standing_focus()
    return found._replace(best=focus, rivals=(focus,)) if focus is not None and focus in found.rivals else found


def _by_own_words(placing: Placing, cue: Cue) -> Found:
    told = [one for segment in placing.reading.segments if _overlap(cue, segment) for one in segment.mentions]
    said = of_cue(cue, told)
    return which(placing.board.domain, _candidates(placing, cue), said, only_hinted=not cue.about)


def _candidates(placing: Placing, cue: Cue) -> list[TaskFrame]:
    """Open frames, focuses first; of a refusal that names something only those that it would be."""
    board = placing.board
    frames = sorted(board.open(), key=lambda frame: board.focus(frame.lane) != frame)
    return [frame for frame in frames if would_be(board.domain, frame, cue)] if names_task(cue) else frames


def _before(placing: Placing, cue: Cue) -> Said:
    """The words of the turn before a cue, up to the cue before it, if the cue itself names nothing."""
    if cue.about or names_task(cue):
        return Said("")
    acting = [other for other in placing.reading.cues if other.kind in _ENDS or other.kind is CueKind.PUT_OFF]
    start = max((other.end for other in acting if other.end <= cue.start), default=0)
    told = [one for segment in placing.reading.segments if segment.start >= start for one in segment.mentions]
    named = [one for one in told if one.end <= cue.start]
    return Said(placing.reading.text[start : cue.start], named, cue.agents)


def _overlap(cue: Cue, segment: Segment) -> bool:
    return cue.start < segment.end and segment.start < cue.end


def _drop_told(placing: Placing, cue: Cue, frame: TaskFrame) -> None:
    """Words that name what is ended open no task (投诉的事我找过院办了，撤了吧)."""
    for index, segment in enumerate(placing.reading.segments):
        before = not cue.about and segment.end <= cue.start
        said = Said(segment.text, segment.mentions)
        if (before or _overlap(cue, segment)) and which(placing.board.domain, [frame], said).best is not None:
            placing.place(index, frame.agent_code)


# ---- what waits, what comes first, what is taken up again


def _put_off(placing: Placing, cue: Cue) -> None:
    """先不挂了: the focus waits, and comes back when its lane is free (hospital.md, Ops)."""
    board = placing.board
    found = named_by(placing, cue)
    if found.best is None and (placing.off or names_task(cue)):
        return
    frame = found.best or board.standing_focus()
    if frame is None or placing.has(CueKind.ALL_DONE, CueKind.CANCEL_ALL):  # nothing waits where all of it ends
        return
    _drop_told(placing, cue, frame)
    if board.focus(frame.lane) != frame:
        placing.off.add(frame.frame_id)
        placing.continue_frame(frame, {}, "waits already")
        return
    end_frame(placing, frame, CueKind.PUT_OFF, cue.text)
    others = [one for one in board.open() if one.frame_id not in placing.off]
    if not others and not any(agent != UNKNOWN_AGENT for agent in placing.agents):
        placing.continue_frame(board.frames[frame.frame_id], {}, "put off")


def _first(placing: Placing, cue: Cue) -> bool:
    """先说停车: the task asked for takes its lane's focus, the former one waits; False when none is meant."""
    board = placing.board
    frame = _waiting(placing, cue)
    if frame is None:
        return False
    _drop_echo(placing, cue, frame)
    taken = board.take_focus(board.frames[frame.frame_id], keep_former=True)
    board.op(OpKind.SHIFT, [taken], cue.text)
    placing.note(TurnType.NEW_REQUEST)
    return True


def _waiting(placing: Placing, cue: Cue) -> TaskFrame | None:
    """The waiting frame that a cue names better than the focus."""
    found = _by_own_words(placing, cue)
    return found.best if found.best is not None and found.best in placing.board.queued() else None


def _point_back(placing: Placing, cue: Cue) -> None:
    """停车那个事 speaks of the waiting task; 接着挂号 takes up one that was put off."""
    board = placing.board
    frame = _by_own_words(placing, cue).best
    if frame is None and not placing.has(*_ENDS):
        frame = which(board.domain, _candidates(placing, cue), Said(cue.about or placing.reading.text)).best
    if frame is None:
        frame = reopen(placing, of_cue(cue))
    if frame is None:
        return
    if any(_overlap(cue, one) and _exchanges(placing, frame, one) for one in placing.reading.segments):
        placing.given = frame.frame_id  # 爷爷那个换成夏天医生
        return
    close = likeness(board.domain, cue.about, frame.memory.summary) >= CLOSE
    _drop_echo(placing, cue, frame, pointed=close or _by_own_words(placing, cue).score > HINT)
    frame = board.frames[frame.frame_id]
    leads = board.domain.lanes[frame.lane].leads
    taken_up = cue.kind is CueKind.RESUME and board.focus(frame.lane) != frame and (leads or not board.leading_focus())
    if taken_up:
        taken = board.take_focus(frame, keep_former=True)
        board.op(OpKind.SHIFT, [taken], "taken up again")
        placing.note(TurnType.NEW_REQUEST)
    elif frame.frame_id not in placing.fresh:
        placing.continue_frame(frame, {}, "back reference")


def _exchanges(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment asks for another thing in place of what a frame is about."""
    domain = placing.board.domain
    return is_exchange(domain, segment) and exchanged_for(domain, frame, segment) is not None


def _drop_echo(placing: Placing, cue: Cue, frame: TaskFrame, *, pointed: bool = False) -> None:
    """The words that point at a frame are no second task of its agent, nor, naming nothing new, of its group; where
    they name what the frame is about (`pointed`), clauses that do nothing else are no task at all."""
    domain = placing.board.domain
    for index, agent in enumerate(placing.agents):
        segment = placing.reading.segments[index]
        same = agent in (frame.agent_code, UNKNOWN_AGENT)
        echo = not same and placing.board.same_group(agent, frame.agent_code) and not segment.slots
        names = which(domain, [frame], Said(segment.text, segment.mentions)).best is not None
        nothing_else = pointed and _only_points(placing, segment)
        if ((same and (names or _overlap(cue, segment))) or echo or nothing_else) and not placing.done[index]:
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
