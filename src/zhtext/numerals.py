"""Chinese and Arabic numerals as numbers, and back (values and counts of commands.md).

One scanner, `scan_number`, reads the longest numeral that starts at a position; everything else stands on it. What a
numeral *means* (a percentage, a clock time, a floor) is decided by `quantities` and `clock`.

A numeral character inside a fixed word (三轮车, 万一, 百叶窗, 一下) is no number: `numeral_words` lists these words.
Left to the caller, because only the sentence can tell: 一 before a verb (电视一关), a count that is part of a name
(三号线), and idioms that are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from zhtext.numeral_words import ends_fixed_word, fixed_word_end
from zhtext.patterns import LazyPattern
from zhtext.remembering import remembered

DIGITS: Final = {
    "零": 0, "〇": 0, "○": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "幺": 1, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8, "玖": 9,
}  # fmt: skip
_UNITS: Final = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000, "万": 10_000, "亿": 100_000_000}
_WHOLE_WORDS: Final = {"俩": 2, "仨": 3}
_TWENTIES: Final = {"廿": "二十", "卅": "三十"}

_D = "[一二两三四五六七八九壹贰叁肆伍陆柒捌玖]"
_ZERO = "[零〇○]"
_TENS = f"(?:{_D}?[十拾]{_D}?|[廿卅]{_D}?|{_D})"
_HUNDREDS = f"(?:{_D}[百佰](?:{_ZERO}{_D}|{_TENS})?|{_TENS})"
_THOUSANDS = f"(?:{_D}[千仟](?:{_ZERO}{_TENS}|{_HUNDREDS})?|{_HUNDREDS})"
_SECTION = LazyPattern(_THOUSANDS)
_NEXT_SECTION = LazyPattern(f"{_ZERO}?{_THOUSANDS}")
_DIGIT_RUN = LazyPattern(f"[{''.join(DIGITS)}]{{2,16}}")
_ARABIC = LazyPattern(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_ARABIC_RUN = LazyPattern(r"[0-9](?:[0-9.,]{0,62}[0-9])?")
_WEEKDAY = LazyPattern("(?:周|星期|礼拜)[一二三四五六日天]")
_BEFORE_WEEKDAY: Final = frozenset("周期拜")
_ESTIMATE_STARTS: Final = frozenset("几多余来")
_ESTIMATE = LazyPattern("[几多余](?![少媒])|来[个天度分秒盏台岁块米只次]")
_DECIMALS = LazyPattern("点([零〇○一二三四五六七八九]{1,15})(?![十刻分])")
_ZEROS: Final = frozenset("零〇○")
_ASCII_DIGITS: Final = frozenset("0123456789")
_MAX_DIGITS: Final = 15
"""Longer runs are identifiers, not amounts (and floats could not hold them)."""

FORMAL_NUMERALS: Final = frozenset("壹贰叁肆伍陆柒捌玖拾佰仟")
"""Alone they are words or surnames (队伍, 陆医生)."""

NUMERAL_CHARACTERS: Final = frozenset("0123456789" + "".join((*DIGITS, *_UNITS, *_WHOLE_WORDS, *_TWENTIES)))
NUMERAL_START: Final = LazyPattern(f"[{''.join(sorted(NUMERAL_CHARACTERS))}]")


class NumberSpan(msgspec.Struct, frozen=True):
    """A number found in a text: `text[start:end]` says `value`."""

    start: int
    end: int
    value: float | int


def parse_number(text: str) -> float | int | None:
    """The number a whole string says, or None: 二十四点五 → 24.5, 两百五 → 250, 3万 → 30000, 半 → 0.5, 负五 → -5."""
    text = text.strip()
    if text == "半":
        return 0.5
    sign = 1
    if text[:1] in ("-", "−", "负", "+"):
        sign = 1 if text[0] == "+" else -1
        text = text[1:]
    scanned = scan_number(text, 0)
    if scanned is None or scanned[1] != len(text):
        return None
    return sign * scanned[0]


def find_numbers(text: str) -> tuple[NumberSpan, ...]:
    """Every number in the text, left to right; fixed words (三轮车) and estimates (三四个) are left out."""
    return tuple(NumberSpan(start, end, value) for start, end, value in _numbers(text))


def _numbers(text: str) -> Iterator[tuple[int, int, float | int]]:
    position = 0
    while (match := NUMERAL_START.search(text, position)) is not None:
        start = match.start()
        position = unreadable_until(text, start)
        if position:
            continue
        scanned = scan_number(text, start)
        word_end = fixed_word_end(text, start)
        if scanned is None or word_end >= scanned[1]:
            position = max(word_end, numeral_run_end(text, start))
            continue
        value, position = scanned
        lone_formal = position - start == 1 and text[start] in FORMAL_NUMERALS
        if not lone_formal and not is_estimate(text, position):
            yield start, position, value


def unreadable_until(text: str, start: int) -> int:
    """The end of a numeral at `start` that is part of a name or word (HDMI2, 周三, 统一), or 0 where it may be read."""
    before = text[start - 1] if start else ""
    if text[start] in _ASCII_DIGITS:
        end = _ARABIC_RUN.match(text, start).end()  # type: ignore[union-attr]  # the caller stands on a digit
        name = before.isascii() and before.isalpha()
        return end if name or end - start > _MAX_DIGITS else 0
    if before in _BEFORE_WEEKDAY and _WEEKDAY.match(text, start - 1 if before == "周" else start - 2) is not None:
        return start + 1
    return start + 1 if ends_fixed_word(text, start) else 0


def numeral_run_end(text: str, start: int) -> int:
    """Where to go on behind a numeral character at `start` that begins no number: behind a run of digits (三四个)."""
    run = _DIGIT_RUN.match(text, start)
    return run.end() if run else start + 1


def is_estimate(text: str, end: int) -> bool:
    """Whether the numeral that ends here is only an estimate: 二十几度, 三十多个, 十来天."""
    return text[end : end + 1] in _ESTIMATE_STARTS and _ESTIMATE.match(text, end) is not None


def scan_number(text: str, start: int) -> tuple[float | int, int] | None:
    """The value and the end of the longest numeral starting at `start`, or None. Never reads a sign or 半."""
    character = text[start : start + 1]
    if character in _ASCII_DIGITS:
        return _scan_arabic(text, start)
    if character in _WHOLE_WORDS:
        return _WHOLE_WORDS[character], start + 1
    run = _DIGIT_RUN.match(text, start)
    doubled = run is not None and run.end() - start == 2 and character == text[start + 1]
    if doubled and (character == "两" or text[start + 2 : start + 3] == "十"):
        return scan_number(text, start + 1)  # 两两个小时, 三三十度: a stammer
    if run is not None and text[run.end() : run.end() + 1] not in _UNITS:
        return _scan_digit_run(text, run)
    end = _grammatical_end(text, start)
    return _with_decimals(text, _evaluate(text[start:end]), end) if end else None


def _grammatical_end(text: str, start: int) -> int:
    """The end of the longest well-formed numeral (sections below 10,000 joined by 亿 once and 万), or 0."""
    section = _SECTION.match(text, start)
    if section is None:
        return start + 1 if text[start : start + 1] in _ZEROS else 0
    end = section.end()
    allowed = "万亿"
    hundred_millions = False
    while (unit := text[end : end + 1]) and unit in allowed:
        end += 1
        hundred_millions = hundred_millions or unit == "亿"
        allowed = "万" if unit == "亿" else "" if hundred_millions else "亿"
        section = _NEXT_SECTION.match(text, end)
        if section is not None:
            end = section.end()
        elif unit == "亿":
            break
    return end


def _scan_arabic(text: str, start: int) -> tuple[float | int, int] | None:
    match = _ARABIC.match(text, start)
    if match is None or match.end() - start > _MAX_DIGITS:
        return None
    digits = match.group().replace(",", "")
    value = float(digits) if "." in digits else int(digits)
    end = match.end()
    factor = _UNITS.get(text[end : end + 1], 0)
    if factor > 10 and not fixed_word_end(text, end):  # 3百叶窗 is not 300
        return _whole(value * factor), end + 1
    return value, end


def _scan_digit_run(text: str, run: re.Match[str]) -> tuple[float | int, int] | None:
    """Digits read one by one: 二零二六, 幺二零, 零五."""
    digits = run.group()
    if len(digits) > _MAX_DIGITS:
        return None
    values = [DIGITS[digit] for digit in digits]
    if len(values) == 2 and values[0] and (values[1] - values[0] == 1 or digits == "三五"):
        return None  # 三四个, 三五分钟: estimates
    return _with_decimals(text, int("".join(map(str, values))), run.end())


def _with_decimals(text: str, value: int, end: int) -> tuple[float | int, int]:
    if text[end : end + 1] != "点" or (decimals := _DECIMALS.match(text, end)) is None:
        return value, end
    exact = float(f"{value}." + "".join(str(DIGITS[digit]) for digit in decimals[1]))
    end = decimals.end()
    factor = _UNITS.get(text[end : end + 1], 0)
    return (_whole(exact * factor), end + 1) if factor >= 10_000 else (exact, end)


@remembered(4096)
def _evaluate(numeral: str) -> int:
    """The value of a well-formed numeral; a last digit after 百, 千, 万 counts the next lower unit: 两百五, 一万二."""
    total = section = digit = 0
    unit = 1
    for character in numeral:
        if character in _TWENTIES:
            section, unit = section + (20 if character == "廿" else 30), 10
        elif character in DIGITS:
            digit = DIGITS[character]
            unit = unit if digit else 1  # after 零 the next digit is literal
        elif (factor := _UNITS[character]) < 10_000:
            section, digit, unit = section + (digit or 1) * factor, 0, factor
        elif factor == 10_000:
            total, section, digit, unit = total + (section + digit) * factor, 0, 0, factor
        else:
            total, section, digit, unit = (total + section + digit) * factor, 0, 0, factor
    return total + section + digit * (unit // 10 if unit >= 100 else 1)


def _whole(value: float) -> float | int:
    if isinstance(value, int):
        return value
    rounded = round(value, 9)
    return int(rounded) if rounded.is_integer() else rounded


def to_chinese(number: float | int) -> str:
    """The number as it is said: 12 → 十二, 105 → 一百零五, 24.5 → 二十四点五, -3 → 负三.

    Raises:
        ValueError: for infinities, NaN, and magnitudes of 10**16 and more.
    """
    if number != number or abs(number) >= 10**16:
        raise ValueError(f"cannot be written as a Chinese numeral: {number}")
    if number < 0:
        return "负" + to_chinese(-number)
    whole, _, decimals = f"{number:.9f}".rstrip("0").rstrip(".").partition(".") if isinstance(number, float) else (
        str(number), "", "")  # fmt: skip
    said = _say_whole(int(whole))
    return said + ("点" + "".join("零一二三四五六七八九"[int(digit)] for digit in decimals) if decimals else "")


def _say_whole(number: int) -> str:
    if not number:
        return "零"
    said = ""
    for unit, name in ((10**8, "亿"), (10**4, "万")):
        high, number = divmod(number, unit)
        if high:
            said += ("零" if said and high < 1000 else "") + _say_whole(high) + name
    if number:
        said += ("零" if said and number < 1000 else "") + _say_section(number, leading=not said)
    return said


def _say_section(number: int, *, leading: bool) -> str:
    said = ""
    pending_zero = False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            bare_ten = leading and not said and unit == 10 and digit == 1
            said += ("零" if pending_zero else "") + ("" if bare_ten else "零一二三四五六七八九"[digit]) + name
        pending_zero = bool(said) and not digit
    return said
