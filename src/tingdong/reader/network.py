"""The trained networks in numpy: the sentence once, then the row step by step (`bench/reader_net.py` is their twin).

One sentence at a time on one core; every matrix is small, so the count of numpy calls is what costs. Therefore the
networks of the ensemble go side by side: the first axis of every array is the network.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tingdong.reader.weights import Shape, Trained

__all__ = ["Decoding", "Network", "Scores"]

Array = NDArray[np.float32]
Scores = tuple[Array, Array]
"""Logits over the closed symbols, and over the positions of the sentence: (networks, steps, …)."""

_TINY, _NONE = np.float32(1e-5), np.float32(0)

Linear = tuple[Array, Array]


class _Weights:
    """Named weights, in the layout that products need.

    Whatever is added to the rows between two norms is made here to have no mean of its own: every norm takes it out
    again, so nothing is lost, and a norm has only the spread to find.
    """

    def __init__(self, weights: dict[str, Array]) -> None:
        self._weights = weights

    def linear(self, *names: str) -> Linear:
        """Matrices (networks, in, out) and biases (networks, 1, out) of one map, or of several side by side."""
        matrix = np.concatenate([self._weights[f"{name}.weight"].swapaxes(1, 2) for name in names], axis=2)
        bias = np.concatenate([self._weights[f"{name}.bias"] for name in names], axis=1)
        return np.ascontiguousarray(matrix), bias[:, None, :]

    def after_norm(self, norm: str, *names: str) -> Linear:
        """A map of normalised rows, made one of plain rows that only their spread has to divide (`_spread_linear`)."""
        matrix, bias = self.linear(*names)
        scaled = self._weights[f"{norm}.weight"][:, :, None] * matrix
        return np.ascontiguousarray(scaled), self._weights[f"{norm}.bias"][:, None, :] @ matrix + bias

    def asking(self, norm: str, name: str, width: int, heads: int) -> Linear:
        """`after_norm`, with the queries (the first `width` columns) divided by the root of a head's width."""
        matrix, bias = self.after_norm(norm, name)
        scale = np.ones(matrix.shape[2], np.float32)
        scale[:width] = 1 / np.sqrt(width / heads)
        return matrix * scale, bias * scale

    def adding(self, name: str) -> Linear:
        """A map whose result is added to the rows."""
        matrix, bias = self.linear(name)
        return _centred(matrix), _centred(bias)

    def norm(self, name: str) -> Linear:
        return self._weights[f"{name}.weight"][:, None, :], self._weights[f"{name}.bias"][:, None, :]


class _Layer:
    """The weights of one layer."""

    __slots__ = ("ask", "attend", "blend", "mix", "narrow", "offer", "wide")

    def __init__(self, weights: _Weights, prefix: str, shape: Shape, *, cross: bool) -> None:
        self.attend = weights.asking(f"{prefix}.norm1", f"{prefix}.attend", shape.width, shape.heads)
        self.mix = weights.adding(f"{prefix}.mix")
        self.wide = weights.after_norm(f"{prefix}.norm3", f"{prefix}.wide")
        self.narrow = weights.adding(f"{prefix}.narrow")
        if cross:
            self.ask = weights.asking(f"{prefix}.norm2", f"{prefix}.ask", shape.width, shape.heads)
            self.offer, self.blend = weights.linear(f"{prefix}.offer"), weights.adding(f"{prefix}.blend")


class Network:
    """Immutable weights of all networks; `decoding` opens the state of one sentence."""

    def __init__(self, trained: Trained) -> None:
        weights, shape, named = trained.weights, trained.shape, _Weights(trained.weights)
        self.shape: Shape = shape
        self.symbols = len(trained.symbols)
        self._tables = [_centred(weights[f"embed.{i}.weight"]) for i in range(len(trained.vocabulary.sizes()))]
        self._norm_in, self._norm_memory = named.norm("norm_in"), named.norm("norm_memory")
        self.members = len(weights["start"])
        # (…, width out, width in, 3) → (…, 3 * width in, width out): three shifted rows side by side times one matrix
        shifted = [np.ascontiguousarray(weights[f"conv.{i}.weight"].transpose(0, 3, 2, 1)) for i in range(2)]
        self._conv = [
            (matrix.reshape(self.members, -1, shape.width), weights[f"conv.{i}.bias"][:, None, :])
            for i, matrix in enumerate(shifted)
        ]
        self._encoder = [_Layer(named, f"encoder.{i}", shape, cross=False) for i in range(shape.encoder)]
        self.decoder = [_Layer(named, f"decoder.{i}", shape, cross=True) for i in range(shape.decoder)]
        self.start, self.symbol = _centred(weights["start"]), _centred(weights["symbol.weight"])
        self.copied, self.pointed = named.adding("copied"), named.linear("pointed")
        self.out = named.after_norm("norm_out", "out", "point")
        self.place = _centred(_places(256, shape.width))

    def encode(self, inputs: Sequence[Sequence[int]]) -> Array:
        """Input columns (see `inputs.COLUMNS`), each of the sentence's length → memory (networks, length, width)."""
        length = len(inputs[0])
        x = np.repeat(self.place[None, :length], self.members, axis=0)
        for table, column in zip(self._tables, inputs, strict=True):
            x += table[:, np.asarray(column)]
        x = _normal(x, self._norm_in)
        for weight, bias in self._conv:
            padded = np.zeros((self.members, length + 2, x.shape[2]), np.float32)
            padded[:, 1:-1] = x
            wide = np.concatenate((padded[:, :-2], padded[:, 1:-1], padded[:, 2:]), axis=2)
            x = x + np.maximum(wide @ weight + bias, 0)
        x = _centred(x)
        for layer in self._encoder:
            q, k, v = self._heads(_spread_linear(x, layer.attend), 3)
            x += _linear(_mixed(q, k, v), layer.mix)
            x += _forward(x, layer)
        return _normal(x, self._norm_memory)

    def decoding(self, inputs: Sequence[Sequence[int]]) -> "Decoding":
        """The state of one sentence before its first step."""
        return Decoding(self, self.encode(inputs))

    def _heads(self, x: Array, parts: int) -> Array:
        """(networks, length, parts * width) → (parts, networks, heads, length, width of a head)."""
        return x.reshape(*x.shape[:2], parts, self.shape.heads, -1).transpose(2, 0, 3, 1, 4)


