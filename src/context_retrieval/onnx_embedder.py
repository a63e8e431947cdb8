"""A sentence-embedding model in an ONNX file behind the `Embedder` port; needs the extra `onnx`.

For models of the BERT family that read Chinese character by character (bge, text2vec and the like): `vocab.txt`
beside the model, inputs `input_ids`, `attention_mask` and perhaps `token_type_ids`, first output of shape (batch,
length, dims).
"""

import importlib
import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["OnnxEmbedder", "Pooling", "WordPieces"]

_PIECE = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+|[^\w\s]|_")
_CHINESE = re.compile("[\u3400-\u9fff]")


class Pooling(StrEnum):
    """How the vectors of the pieces become the text's: that of the first piece, or their mean."""

    FIRST = "first"
    MEAN = "mean"


class WordPieces:
    """The tokenizer of BERT for Chinese: one piece a character, the longest known pieces of anything else."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Raises ValueError when `[CLS]`, `[SEP]`, `[UNK]` or `[PAD]` is missing."""
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        if missing := {"[CLS]", "[SEP]", "[UNK]", "[PAD]"} - self._ids.keys():
            raise ValueError(f"vocabulary without {', '.join(sorted(missing))}")

    def ids(self, text: str, limit: int) -> list[int]:
        """Piece ids from `[CLS]` to `[SEP]`, at most `limit` of them."""
        pieces = [number for word in _PIECE.findall(text.lower()) for number in self._word(word)]
        return [self._ids["[CLS]"], *pieces[: limit - 2], self._ids["[SEP]"]]

    @property
    def padding(self) -> int:
        """The number of the piece that fills a row up."""
        return self._ids["[PAD]"]

    def _word(self, word: str) -> list[int]:
        if _CHINESE.match(word):
            return [self._ids.get(word, self._ids["[UNK]"])]
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else "##" + word[start:end]
                if piece in self._ids:
                    found.append(self._ids[piece])
                    start = end
                    break
            else:
                return [self._ids["[UNK]"]]
        return found


class OnnxEmbedder:
    """Texts to vectors of length 1 by a local model file."""

    def __init__(
        self, model: Path, vocabulary: Path, *, pooling: Pooling = Pooling.FIRST, longest: int = 64, threads: int = 1
    ) -> None:
        """Raises ImportError without onnxruntime, and what onnxruntime raises for a file that is no model."""
        onnxruntime = importlib.import_module("onnxruntime")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._inputs = [item.name for item in self._session.get_inputs()]
        self._pieces = WordPieces(vocabulary.read_text(encoding="utf-8").splitlines())
        self._pooling = pooling
        self._longest = longest

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dims)."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        rows = [self._pieces.ids(text, self._longest) for text in texts]
        width = max(map(len, rows))
        ids = np.full((len(rows), width), self._pieces.padding, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: known[name] for name in self._inputs})[0]
        return _unit(self._pooled(np.asarray(hidden, dtype=np.float32), mask))

    def _pooled(self, hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        if self._pooling is Pooling.FIRST:
            return hidden[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        pooled: NDArray[np.float32] = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        return pooled


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
