"""Parallel tasks: a second booking (眼科也要), several departments for one request (心内科和骨科都挂), and values for
all (都周五). The words are in the domain file (`correcting`)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import FOR_THE_SAME, holder, same_person, whom
from tingdong.front_desk.kinds import DAY_TIMES, NAMED, SIGNAL, WHOM, is_object
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.model import CueKind, Segment, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, which
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.slots import fill, same_value
from tingdong.front_desk.whose import for_another, like_times, says_more

if TYPE_CHECKING:
    from tingdong.front_desk.board import Board
    from tingdong.front_desk.placing import Placing

__all__ = [
    "as_task",
    "asks_beside",
    "companions",
    "copied",
    "exchange",
    "exchanged_for",
    "is_exchange",
    "names_apart",
    "names_nobody",
    "says_again",
    "share_times",
    "take_over",
]


def _objects(domain: Domain, agent: str) -> list[str]:
    """Slots that name what a task is about, where one task has one of them."""
    slots = domain.agents[agent].slots
    named = [
        n for n, spec in slots.items() if is_object(spec.kind) and not spec.many and not spec.kind.startswith(WHOM)
    ]
    return [name for name in named if slots[name].required] or named


def names_apart(domain: Domain, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment names another thing than the frame of its agent is about, or somebody else than it is for."""
    named, held = whom(domain, segment.mentions), holder(domain, frame)
    if named and held and not any(same_person(domain, held, one) for one in named):
        return True
    values = [(frame.slots.get(n), segment.slots.get(n)) for n in _objects(domain, segment.agent_code)]
    return any(one and other and not same_value(one, other) for one, other in values)