class Decoding:
    """The row written so far, as keys and values; copies share what is past."""

    def __init__(self, network: Network, memory: Array) -> None:
        self._network = network
        self._memory = memory
        self._offers = [network._heads(_linear(memory, layer.offer), 2) for layer in network.decoder]
        scale = np.float32(1 / np.sqrt(network.shape.width))
        self._targets = np.ascontiguousarray(_linear(memory, network.pointed).swapaxes(1, 2)) * scale
        self._past: list[Array | None] = [None] * len(network.decoder)
        self._steps = 0

    @property
    def members(self) -> int:
        """How many networks there are."""
        return self._network.members

    def fork(self) -> "Decoding":
        """The same state, to go on from on its own."""
        other: Decoding = object.__new__(Decoding)
        other.__dict__.update(self.__dict__)
        other._past = list(self._past)
        return other

    def run(self, row: Sequence[int]) -> Scores:
        """The scores of every step after the items of `row` (numbers as in `Symbols.numbers`), the start included
        when nothing was run before: (networks, steps, symbols) and (networks, steps, positions).
        """
        net = self._network
        begun = self._steps > 0
        steps = len(row) + (not begun)
        x = np.empty((net.members, steps, net.shape.width), np.float32)
        if not begun:
            x[:, 0] = net.start
        for i, item in enumerate(row, start=int(not begun)):
            x[:, i] = net.symbol[:, item] if item < net.symbols else self._copied(item - net.symbols)
        x += net.place[self._steps : self._steps + steps]
        first = self._steps
        self._steps += steps
        mask = None
        if steps > 1:
            ahead = np.arange(self._steps)[None, :] > np.arange(first, self._steps)[:, None]
            mask = np.where(ahead, np.float32(-1e9), np.float32(0))
        for i, layer in enumerate(net.decoder):
            parts = net._heads(_spread_linear(x, layer.attend), 3)
            past = self._past[i]
            both = parts[1:] if past is None else np.concatenate((past, parts[1:]), axis=3)
            self._past[i] = both
            x += _linear(_mixed(parts[0], both[0], both[1], mask), layer.mix)
            asked = net._heads(_spread_linear(x, layer.ask), 1)[0]
            x += _linear(_mixed(asked, self._offers[i][0], self._offers[i][1]), layer.blend)
            x += _forward(x, layer)
        out = _spread_linear(x, net.out)
        return out[:, :, : net.symbols], out[:, :, net.symbols :] @ self._targets

    def keep(self, items: int) -> None:
        """Forgets all of the row but its first items (the start is none)."""
        steps = items + 1
        if steps < self._steps:
            self._past = [None if past is None else past[:, :, :, :steps] for past in self._past]
            self._steps = steps

    def _copied(self, position: int) -> Array:
        """What pointing at a position says to the next step: (networks, width)."""
        return _linear(self._memory[:, position : position + 1], self._network.copied)[:, 0]


def _centred(x: Array) -> Array:
    """Rows (the last axis) without their mean."""
    out: Array = x - x.mean(-1, keepdims=True)
    return out


def _linear(x: Array, weights: Linear) -> Array:
    out: Array = x @ weights[0]
    out += weights[1]
    return out


def _inverse_spread(x: Array) -> Array:
    """One over the standard deviation of each row without a mean."""
    variance: Array = np.einsum("...j,...j->...", x, x)
    variance /= np.float32(x.shape[-1])
    variance += _TINY
    np.sqrt(variance, out=variance)
    np.reciprocal(variance, out=variance)
    return variance[..., None]


def _spread_linear(x: Array, weights: Linear) -> Array:
    """A linear map of the normalised rows (`_Weights.after_norm`)."""
    out: Array = x @ weights[0]
    out *= _inverse_spread(x)
    out += weights[1]
    return out


def _normal(x: Array, weights: Linear) -> Array:
    out: Array = x * _inverse_spread(x)
    out *= weights[0]
    out += weights[1]
    return out


def _mixed(q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    """Attention of (networks, heads, queries, size) over (…, keys, size) → (networks, queries, width)."""
    scores: Array = q @ k.swapaxes(2, 3)
    if mask is not None:
        scores += mask
    scores -= np.maximum.reduce(scores, -1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.add.reduce(scores, -1, keepdims=True)
    mixed: Array = np.matmul(scores, v).swapaxes(1, 2).reshape(len(q), q.shape[2], -1)
    return mixed


def _forward(x: Array, layer: _Layer) -> Array:
    wide = _spread_linear(x, layer.wide)
    return _linear(np.maximum(wide, _NONE, out=wide), layer.narrow)


def _places(length: int, width: int) -> Array:
    """Sines and cosines, (length, width)."""
    rates = np.exp(np.arange(0, width, 2, dtype=np.float32) * np.float32(-np.log(1_000.0) / width))
    at = np.arange(length, dtype=np.float32)[:, None] * rates
    return np.stack((np.sin(at), np.cos(at)), axis=-1).reshape(length, width).astype(np.float32, copy=False)
