"""Where each segment of a turn goes: into a standing frame, into a new one, or nowhere (seed 003 §2.2, §4.2, §7.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from tingdong.dialogue.align import by_meaning, fitting_slots, given_up, likeness, says_little_else, slot_frame
from tingdong.dialogue.board import Board
from tingdong.dialogue.model import (
    UNKNOWN_AGENT,
    CueKind,
    Layer,
    OpKind,
    PendingClarify,
    Reading,
    RelationType,
    Segment,
    TaskFrame,
    TurnType,
)
from tingdong.dialogue.pieces import clauses
from tingdong.dialogue.relate import relation_between
from tingdong.dialogue.slots import same_value

__all__ = ["Placing", "place_segments"]

SAME_TOPIC = 0.55
"""Similarity from which a new question repeats one that already waits."""


class Placing:
    """A turn under way: the board, what is left of the reading, and what the segments turned out to be."""

    def __init__(self, board: Board, reading: Reading, *, today: date) -> None:
        self.board = board
        self.reading = reading
        self.agents: list[str] = [segment.agent_code for segment in reading.segments]
        self.done: list[bool] = [False] * len(self.agents)
        self.continued: set[str] = set()
        self.chose = False
        self.put_off = False
        self.freed: list[str] = []
        self._today = today.isoformat()
        self._kinds: list[TurnType] = []

    # ---- what the words bring

    def cues(self, *kinds: CueKind) -> list[int]:
        """Indexes of the reading's cues of these kinds."""
        return [index for index, cue in enumerate(self.reading.cues) if cue.kind in kinds]

    def has(self, *kinds: CueKind) -> bool:
        return any(cue.kind in kinds for cue in self.reading.cues)

    def slots(self, slots: dict[str, str], agent: str) -> dict[str, str]:
        """The slots without dates that are over: nothing can be booked in the past."""
        specs = self.board.domain.agents[agent].slots
        kept = {}
        for name, value in slots.items():
            spec = specs.get(name)
            if spec is not None and spec.kind == "date" and value < self._today:
                self.board.notes.append(f"{name} {value} is over")
            else:
                kept[name] = value
        return kept

    def place(self, index: int, agent: str) -> None:
        """Segment `index` has found its place as a segment of `agent`."""
        self.agents[index] = agent
        self.done[index] = True

    def note(self, kind: TurnType) -> None:
        """Something of this kind happened in the turn."""
        self._kinds.append(kind)

    @property
    def noted(self) -> bool:
        """Whether anything was done in the turn."""
        return bool(self._kinds)

    # ---- what came of them

    def continue_frame(self, frame: TaskFrame, slots: dict[str, str], reason: str) -> None:
        """The frame goes on: slots added or corrected, a yes or a no."""
        kind = self._continue_kind(frame, slots)
        frame = self.board.merge(frame, self.slots(slots, frame.agent_code), kind)
        self.note(kind)
        if frame.frame_id not in self.continued:
            self.continued.add(frame.frame_id)
            self.board.op(OpKind.CONTINUE, [frame], reason)

    def _continue_kind(self, frame: TaskFrame, slots: dict[str, str]) -> TurnType:
        if self.has(CueKind.REPAIR) and slots:
            return TurnType.REPAIR
        changed = {name for name, value in slots.items() if frame.slots.get(name) not in (None, value)}
        added = {name for name in slots if not frame.slots.get(name)}
        if changed and not added:
            return TurnType.REPAIR
        if self.has(CueKind.CONFIRM) and not changed:
            return TurnType.CONFIRM
        if self.has(CueKind.DENY):
            return TurnType.REPAIR if slots else TurnType.DENY
        return TurnType.SLOT_FILL

    def segments(self) -> tuple[Segment, ...]:
        """The reading's segments with the agents they were found to belong to."""
        pairs = zip(self.reading.segments, self.agents, strict=True)
        return tuple(
            segment
            if segment.agent_code == agent
            else msgspec.structs.replace(segment, agent_code=agent, layer=Layer.STATE)
            for segment, agent in pairs
        )

    def unlisted(self) -> tuple[str, ...]:
        """People named for a task whom the directory does not have."""
        specs = {code: {spec.kind for spec in agent.slots.values()} for code, agent in self.board.domain.agents.items()}
        pairs = zip(self.reading.segments, self.agents, strict=True)
        return tuple(
            mention.text
            for segment, agent in pairs
            for mention in segment.mentions
            if not mention.listed and mention.kind in specs.get(agent, ())
        )

    def turn_type(self) -> TurnType:
        """What the turn was: the one kind of things that happened; several kinds make a new request."""
        kinds = set(self._kinds)
        if not kinds:
            return TurnType.UNKNOWN
        return kinds.pop() if len(kinds) == 1 else TurnType.NEW_REQUEST

    def layer(self) -> Layer:
        """Who decided: the state where the turn only continues, else what read the segments."""
        fresh = [
            segment.layer
            for segment, agent in zip(self.reading.segments, self.agents, strict=True)
            if segment.agent_code == agent and agent != UNKNOWN_AGENT
        ]
        order = (Layer.LLM, Layer.MODEL, Layer.RULE)
        return next((layer for layer in order if layer in fresh), Layer.STATE)


