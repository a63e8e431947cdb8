"""Values as they are said (50%, 26C, 3档, 最大, 红色) on a property's own scale (service.md, `instructs`).

Percent maps linearly and rounds half up; a range that ends at 100 takes it literally. A bare number over a hundred is
no percent but a value in the model's own unit, where its range goes that far. Temperatures, gears, kelvins and
channels are literal. Relative steps are the said amount, else 10 % of the range; temperature, gear and channel step
by 1.
"""

import math
import re
from collections.abc import Hashable
from enum import Enum, auto

import msgspec

from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import roles, values
from zhtext.remembering import remembered

__all__ = [
    "Amount",
    "AmountKind",
    "OutOfRange",
    "Unsuitable",
    "number_of",
    "parse_amount",
    "range_text",
    "step_of",
    "told",
]

_STEPPED_BY_ONE = ("degrees", "number")
"""Scales that know no percent and are stepped by one."""

_AMOUNT = re.compile(r"(零下|-)?(\d+(?:\.\d+)?)(%|C|℃|度|K|档|挡|级|台|频道)?\Z")
_DIGITS = "一二三四五六七八九十"
_FRACTION = re.compile(rf"([{_DIGITS}])分之([{_DIGITS}])\Z")


class AmountKind(Enum):
    """In which unit a value was said."""

    PERCENT = auto()
    DEGREES = auto()
    KELVIN = auto()
    GEAR = auto()
    NUMBER = auto()
    PLACE = auto()  # 最大, 中, 暖: a place on the scale
    WORD = auto()


_UNITS = {
    "%": AmountKind.PERCENT,
    "C": AmountKind.DEGREES,
    "℃": AmountKind.DEGREES,
    "度": AmountKind.DEGREES,
    "K": AmountKind.KELVIN,
    "档": AmountKind.GEAR,
    "挡": AmountKind.GEAR,
    "级": AmountKind.GEAR,
    "台": AmountKind.NUMBER,
    "频道": AmountKind.NUMBER,
    None: AmountKind.NUMBER,
}


class Amount(msgspec.Struct, frozen=True):
    """A said value: `number` in its own unit, or the `word` and, for a place on a scale, the `place` it names."""

    kind: AmountKind
    text: str
    number: float = 0.0
    place: str = ""


class Unsuitable(Exception):
    """The value says nothing on this property's scale (制冷 for a brightness)."""


class OutOfRange(Exception):
    """The value lies outside the property's range."""


@remembered(4096)
def parse_amount(text: str) -> Amount:
    """The protocol's value text as an amount; never fails, at worst it is a word."""
    match = _AMOUNT.match(text)
    if match:
        number = float(match[2])
        return Amount(_UNITS[match[3]], text, -number if match[1] else number)
    fraction = _FRACTION.match(text)
    if fraction:
        whole, part = _DIGITS.index(fraction[1]) + 1, _DIGITS.index(fraction[2]) + 1
        return Amount(AmountKind.PERCENT, f"{half_up(100 * part / whole)}%", 100 * part / whole)
    place = values().levels.get(text)
    if place is not None:
        return Amount(AmountKind.PLACE, text, place=place)
    return Amount(AmountKind.WORD, text)


def _scale(spec: PropertySpec) -> str:
    """What a bare number means on the property (service.md, `instructs`): percent, where its row says no other."""
    entry = roles().get(spec.role)
    return "percent" if entry is None else "amount" if entry.read_only else entry.scale


def half_up(number: float) -> int:
    """Rounds to the nearest integer, halves up. The tiny allowance undoes binary fractions (0.1 * 25.4)."""
    return math.floor(number + 0.5 + 1e-9)


def number_of(spec: PropertySpec, amount: Amount) -> float:
    """`amount` as a value of the numeric property. Raises `Unsuitable` or `OutOfRange`."""
    low, high = _bounds(spec)
    if amount.kind is AmountKind.PLACE:
        return _fit(spec, _place(spec, amount.place))
    kind = amount.kind
    if kind is AmountKind.NUMBER and _scale(spec) == "percent" and not spec.is_gear:
        if amount.number > 100 and high > 100:
            return _own_unit(spec, amount)
        if spec.role is PropertyRole.OTHER and low <= amount.number <= high:
            return _fit(spec, amount.number)  # 90 of 30 to 250 beats a minute
        kind = AmountKind.PERCENT
    if kind is AmountKind.PERCENT and _scale(spec) in (*_STEPPED_BY_ONE, "amount"):
        kind = AmountKind.NUMBER
    if kind is AmountKind.PERCENT:
        return _fit(spec, _percent(spec, amount.number))
    if not _is_unit_of(spec, kind):
        raise Unsuitable(amount.text)
    number = amount.number
    if kind is AmountKind.KELVIN and _is_mired(spec) and number:
        number = 1_000_000 / number
    if not low <= number <= high:
        raise OutOfRange(amount.text)
    return _fit(spec, number)


def _own_unit(spec: PropertySpec, amount: Amount) -> float:
    """A bare number over a hundred is no percent: it is a value of a scale that goes further (128 of 1..255)."""
    low, high = _bounds(spec)
    if not low <= amount.number <= high:
        raise OutOfRange(amount.text)
    return _fit(spec, amount.number)


