"""Confidence of the local parser: a logistic regression on how well its mentions explain the sentence.

Weights and threshold are data (`data/confidence.json`), fitted on the readable training sentences by `python -m
bench.fit_confidence`, which hides part of the vocabulary to simulate unlisted words.
"""

import math
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import pairwise
from operator import mul

import msgspec

from tingdong.commands.assembling import Assembly
from tingdong.commands.parts import Unit
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.package_data import read_bytes

__all__ = ["FEATURES", "ConfidenceModel", "default_model", "features", "steps_of"]

_BREAK = Kind.BREAK

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
_STRANGER, _NAMES, _ACTS, _ACTION, _WEAK, _THING, _NOUN, _SHORT, _SIGN, _QUIET = (1 << bit for bit in range(10))
_FLAGGED = (
    (_STRANGER, (Kind.OPEN,)),
    (_NAMES, (Kind.DEVICE, Kind.ROOM)),
    (_ACTS, (Kind.VERB, Kind.WEAK, Kind.SET, Kind.MORE, Kind.SIZE, Kind.VALUE)),
    (_ACTION, _ACTIONS),
    (_WEAK, (Kind.WEAK,)),
    (_THING, (Kind.DEVICE, Kind.ANYTHING, Kind.SCENE)),
    (_NOUN, (Kind.NOUN,)),
    (_SHORT, (Kind.SIZE, Kind.WEAK, Kind.UP, Kind.DOWN, Kind.TO)),
    (_SIGN, (Kind.CLAUSE_SIGN, Kind.SENTENCE_SIGN, Kind.EVENT)),
    (_QUIET, _STEPPED_OVER),
)
_FLAGS = [sum(flag for flag, kinds in _FLAGGED if kind in kinds) for kind in range(max(Kind) + 1)]
"""By kind, what a token is to the facts."""

_USUAL, _RARE = 3.0, 4.0
"""Surprise (nats) of a step below which it says nothing; the second and the sum have bounds of their own."""


