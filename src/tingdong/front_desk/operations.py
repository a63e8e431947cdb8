"""Operations of a clause on the open tasks: patient, day, cancelling a number of them (hospital.md, Segments, Ops; law
6).

Decided once per turn, before anything else is done. Such a clause opens no task; it refers to exactly one open task, or
as many as it counts. Otherwise nothing changes and the user is asked (`Unsure`). The words are in the domain file
(`operating`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import takewhile

import msgspec

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.board import LEAST_QUESTION
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import holder, is_for, whom
from tingdong.front_desk.kinds import DATE, DAY_TIMES, DURATION, LIKE, NAMED, PERSON, TIMES, WHOM, is_object
from tingdong.front_desk.lexicon import PUNCTUATION, any_of, phrases
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, Segment, SlotMention, TaskFrame, TurnType
from tingdong.front_desk.naming import TaskWords, names_task, of_cue, which
from tingdong.front_desk.pieces import is_mostly_in, overlaps
from tingdong.front_desk.placing import Placing, Unsure
from tingdong.front_desk.settled import Said
from tingdong.front_desk.slots import fill
from tingdong.front_desk.undone import reopen
from tingdong.front_desk.withdrawn import Frames, Outcome, elsewhere, says_stays, staying, suits, withdrawn
from zhtext.numerals import parse_number

__all__ = ["counted", "operate"]

_GIVING_UP = frozenset({CueKind.CANCEL, CueKind.REFUSE, CueKind.DENY})
_FEWEST = 2
"""Tasks that are counted when several are meant."""


def operate(placing: Placing) -> None:
    """Carries out what clauses do to tasks that are open; of what is not certain nothing is changed."""
    board = placing.board
    grouped = board.grouped()
    _drop_refused(placing)
    done: list[tuple[Said, str]] = []
    kept = [(clause, frame) for clause in board.said if (frame := staying(placing, clause, grouped)) is not None]
    for clause, frame in kept:
        board.keep(frame, clause)
    for clause in board.said:
        stay = [frame.frame_id for said, frame in kept if clause.start < said.start]  # 他的改后天，我的不动
        free = [board.frames[frame.frame_id] for frame in grouped if frame.frame_id not in stay]
        finders = (_assigned, _moved, _replaced, _kept, _another, _nobodys, _changed, _taken_up) if free else ()
        each = (find(placing, clause, free) for find in (withdrawn, elsewhere, suits, *finders))
        found = next((one for one in each if one is not None), None)
        if found is None:
            continue
        if isinstance(found, Unsure):
            placing.unsure.append(found)
            done.append((clause, UNKNOWN_AGENT))
            continue
        done += [] if found else [(clause, UNKNOWN_AGENT)]
        for frame, slots in found:
            board.mean(frame, slots)
            placing.continue_frame(board.frames[frame.frame_id], slots, clause.text)
            done += [(one, frame.agent_code) for one in (clause, *_goes_on(placing, clause))]
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


def _settle(placing: Placing, settled: Sequence[tuple[Said, str]]) -> None:
    """The words of clauses have done what they do: no segment of them is a task, no cue acts again."""
    placing.settled = spans = [(clause.start, clause.end) for clause, _ in settled]
    for index, segment in enumerate(placing.reading.segments):
        if is_mostly_in(segment.start, segment.end, spans):
            placing.place(index, settled[0][1])
        elif overlaps(segment.start, segment.end, spans):
            _leave(placing, index, segment, spans)
    kept = tuple(
        cue
        for cue in placing.reading.cues
        if not overlaps(cue.start, cue.end, spans) and not _is_of_what_gave_way(placing, cue, spans)
    )
    placing.reading = msgspec.structs.replace(placing.reading, cues=kept)


def _is_of_what_gave_way(placing: Placing, cue: Cue, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a cue that gives up something is said of what clauses have changed: bare before them (算了，号别退), or
    of no open task behind them (还是白雪吧，刚才换的那个不要了)."""
    if cue.kind is not CueKind.CANCEL or names_task(cue):
        return False
    if not cue.about and not whom(placing.board.domain, cue.mentions):
        return cue.end <= spans[0][0]
    return which(placing.board.domain, placing.board.open(), of_cue(cue), only_hinted=False).best is None


def _leave(placing: Placing, index: int, segment: Segment, spans: Sequence[tuple[int, int]]) -> None:
    """What clauses leave of a segment: what they do not mention; of a question its words behind them."""
    agent = placing.board.domain.agents.get(segment.agent_code)
    left = tuple(one for one in segment.mentions if not overlaps(one.start, one.end, spans))
    slots = fill(agent, left) if agent is not None else {}
    rest = segment.text
    if placing.board.domain.in_words(segment.agent_code):
        rest = placing.reading.text[max(end for _, end in spans) : segment.end].lstrip("".join(PUNCTUATION))
    same = any_of(f"{placing.board.domain.operating.stays} {placing.board.domain.pointing.same}").search(rest)
    if len(rest) < LEAST_QUESTION or (same and not left) or (left and all(one.kind == LIKE for one in left)):
        placing.place(index, UNKNOWN_AGENT)
        return
    said = msgspec.structs.replace(segment, text=rest, start=segment.end - len(rest), mentions=left, slots=slots)
    whole = msgspec.structs.replace(segment, mentions=left, slots=slots)
    placing.retell(index, said if rest != segment.text else whole)


