"""Fitting a chain (`chain`): the log likelihood of labelled chains with an L2 penalty, by Adam in small batches.

The same examples give the same weights.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tingdong.learned.chain import ChainWeights, barred, spread
from tingdong.learned.fitting import Matrix, matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Example = tuple[list[set[str]], list[str]]
"""Features of each stretch of a turn, and their labels."""

_BATCH = 200
_PASSES = 14
_SETTLED = 6
"""Passes after which the weights are averaged, so that the order of the examples matters less."""
_RATE = 0.02
_LEAST_COUNT = 2
_LEAST_WEIGHT = 0.004


class _Batch(NamedTuple):
    inputs: Matrix
    places: NDArray[np.intp]
    """For every stretch its chain × longest + its place in it."""
    labels: NDArray[np.intp]
    lengths: NDArray[np.intp]
    longest: int


def fit(examples: list[Example], labels: tuple[str, ...], *, penalty: float) -> ChainWeights:
    """The weights of the labels; features seen less than twice, and those with no weight worth keeping, are left out.
    `penalty` times half the squared weights is added to the summed loss."""
    import numpy as np

    counts = Counter(feature for stretches, _ in examples for features in stretches for feature in features)
    names = sorted(feature for feature, count in counts.items() if count >= _LEAST_COUNT)
    column = {name: index for index, name in enumerate(names)}
    shuffled = list(examples)
    random.Random(1).shuffle(shuffled)
    batches = [_batch(shuffled[at : at + _BATCH], column, labels) for at in range(0, len(shuffled), _BATCH)]
    joined = spread(labels)
    never_first, never_pair = barred(labels)
    weights = [
        np.zeros((len(names), len(joined)), dtype=np.float32),
        np.zeros(len(labels), dtype=np.float32),
        np.zeros((len(labels), len(labels)), dtype=np.float32),
    ]
    moments = [(np.zeros_like(one), np.zeros_like(one)) for one in weights]
    sums = [np.zeros_like(one) for one in weights]
    step = summed = 0
    for turn in range(_PASSES):
        rate = _RATE * (1 - turn / _PASSES) ** 0.5
        for batch in batches:
            step += 1
            emission, start, pairs = weights
            scores = batch.inputs.times(emission) @ joined
            errors, first, beside = _errors(batch, scores, start + never_first, pairs + never_pair)
            slopes = [batch.inputs.transposed_times(errors @ joined.T, len(names)), first, beside]
            for one, slope, (mean, square) in zip(weights, slopes, moments, strict=True):
                towards = slope / len(batch.lengths) + penalty / len(examples) * one
                mean += 0.1 * (towards - mean)
                square += 0.001 * (towards * towards - square)
                one -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            if turn >= _SETTLED:
                summed += 1
                for total, one in zip(sums, weights, strict=True):
                    total += one
    emission, start, pairs = (total / np.float32(summed) for total in sums)
    kept = np.flatnonzero(np.abs(emission).max(axis=1) > _LEAST_WEIGHT * np.abs(emission).max())
    return ChainWeights(labels, [names[index] for index in kept], emission[kept], start, pairs)


def _batch(examples: list[Example], column: dict[str, int], labels: tuple[str, ...]) -> _Batch:
    import numpy as np

    lengths = np.array([len(told) for _, told in examples])
    longest = int(lengths.max())
    places = np.concatenate([number * longest + np.arange(length) for number, length in enumerate(lengths)])
    flat = [(features, "") for stretches, _ in examples for features in stretches]
    told = np.array([labels.index(label) for _, told in examples for label in told])
    return _Batch(matrix(flat, column, unit=False), places, told, lengths, longest)


def _errors(
    batch: _Batch, scores: NDArray[np.float32], start: NDArray[np.float32], pairs: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Chances less what is right: of the labels of every stretch, of the first ones, of pairs side by side."""
    import numpy as np

    chains, longest, kinds = len(batch.lengths), batch.longest, len(start)
    flat = np.zeros((chains * longest, kinds), dtype=np.float32)
    flat[batch.places] = scores
    padded = flat.reshape(chains, longest, kinds)
    there = np.arange(longest)[None, :] < batch.lengths[:, None]
    ahead = np.zeros_like(padded)
    ahead[:, 0] = start + padded[:, 0]
    for at in range(1, longest):
        going = _log_sum(ahead[:, at - 1, :, None] + pairs[None], 1) + padded[:, at]
        ahead[:, at] = np.where(there[:, at, None], going, ahead[:, at - 1])
    behind = np.zeros_like(padded)
    for at in range(longest - 2, -1, -1):
        coming = _log_sum(pairs[None] + (padded[:, at + 1] + behind[:, at + 1])[:, None, :], 2)
        behind[:, at] = np.where(there[:, at + 1, None], coming, 0)
    whole = _log_sum(ahead[:, -1], 1)
    chances = np.exp(ahead + behind - whole[:, None, None]).reshape(-1, kinds)[batch.places]
    right = np.zeros_like(chances)
    right[np.arange(len(batch.labels)), batch.labels] = 1
    errors = (chances - right).astype(np.float32)
    beside = np.zeros_like(pairs)
    for at in range(1, longest):
        joint = ahead[:, at - 1, :, None] + pairs[None] + (padded[:, at] + behind[:, at])[:, None, :]
        beside += (np.exp(joint - whole[:, None, None]) * there[:, at, None, None]).sum(axis=0)
    follows = batch.places % longest > 0
    np.subtract.at(beside, (batch.labels[:-1][follows[1:]], batch.labels[1:][follows[1:]]), 1)
    return errors, errors[~follows].sum(axis=0), beside


def _log_sum(ways: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    import numpy as np

    most = ways.max(axis=axis, keepdims=True)
    summed: NDArray[np.float32] = (most + np.log(np.exp(ways - most).sum(axis=axis, keepdims=True))).squeeze(axis)
    return summed
