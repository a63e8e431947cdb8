"""The file of a learned model: what goes in comes out, and whatever is no such file is one error that names it."""

import zlib

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.errors import DataError
from tingdong.learned.packed import NamedFeatures, in_steps, pack, unpack

HEAD = NamedFeatures(("a", "b"), ("x", "y\n", "^一"))


def file(**arrays: np.ndarray) -> bytes:
    return pack("linear", HEAD, arrays)


def test_packing_is_reversible_and_deterministic() -> None:
    """Features may be any text, arrays of any of the kinds; scalars keep all their figures."""
    arrays = {
        "weights": np.arange(-3, 3, dtype=np.int8).reshape(3, 2),
        "scale": np.array(0.1),
        "none": np.zeros(0, "<f4"),
    }
    raw = file(**arrays)
    head, found = unpack(raw, "linear", NamedFeatures, name="m.bin")
    assert head == HEAD
    assert found.take("weights", 3, -1).tolist() == arrays["weights"].tolist()
    assert float(found.take("scale")) == 0.1
    assert found.take("none", 0).dtype == np.float32
    assert raw == file(**arrays)


@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=4, max_size=4), min_size=1, max_size=5))
def test_a_matrix_in_steps_is_off_by_half_a_step_at_most(rows: list[list[float]]) -> None:
    """255 steps of the largest number of its row; a row of zeros stays one."""
    matrix = np.array(rows, np.float32)
    _, found = unpack(file(**in_steps("m", matrix)), "linear", NamedFeatures, name="m.bin")
    half = np.abs(matrix).max(1, keepdims=True) / 127 * 0.5001 + 1e-30
    assert (np.abs(found.scaled("m", -1, 4) - matrix) <= half).all()


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: raw[:-1],
        lambda raw: raw + b"x",
        lambda raw: b'{"labels": ["a"]}\n' + raw,
        lambda raw: zlib.compress(b"\xc1"),
        lambda raw: zlib.compress(msgspec.msgpack.encode({"form": "linear", "head": [1], "arrays": {}})),
        lambda raw: zlib.compress(zlib.decompress(raw).replace(b"|i1", b"|O1")),
        lambda raw: zlib.compress(zlib.decompress(raw).replace(b"\x92\x03\x02", b"\x92\x03\x05")),
    ],
)
def test_every_broken_file_is_the_same_error(damage: object) -> None:
    """Law: a value that exists is valid. The error names the file."""
    raw = file(weights=np.ones((3, 2), np.int8))
    with pytest.raises(DataError, match=r"m\.bin: not a model file"):
        unpack(damage(raw), "linear", NamedFeatures, name="m.bin")  # type: ignore[operator]


def test_another_model_or_shape_is_refused() -> None:
    """A file of another form, a missing array and one of another shape are told apart."""
    raw = file(weights=np.ones((3, 2), np.int8))
    with pytest.raises(DataError, match="expected chain, got linear"):
        unpack(raw, "chain", NamedFeatures, name="m.bin")
    _, arrays = unpack(raw, "linear", NamedFeatures, name="m.bin")
    for name, shape in (("other", (3, 2)), ("weights", (3,)), ("weights", (3, 3))):
        with pytest.raises(DataError, match=r"m\.bin: not a model file"):
            arrays.take(name, *shape)
