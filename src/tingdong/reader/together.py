"""Rules and learned reader as one reading tier: text in, `Reading` out, like the local parser alone.

Sentences that the rules are sure of never touch the network (`asked` counts those that do).
"""

from typing import Protocol

import msgspec

from tingdong.commands.local_parser import LocalParser
from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.reader.arbiter import ArbiterModel, Choice, Evidence, Source, choose, default_model
from tingdong.reader.guess import LearnedReader, shipped

__all__ = ["SentenceReader", "TogetherReader", "sentence_reader"]

TIER = "reader"
"""The tier's name where the network's commands were taken; where they are the rules' own it stays theirs."""


class SentenceReader(Protocol):
    """What reads a sentence at once."""

    def read(self, text: str, names: NameTable | None = None) -> Reading: ...


class TogetherReader:
    """The rules, and the network where they are not sure; thread-safe."""

    def __init__(self, rules: LocalParser, learned: LearnedReader, model: ArbiterModel | None = None) -> None:
        self._rules = rules
        self._learned = learned
        self._model = model or default_model()
        self.asked = 0

    def read(self, text: str, names: NameTable | None = None) -> Reading:
        """What the sentence asks for; never raises."""
        reading = self._rules.read(text, names)
        if reading.confidence >= self._model.sure:
            return reading
        evidence = self.evidence(reading, names)
        return reading if evidence is None else self._decide(evidence)

    def evidence(self, reading: Reading, names: NameTable | None = None) -> Evidence | None:
        """What the network says of the sentence; None where it cannot read it (empty, or too long)."""
        sitting = self._learned.open(reading.text, names)
        if sitting is None:
            return None
        self.asked += 1
        guess = sitting.guess()
        same = guess.commands == reading.commands
        score = guess.score if same else sitting.score(reading.commands)
        return Evidence(reading, guess, score, unread(reading))

    def _decide(self, evidence: Evidence) -> Reading:
        choice, reading = choose(evidence, self._model), evidence.reading
        sure = choice.lawful and choice.probability >= self._model.threshold
        confidence = choice.probability if choice.lawful else min(choice.probability, self._model.threshold / 2)
        return msgspec.structs.replace(
            reading,
            commands=choice.commands,
            confidence=round(confidence, 4),
            tier=TIER if choice.source is Source.GUESS else reading.tier,
            verdict=_verdict(choice, sure=sure),
            reason=_reason(choice, reading, sure=sure),
        )


def unread(reading: Reading) -> float:
    """The share of the sentence that no mention of the rules covers."""
    covered = sum(mention.end - mention.start for mention in reading.mentions)
    return 1 - min(covered / max(len(reading.text), 1), 1.0)


def sentence_reader(rules: LocalParser | None = None) -> SentenceReader:
    """Rules and network together; the rules alone where the network's weights are not installed."""
    parser = rules or LocalParser()
    learned = shipped()
    return parser if learned is None else TogetherReader(parser, learned)


def _verdict(choice: Choice, *, sure: bool) -> Verdict:
    if not sure:
        return Verdict.ABSTAIN
    return Verdict.ACCEPT if choice.commands else Verdict.REJECT


def _reason(choice: Choice, reading: Reading, *, sure: bool) -> str:
    if choice.commands:
        return "" if sure else "unsure"
    return reading.reason if not reading.commands else "no_request"
