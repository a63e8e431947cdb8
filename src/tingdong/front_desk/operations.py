"""What a clause does to the set of open tasks: whose each is, another day for one, so many of them that end
(hospital.md, Segments, Ops; law 6).

Decided once for a turn, before anything else is done with its words. A clause that operates opens no task, and what it
names is found among the tasks that are open: exactly one, or as many as it counts, or nothing is changed and the user
is asked which is meant (`Unsure`). The words are the domain file's (`operating`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

import msgspec

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import holder, is_for
from tingdong.front_desk.kinds import DATE, DURATION, NAMED, PERSON, TIMES, WHOM, is_object
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, Segment, SlotMention, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, which
from tingdong.front_desk.pieces import clauses, is_mostly_in, overlaps
from tingdong.front_desk.placing import Placing, Unsure
from tingdong.front_desk.slots import fill
from tingdong.front_desk.whose import says_more
from zhtext.numerals import parse_number

__all__ = ["counted", "is_left_over", "operate"]

_GIVING_UP = frozenset({CueKind.CANCEL, CueKind.REFUSE, CueKind.DENY})
_SURE = 0.5
"""Confidence from which a question needs no word that asks."""
_MOST = 64
"""Clauses of a turn that may operate: the work of a long text has an end."""
_FEWEST = 2
"""Tasks that are counted when several are meant."""


Frames = Sequence[TaskFrame]
Outcome = Sequence[tuple[TaskFrame, dict[str, str]]] | Unsure | None
"""Tasks that a clause changes with their slots, tasks that it may mean, or None for a clause that changes none."""


class TaskClause(NamedTuple):
    """A clause of a turn, with what is mentioned in it, by place."""

    text: str
    start: int
    end: int
    mentions: tuple[SlotMention, ...]

    def before(self, at: int) -> TaskWords:
        """What the clause says before a place of it."""
        told = [one for one in self.mentions if one.end <= self.start + at]
        return TaskWords(self.text[:at], told)


def operate(placing: Placing) -> None:
    """Carries out what clauses do to tasks that are open; of what is not certain nothing is changed."""
    board = placing.board
    grouped = board.grouped()
    _drop_refused(placing)
    done: list[tuple[TaskClause, str]] = []
    for clause in _clauses(placing) if grouped else ():
        grouped = [board.frames[frame.frame_id] for frame in grouped]
        each = (find(placing, clause, grouped) for find in (_assigned, _moved, _replaced, _kept, _another, _nobodys))
        found = next((one for one in each if one is not None), None)
        if found is None:
            continue
        if isinstance(found, Unsure):
            placing.unsure.append(found)
            done.append((clause, UNKNOWN_AGENT))
            continue
        for frame, slots in found:
            placing.continue_frame(board.frames[frame.frame_id], slots, clause.text)
            done.append((clause, frame.agent_code))
    if done:
        placing.note(TurnType.REPAIR)
        _settle(placing, done)


def _drop_refused(placing: Placing) -> None:
    """What a turn refuses is named again without being wanted (别挂骨科，上回骨科没看好)."""
    refused = {
        one.value for cue in placing.reading.cues if cue.refused for one in cue.refused.mentions if one.kind in NAMED
    }
    for index, segment in enumerate(placing.reading.segments):
        named = {one.value for one in segment.mentions if one.kind in NAMED and one.value}
        if named and named <= refused and not placing.done[index]:
            placing.place(index, UNKNOWN_AGENT)


def is_left_over(placing: Placing, index: int, segment: Segment) -> bool:
    """Whether a segment is taken for a question that is about its own words, and asks nothing or corrects what is open:
    nothing is opened by what corrects."""
    board = placing.board
    agent = board.domain.agents[segment.agent_code]
    if not any(spec.words for spec in agent.slots.values()) or segment.slots or not board.open():
        return False
    corrects = any(
        cue.kind in (CueKind.REPAIR, CueKind.CANCEL, CueKind.CHOICE)
        and cue.start < segment.end
        and segment.start < cue.end
        for cue in placing.reading.cues
    )
    if not (corrects and board.grouped()) and (segment.asks or segment.confidence >= _SURE):
        return False
    placing.unsure.append(Unsure(segment.text, tuple(board.open())))
    placing.place(index, UNKNOWN_AGENT)
    placing.note(TurnType.REPAIR)
    return True


def _clauses(placing: Placing) -> list[TaskClause]:
    reading = placing.reading
    told = (*reading.named, *(one for segment in reading.segments for one in segment.mentions))
    mentions = sorted(set(told), key=lambda one: (one.start, one.end))
    return [
        TaskClause(
            reading.text[start:end], start, end, tuple(one for one in mentions if start <= one.start and one.end <= end)
        )
        for start, end in clauses(reading.text)[:_MOST]
    ]


def _settle(placing: Placing, settled: Sequence[tuple[TaskClause, str]]) -> None:
    """The words of clauses have done what they do: no segment of them is a task, no cue acts again."""
    spans = [(clause.start, clause.end) for clause, _ in settled]
    for index, segment in enumerate(placing.reading.segments):
        if is_mostly_in(segment.start, segment.end, spans):
            placing.place(index, settled[0][1])
        elif overlaps(segment.start, segment.end, spans):
            left = tuple(one for one in segment.mentions if not overlaps(one.start, one.end, spans))
            agent = placing.board.domain.agents.get(segment.agent_code)
            slots = fill(agent, left) if agent is not None else {}
            placing.retell(index, msgspec.structs.replace(segment, mentions=left, slots=slots))
    kept = tuple(cue for cue in placing.reading.cues if not overlaps(cue.start, cue.end, spans))
    placing.reading = msgspec.structs.replace(placing.reading, cues=kept)


# ---- whose a task is


def _assigned(placing: Placing, clause: TaskClause, frames: Frames) -> Outcome:
    """李四那个是我的: the task that is named is for somebody else than it was."""
    domain = placing.board.domain
    words = domain.operating
    text = clause.text.rstrip(domain.markers.particles)
    whom = next((one for one in reversed(clause.mentions) if one.kind.startswith(WHOM) and one.value), None)
    behind = text[whom.end - clause.start :] if whom is not None else ""
    if whom is None or (behind and not any_of(words.theirs).fullmatch(behind)):
        return None
    at = whom.start - clause.start
    link = max((len(word) for word in phrases(words.belongs) if text.endswith(word, 0, at)), default=0)
    if not link or text.endswith(tuple(phrases(domain.people.denied)), 0, at):
        return None
    said = clause.before(at - link)
    position = _by_position(placing, clause, frames)
    if position is not None:
        return [(position, dict.fromkeys(_slots(domain, position, whom.kind), whom.value))]
    if not any_of(words.that_one).search(said.text) and not any(one.kind in NAMED for one in said.mentions):
        return None
    found = which(domain, frames, TaskWords("", [one for one in said.mentions if is_object(one.kind)]), times=True)
    if found.sure is None:
        return Unsure(clause.text, found.rivals or tuple(frames))
    slots = dict.fromkeys(_slots(domain, found.sure, whom.kind), whom.value)
    return [(found.sure, slots)] if slots else None


def _by_position(placing: Placing, clause: TaskClause, frames: Frames) -> TaskFrame | None:
    """The first or the last of two that are open, by words for their places."""
    kinds = {cue.kind for cue in placing.reading.cues if cue.start < clause.end and clause.start < cue.end}
    if len(frames) != _FEWEST or len(kinds & {CueKind.FORMER, CueKind.LATTER}) != 1:
        return None
    return frames[0] if CueKind.FORMER in kinds else frames[-1]


def _slots(domain: Domain, frame: TaskFrame, kind: str) -> list[str]:
    return [name for name, spec in domain.agents[frame.agent_code].slots.items() if spec.kind == kind]


# ---- another day


def _moved(placing: Placing, clause: TaskClause, frames: Frames) -> Outcome:
    """往后推一天, 提前两天: the day of the task that is named, else of the focus, so many days on."""
    domain = placing.board.domain
    words = domain.operating
    days = next((days for one in clause.mentions if one.kind == DURATION and (days := _days(words.days, one.text))), 0)
    later, earlier = (any_of(said).search(clause.text) for said in (words.later, words.earlier))
    if not days or bool(later) == bool(earlier):
        return None
    dated = [frame for frame in frames if any(frame.slots.get(name) for name in _slots(domain, frame, DATE))]
    meant = _meant(placing, clause, dated)
    if not meant:
        return Unsure(clause.text, tuple(dated or frames))
    step = timedelta(days if later else -days)
    return [
        (frame, {name: (date.fromisoformat(frame.slots[name]) + step).isoformat() for name in names})
        for frame in meant
        if (names := [name for name in _slots(domain, frame, DATE) if frame.slots.get(name)])
    ]


def _meant(placing: Placing, clause: TaskClause, frames: Frames) -> Frames:
    """Of some tasks the one that a clause names, all that it counts or says that each is meant, else the focus, or the
    only one; none where that is not certain."""
    domain, focus = placing.board.domain, placing.board.standing_focus()
    count = _count(placing, clause.text, clause.mentions, frames)
    if count is not None:
        return count[0] if count[1] else ()
    named = [one for one in clause.mentions if is_object(one.kind)]
    if named:
        sure = which(domain, frames, TaskWords("", named), times=False).sure
        return (sure,) if sure is not None else ()
    if any_of(domain.correcting.each).search(clause.text):
        return frames
    return (focus,) if focus is not None and focus in frames else frames if len(frames) == 1 else ()


# ---- what stays, and what takes its place


def _kept(placing: Placing, clause: TaskClause, frames: Frames) -> Outcome:
    """我自己的还要, 骨科那个留着: the task that is named goes on as it is."""
    domain = placing.board.domain
    named = [one for one in clause.mentions if is_object(one.kind) and one.value]
    text = clause.text.rstrip(domain.markers.particles)
    if not named or not re.fullmatch(f".*(?:{any_of(domain.operating.stays).pattern})", text):
        return None
    found = which(domain, frames, TaskWords("", named), times=False)
    if found.best is None:
        return Unsure(clause.text, tuple(frames))
    return [(found.sure, {})] if found.sure is not None else None


def _replaced(placing: Placing, clause: TaskClause, frames: Frames) -> Outcome:
    """他不去了换他弟弟去: what is given up and replaced in one breath goes on with what replaces it."""
    domain = placing.board.domain
    giving = (cue for cue in placing.reading.cues if cue.start < clause.end and clause.start < cue.end)
    swaps = list(any_of(domain.operating.instead).finditer(clause.text))
    if not swaps or not any(cue.kind in _GIVING_UP for cue in giving):
        return None
    behind = [one for one in clause.mentions if one.start >= clause.start + swaps[-1].end()]
    if not behind:
        return None
    told = [one for one in clause.before(swaps[-1].start()).mentions if is_object(one.kind) and one.value]
    focus = placing.board.standing_focus()
    found = which(domain, frames, TaskWords("", told), times=False)
    frame = found.sure if found.best is not None else focus if focus in frames else None
    if frame is None:
        return Unsure(clause.text, found.rivals or tuple(frames))
    slots = fitting_slots(domain, frame, behind)
    return [(frame, slots)] if slots else None


def _another(placing: Placing, clause: TaskClause, frames: Frames) -> Outcome:
    """换个别的医生: whoever was named is not meant any more, and nobody else is named."""
    domain = placing.board.domain
    if any(one.kind == PERSON for one in clause.mentions) or not any_of(domain.operating.another).search(clause.text):
        return None
    meant = _meant(placing, clause, frames)
    held = [(frame, name) for frame in meant for name in _slots(domain, frame, PERSON) if frame.slots.get(name)]
    return [(frame, {name: ""}) for frame, name in held] or Unsure(clause.text, tuple(meant or frames))


def _nobodys(placing: Placing, clause: TaskClause, frames: Frames) -> Outcome:
    """我的改成大后天, with no booking of the speaker's: what is changed is none of those that are open."""
    domain = placing.board.domain
    owners = [one for one in clause.mentions if one.kind.startswith(WHOM) and one.value]
    owned = tuple(phrases(domain.people.owns))
    kinds = {one.kind for one in clause.mentions}
    if len({one.value for one in owners}) != 1 or kinds & NAMED or kinds.isdisjoint(TIMES):
        return None
    behind = owners[0].text.endswith(owned) or clause.text.startswith(owned, owners[0].end - clause.start)
    if not behind or says_more(placing, _as_segment(clause)):
        return None
    theirs = any(is_for(domain, frame, [owners[0].value]) for frame in frames)
    untold = any(holder(domain, frame) == domain.people.speaker_name for frame in frames)
    return None if theirs or untold else Unsure(clause.text, tuple(frames))


