"""The reader's files: `reader.json` (shape, vocabulary, symbols) and `reader.npz` (weights as 16-bit floats)."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tingdong.reader.inputs import Vocabulary
from tingdong.reader.symbols import Symbols

__all__ = ["Shape", "Trained", "Weights", "load", "save"]

Weights = dict[str, NDArray[np.float32]]
HEAD, BODY = "reader.json", "reader.npz"


class Shape(msgspec.Struct, frozen=True):
    """Sizes of the network: width, layers of encoder and decoder, heads, inner width of the feed-forward parts."""

    width: int
    encoder: int
    decoder: int
    heads: int
    inner: int


class _Head(msgspec.Struct, frozen=True):
    shape: Shape
    vocabulary: Vocabulary
    symbols: Symbols


class Trained(msgspec.Struct, frozen=True):
    """What training left: everything that reading needs. Of each weight there is one a network: (networks, …)."""

    shape: Shape
    vocabulary: Vocabulary
    symbols: Symbols
    weights: Weights


def save(folder: Path, trained: "Trained") -> None:
    """Write both files. Every weight is stored as a 16-bit float."""
    folder.mkdir(parents=True, exist_ok=True)
    head = msgspec.json.format(msgspec.json.encode(_Head(trained.shape, trained.vocabulary, trained.symbols)), indent=0)
    (folder / HEAD).write_bytes(head + b"\n")
    small: dict[str, Any] = {name: value.astype(np.float16) for name, value in trained.weights.items()}
    np.savez_compressed(folder / BODY, **small)


def load(folder: Path) -> Trained:
    """Read both files. Raises `OSError` when there are none."""
    head = msgspec.json.decode((folder / HEAD).read_bytes(), type=_Head)
    with np.load(folder / BODY) as stored:
        weights = {name: np.ascontiguousarray(stored[name], np.float32) for name in stored.files}
    return Trained(head.shape, head.vocabulary, head.symbols, weights)
