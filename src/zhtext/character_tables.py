"""Tables of characters with another spelling: width and compatibility forms, invisible characters, traditional ones.

Traditional characters come from `data/traditional.txt` (made by `python -m zhtext.build`); the rest is derived from
Unicode, once, on first use.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import Final

import msgspec

from zhtext.package_data import read_text

_FULL_WIDTH_ASCII: Final = range(0xFF01, 0xFF5F)
_COMPATIBILITY: Final = (
    range(0x2160, 0x2180),  # Roman numerals
    range(0x2460, 0x24EB),  # enclosed letters and digits
    range(0x2E80, 0x2FD6),  # radicals
    range(0x3200, 0x3400),  # enclosed and squared characters
    range(0xF900, 0xFB07),  # compatibility ideographs, Latin ligatures
    range(0xFE10, 0xFE1A),  # vertical forms
    range(0xFE50, 0xFE70),  # small forms
    range(0x1D400, 0x1D800),  # mathematical letters and digits
    range(0x2F800, 0x2FA20),  # compatibility ideographs
)
_INVISIBLE: Final = (
    *(range(0x09), range(0x0E, 0x20), range(0x7F, 0x85), range(0x86, 0xA0), range(0xAD, 0xAE)),
    *(range(0x180B, 0x180F), range(0x200B, 0x2010), range(0x202A, 0x202F), range(0x2060, 0x2070)),
    *(range(0xD800, 0xE000), range(0xFE00, 0xFE10), range(0xFEFF, 0xFF00), range(0xFFF9, 0xFFFC)),
    *(range(0xE0000, 0xE0080), range(0xE0100, 0xE01F0)),
)
_WHITE_SPACE: Final = (
    *range(0x09, 0x0E),
    0x85,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
)
_CHINESE_PUNCTUATION: Final = "，！？；：（）"
"""Full-width marks that are Chinese, so they stay."""

_PUNCTUATION_VARIANTS: Final = dict(
    zip("﹐﹑﹔﹕﹖﹗﹙﹚｡､︐︑︒︓︔︕︖﹒．−‐‑", "，、；：？！（）。、，、。：；！？..---", strict=True)
)


class CharacterTables(msgspec.Struct, frozen=True):
    """The replacement of each character; a character without one stays."""

    mapping: dict[int, str]
    mapping_in_traditional_text: dict[int, str]
    """With characters that are simplified ones too (著, 乾), unless the text is traditional."""

    resizing: frozenset[int]
    """Characters written as none or several."""


@functools.cache
def traditional_characters() -> frozenset[str]:
    """Characters that are only traditional."""
    return frozenset(_traditional_lines()[0])


@functools.cache
def character_tables() -> CharacterTables:
    """The tables, made on the first call."""
    always, becoming, sometimes, then = _traditional_lines()
    traditional = dict(zip(map(ord, always), becoming, strict=True))
    mapping = {code: "" for block in _INVISIBLE for code in block}
    mapping |= dict.fromkeys(_WHITE_SPACE, " ")
    mapping |= {code: chr(code - 0xFEE0) for code in _FULL_WIDTH_ASCII if chr(code) not in _CHINESE_PUNCTUATION}
    mapping |= traditional
    for block in _COMPATIBILITY:
        for code in block:
            written = unicodedata.normalize("NFKC", chr(code))
            if written != chr(code):
                mapping[code] = written.translate(mapping)
    mapping |= {ord(variant): mark for variant, mark in _PUNCTUATION_VARIANTS.items()}
    return CharacterTables(
        mapping=mapping,
        mapping_in_traditional_text=mapping | dict(zip(map(ord, sometimes), then, strict=True)),
        resizing=frozenset(code for code, written in mapping.items() if len(written) != 1),
    )


@functools.cache
def _traditional_lines() -> list[str]:
    """Two pairs of lines: characters and what they become; first those always mapped, then those only in context."""
    lines = read_text("zhtext", "traditional.txt").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
