"""What one turn comes to, and why (seed 004 §4.3; architecture: every turn can be explained)."""

import msgspec

from context_retrieval.models import QueryIR
from tingdong.home.model import Instruct, Note, ReplyKind

__all__ = ["NO_ADDRESSEE", "NO_REQUEST", "Finding", "Outcome"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One command of a turn as it was understood: the completed query, what it resolved to, what came of it.

    `status` is the resolution's (`found`, `ambiguous`, …); `completed` names the rule that filled what was left out.
    """

    query: QueryIR
    status: str = ""
    ids: tuple[str, ...] = ()
    completed: str = ""
    notes: tuple[Note, ...] = ()


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reply of a turn. `instructs` is empty unless `kind` is instruct; `findings` and `rule` explain it."""

    kind: ReplyKind
    text: str
    instructs: tuple[Instruct, ...] = ()
    findings: tuple[Finding, ...] = ()
    rule: str = ""


NO_ADDRESSEE = Outcome(ReplyKind.NONE, "无关对象", rule="addressee")
NO_REQUEST = Outcome(ReplyKind.NONE, "无关会话", rule="chit_chat")
