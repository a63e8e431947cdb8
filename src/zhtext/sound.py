"""How Chinese text sounds: pinyin, a key that merges usual confusions, and likeness of sound.

Speech recognition writes homophones (灯 as 登) and speakers merge sounds (zh/z, n/l, an/ang); a device name is then
found by its sound. Readings come from `data/readings.tsv`, loaded when first needed.
"""

from __future__ import annotations

import functools
from typing import Final

from zhtext.package_data import read_text
from zhtext.patterns import LazyPattern

_INITIAL: Final = LazyPattern("zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]|")
_MERGED_INITIALS: Final = {"zh": "z", "ch": "c", "sh": "s", "l": "n", "h": "f"}
_MERGED_FINALS: Final = {"ang": "an", "eng": "en", "ing": "in", "iang": "ian", "uang": "uan"}
_INITIALS: Final = (("zh", "z"), ("ch", "c"), ("sh", "s"), ("n", "l"), ("r", "l"), ("h", "f"))
_FINALS: Final = (("ang", "an"), ("eng", "en"), ("ing", "in"), ("iang", "ian"), ("uang", "uan"), ("ong", "eng"))
_WHOLE: Final = (
    ("fa", "hua"), ("fan", "huan"), ("fang", "huang"), ("fei", "hui"), ("fen", "hun"), ("feng", "hong"), ("fo", "huo"),
)  # fmt: skip
"""What accents and recognisers confuse; a pair at a time, so that nobody hears ri for ni."""
_TONE_COST: Final = 0.04
_MERGED_COST: Final = 0.12
_HALF_COST: Final = 0.55


@functools.cache
def _readings() -> dict[str, tuple[str, ...]]:
    """Syllables with tone of each character, the usual one first."""
    text = read_text("zhtext", "readings.tsv")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    readings: dict[str, tuple[str, ...]] = {char: (syllable,) for syllable, usual, _ in rows for char in usual}
    for syllable, _, others in rows:
        for character in others:
            readings[character] = (*readings.get(character, ()), syllable)
    return readings


def readings(character: str) -> tuple[str, ...]:
    """The readings of one character with tone digit, the usual one first (长 → chang2, zhang3); itself if unknown."""
    return _readings().get(character) or (character.lower(),)


def syllables(text: str) -> tuple[str, ...]:
    """One syllable without tone for each character, white space left out: 客厅灯 → ke, ting, deng."""
    return tuple(_toneless(readings(character)[0]) for character in text if not character.isspace())


def sound_key(text: str) -> str:
    """Syllables, usual confusions merged, joined by spaces: equal keys sound alike to many (登 and 灯, 兰 and 南)."""
    return " ".join(_merged(syllable) for syllable in syllables(text))


@functools.cache
def confused(syllable: str) -> frozenset[str]:
    """Syllables (without tone) that some speakers or recognisers take for this one, itself left out: ni → li."""
    found = {syllable, *(other for pair in _WHOLE if syllable in pair for other in pair)}
    for one in tuple(found):
        initial, final = _split(one)
        initials = {initial, *(other for pair in _INITIALS if initial in pair for other in pair)}
        finals = {final, *(other for pair in _FINALS if final in pair for other in pair)}
        found |= {begin + end for begin in initials for end in finals}
    return frozenset(found - {syllable})


def sounds_like(first: str, second: str) -> float:
    """Likeness of sound from 0 to 1: 1 for the same syllables and tones, above 0.85 for usual confusions.

    Characters are aligned in order; of several readings the nearest counts. Cost grows with the product of lengths.
    """
    if first == second:
        return 1.0
    left = [character for character in first if not character.isspace()]
    right = [character for character in second if not character.isspace()]
    if not left or not right:
        return 0.0
    previous = [float(column) for column in range(len(right) + 1)]
    for row, character in enumerate(left, start=1):
        current = [float(row)]
        for column, other in enumerate(right, start=1):
            current.append(
                min(
                    previous[column] + 1,
                    current[column - 1] + 1,
                    previous[column - 1] + _character_cost(character, other),
                )
            )
        previous = current
    return max(0.0, 1.0 - previous[-1] / max(len(left), len(right)))


@functools.lru_cache(maxsize=16_384)
def _character_cost(first: str, second: str) -> float:
    if first == second:
        return 0.0
    return min(_syllable_cost(one, other) for one in readings(first) for other in readings(second))


def _syllable_cost(first: str, second: str) -> float:
    if first == second:
        return 0.0
    one, other = _toneless(first), _toneless(second)
    if one == other:
        return _TONE_COST
    if not (one.isascii() and other.isascii() and one.isalpha() and other.isalpha() and len(one) > 1 < len(other)):
        return 1.0
    if _merged(one) == _merged(other):
        return _MERGED_COST
    same_initial = _split(one)[0] == _split(other)[0]
    same_final = _split(one)[1] == _split(other)[1]
    return _HALF_COST if same_initial or same_final else 1.0


def _toneless(syllable: str) -> str:
    return syllable[:-1] if syllable[-1:].isdigit() and len(syllable) > 1 else syllable


@functools.lru_cache(maxsize=2048)
def _merged(syllable: str) -> str:
    initial, final = _split(syllable)
    return _MERGED_INITIALS.get(initial, initial) + _MERGED_FINALS.get(final, final)


def _split(syllable: str) -> tuple[str, str]:
    match = _INITIAL.match(syllable)
    end = match.end() if match else 0
    return syllable[:end], syllable[end:]
