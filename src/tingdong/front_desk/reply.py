"""The text of a turn, from its operations alone; the sentences are the domain file's `replies`.

Filled slots are repeated with their values, so that errors can be noticed. Text that was not understood is answered by
its type: small talk, another language, or neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from tingdong.front_desk.board import Board
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.domain_words import Words
from tingdong.front_desk.for_whom import holder
from tingdong.front_desk.kinds import DATE, WHOM, is_object
from tingdong.front_desk.lexicon import PUNCTUATION, is_foreign, phrases
from tingdong.front_desk.model import UNKNOWN_AGENT, CueKind, IntentOp, OpKind, TaskFrame, TurnReading, TurnType
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.slots import AND
from tingdong.front_desk.traces import untold

__all__ = ["reply_to"]

_OR = "，还是"
_SURE = 0.9
"""Chance from which words that are no task are told, and not misheard."""
_WORD = 2
"""Letters of a word that nothing was understood of (hi)."""
_TOGETHER = (OpKind.CANCEL, OpKind.COMPLETE, OpKind.ADD)
"""Operations that are said of all their tasks at once."""


def reply_to(board: Board, ops: Sequence[IntentOp], placing: Placing | None = None) -> str:
    """What to show after these operations; `placing` is the turn of the user that they belong to."""
    domain = board.domain
    said = [text for op in ops if (text := _sentence(board, op, placing))]
    unsure = placing.unsure if placing is not None and "unsure" in domain.replies else []
    said += _without_ops(board, placing) if placing is not None else []
    done = bool(said or unsure or (placing is not None and placing.reading.either))
    said = said if done else [_nothing_done(board, placing)]
    for one in unsure:
        meant = {frame.frame_id for frame in one.rivals}
        tasks = AND.join(_as_it_stands(board, frame) for frame in board.open() if frame.frame_id in meant)
        template = domain.replies.get("supposed") if one.supposed else None
        said.append((template or domain.replies["unsure"]).format(words=one.words, tasks=tasks))
    if placing is not None and done:
        lacks = ((one, "unheld" if one.agent_code == UNKNOWN_AGENT else "unheard") for one in untold(placing, said))
        said += [domain.replies[key].format(words=one.text) for one, key in lacks if key in domain.replies]
    gone = [frame for frame in board.gone if frame.agent_code not in domain.cutting.tells]
    if gone and "replaced" in domain.replies:
        said.append(domain.replies["replaced"].format(title=AND.join(_titled(board, frame) for frame in gone)))
    if placing is not None and (names := dict.fromkeys(placing.unlisted())) and "not_listed" in domain.replies:
        said.insert(0, domain.replies["not_listed"].format(names=AND.join(names)))
    focus = board.standing_focus()
    either = placing.reading.either if placing is not None and "which" in domain.replies else ()
    if either:
        said.append(domain.replies["which"].format(choices=_OR.join(either)))
    elif focus is not None:
        said.append(_question(board, focus))
    elif (rivals := board.contested()) and not any(op.op is OpKind.CLARIFY for op in ops):
        said.append(_asked(board, rivals))
    if placing is not None and placing.reading.unread is not None and "unread" in domain.replies:
        said.append(domain.replies["unread"].format(words=placing.reading.unread.words))
    return "".join(dict.fromkeys(said))


def _without_ops(board: Board, placing: Placing) -> list[str]:
    """What a turn did that is no operation: what it put off, and what is open, where that is asked."""
    replies = board.domain.replies
    off = sorted(placing.off - placing.continued - {*placing.fresh}) if "waits" in replies else ()
    said = [replies["waits"].format(title=_titled(board, board.frames[key])) for key in off]
    if placing.has(CueKind.OVERVIEW) and "overview" in replies:
        said.append(replies["overview"].format(tasks=AND.join(_as_it_stands(board, one) for one in board.open())))
    return said


def _nothing_done(board: Board, placing: Placing | None) -> str:
    """The reply where nothing was done: what the turn was, as far as the domain has a sentence for it."""
    domain = board.domain
    turn_type = placing.turn_type() if placing is not None else TurnType.UNKNOWN
    if turn_type is TurnType.UNKNOWN and placing is not None:
        text = placing.reading.text
        if "courtesy" in domain.replies and _is_courtesy(domain, text):
            return domain.replies["courtesy"]
        if "foreign" in domain.replies and is_foreign(text, least=_WORD):
            return domain.replies["foreign"]
        if "told" in domain.replies and _only_tells(placing.reading):
            return domain.replies["told"] + _stands(board)
    named = {TurnType.UNKNOWN: "unknown", TurnType.DENY: "refuse"}.get(turn_type, "continue")
    if named == "continue" and (stands := _stands(board)):
        return stands
    return domain.replies[named if named in domain.replies else "continue"]


def _stands(board: Board) -> str:
    """What has the focus, as it stands; empty where nothing has."""
    focus, template = board.standing_focus(), board.domain.replies.get("stands", "")
    return template.format(title=_as_it_stands(board, focus)) if focus is not None else ""


def _only_tells(reading: TurnReading) -> bool:
    """Whether a turn surely only tells something."""
    told = reading.segments
    return bool(told) and all(one.agent_code == UNKNOWN_AGENT and one.confidence >= _SURE for one in told)


def _is_courtesy(domain: Domain, text: str) -> bool:
    """Whether a text says nothing but courtesies (谢谢，再见)."""
    known = _courtesies(domain.markers.courtesies, domain.markers.particles)
    spoken = "".join(char for char in text if char not in PUNCTUATION and not char.isspace())
    return bool(spoken) and known.fullmatch(spoken) is not None


@cache
def _courtesies(words: Words, particles: str) -> re.Pattern[str]:
    known = sorted(phrases(words), key=len, reverse=True)
    return re.compile(f"(?:(?:{'|'.join(map(re.escape, known))})[{re.escape(particles)}]*)+" if known else "(?!)")


def _sentence(board: Board, op: IntentOp, placing: Placing | None) -> str:
    replies = board.domain.replies
    template = replies.get(op.op.value, "")
    if op.op is OpKind.CLARIFY:
        return _asked(board, board.subjects(op, together=False))
    frames = board.subjects(op, together=op.op in _TOGETHER)
    if op.op is OpKind.CONTINUE:
        told = [frame for frame in board.subjects(op, together=True) if _told(board, frame)]
        return "".join(dict.fromkeys(_goes_on(board, frame, placing) for frame in told or frames))
    if op.op in (OpKind.CANCEL, OpKind.COMPLETE):
        titles = dict.fromkeys(_titled(board, frame) for frame in frames)
        return template.format(title=AND.join(titles))
    name = _as_it_stands if op.op is OpKind.SHIFT else _named
    named = dict.fromkeys(name(board, frame) for frame in frames)
    return template.format(title=AND.join(named))


def _asked(board: Board, frames: Sequence[TaskFrame]) -> str:
    """The question which of several tasks is wanted, or which of them is meant."""
    which = board.asks_which and "which" in board.domain.replies
    name = _as_it_stands if which else _choice
    choices = _OR.join(name(board, frame) for frame in frames)
    return board.domain.replies["which" if which else "clarify"].format(choices=choices)


def _goes_on(board: Board, frame: TaskFrame, placing: Placing | None) -> str:
    """A task that goes on: what was told of it, else that it waits, that nothing was noted, or how it stands."""
    replies = board.domain.replies
    values = _told(board, frame)
    alike = [one for one in board.open() if one.agent_code == frame.agent_code]
    if values and "noted" in replies:
        title = _titled(board, frame)
        told = [value for value in values if value not in title]
        apart = (len(alike) > 1 or _several_people(board)) and told and "named" in replies
        shown = replies["named"].format(title=title, values=AND.join(told)) if apart else AND.join(values)
        return replies["noted"].format(values=shown)
    if placing is not None and frame.frame_id in placing.off and "waits" in replies:
        return replies["waits"].format(title=_titled(board, frame))
    if placing is not None and (lost := placing.lost()) and "not_noted" in replies:
        return replies["not_noted"].format(words=lost, title=AND.join(_as_it_stands(board, one) for one in alike))
    if "kept" in replies and board.focus(frame.lane) != frame:
        return replies["kept"].format(title=_titled(board, frame))
    if "stands" in replies:
        return replies["stands"].format(title=_as_it_stands(board, frame))
    return replies["continue"]


def _named(board: Board, frame: TaskFrame) -> str:
    """A task with what was told of it in this turn, else with what it is about."""
    values = _told(board, frame)
    if not values:
        return _titled(board, frame)
    whom = [name for name in _for_speaker(board, frame) if name not in values]
    return _with_values(board.domain, board.domain.agents[frame.agent_code].title, [*values, *whom])


def _told(board: Board, frame: TaskFrame) -> list[str]:
    """What was told of a task in this turn, as one says it."""
    specs = board.domain.agents[frame.agent_code].slots
    told = board.told.get(frame.frame_id, {})
    shown = [_shown(board.domain, specs[name].kind, frame.slots[name]) for name in specs if told.get(name)]
    corrected = any(name in told and not told[name] and specs[name].kind.startswith(WHOM) for name in specs)
    return [*shown, *([board.domain.people.speaker_name] if corrected else ())]


def _titled(board: Board, frame: TaskFrame) -> str:
    """A task with whom and what it is about."""
    agent = board.domain.agents[frame.agent_code]
    kinds = ((name, agent.slots[name]) for name in agent.slots if frame.slots.get(name))
    named = [frame.slots[name] for name, spec in kinds if is_object(spec.kind)]
    return _with_values(board.domain, agent.title, [*named, *_for_speaker(board, frame)])


def _for_speaker(board: Board, frame: TaskFrame) -> list[str]:
    """The speaker by name, as the one whom a task is for, where others are for somebody else."""
    speaker = board.domain.people.speaker_name
    several = holder(board.domain, frame) == speaker and _several_people(board)
    return [speaker] if several and speaker else []


def _several_people(board: Board) -> bool:
    """Whether open tasks are for more than one person."""
    return len({name for frame in board.open() if (name := holder(board.domain, frame))}) > 1


def _as_it_stands(board: Board, frame: TaskFrame) -> str:
    """A task with all that is known of it."""
    specs = board.domain.agents[frame.agent_code].slots
    values = [_shown(board.domain, specs[name].kind, frame.slots[name]) for name in specs if frame.slots.get(name)]
    values += _for_speaker(board, frame)
    return _with_values(board.domain, board.domain.agents[frame.agent_code].title, values)


def _with_values(domain: Domain, title: str, values: Sequence[str]) -> str:
    known = bool(values) and "named" in domain.replies
    return domain.replies["named"].format(title=title, values=AND.join(values)) if known else title


def _shown(domain: Domain, kind: str, value: str) -> str:
    """A value as one says it."""
    if kind != DATE or "date" not in domain.replies:
        return value
    day = date.fromisoformat(value)
    weekday = (domain.markers.weekdays.split() or [""] * 7)[day.weekday()]
    return domain.replies["date"].format(month=day.month, day=day.day, weekday=weekday)


def _choice(board: Board, frame: TaskFrame) -> str:
    """A contested task as the user would know it: its title with what was named."""
    specs = board.domain.agents[frame.agent_code].slots
    named = next((_shown(board.domain, specs[name].kind, value) for name, value in frame.slots.items()), "")
    return _with_values(board.domain, board.domain.agents[frame.agent_code].title, [named] if named else [])


def _question(board: Board, frame: TaskFrame) -> str:
    specs = board.domain.agents[frame.agent_code].slots
    return next((specs[name].ask for name in frame.missing_slots if specs[name].ask), "")