def asks_beside(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment asks for something beside what the frame is about, and not instead of it (眼科也要)."""
    domain = placing.board.domain
    if for_another(placing, frame, segment) or _of_another(placing, frame, segment):
        return True
    if not any_of(domain.correcting.also).search(placing.words(segment)):
        return False
    if frame.agent_code == segment.agent_code:
        return names_apart(domain, frame, segment)
    slots = domain.agents[segment.agent_code].slots
    things = [name for name, spec in slots.items() if is_object(spec.kind) and not spec.kind.startswith(WHOM)]
    return any(segment.slots.get(name) for name in things)


def _of_another(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a booking lacks nothing and is somebody else's, and another thing is asked for that corrects nothing
    (给我妈挂骨科周五, then 给我挂皮肤科)."""
    board, words = placing.board, placing.board.domain.correcting
    whose = holder(board.domain, frame)
    if frame.agent_code != segment.agent_code or frame.missing_slots or whose in ("", board.domain.people.speaker_name):
        return False
    anew = bool(placing.given) or is_exchange(board.domain, segment) or placing.has(CueKind.REPAIR, CueKind.DENY)
    anew = anew or any_of(f"{words.settling} {words.starts}").search(segment.text) is not None
    named = any(one.kind in NAMED and one.value not in frame.slots.values() for one in segment.mentions)
    return named and not anew and segment.asks


def is_exchange(domain: Domain, segment: Segment) -> bool:
    """Whether a segment asks for one thing in place of another (给我换产科)."""
    return any_of(domain.pointing.exchange).search(segment.text) is not None


def exchanged_for(domain: Domain, frame: TaskFrame, segment: Segment) -> str | None:
    """The agent, the frame's own or another of its group, that a segment names another person or place for."""
    group = domain.agents[frame.agent_code].group
    held = set(frame.slots.values())
    new = {one.kind for one in segment.mentions if one.kind in NAMED and one.value and one.value not in held}
    for code in sorted(domain.agents, key=domain.rank):
        agent = domain.agents[code]
        if group and agent.group == group and any(spec.required and spec.kind in new for spec in agent.slots.values()):
            return code
    return None


def exchange(placing: Placing, index: int) -> tuple[TaskFrame, str] | None:
    """The frame that segment `index` gives up for another thing, and the agent of that: the one that the turn refuses,
    else the one named by what it is about or for whom it is, else the focus."""
    board, segment = placing.board, placing.said(index)
    grouped = board.grouped()
    frame = board.frames.get(placing.given)
    if frame is None:
        if not is_exchange(board.domain, segment):
            return None
        named = which(board.domain, grouped, TaskWords(segment.text, segment.mentions), times=False)
        focus = board.standing_focus()
        frame = named.best if not named.hinted else focus if focus in grouped else None
    code = exchanged_for(board.domain, frame, segment) if frame is not None else None
    return (frame, code) if frame is not None and code is not None else None


def _ails_otherwise(placing: Placing, segment: Segment) -> bool:
    """Whether the turn tells what ails those whom a segment is for: they need not want what others have."""
    domain = placing.board.domain
    names, ails = set(whom(domain, segment.mentions)), [f"{SIGNAL}{name}" for name in domain.people.ails]
    return any(clause.of(*ails) and names & set(clause.people) for clause in placing.board.said if names and ails)


def copied(placing: Placing, frame: TaskFrame, segment: Segment) -> dict[str, str]:
    """The times that a task beside a frame has of it (一样的时间, 同一天)."""
    domain, words = placing.board.domain, placing.words(segment)
    pointing = domain.pointing
    if like := like_times(placing, None, segment):
        return like
    kinds: tuple[str, ...] = DAY_TIMES if any_of(pointing.same).search(words) else ()
    kinds = kinds or (DAY_TIMES[:1] if any_of(pointing.same_day).search(words) else ())
    specs = domain.agents[frame.agent_code].slots
    told = {spec.kind for name, spec in domain.agents[segment.agent_code].slots.items() if segment.slots.get(name)}
    return {
        name: value for name, value in frame.slots.items() if specs[name].kind in kinds and specs[name].kind not in told
    }


def names_nobody(board: Board, segment: Segment) -> bool:
    """Whether a segment is taken for a task that is about somebody or some place and names none, while another of its
    group is open: that one is spoken of."""
    focus = board.standing_focus()
    if (
        focus is None
        or focus.agent_code == segment.agent_code
        or not board.same_group(focus.agent_code, segment.agent_code)
    ):
        return False
    slots = board.domain.agents[segment.agent_code].slots
    about = [name for name, spec in slots.items() if spec.required and spec.kind in NAMED]
    return bool(about) and not any(segment.slots.get(name) for name in about)


def says_again(domain: Domain, segment: Segment) -> bool:
    """Whether a segment asks for a thing once more (给他也挂一个)."""
    return any_of(domain.correcting.again).search(segment.text) is not None


def as_task(placing: Placing, focus: TaskFrame, segment: Segment) -> Segment | None:
    """What seems only to tell, as a task of its own: another thing beside that of the focus (眼科也要), the same thing
    once more (给他也挂一个), what another agent of the group is about (王五能看吗, then 那泌尿外科); else
    None."""
    domain = placing.board.domain
    agent = domain.agents[focus.agent_code]
    if not agent.group:
        return None
    told = fitting_slots(domain, focus, segment.mentions)
    task = msgspec.structs.replace(segment, agent_code=focus.agent_code, slots=told)
    directory = any(one.kind in NAMED for one in segment.mentions)
    named = {one.kind for one in segment.mentions if one.kind in NAMED and one.value}
    elsewhere = bool(named) and not any(spec.kind in named for spec in agent.slots.values() if spec.required)
    if elsewhere and (other := _of_another_agent(domain, agent.group, named, segment)) is not None:
        return other
    if directory and asks_beside(placing, focus, task):
        return task
    if says_more(placing, segment) and (directory or names_apart(domain, focus, task) or says_again(domain, segment)):
        if not directory and _ails_otherwise(placing, segment):
            return task
        again = directory or says_again(domain, segment) or not _wants_its_own(domain, segment)
        objects = _objects(domain, focus.agent_code) if again else []
        same = {name: focus.slots[name] for name in objects if focus.slots.get(name)}
        return msgspec.structs.replace(task, slots=same | told) if same else None
    return None


def _wants_its_own(domain: Domain, segment: Segment) -> bool:
    """Whether a segment tells what else is asked for (我老公也想查个前列腺, not 我老公也要看)."""
    also = any_of(domain.correcting.also).search(segment.text)
    ends = (end for _, end in clauses(segment.text) if also is not None and also.end() <= end)
    return also is not None and next(ends, 0) - also.end() > FOR_THE_SAME


def _of_another_agent(domain: Domain, group: str, named: set[str], segment: Segment) -> Segment | None:
    """A segment as a task of the agent of a group that is about what it names."""
    for code, other in domain.agents.items():
        if other.group == group and any(spec.required and spec.kind in named for spec in other.slots.values()):
            return msgspec.structs.replace(segment, agent_code=code, slots=fill(other, segment.mentions))
    return None


def companions(placing: Placing, frame: TaskFrame, segment: Segment) -> list[TaskFrame]:
    """New frames for the further things that a segment names for a task which takes one (心内科和骨科都挂)."""
    board = placing.board
    specs = board.domain.agents[segment.agent_code].slots
    found: list[TaskFrame] = []
    for name in _objects(board.domain, segment.agent_code):
        values = _listed(board.domain, segment, specs[name].kind)
        for value in values[1:] if frame.slots.get(name) == next(iter(values), "") else ():
            others = [one for one in board.open() if one.agent_code == frame.agent_code]
            if not any(one.slots.get(name) == value for one in others):
                slots = {**frame.slots, name: value}
                made = board.create(msgspec.structs.replace(segment, slots=slots), TurnType.NEW_REQUEST)
                placing.fresh.append(made.frame_id)
                found.append(made)
    return found


def _listed(domain: Domain, segment: Segment, kind: str) -> list[str]:
    """The values of a kind that a segment lists one behind the other."""
    named = [one for one in segment.mentions if one.kind == kind and one.value]
    joins = frozenset(phrases(domain.correcting.joins))
    values = [one.value for one in named[:1]]
    for before, one in pairwise(named):
        if segment.text[before.end - segment.start : one.start - segment.start].strip() not in joins:
            return values
        if one.value not in values:
            values.append(one.value)
    return values


def share_times(placing: Placing) -> None:
    """What is said for all (都周五上午) holds for every open task that may replace another."""
    board, each = placing.board, any_of(placing.board.domain.correcting.each)
    for segment in placing.reading.segments:
        named = [one for one in segment.mentions if not is_object(one.kind) and one.value]
        before = [segment.text[: one.start - segment.start] for one in named]
        shared = next((number for number, words in enumerate(before) if _ends(each, words)), None)
        if shared is None:
            continue
        for frame in board.open():
            if board.domain.agents[frame.agent_code].group:
                slots = fitting_slots(board.domain, frame, named[shared:])
                anew = placing.has(CueKind.REPAIR)
                wanted = {name: value for name, value in slots.items() if anew or not frame.slots.get(name)}
                if wanted and frame.frame_id not in placing.fresh:
                    placing.continue_frame(frame, wanted, "said of all")
                board.merge(frame, placing.slots(wanted, frame.agent_code), TurnType.SLOT_FILL)


def take_over(placing: Placing, frames: dict[int, TaskFrame]) -> None:
    """A new task takes the times that the rest of its turn tells (明天能看吗，骨科)."""
    board = placing.board
    fresh = {frame.frame_id for frame in frames.values() if board.domain.agents[frame.agent_code].group}
    if len(fresh) != 1:
        return
    frame = board.frames[fresh.pop()]
    for index, segment in enumerate(placing.reading.segments):
        told = segment.opens is False or board.same_group(placing.agents[index], frame.agent_code)
        if index not in frames and told:
            times = [one for one in segment.mentions if not is_object(one.kind)]
            slots = like_times(placing, frame, segment) | fitting_slots(board.domain, frame, times)
            missed = {name: value for name, value in slots.items() if not frame.slots.get(name)}
            frame = board.merge(frame, placing.slots(missed, frame.agent_code), TurnType.NEW_REQUEST)


def _ends(words: re.Pattern[str], text: str) -> bool:
    return any(match.end() == len(text) for match in words.finditer(text))
