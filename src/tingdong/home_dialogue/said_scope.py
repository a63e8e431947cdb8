"""A scope that holds for the following clauses: 除了厨房，其他屋的灯关掉，窗帘全拉上.

An exception of rooms or a word for the whole home is not repeated in each clause. It ends when another place is named
and applies to sets only. A user who is leaving means the whole home (我出门了，该关的都关了吧).
"""

import msgspec

from context_retrieval.models import Quantifier, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import wish_table
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.situation import Situation

__all__ = ["SaidScope", "scope_after", "scope_announced"]

_WHOLE_SETS = (Quantifier.ALL, Quantifier.EXCEPT)
_SUMMED_UP = (MentionKind.ALL, MentionKind.ALSO)


class SaidScope(msgspec.Struct, frozen=True):
    """All of the home, but for these rooms (as they were said)."""

    but: tuple[str, ...] = ()

    def holds_for(self, query: QueryIR, situation: Situation) -> bool:
        """Whether a request that names no place is for it too. Without an exception, what begins something is not,
        unless it is summed up (灯全关了，空调开一下 is about one)."""
        placed = query.include or query.exclude or query.here or query.reference is not None
        if placed or query.name is not None or query.quantifier not in _WHOLE_SETS or query.action.startswith("查询"):
            return False
        return bool(self.but) or query.action in verb_table().ending or situation.has(*_SUMMED_UP)


def scope_after(scope: SaidScope | None, query: QueryIR, situation: Situation) -> SaidScope | None:
    """The scope that holds from this request on."""
    if query.exclude:
        return SaidScope(query.exclude)
    if query.include or query.here:
        return None
    return SaidScope() if scope is None and situation.whole_home else scope


def scope_announced(situation: Situation) -> SaidScope | None:
    """All of the home, where a clause announces what concerns all of it (`everywhere` in wishes.yaml)."""
    if not situation.has(MentionKind.ACTION) or not pauses.has_pause(situation.text):
        return None
    said = (match_wish(situation.text[start:end]) for start, end in pauses.spans(situation.text))
    leaves = any(wish is not None and wish_table().wishes[wish.key].everywhere for wish in said)
    return SaidScope() if leaves else None
