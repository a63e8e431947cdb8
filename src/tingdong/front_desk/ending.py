"""Cues that cancel or complete tasks, applied to the frames they name (hospital.md, Ops).

A cue refers to the task in its own words or in the words before it (医保卡那个找到了，不用管了), else to the focus.
Other tasks never change; if two fit equally, the user is asked (`unclear`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.beside import asks_beside
from tingdong.front_desk.cue_objects import apart, by_own_words, named_by, overlap
from tingdong.front_desk.for_whom import whom
from tingdong.front_desk.kinds import NAMED, WHOM
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, OpKind, Status, TaskFrame, TurnType
from tingdong.front_desk.naming import HINT, TaskWords, names_task, which
from tingdong.front_desk.operations import counted
from tingdong.front_desk.placing import Placing, Unsure
from tingdong.front_desk.slots import without
from tingdong.front_desk.undone import is_done_later
from tingdong.front_desk.whose import corrects, for_another

__all__ = [
    "CUE_ENDS",
    "EVERY",
    "drop_told",
    "end_frame",
    "end_named",
    "names_more",
    "says_whose",
    "told_apart",
    "unclear",
]

CUE_ENDS = {
    CueKind.CANCEL: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.CANCEL_ALL: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.REFUSE: (Status.CANCELED, OpKind.CANCEL, TurnType.DENY),
    CueKind.COMPLETE: (Status.COMPLETED, OpKind.COMPLETE, TurnType.CONFIRM),
    CueKind.ALL_DONE: (Status.COMPLETED, OpKind.COMPLETE, TurnType.CONFIRM),
}

EVERY = frozenset({CueKind.ALL_DONE, CueKind.CANCEL_ALL})
"""Cues that are said of every open task."""
_OVER = (Status.CANCELED, Status.COMPLETED)
_ONE = frozenset({CueKind.CANCEL, CueKind.REFUSE, CueKind.COMPLETE, CueKind.PUT_OFF})
"""Cues that are said of one."""


def unclear(placing: Placing) -> tuple[Cue, tuple[TaskFrame, ...]] | None:
    """The first cue that would end or put off one of several tasks that it names alike, with these."""
    for cue in told_apart(placing):
        count = counted(placing, cue) if cue.kind in CUE_ENDS or cue.kind is CueKind.PUT_OFF else None
        if count is not None and not count[1] and len(count[0]) > 1:
            return cue, tuple(count[0])
        if cue.kind in _ONE and count is None:
            found = named_by(placing, cue)
            if found.best is not None and len(apart(found.rivals)) > 1 and not _gives_way(placing, cue, found.best):
                return cue, found.rivals
    return None


def told_apart(placing: Placing) -> list[Cue]:
    """先不挂了 puts off and does not cancel: where both are read in the same words, the milder one counts. What is said
    of all tasks leaves nothing to one; what is only to be done, or is not done yet, completes nothing."""
    cues = [_as_meant(placing, cue) for cue in placing.reading.cues]
    put_off = [(cue.start, cue.end) for cue in cues if cue.kind is CueKind.PUT_OFF]
    every = any(cue.kind is CueKind.CANCEL_ALL for cue in cues)
    kept = [
        cue
        for cue in cues
        if not (every and cue.kind in (CueKind.CANCEL, CueKind.NEITHER))
        and (cue.kind is not CueKind.CANCEL or not any(cue.start < end and start < cue.end for start, end in put_off))
        and not (cue.kind in (CueKind.COMPLETE, CueKind.ALL_DONE) and is_done_later(placing, cue))
        and not (cue.kind is CueKind.ALL_DONE and _goes_on_to_ask(placing, cue))
    ]
    named = [
        (cue, frame) for cue in kept if cue.kind in _ONE and (frame := by_own_words(placing, cue).best) is not None
    ]
    naming = [(cue, frame) for cue, frame in named if not _hints(cue)] or named
    kinds = {(cue.kind, frame.agent_code) for cue, frame in naming}
    naming_cues = [cue for cue, _ in naming] + [cue for cue in kept if names_task(cue) or says_whose(placing, cue)]
    bare = [cue for cue in kept if cue.kind in _ONE and cue not in naming_cues and _adds_nothing(cue, kinds)]
    return [cue for cue in kept if not naming_cues or cue not in bare]


def _as_meant(placing: Placing, cue: Cue) -> Cue:
    """What is done elsewhere is given up here (他在别的医院约上了)."""
    elsewhere = any_of(placing.board.domain.operating.elsewhere).search(cue.text) is not None
    return msgspec.structs.replace(cue, kind=CueKind.CANCEL) if elsewhere and cue.kind is CueKind.COMPLETE else cue


def _goes_on_to_ask(placing: Placing, cue: Cue) -> bool:
    """Whether something is asked for behind what would end everything (没有了，就挂号的给我办好)."""
    pointing = (CueKind.CHOICE, CueKind.ABOUT, CueKind.RESUME)
    told = any(one.kind in pointing and one.start >= cue.end for one in placing.reading.cues)
    return told or any(one.asks and one.start >= cue.end for one in placing.reading.segments)


def _hints(cue: Cue) -> bool:
    """Whether a cue names nothing but agents (不用答了)."""
    return not cue.about and not names_task(cue)


def _adds_nothing(cue: Cue, kinds: set[tuple[CueKind, str]]) -> bool:
    """Whether a cue names nothing (算了), or only hints at an agent of which another of its kind names a task."""
    return _hints(cue) and (not cue.agents or any((cue.kind, agent) in kinds for agent in cue.agents))


def end_named(placing: Placing, cue: Cue, *, clarify_pending: bool) -> bool:
    """Ends the frame the cue names, the focus where it names none; True when something ended."""
    board = placing.board
    kind = CUE_ENDS[cue.kind][2]
    frames = _meant(placing, cue)
    if cue.kind not in EVERY and kind is TurnType.DENY and _is_moved(placing, cue, frames):
        return False
    if cue.kind not in EVERY and _is_handed_on(placing, cue):
        return False
    if len(frames) == 1 and cue.kind not in EVERY and kind is TurnType.DENY and _gives_way(placing, cue, frames[0]):
        return False
    if cue.kind not in EVERY and frames and _wants_another(placing, cue):
        placing.unsure.append(Unsure(cue.text, tuple(frames)))
        return False
    if clarify_pending and cue.kind is not CueKind.REFUSE and not frames:
        frames = [frame for frame in board.open() if frame.role.value == "focus"]
    told = (*cue.mentions, *(cue.refused.mentions if cue.refused is not None else ()))
    for frame in frames:
        left = without(board.domain.agents[frame.agent_code], frame.slots, told)
        if cue.kind not in EVERY and kind is TurnType.DENY and any(left.values()):  # 阿莫西林那个不问了, of two
            placing.continued.add(frame.frame_id)
            board.op(OpKind.CONTINUE, [board.merge(frame, left, TurnType.REPAIR)], cue.text)
            placing.note(TurnType.REPAIR)
        else:
            end_frame(placing, frame, cue.kind, cue.text)
        drop_told(placing, cue, frame)
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
    status, op, turn_type = CUE_ENDS[kind]
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
        if agent == UNKNOWN_AGENT or not board.same_group(agent, frame.agent_code):
            continue
        said = TaskWords(segment.text, segment.mentions)
        standing = which(board.domain, others, said, times=False).score >= HINT
        if not standing and not asks_beside(placing, frame, segment):
            placing.given = frame.frame_id
            return True
    return False


def names_more(placing: Placing, cue: Cue) -> bool:
    """Whether a cue names a task beside what the turn has ended: not by an agent of which one ended (她那个不要了，
    科室不用了)."""
    found = named_by(placing, cue)
    over = {frame.agent_code for frame in placing.board.frames.values() if frame.status in _OVER}
    just = {op.target for op in placing.board.ops if op.op in (OpKind.CANCEL, OpKind.COMPLETE)}
    return found.best is not None and not (found.hinted and found.best.agent_code in over & just)


def _wants_another(placing: Placing, cue: Cue) -> bool:
    """Whether what seems given up is somebody or some place that no open task holds (算了，我妈想找唐主任看)."""
    held = {value for frame in placing.board.open() for value in frame.slots.values()}
    named = [one for one in cue.mentions if one.kind in NAMED and one.value and one.text in cue.about]
    return cue.kind is CueKind.CANCEL and bool(named) and all(one.value not in held for one in named)


def _is_moved(placing: Placing, cue: Cue, meant: Sequence[TaskFrame]) -> bool:
    """算了，今天没空，周四的: what seems given up is told anew behind it."""
    focus = placing.board.standing_focus()
    names = bool(cue.about or cue.agents)
    if (
        focus is None
        or focus not in meant
        or cue.kind is not CueKind.CANCEL
        or (names and not placing.has(CueKind.REPAIR))
    ):
        return False
    behind = (one for one in placing.reading.segments if one.opens is False and one.start >= cue.end)
    told = [one for one in behind if not for_another(placing, focus, one)]  # 他那个取消，女儿的换到周四
    return any(fitting_slots(placing.board.domain, focus, segment.mentions) for segment in told)


def _is_handed_on(placing: Placing, cue: Cue) -> bool:
    """我不去了，给我老婆用; 不是给我爸挂，是宝宝看: what seems given up is somebody else's now."""
    things = cue.refused is not None and any(one.kind in NAMED for one in cue.refused.mentions)
    return not things and any(
        one.opens is False and whom(placing.board.domain, one.mentions) and corrects(placing, one)
        for one in placing.reading.segments
    )


