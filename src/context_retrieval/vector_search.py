"""Real vectors for short Chinese texts, and the nearest of them (seed 002, 向量相似度匹配).

`Embedder` is the port. The local embedder joins hashed character n-grams with one dimension for each concept of
`data/concepts.yaml`: words that look alike and words that mean alike both lie near each other, without a model or
network.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Protocol

import msgspec
import numpy as np
import yaml
from numpy.typing import NDArray

from zhtext.ngram import NGramEmbedder

__all__ = ["ConceptTable", "Embedder", "LocalEmbedder", "VectorIndex", "concept_table", "cosine", "local_embedder"]

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors; rows have length 1 (or 0 for a text that says nothing)."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Array of shape (len(texts), dims)."""
        ...


class _Concept(msgspec.Struct, forbid_unknown_fields=True):
    weight: float
    words: list[str]


class _ConceptFile(msgspec.Struct, forbid_unknown_fields=True):
    concepts: dict[str, _Concept]
    implied: dict[str, str] = {}


class ConceptTable(msgspec.Struct, frozen=True):
    """Concept words, each with the concepts it speaks of as (dimension, weight)."""

    names: tuple[str, ...]
    by_word: dict[str, tuple[tuple[int, float], ...]]
    longest: int
    implied: tuple[tuple[str, str], ...] = ()

    def describe(self, description: str) -> str:
        """A command's description with what it implies (设置开合度 also opens and closes)."""
        extra = {more for word, more in self.implied if word in description}
        return " ".join((description, *sorted(extra)))

    def spot(self, text: str) -> dict[int, float]:
        """Dimension → weight of the concepts in `text`; at each place the longest word counts."""
        found: dict[int, float] = {}
        text, start = text.lower(), 0
        while start < len(text):
            for size in range(min(self.longest, len(text) - start), 0, -1):
                concepts = self.by_word.get(text[start : start + size])
                if concepts is not None and not _inside_latin(text, start, start + size):
                    found.update(concepts)
                    start += size
                    break
            else:
                start += 1
        return found


def _inside_latin(text: str, start: int, end: int) -> bool:
    """Whether a Latin word is only a piece of a longer one (on in condition)."""
    before = start > 0 and text[start].isascii() and text[start].isalpha() and text[start - 1 : start].isascii()
    after = end < len(text) and text[end - 1].isascii() and text[end - 1].isalpha() and text[end].isascii()
    return (before and text[start - 1].isalpha()) or (after and text[end].isalpha())


@cache
def concept_table() -> ConceptTable:
    """The table of the package's own data. Raises ValueError naming file and key when the data is inconsistent."""
    source = resources.files("context_retrieval").joinpath("data", "concepts.yaml")
    return build_concepts(yaml.safe_load(source.read_text(encoding="utf-8")), "concepts.yaml")


def build_concepts(data: Any, name: str) -> ConceptTable:
    """A validated table. Raises ValueError for unknown keys, a weight that is not positive, or a word said twice."""
    try:
        file = msgspec.convert(data, _ConceptFile)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from error
    by_word: dict[str, tuple[tuple[int, float], ...]] = {}
    for dimension, (key, concept) in enumerate(file.concepts.items()):
        if concept.weight <= 0:
            raise ValueError(f"{name}: concepts.{key}.weight: must be positive")
        words = [word.lower() for word in concept.words]
        if len(set(words)) != len(words):
            raise ValueError(f"{name}: concepts.{key}.words: a word is listed twice")
        for word in words:
            by_word[word] = (*by_word.get(word, ()), (dimension, concept.weight))
    return ConceptTable(tuple(file.concepts), by_word, max(map(len, by_word)), tuple(file.implied.items()))


class LocalEmbedder:
    """Character n-grams beside concept dimensions; deterministic, no network, no model."""

    def __init__(self, concepts: ConceptTable | None = None, *, ngram_dims: int = 256) -> None:
        self._concepts = concepts if concepts is not None else concept_table()
        self._ngrams = NGramEmbedder(ngram_dims)
        self.dims = ngram_dims + len(self._concepts.names)

    def embed(self, texts: Sequence[str]) -> Vectors:
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


@lru_cache(maxsize=65_536)
def local_similarity(first: str, second: str) -> float:
    """Cosine of two texts under the default embedder, cached by text."""
    rows = local_embedder().embed([first, second])
    return float(rows[0] @ rows[1])
