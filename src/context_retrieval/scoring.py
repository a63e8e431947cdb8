"""Score of a candidate from independent evidence, with reasons (retrieval.md, Result).

Evidence is weighed, not added: a right room cannot compensate for a bad name.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

__all__ = ["Evidence", "Reason", "fuse"]


class Reason(StrEnum):
    """Why a candidate was chosen; stable codes."""

    NAME = "name"
    TYPE = "type"
    ROOM = "room"
    PLACE = "place"
    CAPABILITY = "capability"
    REFERENCE = "reference"
    CONDITION = "condition"
    GROUP = "group"
    FUZZY = "fuzzy"
    CHOICE = "choice"


class Evidence(msgspec.Struct, frozen=True):
    """One kind of evidence, 0..1."""

    reason: Reason
    score: float


_WEIGHTS: Mapping[Reason, float] = {Reason.NAME: 3.0, Reason.TYPE: 2.0, Reason.CAPABILITY: 1.0}
_DEFAULT_WEIGHT = 0.5


def fuse(evidence: Iterable[Evidence]) -> tuple[float, tuple[str, ...]]:
    """The weighted geometric mean of all evidence (0..1, 4 decimals), and the reasons as `code:score`, strongest
    weight first.
    """
    items = sorted(evidence, key=lambda item: -_WEIGHTS.get(item.reason, _DEFAULT_WEIGHT))
    total = sum(_WEIGHTS.get(item.reason, _DEFAULT_WEIGHT) for item in items)
    if not total:
        return 0.0, ()
    product = 1.0
    for item in items:
        product *= max(0.0, min(1.0, item.score)) ** (_WEIGHTS.get(item.reason, _DEFAULT_WEIGHT) / total)
    return round(product, 4), tuple(f"{item.reason.value}:{item.score:.2f}" for item in items)
