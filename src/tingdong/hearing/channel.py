"""The channel model: which characters can be recognised as which, and at what cost.

Costs are natural logarithms of probabilities, the same for every speaker (docs/hearing.md, A noisy channel).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from tingdong.hearing.signs import symbol
from zhtext.sound import confused, readings

__all__ = ["DOUBLED", "LOST", "SoundCandidate", "Sounds"]

SAME = 4.0
"""Another character of the same syllable."""
TONE = 0.5
"""The tone differs too."""
CONFUSED = 1.0
"""The syllable is one that accents confuse with it."""
RARE = 1.0
"""The character is seldom read so."""
DOUBLED = 4.0
"""A character came twice."""
LOST = 6.0
"""A character was lost."""


class SoundCandidate(NamedTuple):
    """A possible spoken character, its symbol in the language model, and the cost of recognising another one."""

    character: str
    sign: str
    cost: float


class Sounds:
    """The characters that people use, by how they sound; `beside` are others that are known already."""

    def __init__(self, characters: Iterable[str], beside: "Sounds | None" = None) -> None:
        self._beside = beside
        self._by_syllable: dict[str, list[tuple[str, str, float]]] = {}
        for character in characters:
            for rank, (syllable, tone) in enumerate(_readings(character)):
                heard = (character, tone, RARE * (rank > 0))
                self._by_syllable.setdefault(syllable, []).append(heard)
        self._found: dict[str, tuple[SoundCandidate, ...]] = {}
        self._numbers: dict[str, dict[str, list[int]]] = {}

    def candidates(self, heard: str) -> tuple[SoundCandidate, ...]:
        """Characters that may have been spoken instead of this one, without itself."""
        found = self._found.get(heard)
        if found is None:
            found = self._found[heard] = self._near(heard)
        return found

    def numbers(self, heard: str) -> dict[str, list[int]]:
        """The places of the candidates by what they count as."""
        if self._beside is not None and not self._by_syllable:
            return self._beside.numbers(heard)
        found = self._numbers.get(heard)
        if found is None:
            found = self._numbers[heard] = {}
            for number, one in enumerate(self.candidates(heard)):
                found.setdefault(one.sign, []).append(number)
        return found

    def _near(self, heard: str) -> tuple[SoundCandidate, ...]:
        known = self._beside.candidates(heard) if self._beside is not None else ()
        if not self._by_syllable:
            return known
        costs: dict[str, float] = {}
        for rank, (syllable, tone) in enumerate(_readings(heard)):
            for other in (syllable, *confused(syllable)):
                cost = SAME + 2 * RARE * (rank > 0) + CONFUSED * (other != syllable)
                for character, its_tone, rare in self._by_syllable.get(other, ()):
                    whole = cost + rare + TONE * (its_tone != tone)
                    if whole < costs.get(character, 99.0):
                        costs[character] = whole
        costs.pop(heard, None)
        return (*known, *(SoundCandidate(one, symbol(one), cost) for one, cost in sorted(costs.items())))


@lru_cache(maxsize=8192)
def _readings(character: str) -> tuple[tuple[str, str], ...]:
    """Syllables and tones of a character; none where it is no Chinese one."""
    return tuple(
        (one[:-1], one[-1]) for one in readings(character) if one.isascii() and one[-1:].isdigit() and one[:-1]
    )
