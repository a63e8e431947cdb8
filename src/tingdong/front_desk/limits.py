"""The rule of an operation list (hospital.md, Ops): sorted by priority and bounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import IntentOp, OpKind

__all__ = ["cut_ops", "one_move", "order_ops"]


def order_ops(ops: Iterable[IntentOp], domain: Domain) -> tuple[IntentOp, ...]:
    """By priority, then by the order of classes (hospital.md, Class)."""
    return tuple(sorted(ops, key=lambda op: (op.priority, domain.rank(op.target))))


def one_move(ops: Sequence[IntentOp], domain: Domain) -> tuple[tuple[IntentOp, ...], tuple[str, ...]]:
    """At most one executed shift or continue a lane: the last shift, else the first continue (hospital.md, Ops).

    What another one did is done all the same; the notes say so.
    """
    dropped: list[int] = []
    for lane in domain.lanes:
        moves = [index for index, op in enumerate(ops) if op.executed and op.lane == lane and op.op in _MOVES]
        shifts = [index for index in moves if ops[index].op is OpKind.SHIFT]
        kept = shifts[-1:] or moves[:1]
        dropped += [index for index in moves if index not in kept]
    if not dropped:
        return tuple(ops), ()
    note = "without an operation: " + "、".join(f"{ops[i].target} ({ops[i].reason})" for i in sorted(dropped))
    return tuple(op for index, op in enumerate(ops) if index not in dropped), (note,)


_MOVES = (OpKind.SHIFT, OpKind.CONTINUE)


def cut_ops(ops: Sequence[IntentOp], domain: Domain) -> tuple[tuple[IntentOp, ...], tuple[str, ...]]:
    """At most `limits.ops` operations: adds lose theirs, those of lanes that do not lead first, from the end of the
    order of classes.

    Their frames wait all the same; the last operation's reason and the notes say so.
    """
    over = len(ops) - domain.limits.ops
    if over <= 0:
        return tuple(ops), ()
    adds = [index for index, op in enumerate(ops) if op.op is OpKind.ADD]
    adds.sort(key=lambda index: (domain.lanes[ops[index].lane].leads, -domain.rank(ops[index].target)))
    others = [index for index in reversed(range(len(ops))) if ops[index].op is not OpKind.ADD]
    dropped = set((adds + others)[:over])
    note = "without an operation: " + "、".join(ops[index].target for index in sorted(dropped))
    reasons = "; ".join(f"{ops[index].target}: {ops[index].reason}" for index in sorted(dropped))
    kept = [op for index, op in enumerate(ops) if index not in dropped]
    kept[-1] = msgspec.structs.replace(kept[-1], reason=f"{kept[-1].reason}; {note}")
    return tuple(kept), (note, reasons)
