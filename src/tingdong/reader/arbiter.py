"""Who is right, the rules or the learned reader: the laws first, then small logistics (commands.md, Order and
splitting).

Laws, whichever reads better: a time, condition or exclusion that one of them found is in the commands or nothing is
accepted, nor is an array without a room that the rules read, nor one that begins what the rules end; what the rules
hold to be refused, put off, taken back or meant for another service is never acted on because the network says so.
The weights are data (`data/arbiter.json`), fitted on sentences that neither had seen (`python -m bench.fit_arbiter`).
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import pairwise

import msgspec

from context_retrieval.models import LAST_NAME, Action, Command, DeviceType, Scope, Target
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind, Reading
from tingdong.commands.vetoes import Effect, Shown
from tingdong.reader.guess import Guess

__all__ = ["AGREED", "DIFFERED", "FINAL", "ArbiterModel", "Arbitration", "BothReadings", "choose", "default_model"]

_BOTH = ("bias", "rules", "guess", "worst", "fits", "unread", "repaired", "delicate", "several", "named", "missed")
AGREED = (*_BOTH, "nothing")
DIFFERED = (*_BOTH, "margin", "rules_nothing", "guess_nothing", "same_acts", "same_places", "longer", "guess_missed")
"""Facts of each logistic, in order: where both read the same, and where they differ."""

_LEAST = -12.0
_HALF = math.log(0.5)
_MISSED = 3
_UNNAMED = ("*", LAST_NAME)
FINAL = frozenset(
    ("negated", "cancelled", "when_not_expressible", "not_addressed", "other_domain", "happened", "too_long", "empty")
)
"""Reasons of the rules for reading nothing that the network never overrules."""


class Source(StrEnum):
    """The reader whose commands were chosen."""

    BOTH = "both"
    RULES = "rules"
    GUESS = "guess"


class BothReadings(msgspec.Struct, frozen=True):
    """What both say of one sentence.

    `score` is log P of the rules' array by the network, None where pointing into the sentence cannot say it. `acts`:
    whether a mention of the rules says what to do; `unread`: the share of the signs that no mention covers; `repaired`:
    whether a slip was put right before both read it; `delicate`: whether something is refused, left out, put right or
    taken back; `missed`: how many words of the sentence each of the two leaves unexplained; `at_home`: whether it was
    said to a home, in a dialogue; `shown`: what no array may lose.
    """

    reading: Reading
    guess: Guess
    score: float | None
    acts: bool = True
    unread: float = 0.0
    repaired: bool = False
    delicate: bool = False
    missed: tuple[int, int] = (0, 0)
    at_home: bool = False
    shown: Shown = Shown()

    @property
    def agree(self) -> bool:
        """Whether rules and network give the same commands."""
        return self.reading.commands == self.guess.commands

    def facts(self) -> tuple[float, ...]:
        """The facts in the order of `AGREED` or `DIFFERED`."""
        rules, guess = self.reading.commands, self.guess
        confidence = min(max(self.reading.confidence, 1e-3), 1 - 1e-3)
        logit = math.log(confidence / (1 - confidence)) / 2
        best, worst, fits = _sure(guess.score), _sure(_log(guess.worst)), _sure(_log(guess.fits))
        named = any(
            c.target.type is DeviceType.UNKNOWN and c.target.name not in _UNNAMED for c in (*rules, *guess.commands)
        )
        several = min(max(len(rules), len(guess.commands)), 4) - 1 if rules or guess.commands else 0
        both = (1.0, logit, best, worst, fits, self.unread, float(self.repaired), float(self.delicate),
                float(several), float(named), float(min(self.missed[0], _MISSED)))  # fmt: skip
        if self.agree:
            return (*both, float(not rules))
        score = _LEAST if self.score is None else max(self.score, _LEAST)
        acts, places = ([part(c) for c in rules] == [part(c) for c in guess.commands] for part in (_act, _place))
        longer = (len(guess.commands) > len(rules)) - (len(guess.commands) < len(rules))
        margin = (max(guess.score, _LEAST) - score) / 4
        return (*both, margin, float(not rules), float(not guess.commands), float(acts), float(places), float(longer),
                float(min(self.missed[1], _MISSED)))  # fmt: skip


def _sure(score: float) -> float:
    """How sure log P is, as the order of magnitude by which it falls short of certainty."""
    return -math.log(0.02 - score) / 2


def _log(chance: float) -> float:
    return math.log(max(chance, 1e-5))


def _act(command: Command) -> Action:
    return command.action


def _place(command: Command) -> Scope:
    return command.scope


class ArbiterModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by fact. `threshold`: the least probability that is accepted. `sure`: the confidence of the rules from
    which the network is not asked, and the same in a dialogue at home. `dismiss` and `make`: what the network needs to
    find nothing asked where the rules do, and to find something where they do not; `make_at_home`: the same in a
    dialogue, which judges by itself what is merely told. `least`: commands less likely right than this are not given,
    except in a dialogue at home, which knows what they are about.
    """

    threshold: float
    sure: float
    sure_at_home: float
    dismiss: float
    make: float
    agreed: dict[str, float]
    rules: dict[str, float]
    guess: dict[str, float]
    least: float = 0.0
    make_at_home: float | None = None


class Arbitration(msgspec.Struct, frozen=True):
    """The commands taken, from whom, and P(they are right). `lawful` is False where a law forbids to accept them;
    `reason` is that of the veto they fell under."""

    commands: tuple[Command, ...]
    source: Source
    probability: float
    lawful: bool = True
    reason: str = ""


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


