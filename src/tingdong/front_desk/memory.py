"""Memory of earlier turns (hospital.md, Frames, memory; M1).

`memory_policy_default.full_history_default` keeps the user's turns in the context, bounded: texts of ended tasks are
dropped first, `ephemeral` before `short_term` before `persistent`, then the oldest.
"""

from __future__ import annotations

from tingdong.front_desk.board import OPEN, Board
from tingdong.front_desk.model import IntentContext, PersistLevel, RememberedTurn

__all__ = ["KEPT_CHARS", "KEPT_TURNS", "remembered"]

KEPT_TURNS = 24
KEPT_CHARS = 2_000
"""Characters of all turns kept; the last turn is kept whatever its length."""
_WORTH = {PersistLevel.EPHEMERAL: 1, PersistLevel.SHORT_TERM: 2, PersistLevel.PERSISTENT: 3}
_UNDER_WAY = 4


def remembered(context: IntentContext, board: Board, text: str) -> tuple[RememberedTurn, ...]:
    """The history after a turn; empty where the policy keeps none."""
    if not board.domain.memory_policy_default.full_history_default:
        return ()
    before = {frame.frame_id: frame for frame in context.frames}
    touched = tuple(key for key, frame in board.frames.items() if before.get(key) != frame)
    kept = [*context.history, RememberedTurn(context.turn + 1, text, touched)]
    while len(kept) > 1 and (len(kept) > KEPT_TURNS or sum(len(said.text) for said in kept) > KEPT_CHARS):
        kept.remove(min(kept[:-1], key=lambda said: (_worth(board, said), said.turn)))
    return tuple(kept)


def _worth(board: Board, said: RememberedTurn) -> int:
    """How long a turn is worth keeping: that of the longest-lived of its tasks."""
    frames = [board.frames[key] for key in said.frame_ids if key in board.frames]
    return max((_UNDER_WAY if f.status in OPEN else _WORTH[f.memory.persist_level] for f in frames), default=0)
