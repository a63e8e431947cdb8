"""Slips of a recogniser, made: clean sentences in, the same with one or more slips out; the same seed, the same slips.

A slip is a homophone, a near sound (an accent's), a doubled or a lost character. It may fall on any Chinese character
of a sentence of more than `SHORTEST` of them; what replaces it is a common character (the first level of GB 2312).
"""

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from zhtext.sound import readings, sound_key, syllables

__all__ = ["garbled", "garbled_case", "one_slip"]

SHORTEST = 4
KINDS = ("homophone", "near", "doubled", "lost")
WEIGHTS = (68, 18, 11, 3)
_FIRST_LEVEL = range(0xB0, 0xD8)
"""Rows of GB 2312 that hold its common characters."""


def garbled(text: str, rng: random.Random, slips: int = 1) -> str:
    """The sentence with so many slips, each at another place; as it is where it is too short."""
    places = [place for place, character in enumerate(text) if _is_chinese(character)]
    if len(places) <= SHORTEST:
        return text
    for place in sorted(rng.sample(places, min(slips, len(places))), reverse=True):
        text = one_slip(text, place, rng)
    return text


def garbled_case(case: Mapping[str, Any], rng: random.Random, slips: int = 1) -> dict[str, Any]:
    """A dialogue of a labelled set with slips in every turn, whatever the turn's text is called."""
    turns = []
    for turn in case["turns"]:
        field = "question" if "question" in turn else "text"
        turns.append({**turn, field: garbled(turn[field], rng, slips)})
    return {**case, "turns": turns}


def one_slip(text: str, place: int, rng: random.Random) -> str:
    """The sentence with a slip at the place."""
    character = text[place]
    kind = rng.choices(KINDS, WEIGHTS)[0]
    if kind == "lost":
        return text[:place] + text[place + 1 :]
    others = list(_others(character, near=kind == "near")) if kind != "doubled" else []
    if not others:
        return text[:place] + character + text[place:]
    return text[:place] + rng.choice(others) + text[place + 1 :]


def _others(character: str, *, near: bool) -> Iterator[str]:
    """Common characters that sound the same but for the tone; `near`: the same to some accents only."""
    exactly = syllables(character)
    for other in _common().get(sound_key(character), ()):
        if other != character and (syllables(other) == exactly) is not near:
            yield other


@cache
def _common() -> dict[str, list[str]]:
    """The common characters by the sound of their usual reading."""
    found: dict[str, list[str]] = {}
    for row in _FIRST_LEVEL:
        for cell in range(0xA1, 0xFF):
            character = bytes((row, cell)).decode("gb2312", errors="ignore")
            if character and readings(character)[0].isascii():
                found.setdefault(sound_key(character), []).append(character)
    return found


def _is_chinese(character: str) -> bool:
    return "一" <= character <= "鿿"
