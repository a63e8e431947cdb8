"""`zhtext.normalise`: one spelling, and the way back to the original."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhtext.character_tables import character_tables
from zhtext.normalise import Normalised, encodable, fold, normalise

MIXED = st.text(
    alphabet=st.one_of(
        st.sampled_from("打开關燈臥室　 \t\n２６℃，,ＨＤ①㎡⾨ﬁ\u200b\u202e\ufeff后後著乾裡"),
        st.characters(),
        st.characters(categories=("Cs", "Cc", "Cf", "Zs")),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("打开客厅的灯", "打开客厅的灯"),
        ("打開著客廳的燈", "打开着客厅的灯"),
        ("三點鐘後關掉臥室檯燈", "三点钟后关掉卧室台灯"),
        ("空调调到２６℃", "空调调到26℃"),
        ("ＨＤＭＩ２，开！", "HDMI2，开！"),
        ("亮度５０％", "亮度50%"),
        ("  把　空调\t打开\n", "把 空调 打开"),
        ("\u200b开\u202e灯\ufeff", "开灯"),
        ("开灯﹐关灯｡", "开灯，关灯。"),
        ("⾨①", "门1"),
        ("著名的乾隆", "著名的乾隆"),
        ("\ud800开灯\x00", "开灯"),
        ("CCTV-5", "CCTV-5"),
        ("", ""),
    ],
)
def test_one_spelling(written: str, normalised: str) -> None:
    """Width, traditional and invisible characters, and white space come in one spelling (service.md: question)."""
    assert normalise(written).text == normalised


def test_clean_text_is_kept() -> None:
    """Text already clean comes back as the same object, without offsets."""
    text = "把客厅空调调到26度，谢谢。OK?"
    assert normalise(text).text is text
    assert normalise(text).offsets is None


@given(MIXED)
def test_idempotent(text: str) -> None:
    """A normalised text is already normalised."""
    once = normalise(text).text
    assert normalise(once) == Normalised(once)


def test_every_mapped_character_settles_at_once() -> None:
    """No entry of the table leads to a character that would itself be mapped."""
    tables = character_tables()
    unsettled = {chr(code) for code, written in tables.mapping.items() if normalise(written).text != written.strip()}
    assert not unsettled


@given(MIXED)
def test_offsets_point_to_the_origin(text: str) -> None:
    """Each normalised character points to an original one in order, which alone is normalised to contain it."""
    result = normalise(text)
    offsets = result.offsets if result.offsets is not None else tuple(range(len(text)))
    assert len(offsets) == len(result.text)
    assert list(offsets) == sorted(offsets)
    for character, offset in zip(result.text, offsets, strict=True):
        written = normalise(text[offset]).text
        assert character in written or character == " " or normalise("門" + text[offset]).text.endswith(character)


@given(MIXED, st.data())
def test_original_span(text: str, data: st.DataObject) -> None:
    """A span of the normalised text leads to a span of the original that is normalised to the same piece."""
    result = normalise(text)
    start = data.draw(st.integers(0, len(result.text)))
    end = data.draw(st.integers(start, len(result.text)))
    first, last = result.original_span(start, end)
    assert 0 <= first <= last <= len(text)
    if end > start and result.text[start:end] == text[first:last]:
        assert normalise(text[first:last]).text == result.text[start:end].strip()
    if start == end:
        assert first == last


def test_span_over_dropped_characters() -> None:
    """What was dropped inside a span belongs to the original span."""
    result = normalise("请\u200b打\u200b开 ２６度")
    start = result.text.index("26度")
    assert result.original_span(start, start + 3) == (6, 9)
    start = result.text.index("打开")
    assert result.original_span(start, start + 2) == (2, 5)


@given(st.text())
def test_fold_keeps_indexes(text: str) -> None:
    """Folding lowers ASCII letters and nothing else."""
    folded = fold(text)
    assert len(folded) == len(text)
    assert all(b == a or (a.isascii() and b == a.lower()) for a, b in zip(text, folded, strict=True))


def test_fold() -> None:
    """Letters of a device name compare without case."""
    assert fold("客厅TV") == "客厅tv"


def test_all_of_unicode() -> None:
    """No character makes it raise, and each keeps or leaves the text in one step."""
    text = "".join(map(chr, range(sys.maxunicode + 1)))
    once = normalise(text).text
    assert normalise(once).text == once


@given(MIXED)
def test_lone_surrogates_are_dropped(text: str) -> None:
    """A lone surrogate can be stored nowhere; without it every index and the reading stay."""
    written = encodable(text)
    assert written.encode().decode() == written
    assert (len(written), normalise(written).text) == (len(text), normalise(text).text)
    assert written is text or "\u200b" in written
