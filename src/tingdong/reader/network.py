"""The trained network in numpy: one sentence, one pass, all slots (`bench/reader_net.py` is its twin).

One sentence at a time on one core; every matrix is small, so the count of numpy calls is what costs.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tingdong.reader.slots import MARKS, POINTED, POINTERS, SLOTS, columns_of
from tingdong.reader.weights import Shape, Trained

__all__ = ["Network", "Scores"]

Array = NDArray[np.float32]
Linear = tuple[Array, Array]

_TINY, _NONE = np.float32(1e-5), np.float32(0)
_LONGEST = 256


class Scores(msgspec.Struct, frozen=True):
    """Logits: `classes` (slots, classes of all choices), `pointers` (slots, pointers, positions), `marks` (slots, kinds
    but the first, positions), `ends` (first, last position), `mood` (moods)."""

    classes: Array
    pointers: Array
    marks: Array
    ends: Array
    mood: Array


class _Weights:
    """Named weights, in the layout that products need.

    Whatever is added to the rows between two norms is made here to have no mean of its own: every norm takes it out
    again, so nothing is lost, and a norm has only the spread to find.
    """

    def __init__(self, weights: dict[str, Array]) -> None:
        self._weights = weights

    def linear(self, *names: str) -> Linear:
        """Matrix (in, out) and bias of one map, or of several side by side."""
        matrix = np.concatenate([self._weights[f"{name}.weight"].T for name in names], axis=1)
        return np.ascontiguousarray(matrix), np.concatenate([self._weights[f"{name}.bias"] for name in names])

    def after_norm(self, norm: str, *names: str) -> Linear:
        """A map of normalised rows, made one of plain rows that only their length has to divide (`_spread_linear`)."""
        matrix, bias = self.linear(*names)
        scaled = _scale(self._weights[f"{norm}.weight"])[:, None] * matrix
        return np.ascontiguousarray(scaled), self._weights[f"{norm}.bias"] @ matrix + bias

    def asking(self, norm: str, name: str, shape: Shape) -> Linear:
        """`after_norm`, with the queries (the first columns) divided by the root of a head's width."""
        matrix, bias = self.after_norm(norm, name)
        scale = np.ones(matrix.shape[1], np.float32)
        scale[: shape.width] = 1 / np.sqrt(shape.width / shape.heads)
        return matrix * scale, bias * scale

    def adding(self, name: str) -> Linear:
        """A map whose result is added to the rows."""
        matrix, bias = self.linear(name)
        return _centred(matrix), _centred(bias)

    def norm(self, name: str) -> Linear:
        return _scale(self._weights[f"{name}.weight"]), self._weights[f"{name}.bias"]

    def conv(self, name: str) -> Linear:
        """Three shifted rows side by side times one matrix (3 * in, out)."""
        weight = self._weights[f"{name}.weight"].transpose(2, 1, 0)
        return np.ascontiguousarray(weight.reshape(-1, weight.shape[2])), self._weights[f"{name}.bias"]


class _Layer:
    """The weights of one layer."""

    __slots__ = ("ask", "attend", "blend", "mix", "narrow", "wide")

    def __init__(self, weights: _Weights, prefix: str, shape: Shape, *, cross: bool) -> None:
        self.attend = weights.asking(f"{prefix}.norm1", f"{prefix}.attend", shape)
        self.mix = weights.adding(f"{prefix}.mix")
        self.wide = weights.after_norm(f"{prefix}.norm3", f"{prefix}.wide")
        self.narrow = weights.adding(f"{prefix}.narrow")
        if cross:
            self.ask = weights.asking(f"{prefix}.norm2", f"{prefix}.ask", shape)
            self.blend = weights.adding(f"{prefix}.blend")


