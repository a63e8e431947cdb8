"""The frame of each segment: an open one, a new one, or none (hospital.md, Segments, Relations, Ops)."""

from __future__ import annotations

import msgspec

from tingdong.front_desk.align import fitting_slots, given_up, says_little_else, slot_frame
from tingdong.front_desk.beside import (
    as_task,
    asks_beside,
    companions,
    exchange,
    names_apart,
    names_nobody,
    says_again,
    share_times,
    take_over,
)
from tingdong.front_desk.board import Board
from tingdong.front_desk.for_whom import is_for, whom
from tingdong.front_desk.kinds import NAMED, WHOM, is_object
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    CueKind,
    OpKind,
    Segment,
    Status,
    TaskFrame,
    TurnType,
)
from tingdong.front_desk.naming import TaskWords, likeness, which
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.placing import Placing, Unsure
from tingdong.front_desk.seats import clarify_between, contested, frame_of, in_rank, put_ahead, questioned, seat
from tingdong.front_desk.slots import AND, fill, grown, same_value, without
from tingdong.front_desk.supposing import is_left_over
from tingdong.front_desk.whose import corrects, fold_told, says_more, shared_among, tell_of_people

__all__ = ["place_segments"]

SAME_TOPIC = 0.55
"""Similarity from which a new question repeats one that already waits."""


def place_segments(placing: Placing, *, waiting: bool) -> list[TaskFrame]:
    """Finds a place for every segment; returns the frames a clarify is needed between, in sentence order. While one is
    `waiting` for its answer, nothing takes the focus of a lane that leads."""
    fold_told(placing)
    for index in range(len(placing.agents)):
        if not placing.done[index]:
            _exchange(placing, index)
    rivals = contested(placing, [index for index in _left(placing) if not _repeats(placing, index)])
    whole = {index: focus for index in _left(placing) if not rivals and (focus := questioned(placing, index))}
    rivals = rivals or list(whole)
    for index, segment in enumerate(placing.reading.segments):
        if not placing.done[index] and index not in rivals:
            _align(placing, index, segment)
    _continue_by_words(placing)
    _add_details(placing)
    fresh = _left(placing)
    rivals = rivals or contested(placing, fresh)
    frames = {index: frame_of(placing, index, contested=index in rivals and not whole) for index in fresh}
    take_over(placing, frames)
    share_times(placing)
    if fresh:
        placing.note(TurnType.NEW_REQUEST)
    if rivals:
        return clarify_between(placing, frames, rivals, list(whole.values()))
    if placing.ahead in frames:
        put_ahead(placing, frames[placing.ahead])
    made = {frame.frame_id: frame for frame in frames.values()}
    for index, frame in frames.items():
        segment = placing.said(index)
        others = companions(placing, placing.board.frames[frame.frame_id], segment)
        for one in [placing.board.frames[frame.frame_id], *others]:
            others = [*others, *shared_among(placing, one, segment)]
        made |= {other.frame_id: other for other in others}
    for frame in in_rank(placing, [placing.board.frames[key] for key in made]):
        seat(placing, frame, waiting=waiting)
    return []


def _left(placing: Placing) -> list[int]:
    """Indexes of segments of an agent that have no place yet."""
    return [index for index, agent in enumerate(placing.agents) if not placing.done[index] and agent != UNKNOWN_AGENT]


def _repeats(placing: Placing, index: int) -> bool:
    """Whether a segment says nothing that the focus of its agent does not hold already (儿科吧, of 儿科)."""
    segment = placing.said(index)
    focus = placing.board.focus(placing.board.domain.lane(segment.agent_code))
    if focus is None or focus.agent_code != segment.agent_code:
        return False
    return all(focus.slots.get(name) == value for name, value in segment.slots.items())


def _align(placing: Placing, index: int, segment: Segment, *, made: bool = False) -> None:
    """A segment that belongs to a standing frame continues it; `made`: it was made a task of its own already."""
    board = placing.board
    if segment.agent_code == UNKNOWN_AGENT:
        _align_unknown(placing, index, segment)
        return
    segment = placing.said(index)
    if is_left_over(placing, index, segment):
        return
    if names_nobody(board, segment) or _only_tells_of(placing, segment):
        _tell(placing, index, segment, made=made)
        return
    named = _named(placing, segment)
    for frame in [named] if named is not None else _standing(board):
        if frame.agent_code == segment.agent_code and _goes_on(placing, frame, segment):
            _go_on(placing, index, frame, segment, segment.slots, "same task")
            return


def _only_tells_of(placing: Placing, segment: Segment) -> bool:
    """Whether a segment is taken for a task and only says for whom one is that is open (是我爸要看), or what ails
    somebody who has a booking."""
    domain = placing.board.domain
    names = whom(domain, segment.mentions)
    grouped = placing.board.grouped()
    asks = segment.asks or any(one.kind in NAMED for one in segment.mentions)
    if asks or not names or not grouped or not domain.agents[segment.agent_code].group:
        return False
    held = [f for f in grouped if is_for(domain, f, names) and f.agent_code != segment.agent_code]
    return corrects(placing, segment) or (bool(held) and names != [domain.people.speaker_name])