def step_of(spec: PropertySpec, amount: Amount | None) -> float:
    """How far one relative step goes on the property's scale. Raises `Unsuitable`."""
    low, high = _bounds(spec)
    span = high if high == 100 and low <= 1 else high - low
    if amount is None or amount.kind in (AmountKind.PLACE, AmountKind.WORD):
        return 1.0 if _scale(spec) in _STEPPED_BY_ONE or spec.is_gear else max(1.0, span / 10)
    kind = amount.kind
    if kind is AmountKind.NUMBER and _scale(spec) == "percent" and not spec.is_gear:
        kind = AmountKind.PERCENT
    if kind is AmountKind.PERCENT and _scale(spec) == "amount":
        return amount.number  # 湿度降五个点 is from 45 to 40, whatever the range
    if kind is AmountKind.PERCENT:
        return max(1.0 if spec.type is not PropertyType.FLOAT else 0.0, span * amount.number / 100)
    if not _is_unit_of(spec, kind):
        raise Unsuitable(amount.text)
    return amount.number


def share_of(spec: PropertySpec, current: float, step: float, amount: Amount) -> float:
    """How far down a percentage goes: so many points of the scale, but where nothing would be left a share of what
    there is (声音小一半 at 40 is 20, not silence)."""
    left = current - _bounds(spec)[0]
    return left * amount.number / 100 if step >= left and amount.number < 100 else step


def told(spec: PropertySpec, value: object) -> str:
    """How a reply says a value of the property (50%, 26度, 3档, 制冷)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not spec.numeric:
        return spec.texts.get(value, str(value)) if isinstance(value, Hashable) else str(value)
    if (
        _scale(spec) == "percent"
        and spec.unit == "%"
        and spec.high not in (None, 100, spec.low)
        and spec.low is not None
    ):
        return f"{half_up((value - spec.low) / (spec.high - spec.low) * 100)}%"
    if _is_mired(spec) and value:
        value = half_up(1_000_000 / value)
    return f"{'零下' if value < 0 else ''}{abs(value):g}{spec.unit}"


def range_text(spec: PropertySpec) -> str:
    """The allowed range or choices as a reply says them (15到30度, 0%到100%, 制冷、制热)."""
    if not spec.numeric:
        return "、".join(dict.fromkeys(text for text in spec.texts.values() if text not in ("开", "关")))
    if spec.low is None or spec.high is None:
        return ""
    if spec.unit == "%" and spec.high != 100 and _scale(spec) == "percent":
        return "0%到100%"
    ends = (spec.low, spec.high)
    if _is_mired(spec):
        ends = (half_up(1_000_000 / spec.high), half_up(1_000_000 / spec.low))
    low, high = (f"{'零下' if bound < 0 else ''}{abs(bound):g}" for bound in ends)
    return f"{low}到{high}{spec.unit}"


def _is_mired(spec: PropertySpec) -> bool:
    """Whether a colour temperature is counted in mireds (a million over kelvins), as bridges do."""
    low, high = _bounds(spec)
    return spec.role is PropertyRole.COLOUR_TEMPERATURE and 100 <= low < high <= 600


def _bounds(spec: PropertySpec) -> tuple[float, float]:
    return (spec.low if spec.low is not None else 0.0), (spec.high if spec.high is not None else 100.0)


def _percent(spec: PropertySpec, percent: float) -> float:
    low, high = _bounds(spec)
    if not 0 <= percent <= 100:
        raise OutOfRange(str(percent))
    if spec.inverted:
        percent = 100 - percent
    if high != 100:
        return low + percent / 100 * (high - low)
    if percent < low:
        if low > 1:
            raise OutOfRange(str(percent))
        return low
    return percent


def _place(spec: PropertySpec, place: str) -> float:
    low, high = _bounds(spec)
    if place == "middle":
        return (low + high) / 2
    towards_high = place in ("high", "max")
    if spec.inverted:
        towards_high = not towards_high
    if place == "low" and spec.is_gear and low == 0 < high:
        return 1
    return high if towards_high else low


_UNITS_OF_SCALE = {
    "degrees": (AmountKind.DEGREES, AmountKind.NUMBER),
    "kelvin": (AmountKind.KELVIN, AmountKind.NUMBER, AmountKind.DEGREES),
    "number": (AmountKind.NUMBER,),
    "amount": (AmountKind.NUMBER,),
}


def _is_unit_of(spec: PropertySpec, kind: AmountKind) -> bool:
    allowed = _UNITS_OF_SCALE.get(_scale(spec))
    if allowed is not None:
        return kind in allowed
    low, high = _bounds(spec)
    # A gear is any small scale, also a lamp with three levels.
    return kind in (AmountKind.GEAR, AmountKind.NUMBER) and high - low <= 20


def _fit(spec: PropertySpec, number: float) -> float:
    """`number` in the property's type, inside its range."""
    low, high = _bounds(spec)
    number = min(max(number, low), high)
    if spec.type is PropertyType.FLOAT:
        return round(number, 2)
    return min(max(half_up(number), int(low)), int(high))


def moved(spec: PropertySpec, current: float, step: float) -> float:
    """`current` moved by `step` (signed), clamped at the ends; it moves at least one unit unless it is at an end."""
    target = _fit(spec, current + step)
    if target == current and step and spec.type is not PropertyType.FLOAT:
        target = _fit(spec, current + math.copysign(1, step))
    return target