# ---- what is meant


def _meant(placing: Placing, cue: Cue) -> list[TaskFrame]:
    board = placing.board
    if (count := counted(placing, cue)) is not None:
        return list(count[0])
    if cue.kind in EVERY and not cue.agents:
        return sorted(board.open(), key=lambda frame: board.domain.rank(frame.agent_code))
    found = named_by(placing, cue)
    if found.best is not None:
        return list(found.rivals) if len(apart(found.rivals)) == 1 else [found.best]
    if names_task(cue) or cue.kind is CueKind.REFUSE or (cue.kind in (CueKind.COMPLETE, CueKind.CANCEL) and cue.agents):
        return []  # 我已经挂好了, to a queue: what is done is none of these
    if cue.kind in EVERY:
        return sorted(board.open(), key=lambda frame: board.domain.rank(frame.agent_code))
    if any(says_whose(placing, one) for one in placing.reading.cues):
        return []  # 我的不约了，下回再说, of nothing but another's
    focus = board.standing_focus()
    return [focus] if focus is not None else []


def says_whose(placing: Placing, cue: Cue) -> bool:
    """Whether a cue says whose the task is that it ends (我的不约了)."""
    owns = tuple(phrases(placing.board.domain.people.owns))
    behind = ((one, cue.text[max(0, one.end - cue.start) :]) for one in cue.mentions if one.kind.startswith(WHOM))
    return any(one.text.endswith(owns) or text.startswith(owns) for one, text in behind)


def drop_told(placing: Placing, cue: Cue, frame: TaskFrame) -> None:
    """Words that name what is ended open no task (投诉的事我找过院办了，撤了吧)."""
    for index, segment in enumerate(placing.reading.segments):
        before = not cue.about and segment.end <= cue.start
        said = TaskWords(segment.text, segment.mentions)
        if (before or overlap(cue, segment)) and which(placing.board.domain, [frame], said).best is not None:
            placing.place(index, frame.agent_code)