def _named(placing: Placing, segment: Segment) -> TaskFrame | None:
    """The booking that a segment names by what it is about and for whom; where two are alike the focus first."""
    domain = placing.board.domain
    frames = [frame for frame in _standing(placing.board) if domain.agents[frame.agent_code].group]
    found = which(domain, frames, TaskWords("", [one for one in segment.mentions if is_object(one.kind)]), times=False)
    return found.best if found.best is not None and not found.hinted else None


def _exchange(placing: Placing, index: int) -> None:
    """给我换产科，时间不变: the booking that is given up goes on with another thing, or becomes one of another agent of
    its group that keeps its times."""
    board = placing.board
    found = exchange(placing, index)
    if found is None:
        return
    frame, code = found
    segment = placing.said(index)
    slots = fill(board.domain.agents[code], segment.mentions)
    held = set(frame.slots.values())
    slots = {
        name: value for name, value in slots.items() if value not in held or not is_object(_kind(board, code, name))
    }
    if code == frame.agent_code:
        _go_on(placing, index, frame, segment, given_up(board, frame, segment) | slots, "exchanged")
    elif board.focus(frame.lane) == frame:
        placing.make_task(index, msgspec.structs.replace(segment, agent_code=code, slots=slots))
    else:
        board.end(frame, Status.CANCELED)
        made = board.create(msgspec.structs.replace(segment, agent_code=code, slots=slots), TurnType.REPAIR)
        made = board.merge(made, board.carried(frame, made), TurnType.REPAIR)
        placing.fresh.append(made.frame_id)
        board.op(OpKind.ADD, [made], f"replaces {frame.agent_code}")
        placing.place(index, code)
        placing.note(TurnType.REPAIR)


def _kind(board: Board, code: str, name: str) -> str:
    return board.domain.agents[code].slots[name].kind


def _standing(board: Board) -> list[TaskFrame]:
    """Frames a short answer may belong to: the leading focus, other focuses, then the queue."""
    leading = board.leading_focus()
    focuses = [focus for lane in board.domain.lanes if (focus := board.focus(lane)) and focus is not leading]
    return [frame for frame in (leading, *focuses) if frame is not None] + board.queued()


def _align_unknown(placing: Placing, index: int, segment: Segment) -> None:
    if segment.opens is False:
        if not _tell_all(placing, index, segment):
            _tell(placing, index, segment)
        return
    if tell_of_people(placing, index, segment):
        return
    if _make_task(placing, index, segment):
        return
    found = slot_frame(placing.board.domain, _standing(placing.board), segment.mentions)
    named = _named(placing, segment)
    if named is not None:
        found = named, fitting_slots(placing.board.domain, named, segment.mentions)
    if found is not None and any(says_little_else(segment, *span) for span in clauses(segment.text)):
        frame, slots = found
        placing.continue_frame(frame, slots, "slot answer")
        placing.place(index, frame.agent_code)


def _tell_all(placing: Placing, index: int, segment: Segment) -> bool:
    """What is told while one of several is to be chosen holds for whichever it will be, where each takes it (周五)."""
    board, frames = placing.board, placing.board.contested()
    told = {frame.frame_id: fitting_slots(board.domain, frame, segment.mentions) for frame in frames}
    if not frames or not all(told.values()):
        return False
    for frame in frames:
        placing.continue_frame(frame, told[frame.frame_id], "told of each")
    placing.place(index, frames[0].agent_code)
    return True


def _tell(placing: Placing, index: int, segment: Segment, *, made: bool = False) -> None:
    """What tells of something open belongs to the frame that misses it, else to the one whose words it speaks, else to
    the focus."""
    domain, frames = placing.board.domain, _standing(placing.board)
    if not frames or tell_of_people(placing, index, segment):
        return
    if not made and _make_task(placing, index, segment):
        return
    segment = msgspec.structs.replace(
        segment, mentions=tuple(m for m in segment.mentions if not m.kind.startswith(WHOM))
    )
    fitting = {frame.frame_id: fitting_slots(domain, frame, segment.mentions) for frame in frames}
    named = _named(placing, segment)
    about = [named] if named is not None else []
    missed = [f for f in frames if any(not f.slots.get(name) for name in fitting[f.frame_id])]
    spoken = [f for f in frames if any(f.agent_code == one.agent_code for one in segment.candidates)]
    held = [f for f in frames[:1] if fitting[f.frame_id]]
    frame = next(iter([*about, *missed, *held, *spoken, *frames]))
    if segment.asks and not fitting[frame.frame_id] and says_more(placing, segment):
        placing.unsure.append(Unsure(segment.text, tuple(frames)))  # 我老公也想查个前列腺
        placing.note(TurnType.REPAIR)
        placing.place(index, UNKNOWN_AGENT)
        return
    _go_on(placing, index, frame, segment, fitting[frame.frame_id], "told")


