"""The HTTP embedder against a real local server (retrieval.md)."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from context_retrieval.capability import Capability
from context_retrieval.embedders import EmbeddingError, HttpEmbedder
from context_retrieval.models import DeviceCommand
from context_retrieval.vector_search import local_embedder


class Endpoint(ThreadingHTTPServer):
    """An OpenAI-compatible embedding server; `answer` replaces its JSON, `asked` holds the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.answer: bytes | None = None
        self.status = 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(request)
        self.server.keys.append(self.headers["Authorization"])
        rows = local_embedder().embed(request["input"]) * 3
        data = [{"index": index, "embedding": row.tolist()} for index, row in enumerate(rows)]
        answer = self.server.answer or json.dumps({"data": data[::-1]}).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args: object) -> None:
        """Keep the test output clean."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_vectors_in_order_and_of_length_one(endpoint: Endpoint) -> None:
    """Rows come in the order asked, whatever the endpoint's order, scaled to length 1."""
    rows = HttpEmbedder(endpoint.url, "m", api_key="key").embed(["打开", "关闭", "打开"])
    np.testing.assert_allclose(rows, local_embedder().embed(["打开", "关闭", "打开"]), atol=1e-5)
    assert endpoint.asked == [{"model": "m", "input": ["打开", "关闭"]}]
    assert endpoint.keys == ["Bearer key"]


def test_known_texts_are_not_asked_again(endpoint: Endpoint) -> None:
    """What was embedded once needs no connection, until it is forgotten."""
    embedder = HttpEmbedder(endpoint.url, "m", remembered=2)
    embedder.embed(["甲", "乙"])
    embedder.embed(["乙", "甲"])
    assert len(endpoint.asked) == 1
    embedder.embed(["丙"])
    embedder.embed(["乙"])
    assert [request["input"] for request in endpoint.asked[1:]] == [["丙"], ["乙"]]


def test_capability_through_the_endpoint(endpoint: Endpoint) -> None:
    """The port carries: capability by the endpoint equals capability by the local embedder."""
    commands = (DeviceCommand("on", "打开设备"), DeviceCommand("level", "调亮度", "integer"))
    remote = Capability(HttpEmbedder(endpoint.url, "m"))
    for action in ("打开", "关闭", "调高亮度", "摁灭"):
        assert [name for name, _ in remote.fitting(action, commands)] == [
            name for name, _ in Capability().fitting(action, commands)
        ]


@pytest.mark.parametrize(
    "answer", [b"", b"[]", b'{"data": []}', b'{"data": [{"index": 0, "embedding": []}]}', b'{"data": "x"}', b"\xff"]
)
def test_broken_answers_are_named(endpoint: Endpoint, answer: bytes) -> None:
    """An answer that is no list of vectors raises one error that names the endpoint."""
    endpoint.answer = answer or b" "
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1"):
        HttpEmbedder(endpoint.url, "m").embed(["打开"])


def test_refusal_is_named(endpoint: Endpoint) -> None:
    """A status that is no success raises the same error."""
    endpoint.status = 503
    with pytest.raises(EmbeddingError, match="503"):
        HttpEmbedder(endpoint.url, "m").embed(["打开"])


def test_no_server_raises_the_same_error() -> None:
    """No connection raises the same error; a foreign address is refused at once."""
    server = Endpoint()
    url = server.url
    server.server_close()
    with pytest.raises(EmbeddingError):
        HttpEmbedder(url, "m", timeout=1).embed(["打开"])
    with pytest.raises(ValueError, match="http"):
        HttpEmbedder("file:///etc/passwd", "m")


def test_no_texts_need_no_endpoint() -> None:
    """Nothing to embed asks nobody."""
    assert HttpEmbedder("http://127.0.0.1:9", "m").embed([]).shape == (0, 0)
