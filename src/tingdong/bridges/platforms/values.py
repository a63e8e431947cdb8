"""A platform's value and the home's, both ways: map, scale, codec (service.md, Home: types and ranges).

What a platform sends is not trusted: a value that does not fit becomes None, which reads as unknown.
"""

import colorsys
import math
from collections.abc import Iterable, Mapping
from typing import Any

from .table import PropertyRow, ValueCodec

__all__ = ["from_platform", "to_platform"]

OTHERWISE = "*"


def from_platform(row: PropertyRow, given: Any) -> Any:
    """The home's value of what the platform says; None when unknown."""
    if given is None:
        return None
    if row.map:
        key = given if isinstance(given, str | bool | int) else str(given)
        value = row.map.get(key, row.map.get(OTHERWISE))
    elif row.codec is not None:
        value = _decoded(row.codec, given)
    else:
        value = given
    if row.scale is not None:
        value = _scaled(value, *row.scale)
    return _typed(row.type, value)


def to_platform(row: PropertyRow, value: Any) -> Any:
    """The platform's value for one of the home's."""
    if row.map:
        for platform, home in row.map.items():
            if home == value and platform != OTHERWISE:
                return platform
        return value
    if row.scale is not None:
        low, high, home_low, home_high = row.scale
        number = _scaled(value, home_low, home_high, low, high)
        value = number if isinstance(low, float) and not low.is_integer() else _whole_if_wide(number, low, high)
    return _encoded(row.codec, value) if row.codec is not None else value


def _whole_if_wide(number: float | None, low: float, high: float) -> float | int | None:
    """A range as narrow as 0..1 keeps its fractions."""
    if number is None or abs(high - low) <= 1:
        return number
    return math.floor(number + 0.5)


def _scaled(value: Any, low: float, high: float, to_low: float, to_high: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    share = (value - low) / (high - low)
    return to_low + min(1.0, max(0.0, share)) * (to_high - to_low)


def _typed(kind: str, value: Any) -> Any:
    match kind:
        case "bool":
            return value if isinstance(value, bool) else None
        case "uint" | "int":
            good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            return math.floor(value + 0.5) if good else None
        case "float":
            good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            return round(float(value), 2) if good else None
        case _:
            return value if isinstance(value, str) else None


def _decoded(codec: ValueCodec, given: Any) -> Any:
    try:
        match codec:
            case ValueCodec.NUMBER:
                return float(given)
            case ValueCodec.RGB:
                red, green, blue = (int(part) for part in given)
                return f"#{red:02X}{green:02X}{blue:02X}"
            case ValueCodec.HUE_SATURATION | ValueCodec.HUE_SATURATION_254:
                top = 100 if codec is ValueCodec.HUE_SATURATION else 254
                hue, saturation = (float(part) / top for part in given)
                return _hex(colorsys.hsv_to_rgb(hue, saturation, 1.0))
            case ValueCodec.HSV_360_1000:
                parts = (float(given["h"]) / 360, float(given["s"]) / 1_000)
                return _hex(colorsys.hsv_to_rgb(*parts, 1.0))
            case ValueCodec.RGB_NUMBER:
                return f"#{int(given) & 0xFFFFFF:06X}"
            case ValueCodec.MIREDS:
                return 1_000_000 / float(given)
            case ValueCodec.LOG_LUX:
                return 10 ** ((float(given) - 1) / 10_000)
            case ValueCodec.TRUTH_1:
                return bool(int(given) & 1)
    except (LookupError, TypeError, ValueError, ZeroDivisionError, OverflowError):
        return None


def _encoded(codec: ValueCodec, value: Any) -> Any:
    match codec:
        case ValueCodec.RGB:
            return [int(value[place : place + 2], 16) for place in (1, 3, 5)]
        case ValueCodec.HUE_SATURATION | ValueCodec.HUE_SATURATION_254:
            top = 100 if codec is ValueCodec.HUE_SATURATION else 254
            hue, saturation = _hue_saturation(value)
            return [round(hue * top), round(saturation * top)]
        case ValueCodec.HSV_360_1000:
            hue, saturation = _hue_saturation(value)
            return {"h": round(hue * 360), "s": round(saturation * 1_000), "v": 1_000}
        case ValueCodec.RGB_NUMBER:
            return int(value[1:], 16)
        case ValueCodec.MIREDS:
            return round(1_000_000 / value)
        case _:
            return value


def _hex(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(part * 255):02X}" for part in parts)


def _hue_saturation(colour: str) -> tuple[float, float]:
    hue, saturation, _ = colorsys.rgb_to_hsv(*(int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)))
    return hue, saturation


def lookup(values: Mapping[str, Any], path: str) -> Any:
    """The value at a path; `a,b` gives the list of both, None unless both are there."""
    if "," not in path:
        return values.get(path)
    parts = [values.get(one) for one in path.split(",")]
    return None if None in parts else parts