class ConfidenceModel(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """Weights by feature name, and the confidence from which a reading is accepted."""

    threshold: float
    weights: dict[str, float]
    steps: dict[str, dict[str, float]]
    """How surprising (nats) it is that a kind of token follows another; None of it: `unseen`."""

    unseen: dict[str, float]

    @cached_property
    def surprises(self) -> tuple[dict[int, float], dict[int, float]]:
        """The same by number: the first kind in the high byte, the second in the low one."""
        steps = {Kind[a] << 8 | Kind[b]: nats for a, row in self.steps.items() for b, nats in row.items()}
        return steps, {int(Kind[name]): nats for name, nats in self.unseen.items()}

    @cached_property
    def row(self) -> tuple[float, ...]:
        """The weights in the order of `FEATURES`."""
        return tuple(self.weights[name] for name in FEATURES)

    def probability(self, values: Sequence[float]) -> float:
        """P(the reading is right) in 0..1."""
        score = sum(map(mul, self.row, values))
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
    row = _read_row(tokens, model)
    return _facts_of_assembly(tokens, units, assembly, row, repaired=repaired) + _facts_of_row(row, units, assembly)


def steps_of(tokens: Sequence[Token]) -> list[tuple[Kind, Kind]]:
    """Which kind follows which, softening words left out, with a break at either end."""
    kinds = [_BREAK, *[token.kind for token in tokens if token.kind not in _STEPPED_OVER], _BREAK]
    return list(pairwise(kinds))


class _TokenCounts(msgspec.Struct, gc=False):
    """Counts of one pass over the tokens."""

    actions: int = 0
    weak: int = 0
    things: int = 0
    devices: int = 0
    strangers: int = 0
    lone: int = 0
    by_thing: int = 0
    by_act: int = 0
    nouns: int = 0
    short: int = 0
    rooms: int = 0
    signed: bool = False
    second: float = 0.0
    beyond: float = 0.0
    """How much all steps are beyond `_RARE`."""


def _read_row(tokens: Sequence[Token], model: ConfidenceModel) -> _TokenCounts:
    row = _TokenCounts()
    steps, unseen = model.surprises
    first = second = beyond = 0.0
    before, last, end = 0, int(_BREAK), -1
    for token in tokens:
        kind = token.kind
        flags = _FLAGS[kind]
        if flags & ~_QUIET:
            _count(row, token, flags, before if end == token.start else before & _STRANGER)
        before, end = flags, token.end
        if flags & _QUIET:
            continue
        nats = steps.get(last << 8 | kind)
        if nats is None:
            nats = unseen.get(last, _RARE)
        last = kind
        if nats > second:
            first, second = (nats, first) if nats > first else (first, nats)
            if nats > _RARE:
                beyond += nats - _RARE
        elif nats > _RARE:
            beyond += nats - _RARE
    nats = steps.get(last << 8 | _BREAK, unseen.get(last, _RARE))
    beyond += max(0.0, nats - _RARE)
    row.second = first if nats > first else max(second, nats)
    row.beyond = beyond
    return row


def _count(row: _TokenCounts, token: Token, flags: int, before: int) -> None:
    """One token of interest; `before`: the flags of the one that it touches."""
    if flags & _STRANGER:
        row.strangers += 1
        row.lone += len(token.text) == 1
        row.by_thing += bool(before & _NAMES)
        return
    if before & _STRANGER:
        row.by_thing += bool(flags & _NAMES)
        row.by_act += bool(flags & _ACTS)
    if flags & _ACTION:
        row.actions += 1
        row.weak += bool(flags & _WEAK)
    if flags & _THING:
        row.things += 1
        row.devices += bool(flags & _NAMES)
    elif flags & _NAMES:
        row.rooms += token.attribute == "open"
    row.nouns += bool(flags & _NOUN)
    row.short += bool(flags & _SHORT) and len(token.text) == 1
    row.signed = row.signed or bool(flags & _SIGN)


def _facts_of_row(row: _TokenCounts, units: Sequence[Unit], assembly: Assembly) -> tuple[float, ...]:
    """How strange the row of tokens is, and what of it stands idle."""
    commands = assembly.commands
    nothing = not commands
    return (
        float(row.rooms),
        min(row.strangers, 4) / 2,
        min(3.0, row.lone),
        min(3.0, row.by_thing),
        min(3.0, row.by_act),
        row.beyond / 3,
        max(row.second - _USUAL, 0.0),
        min(3.0, row.nouns),
        float(row.devices > 0 and any([command.target.is_last for command in commands])),  # noqa: C419
        float(len(commands) > 2 and len({command.action.verb[:2] for command in commands}) > 2),
        float(row.signed and not nothing),
        float(bool(assembly.reasons) and not nothing),
        float(not nothing and any([not unit.acts and unit.groups for unit in units])),  # noqa: C419
        min(3.0, sum([1 for unit in units if unit.sign and unit.groups])),
        float(nothing and row.devices > 0),
        min(3.0, row.short),
    )


def _facts_of_assembly(
    tokens: Sequence[Token], units: Sequence[Unit], assembly: Assembly, row: _TokenCounts, *, repaired: bool
) -> tuple[float, ...]:
    facts = assembly.facts
    noted = facts.get
    commands = len(assembly.commands)
    length = max(1, tokens[-1].end if tokens else 1)
    actions, weak, things = row.actions, row.weak, row.things
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
    targets = len({command.target for command in assembly.commands}) if things > 1 else commands
    reasons = assembly.reasons
    nothing = commands == 0
    idle = max(0, actions - commands)
    return (
        1.0,
        float(nothing),
        min(acting, 8) / 4 if not nothing else 0.0,
        min(beside, 12) / 8 if not nothing else 0.0,
        noted("ellipsis", 0.0),
        min(noted("carried_target", 0.0), 3.0),
        float("carried_room" in facts),
        min(noted("formed_name", 0.0), 3.0),
        min(noted("placed_name", 0.0), 3.0),
        min(noted("unresolved", 0.0), 3.0),
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
        min(noted("unused_things", 0.0), 3.0),
    )
