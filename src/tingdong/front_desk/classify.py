"""Which agent a piece of text belongs to: rules over signals, with scores (hospital.md, Class).

The rules are the domain's table; a rule holds when all of its `all`, one of its `any` and none of its `none` signals
lie in the piece. Every agent gets the score of its best rule; the highest wins, ties by the order of classes
(hospital.md, Class).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import UNKNOWN_AGENT, AgentCandidate, Layer
from tingdong.front_desk.spotting import Spotter
from tingdong.learned.statistics import LinearModel, ngrams

_KEPT = 4096
"""Masks whose agents are kept."""


class FittingAgents(Struct, frozen=True):
    """Agents that fit a piece, best first; empty when no rule holds."""

    candidates: tuple[AgentCandidate, ...]

    @property
    def agent_code(self) -> str:
        """The best agent, or `unknown`."""
        return self.candidates[0].agent_code if self.candidates else UNKNOWN_AGENT

    @property
    def score(self) -> float:
        """Score of the best agent, 0 when there is none."""
        return self.candidates[0].score if self.candidates else 0.0


NOTHING = FittingAgents(())


class ClassDecision(FittingAgents, frozen=True):
    """A verdict, and the layer that reached it."""

    layer: Layer = Layer.RULE


class RuleClassifier:
    """The class rules of a domain, compiled to bit masks."""

    def __init__(self, spotter: Spotter) -> None:
        self._domain: Domain = spotter.domain
        self._rules = [
            (rule.agent, rule.score, spotter.bits(rule.all), spotter.bits(rule.any), spotter.bits(rule.none))
            for rule in sorted(spotter.domain.rules, key=lambda rule: -rule.score)
        ]
        self.classify: Callable[[int], FittingAgents] = lru_cache(_KEPT)(self._classified)
        """Agents for a piece whose signals are a mask."""

    def _classified(self, mask: int) -> FittingAgents:
        scores: dict[str, float] = {}
        for agent, score, needed, any_of, none_of in self._rules:
            if agent in scores or mask & needed != needed or mask & none_of or (any_of and not mask & any_of):
                continue
            scores[agent] = score
        if not scores:
            return NOTHING
        ranked = sorted(scores.items(), key=lambda item: (-item[1], self._domain.rank(item[0])))
        return FittingAgents(tuple(AgentCandidate(agent, score) for agent, score in ranked))


class Classifier:
    """Rules first; where they are not sure, the local model, which sees what the rules saw.

    Rules are sure when the best score reaches `SURE` and no other agent comes within `MARGIN` of it.
    """

    SURE = 0.9
    MARGIN = 0.25

    def __init__(self, spotter: Spotter, model: LinearModel | None) -> None:
        self._spotter = spotter
        self._rules = RuleClassifier(spotter)
        known = {*spotter.domain.agents, UNKNOWN_AGENT}
        self._model = model if model is not None and len(known & {*model.labels}) > 1 else None
        self._known = known

    def rules(self, mask: int) -> FittingAgents:
        """What the rules alone make of a piece whose signals are `mask`."""
        return self._rules.classify(mask)

    def features(self, text: str, mask: int) -> set[str]:
        """What the local model sees of a piece: its n-grams, its signals, and what the rules make of them."""
        return features_of(text, self._spotter.signals(mask), self._rules.classify(mask))

    def classify(self, text: str, mask: int) -> ClassDecision:
        """The agent of a piece of folded text whose signals are `mask`."""
        verdict = self._rules.classify(mask)
        if self._model is None or self._sure(verdict) or self._unheard_of(verdict):
            return ClassDecision(verdict.candidates, Layer.RULE)
        weighed = self._model.probabilities(features_of(text, self._spotter.signals(mask), verdict))
        scores = {agent: score for agent, score in weighed.items() if agent in self._known}
        ranked = sorted(scores.items(), key=lambda item: -item[1])[:3]
        candidates = tuple(AgentCandidate(agent, round(score, 3)) for agent, score in ranked)
        if verdict.candidates and verdict.agent_code == candidates[0].agent_code:
            surest = AgentCandidate(verdict.agent_code, max(verdict.score, candidates[0].score))
            return ClassDecision((surest, *candidates[1:]), Layer.RULE)
        return ClassDecision(candidates, Layer.MODEL)

    def _unheard_of(self, verdict: FittingAgents) -> bool:
        """An agent added to the domain after the model was trained: only the rules can know it."""
        return self._model is not None and verdict.agent_code not in self._model.labels

    def _sure(self, verdict: FittingAgents) -> bool:
        candidates = verdict.candidates
        if not candidates or candidates[0].score < self.SURE:
            return False
        return len(candidates) == 1 or candidates[0].score - candidates[1].score >= self.MARGIN


def features_of(text: str, signals: tuple[str, ...], verdict: FittingAgents) -> set[str]:
    """Features of a piece for the local model (`statistics`)."""
    features = ngrams(text)
    features.update("@" + signal for signal in signals)
    features.update("#" + candidate.agent_code for candidate in verdict.candidates)
    features.add("#!" + verdict.agent_code)
    return features
