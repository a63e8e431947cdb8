"""`zhtext.quantities`: numbers with what they count."""

from itertools import pairwise
from pathlib import Path
from time import thread_time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from zhtext.durations import Duration, TimeUnit
from zhtext.quantities import QuantityKind, find_quantities, read_duration

CORPUS = yaml.safe_load((Path(__file__).parent.parent / "corpus" / "numerals.yaml").read_text(encoding="utf-8"))
WORDS = st.lists(
    st.sampled_from(
        [
            *"一二两三十百千半零俩第负个点度成档秒分钟天周月号楼盏K%C.0123456789- ℃",
            "百分之",
            "小时",
            "分之",
            "零下",
            "个半",
            "刻钟",
        ]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize(("text", "expected"), CORPUS["quantities"].items())
def test_quantities(text: str, expected: list[list[object]]) -> None:
    """Percent, degrees, durations, kelvins, gears, counts, ordinals, numbers (commands.md)."""
    found = [[text[q.start : q.end], q.kind.value, pytest.approx(q.value), q.unit] for q in find_quantities(text)]
    assert found == expected


@pytest.mark.parametrize("text", CORPUS["no_quantities"])
def test_no_quantities(text: str) -> None:
    """一点, 一下, references, estimates and clock times are no quantities."""
    assert find_quantities(text) == ()


@given(st.one_of(WORDS, st.text(max_size=40)))
def test_spans_are_ordered_and_do_not_overlap(text: str) -> None:
    """Never raises; spans lie in the text, in order, apart."""
    found = find_quantities(text)
    assert all(0 <= q.start < q.end <= len(text) for q in found)
    assert all(before.end <= after.start for before, after in pairwise(found))


@given(WORDS, st.integers(0, 20), st.integers(0, 20))
def test_taken_spans_are_left_alone(text: str, first: int, second: int) -> None:
    """What is read as a time is not read again."""
    start, end = sorted((first, second))
    for quantity in find_quantities(text, taken=[(start, end)]):
        assert not start <= quantity.start < end


def test_a_time_taken() -> None:
    """A caller passes the spans of the times it has read."""
    assert find_quantities("八点五十个灯", taken=[(0, 4)]) == ()
    assert [q.value for q in find_quantities("八点一刻三档", taken=[(0, 4)])] == [3]


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("一个半小时", Duration(1.5, TimeUnit.HOUR)),
        ("三刻钟后", Duration(45, TimeUnit.MINUTE)),
        ("26度", None),
        ("开灯", None),
        ("", None),
    ],
)
def test_read_duration(text: str, duration: Duration | None) -> None:
    """The length of time at a position, or None."""
    read = read_duration(text, 0)
    assert (read[0] if read else None) == duration


@pytest.mark.parametrize(
    ("duration", "said"),
    [
        (Duration(0.5, TimeUnit.HOUR), "30分钟后"),
        (Duration(1.5, TimeUnit.HOUR), "90分钟后"),
        (Duration(0.5, TimeUnit.MINUTE), "30秒后"),
        (Duration(1.5, TimeUnit.DAY), "36小时后"),
        (Duration(10, TimeUnit.MINUTE), "10分钟后"),
        (Duration(60, TimeUnit.MINUTE), "60分钟后"),
    ],
)
def test_delay_string(duration: Duration, said: str) -> None:
    """The unit as said, fractions in the next smaller one (commands.md, ACTION)."""
    assert duration.delay_string() == said


def test_reading_takes_linear_time() -> None:
    """Ten times the text takes about ten times as long, also where nothing can be read."""
    for piece in (
        "一二三四五六七八九十",
        "第第第",
        "百分之百分之",
        "1,1,1.1",
        "一一十",
        "半半个",
        "零下负零",
        "一百个半",
    ):
        find_quantities(piece * 20)
        short, long = (min(_seconds(piece * (size // len(piece))) for _ in range(3)) for size in (2_000, 20_000))
        assert long < 60 * short + 0.01


def _seconds(text: str) -> float:
    begin = thread_time()
    find_quantities(text)
    return thread_time() - begin


def test_kinds_are_covered() -> None:
    """The corpus shows every kind."""
    shown = {kind for rows in CORPUS["quantities"].values() for _, kind, _, _ in rows}
    assert shown == {kind.value for kind in QuantityKind}
