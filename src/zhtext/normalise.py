"""One spelling for the same text: width, traditional characters, invisible characters, white space.

Users type, paste and dictate (service.md: the question of a request frame). Everything above this layer reads
normalised text and can point back into the original through `Normalised.offsets`.
"""

from __future__ import annotations

from typing import Final

import msgspec

from zhtext.character_tables import character_tables, traditional_characters
from zhtext.patterns import LazyPattern

_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_UPPER: Final = LazyPattern("[A-Z]")
_SURROGATE: Final = LazyPattern(r"[\ud800-\udfff]")
_NOTHING: Final = "\u200b"
"""A character that vanishes in normalised text, as a lone surrogate does."""
_UNUSUAL: Final = LazyPattern("[^ -~一-\u9fff，。！？、；：（）“”‘’《》…℃]")
"""Characters that the tables must be asked about; all others are written as they are, or are traditional."""


class Normalised(msgspec.Struct, frozen=True):
    """Normalised text and the way back to what was written."""

    text: str
    offsets: tuple[int, ...] | None = None
    """Index in the original of each normalised character; None where the two have the same indexes."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original of `text[start:end]`; an empty span stays empty."""
        if self.offsets is None or not self.offsets:
            return start, end
        first = self.offsets[start] if start < len(self.offsets) else self.offsets[-1] + 1
        return first, (self.offsets[end - 1] + 1 if end > start else first)


def normalise(text: str) -> Normalised:
    """The text in one spelling; the same object where it already is. Idempotent, linear, never raises.

    Full-width letters, digits and signs become half-width; Chinese punctuation stays Chinese; traditional characters
    become simplified; invisible, control and lone surrogate characters vanish; white space collapses to one space.
    """
    traditional = not traditional_characters().isdisjoint(text)
    if not traditional and _UNUSUAL.search(text) is None:
        return Normalised(text) if _evenly_spaced(text) else _with_offsets(text, {})
    tables = character_tables()
    mapping = tables.mapping_in_traditional_text if traditional else tables.mapping
    if tables.resizing.isdisjoint(map(ord, text)):
        mapped = text.translate(mapping)
        if _evenly_spaced(mapped):
            return Normalised(text if mapped == text else mapped)
    return _with_offsets(text, mapping)


def _evenly_spaced(text: str) -> bool:
    return " " not in text or ("  " not in text and text[0] != " " and text[-1] != " ")


def _with_offsets(text: str, mapping: dict[int, str]) -> Normalised:
    characters: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(text):
        for written in mapping.get(ord(character), character):
            if written != " " or (characters and characters[-1] != " "):
                characters.append(written)
                offsets.append(index)
    if characters and characters[-1] == " ":
        characters.pop()
        offsets.pop()
    return Normalised("".join(characters), tuple(offsets))


def respelled(text: str) -> str:
    """The text in one spelling, character by character, so that every index keeps its meaning.

    What would take another number of characters (blanks that collapse, ligatures) stays as it is written.
    """
    normal = normalise(text)
    if normal.offsets is None:
        return normal.text
    written = (normalise(character).text for character in text)
    return "".join(new if len(new) == 1 else old for new, old in zip(written, text, strict=True))


def encodable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot write, as zero-width spaces: indexes and reading unchanged."""
    if _SURROGATE.search(text) is None:
        return text
    return "".join(_NOTHING if _SURROGATE.match(character) else character for character in text)


def fold(text: str) -> str:
    """The text with ASCII letters in lower case: for comparing, indexes unchanged."""
    return text.translate(_ASCII_LOWER) if _UPPER.search(text) else text
