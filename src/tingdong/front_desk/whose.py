"""Tasks by patient: selecting, creating and filling them (hospital.md, Segments, Ops, Frames; law 6).

A booking for somebody else never replaces an open one. Statements about a person go to their task; a corrected person
is replaced in the task; shared values are copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from tingdong.front_desk.align import fitting_slots, says_little_else
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import holder, is_for, same_person, whom
from tingdong.front_desk.kinds import DAY_TIMES, LIKE, NAMED, WHOM, is_object
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.model import UNKNOWN_AGENT, CueKind, Segment, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, which
from tingdong.front_desk.slots import fill, same_value

if TYPE_CHECKING:
    from tingdong.front_desk.placing import Placing

__all__ = [
    "corrects",
    "fold_told",
    "for_another",
    "like_times",
    "says_more",
    "shared_among",
    "stand_beside",
    "tell_of_people",
]


def for_another(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment is for somebody whom the frame is not for, and does not only say whom it is for."""
    domain = placing.board.domain
    names, held = whom(domain, segment.mentions), holder(domain, frame)
    agent = domain.agents.get(segment.agent_code)
    if agent is not None and not any(spec.kind.startswith(WHOM) for spec in agent.slots.values()):
        return False
    if not names or not held or same_person(domain, held, names[0]):
        return False
    return not _refines(placing, frame, segment)


def says_more(placing: Placing, segment: Segment) -> bool:
    """Whether a segment asks for something beside, or for the same once more."""
    words = placing.board.domain.correcting
    return any_of(f"{words.also} {words.again}").search(placing.words(segment)) is not None


def _refines(placing: Placing, frame: TaskFrame, segment: Segment) -> bool:
    """Whether somebody named is whom a frame is for that was asked for without a name (挂骨科, then 给我妈)."""
    domain = placing.board.domain
    if whom(domain, segment.mentions) == [domain.people.speaker_name] or _told_whom(domain, frame):
        return False
    if says_more(placing, segment) or frame.frame_id in placing.fresh:
        return False
    return not _other_thing(domain, frame, segment)


def _told_whom(domain: Domain, frame: TaskFrame) -> bool:
    return holder(domain, frame) != domain.people.speaker_name


def _other_thing(domain: Domain, frame: TaskFrame, segment: Segment) -> bool:
    """Whether a segment names somebody or some place of the directory and the frame another."""
    specs = domain.agents[frame.agent_code].slots
    held = {specs[name].kind: value for name, value in frame.slots.items() if specs[name].kind in NAMED}
    named = [one for one in segment.mentions if one.kind in NAMED and one.value]
    return bool(held) and bool(named) and not any(same_value(held.get(one.kind, ""), one.value) for one in named)


def stand_beside(placing: Placing, one: int, other: int) -> bool:
    """Whether two segments of a turn are tasks beside one another: for different people, or counted (挂两个号，一个…,
    再挂一个眼科)."""
    domain = placing.board.domain
    mine, theirs = (whom(domain, placing.said(index).mentions) for index in (one, other))
    apart = bool(mine and theirs) and not any(same_person(domain, a, b) for a in mine for b in theirs)
    return apart or any_of(domain.correcting.several).search(placing.reading.text) is not None


def corrects(placing: Placing, segment: Segment) -> bool:
    """Whether a segment says whom a task is really for (不是我闺女, 是我妈要看, 换我自己去)."""
    words = placing.board.domain.people
    anew = placing.has(CueKind.REPAIR) and not any(one.kind in DAY_TIMES for one in segment.mentions)
    if anew or any(one.kind.startswith(WHOM) for one in segment.denied):
        return True
    named = [one for one in segment.mentions if one.kind.startswith(WHOM)]
    said = any(placing.reading.text.endswith(tuple(phrases(words.settled)), 0, one.start) for one in named)
    return said or bool(named and any_of(words.lets).search(segment.text))


# ---- what is told of somebody


