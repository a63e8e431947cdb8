"""Embeddings without a model: characters and their neighbours hashed into a vector (the offline embedder of
retrieval.md).

Deterministic across processes and machines. Texts that share characters and word pieces lie near each other.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from zhtext.remembering import remembered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WEIGHTS: Final = {1: 0.6, 2: 1.0, 3: 1.2}
"""Longer pieces say more."""


class NGramEmbedder:
    """Hashes character 1- to 3-grams into `dims` signed buckets."""

    def __init__(self, dims: int = 256) -> None:
        """
        Raises:
            ValueError: if `dims` is not positive.
        """
        if dims < 1:
            raise ValueError(f"dims must be positive, not {dims}")
        self.dims = dims
        self._vector = remembered(4096)(self._embed_one)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dims), float32, each row of length 1; the row of an empty text is all zero."""
        import numpy as np  # importing this package must stay cheap

        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        for index, text in enumerate(texts):
            for bucket, weight in self._vector(text):
                rows[index, bucket] = weight
        return rows

    def _embed_one(self, text: str) -> tuple[tuple[int, float], ...]:
        buckets: dict[int, float] = {}
        folded = "".join(text.split()).lower()
        marked = f"^{folded}$" if folded else ""
        for size, weight in _WEIGHTS.items():
            source = folded if size == 1 else marked
            for start in range(len(source) - size + 1):
                bucket, sign = _bucket(source[start : start + size], self.dims)
                buckets[bucket] = buckets.get(bucket, 0.0) + sign * weight
        length = sum(weight * weight for weight in buckets.values()) ** 0.5
        return tuple((bucket, weight / length) for bucket, weight in buckets.items()) if length else ()


@functools.lru_cache(maxsize=16_384)
def _bucket(piece: str, dims: int) -> tuple[int, float]:
    code = zlib.crc32(piece.encode("utf-8", "surrogatepass"))
    return (code >> 1) % dims, 1.0 if code & 1 else -1.0