def _make_task(placing: Placing, index: int, segment: Segment) -> bool:
    """Makes what seems only to tell a task of its own, where it is one by what is open."""
    frames = _standing(placing.board)
    task = as_task(placing, frames[0], segment) if frames else None
    if task is None:
        return False
    placing.make_task(index, task)
    if not asks_beside(placing, frames[0], task) and not says_again(placing.board.domain, task):
        _align(placing, index, task, made=True)
    return True


def _go_on(
    placing: Placing, index: int, frame: TaskFrame, segment: Segment, slots: dict[str, str], reason: str
) -> None:
    """A segment continues a frame: what it denies is taken back, and with nothing left the frame is (不是肚子疼)."""
    board = placing.board
    placing.place(index, frame.agent_code)
    denied = without(board.domain.agents[frame.agent_code], frame.slots, segment.denied)
    named = any(one.kind in NAMED and one.end < segment.end for one in segment.denied)  # 不是骨科，是那个…: another one
    if denied and not slots and not named and not any((frame.slots | denied).values()):
        placing.give_up(frame, "taken back")
        return
    frame = board.merge(frame, denied, TurnType.REPAIR) if denied else frame
    placing.continue_frame(frame, given_up(board, frame, segment) | slots, reason)


def _goes_on(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment of the frame's own agent adds to the frame rather than opening a second one."""
    board = placing.board
    agent = board.domain.agents[frame.agent_code]
    if agent.group:
        if board.focus(frame.lane) == frame:
            return not asks_beside(placing, frame, segment)
        return bool(segment.slots) and _same_object(frame, segment) and not names_apart(board.domain, frame, segment)
    if not agent.required and not names_apart(board.domain, frame, segment):
        return True  # 缴费, once more: the one that is open
    untold = not any(segment.slots.get(name) for name in agent.required)
    if untold and board.focus(frame.lane) == frame and not any(one.words for one in agent.slots.values()):
        return True  # 还能吃吗, of what is asked about
    if segment.text in segment.slots.values() and _same_object(frame, segment):
        return True  # 对，发票: what is open is named again
    if segment.opens:
        along = placing.along and not any(AND in value for value in segment.slots.values())
        if board.focus(frame.lane) == frame and (along or _same_object(frame, segment)):
            return any(spec.many for spec in agent.slots.values())  # 阿莫西林跟布洛芬呢, of 布洛芬
        return likeness(board.domain, segment.text, frame.memory.summary) >= SAME_TOPIC
    if placing.has(CueKind.REPAIR, CueKind.DENY, CueKind.CONFIRM, CueKind.ABOUT):
        return True
    if not frame.slots and segment.slots and board.focus(frame.lane) == frame:
        return True  # 我要缴费, then 交药费的
    return likeness(board.domain, segment.text, frame.memory.summary) >= SAME_TOPIC or _same_object(frame, segment)


def _add_details(placing: Placing) -> None:
    """What a turn tells of what is open, in whichever of its clauses (我娃对青霉素过敏，那阿莫西林能吃吗)."""
    board = placing.board
    for frame in board.open():
        agent = board.domain.agents[frame.agent_code]
        kinds = {spec.kind for spec in agent.slots.values() if spec.grows and not spec.required}
        told = [one for one in placing.reading.named if one.kind in kinds]
        if slots := fitting_slots(board.domain, frame, told):
            slots = grown(agent, frame.slots, slots, along=placing.along)
            placing.continue_frame(frame, slots, "told besides")


def _same_object(frame: TaskFrame, segment: Segment) -> bool:
    shared = [name for name in segment.slots if frame.slots.get(name)]
    return bool(shared) and all(same_value(frame.slots[name], segment.slots[name]) for name in shared)


def _continue_by_words(placing: Placing) -> None:
    """A yes, a no or a correction without a task of its own speaks of the focus; 停车那个事 of the task it names."""
    if placing.continued or placing.freed or placing.chose or any(placing.done):
        return
    known = any(agent != UNKNOWN_AGENT for agent in placing.agents)
    if not known and placing.has(CueKind.CONFIRM, CueKind.DENY, CueKind.REPAIR, CueKind.BOTH, CueKind.EITHER):
        focus = placing.board.standing_focus()
        if focus is not None:
            placing.continue_frame(focus, {}, "answer")
            if placing.has(CueKind.REPAIR):
                for index in range(len(placing.agents)):
                    placing.place(index, focus.agent_code)
            return
    if not known and placing.has(CueKind.ABOUT):
        frame = which(placing.board.domain, placing.board.open(), TaskWords(placing.reading.text)).best
        if frame is not None:
            placing.continue_frame(frame, {}, "back reference")
