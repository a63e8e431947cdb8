"""The reader's file `reader.npz`: matrices as signed bytes with a scale a row, vectors as 32-bit floats, and the
rest under `head`."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tingdong.reader.inputs import Vocabulary
from tingdong.reader.slots import Alphabet

__all__ = ["Shape", "Trained", "Weights", "load", "save"]

Weight = NDArray[np.float32]
Weights = dict[str, Weight]
FILE, HEAD, SCALE = "reader.npz", "head", ".scale"
STEPS = 127


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
    """Write the file. Of a matrix each row is stored in 255 steps of its largest weight."""
    folder.mkdir(parents=True, exist_ok=True)
    head = msgspec.json.encode(_Head(trained.shape, trained.vocabulary, trained.alphabet, trained.words))
    stored: dict[str, Any] = {HEAD: np.frombuffer(head, np.uint8)}
    for name, value in trained.weights.items():
        if value.ndim < 2:
            stored[name] = value
        else:
            stored[name], stored[name + SCALE] = in_steps(value)
    np.savez_compressed(folder / FILE, **stored)


def in_steps(matrix: Weight) -> tuple[NDArray[np.int8], Weight]:
    """The rows (along the first axis) in whole steps, and how large the step of each is; a row of zeros stays one."""
    largest = np.abs(matrix).max(axis=tuple(range(1, matrix.ndim)), keepdims=True)
    step = (np.maximum(largest, np.finfo(np.float32).tiny * STEPS) / STEPS).astype(np.float32)
    return np.rint(matrix / step).astype(np.int8), step


def load(folder: Path) -> Trained:
    """Read the file. Raises `OSError` when there is none."""
    with np.load(folder / FILE) as stored:
        head = msgspec.json.decode(stored[HEAD].tobytes(), type=_Head)
        weights = {
            name: np.ascontiguousarray(stored[name] * stored[name + SCALE] if name + SCALE in stored else stored[name],
                                       np.float32)
            for name in stored.files
            if name != HEAD and not name.endswith(SCALE)
        }  # fmt: skip
    return Trained(head.shape, head.vocabulary, head.alphabet, weights, head.words)
