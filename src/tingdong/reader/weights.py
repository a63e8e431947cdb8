"""The reader's file `reader.bin` (`learned.packed`): matrices as signed bytes with a scale a row, vectors as floats."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tingdong.learned.packed import STEP, in_steps, pack, unpack
from tingdong.reader.inputs import Vocabulary
from tingdong.reader.slots import Alphabet

__all__ = ["Shape", "Trained", "Weights", "load", "save"]

Weight = NDArray[np.float32]
Weights = dict[str, Weight]
FILE, FORM = "reader.bin", "reader"


class Shape(msgspec.Struct, frozen=True):
    """Sizes of the network: width, layers of encoder and slots, heads, inner width of the feed-forward parts."""

    width: int
    encoder: int
    slots: int
    heads: int
    inner: int


class _Head(msgspec.Struct, frozen=True):
    shape: Shape
    vocabulary: Vocabulary
    alphabet: Alphabet
    words: str = ""


class Trained(msgspec.Struct, frozen=True):
    """What training left: everything that reading needs. `words`: of the word table it was trained with
    (`inputs.fingerprint`)."""

    shape: Shape
    vocabulary: Vocabulary
    alphabet: Alphabet
    weights: Weights
    words: str = ""


def save(folder: Path, trained: Trained) -> None:
    """Write the file."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in trained.weights.items():
        arrays |= {name: value} if value.ndim < 2 else in_steps(name, value)
    head = _Head(trained.shape, trained.vocabulary, trained.alphabet, trained.words)
    (folder / FILE).write_bytes(pack(FORM, head, arrays))


def load(folder: Path) -> Trained:
    """Read the file. Raises `OSError` when there is none, `DataError` when it is no such file."""
    head, arrays = unpack((folder / FILE).read_bytes(), FORM, _Head, name=FILE)
    weights = {}
    for name, stored in arrays.stored.items():
        if not name.endswith(STEP):
            shape = stored.shape
            weights[name] = arrays.take(name, *shape) if len(shape) < 2 else arrays.scaled(name, *shape)
    return Trained(head.shape, head.vocabulary, head.alphabet, weights, head.words)
