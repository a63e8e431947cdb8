"""Sentences read by the one-pass network, without what a veto takes away (decision 0010, (c)).

The rules give the sentence as it was heard and what it shows that no reading may lose; their commands are not used.
"""

import math
from pathlib import Path

import msgspec

from bench.onepass.learned import Guess, LearnedReader
from bench.onepass.weights import Trained, load
from context_retrieval.models import Command
from tingdong.commands import LocalParser
from tingdong.commands.reading import Reading, Verdict
from tingdong.commands.vetoes import Effect

__all__ = ["DATA", "OnePassReader", "Read"]

DATA = Path(__file__).parent / "data"


class Read(msgspec.Struct, frozen=True):
    """`guess`: what the network reads; `commands`: what is left of it; `veto`: the reason of the veto it falls under;
    `rules`: log P that the network gives the rules' commands (None where they cannot be said by pointing).
    """

    guess: Guess
    commands: tuple[Command, ...]
    veto: str
    rules: float | None


class OnePassReader:
    """Reads sentences by the network; thread-safe. Raises `OSError` where there are no weights."""

    def __init__(self, trained: Trained | None = None) -> None:
        self._learned = LearnedReader(trained or load(DATA))
        self._rules = LocalParser()

    def look(self, text: str) -> Read | None:
        """What the network makes of a sentence; None where it is empty or too long."""
        reading, shown, _ = self._rules.draft(text)
        sitting = self._learned.open(reading.text)
        if sitting is None:
            return None
        guess = sitting.guess
        veto = shown.veto(guess.commands)
        left = () if veto is not None and veto.effect is Effect.ABSTAIN else guess.commands
        return Read(guess, left, veto.reason if veto is not None else "", sitting.score(reading.commands))

    def read(self, text: str) -> Reading:
        """The same as a reading; nothing is accepted, because no confidence is fitted to this network."""
        found = self.look(text)
        if found is None:
            return Reading(text, tier="onepass")
        return Reading(text, found.commands, math.exp(found.guess.score), "onepass", Verdict.ABSTAIN, found.veto)
