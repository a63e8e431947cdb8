"""Quantities in Chinese text: percent, degrees, durations, colour temperature, gears, counts, ordinals, numbers.

Values as commands.md and the command protocol need them: 百分之五十, 一半, 五成 are 50 %; 二十二度半 is 22.5 C.
Longest match, left to right, not overlapping. What a number means without a unit is the caller's question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from zhtext.durations import Duration, TimeUnit
from zhtext.numeral_words import fixed_word_end
from zhtext.numerals import (
    DIGITS,
    FORMAL_NUMERALS,
    NUMERAL_CHARACTERS,
    is_estimate,
    numeral_run_end,
    scan_number,
    unreadable_until,
)
from zhtext.patterns import LazyPattern
from zhtext.unit_words import COMPARISONS, UNIT_STARTS, QuantityKind, UnitWord, unit_at

__all__ = ["Quantity", "QuantityKind", "find_quantities", "read_duration"]


class Quantity(msgspec.Struct, frozen=True):
    """A quantity found in a text: `text[start:end]` says `value` counted in `unit` ("" for a bare number)."""

    start: int
    end: int
    kind: QuantityKind
    value: float
    unit: str


_K = QuantityKind
_START: Final = LazyPattern(f"[第半负{''.join(sorted(NUMERAL_CHARACTERS))}]|[-−](?=[0-9])")
_SPECIAL_STARTS: Final = frozenset("第半百零负-−")
_SIGNS: Final = frozenset("负-−")
_RANGE_BEFORE: Final = LazyPattern("[0-9A-Za-z]")
_QUARTERS: Final = 3
_AFTER_QUARTER: Final = frozenset("就后再以关停")
_FRACTION: Final = LazyPattern("([0-9]{1,2})/(10|100)(?![0-9/])")
_DIGITAL_CLOCK: Final = LazyPattern("[0-9]{1,2}[:：][0-9]{2}(?:[:：][0-9]{2})?")
_BOUNDARY: Final = LazyPattern(r"[^一-鿿]|[吧啊呀哦呢嘛了就]|$")
_CLOCK_AFTER: Final = frozenset("点时月日")
_NOT_AFTER_HALF: Final = frozenset("小个分天夜年点刻")
_NOT_AFTER_TENTHS: Final = frozenset("功员为都品立本绩熟长语")
_HALF_DONE: Final = frozenset(("开", "亮", "合", "掩", "闭"))
_WEEKDAYS: Final = frozenset("一二三四五六日天末")
_KELVIN_LEAST: Final = 500
_LARGEST_WHOLE = 10
_SPECIAL = frozenset("分个/")
_YEAR_LEAST: Final = 1000
_HALVED: Final = frozenset((_K.DEGREE, _K.PERCENT, _K.DURATION))
_TAIL_DIGITS: Final = {digit: DIGITS.get(digit) or int(digit) for digit in "一二三四五六七八九123456789"}

_Reading = tuple[QuantityKind, float, str, int]
"""Kind, value, unit, end."""


def find_quantities(text: str, *, taken: Sequence[tuple[int, int]] = ()) -> tuple[Quantity, ...]:
    """Every quantity in the text, in linear time; `taken` are sorted spans already read (as times), jumped over."""
    match = _START.search(text)
    if match is None:
        return ()
    found: list[Quantity] = []
    spans = list(reversed(taken))
    while match is not None:
        start = match.start()
        while spans and spans[-1][1] <= start:
            spans.pop()
        if spans and spans[-1][0] <= start:
            position = spans[-1][1]
        else:
            reading, position = _read(text, start)
            if reading is not None:
                kind, value, unit, end = reading
                found.append(Quantity(start, end, kind, value, unit))
        match = _START.search(text, position)
    return tuple(found)


def read_duration(text: str, start: int) -> tuple[Duration, int] | None:
    """The length of time said at `start`, and where it ends: 一个半小时, 三刻钟, 1h30min; or None."""
    if _START.match(text, start) is None:
        return None
    reading, _ = _read(text, start)
    if reading is None or reading[0] is not _K.DURATION:
        return None
    return Duration(reading[1], TimeUnit(reading[2])), reading[3]


def _read(text: str, start: int) -> tuple[_Reading | None, int]:
    """What begins at `start` (or None), and where to go on."""
    character = text[start]
    if character not in _SPECIAL_STARTS:
        return _read_plain(text, start)
    if character == "第":
        return _read_ordinal(text, start)
    if character == "半":
        return _advance(_read_half(text, start), start)
    if character == "百" and text.startswith("百分", start):
        return _advance(_read_percent(text, start), start)
    if character in _SIGNS:
        return _read_signed(text, start, start + 1)
    if character == "零" and text.startswith("零下", start):
        return _read_signed(text, start, start + 2)
    return _read_plain(text, start)


def _advance(reading: _Reading | None, start: int) -> tuple[_Reading | None, int]:
    return reading, reading[3] if reading else start + 1


def _read_plain(text: str, start: int) -> tuple[_Reading | None, int]:
    if (position := unreadable_until(text, start)) != 0:
        return None, position
    if text[start] <= "9" and (clock := _DIGITAL_CLOCK.match(text, start)) is not None:
        return None, clock.end()
    word_end = fixed_word_end(text, start)
    if text[start] == "一" and text.startswith("一半", start) and text[start + 2 : start + 3] not in ("夜", "天"):
        return (_K.PERCENT, 50, "%", start + 2), start + 2
    scanned = scan_number(text, start)
    if scanned is None:
        return None, max(word_end, numeral_run_end(text, start))
    value, end = scanned
    if is_estimate(text, end):
        return None, end + 1
    if text[end : end + 1] == "/" and (share := _FRACTION.match(text, start)) is not None and text[start - 1] != "/":
        return (_K.PERCENT, 100 * int(share[1]) / int(share[2]), "%", share.end()), share.end()
    reading = _with_unit(text, value, end) or _bare(text, start, value, end)
    if reading is None and start and text[start - 1] == "+" and text[end : end + 1] in ("K", "k"):
        reading = _K.KELVIN, value, "K", end + 1  # +300K
    if text[start] == "两" and reading is not None and reading[0] is _K.ORDINAL:
        reading = _K.COUNT, *reading[1:]  # 两层 are counted, 二层 is one of them
    if text[start] in "俩仨" and (reading is None or reading[0] is not _K.DURATION):
        reading = _K.COUNT, value, "个", end  # 俩 is 两个
    if word_end and (reading is None or word_end >= reading[3]):
        return None, word_end
    return reading, reading[3] if reading else end


def _read_signed(text: str, start: int, number: int) -> tuple[_Reading | None, int]:
    if text[start] in "-−" and _RANGE_BEFORE.match(text, start - 1 if start else 0):
        return None, number  # 20-30 is a range, A-301 a name
    scanned = scan_number(text, number)
    if scanned is None:
        return None, number
    value, end = scanned
    if is_estimate(text, end):
        return None, end + 1
    reading = _with_unit(text, value, end) or (_K.NUMBER, value, "", end)
    if reading[0] not in (_K.DEGREE, _K.PERCENT, _K.NUMBER, _K.ORDINAL):
        return None, number
    kind, value, unit, end = reading
    return (kind, -value, unit, end), end


def _read_ordinal(text: str, start: int) -> tuple[_Reading | None, int]:
    scanned = scan_number(text, start + 1)
    if scanned is None:
        return None, start + 1
    value, end = scanned
    unit = unit_at(text, end)
    if unit is None or unit.kind not in (_K.GEAR, _K.COUNT, _K.ORDINAL):
        return (_K.ORDINAL, value, "", end), end
    kind = _K.GEAR if unit.kind is _K.GEAR else _K.ORDINAL
    end += len(unit.word)
    return (kind, value, unit.unit, end), end


def _read_half(text: str, start: int) -> _Reading | None:
    """半小时, 半个钟头, 半度; 半开 is 50 %; 半天 is a long while unless something comes after it (半天后)."""
    if text[start + 1 : start + 2] in _HALF_DONE:
        return _K.PERCENT, 50, "%", start + 1
    begin = start + 1 + text.startswith("拉", start + 1)  # 半拉钟头
    unit = unit_at(text, begin)
    if unit is None or unit.kind not in _HALVED or unit.word == "%" or (begin > start + 1 and unit.kind is _K.DEGREE):
        return None
    end = begin + len(unit.word)
    if unit.word == "天" and not text.startswith(("后", "以后", "之后", "过后"), end):
        return None
    return unit.kind, 0.5 * unit.factor, unit.unit, end


def _read_percent(text: str, start: int) -> _Reading | None:
    if text.startswith("百分百", start):
        return _K.PERCENT, 100, "%", start + 3
    if not text.startswith("百分之", start):
        return None
    if text.startswith("百分之百", start):
        return _K.PERCENT, 100, "%", start + 4
    scanned = scan_number(text, start + 3)
    return None if scanned is None else (_K.PERCENT, scanned[0], "%", scanned[1])


def _with_unit(text: str, value: float, end: int) -> _Reading | None:
    """The numeral that ends at `end` read with the unit after it, or None where no unit follows."""
    following = text[end : end + 1]
    if following == "开" and value >= _KELVIN_LEAST and text[end - 1] in "千百":
        return _K.KELVIN, value, "K", end + 1  # 四千开
    if following in _SPECIAL and (special := _with_special_unit(text, value, end)) is not None:
        return special
    spaced = end + 1 if following == " " and text[end - 1].isascii() else end
    unit = unit_at(text, spaced)
    if unit is None or not _fits(unit, value, text[spaced + len(unit.word) : spaced + len(unit.word) + 1]):
        return None
    end = spaced + len(unit.word)
    if unit.kind is _K.COUNT and is_estimate(text, end):
        return None
    if unit.kind in _HALVED:
        value, end = _with_tail(text, value, end, unit)
    reading = (unit.kind, value * unit.factor, unit.unit, end)
    return _with_second_part(text, reading) if unit.kind is _K.DURATION else reading


def _with_special_unit(text: str, value: float, end: int) -> _Reading | None:
    """Fractions (三分之一, 1/2), halves inside the unit (一个半小时, 一分半), and 分 before 后."""
    if text.startswith("/", end):
        whole = scan_number(text, end + 1)
        proper = whole is not None and 0 < value < whole[0] <= _LARGEST_WHOLE and text[whole[1] : whole[1] + 1] != "/"
        return (_K.PERCENT, 100 * value / whole[0], "%", whole[1]) if whole is not None and proper else None
    if text.startswith("分之", end):
        above = scan_number(text, end + 2)
        return (_K.PERCENT, 100 * above[0] / value, "%", above[1]) if above and value else None
    if text.startswith("个半", end):
        return _with_half_between(text, value, end)
    if text.startswith("分半", end) and not text.startswith("分半个", end):
        return _K.DURATION, value + 0.5, "分钟", end + 2 + text.startswith("钟", end + 2)
    if text.startswith(("分后", "分以后", "分之后", "分过后"), end):
        return _K.DURATION, value, "分钟", end + 1
    return None


def _with_half_between(text: str, value: float, end: int) -> _Reading:
    """一个半小时, 两个半钟头; 两个半 alone counts things."""
    unit = unit_at("个" + text[end + 2 : end + 6], 0)
    if unit is None or unit.kind is not _K.DURATION:
        return _K.COUNT, value + 0.5, "个", end + 2
    return unit.kind, (value + 0.5) * unit.factor, unit.unit, end + 1 + len(unit.word)


def _with_tail(text: str, value: float, end: int, unit: UnitWord) -> tuple[float, int]:
    """A half or a tenth said after the unit: 二十二度半, 一小时半, 七成五, 23度5."""
    tail = text[end : end + 1]
    following = text[end + 1 : end + 2]
    if tail == "半":
        return (value + 0.5, end + 1) if following not in _NOT_AFTER_HALF else (value, end)
    if tail in _TAIL_DIGITS and unit.word in ("度", "成"):
        free = following not in UNIT_STARTS and following not in NUMERAL_CHARACTERS and following not in _CLOCK_AFTER
        if free and not fixed_word_end(text, end):
            return round(value + _TAIL_DIGITS[tail] / 10, 6), end + 1
    return value, end


def _with_second_part(text: str, reading: _Reading) -> _Reading:
    """一小时三十分, 1h30min, 一个小时零五分钟: the whole counted in the smaller unit."""
    kind, value, unit, end = reading
    smaller = {"小时": "分钟", "分钟": "秒", "天": "小时"}.get(unit)
    if smaller is None or end >= len(text):
        return reading
    begin = end + 1 if text[end] in "零又加" else end
    scanned = scan_number(text, begin) if text[begin : begin + 1] in NUMERAL_CHARACTERS else None
    if scanned is None:
        return reading
    more, end = scanned
    word = unit_at(text, end)
    if word is not None and word.kind is _K.DURATION and word.unit == smaller:
        end += len(word.word)
    elif smaller == "分钟" and text.startswith("分", end) and not text.startswith("分之", end):
        end += 1
    else:
        return reading
    return kind, value * (24 if smaller == "小时" else 60) + more, smaller, end


def _fits(unit: UnitWord, value: float, following: str) -> bool:
    """Whether the unit word can be one here, by the number and by what follows (五成 but 成都; 4K is a screen)."""
    if unit.word == "成":
        return value <= 10 and following not in _NOT_AFTER_TENTHS
    if unit.kind is _K.KELVIN:
        return value >= _KELVIN_LEAST
    if unit.word == "刻":
        return value <= _QUARTERS and following in _AFTER_QUARTER
    if unit.word in ("周", "星期", "礼拜"):
        return following not in _WEEKDAYS
    if unit.word == "年":
        return value < _YEAR_LEAST
    return unit.word != "个" or following != "样"


def _bare(text: str, start: int, value: float, end: int) -> _Reading | None:
    following = text[end : end + 1]
    valued = following == "时" and text[max(0, start - 2) : start] in COMPARISONS
    if (following in _CLOCK_AFTER and not valued) or (end - start == 1 and text[start] in FORMAL_NUMERALS):
        return None
    if end - start == 1 and text[start] in "一两零〇○" and _BOUNDARY.match(text, end) is None:
        return None
    if following in ("K", "k") and value < _KELVIN_LEAST:
        return None
    return _K.NUMBER, value, "", end
