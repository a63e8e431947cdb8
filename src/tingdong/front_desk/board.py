"""The mutable copy of a dialogue's frames during one step (hospital.md, Frames).

`Board` keeps the rules of frames: one active focus per lane, at most one leading, an ended frame never reopens, and
every change leaves an operation or a reason. It lasts one step and becomes an immutable context again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import NAMED, WHOM
from tingdong.front_desk.model import (
    FrameEvidence,
    FrameRole,
    IntentContext,
    IntentOp,
    Memory,
    OpKind,
    OpPriority,
    Segment,
    Status,
    TaskFrame,
    TurnType,
)
from tingdong.front_desk.settled import Said, Settled

__all__ = ["Board", "just_ended"]

OPEN = (Status.ACTIVE, Status.PENDING)
"""A frame that is not over."""
KEPT_ENDED = 32
"""Frames that ended and are still kept, for explanations and references."""
SUMMARY_CHARS = 60
LEAST_QUESTION = 4
"""Characters from which a question says by itself what it is about."""


class Board:
    """Frames and operations under way. Not shared, not kept."""

    def __init__(self, context: IntentContext, domain: Domain, settled: Settled | None = None) -> None:
        self.domain = domain
        self._settled = settled
        self.frames: dict[str, TaskFrame] = {frame.frame_id: frame for frame in context.frames}
        self.ops: list[IntentOp] = []
        self.notes: list[str] = []
        self.replaced: list[str] = []
        self.gone: list[TaskFrame] = []
        """Frames that another took the place of."""
        self.asks_which = False
        """Whether the clarify of this step asks which task is meant, and not which one is wanted."""
        self.told: dict[str, dict[str, str]] = {}
        """By frame, the slots that this step filled or changed."""
        self.just_ended: tuple[str, ...] = just_ended(context)
        """Frames that the turn before ended, by its operations."""
        self._subjects: list[tuple[OpKind, str, list[TaskFrame]]] = []
        self._created = max((int(frame.frame_id[1:]) for frame in context.frames), default=0)

    # ---- looking

    def open(self) -> list[TaskFrame]:
        """Frames that have not ended, oldest first."""
        return [frame for frame in self.frames.values() if frame.status in OPEN]

    def grouped(self) -> list[TaskFrame]:
        """Frames that have not ended whose agent stands in a group with others (bookings), oldest first."""
        return [frame for frame in self.open() if self.domain.agents[frame.agent_code].group]

    def focus(self, lane: str) -> TaskFrame | None:
        """The active focus of a lane."""
        for frame in self.frames.values():
            if frame.role is FrameRole.FOCUS and frame.status is Status.ACTIVE and frame.lane == lane:
                return frame
        return None

    def leading_focus(self) -> TaskFrame | None:
        """The focus of the lane that leads, which makes other lanes wait (hospital.md, Frames)."""
        return next((focus for lane in self.leading_lanes() if (focus := self.focus(lane))), None)

    def leading_lanes(self) -> list[str]:
        """Names of the lanes that lead."""
        return [name for name, lane in self.domain.lanes.items() if lane.leads]

    def standing_focus(self) -> TaskFrame | None:
        """The focus a new segment meets: the leading one, else any."""
        return self.leading_focus() or next((focus for lane in self.domain.lanes if (focus := self.focus(lane))), None)

    def contested(self) -> list[TaskFrame]:
        """Frames that wait for the user's choice."""
        return [frame for frame in self.open() if frame.role is FrameRole.FOCUS and frame.status is Status.PENDING]

    def queued(self, lane: str | None = None) -> list[TaskFrame]:
        """Waiting frames in the order they will be served: hospital.md, Class, then age."""
        waiting = [
            frame for frame in self.open() if frame.role is not FrameRole.FOCUS and (lane is None or frame.lane == lane)
        ]
        return sorted(waiting, key=lambda frame: self.domain.rank(frame.agent_code))

    # ---- changing

    def create(self, segment: Segment, turn_type: TurnType) -> TaskFrame:
        """A new waiting frame of the segment's agent."""
        self._created += 1
        agent = self.domain.agents[segment.agent_code]
        frame = TaskFrame(
            frame_id=f"f{self._created}",
            agent_code=segment.agent_code,
            role=FrameRole.QUEUED,
            lane=agent.lane,
            status=Status.PENDING,
            memory=Memory(agent.memory, segment.text[:SUMMARY_CHARS]),
            confidence=segment.confidence,
            evidence=FrameEvidence(turn_type, segment.signals, segment.candidates),
        )
        return self.put(self._with_slots(frame, self._in_own_words(segment) | segment.slots))

    def again(self, frame: TaskFrame) -> TaskFrame:
        """A new waiting frame like one that ended, with all that was told of it."""
        self._created += 1
        fresh = msgspec.structs.replace(
            frame, frame_id=f"f{self._created}", role=FrameRole.QUEUED, status=Status.PENDING
        )
        return self.put(fresh)

    def _in_own_words(self, segment: Segment) -> dict[str, str]:
        """Slots that a question fills by its own words where it names nothing else (`words`)."""
        specs = self.domain.agents[segment.agent_code].slots
        if not (segment.asks or segment.opens) or len(segment.text) < LEAST_QUESTION:
            return {}
        return {name: segment.text[:SUMMARY_CHARS] for name, spec in specs.items() if spec.words}

    def put(self, frame: TaskFrame) -> TaskFrame:
        """Puts a frame in the place of the one with its id, and gives it back."""
        self.frames[frame.frame_id] = frame
        return frame

    def merge(self, frame: TaskFrame, slots: Mapping[str, str], turn_type: TurnType) -> TaskFrame:
        """The frame with these slots added or corrected, as far as the turn may, and the turn as its latest
        evidence."""
        slots = self.allowed(frame, slots)
        evidence = msgspec.structs.replace(self.frames[frame.frame_id].evidence, turn_type=turn_type)
        frame = msgspec.structs.replace(self.frames[frame.frame_id], evidence=evidence)
        return self.put(self._with_slots(frame, slots))

    @property
    def said(self) -> Sequence[Said]:
        """The clauses of the turn."""
        return self._settled.said if self._settled is not None else ()

    def mean(self, frame: TaskFrame, slots: Mapping[str, str]) -> None:
        """A clause means this frame by what it tells, whatever else is said."""
        if self._settled is not None:
            self._settled.meant.update((frame.frame_id, *item) for item in slots.items() if item[1])

    def keep(self, frame: TaskFrame, said: Said) -> None:
        """A clause says that this frame stays as it is: what was said before it means another."""
        if self._settled is not None:
            self._settled.kept[frame.frame_id] = said.start

    def allowed(self, frame: TaskFrame, slots: Mapping[str, str]) -> dict[str, str]:
        """Of slots for a frame those that the turn may write (`settled`)."""
        return self._settled.allowed(frame, slots) if self._settled is not None else dict(slots)

    def queue(self, frame: TaskFrame) -> TaskFrame:
        """The frame waits."""
        return self.put(msgspec.structs.replace(frame, role=FrameRole.QUEUED, status=Status.PENDING))

    def contest(self, frame: TaskFrame) -> TaskFrame:
        """The frame waits for the user's choice (hospital.md: role focus, status pending)."""
        return self.put(msgspec.structs.replace(frame, role=FrameRole.FOCUS, status=Status.PENDING))

    def end(self, frame: TaskFrame, status: Status) -> TaskFrame:
        """The frame is over; it keeps its place among the ended."""
        return self.put(msgspec.structs.replace(frame, role=FrameRole.QUEUED, status=status))

    def take_focus(self, frame: TaskFrame, *, keep_former: bool = False) -> TaskFrame:
        """The frame becomes its lane's focus.

        A former focus of one group with it is replaced, unless it was put off
        (`keep_former`); any other former focus waits. A focus in another lane yields to a leading one.
        """
        former = self.focus(frame.lane)
        if former is not None and former.frame_id != frame.frame_id:
            if not keep_former and self.same_group(former.agent_code, frame.agent_code):
                self.gone.append(self.end(former, Status.CANCELED))
                self.replaced.append(former.agent_code)
                self.put(self._with_slots(self.frames[frame.frame_id], self.carried(former, frame)))
            else:
                self.queue(former)
        if self.domain.lanes[frame.lane].leads:
            for lane in self.domain.lanes:
                other = self.focus(lane)
                if other is not None and lane != frame.lane:
                    self.queue(other)
        current = self.frames[frame.frame_id]
        return self.put(msgspec.structs.replace(current, role=FrameRole.FOCUS, status=Status.ACTIVE))

    def carried(self, former: TaskFrame, frame: TaskFrame) -> dict[str, str]:
        """What holds for a task whatever it replaces, and was told already: when, and for whom."""
        old, new = (self.domain.agents[one.agent_code].slots for one in (former, frame))
        held = self.frames[frame.frame_id].slots
        return {
            name: value
            for name, value in former.slots.items()
            if name in new and name in old and new[name].kind == old[name].kind
            if new[name].kind not in NAMED and not held.get(name) and not new[name].grows
            if name not in self.told.get(frame.frame_id, ())
        }

    def same_group(self, one: str, other: str) -> bool:
        """Whether two agents lead to the same thing, so that one replaces the other."""
        groups = {self.domain.agents[agent].group if agent in self.domain.agents else "" for agent in (one, other)}
        return len(groups) == 1 and "" not in groups

    def op(self, kind: OpKind, frames: Iterable[TaskFrame], reason: str, *, executed: bool = True) -> None:
        """Writes down an operation on one frame, or a clarify between several."""
        listed = list(frames)
        self._subjects.append((kind, "|".join(frame.agent_code for frame in listed), listed))
        if kind is OpKind.SHIFT and self.replaced:
            reason = f"{reason}, replaces {'、'.join(self.replaced)}"
            self.replaced.clear()
        self.ops.append(
            IntentOp(
                op=kind,
                target="|".join(frame.agent_code for frame in listed),
                lane=listed[0].lane,
                priority=OpPriority[kind.name].value,
                reason=reason,
                confidence=round(min(frame.confidence for frame in listed), 4),
                executed=executed,
            )
        )

    def subjects(self, op: IntentOp, *, together: bool) -> list[TaskFrame]:
        """The frames of an operation, or `together` those of every one of its kind, as they are now."""
        listed = [
            frames for kind, target, frames in self._subjects if kind is op.op and (together or target == op.target)
        ]
        chosen = listed if together else listed[-1:]
        return [self.frames[frame.frame_id] for frames in chosen for frame in frames]

    def result(self) -> tuple[TaskFrame, ...]:
        """Every open frame, and the latest that ended."""
        ended = [frame.frame_id for frame in self.frames.values() if frame.status not in OPEN]
        dropped = set(ended[: max(0, len(ended) - KEPT_ENDED)])
        return tuple(frame for key, frame in self.frames.items() if key not in dropped)

    def _with_slots(self, frame: TaskFrame, slots: Mapping[str, str]) -> TaskFrame:
        agent = self.domain.agents[frame.agent_code]
        if not self.domain.memory_policy_default.structured_state:
            return frame  # nothing is kept in slots, so nothing is missed
        speaker = self.domain.people.speaker_name
        told = {
            name: "" if value == speaker and agent.slots[name].kind.startswith(WHOM) else value
            for name, value in slots.items()
            if name in agent.slots
        }
        merged = {name: value for name, value in {**frame.slots, **told}.items() if value}
        changed = {name: value for name, value in merged.items() if frame.slots.get(name) != value}
        changed |= {name: "" for name, value in told.items() if not value}
        self.told.setdefault(frame.frame_id, {}).update(changed)
        missing = tuple(name for name in agent.required if not merged.get(name))
        return msgspec.structs.replace(frame, slots=merged, missing_slots=missing)


def just_ended(context: IntentContext) -> tuple[str, ...]:
    """The frames that the last turn ended, by its operations."""
    found: list[str] = []
    for op in context.intent_ops:
        if op.op in (OpKind.CANCEL, OpKind.COMPLETE) and op.executed:
            ended = [frame.frame_id for frame in context.frames if frame.agent_code == op.target]
            closed = {frame.frame_id for frame in context.frames if frame.status not in OPEN}
            found += [key for key in reversed(ended) if key in closed and key not in found][:1]
    return tuple(found)
