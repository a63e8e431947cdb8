"""The text of a turn, made from what was done and nothing else; its sentences are the domain file's `replies`.

What was noted is said back with its values, so that whoever was misheard can say so; what is not understood is answered
by what it is: small talk, a language that is not read here, or neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from tingdong.front_desk.board import Board
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.domain_words import Words
from tingdong.front_desk.lexicon import PUNCTUATION, is_foreign, phrases
from tingdong.front_desk.model import IntentOp, OpKind, Role, Status, TaskFrame, TurnType
from tingdong.front_desk.placing import Placing
from tingdong.front_desk.slots import AND, DIRECTORY

__all__ = ["reply_to"]

_TOGETHER = (OpKind.CANCEL, OpKind.COMPLETE, OpKind.ADD)
"""Operations that are said of all their tasks at once."""


def reply_to(board: Board, ops: Sequence[IntentOp], placing: Placing | None = None) -> str:
    """What to show after these operations; `placing` is the turn of the user that they belong to."""
    domain = board.domain
    said = [text for op in ops if (text := _sentence(board, op))]
    if not ops:
        said = [domain.replies[_nothing_done(domain, placing)]]
    if placing is not None and (names := dict.fromkeys(placing.unlisted())) and "not_listed" in domain.replies:
        said.insert(0, domain.replies["not_listed"].format(names=AND.join(names)))
    focus = board.standing_focus()
    if focus is not None:
        said.append(_question(board, focus))
    if placing is not None and placing.reading.unread is not None and "unread" in domain.replies:
        said.append(domain.replies["unread"].format(words=placing.reading.unread.words))
    return "".join(dict.fromkeys(said))


def _nothing_done(domain: Domain, placing: Placing | None) -> str:
    """The reply where nothing was done: what the turn was, as far as the domain has a sentence for it."""
    turn_type = placing.turn_type() if placing is not None else TurnType.UNKNOWN
    if turn_type is TurnType.UNKNOWN and placing is not None:
        text = placing.reading.text
        if "foreign" in domain.replies and is_foreign(text):
            return "foreign"
        if "courtesy" in domain.replies and _is_courtesy(domain, text):
            return "courtesy"
    named = {TurnType.UNKNOWN: "unknown", TurnType.DENY: "refuse"}.get(turn_type, "continue")
    return named if named in domain.replies else "continue"


def _is_courtesy(domain: Domain, text: str) -> bool:
    """Whether a text says nothing but courtesies (谢谢，再见)."""
    known = _courtesies(domain.markers.courtesies, domain.markers.particles)
    spoken = "".join(char for char in text if char not in PUNCTUATION and not char.isspace())
    return bool(spoken) and known.fullmatch(spoken) is not None


@cache
def _courtesies(words: Words, particles: str) -> re.Pattern[str]:
    known = sorted(phrases(words), key=len, reverse=True)
    return re.compile(f"(?:(?:{'|'.join(map(re.escape, known))})[{re.escape(particles)}]*)+" if known else "(?!)")


def _sentence(board: Board, op: IntentOp) -> str:
    replies = board.domain.replies
    template = replies.get(op.op.value, "")
    if op.op is OpKind.CLARIFY:
        return template.format(choices="，还是".join(_choice(board, code) for code in op.target.split("|")))
    frames = board.subjects(op, together=op.op in _TOGETHER)
    if op.op in (OpKind.CANCEL, OpKind.COMPLETE):
        titles = dict.fromkeys(_titled(board, frame) for frame in frames)
        return template.format(title=AND.join(titles))
    named = dict.fromkeys(_named(board, frame, new=op.op is not OpKind.CONTINUE) for frame in frames)
    if op.op is OpKind.CONTINUE:
        values = AND.join(filter(None, named))
        return replies["noted"].format(values=values) if values and "noted" in replies else template
    return template.format(title=AND.join(named))


def _named(board: Board, frame: TaskFrame, *, new: bool) -> str:
    """A task with what was told of it in this turn; of one that goes on, this alone."""
    specs = board.domain.agents[frame.agent_code].slots
    told = board.told.get(frame.frame_id, {})
    values = [_shown(board.domain, specs[name].kind, frame.slots[name]) for name in specs if told.get(name)]
    title = board.domain.agents[frame.agent_code].title
    return _with_values(board.domain, title, values) if new else AND.join(values)


def _titled(board: Board, frame: TaskFrame) -> str:
    """A task that is over, with whom or what it was for."""
    agent = board.domain.agents[frame.agent_code]
    named = [value for name, value in frame.slots.items() if agent.slots[name].kind.startswith(DIRECTORY)]
    return _with_values(board.domain, agent.title, named[:1])


def _with_values(domain: Domain, title: str, values: Sequence[str]) -> str:
    known = bool(values) and "named" in domain.replies
    return domain.replies["named"].format(title=title, values=AND.join(values)) if known else title


def _shown(domain: Domain, kind: str, value: str) -> str:
    """A value as one says it."""
    if kind != "date" or "date" not in domain.replies:
        return value
    day = date.fromisoformat(value)
    weekday = (domain.markers.weekdays.split() or [""] * 7)[day.weekday()]
    return domain.replies["date"].format(month=day.month, day=day.day, weekday=weekday)


def _choice(board: Board, code: str) -> str:
    """A contested task as the user would know it: its title with what was named."""
    frames = [f for f in board.open() if f.agent_code == code and f.role is Role.FOCUS and f.status is Status.PENDING]
    specs = board.domain.agents[code].slots
    values = (_shown(board.domain, specs[name].kind, value) for frame in frames for name, value in frame.slots.items())
    named = next(values, "")
    title = board.domain.agents[code].title
    return f"{title}（{named}）" if named else title


def _question(board: Board, frame: TaskFrame) -> str:
    specs = board.domain.agents[frame.agent_code].slots
    return next((specs[name].ask for name in frame.missing_slots if specs[name].ask), "")
