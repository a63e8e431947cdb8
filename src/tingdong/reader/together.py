"""Rules and learned reader as one reading tier: text in, `Reading` out, like the local parser alone.

Sentences that the rules are sure of never touch the network (`asked` counts those that do).
"""

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from context_retrieval.models import DeviceType
from tingdong.commands.local_parser import LocalParser
from tingdong.commands.preparing import Prepared
from tingdong.commands.reading import MentionKind, NameTable, Reading, Verdict
from tingdong.commands.vetoes import Shown
from tingdong.reader.arbiter import FINAL, ArbiterModel, Arbitration, BothReadings, Source, choose, default_model

if TYPE_CHECKING:
    from tingdong.reader.learned import LearnedReader, Sitting

__all__ = ["AloneReader", "SentenceReader", "TogetherReader", "all_readers", "sentence_reader"]

WEIGHTS = Path(__file__).parent / "data" / "reader.bin"
HALF = 0.5
_ENDING = "，。！？、；,.!?;~… "
_DELICATE = frozenset((MentionKind.NEGATION, MentionKind.EXCEPT, MentionKind.CORRECTION, MentionKind.CANCEL))
_UNREADABLE = frozenset(("too_long", "empty"))
TIER = "reader"
"""The tier's name where the network's commands were taken; where they are the rules' own it stays theirs."""


class SentenceReader(Protocol):
    """A reader that answers without waiting: text in, `Reading` out."""

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:
        """The reading of one sentence; `names` are those of a home, `alternatives` what else a recogniser offers."""


class TogetherReader:
    """The rules, and the network where they are not sure; thread-safe."""

    def __init__(
        self, rules: LocalParser, learned: "LearnedReader | None" = None, model: ArbiterModel | None = None
    ) -> None:
        self._rules = rules
        self._given = learned
        self._model = model or default_model()
        self.asked = 0

    @cached_property
    def _learned(self) -> "LearnedReader | None":
        """The network, loaded (and numpy with it) by the first sentence that needs it."""
        if self._given is not None:
            return self._given
        from tingdong.reader.learned import shipped

        return shipped()

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:
        """What the sentence asks for; never raises. `alternatives` are what else a recogniser offers."""
        reading, shown, said = self._rules.draft(text, names, alternatives)
        if any(one.text == reading.text for one in reading.perhaps):  # nobody else says whether it was said
            return reading
        at_home = names is not None
        least = self._model.sure_at_home if at_home else self._model.sure
        if shown.veto(reading.commands) is None and is_sure(reading, least, at_home=at_home):
            return reading
        evidence = self.evidence(reading, names, shown, said)
        return self._rules.vetoed(reading, shown) if evidence is None else self._decide(evidence)

    def evidence(
        self,
        reading: Reading,
        names: NameTable | None = None,
        shown: Shown | None = None,
        said: Prepared | None = None,
    ) -> BothReadings | None:
        """What the network says of the sentence, of which `shown` may not be lost; None where it cannot read it (empty,
        or too long). `said`: the sentence as the rules read it."""
        sitting = None
        if self._learned is not None and reading.reason not in _UNREADABLE:
            sitting = self._learned.open(reading.text, names) if said is None else self._learned.before(said)
        if sitting is None:
            return None
        self.asked += 1
        found = weighed(
            sitting,
            reading,
            acts_in(reading),
            unread_share(reading),
            delicate=is_delicate(reading),
            at_home=names is not None,
        )
        return found if shown is None else msgspec.structs.replace(found, shown=shown)

    def _decide(self, evidence: BothReadings) -> Reading:
        choice, reading = choose(evidence, self._model), evidence.reading
        if choice.commands and choice.probability < self._model.least and not evidence.at_home:
            unsure = round(choice.probability, 4)
            return msgspec.structs.replace(
                reading, commands=(), confidence=unsure, verdict=Verdict.ABSTAIN, reason="unsure"
            )
        sure = choice.lawful and choice.probability >= self._model.threshold
        confidence = choice.probability if choice.lawful else min(choice.probability, self._model.threshold / 2)
        return msgspec.structs.replace(
            reading,
            commands=choice.commands,
            confidence=round(confidence, 4),
            tier=TIER if choice.source is Source.GUESS else reading.tier,
            verdict=_verdict(choice, sure=sure),
            reason=choice.reason or _reason(choice, reading, sure=sure),
        )


def is_sure(reading: Reading, least: float, *, at_home: bool = False) -> bool:
    """Whether the rules need nobody beside them.

    They are confident, every character is of a mention, it is one command about a known kind of thing in one room at
    most, and nothing is refused, left out, put right or pointed back at, which is where they err. In a dialogue at home
    several commands and pointing back will do, and so will what the network cannot overrule.
    """
    if not reading.commands:
        return at_home and (reading.reason in FINAL or not acts_in(reading))
    delicate = _DELICATE if at_home else _DELICATE | {MentionKind.REFERENCE}
    if reading.confidence < least or any(mention.kind in delicate for mention in reading.mentions):
        return False
    return (at_home or is_plain(reading)) and not loses_value(reading) and not unread(reading, punctuation=not at_home)


