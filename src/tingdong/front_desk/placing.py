"""State of a turn in progress: the rest of its reading, and the results of its segments (hospital.md, Segments,
Ops)."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

import msgspec

from tingdong.front_desk.board import Board
from tingdong.front_desk.kinds import DATE, PERSON, PLACE
from tingdong.front_desk.lexicon import PUNCTUATION, any_of
from tingdong.front_desk.model import (
    UNKNOWN_AGENT,
    CueKind,
    Layer,
    OpKind,
    Segment,
    Status,
    TaskFrame,
    TurnReading,
    TurnType,
)
from tingdong.front_desk.slots import AND, grown

__all__ = ["Placing", "Unsure"]


class Unsure(NamedTuple):
    """Words that change a task, and the tasks that they may mean: none is changed."""

    words: str
    rivals: tuple[TaskFrame, ...]
    supposed: bool = False
    """Whether they speak of a case that may come."""


class Placing:
    """A turn under way: the board, what is left of the reading, and what the segments turned out to be."""

    def __init__(self, board: Board, reading: TurnReading, *, today: date) -> None:
        self.board = board
        self.reading = reading
        self.agents: list[str] = [segment.agent_code for segment in reading.segments]
        self.done: list[bool] = [False] * len(self.agents)
        self._as_tasks: dict[int, Segment] = {}
        self._retold: dict[int, Segment] = {}
        self.continued: set[str] = set()
        self.chose = False
        self.off: set[str] = set()
        """Frames that the turn put off."""
        self.unsure: list[Unsure] = []
        self.ahead: int | None = None
        """The segment that is asked for before all others."""
        self.stays = False
        """Whether what has the focus is to be answered before anything new (先告诉我要不要紧，我再挂号)."""
        self.given = ""
        """The frame that the turn gives up for another of its group."""
        self.freed: list[str] = []
        self.fresh: list[str] = []
        """Frames that this turn made."""
        self.beside: set[str] = set()
        """Those of them that stand beside what was open, and do not replace it."""
        self.settled: list[tuple[int, int]] = []
        """Stretches of the turn that have done what they do."""
        self._today = today.isoformat()
        self._kinds: list[TurnType] = []

    # ---- what the words bring

    def cues(self, *kinds: CueKind) -> list[int]:
        """Indexes of the reading's cues of these kinds."""
        return [index for index, cue in enumerate(self.reading.cues) if cue.kind in kinds]

    def has(self, *kinds: CueKind) -> bool:
        """Whether the turn has a cue of one of these kinds."""
        return any(cue.kind in kinds for cue in self.reading.cues)

    def slots(self, slots: dict[str, str], agent: str) -> dict[str, str]:
        """The slots without dates that are over: nothing can be booked in the past."""
        specs = self.board.domain.agents[agent].slots
        kept = {}
        for name, value in slots.items():
            spec = specs.get(name)
            if value and spec is not None and spec.kind == DATE and value < self._today:
                self.board.notes.append(f"{name} {value} is over")
            else:
                kept[name] = value
        return kept

    @property
    def along(self) -> bool:
        """Whether something is to go along with another (跟头孢一块儿吃)."""
        return any_of(self.board.domain.correcting.along).search(self.reading.text) is not None

    @property
    def put_off(self) -> bool:
        """Whether anything was put off."""
        return bool(self.off)

    def words(self, segment: Segment) -> str:
        """A segment with what leads to it in its clause (再挂一个骨科, of 挂一个骨科)."""
        text, start = self.reading.text, segment.start
        ends = {one.end for one in self.reading.segments if one.end <= start}
        while start and text[start - 1] not in PUNCTUATION and start not in ends:
            start -= 1
        return text[start : segment.start] + segment.text

    def place(self, index: int, agent: str) -> None:
        """Segment `index` has found its place as a segment of `agent`."""
        self.agents[index] = agent
        self.done[index] = True

    def said(self, index: int) -> Segment:
        """Segment `index`, as a task where what is open has made it one."""
        return self._as_tasks.get(index) or self._retold.get(index) or self.reading.segments[index]

    def retell(self, index: int, segment: Segment) -> None:
        """Segment `index` says more by what stands beside it."""
        self._retold[index] = segment

    def make_task(self, index: int, segment: Segment) -> None:
        """Segment `index` only told by its words, and is a task by what is open."""
        self._as_tasks[index] = segment
        self.agents[index] = segment.agent_code

    def lost(self) -> str:
        """The words of a turn that only told something, of which nothing was kept and by which nothing goes on."""
        if any(self.board.told.values()) or TurnType.REPAIR in self._kinds:
            return ""
        told = [
            one
            for index, one in enumerate(self.reading.segments)
            if self.done[index] and one.opens is False and not one.asks
        ]
        kept = self.has(CueKind.CONFIRM, CueKind.ABOUT, CueKind.RESUME, CueKind.CHOICE)
        return "，".join(one.text for one in told if not kept and not one.mentions)

    def note(self, kind: TurnType) -> None:
        """Records that an event of this kind happened in the turn."""
        self._kinds.append(kind)

    @property
    def noted(self) -> bool:
        """Whether anything was done in the turn."""
        return bool(self._kinds)

    # ---- what came of them

    def continue_frame(self, frame: TaskFrame, slots: dict[str, str], reason: str) -> None:
        """The frame goes on: slots added or corrected, a yes or a no."""
        wanted, slots = slots, self.board.allowed(frame, self._beyond_held(frame, slots))
        if wanted and not slots:
            return  # the words mean another
        kind = self._continue_kind(frame, slots)
        if kind is not TurnType.REPAIR:
            slots = grown(self.board.domain.agents[frame.agent_code], frame.slots, slots, along=self.along)
        frame = self.board.merge(frame, self.slots(slots | self._gone_with(frame, slots), frame.agent_code), kind)
        self.note(kind)
        if frame.frame_id not in self.continued:
            self.continued.add(frame.frame_id)
            self.board.op(OpKind.CONTINUE, [frame], reason)

    def _beyond_held(self, frame: TaskFrame, slots: dict[str, str]) -> dict[str, str]:
        """Slots as they stay where one of several that they hold is named again (益生菌有没有影响)."""
        specs = self.board.domain.agents[frame.agent_code].slots
        if self.has(CueKind.REPAIR, CueKind.DENY):
            return slots
        held = {name: frame.slots.get(name, "") for name in slots if name in specs and specs[name].many}
        return slots | {name: value for name, value in held.items() if slots[name] in value.split(AND)}

    def give_up(self, frame: TaskFrame, reason: str) -> None:
        """The frame is canceled; the focus of its lane is free then."""
        if self.board.focus(frame.lane) == frame:
            self.freed.append(frame.lane)
        self.board.op(OpKind.CANCEL, [self.board.end(frame, Status.CANCELED)], reason)
        self.note(TurnType.DENY)

    def _gone_with(self, frame: TaskFrame, slots: dict[str, str]) -> dict[str, str]:
        """Where somebody worked who gives way to another, in a task that is about them."""
        specs = self.board.domain.agents[frame.agent_code].slots
        named = [name for name in slots if name in specs and specs[name].kind == PERSON and frame.slots.get(name)]
        gone = any(slots[name] != frame.slots[name] for name in named)
        places = [name for name, spec in specs.items() if spec.kind == PLACE and not spec.required]
        return {name: "" for name in places if gone and frame.slots.get(name) and name not in slots}

    def _continue_kind(self, frame: TaskFrame, slots: dict[str, str]) -> TurnType:
        if self.has(CueKind.REPAIR) and slots:
            return TurnType.REPAIR
        changed = {name for name, value in slots.items() if frame.slots.get(name) not in (None, value)}
        added = {name for name in slots if not frame.slots.get(name)}
        specs = self.board.domain.agents[frame.agent_code].slots
        grows = any(specs[name].grows or (self.along and specs[name].many) for name in changed if name in specs)
        if changed and not added and not grows:
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
