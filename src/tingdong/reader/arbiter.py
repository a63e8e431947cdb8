"""Who is right, the rules or the learned reader: the laws first, then small logistics (seed 000; spec, Splitting).

Laws, whichever reads better: a time, condition or exclusion that one of them found is in the commands or nothing is
accepted; what the rules hold to be refused, put off, told or asked is never acted on because the network says so.
The weights are data (`data/arbiter.json`), fitted on sentences that neither had seen (`python -m bench.fit_arbiter`).
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib import resources

import msgspec

from context_retrieval.models import Command
from tingdong.commands.reading import Reading
from tingdong.reader.guess import Guess

__all__ = ["AGREED", "DIFFERED", "FINAL", "ArbiterModel", "Choice", "Evidence", "choose", "default_model"]

AGREED = ("bias", "rules", "guess", "worst")
DIFFERED = (*AGREED, "margin", "rules_nothing", "guess_nothing")
"""Facts of each logistic, in order: where both read the same, and where they differ."""

_LEAST = -12.0
FINAL = frozenset(
    ("negated", "cancelled", "when_not_expressible", "not_addressed", "other_domain", "too_long", "empty")
)
"""Reasons of the rules for reading nothing that the network never overrules."""


class Source(StrEnum):
    """Whose commands were chosen."""

    BOTH = "both"
    RULES = "rules"
    GUESS = "guess"


class Evidence(msgspec.Struct, frozen=True):
    """What both say of one sentence.

    `score` is log P of the rules' array by the network, None where pointing into the sentence cannot say it; `acts`
    whether a mention of the rules says what to do, `at_home` whether it was said to a home, in a dialogue.
    """

    reading: Reading
    guess: Guess
    score: float | None
    acts: bool = True
    at_home: bool = False

    @property
    def agree(self) -> bool:
        return self.reading.commands == self.guess.commands

    def facts(self) -> tuple[float, ...]:
        """The facts in the order of `AGREED` or `DIFFERED`."""
        rules, guess = self.reading.commands, self.guess
        confidence = min(max(self.reading.confidence, 1e-3), 1 - 1e-3)
        logit = math.log(confidence / (1 - confidence)) / 2
        best, worst = max(guess.score, _LEAST), math.log(max(guess.worst, 1e-5))
        if self.agree:
            return (1.0, logit, best, worst)
        score = _LEAST if self.score is None else max(self.score, _LEAST)
        return (1.0, logit, best, worst, (best - score) / 4, float(not rules), float(not guess.commands))


class ArbiterModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by fact. `threshold`: the least probability that is accepted. `sure`: the confidence of the rules from
    which the network is not asked, and the same in a dialogue at home. `overrule`: what the network needs where one of
    the two finds nothing asked.
    """

    threshold: float
    sure: float
    sure_at_home: float
    overrule: float
    agreed: dict[str, float]
    rules: dict[str, float]
    guess: dict[str, float]


class Choice(msgspec.Struct, frozen=True):
    """The commands taken, from whom, and P(they are right). `lawful` is False where a law forbids to accept them."""

    commands: tuple[Command, ...]
    source: Source
    probability: float
    lawful: bool = True


@cache
def default_model() -> ArbiterModel:
    """The shipped weights. Raises `ValueError` when a fact has none."""
    text = resources.files("tingdong.reader").joinpath("data", "arbiter.json").read_bytes()
    model = msgspec.json.decode(text, type=ArbiterModel)
    for name, facts in (("agreed", AGREED), ("rules", DIFFERED), ("guess", DIFFERED)):
        if set(getattr(model, name)) != set(facts):
            raise ValueError(f"arbiter.json: {name}: expected exactly {', '.join(facts)}")
    return model


def probability(weights: dict[str, float], names: Sequence[str], facts: Sequence[float]) -> float:
    """The logistic of the facts."""
    total = sum(weights[name] * fact for name, fact in zip(names, facts, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def choose(evidence: Evidence, model: ArbiterModel) -> Choice:
    """Whose commands to take."""
    rules, guess, facts = evidence.reading.commands, evidence.guess.commands, evidence.facts()
    if evidence.agree:
        return Choice(rules, Source.BOTH, probability(model.agreed, AGREED, facts))
    of_rules = probability(model.rules, DIFFERED, facts)
    of_guess = probability(model.guess, DIFFERED, facts)
    if of_guess > of_rules and may_overrule(evidence, of_guess >= model.overrule):
        return Choice(guess, Source.GUESS, of_guess, keeps(guess, rules))
    return Choice(rules, Source.RULES, of_rules, keeps(rules, guess) or not rules)


def may_overrule(evidence: Evidence, sure: bool) -> bool:
    """Whether the network's array may stand in place of the rules'.

    Not where the rules say what the network has no symbols for. Where one alone finds nothing asked the network has to
    be `sure`; it cannot dismiss what only points back, nor anything in a dialogue (空调什么时候开 is answered there).
    And no commands come of a sentence that the rules hold to be refused, put off or taken back, or in which nothing
    says what to do (客厅的, 第二个 are answers, which the dialogue reads).
    """
    if evidence.reading.commands and evidence.guess.commands:
        return evidence.score is not None
    if evidence.reading.commands:
        return sure and not evidence.at_home and not all(c.target.is_last for c in evidence.reading.commands)
    return sure and evidence.acts and evidence.reading.reason not in FINAL


def keeps(chosen: Sequence[Command], other: Sequence[Command]) -> bool:
    """Whether every time, condition and exclusion that `other` found is in `chosen` as well."""
    if not other:
        return not chosen
    whens, found = ({c.action.when for c in some if c.action.when} for some in (chosen, other))
    mine, theirs = ({name for c in some for name in (*c.scope.exclude, *c.target.excluded)} for some in (chosen, other))
    return found <= whens and theirs <= mine
