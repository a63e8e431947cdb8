"""The patient of each task, and which names are one person (hospital.md, "Slots": patient).

Without a name the task is the speaker's.
"""

from __future__ import annotations

from collections.abc import Iterable

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import WHOM
from tingdong.front_desk.lexicon import folded
from tingdong.front_desk.model import FrameRole, IntentContext, SlotMention, Status, TaskFrame

__all__ = ["FOR_THE_SAME", "holder", "is_for", "same_person", "standing", "whom", "whom_kind"]

FOR_THE_SAME = 3
"""Characters behind a word that asks for one more (也要看一下) that still ask for the same."""


def whom_kind(domain: Domain) -> str:
    """The kind of slot that holds whom a task is for; empty where no agent has one."""
    kinds = (spec.kind for agent in domain.agents.values() for spec in agent.slots.values())
    return next((kind for kind in kinds if kind.startswith(WHOM)), "")


def same_person(domain: Domain, one: str, other: str) -> bool:
    """Whether two names are one person's: alike by the domain's words, doubled (妹 妹妹), or told in full (王大爷)."""
    a, b = (folded(domain.pointing.alike, name) for name in (one, other))
    short, long = sorted((a, b), key=len)
    return a == b or short * 2 == long or (len(short) > 1 and long.endswith(short))


def whom(domain: Domain, mentions: Iterable[SlotMention]) -> list[str]:
    """The people for whom some words say that a task is."""
    kind = whom_kind(domain)
    return list(dict.fromkeys(one.value for one in mentions if kind and one.kind == kind))


def holder(domain: Domain, frame: TaskFrame) -> str:
    """Whom a task is for: whoever was told, else the speaker; empty where its agent takes nobody."""
    kind = whom_kind(domain)
    slots = domain.agents[frame.agent_code].slots
    told = [frame.slots.get(name, "") for name, spec in slots.items() if kind and spec.kind == kind]
    return (told[0] or domain.people.speaker_name) if told else ""


def is_for(domain: Domain, frame: TaskFrame, names: Iterable[str]) -> bool:
    """Whether a task is for one of some people."""
    held = holder(domain, frame)
    return bool(held) and any(same_person(domain, held, name) for name in names)


def standing(domain: Domain, context: IntentContext) -> tuple[str, ...]:
    """Those besides the speaker whom open tasks are for, of the focus first, then the latest."""
    frames = [frame for frame in context.frames if frame.status in (Status.ACTIVE, Status.PENDING)]
    frames.sort(key=lambda frame: (frame.role is not FrameRole.FOCUS, -int(frame.frame_id[1:])))
    names = dict.fromkeys(holder(domain, frame) for frame in frames)
    return tuple(name for name in names if name and name != domain.people.speaker_name)