def tell_of_people(placing: Placing, index: int, segment: Segment) -> bool:
    """Gives what a segment tells of people to their tasks; False where it names nobody, or nobody who has one."""
    board, domain = placing.board, placing.board.domain
    names = whom(domain, segment.mentions)
    like = like_source(placing, segment)
    if (not names and like is None) or says_more(placing, segment):
        return False
    grouped = [frame for frame in _by_focus(placing) if domain.agents[frame.agent_code].group]
    held = [
        (name, frames)
        for name in names
        if (frames := [frame for frame in grouped if same_person(domain, holder(domain, frame), name)])
    ]
    denied = [one.value for one in segment.denied if one.kind.startswith(WHOM)]
    if names and any(is_for(domain, frame, denied) for frame in grouped):
        return _instead(placing, index, segment, grouped)
    if not names:
        others = [frame for frame in grouped if like is None or frame.frame_id != like.frame_id]
        held = [("", others[:1])] if others else []
    elif not held:
        return _instead(placing, index, segment, grouped)
    said = TaskWords("", [one for one in segment.mentions if is_object(one.kind)])
    for _, frames in held:
        frame = which(domain, frames, said, times=False).best or frames[0]
        told = [one for one in segment.mentions if not one.kind.startswith(WHOM)]
        slots = like_times(placing, frame, segment) | fitting_slots(domain, board.frames[frame.frame_id], told)
        placing.continue_frame(board.frames[frame.frame_id], slots, "told of whom it is for")
        placing.place(index, frame.agent_code)
    return True


def _instead(placing: Placing, index: int, segment: Segment, grouped: Sequence[TaskFrame]) -> bool:
    """Somebody takes the place of whoever a task was for, where they are corrected or nobody was named."""
    domain = placing.board.domain
    denied = [one.value for one in segment.denied if one.kind.startswith(WHOM)]
    meant = [frame for frame in grouped if any(same_person(domain, holder(domain, frame), one) for one in denied)]
    target = next(iter([*meant, *grouped]), None)
    if target is None:
        return False
    speaker = whom(domain, segment.mentions) == [domain.people.speaker_name]
    if not corrects(placing, segment) and (speaker or _told_whom(domain, target)):
        return False
    slots = fitting_slots(domain, target, segment.mentions)
    placing.continue_frame(target, slots, "for somebody else")
    placing.place(index, target.agent_code)
    return True


def _by_focus(placing: Placing) -> list[TaskFrame]:
    board = placing.board
    return sorted(board.open(), key=lambda frame: board.focus(frame.lane) != frame)


def like_source(placing: Placing, segment: Segment) -> TaskFrame | None:
    """The task of whomever a segment says that another has the time of."""
    domain = placing.board.domain
    names = [one.value for one in segment.mentions if one.kind == LIKE]
    frames = [frame for frame in _by_focus(placing) if domain.agents[frame.agent_code].group]
    return next((f for name in names for f in frames if same_person(domain, holder(domain, f), name)), None)


def like_times(placing: Placing, frame: TaskFrame | None, segment: Segment) -> dict[str, str]:
    """The times that a task has as somebody else's (跟我妈同一天: the day)."""
    domain, source = placing.board.domain, like_source(placing, segment)
    if source is None or (frame is not None and source.frame_id == frame.frame_id):
        return {}
    one = next(one for one in segment.mentions if one.kind == LIKE)
    day = any_of(domain.people.alike_day).match(placing.reading.text, one.end) is not None
    specs = domain.agents[source.agent_code].slots
    kinds = DAY_TIMES[:1] if day else DAY_TIMES
    return {name: value for name, value in source.slots.items() if specs[name].kind in kinds}


# ---- tasks for several


