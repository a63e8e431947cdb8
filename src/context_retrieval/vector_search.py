"""Vectors for short Chinese texts, and nearest neighbours (retrieval.md, Devices).

`Embedder` is the port. The local embedder combines hashed character n-grams with one dimension per concept of
`data/concepts.yaml`, so that texts with similar characters or similar meaning are close, without a model or network.
"""

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from context_retrieval.concepts import ConceptTable, concept_table
from zhtext.ngram import NGramEmbedder

__all__ = ["Embedder", "LocalEmbedder", "VectorIndex", "cosine", "local_embedder"]

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors; rows have length 1 (or 0 for a text that says nothing)."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Array of shape (len(texts), dims)."""
        ...


class LocalEmbedder:
    """Character n-grams beside concept dimensions; deterministic, no network, no model."""

    def __init__(self, concepts: ConceptTable | None = None, *, ngram_dims: int = 256) -> None:
        self._concepts = concepts if concepts is not None else concept_table()
        self._ngrams = NGramEmbedder(ngram_dims)
        self.dims: int = ngram_dims + len(self._concepts.names)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of `dims` numbers, of length 1, in the order of the texts."""
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        start = self._ngrams.dims
        rows[:, :start] = self._ngrams.embed(texts)
        for index, text in enumerate(texts):
            for dimension, weight in self._concepts.spot(text).items():
                rows[index, start + dimension] = weight
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows


@cache
def local_embedder() -> LocalEmbedder:
    """The default embedder, shared."""
    return LocalEmbedder()


def cosine(first: Vectors, second: Vectors) -> float:
    """Cosine of two vectors, -1..1; 0 when either is zero."""
    norm = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / norm if norm else 0.0


class VectorIndex:
    """Texts under ids, searched by cosine; the matrix is made when first searched."""

    def __init__(self, texts: dict[str, str], embedder: Embedder | None = None) -> None:
        self._ids = list(texts)
        self._texts = list(texts.values())
        self._embedder = embedder if embedder is not None else local_embedder()
        self._matrix: Vectors | None = None

    def search(self, text: str, limit: int = 5, *, threshold: float = 0.0) -> list[tuple[str, float]]:
        """At most `limit` ids with their cosine to `text`, best first, none below `threshold`."""
        if not self._ids or limit < 1:
            return []
        if self._matrix is None:
            self._matrix = self._embedder.embed(self._texts)
        scores = self._matrix @ self._embedder.embed([text])[0]
        order = np.argsort(-scores, kind="stable")[:limit]
        return [(self._ids[index], float(scores[index])) for index in order if scores[index] >= threshold]
