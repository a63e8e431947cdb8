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

__all__ = ["FEATURES", "ConfidenceModel", "default_model", "features", "steps_of"]

FEATURES = (
    "bias", "nothing", "unknown_acting", "unknown_beside", "ellipsis", "carried_target", "carried_room", "formed_name",
    "placed_name", "unresolved", "slip", "commands", "clauses", "negated", "corrected", "exclusion", "doubts", "domain",
    "asked", "weak_verbs", "idle_devices", "idle_actions", "idle_nothing", "statement", "length", "when", "signs",
    "unused_things", "formed_room", "strangers", "lone_strangers", "stranger_by_thing", "stranger_by_act", "steps",
    "second_step", "nouns", "last_beside_named", "many_verbs", "signed_acts", "doubted_acts", "bare_clauses",
    "signed_things", "things_for_nothing", "short_words",
)  # fmt: skip
"""The facts by name. Strangers are unknown runs; a step is how rarely one kind of token follows another."""

_ACTIONS = frozenset(
    (Kind.VERB, Kind.WEAK, Kind.MORE, Kind.UP, Kind.DOWN, Kind.VALUE, Kind.QUANTITY, Kind.STATUS, Kind.ASK_ATTRIBUTE,
     Kind.STATE, Kind.SIZE)
)  # fmt: skip
_STEPPED_OVER = frozenset((Kind.PARTICLE, Kind.POLITE, Kind.LIGHT))
_ACTING = frozenset((Kind.VERB, Kind.WEAK, Kind.SET, Kind.MORE, Kind.SIZE, Kind.VALUE))
_NAMING = frozenset((Kind.DEVICE, Kind.ROOM))
_SHORT = frozenset((Kind.SIZE, Kind.WEAK, Kind.UP, Kind.DOWN, Kind.TO))
_SIGNS = frozenset((Kind.CLAUSE_SIGN, Kind.SENTENCE_SIGN, Kind.EVENT))
_USUAL, _RARE = 3.0, 4.0
"""Surprise (nats) of a step below which it says nothing; the second and the sum have bounds of their own."""
_THINGS = frozenset((Kind.DEVICE, Kind.ANYTHING, Kind.SCENE))


class ConfidenceModel(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """Weights by feature name, and the confidence from which a reading is accepted."""

    threshold: float
    weights: dict[str, float]
    steps: dict[str, dict[str, float]]
    """How surprising (nats) it is that a kind of token follows another; None of it: `unseen`."""

    unseen: dict[str, float]

    @cached_property
    def surprises(self) -> tuple[dict[tuple[Kind, Kind], float], dict[Kind, float]]:
        """The same by `Kind`."""
        steps = {(Kind[a], Kind[b]): nats for a, row in self.steps.items() for b, nats in row.items()}
        return steps, {Kind[name]: nats for name, nats in self.unseen.items()}

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
    tokens: Sequence[Token],
    units: Sequence[Unit],
    assembly: Assembly,
    *,
    model: ConfidenceModel,
    repaired: bool = False,
) -> tuple[float, ...]:
    """The facts, in the order of `FEATURES`; `model` knows which steps are usual."""
    surprise = _surprise(tokens, model)
    of_assembly = _facts_of_assembly(tokens, units, assembly, repaired=repaired)
    return of_assembly + _facts_of_tokens(tokens, units, assembly, surprise)


def steps_of(tokens: Sequence[Token]) -> list[tuple[Kind, Kind]]:
    """Which kind follows which, softening words left out, with a break at either end."""
    kinds = [Kind.BREAK, *[token.kind for token in tokens if token.kind not in _STEPPED_OVER], Kind.BREAK]
    return list(zip(kinds, kinds[1:], strict=False))


def _facts_of_tokens(
    tokens: Sequence[Token], units: Sequence[Unit], assembly: Assembly, surprise: tuple[float, float]
) -> tuple[float, ...]:
    """How strange the row of tokens is, and what of it stands idle."""
    commands = assembly.commands
    nothing = not commands
    strangers = lone = by_thing = by_act = nouns = short = rooms = things = 0
    signed = False
    previous: Token | None = None
    for token in tokens:
        kind = token.kind
        if kind is Kind.OPEN:
            strangers += 1
            lone += len(token.text) == 1
            by_thing += previous is not None and previous.kind in _NAMING and previous.end == token.start
        else:
            if previous is not None and previous.kind is Kind.OPEN:
                by_thing += kind in _NAMING
                by_act += kind in _ACTING and previous.end == token.start
            nouns += kind is Kind.NOUN
            things += kind is Kind.DEVICE
            rooms += kind is Kind.ROOM and token.attribute == "open"
            short += kind in _SHORT and len(token.text) == 1
            signed = signed or kind in _SIGNS
        previous = token
    second, total = surprise
    return (
        float(rooms),
        min(strangers, 4) / 2,
        min(3.0, lone),
        min(3.0, by_thing),
        min(3.0, by_act),
        total / 3,
        max(second - _USUAL, 0.0),
        min(3.0, nouns),
        float(things > 0 and any([command.target.is_last for command in commands])),  # noqa: C419
        float(len({command.action.verb[:2] for command in commands}) > 2),
        float(signed and not nothing),
        float(bool(assembly.reasons) and not nothing),
        float(not nothing and any([not unit.acts and unit.groups for unit in units])),  # noqa: C419
        min(3.0, sum([1 for unit in units if unit.sign and unit.groups])),
        float(nothing and things > 0),
        min(3.0, short),
    )


def _surprise(tokens: Sequence[Token], model: ConfidenceModel) -> tuple[float, float]:
    """The second greatest surprise of a step, and how much all are beyond `_RARE`."""
    steps, unseen = model.surprises
    first = second = total = 0.0
    for step in steps_of(tokens):
        nats = steps.get(step)
        if nats is None:
            nats = unseen.get(step[0], _RARE)
        if nats > first:
            first, second = nats, first
        elif nats > second:
            second = nats
        if nats > _RARE:
            total += nats - _RARE
    return second, total


def _facts_of_assembly(
    tokens: Sequence[Token], units: Sequence[Unit], assembly: Assembly, *, repaired: bool
) -> tuple[float, ...]:
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
