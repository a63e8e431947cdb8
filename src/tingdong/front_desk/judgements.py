"""The most probable safety label of a stretch, and the label that counts (hospital.md, "Safety")."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from tingdong.front_desk.flags import URGENCY
from tingdong.front_desk.model import SafetyLabel

_LEAST_RISK, _MOST_RISK = 0.018, 0.999
"""What words say of a danger at the least and the most: those that were never heard of say nothing."""
_LESS_SURE = 4.0
"""Log-odds by which an emergency is too unlikely beside a wish to die."""


class Judgement(Struct, frozen=True):
    """What a stretch is most likely, how likely it is any danger, whether that counts by itself, and the words."""

    label: SafetyLabel
    risk: float
    words: tuple[str, ...]
    counts: bool = False


NOTHING = Judgement(SafetyLabel.NORMAL, 0.0, ())


def chance(leaning: float) -> float:
    """The chance of log-odds."""
    return 1 / (1 + math.exp(-leaning))


def leaning(risk: float) -> float:
    """The log-odds of a risk, within what words may say."""
    risk = min(max(risk, _LEAST_RISK), _MOST_RISK)
    return math.log(risk / (1 - risk))


def likely(judgements: Iterable[Judgement]) -> list[Judgement]:
    """What counts, less an emergency that is far less sure than a wish to die: their words are much the same."""
    counted = [one for one in judgements if one.counts]
    wish = max((one.risk for one in counted if one.label is SafetyLabel.SELF_HARM), default=0.0)
    least = leaning(wish) - _LESS_SURE
    return [one for one in counted if one.label is not SafetyLabel.EMERGENCY or leaning(one.risk) >= least]


def rank(judged: Judgement) -> tuple[int, float]:
    """The most urgent first, of those the surest."""
    return URGENCY[judged.label], -judged.risk