def _as_segment(clause: TaskClause) -> Segment:
    return Segment(clause.text, clause.start, clause.end, mentions=clause.mentions)


def _days(units: dict[str, int], length: str) -> int:
    """The days of a length of time (两天, 一个星期), 0 where it is not told in days."""
    for unit, days in units.items():
        if length.endswith(unit):
            number = parse_number(length.removesuffix(unit).rstrip("个"))
            return int(number) * days if number else 0
    return 0


# ---- several that end


def counted(placing: Placing, cue: Cue) -> tuple[Frames, bool] | None:
    """The open tasks that a cue counts (那两个都取消), and whether they are as many; None where it counts none."""
    return _count(placing, cue.text, cue.mentions, placing.board.open())


def _count(placing: Placing, text: str, mentions: Sequence[SlotMention], frames: Frames) -> tuple[Frames, bool] | None:
    domain, words = placing.board.domain, placing.board.domain.operating
    match = any_of(" ".join(words.counts)).search(text)
    if match is None:
        return None
    number = next(at for at, row in enumerate(words.counts, start=_FEWEST) if match.group() in phrases(row))
    if match.group() in phrases(words.others):
        frames = [frame for frame in frames if holder(domain, frame) not in ("", domain.people.speaker_name)]
    things = [one for one in mentions if one.kind in NAMED]
    named = which(domain, frames, TaskWords("", things), times=False)
    grouped = [frame for frame in frames if domain.agents[frame.agent_code].group]
    for told in (named.rivals, grouped, frames):
        if len(told) == number:
            return tuple(told), True
    return (tuple(grouped or frames), False) if frames else None
