"""A linear model over character n-grams and signals, as the front desk classifies by (hospital.md, Class,
"可替换为分类模型").

Features of a text are its character n-grams (one to three, `^` and `$` at the ends) and names given by the rules
(`@signal`, `#candidate`). A model file (`packed`) holds a matrix of signed bytes, one row a feature and one column a
label, and the scale of them all. `make train-dialogue` writes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

from tingdong.learned.packed import STEPS, NamedFeatures, pack, read, unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORM = "linear"


def ngrams(text: str) -> set[str]:
    """Character n-grams of one to three characters, with marks for both ends."""
    marked = f"^{text}$"
    pairs = list(map(add, marked, marked[1:]))
    return {*marked, *pairs, *map(add, pairs, marked[2:])}


class LinearModel:
    """Weights of one task; `probabilities` scores a set of features."""

    def __init__(
        self, labels: tuple[str, ...], features: Sequence[str], weights: NDArray[np.int8], scale: float
    ) -> None:
        self.labels = labels
        self._rows = dict(zip(features, range(len(features)), strict=True))
        self._weights = weights
        self._scale = scale

    def probabilities(self, features: Iterable[str]) -> dict[str, float]:
        """Probability of each label; features the model has not seen count for nothing."""
        rows = [row for row in map(self._rows.get, features) if row is not None]
        if not rows:
            return dict.fromkeys(self.labels, 1 / len(self.labels))
        totals: list[int] = self._weights[rows].sum(axis=0, dtype=int).tolist()
        factor = self._scale / math.sqrt(len(rows))
        highest = max(totals)
        powers = [math.exp((total - highest) * factor) for total in totals]
        whole = sum(powers)
        return {label: power / whole for label, power in zip(self.labels, powers, strict=True)}

    def leanings(self, label: str, other: str) -> dict[str, float]:
        """For a model of two labels: the weight of each feature towards `label`, to be summed without arrays."""
        column, against = self.labels.index(label), self.labels.index(other)
        differences = (self._weights[:, column].astype(int) - self._weights[:, against]) * self._scale
        return dict(zip(self._rows, differences.tolist(), strict=True))


@cache
def load(path: Path) -> LinearModel:
    """Read a model file, once.

    Raises:
        DataError: the file cannot be read or does not have the layout of a model file.
    """
    return parse(read(path), name=path.name)


def parse(raw: bytes, *, name: str = "model") -> LinearModel:
    """A model from the bytes of its file; `name` is used in error messages.

    Raises:
        DataError: the bytes do not have the layout of a model file.
    """
    head, arrays = unpack(raw, FORM, NamedFeatures, name=name)
    weights = arrays.take("weights", len(head.features), len(head.labels))
    return LinearModel(head.labels, head.features, weights, float(arrays.take("scale")))


def dump(labels: tuple[str, ...], features: Sequence[str], weights: NDArray[np.float32]) -> bytes:
    """A model file's bytes; weights are rounded to signed bytes of the largest weight's scale."""
    import numpy as np

    scale = float(np.abs(weights).max()) / STEPS
    matrix = np.round(weights / scale).astype(np.int8)
    return pack(FORM, NamedFeatures(labels, tuple(features)), {"weights": matrix, "scale": np.array(scale)})
