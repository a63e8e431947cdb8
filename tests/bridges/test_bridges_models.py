"""Language models in front of retrieval (retrieval.md; commands.md, Consumer)."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES, RAW_DEVICES
from context_retrieval.ir_compiler import Chain, FakeLLM
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.bootstrap import create_service
from tingdong.bridges.answers import Answers
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.bridges.model_clients import LedReader, OpenAILLM
from tingdong.llm.openai_model import ConstraintKind, ModelOptions
from tingdong.settings import load_settings

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from wire_server import Reply, WireServer, fails, says

CORPUS = Path(__file__).parents[1] / "corpus"
BOTH = "打开卧室的床头灯和大白"
OTHER = '["打开-卧室-大白#Unknown#one"]'
"""What the model says of it: less than the embedded reader, so that one can tell who was heard."""


@contextmanager
def serving(reply: Reply) -> Iterator[WireServer]:
    """A model server in a thread of its own, so that clients that wait can talk to it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = WireServer(reply)
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def options(server: WireServer) -> ModelOptions:
    return ModelOptions(server.base_url, "m", constraint=ConstraintKind.PROMPT)


def ids(result: Any) -> list[str]:
    return [one.entity_id for one in result.candidates]


def test_three_clients_are_ready() -> None:
    """retrieval.md, Calls: a server of the OpenAI format, the embedded reader and the fake each go in as `llm`."""
    catalog = Catalog.build(DEVICES)
    with serving(says(OTHER)) as server, OpenAILLM(options(server), catalog=catalog) as model:
        found = retrieve(BOTH, catalog, model, ConversationState())
        assert ids(found) == ["device-123"]
        assert found.layer == "llm"
        assert len(server.requests) == 1
    assert set(ids(retrieve(BOTH, catalog, EmbeddedLLM(catalog), ConversationState()))) == {"lamp-4", "device-123"}
    assert ids(retrieve("x", catalog, FakeLLM({"x": ["打开-卧室-床头灯#Light#one"]}), ConversationState())) == [
        "lamp-4"
    ]


@pytest.mark.parametrize("reply", [fails("500 Internal Server Error"), says("没有 JSON")])
def test_a_chain_goes_on_where_the_server_fails(reply: Reply) -> None:
    """retrieval.md: a server that is down or talks nonsense leaves the sentence to the next client."""
    catalog = Catalog.build(DEVICES)
    with serving(reply) as server, OpenAILLM(options(server), catalog=catalog, timeout_s=3.0) as model:
        found = retrieve(BOTH, catalog, Chain([model, EmbeddedLLM(catalog)]), ConversationState())
    assert set(ids(found)) == {"lamp-4", "device-123"}
    assert found.issues


@pytest.mark.parametrize(("path", "asked"), [("old", 0), ("new", 0), ("always", 1)])
def test_the_release_path_holds_for_agents(path: str, asked: int) -> None:
    """commands.md: `always` puts the model first for the tool `retrieve`; else a sure sentence asks nobody."""
    with serving(says('["打开-卧室-空调#AirConditioner#one"]')) as server:
        settings = load_settings(llm={"base_url": server.base_url, "model": "m", "constraint": "prompt", "path": path})
        assert settings.llm is not None
        with LedReader(settings.llm) as reader:
            answers = Answers((CORPUS / "homes" / "sample8.json").read_bytes(), reader=reader)
            found = answers.retrieve("打开卧室空调和客厅的灯")
        assert len(server.requests) == asked
    assert {one["entity_id"] for one in found["candidates"]} == ({"dev-7"} if asked else {"dev-7", "dev-1"})


@pytest.mark.parametrize(("path", "asked"), [("old", 0), ("always", 1)])
async def test_the_release_path_holds_for_the_service(path: str, asked: int) -> None:
    """commands.md: the same for `POST /v1/retrieve`."""
    async with WireServer(says(OTHER)) as server:
        model = {"base_url": server.base_url, "model": "m", "constraint": "prompt", "path": path}
        app, _ = create_service(load_settings(llm=model, log={"level": "error"}))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            answer = await client.post("/v1/retrieve", json={"text": BOTH, "home": RAW_DEVICES})
        await app.close()
        assert len(server.requests) == asked
    expected = {"device-123"} if asked else {"lamp-4", "device-123"}
    assert {one["entity_id"] for one in answer.json()["candidates"]} == expected


def test_the_release_path_holds_for_the_command(tmp_path: Path) -> None:
    """commands.md: the same for `tingdong retrieve --settings`."""
    home = tmp_path / "devices.json"
    home.write_text(json.dumps(RAW_DEVICES), encoding="utf-8")
    with serving(says(OTHER)) as server:
        settings = tmp_path / "settings.json"
        llm = {"base_url": server.base_url, "model": "m", "constraint": "prompt", "path": "always"}
        settings.write_text(json.dumps({"llm": llm}), encoding="utf-8")
        command = [sys.executable, "-m", "tingdong", "retrieve", "--home", str(home), "--settings", str(settings), BOTH]
        done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ), check=False)
    assert done.returncode == 0, done.stderr
    assert [one["entity_id"] for one in json.loads(done.stdout)["candidates"]] == ["device-123"]
