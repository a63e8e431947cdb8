"""`zhtext.numerals`: numerals as numbers, and back."""

from itertools import pairwise
from pathlib import Path

import cn2an
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from zhtext.numerals import find_numbers, parse_number, to_chinese

CORPUS = yaml.safe_load((Path(__file__).parent.parent / "corpus" / "numerals.yaml").read_text(encoding="utf-8"))
NUMERALISH = st.text(alphabet="零〇一二两三四五六七八九十百千万亿廿半幺俩点负第周0123456789.,-个度下样", max_size=30)


@pytest.mark.parametrize(("text", "value"), CORPUS["numbers"].items())
def test_numbers(text: str, value: float) -> None:
    """A numeral says its number (commands.md: values and counts)."""
    assert parse_number(text) == value


@pytest.mark.parametrize("text", CORPUS["no_numbers"])
def test_no_numbers(text: str) -> None:
    """Fixed words, estimates, weekdays and names hold no number."""
    assert find_numbers(text) == ()


@given(st.integers(0, 99_999_999))
def test_round_trip(number: int) -> None:
    """What is said is read again."""
    assert parse_number(to_chinese(number)) == number


@given(st.integers(-(10**16) + 1, 10**16 - 1))
def test_round_trip_of_large_numbers(number: int) -> None:
    """Also beyond the myriads, with the sign."""
    said = to_chinese(number)
    assert parse_number(said) == number


@given(st.integers(0, 9999), st.integers(0, 999))
def test_round_trip_of_decimals(whole: int, thousandths: int) -> None:
    """Decimals too."""
    number = whole + thousandths / 1000
    assert parse_number(to_chinese(number)) == pytest.approx(number)


@given(st.integers(0, 99_999_999))
def test_agrees_with_cn2an(number: int) -> None:
    """An independent converter says the same, and reads the same from what we say."""
    assert parse_number(cn2an.an2cn(number, "low")) == number
    assert cn2an.cn2an(to_chinese(number), "smart") == number


@given(st.integers(0, 99_999_999))
def test_reads_formal_numerals(number: int) -> None:
    """Formal numerals (壹佰贰拾) are read as well."""
    assert parse_number(cn2an.an2cn(number, "up")) == number


@given(st.one_of(NUMERALISH, st.text(max_size=40)))
def test_spans_are_ordered_and_do_not_overlap(text: str) -> None:
    """Spans lie in the text, in order, apart, and say what they are given as."""
    spans = find_numbers(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    parse_number(text)


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 10**16])
def test_unsayable(number: float) -> None:
    """What has no numeral is refused."""
    with pytest.raises(ValueError, match="numeral"):
        to_chinese(number)


def test_pieces_in_a_sentence() -> None:
    """Numbers are found where they stand."""
    text = "客厅二十六，卧室24.5"
    assert [(text[span.start : span.end], span.value) for span in find_numbers(text)] == [
        ("二十六", 26),
        ("24.5", 24.5),
    ]
