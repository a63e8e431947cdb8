"""A chain of stretches and what each is, weighed jointly: a linear-chain conditional random field.

A label is a class, or a class that goes on (`goes_on` of a label: `I-x` behind `B-x`). The score of a label is what the
features of its stretch weigh for its class, and for going on; labels side by side have a score of their own. The file
(`packed`) holds features × classes as signed bytes, and starts and pairs of labels as 32-bit floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tingdong.learned.packed import STEPS, NamedFeatures, pack, read, unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORM = "chain"
BEGINS, GOES_ON = "B-", "I-"
NEVER = -1e4
"""Score of what cannot be."""


def labels_of(tasks: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """The labels of some task classes, which may go on over several stretches, and of others, which do not."""
    return (*(f"{how}{task}" for task in tasks for how in (BEGINS, GOES_ON)), *others)


def class_of(label: str) -> str:
    """The class of a label."""
    return label.removeprefix(BEGINS).removeprefix(GOES_ON)


class ChainWeights(NamedTuple):
    """The weights of a chain, as the module describes them."""

    labels: tuple[str, ...]
    features: list[str]
    emission: NDArray[np.float32]
    start: NDArray[np.float32]
    pairs: NDArray[np.float32]


def softened(weights: ChainWeights, temperature: float) -> ChainWeights:
    """The weights divided by a temperature: same decisions, lower confidence."""
    parts = (weights.emission, weights.start, weights.pairs)
    emission, start, pairs = (part / temperature for part in parts)
    return weights._replace(emission=emission, start=start, pairs=pairs)


def spread(labels: Sequence[str]) -> NDArray[np.float32]:
    """Which columns of the emission a label sums: its class, and the last one where it goes on."""
    import numpy as np

    classes = list(dict.fromkeys(map(class_of, labels)))
    matrix = np.zeros((len(classes) + 1, len(labels)), dtype=np.float32)
    for column, label in enumerate(labels):
        matrix[classes.index(class_of(label)), column] = 1
        matrix[-1, column] = label.startswith(GOES_ON)
    return matrix


def barred(labels: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """`NEVER` for labels that cannot be first, and for pairs that cannot follow each other."""
    import numpy as np

    goes_on = [label.startswith(GOES_ON) for label in labels]
    start = np.where(goes_on, NEVER, 0).astype(np.float32)
    pairs = np.zeros((len(labels), len(labels)), dtype=np.float32)
    for column, label in enumerate(labels):
        if goes_on[column]:
            pairs[:, column] = [0 if class_of(before) == class_of(label) else NEVER for before in labels]
    return start, pairs


class LabelChain:
    """A trained chain; `read` tells the likeliest labels of some stretches and how likely each is."""

    def __init__(self, weights: ChainWeights) -> None:
        self.labels: tuple[str, ...] = weights.labels
        self._classes = tuple(map(class_of, weights.labels))
        self._column = {label: column for column, label in enumerate(weights.labels)}
        self._rows = dict(zip(weights.features, range(len(weights.features)), strict=True))
        self._emission = weights.emission
        # Where no label goes on, each is a class of its own.
        self._spread = spread(weights.labels) if any(label != class_of(label) for label in weights.labels) else None
        start, pairs = barred(weights.labels)
        self._start, self._pairs = weights.start + start, weights.pairs + pairs

    def scores(self, stretches: Sequence[Iterable[str]]) -> NDArray[np.float32]:
        """A row a stretch, a column a label."""
        import numpy as np

        rows, add = [], np.add.reduce  # what `sum` of an array calls
        for features in stretches:
            # In one order, since sums of floats depend on it: a set has another one in each process.
            known = sorted([row for row in map(self._rows.get, features) if row is not None])
            rows.append(add(self._emission.take(known, axis=0), axis=0))
        scores = np.array(rows, dtype=np.float32)
        return scores[:, :-1] if self._spread is None else scores @ self._spread

    def read(
        self,
        stretches: Sequence[Iterable[str]],
        *,
        without: Iterable[str] = (),
        known: Mapping[int, str] = MappingProxyType({}),
    ) -> list[tuple[str, dict[str, float]]]:
        """For each stretch the label of the most probable chain, and the probability of each class. Labels in `without`
        are excluded; `known` stretches have a fixed label."""
        import numpy as np

        scores = self.scores(stretches)
        if ruled_out := [self._column[label] for label in without if label in self._column]:
            scores[:, ruled_out] = NEVER
        for place, label in known.items():
            scores[place] = NEVER
            scores[place, self._column[label]] = 0
        best, back = self._start + scores[0], []
        if len(scores) == 1:
            return [self._alone(best.tolist())]
        ahead = [best]
        for row in scores[1:]:
            ways = best[:, None] + self._pairs
            back.append(ways.argmax(axis=0))
            best = ways.max(axis=0) + row
            ahead.append(_log_sum(ahead[-1][:, None] + self._pairs) + row)
        path = [int(best.argmax())]
        for way in reversed(back):
            path.append(int(way[path[-1]]))
        behind = [np.zeros(len(self.labels), dtype=np.float32)]
        for row in scores[:0:-1]:
            behind.append(_log_sum((self._pairs + row + behind[-1]).T))
        whole = _log_sum(ahead[-1][:, None])
        found = []
        for column, left, right in zip(path[::-1], ahead, behind[::-1], strict=True):
            chances: dict[str, float] = {}
            for name, chance in zip(self._classes, np.exp(left + right - whole).tolist(), strict=True):
                chances[name] = chances.get(name, 0.0) + chance
            found.append((self.labels[column], chances))
        return found

    def _alone(self, scores: list[float]) -> tuple[str, dict[str, float]]:
        """The same for a single stretch, the usual case."""
        most = max(scores)
        shares = [math.exp(score - most) for score in scores]
        whole, chances = sum(shares), dict[str, float]()
        for name, share in zip(self._classes, shares, strict=True):
            chances[name] = chances.get(name, 0.0) + share / whole
        return self.labels[scores.index(most)], chances


def _log_sum(ways: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    most = np.maximum.reduce(ways, axis=0)
    summed: NDArray[np.float32] = most + np.log(np.add.reduce(np.exp(ways - most), axis=0))
    return summed


def dump(weights: ChainWeights) -> bytes:
    """A file's bytes; the emission is rounded to signed bytes of the largest weight's scale."""
    import numpy as np

    scale = float(np.abs(weights.emission).max()) / STEPS
    matrix = np.round(weights.emission / scale).astype(np.int8)
    floats = {"start": weights.start.astype(np.float32), "pairs": weights.pairs.astype(np.float32)}
    return pack(FORM, NamedFeatures(weights.labels, tuple(weights.features)),
                {"emission": matrix, "scale": np.array(scale), **floats})  # fmt: skip


def parse(raw: bytes, *, name: str = "chain") -> LabelChain:
    """A chain from the bytes of its file.

    Raises:
        DataError: the bytes do not have the layout of such a file.
    """
    import numpy as np

    head, arrays = unpack(raw, FORM, NamedFeatures, name=name)
    labels, size = head.labels, len(head.labels)
    classes = len({class_of(label) for label in labels}) + 1
    emission = arrays.take("emission", len(head.features), classes).astype(np.float32) * float(arrays.take("scale"))
    start, pairs = arrays.take("start", size), arrays.take("pairs", size, size)
    return LabelChain(ChainWeights(labels, list(head.features), emission, start, pairs))


@cache
def load(path: Path) -> LabelChain:
    """Read a chain's file, once. Raises `DataError` when it cannot be read or is none."""
    return parse(read(path), name=path.name)
