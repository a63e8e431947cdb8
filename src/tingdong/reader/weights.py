"""The reader's file `reader.npz`: weights as 16-bit floats, and under `head` everything else."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tingdong.reader.inputs import Vocabulary
from tingdong.reader.slots import Alphabet

__all__ = ["Shape", "Trained", "Weights", "load", "save"]

Weights = dict[str, NDArray[np.float32]]
FILE, HEAD = "reader.npz", "head"


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
    """Write the file. Every weight is stored as a 16-bit float."""
    folder.mkdir(parents=True, exist_ok=True)
    head = msgspec.json.encode(_Head(trained.shape, trained.vocabulary, trained.alphabet, trained.words))
    stored: dict[str, Any] = {name: value.astype(np.float16) for name, value in trained.weights.items()}
    stored[HEAD] = np.frombuffer(head, np.uint8)
    np.savez_compressed(folder / FILE, **stored)


def load(folder: Path) -> Trained:
    """Read the file. Raises `OSError` when there is none."""
    with np.load(folder / FILE) as stored:
        head = msgspec.json.decode(stored[HEAD].tobytes(), type=_Head)
        weights = {name: np.ascontiguousarray(stored[name], np.float32) for name in stored.files if name != HEAD}
    return Trained(head.shape, head.vocabulary, head.alphabet, weights, head.words)