def choose(evidence: BothReadings, model: ArbiterModel) -> Arbitration:
    """Whose commands to take, as far as no veto takes them away.

    What the network reads in place of rules that fall under a veto is given, and never accepted.
    """
    choice = _likelier(evidence, model)
    veto = evidence.shown.veto(choice.commands)
    if veto is None:
        return choice
    guess = evidence.guess.commands
    if choice.source is Source.RULES and guess and evidence.shown.veto(guess) is None:
        of_guess = probability(model.guess, DIFFERED, evidence.facts())
        return Arbitration(guess, Source.GUESS, of_guess, lawful=False)
    left = () if veto.effect is Effect.ABSTAIN else choice.commands
    return Arbitration(left, choice.source, choice.probability, lawful=False, reason=veto.reason)


def _likelier(evidence: BothReadings, model: ArbiterModel) -> Arbitration:
    rules, guess, facts = evidence.reading.commands, evidence.guess.commands, evidence.facts()
    if evidence.agree:
        return Arbitration(rules, Source.BOTH, probability(model.agreed, AGREED, facts))
    of_rules = probability(model.rules, DIFFERED, facts)
    of_guess = probability(model.guess, DIFFERED, facts)
    against = turns(guess, rules) or evidence.shown.veto(guess) is not None
    if not against and of_guess > of_rules and may_overrule(evidence, of_guess, model):
        return Arbitration(guess, Source.GUESS, of_guess, keeps(guess, rules) and not widens(guess, rules))
    if against or (rules and guess and evidence.score is None):
        of_rules = max(of_rules, model.least)  # the network is wrong, or could not have said it
    return Arbitration(rules, Source.RULES, of_rules, not against and (keeps(rules, guess) or not rules))


def may_overrule(evidence: BothReadings, sure: float, model: ArbiterModel) -> bool:
    """Whether the network's array, right with the probability `sure`, may stand in place of the rules'.

    Not where the rules say what the network has no symbols for, nor without a room of theirs where the network holds
    its own array for less likely than not, nor with a thing taken out of the room said right before it. Where one
    alone finds nothing asked the network has to be sure; it cannot dismiss what only points back, nor anything in a
    dialogue (空调什么时候开 is answered there). And no commands come of a sentence that the rules hold to be refused,
    put off or taken back, nor, in a dialogue, of one in which nothing says what to do (客厅的, 第二个 are answers); a
    question about a state does nothing, so it needs no more than a dismissal.
    """
    rules, guess = evidence.reading.commands, evidence.guess.commands
    if rules and guess:
        doubted = evidence.guess.score < _HALF and widens(guess, rules)
        return evidence.score is not None and not doubted and not moves(guess, evidence.reading)
    if rules:
        return sure >= model.dismiss and not evidence.at_home and not all(c.target.is_last for c in rules)
    if evidence.reading.reason in FINAL:
        return False
    if not evidence.at_home and all(command.action.verb.startswith("查询") for command in guess):
        return sure >= model.dismiss
    if not evidence.at_home:
        return sure >= model.make
    return evidence.acts and sure >= (model.make if model.make_at_home is None else model.make_at_home)


def keeps(chosen: Sequence[Command], other: Sequence[Command]) -> bool:
    """Whether every time, condition and exclusion that `other` found is in `chosen` as well."""
    if not other:
        return not chosen
    whens, found = ({c.action.when for c in some if c.action.when} for some in (chosen, other))
    mine, theirs = ({name for c in some for name in (*c.scope.exclude, *c.target.excluded)} for some in (chosen, other))
    return found <= whens and theirs <= mine


def widens(chosen: Sequence[Command], other: Sequence[Command]) -> bool:
    """Whether a command of `chosen` leaves out a room to which `other` confines it (all of them: the whole home).

    Where they do not have as many commands: whether one is for the whole home while a room of `other` is in none.
    """
    if len(chosen) != len(other):
        said, found = ({room for command in some for room in command.scope.include} for some in (other, chosen))
        return bool(said - found) and any(map(_everywhere, chosen))
    return any(
        set(one.scope.include) < set(confined.scope.include) and not (one.scope.here or one.target.is_last)
        for one, confined in zip(chosen, other, strict=True)
    )


def turns(chosen: Sequence[Command], other: Sequence[Command]) -> bool:
    """Whether `chosen` begins a thing that `other` only ends, or ends one that it only begins."""
    for one in chosen:
        same = [_way(c.action.verb) for c in other if _is_same(one.target, c.target)]
        way = _way(one.action.verb)
        if way and -way in same and way not in same:
            return True
    return False


def _way(verb: str) -> int:
    """1 for what begins something, -1 for what ends it, 0 for all else."""
    return (verb in verb_table().beginning) - (verb in verb_table().ending)


def _is_same(one: Target, other: Target) -> bool:
    """Whether both are one thing; a name may hold the other (午茶模式, 下午茶模式)."""
    return one.type is other.type and (one.name in other.name or other.name in one.name)


def moves(guess: Sequence[Command], reading: Reading) -> bool:
    """Whether the network puts a thing into a room said elsewhere, though another one is said right before the thing
    (除了厨房的灯都打开，卧室空调调到24度: the air conditioner is the bedroom's).
    """
    if len(guess) != len(reading.commands):
        return False
    own = {
        reading.text[room.start : room.end]
        for room, thing in pairwise(reading.mentions)
        if room.kind is MentionKind.ROOM and thing.kind is MentionKind.DEVICE and room.end == thing.start
    }
    for mine, theirs in zip(reading.commands, guess, strict=True):
        others = theirs.scope.include
        for room in own.intersection(mine.scope.include) if others else ():
            if not any(room in other or other in room for other in others):
                return True
    return False


def _everywhere(command: Command) -> bool:
    return not (command.scope.include or command.scope.here or command.target.is_last)