class Network:
    """Immutable weights; `run` is one sentence."""

    def __init__(self, trained: Trained) -> None:
        weights, shape, named = trained.weights, trained.shape, _Weights(trained.weights)
        self.shape: Shape = shape
        self._tables = [_centred(weights[f"embed.{i}.weight"]) for i in range(len(trained.vocabulary.sizes()))]
        self._norm_in, self._norm_memory = named.norm("norm_in"), named.norm("norm_memory")
        self._conv = [named.conv(f"conv.{i}") for i in range(2)]
        self._encoder = [_Layer(named, f"encoder.{i}", shape, cross=False) for i in range(shape.encoder)]
        self._slots = [_Layer(named, f"slots.{i}", shape, cross=True) for i in range(shape.slots)]
        # all that is made of the memory, side by side: keys and values of each layer, then what is pointed at
        self._memory = named.linear(
            *(f"slots.{i}.offer" for i in range(shape.slots)), "pointed", "marked", "first", "last"
        )
        self._width, self._pointed, self._end = shape.width, 2 * shape.width * shape.slots, len(weights["first.bias"])
        # out of a slot: classes, then the queries of pointers and marks, divided by the root of the width
        out, bias = named.after_norm("norm_out", "out", "point")
        self._classes = len(weights["out.bias"])
        scale = np.ones(bias.shape, np.float32)
        scale[self._classes :] = 1 / np.sqrt(shape.width)
        self._out, self._mood = (out * scale, bias * scale), named.after_norm("norm_out", "mood")
        verb = columns_of(trained.alphabet.sizes())[0]
        self._verb = np.ascontiguousarray(self._out[0][:, verb]), self._out[1][verb]
        self._mark = weights["mark"][:, None]
        self._columns = columns_of(trained.alphabet.sizes())
        self._chosen, self._said = _centred(weights["chosen.weight"]), named.adding("said")
        self._place = _centred(_places(_LONGEST, shape.width))
        # nothing of the sentence is in the queries before they ask it: so far they are the same for all
        queries = _centred(weights["queries"])
        self._queries: Array = queries + self._attended(queries, self._slots[0])
        self._asked = self._heads(_spread_linear(self._queries, self._slots[0].ask), 1)[0]

    def run(self, inputs: Sequence[Sequence[int]]) -> Scores:
        """The scores of a sentence, given as input columns (see `inputs.COLUMNS`), each of its length."""
        read = self._encode(inputs)
        memory = _linear(read, self._memory)
        x = self._queries.copy()
        for i, layer in enumerate(self._slots):
            if i == len(self._slots) - 1:
                self._tell(x, read, memory)
            if i:
                x += self._attended(x, layer)
            asked = self._heads(_spread_linear(x, layer.ask), 1)[0] if i else self._asked
            keys, values = self._heads(memory[:, 2 * self._width * i : 2 * self._width * (i + 1)], 2)
            x += _linear(_mixed(asked, keys, values), layer.blend)
            x += _forward(x, layer)
        at = self._pointed + 2 * self._width
        first, last = memory[:, at : at + self._end], memory[:, at + self._end :]
        ends = first @ last.T / np.float32(np.sqrt(self._end))
        return Scores(*self._scores(x[:SLOTS], memory), ends, _spread_linear(x[SLOTS:], self._mood)[0])

    def _scores(self, x: Array, memory: Array) -> tuple[Array, Array, Array]:
        """Classes, pointers and marks by rows of slots."""
        out, width, at, split = _spread_linear(x, self._out), self._width, self._pointed, len(POINTERS)
        points = out[:, self._classes :].reshape(len(x), -1, width)
        pointed = points[:, :split].reshape(-1, width) @ memory[:, at : at + width].T
        marked = points[:, split:].reshape(-1, width) @ memory[:, at + width : at + 2 * width].T
        marks = marked.reshape(len(x), MARKS - 1, -1)
        marks += self._mark
        return out[:, : self._classes], pointed.reshape(len(x), split, -1), marks

    def _tell(self, x: Array, read: Array, memory: Array) -> None:
        """Add to the rows what the slots have chosen; nothing to those behind the first without a verb."""
        verbs = _spread_linear(x[:SLOTS], self._verb).argmax(1)
        none = np.flatnonzero(verbs == 0)
        filled = int(none[0]) + 1 if len(none) else SLOTS
        classes, pointers, marks = self._scores(x[:filled], memory)
        best = [classes[:, part].argmax(1) for part in self._columns]
        chosen = np.stack([one + part.start for one, part in zip(best, self._columns, strict=True)], 1)
        said = np.zeros((filled, len(POINTERS) + MARKS - 1, self._width), np.float32)
        for pointer, (choice, wanted) in enumerate(POINTED):
            for slot in range(filled):
                if best[choice][slot] in wanted:
                    said[slot, pointer] = read[pointers[slot, pointer].argmax()]
        begun = marks.max(1) > 0
        for slot, at in zip(*begun.nonzero(), strict=True):
            said[slot, len(POINTERS) + marks[slot, :, at].argmax()] += read[at]
        x[:filled] += self._chosen[chosen].sum(1) + _linear(said.reshape(filled, -1), self._said)

    def _encode(self, inputs: Sequence[Sequence[int]]) -> Array:
        """The memory (length, width)."""
        length = len(inputs[0])
        x = self._place[:length].copy()
        for table, column in zip(self._tables, inputs, strict=True):
            x += table[np.asarray(column)]
        x = _normal(x, self._norm_in)
        padded = np.zeros((length + 2, x.shape[1]), np.float32)
        for weights in self._conv:
            padded[1:-1] = x
            wide = np.concatenate((padded[:-2], padded[1:-1], padded[2:]), axis=1)
            made = _linear(wide, weights)
            x += np.maximum(made, _NONE, out=made)
        x = _centred(x)
        for layer in self._encoder:
            x += self._attended(x, layer)
            x += _forward(x, layer)
        return _normal(x, self._norm_memory)

    def _attended(self, x: Array, layer: _Layer) -> Array:
        q, k, v = self._heads(_spread_linear(x, layer.attend), 3)
        return _linear(_mixed(q, k, v), layer.mix)

    def _heads(self, x: Array, parts: int) -> Array:
        """(length, parts * width) → (parts, heads, length, width of a head)."""
        return x.reshape(len(x), parts, self.shape.heads, -1).transpose(1, 2, 0, 3)