def place_segments(placing: Placing, clarify: PendingClarify | None) -> list[TaskFrame]:
    """Finds a place for every segment; returns the frames a clarify is needed between, in sentence order."""
    contested = _contested(placing, [index for index in _left(placing) if not _repeats(placing, index)])
    for index, segment in enumerate(placing.reading.segments):
        if not placing.done[index] and index not in contested:
            _align(placing, index, segment)
    _continue_by_words(placing)
    fresh = _left(placing)
    frames = {index: _frame_of(placing, index, contested=index in contested) for index in fresh}
    if fresh:
        placing.note(TurnType.NEW_REQUEST)
    if contested:
        return _clarify(placing, frames, contested)
    for frame in _in_rank(placing, list(frames.values())):
        _seat(placing, frame, waiting=clarify is not None)
    return []


def _left(placing: Placing) -> list[int]:
    """Indexes of segments of an agent that have no place yet."""
    return [index for index, agent in enumerate(placing.agents) if not placing.done[index] and agent != UNKNOWN_AGENT]


def _repeats(placing: Placing, index: int) -> bool:
    """Whether a segment says nothing that the focus of its agent does not hold already (儿科吧, of 儿科)."""
    segment = placing.reading.segments[index]
    focus = placing.board.focus(placing.board.domain.lane(segment.agent_code))
    if focus is None or focus.agent_code != segment.agent_code:
        return False
    return all(focus.slots.get(name) == value for name, value in segment.slots.items())


def _frame_of(placing: Placing, index: int, *, contested: bool) -> TaskFrame:
    """A new frame of a segment; what is contested and under way already stays the frame that it is."""
    segment = placing.reading.segments[index]
    slots = placing.slots(dict(segment.slots), segment.agent_code)
    board = placing.board
    focus = board.focus(board.domain.lane(segment.agent_code)) if contested else None
    if focus is not None and focus.agent_code == segment.agent_code:
        return board.merge(focus, slots, TurnType.NEW_REQUEST)
    return board.create(msgspec.structs.replace(segment, slots=slots), TurnType.NEW_REQUEST)


def _align(placing: Placing, index: int, segment: Segment) -> None:
    """A segment that belongs to a standing frame continues it."""
    board = placing.board
    if segment.agent_code == UNKNOWN_AGENT:
        _align_unknown(placing, index, segment)
        return
    for frame in _standing(board):
        if frame.agent_code == segment.agent_code and _goes_on(placing, frame, segment):
            placing.continue_frame(frame, given_up(board, frame, segment) | segment.slots, "same task")
            placing.place(index, frame.agent_code)
            return


def _standing(board: Board) -> list[TaskFrame]:
    """Frames a short answer may belong to: the leading focus, other focuses, then the queue."""
    leading = board.leading_focus()
    focuses = [focus for lane in board.domain.lanes if (focus := board.focus(lane)) and focus is not leading]
    return [frame for frame in (leading, *focuses) if frame is not None] + board.queued()


def _align_unknown(placing: Placing, index: int, segment: Segment) -> None:
    if segment.opens is False:
        _tell(placing, index, segment)
        return
    found = slot_frame(placing.board.domain, _standing(placing.board), segment.mentions)
    if found is not None and _answers(placing, segment, *found):
        frame, slots = found
        placing.continue_frame(frame, slots, "slot answer")
        placing.place(index, frame.agent_code)


def _tell(placing: Placing, index: int, segment: Segment) -> None:
    """What tells of something open belongs to the frame that misses it, else to the one whose words it speaks, else to
    the focus."""
    domain, frames = placing.board.domain, _standing(placing.board)
    if not frames:
        return
    fitting = {frame.frame_id: fitting_slots(domain, frame, segment.mentions) for frame in frames}
    missed = [f for f in frames if any(not f.slots.get(name) for name in fitting[f.frame_id])]
    spoken = [f for f in frames if any(f.agent_code == one.agent_code for one in segment.candidates)]
    held = [f for f in frames[:1] if fitting[f.frame_id]]
    frame = next(iter([*missed, *held, *spoken, *frames]))
    placing.continue_frame(frame, given_up(placing.board, frame, segment) | fitting[frame.frame_id], "told")
    placing.place(index, frame.agent_code)


def _answers(placing: Placing, segment: Segment, frame: TaskFrame, slots: dict[str, str]) -> bool:
    """A missing slot takes any answer that fits; what is filled, only a clause that says little else."""
    if any(not frame.slots.get(name) for name in slots) or placing.has(CueKind.REPAIR, CueKind.CONFIRM, CueKind.DENY):
        return True
    return any(says_little_else(segment, *span) for span in clauses(segment.text))


