"""The signs that the language model counts: figures and letters by their class, punctuation as one sign."""

import math
from functools import lru_cache
from typing import Final

__all__ = ["CHANCES", "END", "FIGURES", "MARK", "MARKS", "START", "symbol"]

START: Final = "^"
END: Final = "$"
MARK: Final = "，"
_FIGURE, _DIGIT, _LETTER = "五", "0", "a"
MARKS = frozenset("，。！？、；：,.!?;:~～… ·—-“”\"'（）()《》【】\n\t")
FIGURES = frozenset("二三四五六七八九")
CHANCES: Final = {_FIGURE: math.log(len(FIGURES)), _DIGIT: math.log(10), _LETTER: math.log(26)}
"""What it costs to be one of a class."""


@lru_cache(maxsize=8_192)
def symbol(character: str) -> str:
    """The symbol under which a character is counted."""
    if character in FIGURES:
        return _FIGURE
    if character in MARKS:
        return MARK
    if character.isascii():
        return _DIGIT if character.isdigit() else _LETTER if character.isalpha() else character
    return character
