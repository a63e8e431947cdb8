"""`zhtext.sound` and `zhtext.ngram`: likeness of sound and of writing."""

import subprocess
import sys

import numpy as np
import pypinyin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhtext.ngram import NGramEmbedder
from zhtext.sound import readings, sound_key, sounds_like, syllables

HANZI = st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), max_size=8)
COMMON = [bytes((row, column)).decode("gb2312") for row in range(0xB0, 0xD7) for column in range(0xA1, 0xFA)]


def test_agrees_with_pypinyin() -> None:
    """Every common character is read first as an independent table reads it."""
    differing = [c for c in COMMON if syllables(c)[0] != pypinyin.lazy_pinyin(c, v_to_u=False)[0]]
    assert not differing


def test_heteronyms() -> None:
    """A character keeps its other readings."""
    assert set(readings("长")) >= {"chang2", "zhang3"}
    assert readings("A") == ("a",)


def test_syllables() -> None:
    """One syllable a character, white space left out."""
    assert syllables("客厅 灯") == ("ke", "ting", "deng")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("灯", "登"),
        ("只能", "智能"),
        ("南", "兰"),
        ("湖", "扶"),
        ("三", "山"),
        ("音", "英"),
        ("船", "床"),
        ("神", "生"),
    ],
)
def test_usual_confusions_share_a_key(first: str, second: str) -> None:
    """Merged: zh/z, ch/c, sh/s, n/l, f/h, an/ang, en/eng, in/ing."""
    assert sound_key(first) == sound_key(second)
    assert sounds_like(first, second) > 0.85


def test_order_of_likeness() -> None:
    """The same sound is nearest, then a confusion, then half a syllable, then another word."""
    likeness = [sounds_like("客厅灯", other) for other in ("客厅灯", "客厅登", "客庭登", "客听蹲", "书房扇")]
    assert likeness == sorted(likeness, reverse=True)
    assert likeness[0] == 1
    assert likeness[-1] < 0.4


@given(HANZI, HANZI)
def test_likeness_is_symmetric(first: str, second: str) -> None:
    """From 0 to 1, 1 for equal texts, and the same in both directions."""
    assert 0 <= sounds_like(first, second) <= 1
    assert sounds_like(first, second) == pytest.approx(sounds_like(second, first))
    assert sounds_like(first, first) == 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_text_raises(first: str, second: str) -> None:
    """No text makes it raise."""
    assert 0 <= sounds_like(first, second) <= 1
    sound_key(first)


@given(st.lists(st.text(max_size=20), max_size=5), st.integers(1, 300))
def test_embedding_shape(texts: list[str], dims: int) -> None:
    """Rows of length 1 (0 for an empty text), float32, in order."""
    rows = NGramEmbedder(dims).embed(texts)
    assert rows.shape == (len(texts), dims)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert all(abs(length - 1) < 1e-5 or length == 0 for length in lengths)


def test_likeness_of_writing() -> None:
    """Texts that share pieces are nearer than texts that do not."""
    rows = NGramEmbedder().embed(["客厅主灯", "客厅灯", "卧室窗帘"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


def test_same_in_every_process() -> None:
    """The hash seed of the process does not matter."""
    program = "from zhtext.ngram import NGramEmbedder; print(NGramEmbedder(16).embed(['客厅灯']).tolist())"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_dims_are_checked() -> None:
    """No vector without room."""
    with pytest.raises(ValueError, match="dims"):
        NGramEmbedder(0)


def test_package_is_light() -> None:
    """Importing the package loads no numpy and reads no file of its own; every exported name is there."""
    program = (
        "import sys, zhtext; assert 'numpy' not in sys.modules; assert 'zhtext.clock' not in sys.modules;"
        "[getattr(zhtext, name) for name in zhtext.__all__]; assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
