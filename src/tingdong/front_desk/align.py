"""Which slots of a frame new values fill (hospital.md, Segments, Frames M3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from tingdong.front_desk.board import Board
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import DATE
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.model import Segment, SlotMention, TaskFrame
from tingdong.front_desk.settled import ANSWER_SHARE
from tingdong.front_desk.slots import value_of

__all__ = ["fitting_slots", "given_up", "says_little_else", "slot_frame"]


def fitting_slots(domain: Domain, frame: TaskFrame, mentions: Sequence[SlotMention]) -> dict[str, str]:
    """Slots of the frame that these mentions fill; a missing slot takes a mention before a filled one does."""
    if not domain.memory_policy_default.structured_state:
        return {}
    slots = domain.agents[frame.agent_code].slots
    filled: dict[str, str] = {}
    for mention in mentions:
        if not mention.value:
            continue
        fitting = [name for name, spec in slots.items() if spec.kind == mention.kind and name not in filled]
        if fitting:
            name = min(fitting, key=lambda name: bool(frame.slots.get(name)))
            value = value_of(slots[name], mentions) or mention.value
            weekday = mention.kind == DATE and any_of(domain.operating.weekdays).match(mention.text) is not None
            filled[name] = _same_week(frame.slots.get(name, ""), value) if weekday else value
    return filled


def _same_week(held: str, told: str) -> str:
    """A day of the week in the week of a day that is held, where that is later (周五, of a booking next week)."""
    if not held:
        return told
    day, other = date.fromisoformat(held), date.fromisoformat(told)
    return max(other, day + timedelta(other.weekday() - day.weekday())).isoformat()


def slot_frame(
    domain: Domain, frames: Sequence[TaskFrame], mentions: Sequence[SlotMention]
) -> tuple[TaskFrame, dict[str, str]] | None:
    """The frame a short answer belongs to: the first whose missing slot it fits, else the first it fits at all."""
    fits = [(frame, filled) for frame in frames if (filled := fitting_slots(domain, frame, mentions))]
    for frame, filled in fits:
        if any(not frame.slots.get(name) for name in filled):
            return frame, filled
    return fits[0] if fits else None


def given_up(board: Board, frame: TaskFrame, segment: Segment) -> dict[str, str]:
    """Slots whose value is not meant any more: somebody else is named, but the words do not tell whom (换成陈医生)."""
    specs = board.domain.agents[frame.agent_code].slots
    return {
        name: ""
        for mention in segment.mentions
        for name, spec in specs.items()
        if not mention.value
        and spec.kind == mention.kind
        and not frame.slots.get(name, "").startswith(mention.text[:1])
    }


def says_little_else(segment: Segment, start: int, end: int) -> bool:
    """Whether a clause of a segment names values and hardly anything besides (周六的 in 周六的，她平时要补课)."""
    spoken = sum(
        mention.end - mention.start
        for mention in segment.mentions
        if start <= mention.start - segment.start and mention.end - segment.start <= end
    )
    return spoken >= ANSWER_SHARE * (end - start)