def fold_told(placing: Placing) -> None:
    """What only names what the question beside it leaves open is no task (前面还有几个人，消化内科的; 骨科的号，排到哪
    了), nor what ails somebody before a booking for them: it is why they come (我妈眼睛花，给她约眼科)."""
    domain, places = placing.board.domain, range(len(placing.reading.segments))
    for at, beside in (pair for index in places[1:] for pair in ((index - 1, index), (index, index - 1))):
        one, other = placing.said(at), placing.said(beside)
        if not placing.done[beside] and _only_names(domain, one, other, before=beside < at):
            mentions = (*one.mentions, *other.mentions)
            told = msgspec.structs.replace(one, mentions=mentions, slots=fill(domain.agents[one.agent_code], mentions))
            placing.retell(at, told)
            placing.place(beside, one.agent_code)
    for index in places:
        later = next(
            (at for at in places[index + 1 :] if not placing.done[index] and _is_why(placing, index, at)), None
        )
        if later is None:
            continue
        one, other = placing.said(index), placing.said(later)
        placing.place(index, other.agent_code)
        if not whom(domain, other.mentions) and other.agent_code != UNKNOWN_AGENT:
            mentions = (*(m for m in one.mentions if m.kind.startswith(WHOM)), *other.mentions)
            slots = fill(domain.agents[other.agent_code], mentions)
            placing.retell(later, msgspec.structs.replace(other, mentions=mentions, slots=slots))


def _is_why(placing: Placing, index: int, later: int) -> bool:
    """Whether a segment only tells why somebody comes who is booked behind it: right behind, or by name."""
    domain, one, other = placing.board.domain, placing.said(index), placing.said(later)
    names, theirs = (whom(domain, segment.mentions) for segment in (one, other))
    grouped = other.agent_code == UNKNOWN_AGENT or bool(domain.agents[other.agent_code].group)
    alike = any(same_person(domain, a, b) for a in names for b in theirs)
    tells = one.opens is False or (one.agent_code != other.agent_code and (alike or not one.asks))
    tells = tells and (one.agent_code == UNKNOWN_AGENT or bool(domain.agents[one.agent_code].group))
    if not grouped or not tells or not names or names == [domain.people.speaker_name]:
        return False
    if not any(mention.kind in NAMED for mention in other.mentions) or _has_times(one):
        return False
    return alike or (not theirs and later == index + 1)


def _only_names(domain: Domain, one: Segment, other: Segment, *, before: bool) -> bool:
    """Whether a segment only names what a question leaves open; before it, one that is there already."""
    agent = domain.agents.get(one.agent_code)
    if agent is None or agent.group or not says_little_else(other, 0, len(other.text)) or other.connective:
        return False
    kinds = {spec.kind for name, spec in agent.slots.items() if not one.slots.get(name)}
    if before:
        there = any_of(domain.operating.that_one).search(other.text) and not any_of(domain.correcting.also).search(
            other.text
        )
        named = all(m.kind in NAMED for m in other.mentions) and bool(kinds & {m.kind for m in other.mentions})
        return bool(there) and named and not one.connective
    return bool(other.mentions) and all(m.kind in NAMED and m.kind in kinds and m.value for m in other.mentions)


def _has_times(segment: Segment) -> bool:
    return any(one.kind in DAY_TIMES or one.kind in NAMED for one in segment.mentions)


def shared_among(placing: Placing, frame: TaskFrame, segment: Segment) -> list[TaskFrame]:
    """New frames for the further people whom one task is asked for (给我爸我妈都挂心内科), but those who get one of
    their own in the turn (我爸挂骨科，我妈挂眼科)."""
    board, domain = placing.board, placing.board.domain
    own = [board.frames[key] for key in placing.fresh if key != frame.frame_id]
    names = [name for name in whom(domain, segment.mentions) if not any(is_for(domain, one, [name]) for one in own)]
    slot = next(iter(domain.agents[frame.agent_code].of(WHOM)), "")
    found: list[TaskFrame] = []
    first = bool(slot and names) and same_person(domain, holder(domain, frame), names[0])
    for name in names[1:] if first else ():
        made = board.create(msgspec.structs.replace(segment, slots={**frame.slots, slot: name}), TurnType.NEW_REQUEST)
        placing.fresh.append(made.frame_id)
        placing.beside.add(made.frame_id)
        found.append(made)
    return found
