"""Fitting a linear model: multinomial logistic regression with an L2 penalty, by Adam, a fixed number of steps.

In full batches where examples are few, in small ones where they are many and alike. The same examples give the same
weights (`statistics` reads them).
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Example = tuple[set[str], str]
"""Features and label."""

_STEPS = 300
_RATE = 0.05
_PENALTY = 0.003
_LEAST_WEIGHT = 0.004
_PASSES = 8
"""Times that all examples are seen in small batches."""
_AVERAGED = 4
"""The last of these, over whose steps the weights are averaged: what the order of the batches does to them goes."""


class Matrix(NamedTuple):
    """A sparse matrix, as places of its entries: once by row, once by column."""

    columns: NDArray[np.intp]
    values: NDArray[np.float32]
    row_starts: NDArray[np.intp]
    by_column: NDArray[np.intp]
    rows_by_column: NDArray[np.intp]
    column_starts: NDArray[np.intp]
    present: NDArray[np.intp]

    def times(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """The matrix times a dense one with a row a column."""
        import numpy as np

        summed = np.add.reduceat(weights[self.columns] * self.values[:, None], self.row_starts)
        return summed.astype(np.float32)

    def transposed_times(self, errors: NDArray[np.float32], columns: int) -> NDArray[np.float32]:
        """The transposed matrix, of so many columns, times a dense one with a row a row."""
        import numpy as np

        entries = errors[self.rows_by_column] * self.values[self.by_column, None]
        summed = np.zeros((columns, errors.shape[1]), dtype=np.float32)
        summed[self.present] = np.add.reduceat(entries, self.column_starts)
        return summed


def matrix(examples: list[Example], column: dict[str, int], *, unit: bool = True) -> Matrix:
    """Rows of unit length, or of ones; every example has a feature of its own."""
    import numpy as np

    rows = [sorted(column[feature] for feature in features if feature in column) for features, _ in examples]
    lengths = np.array([len(row) for row in rows])
    columns = np.concatenate([np.array(row, dtype=np.intp) for row in rows])
    order = np.argsort(columns, kind="stable")
    present, starts = np.unique(columns[order], return_index=True)
    return Matrix(
        columns,
        np.repeat(1 / np.sqrt(lengths) if unit else np.ones(len(rows)), lengths).astype(np.float32),
        np.concatenate([[0], np.cumsum(lengths)[:-1]]),
        order,
        np.repeat(np.arange(len(rows)), lengths)[order],
        starts,
        present,
    )


def fit(
    examples: list[Example], labels: tuple[str, ...], *, least_count: int, batch: int = 0, penalty: float = _PENALTY
) -> tuple[list[str], NDArray[np.float32]]:
    """Features and their weights, one column a label; features seen less than `least_count` times, and those
    with no weight worth keeping, are left out. `batch` examples a step, all of them where it is 0."""
    import numpy as np

    counts = Counter(feature for features, _ in examples for feature in features)
    names = sorted(feature for feature, count in counts.items() if count >= least_count)
    column = {name: index for index, name in enumerate(names)}
    examples = [example for example in examples if not column.keys().isdisjoint(example[0])]
    weights = np.zeros((len(names), len(labels)), dtype=np.float32)
    if not batch:
        _descend(weights, [(matrix(examples, column), _wanted(examples, labels))] * _STEPS, penalty / len(examples))
    else:
        shuffled = list(examples)
        random.Random(1).shuffle(shuffled)
        parts = [shuffled[start : start + batch] for start in range(0, len(shuffled), batch)]
        steps = [(matrix(part, column), _wanted(part, labels)) for part in parts]
        _descend(weights, steps * _PASSES, penalty / len(examples), averaged=len(steps) * _AVERAGED)
    kept = np.flatnonzero(np.abs(weights).max(axis=1) > _LEAST_WEIGHT * np.abs(weights).max())
    return [names[index] for index in kept], weights[kept]


def _wanted(examples: list[Example], labels: tuple[str, ...]) -> NDArray[np.float32]:
    import numpy as np

    return np.eye(len(labels), dtype=np.float32)[[labels.index(label) for _, label in examples]]


def _descend(
    weights: NDArray[np.float32],
    steps: list[tuple[Matrix, NDArray[np.float32]]],
    penalty: float,
    *,
    averaged: int = 1,
) -> None:
    """Adam on the penalised log loss of the inputs and labels of every step; `weights` are changed in place, to their
    average after each of the last `averaged` steps."""
    import numpy as np

    mean, spread, total = np.zeros_like(weights), np.zeros_like(weights), np.zeros_like(weights)
    for step, (inputs, wanted) in enumerate(steps, start=1):
        scores = inputs.times(weights)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = scores / scores.sum(axis=1, keepdims=True)
        slope = inputs.transposed_times(chances - wanted, len(weights)) / len(wanted) + penalty * weights
        mean = (0.9 * mean + 0.1 * slope).astype(np.float32)
        spread = (0.999 * spread + 0.001 * slope * slope).astype(np.float32)
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
        if step > len(steps) - averaged:
            total += weights
    weights[:] = total / averaged