def loses_value(reading: Reading) -> bool:
    """Whether the sentence ends with a value that no command has; elsewhere a figure may be part of a name."""
    last = reading.mentions[-1] if reading.mentions else None
    if last is None or last.kind is not MentionKind.VALUE or reading.text[last.end :].strip(_ENDING):
        return False
    return not any((command.action.value or "").startswith(last.value) for command in reading.commands)


def is_plain(reading: Reading) -> bool:
    """Whether it is one command about a known kind of thing, in one room at most."""
    rooms = sum(mention.kind is MentionKind.ROOM for mention in reading.mentions)
    return len(reading.commands) == 1 and rooms <= 1 and reading.commands[0].target.type is not DeviceType.UNKNOWN


def weighed(
    sitting: "Sitting", reading: Reading, acts: bool, unread: float, *, delicate: bool, at_home: bool = False
) -> BothReadings:
    """What rules and network make of a sentence that lies before the network."""
    guess, score = sitting.guess, sitting.score(reading.commands)
    missed = sitting.unexplained(reading.commands)
    by_guess = missed if guess.commands == reading.commands else sitting.unexplained(guess.commands)
    repaired = reading.repaired and not at_home  # where names are known, what is repaired is what was said
    return BothReadings(reading, guess, score, acts, unread, repaired, delicate, (missed, by_guess), at_home)


def is_delicate(reading: Reading) -> bool:
    """Whether something is refused, left out, put right or taken back, which is where rules err."""
    return any(mention.kind in _DELICATE for mention in reading.mentions)


def unread_share(reading: Reading) -> float:
    """The share of letters and figures that are of no mention."""
    covered = {at for mention in reading.mentions for at in range(mention.start, mention.end)}
    signs = [at for at, sign in enumerate(reading.text) if sign.isalnum()]
    return sum(at not in covered for at in signs) / len(signs) if signs else 0.0


def acts_in(reading: Reading) -> bool:
    """Whether a mention says what to do."""
    return any(mention.kind is MentionKind.ACTION for mention in reading.mentions)


def unread(reading: Reading, *, punctuation: bool) -> bool:
    """Whether a character is of no mention; `punctuation` counts as such but at the end and after the name called."""
    at, text = 0, reading.text.rstrip(_ENDING)
    for mention in reading.mentions:
        if _unread(text[at : mention.start], punctuation=punctuation):
            return True
        at = max(at, mention.end)
        if mention.kind is MentionKind.WAKE:
            at += len(text[at:]) - len(text[at:].lstrip(_ENDING))
    return _unread(text[at:], punctuation=punctuation)


def _unread(text: str, *, punctuation: bool) -> bool:
    return bool(text) and (punctuation or any(character.isalnum() for character in text))


def sentence_reader(rules: LocalParser | None = None) -> SentenceReader:
    """Rules and network together; the rules alone where the network's weights are not installed."""
    parser = rules or LocalParser()
    return TogetherReader(parser) if WEIGHTS.exists() else parser


class AloneReader:
    """The network by itself, to be measured: it is confident as far as its row is probable."""

    def __init__(self, learned: "LearnedReader") -> None:
        self._learned = learned

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:  # noqa: ARG002
        """Its guess of the first text; `ABSTAIN` where it cannot read the sentence."""
        sitting = self._learned.open(text, names)
        if sitting is None:
            return Reading(text, tier=TIER)
        guess = sitting.guess
        verdict = Verdict.ACCEPT if guess.commands else Verdict.REJECT
        probability = math.exp(guess.score)
        return Reading(text, guess.commands, probability, TIER, verdict if probability >= HALF else Verdict.ABSTAIN)


def all_readers() -> dict[str, SentenceReader]:
    """Every way to read, the shipped one first: `together`, `rules`, `reader`; without weights the rules alone."""
    from tingdong.reader.learned import shipped

    rules, learned = LocalParser(), shipped()
    if learned is None:
        return {"rules": rules}
    return {"together": TogetherReader(rules, learned), "rules": rules, "reader": AloneReader(learned)}


def _verdict(choice: Arbitration, *, sure: bool) -> Verdict:
    if not sure:
        return Verdict.ABSTAIN
    return Verdict.ACCEPT if choice.commands else Verdict.REJECT


def _reason(choice: Arbitration, reading: Reading, *, sure: bool) -> str:
    if choice.commands:
        return "" if sure else "unsure"
    return reading.reason if not reading.commands else "no_request"
