"""A small network over the places of a text: how much each says for each of some labels (hospital.md, "Safety").

A place is known by its character, the character's sound, and the signals that stand over it or begin there. Their
vectors are summed; convolutions of three places, each layer looking further, make of it what is said there in its
surroundings. What a text says for a label is the softened maximum over its places: what stands beside takes nothing
away. A file is a line of JSON, the features, one a line, and the weights: matrices of signed bytes, each with a scale,
then 32-bit floats. `places_fit` makes one.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tingdong.errors import DataError
from tingdong.front_desk.spotting import Spots, Spotter
from zhtext.sound import sound_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REACH = 3
"""Places that a convolution looks at."""
DILATIONS = (1, 2, 4)
"""How far apart they are, layer by layer."""
_MANY = 127


def features(spotter: Spotter, spots: Spots) -> list[list[str]]:
    """What every place of a text is known by."""
    found = [[char, _sound(char)] for char in spots.text]
    for bit, spans in spots.found.items():
        name = spotter.name(bit)
        if name[0] != "_":
            for start, end in spans:
                for place in range(start, end):
                    found[place].append(f"@{name}")
                if end > start:
                    found[start].append(f"[{name}")
    return found


@lru_cache(maxsize=8192)
def _sound(char: str) -> str:
    return f"~{sound_key(char)}"


class Weights(NamedTuple):
    """What is learned: a vector a feature; kernels and offsets of the layers; what a vector says for each label."""

    vectors: NDArray[np.float32]
    kernels: NDArray[np.float32]
    offsets: NDArray[np.float32]
    says: NDArray[np.float32]
    base: NDArray[np.float32]


class PlacesNet:
    """A trained network; thread-safe."""

    def __init__(self, labels: tuple[str, ...], names: list[str], weights: Weights) -> None:
        self.labels = labels
        self._rows = {name: row for row, name in enumerate(names)}
        self._weights = weights

    def leanings(self, places: list[list[str]]) -> dict[str, float]:
        """Log-odds of each label against none of them, by the features of every place; empty for an empty text."""
        import numpy as np

        if not places:
            return {}
        said = self.places(places)
        highest = said.max(axis=0)
        totals = highest + np.log(np.exp(said - highest).sum(axis=0))
        return dict(zip(self.labels, totals.tolist(), strict=True))

    def peak(self, places: list[list[str]], label: str) -> int:
        """The place that says most for a label."""
        return int(self.places(places)[:, self.labels.index(label)].argmax())

    def places(self, places: list[list[str]]) -> NDArray[np.float32]:
        """What every place says for every label."""
        import numpy as np

        rows_of, weights = self._rows, self._weights
        length, width = len(places), weights.vectors.shape[1]
        known = [[rows_of[name] for name in names if name in rows_of] for names in places]
        x = np.zeros((length, width), dtype=np.float32)
        filled = [place for place, rows in enumerate(known) if rows]
        if filled:
            counts = [len(known[place]) for place in filled]
            starts = np.cumsum([0, *counts[:-1]])
            x[filled] = np.add.reduceat(weights.vectors[list(chain.from_iterable(known))], starts)
        x += weights.offsets[0]
        for kernel, offset, apart in zip(weights.kernels, weights.offsets[1:], DILATIONS, strict=True):
            x += np.maximum(windows(x, apart) @ kernel + offset, 0)
        return x @ weights.says + weights.base


def windows(x: NDArray[np.float32], apart: int) -> NDArray[np.float32]:
    """Each place beside those `apart` before and after it, zero beyond the ends: (…, length, 3 · width)."""
    import numpy as np

    before, after = np.zeros_like(x), np.zeros_like(x)
    before[..., apart:, :] = x[..., :-apart, :]
    after[..., :-apart, :] = x[..., apart:, :]
    return np.concatenate((before, x, after), axis=-1)


def dump(labels: tuple[str, ...], names: list[str], weights: Weights) -> bytes:
    """A file's bytes; vectors and kernels are rounded to signed bytes, each row or layer with a scale of its own."""
    import numpy as np

    layers, width = weights.kernels.shape[0], weights.vectors.shape[1]
    header = {"labels": labels, "features": len(names), "layers": layers, "width": width}
    parts = [json.dumps(header, ensure_ascii=False).encode(), b"\n", "\n".join(names).encode(), b"\n"]
    for matrix in (weights.vectors, weights.kernels):
        scales = np.abs(matrix).reshape(len(matrix), -1).max(axis=1) / _MANY + np.float32(1e-12)
        rounded = np.round(matrix / scales.reshape(-1, *repeat(1, matrix.ndim - 1)))
        parts += [rounded.astype(np.int8).tobytes(), scales.astype("<f4").tobytes()]
    parts += [array.astype("<f4").tobytes() for array in (weights.offsets, weights.says, weights.base)]
    return b"".join(parts)


@cache
def load(path: Path) -> PlacesNet:
    """Read a file, once.

    Raises:
        DataError: the file cannot be read or does not have the layout of such a file.
    """
    try:
        return parse(path.read_bytes(), name=path.name)
    except OSError as error:
        raise DataError(f"{path.name}: no model file: {error}", path=path.name) from error


def parse(raw: bytes, *, name: str = "model") -> PlacesNet:
    """A network from the bytes of its file; `name` is used in error messages.

    Raises:
        DataError: the bytes do not have the layout of such a file.
    """
    try:
        end = raw.index(b"\n")
        header = json.loads(raw[:end])
        labels, count = tuple(header["labels"]), int(header["features"])
        layers, width = int(header["layers"]), int(header["width"])
        sizes = _Sizes(count, layers, width, len(labels))
        begin = raw.index(b"\n", len(raw) - sizes.total - 1, len(raw) - sizes.total) + 1
        names = raw[end + 1 : begin - 1].decode().split("\n")
        weights = _read(raw[begin:], sizes)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{name}: no model file: {error}", path=name) from error
    if len(names) != count:
        raise DataError(f"{name}: {len(names)} features, {count} announced", path=name)
    return PlacesNet(labels, names, weights)


class _Sizes(NamedTuple):
    features: int
    layers: int
    width: int
    labels: int

    @property
    def total(self) -> int:
        """Bytes of the weights."""
        rows = self.features * (self.width + 4) + self.layers * (REACH * self.width**2 + 4)
        return rows + 4 * ((self.layers + 1) * self.width + (self.width + 1) * self.labels)


def _read(raw: bytes, sizes: _Sizes) -> Weights:
    import numpy as np

    at = 0

    def take(kind: str, *shape: int) -> NDArray[np.float32]:
        nonlocal at
        array = np.frombuffer(raw, dtype=kind, count=int(np.prod(shape)), offset=at)
        at += array.nbytes
        return array.reshape(shape).astype(np.float32)

    width, layers = sizes.width, sizes.layers
    vectors = take("i1", sizes.features, width) * take("<f4", sizes.features, 1)
    kernels = take("i1", layers, REACH * width, width) * take("<f4", layers, 1, 1)
    return Weights(
        vectors, kernels, take("<f4", layers + 1, width), take("<f4", width, sizes.labels), take("<f4", sizes.labels)
    )