# ---- whose a task is


def _assigned(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """李四那个是我的: the task that is named is for somebody else than it was."""
    domain = placing.board.domain
    words = domain.operating
    text = clause.text.rstrip(domain.markers.particles)
    whom = next(reversed(clause.of(WHOM)), None)
    behind = text[whom.end - clause.start :] if whom is not None else ""
    if whom is None or (behind and not any_of(words.theirs).fullmatch(behind)):
        return None
    at = whom.start - clause.start
    link = max((len(word) for word in phrases(words.belongs) if text.endswith(word, 0, at)), default=0)
    if not link or text.endswith(tuple(phrases(domain.people.denied)), 0, at):
        return None
    said = [one for one in clause.mentions if one.end <= whom.start - link]
    pointed = any_of(words.that_one).search(text, 0, at - link) is not None
    if not pointed and not any(one.kind in NAMED for one in said):
        return None
    found = which(domain, frames, TaskWords("", [one for one in said if is_object(one.kind)]), times=True)
    theirs = [frame for frame in found.rivals if is_for(domain, frame, [whom.value])]
    if found.sure is None and len(theirs) == 1:
        return [(theirs[0], {})]  # it is the one that is theirs already
    if found.sure is None:
        return Unsure(clause.text, found.rivals or tuple(frames)) if pointed or found.best is not None else None
    slots = dict.fromkeys(domain.agents[found.sure.agent_code].of(whom.kind), whom.value)
    return [(found.sure, slots)] if slots else None


def _held(domain: Domain, frame: TaskFrame, kind: str) -> list[str]:
    """Slots of a kind that a task has filled."""
    return [name for name in domain.agents[frame.agent_code].of(kind) if frame.slots.get(name)]


# ---- another day


def _moved(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """往后推一天, 提前两天: the day of the task that is named, else of the focus, so many days on."""
    domain = placing.board.domain
    words = domain.operating
    days = next((days for one in clause.mentions if one.kind == DURATION and (days := _days(words.days, one.text))), 0)
    later, earlier = (any_of(said).search(clause.text) for said in (words.later, words.earlier))
    if not days or bool(later) == bool(earlier):
        return None
    dated = [frame for frame in frames if _held(domain, frame, DATE)]
    meant = _meant(placing, clause, dated)
    if not meant:
        return Unsure(clause.text, tuple(dated or frames))
    step = timedelta(days if later else -days)
    return [
        (frame, {n: (date.fromisoformat(frame.slots[n]) + step).isoformat() for n in _held(domain, frame, DATE)})
        for frame in meant
    ]


def _changed(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """改明天早上: another time for the task that is named, else the focus; 换王五医生: somebody else for the one that
    the words before are about."""
    domain, text = placing.board.domain, clause.text
    swap = next(reversed(list(any_of(domain.operating.instead).finditer(text))), None)
    if swap is None and clause.only(DAY_TIMES) and len(frames) == 1:
        swap = any_of(domain.correcting.settling).match(text)  # 还是周三吧
    if swap is None or clause.adds or clause.supposed:
        return None
    at, end = clause.start + swap.start(), clause.start + swap.end()
    if overlaps(at, end, [(one.start, one.end) for one in clause.mentions]):
        return None  # 换药
    behind = [one for one in clause.mentions if one.start >= end]
    kinds = {one.kind for one in behind}
    if behind and kinds <= {*DAY_TIMES}:
        behind += [one for more in _goes_on(placing, clause) for one in more.mentions]
        meant = _meant(placing, clause, frames) or (frames if len(frames) == 1 else ())
        return [(frame, fitting_slots(domain, frame, behind)) for frame in meant] or None
    if len(kinds & NAMED) != 1 or not kinds <= {*DAY_TIMES, *NAMED} or any(one.start < at for one in clause.mentions):
        return None
    frame = which(domain, frames, TaskWords("", clause.led), times=False).sure
    slots = fitting_slots(domain, frame, behind) if frame is not None else {}
    required = domain.agents[frame.agent_code].required if frame is not None else ()
    return [(frame, slots)] if frame is not None and any(name in required for name in slots) else None


def _taken_up(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """还是眼科吧: the one booking is about what it was about before, or what is named now."""
    domain, named = placing.board.domain, clause.of(*NAMED)
    back = next(reversed(list(any_of(domain.operating.back).finditer(clause.text))), None)
    if back is None or len(named) != 1 or named[0].start != clause.start + back.end() or len(frames) != 1:
        return None
    slots = fitting_slots(domain, frames[0], named)
    required = domain.agents[frames[0].agent_code].required
    fits = not clause.adds and not clause.supposed and any(name in required for name in slots)
    return [(frames[0], slots)] if fits else None


def _goes_on(placing: Placing, clause: Said) -> list[Said]:
    """The clauses right behind one that tell no more than times (改周四，就周四上午)."""
    behind = (one for one in placing.board.said if one.start >= clause.end)
    return list(takewhile(lambda one: one.only(DAY_TIMES), behind))


def _meant(placing: Placing, clause: Said, frames: Frames) -> Frames:
    """Of some tasks the one that a clause names, all that it counts or says that each is meant, else the focus, or the
    only one; none where that is not certain."""
    domain, focus = placing.board.domain, placing.board.standing_focus()
    count = _count(placing, clause.text, clause.mentions, frames)
    if count is not None:
        return count[0] if count[1] else ()
    named = [one for one in clause.mentions if is_object(one.kind)] or clause.about(domain)
    if named:
        sure = which(domain, frames, TaskWords("", named), times=False).sure
        return (sure,) if sure is not None else ()
    if any_of(domain.correcting.each).search(clause.text):
        return frames
    return (focus,) if focus is not None and focus in frames else frames if len(frames) == 1 else ()


# ---- what stays, and what takes its place


def _kept(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """我自己的还要, 骨科那个留着: the task that is named goes on as it is, or again where it was given up."""
    named = TaskWords("", [one for one in clause.mentions if is_object(one.kind) and one.value])
    if not says_stays(placing, clause):
        return None
    if (frame := staying(placing, clause, frames)) is not None:
        return [(frame, {})]
    if not named.mentions or which(placing.board.domain, frames, named, times=False).best is not None:
        return None
    return [] if reopen(placing, named) is not None else Unsure(clause.text, tuple(frames))


def _replaced(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """他不去了换他弟弟去: what is given up and replaced in one breath goes on with what replaces it."""
    domain = placing.board.domain
    giving = (cue for cue in placing.reading.cues if cue.start < clause.end and clause.start < cue.end)
    swaps = list(any_of(domain.operating.instead).finditer(clause.text))
    if not swaps or not any(cue.kind in _GIVING_UP for cue in giving):
        return None
    behind = [one for one in clause.mentions if one.start >= clause.start + swaps[-1].end()]
    if not behind:
        return None
    at = clause.start + swaps[-1].start()
    told = [one for one in clause.mentions if is_object(one.kind) and one.value and one.end <= at]
    focus = placing.board.standing_focus()
    found = which(domain, frames, TaskWords("", told), times=False)
    frame = found.sure if found.best is not None else focus if focus in frames else None
    if frame is None:
        return Unsure(clause.text, found.rivals or tuple(frames))
    slots = fitting_slots(domain, frame, behind)
    return [(frame, slots)] if slots else None


def _another(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """换个别的医生: whoever was named is not meant any more, and nobody else is named."""
    domain = placing.board.domain
    if any(one.kind == PERSON for one in clause.mentions) or not any_of(domain.operating.another).search(clause.text):
        return None
    meant = _meant(placing, clause, frames)
    held = [(frame, dict.fromkeys(names, "")) for frame in meant if (names := _held(domain, frame, PERSON))]
    return held or Unsure(clause.text, tuple(meant or frames))


def _nobodys(placing: Placing, clause: Said, frames: Frames) -> Outcome:
    """我的改成大后天, with no booking of the speaker's: what is changed is none of those that are open."""
    domain = placing.board.domain
    owners = clause.of(WHOM)
    owned = tuple(phrases(domain.people.owns))
    kinds = {one.kind for one in clause.mentions}
    if len({one.value for one in owners}) != 1 or kinds & NAMED or kinds.isdisjoint(TIMES):
        return None
    behind = owners[0].text.endswith(owned) or clause.text.startswith(owned, owners[0].end - clause.start)
    if not behind or clause.adds:
        return None
    theirs = any(is_for(domain, frame, [owners[0].value]) for frame in frames)
    untold = any(holder(domain, frame) == domain.people.speaker_name for frame in frames)
    return None if theirs or untold else Unsure(clause.text, tuple(frames))


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
    board = placing.board
    if any_of(board.domain.operating.rest).search(cue.text):  # 别的不问了: all but what has the focus, or is named
        told = [one for segment in placing.reading.segments for one in segment.mentions]
        named = which(board.domain, board.open(), TaskWords("", told), times=False).rivals
        rest = [frame for frame in board.open() if frame not in (named or (board.standing_focus(),))]
        return (rest, True) if rest else None
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
