"""A small network over the places of a text: how much each says for each of some labels (hospital.md, "Safety").

A place is known by its character, the character's sound, and the signals that stand over it or begin there. Their
vectors are summed; convolutions of three places, each layer looking further, make of it what is said there in its
surroundings. What a text says for a label is the softened maximum over its places: what stands beside takes nothing
away. A file (`packed`) holds vectors and kernels as signed bytes with a scale each, the rest as 32-bit floats.
`bench.fit_places` makes one.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.learned.packed import NamedFeatures, in_steps, pack, read, unpack
from zhtext.sound import sound_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REACH = 3
"""Places that a convolution looks at."""
DILATIONS = (1, 2, 4)
"""How far apart they are, layer by layer."""
FORM = "places"


def features(spotter: Spotter, spots: Spots) -> list[list[str]]:
    """The features of every place of a text."""
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


class NetWeights(NamedTuple):
    """What is learned: a vector a feature; kernels and offsets of the layers; what a vector says for each label."""

    vectors: NDArray[np.float32]
    kernels: NDArray[np.float32]
    offsets: NDArray[np.float32]
    says: NDArray[np.float32]
    base: NDArray[np.float32]


class PlacesNet:
    """A trained network; thread-safe."""

    def __init__(self, labels: tuple[str, ...], names: list[str], weights: NetWeights) -> None:
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
        """The score of every place for every label."""
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


def dump(labels: tuple[str, ...], names: list[str], weights: NetWeights) -> bytes:
    """A file's bytes; vectors and kernels are rounded to signed bytes, each row or layer with a scale of its own."""
    import numpy as np

    arrays = in_steps("vectors", weights.vectors) | in_steps("kernels", weights.kernels)
    arrays |= {name: getattr(weights, name).astype(np.float32) for name in NetWeights._fields[2:]}
    return pack(FORM, NamedFeatures(labels, tuple(names)), arrays)


@cache
def load(path: Path) -> PlacesNet:
    """Read a file, once.

    Raises:
        DataError: the file cannot be read or does not have the layout of such a file.
    """
    return parse(read(path), name=path.name)


def parse(raw: bytes, *, name: str = "model") -> PlacesNet:
    """A network from the bytes of its file; `name` is used in error messages.

    Raises:
        DataError: the bytes do not have the layout of such a file.
    """
    head, arrays = unpack(raw, FORM, NamedFeatures, name=name)
    vectors = arrays.scaled("vectors", len(head.features), -1)
    width, labels = vectors.shape[1], len(head.labels)
    kernels = arrays.scaled("kernels", len(DILATIONS), REACH * width, width)
    shapes = (len(DILATIONS) + 1, width), (width, labels), (labels,)
    floats = [arrays.take(field, *shape) for field, shape in zip(NetWeights._fields[2:], shapes, strict=True)]
    return PlacesNet(head.labels, list(head.features), NetWeights(vectors, kernels, *floats))
