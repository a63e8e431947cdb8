"""Which characters are written otherwise: width and compatibility forms, invisible characters, traditional characters.

The traditional characters come from `data/traditional.txt` (made by `python -m zhtext.build`); the rest follows from
Unicode and is made here, once, when it is first needed.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import unicodedata
from typing import Final

import msgspec

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
    """Compiled character tables; patterns match one character."""

    mapping: dict[int, str]
    mapping_in_traditional_text: dict[int, str]
    """With characters that are simplified ones too (著, 乾), unless the text is traditional."""

    changing: re.Pattern[str]
    traditional: re.Pattern[str]
    """Characters that are only traditional."""

    resizing: re.Pattern[str]
    """Characters written as none or several."""


@functools.cache
def character_tables() -> CharacterTables:
    """The tables, made on the first call."""
    traditional, in_traditional_text = _read_traditional()
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
        mapping_in_traditional_text=mapping | in_traditional_text,
        changing=_any_of(mapping),
        traditional=_any_of(traditional),
        resizing=_any_of({code: written for code, written in mapping.items() if len(written) != 1}),
    )


def _read_traditional() -> tuple[dict[int, str], dict[int, str]]:
    """Two pairs of lines: characters and what they become; first those always mapped, then those only in context."""
    text = importlib.resources.files("zhtext").joinpath("data/traditional.txt").read_text(encoding="utf-8")
    always, becoming, sometimes, then = (line for line in text.splitlines() if line and not line.startswith("#"))
    return (
        dict(zip(map(ord, always), becoming, strict=True)),
        dict(zip(map(ord, sometimes), then, strict=True)),
    )


def _any_of(mapping: dict[int, str]) -> re.Pattern[str]:
    """A pattern for the characters; beyond the BMP, where sets are slow, for the blocks that hold any of them."""
    astral = (b for b in (*_COMPATIBILITY, *_INVISIBLE) if b[0] > 0xFFFF and not mapping.keys().isdisjoint(b))
    runs: list[list[int]] = []
    for code in sorted(code for code in mapping if code <= 0xFFFF):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    runs += [[block[0], block[-1]] for block in astral]
    return re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in runs)}]")
