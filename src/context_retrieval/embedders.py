"""An embedding endpoint behind the `Embedder` port (retrieval.md).

The only module of this package that opens a connection; nothing here imports it. Vectors are remembered by text, so
that a home's descriptions are sent once. Speaks the OpenAI-compatible `POST {base}/embeddings`.
"""

import json
import urllib.error
import urllib.request
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["EmbeddingError", "HttpEmbedder"]

MAX_ANSWER = 32 * 1024 * 1024


class EmbeddingError(RuntimeError):
    """The endpoint did not answer, or answered something that is no list of vectors."""


class _EmbeddingRow(msgspec.Struct):
    index: int
    embedding: list[float]


class _EmbeddingAnswer(msgspec.Struct):
    data: list[_EmbeddingRow]


class HttpEmbedder:
    """Texts to vectors of length 1 through an endpoint. Not thread-safe."""

    def __init__(
        self, base_url: str, model: str, *, api_key: str = "", timeout: float = 5.0, remembered: int = 4096
    ) -> None:
        """Raises ValueError when `base_url` is no http(s) address."""
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"an embedding endpoint needs an http(s) address, not {base_url!r}")
        self._url = base_url.rstrip("/") + "/embeddings"
        self._model = model
        self._key = api_key
        self._timeout = timeout
        self._size = remembered
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dims). Raises `EmbeddingError`; what was embedded before needs no
        connection.
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        fresh = dict(zip(missing, self._ask(missing), strict=True)) if missing else {}
        rows = [fresh[text] if text in fresh else self._known[text] for text in texts]
        for text in texts:
            self._remember(text, fresh.get(text))
        return np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32)

    def _remember(self, text: str, vector: NDArray[np.float32] | None) -> None:
        if vector is not None:
            self._known[text] = vector
        if text in self._known:
            self._known.move_to_end(text)
        while len(self._known) > self._size:
            self._known.popitem(last=False)

    def _ask(self, texts: list[str]) -> list[NDArray[np.float32]]:
        body = json.dumps({"model": self._model, "input": texts}, ensure_ascii=False).encode("utf-8")
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                raw = response.read(MAX_ANSWER)
        except (OSError, urllib.error.URLError) as error:
            raise EmbeddingError(f"{self._url}: {error}") from error
        return self._read(raw, len(texts))

    def _read(self, raw: Any, count: int) -> list[NDArray[np.float32]]:
        try:
            rows = sorted(msgspec.json.decode(raw, type=_EmbeddingAnswer).data, key=lambda row: row.index)
        except msgspec.MsgspecError as error:
            raise EmbeddingError(f"{self._url}: {error}") from error
        widths = {len(row.embedding) for row in rows}
        if [row.index for row in rows] != list(range(count)) or len(widths) != 1 or 0 in widths:
            raise EmbeddingError(f"{self._url}: expected {count} vectors of one width")
        return [_unit(np.asarray(row.embedding, dtype=np.float32)) for row in rows]


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
