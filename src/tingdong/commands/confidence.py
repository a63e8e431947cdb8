"""How sure the local parser is: a logistic of a few facts about how well its mentions explain the sentence.

The weights and the threshold are data (`data/confidence.json`), fitted on the readable training sentences by
`python -m bench.fit_confidence`, which hides part of the vocabulary so that the fit knows what unlisted words do.
"""

import math
from collections.abc import Sequence
from functools import cache, cached_property

import msgspec

from tingdong.commands.assembling import Assembly
from tingdong.commands.parts import Unit
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.package_data import read_bytes

__all__ = ["FEATURES", "ConfidenceModel", "default_model", "features"]

FEATURES = (
    "bias", "nothing", "unknown_acting", "unknown_beside", "ellipsis", "carried_target", "carried_room", "formed_name",
    "placed_name", "unresolved", "slip", "commands", "clauses", "negated", "corrected", "exclusion", "doubts", "domain",
    "asked", "weak_verbs", "idle_devices", "idle_actions", "idle_nothing", "statement", "length", "when", "signs",
    "unused_things",
)  # fmt: skip
_ACTIONS = frozenset(
    (Kind.VERB, Kind.WEAK, Kind.MORE, Kind.UP, Kind.DOWN, Kind.VALUE, Kind.QUANTITY, Kind.STATUS, Kind.ASK_ATTRIBUTE,
     Kind.STATE, Kind.SIZE)
)  # fmt: skip
_THINGS = frozenset((Kind.DEVICE, Kind.ANYTHING, Kind.SCENE))


class ConfidenceModel(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """Weights by feature name, and the confidence from which a reading is accepted."""

    threshold: float
    weights: dict[str, float]

    @cached_property
    def row(self) -> tuple[float, ...]:
        """The weights in the order of `FEATURES`."""
        return tuple(self.weights[name] for name in FEATURES)

    def probability(self, values: Sequence[float]) -> float:
        """P(the reading is right) in 0..1."""
        score = 0.0
        for weight, value in zip(self.row, values, strict=True):
            if value:
                score += weight * value
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def default_model() -> ConfidenceModel:
    """The shipped model."""
    model = msgspec.json.decode(read_bytes("tingdong.commands", "confidence.json"), type=ConfidenceModel)
    if set(model.weights) != set(FEATURES):
        raise ValueError(f"confidence.json: weights: expected exactly {', '.join(FEATURES)}")
    return model


def features(
    tokens: Sequence[Token], units: Sequence[Unit], assembly: Assembly, *, repaired: bool = False
) -> tuple[float, ...]:
    """The facts, in the order of `FEATURES`."""
    facts = assembly.facts
    commands = len(assembly.commands)
    length = max(1, tokens[-1].end if tokens else 1)
    actions, weak, things = _counts(tokens)
    acting = beside = 0
    negated = corrected = asked = statement = timed = signs = False
    for unit in units:
        if unit.acts:
            acting += unit.unknown
        else:
            beside += unit.unknown
        negated = negated or unit.negated
        corrected = corrected or bool(unit.correction) or unit.cancel
        asked = asked or unit.ask or unit.look
        statement = statement or unit.statement
        timed = timed or bool(unit.when)
        signs = signs or bool(unit.sign) or unit.talk
    targets = len({str(command.target) for command in assembly.commands}) if things > 1 else commands
    reasons = assembly.reasons
    nothing = commands == 0
    idle = max(0, actions - commands)
    return (
        1.0,
        float(nothing),
        min(acting, 8) / 4 if not nothing else 0.0,
        min(beside, 12) / 8 if not nothing else 0.0,
        facts.get("ellipsis", 0.0),
        min(facts.get("carried_target", 0.0), 3.0),
        float("carried_room" in facts),
        min(facts.get("formed_name", 0.0), 3.0),
        min(facts.get("placed_name", 0.0), 3.0),
        min(facts.get("unresolved", 0.0), 3.0),
        float(repaired),
        math.log1p(commands),
        math.log1p(len(units)),
        float(negated),
        float(corrected),
        float("exclusion" in facts),
        float(reasons.count("no_target")),
        float("other_domain" in reasons),
        float(asked),
        min(weak, 4) / 2 if not nothing else 0.0,
        min(max(0, things - targets), 3) if not nothing else 0.0,
        min(idle, 4) / 2 if not nothing else 0.0,
        min(actions, 3) * float(bool(things)) if nothing else 0.0,
        float(statement),
        min(length, 60) / 20,
        float(timed),
        float(signs),
        min(facts.get("unused_things", 0.0), 3.0),
    )


def _counts(tokens: Sequence[Token]) -> tuple[int, int, int]:
    """How many mentions say what to do, how many of those are weak verbs, and how many name things."""
    actions = things = weak = 0
    for token in tokens:
        kind = token.kind
        if kind in _ACTIONS:
            actions += 1
            weak += kind is Kind.WEAK
        elif kind in _THINGS:
            things += 1
    return actions, weak, things
