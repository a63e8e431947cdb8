"""The outcome of a turn and its reasons (service.md, Closing frame; architecture: every turn can be explained)."""

from enum import StrEnum

import msgspec

from context_retrieval.models import QueryIR
from tingdong.home.model import Instruct, Note, ReplyKind

__all__ = ["AS_IT_WAS", "NO_ADDRESSEE", "NO_REQUEST", "ClauseOutcome", "Fate", "Finding", "Outcome"]


class Fate(StrEnum):
    """What became of a clause."""

    DONE = "done"  # carried out, set for later, or told why it cannot be
    ASKED = "asked"  # a question back
    ANSWERED = "answered"
    LEFT = "left"  # it leaves something as it is, or takes an order of the same sentence back
    TALK = "talk"  # it asks for nothing: a reason, courtesy
    LOST = "lost"  # it may ask for something and was not understood, which the reply says


class ClauseOutcome(msgspec.Struct, frozen=True):
    """One clause of a turn, at `[start, end)` of what was read, and what became of it."""

    start: int
    end: int
    fate: Fate


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One command of a turn as it was understood: the completed query, what it resolved to, what came of it.

    `status` is the resolution's (`found`, `ambiguous`, …); `completed` names the rule that filled what was left out;
    `against` is what spoke against carrying it out, each fact with its weight (`accounting.py`).
    """

    query: QueryIR
    status: str = ""
    ids: tuple[str, ...] = ()
    completed: str = ""
    notes: tuple[Note, ...] = ()
    against: dict[str, float] = {}


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reply of a turn. `instructs` is empty unless `kind` is instruct; `findings` and `rule` explain it; `clauses`
    account for every clause of a sentence that was taken clause by clause."""

    kind: ReplyKind
    text: str
    instructs: tuple[Instruct, ...] = ()
    findings: tuple[Finding, ...] = ()
    rule: str = ""
    clauses: tuple[ClauseOutcome, ...] = ()


NO_ADDRESSEE = Outcome(ReplyKind.NONE, "无关对象", rule="addressee")
AS_IT_WAS = "好的，保持不变。"
NO_REQUEST = Outcome(ReplyKind.NONE, "无关会话", rule="chit_chat")
