"""Relations between the segments of a turn, and of a new one with the standing focus (hospital.md, Relations).

The table is the domain file's `relations`: the first line that fits decides; two segments of one agent are parallel.
"""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import UNKNOWN_AGENT, Relation, RelationType

__all__ = ["STANDING", "relate", "relation_between"]

STANDING = -1
"""Index that stands for the focus as it was before the turn."""


def relation_between(domain: Domain, one: str, other: str) -> RelationType | None:
    """How segments of these agents stand to each other; None when the table says nothing."""
    if one == other:
        return RelationType.PARALLEL
    for rule in domain.relations:
        if (one in rule.a and other in rule.b) or (other in rule.a and one in rule.b):
            return rule.type
    return None


def relate(domain: Domain, agents: Sequence[str], standing: str | None) -> tuple[Relation, ...]:
    """Relations of one turn.

    `agents` are the segments' agents in sentence order (`unknown` ones relate to nothing); `standing` is the agent of
    the focus that no segment of the turn continues, or None. What replaces the standing focus relates to nothing.
    """
    known = [(index, agent) for index, agent in enumerate(agents) if agent != UNKNOWN_AGENT]
    found: list[Relation] = []
    if standing is not None:
        for index, agent in known:
            kind = relation_between(domain, standing, agent)
            if kind is not None and kind is not RelationType.EXCLUSIVE:
                found.append(Relation(STANDING, index, kind))
    for place, (a, one) in enumerate(known):
        for b, other in known[place + 1 :]:
            kind = relation_between(domain, one, other)
            if kind is not None:
                found.append(Relation(a, b, kind))
    return tuple(found)
