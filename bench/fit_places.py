"""Fitting the network over places: log loss by Adam with decoupled weight decay, in small batches, in numpy alone.

What an example is about is a stretch of it: the places there are to say its label, those outside none. Features and
parts of vectors are left out at random, so that no single one is relied on. The same examples give the same weights.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tingdong.front_desk.places_net import DILATIONS, REACH, NetWeights, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 64
_PASSES, _BATCH, _RATE, _DECAY = 3, 128, 3e-3, 0.01
_WARMING = 0.1
"""Share of the steps in which the rate rises."""
_LEFT_OUT, _DROPPED = 0.1, 0.3
"""Shares of features and of parts of vectors that are left out at a step."""
_OUTSIDE = 0.5
"""What the loss of places outside weighs."""
_LEAST_COUNT = 3
_LONGEST = 120
_MASKED = np.float32(-30)
_STEEPEST = 1.0


class Stretched(NamedTuple):
    """The features of every place of a text, the label of a stretch of it (empty for none), and the stretch."""

    places: list[list[str]]
    label: str
    start: int
    end: int


class _Batch(NamedTuple):
    columns: NDArray[np.intp]
    """Rows of the vectors, one after the other."""
    at: NDArray[np.intp]
    """The place (of all places of the batch) each belongs to, in order."""
    there: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    wanted: NDArray[np.intp]


def names_of(examples: list[Stretched]) -> list[str]:
    """Features that are seen often enough."""
    counts = Counter(name for example in examples for name in {name for names in example.places for name in names})
    return sorted(name for name, count in counts.items() if count >= _LEAST_COUNT)


def fit(examples: list[Stretched], labels: tuple[str, ...], names: list[str], *, seed: int = 1) -> NetWeights:
    """The weights of a network for some labels and features."""
    chance, noise = random.Random(seed), np.random.default_rng(seed)
    row = {name: number for number, name in enumerate(names)}
    known = [[[row[name] for name in at if name in row] for at in one.places[:_LONGEST]] for one in examples]
    weights = _begin(len(names), len(labels), noise)
    adam = _Adam(weights)
    order = list(range(len(examples)))
    steps = _PASSES * math.ceil(len(order) / _BATCH)
    step = 0
    for _ in range(_PASSES):
        chance.shuffle(order)
        order.sort(key=lambda number: len(known[number]) + 6 * chance.random())
        groups = [order[first : first + _BATCH] for first in range(0, len(order), _BATCH)]
        chance.shuffle(groups)
        for group in groups:
            batch = _batch([examples[number] for number in group], [known[number] for number in group], labels)
            adam.step(_slopes(weights, batch, noise), _rate(step / steps))
            step += 1
    return weights


def _begin(features: int, labels: int, noise: np.random.Generator) -> NetWeights:
    def drawn(size: float, *shape: int) -> NDArray[np.float32]:
        return (noise.standard_normal(shape) * size).astype(np.float32)

    layers, limit = len(DILATIONS), 1 / math.sqrt(3 * REACH * WIDTH)
    return NetWeights(
        drawn(0.1, features, WIDTH),
        drawn(limit, layers, REACH * WIDTH, WIDTH),
        np.zeros((layers + 1, WIDTH), dtype=np.float32),
        drawn(limit, WIDTH, labels),
        np.full(labels, -2, dtype=np.float32),
    )


def _rate(done: float) -> float:
    """Rises for a while, then falls along a cosine."""
    if done < _WARMING:
        return _RATE * (0.04 + 0.96 * done / _WARMING)
    return _RATE * 0.5 * (1 + math.cos(math.pi * (done - _WARMING) / (1 - _WARMING)))


def _batch(examples: list[Stretched], known: list[list[list[int]]], labels: tuple[str, ...]) -> _Batch:
    longest = max(map(len, known))
    columns: list[int] = []
    counts = np.zeros((len(known), longest), dtype=np.intp)
    inside = np.zeros((len(known), longest), dtype=np.bool_)
    there = np.zeros((len(known), longest), dtype=np.bool_)
    for number, (example, places) in enumerate(zip(examples, known, strict=True)):
        for rows in places:
            columns += rows
        counts[number, : len(places)] = [len(rows) for rows in places]
        there[number, : len(places)] = True
        inside[number, example.start : min(example.end, len(places))] = True
    wanted = [labels.index(example.label) + 1 if example.label else 0 for example in examples]
    at = np.repeat(np.arange(counts.size), counts.ravel())
    return _Batch(np.array(columns, dtype=np.intp), at, there, inside & there, np.array(wanted))


def _slopes(weights: NetWeights, batch: _Batch, noise: np.random.Generator) -> NetWeights:
    """The slope of the loss of a batch, by weight."""
    shape = *batch.there.shape, weights.vectors.shape[1]

    def dropped() -> NDArray[np.float32]:
        kept = noise.random(shape, dtype=np.float32) >= _DROPPED
        return kept.astype(np.float32) * np.float32(1 / (1 - _DROPPED))

    there = batch.there[..., None].astype(np.float32)
    kept = noise.random(len(batch.columns)) >= _LEFT_OUT
    columns, at = batch.columns[kept], batch.at[kept]
    x = np.zeros((batch.there.size, shape[2]), dtype=np.float32)
    places, firsts = np.unique(at, return_index=True)
    x[places] = np.add.reduceat(weights.vectors[columns], firsts)
    masks = [dropped() * there for _ in range(len(DILATIONS) + 1)]
    x = (x.reshape(shape) + weights.offsets[0]) * masks[0]
    seen, fired = [], []
    for kernel, offset, apart, mask in zip(weights.kernels, weights.offsets[1:], DILATIONS, masks[1:], strict=True):
        around = windows(x, apart)
        made = np.maximum(around @ kernel + offset, 0)
        seen.append(around)
        fired.append(made > 0)
        x = (x + made) * mask
    said = x @ weights.says + weights.base
    back = _loss_slope(said, batch)
    kernels, offsets = np.zeros_like(weights.kernels), np.zeros_like(weights.offsets)
    slope = back @ weights.says.T
    says, base = x.reshape(-1, shape[2]).T @ back.reshape(-1, back.shape[2]), back.sum(axis=(0, 1))
    for layer in reversed(range(len(DILATIONS))):
        slope = slope * masks[layer + 1]
        made = slope * fired[layer]
        flat = made.reshape(-1, shape[2])
        kernels[layer] = seen[layer].reshape(len(flat), -1).T @ flat
        offsets[layer + 1] = flat.sum(axis=0)
        slope = slope + _unwindowed(made @ weights.kernels[layer].T, DILATIONS[layer])
    slope = (slope * masks[0]).reshape(-1, shape[2])
    offsets[0] = slope.sum(axis=0)
    vectors = np.zeros_like(weights.vectors)
    order = np.argsort(columns, kind="stable")
    present, firsts = np.unique(columns[order], return_index=True)
    vectors[present] = np.add.reduceat(slope[at[order]], firsts)
    return NetWeights(vectors, kernels, offsets, says, base)


def _unwindowed(slope: NDArray[np.float32], apart: int) -> NDArray[np.float32]:
    """What `windows` does, backwards."""
    before, here, after = np.split(slope, REACH, axis=-1)
    whole = here.copy()
    whole[..., :-apart, :] += before[..., apart:, :]
    whole[..., apart:, :] += after[..., :-apart, :]
    return whole


def _loss_slope(said: NDArray[np.float32], batch: _Batch) -> NDArray[np.float32]:
    """Log loss of the label of what is inside, and of none outside: its slope by what every place says."""
    count = len(said)
    shares, totals = _softened(said, batch.inside)
    scores = np.concatenate((np.zeros((count, 1), dtype=np.float32), totals), axis=1)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chances[np.arange(count), batch.wanted] -= 1
    slope = shares * chances[:, None, 1:]
    outside = batch.there & ~batch.inside
    shares, totals = _softened(said, outside)
    chances = np.exp(totals - np.logaddexp(0, np.logaddexp.reduce(totals, axis=1))[:, None])
    some = outside.any(axis=1).astype(np.float32)
    slope += _OUTSIDE * shares * chances[:, None, :] * some.reshape(-1, 1, 1)
    return np.asarray(slope / count, dtype=np.float32)


def _softened(said: NDArray[np.float32], mask: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The share of each place in the softened maximum over those of a mask, and the maximum, by label."""
    masked = np.where(mask[..., None], said, _MASKED)
    powers = np.exp(masked - masked.max(axis=1, keepdims=True))
    sums = powers.sum(axis=1)
    return powers / sums[:, None], masked.max(axis=1) + np.log(sums)


class _Adam:
    """Steps of Adam; matrices also decay."""

    def __init__(self, weights: NetWeights) -> None:
        self._weights = weights
        self._means = [np.zeros_like(array) for array in weights]
        self._spreads = [np.zeros_like(array) for array in weights]
        self._steps = 0

    def step(self, slopes: NetWeights, rate: float) -> None:
        """Change the weights in place."""
        self._steps += 1
        size = math.sqrt(sum(float((slope * slope).sum()) for slope in slopes))
        smaller = np.float32(min(1.0, _STEEPEST / (size + 1e-6)))
        for weights, slope, mean, spread in zip(self._weights, slopes, self._means, self._spreads, strict=True):
            slope = slope * smaller
            mean += np.float32(0.1) * (slope - mean)
            spread += np.float32(0.001) * (slope * slope - spread)
            weights *= np.float32(1 - rate * _DECAY)
            step = (mean / (1 - 0.9**self._steps)) / (np.sqrt(spread / (1 - 0.999**self._steps)) + 1e-8)
            weights -= (rate * step).astype(np.float32)
