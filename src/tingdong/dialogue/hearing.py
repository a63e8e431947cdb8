"""Words that are not written but sound so: typos and transcripts (胡吸困难, 小化内科; seed 003 §3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from tingdong.dialogue.lexicon import Hit
from zhtext.sound import readings, sound_key, syllables

_LEAST_PHRASE = 4
"""Characters from which on a phrase is also known by its sound; shorter ones have too many homophones."""
_LEAST_NAME = 2
"""Characters from which on a name is also known by its sound."""
_UNTONED = 3
"""Characters from which on the tones of a name do not matter."""


@lru_cache(maxsize=8192)
def _syllable(char: str) -> str:
    return "".join(syllables(char))


@lru_cache(maxsize=8192)
def _merged(char: str) -> str:
    return sound_key(char) or char


def _named(name: str) -> tuple[str, ...]:
    """How a department's name sounds, usual confusions merged; its last character, mostly 科, is what it is, and so is
    the tone of a name of two."""
    if len(name) < _UNTONED:
        return readings(name[0])[0], name[1:]
    return (*(_merged(char) for char in name[:-1]), name[-1])


class Hearing:
    """Phrases with their signals, and names with what they stand for, by their sound."""

    def __init__(self, phrases: Iterable[tuple[str, int]], names: Mapping[str, str], name_bit: int) -> None:
        self._phrases: dict[tuple[str, ...], int] = {}
        for word, bits in phrases:
            if len(word) >= _LEAST_PHRASE and word.isalpha() and not word.isascii():
                key = tuple(_syllable(char) for char in word)
                self._phrases[key] = self._phrases.get(key, 0) | bits
        self._sizes = sorted({len(key) for key in self._phrases})
        self._names = {_named(word): name for word, name in names.items() if len(word) >= _LEAST_NAME}
        self._name_sizes = sorted({len(word) for word in names if len(word) >= _LEAST_NAME})
        self._ends = frozenset(word[-1] for word in names)
        self._name_bit = name_bit

    def find(self, text: str, hits: list[Hit]) -> list[Hit]:
        """What is heard in a folded text beside what is written in it (`hits`)."""
        return [*self._phrases_in(text, hits), *self._names_in(text, hits)]

    def name(self, word: str) -> str:
        """What a name that was heard stands for. Raises `KeyError` for a word that no name sounds like."""
        return self._names[_named(word)]

    def _phrases_in(self, text: str, hits: list[Hit]) -> list[Hit]:
        if not self._phrases or len(text) < _LEAST_PHRASE:
            return []
        said = tuple(_syllable(char) for char in text)
        written = {(hit.start, hit.end) for hit in hits}
        found = []
        for size in self._sizes:
            for start in range(len(said) - size + 1):
                bits = self._phrases.get(said[start : start + size])
                if bits and (start, start + size) not in written:
                    found.append(Hit(start, start + size, bits))
        return found

    def _names_in(self, text: str, hits: list[Hit]) -> list[Hit]:
        written = bytearray(len(text))
        for hit in hits:
            if hit.bits & self._name_bit:
                written[hit.start : hit.end] = b"1" * (hit.end - hit.start)
        return [
            Hit(end - size, end, self._name_bit)
            for end in range(1, len(text) + 1)
            if text[end - 1] in self._ends
            for size in self._name_sizes
            if size <= end and not any(written[end - size : end]) and _named(text[end - size : end]) in self._names
        ]