def _centred(x: Array) -> Array:
    """Rows (the last axis) without their mean."""
    out: Array = x - x.mean(-1, keepdims=True)
    return out


def _linear(x: Array, weights: Linear) -> Array:
    out: Array = x @ weights[0]
    out += weights[1]
    return out


def _scale(weights: Array) -> Array:
    """The scale of a norm for rows divided by `_length`, which is their spread times the root of the width."""
    scaled: Array = weights * np.float32(np.sqrt(len(weights)))
    return scaled


def _length(x: Array) -> Array:
    """The length of each row, as a column."""
    squares: Array = np.einsum("ij,ij->i", x, x)
    squares += _TINY * np.float32(x.shape[1])
    return np.sqrt(squares, out=squares)[:, None]


def _spread_linear(x: Array, weights: Linear) -> Array:
    """A linear map of the normalised rows (`_Weights.after_norm`)."""
    out: Array = x @ weights[0]
    out /= _length(x)
    out += weights[1]
    return out


def _normal(x: Array, weights: Linear) -> Array:
    x = _centred(x)
    x /= _length(x)
    x *= weights[0]
    x += weights[1]
    return x


def _mixed(q: Array, k: Array, v: Array) -> Array:
    """Attention of (heads, queries, size) over (heads, keys, size) → (queries, width)."""
    scores: Array = q @ k.swapaxes(1, 2)
    scores -= np.maximum.reduce(scores, -1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.add.reduce(scores, -1, keepdims=True)
    mixed: Array = np.matmul(scores, v).swapaxes(0, 1).reshape(q.shape[1], -1)
    return mixed


def _forward(x: Array, layer: _Layer) -> Array:
    wide = _spread_linear(x, layer.wide)
    return _linear(np.maximum(wide, _NONE, out=wide), layer.narrow)


def _places(length: int, width: int) -> Array:
    """Sines and cosines, (length, width)."""
    rates = np.exp(np.arange(0, width, 2, dtype=np.float32) * np.float32(-np.log(1_000.0) / width))
    at = np.arange(length, dtype=np.float32)[:, None] * rates
    return np.stack((np.sin(at), np.cos(at)), axis=-1).reshape(length, width).astype(np.float32, copy=False)
