"""The text of a turn, made from what was done and nothing else; its sentences are the domain file's `replies`."""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.dialogue.board import Board
from tingdong.dialogue.model import IntentOp, OpKind, Role, Status, TaskFrame, TurnType
from tingdong.dialogue.placing import Placing

__all__ = ["reply_to"]


def reply_to(board: Board, ops: Sequence[IntentOp], placing: Placing | None = None) -> str:
    """What to show after these operations; `placing` is the turn of the user that they belong to."""
    domain = board.domain
    said = [text for op in ops if (text := _sentence(board, op))]
    if not ops:
        turn_type = placing.turn_type() if placing is not None else TurnType.UNKNOWN
        named = {TurnType.UNKNOWN: "unknown", TurnType.DENY: "refuse"}.get(turn_type, "continue")
        said = [domain.replies.get(named, domain.replies["continue"])]
    if placing is not None and (names := dict.fromkeys(placing.unlisted())) and "not_listed" in domain.replies:
        said.insert(0, domain.replies["not_listed"].format(names="、".join(names)))
    focus = board.standing_focus()
    if focus is not None:
        said.append(_question(board, focus))
    if placing is not None and placing.reading.unread is not None and "unread" in domain.replies:
        said.append(domain.replies["unread"].format(words=placing.reading.unread.words))
    return "".join(dict.fromkeys(said))


def _sentence(board: Board, op: IntentOp) -> str:
    domain = board.domain
    template = domain.replies.get(op.op.value, "")
    agents = [domain.agents[code] for code in op.target.split("|") if code in domain.agents]
    if op.op is OpKind.CLARIFY:
        return template.format(choices="，还是".join(_choice(board, code) for code in op.target.split("|")))
    return template.format(title=agents[0].title) if agents else template


def _choice(board: Board, code: str) -> str:
    """A contested task as the user would know it: its title with what was named."""
    frames = [f for f in board.open() if f.agent_code == code and f.role is Role.FOCUS and f.status is Status.PENDING]
    named = next((value for frame in frames for value in frame.slots.values()), "")
    title = board.domain.agents[code].title
    return f"{title}（{named}）" if named else title


def _question(board: Board, frame: TaskFrame) -> str:
    specs = board.domain.agents[frame.agent_code].slots
    return next((specs[name].ask for name in frame.missing_slots if specs[name].ask), "")