def _goes_on(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment of the frame's own agent adds to the frame rather than opening a second one."""
    board = placing.board
    if board.domain.agents[frame.agent_code].group:
        return board.focus(frame.lane) is not None and board.focus(frame.lane) == frame
    if segment.opens:
        return likeness(board, segment.text, frame) >= SAME_TOPIC
    if frame.missing_slots or not segment.slots:
        empty = any(not frame.slots.get(name) for name in segment.slots)
        if empty or (not segment.asks and board.focus(frame.lane) == frame):
            return True
    if placing.has(CueKind.REPAIR, CueKind.DENY, CueKind.CONFIRM, CueKind.ABOUT):
        return True
    if not frame.slots and segment.slots and board.focus(frame.lane) == frame:
        return True  # 我要缴费, then 交药费的
    return likeness(board, segment.text, frame) >= SAME_TOPIC or _same_object(frame, segment)


def _same_object(frame: TaskFrame, segment: Segment) -> bool:
    shared = [name for name in segment.slots if frame.slots.get(name)]
    return bool(shared) and all(same_value(frame.slots[name], segment.slots[name]) for name in shared)


def _continue_by_words(placing: Placing) -> None:
    """A yes, a no or a correction without a task of its own speaks of the focus; 停车那个事 of the task it names."""
    if placing.continued or placing.freed or placing.chose or any(placing.done):
        return
    known = any(agent != UNKNOWN_AGENT for agent in placing.agents)
    if not known and placing.has(CueKind.CONFIRM, CueKind.DENY, CueKind.REPAIR):
        focus = placing.board.standing_focus()
        if focus is not None:
            placing.continue_frame(focus, {}, "answer")
            if placing.has(CueKind.REPAIR):
                for index in range(len(placing.agents)):
                    placing.place(index, focus.agent_code)
            return
    if not known and placing.has(CueKind.ABOUT):
        frame = by_meaning(placing.board, placing.board.open(), placing.reading.text)
        if frame is not None:
            placing.continue_frame(frame, {}, "back reference")


def _contested(placing: Placing, fresh: Sequence[int]) -> list[int]:
    """Indexes of new segments that exclude one another (seed 003 §4.1)."""
    domain, contested = placing.board.domain, set()
    for place, a in enumerate(fresh):
        for b in fresh[place + 1 :]:
            one, other = placing.agents[a], placing.agents[b]
            if one != other and relation_between(domain, one, other) is RelationType.EXCLUSIVE:
                contested |= {a, b}
    return sorted(contested)


def _clarify(placing: Placing, frames: dict[int, TaskFrame], contested: Sequence[int]) -> list[TaskFrame]:
    """Clarify is exclusive: the rest is only recorded, and waits (seed 003 §7.3)."""
    board = placing.board
    rivals = list({frames[index].frame_id: frames[index] for index in contested}.values())
    for lane in board.domain.lanes:
        focus = board.focus(lane)
        if focus is not None and (lane in board.leading_lanes() or any(r.lane == lane for r in rivals)):
            board.queue(focus)
    board.ops[:] = [msgspec.structs.replace(op, executed=False) for op in board.ops]
    board.op(OpKind.CLARIFY, rivals, "exclusive")
    rivals = [board.contest(frame) for frame in rivals]
    for frame in _in_rank(placing, [frame for index, frame in frames.items() if index not in contested]):
        board.op(OpKind.ADD, [frame], "waits for the clarification", executed=False)
    return rivals


def _in_rank(placing: Placing, frames: list[TaskFrame]) -> list[TaskFrame]:
    """Leading lanes first, then the order of seed 003 §3.2."""
    domain = placing.board.domain
    return sorted(frames, key=lambda frame: (not domain.lanes[frame.lane].leads, domain.rank(frame.agent_code)))


def _seat(placing: Placing, frame: TaskFrame, *, waiting: bool) -> None:
    """A new frame takes the focus or a place in the queue (seed 003 §4.2)."""
    board = placing.board
    if _takes_focus(placing, frame, waiting=waiting):
        frame = board.take_focus(frame, keep_former=placing.put_off)
        board.op(OpKind.SHIFT, [frame], "new focus")
    else:
        board.op(OpKind.ADD, [frame], "queued")


def _takes_focus(placing: Placing, frame: TaskFrame, *, waiting: bool) -> bool:
    board = placing.board
    leads = board.domain.lanes[frame.lane].leads
    if waiting and leads:
        return False
    focus = board.focus(frame.lane)
    if not leads:
        leading_busy = board.leading_focus() is not None or waiting
        if leading_busy:
            return False
    if focus is None:
        return True
    if board.same_group(focus.agent_code, frame.agent_code):
        return True
    return board.domain.rank(frame.agent_code) < board.domain.rank(focus.agent_code)
