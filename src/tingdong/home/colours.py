"""Colour words as values of a colour property (service.md, `instructs`: #RRGGBB takes pure colours)."""

import colorsys
import re
from typing import Any

from tingdong.home.document import PropertyType
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import values

__all__ = ["colour_value"]

_HEX = re.compile(r"#[0-9A-Fa-f]{6}\Z")


def colour_value(spec: PropertySpec, said: str) -> Any:
    """`said` (红色, 暖黄, #FF8800) as the property writes colours; None when it cannot say it.

    Text properties take `#RRGGBB`, enums one of their choices, numbers up to 360 a hue and larger ones 0xRRGGBB.
    """
    word = said.removesuffix("颜色").removesuffix("光")
    word = word.removesuffix("色") or word
    if spec.type is PropertyType.ENUM:
        return _choice(spec, word, said)
    code = said if _HEX.match(said) else _code(word)
    if code is None:
        return None
    code = code.upper()
    if spec.type is PropertyType.STRING:
        return code
    number = int(code[1:], 16)
    if spec.high is not None and spec.high <= 360:
        red, green, blue = (part / 255 for part in bytes.fromhex(code[1:]))
        hue = round(colorsys.rgb_to_hsv(red, green, blue)[0] * 360)
        return hue if spec.fits(hue) else None
    return number if spec.fits(number) else None


def _code(word: str) -> str | None:
    colours = values().colours
    if word in colours:
        return colours[word]
    # 大红, 亮蓝, 嫩绿: a shade is its plain colour.
    return colours.get(word[-1:]) if len(word) > 1 else None


def _choice(spec: PropertySpec, word: str, said: str) -> Any:
    for key in (said, word, f"{word}色", *values().colour_tokens.get(word, ())):
        if key in spec.words:
            return spec.words[key]
    code = _code(word)
    return next((choice for choice in spec.choices if str(choice).upper() == code), None)
