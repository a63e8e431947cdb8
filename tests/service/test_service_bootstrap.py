"""What the composition root joins, settings to service (architecture, One composition root)."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tingdong.bootstrap import build, create_service, embedded
from tingdong.errors import BackendError
from tingdong.home_turn import TurnRequest
from tingdong.settings import load_settings

HOME = (Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_bytes()


def _turn(question: str, **fields: Any) -> TurnRequest:
    return TurnRequest(rid=question, page_id="p", question=question, home=HOME, local="客厅", **fields)


@asynccontextmanager
async def _api(**settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """The application of these settings, called in-process."""
    app, _ = create_service(load_settings(log={"level": "error"}, **settings))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://tingdong") as client:
        yield client
    await app.close()


async def test_the_http_interface_of_the_real_service() -> None:
    """Parse, retrieve and understand with the embedded parser, as cli.md and service.md have their answers."""
    home = json.loads(HOME)
    async with _api() as client:
        parsed = (await client.post("/v1/parse", json={"text": "打开客厅的灯"})).json()
        found = (await client.post("/v1/retrieve", json={"text": "打开厨房的灯", "home": home})).json()
        follow = {"text": "关了它", "home": home, "before": ["厨房的灯开着吗"]}
        later = (await client.post("/v1/retrieve", json=follow)).json()
        body = {"page_id": "p", "question": "打开卧室的灯", "instruct": True, "home": home}
        turn = (await client.post("/v1/understand", json=body)).json()
        broken = await client.post("/v1/retrieve", json={"text": "开灯", "home": {"devices": 1}})
        ready = await client.get("/readyz")
    assert parsed["commands"][0].startswith("打开")
    assert parsed["tier"] == "local"
    assert [one["entity_id"] for one in found["candidates"]] == ["dev-3"]
    assert [one["entity_id"] for one in later["candidates"]] == ["dev-3"]
    assert turn["active"]["instructs"] == [{"id": "dev-4", "state": {"power": True}, "summary": "打开卧室照明灯"}]
    assert (broken.status_code, ready.status_code) == (422, 200)


async def test_wake_words_and_timed_requests_follow_the_settings() -> None:
    """A configured wake word is ours; a client without timers gets a question in place of `when` (service.md)."""
    runtime = build(load_settings(wake_words=["小智"], when_mode="question"))
    turn = await runtime.understander.turn(_turn("小智，打开卧室的灯"))
    assert [one.id for one in turn.instructs] == ["dev-4"]
    timed = await runtime.understander.turn(_turn("十分钟后关灯"))
    assert (timed.kind, timed.instructs) == ("question", ())
    await runtime.close()
    deferred = await embedded().turn(_turn("十分钟后关灯"))
    assert {one.when for one in deferred.scheduled} == {"PT10M"}


async def test_a_language_model_that_is_gone_harms_nothing() -> None:
    """With an unreachable model the local parser's answer stands (commands.md; service.md)."""
    llm = {"base_url": "http://127.0.0.1:9/v1", "model": "none", "timeout_seconds": 0.5}
    runtime = build(load_settings(llm=llm))
    sure = await runtime.understander.turn(_turn("打开卧室的灯"))
    assert [one.id for one in sure.instructs] == ["dev-4"]
    unsure = await runtime.understander.turn(_turn("那个什么弄一下呗"))
    assert unsure.instructs == ()
    await runtime.close()


async def test_a_store_that_is_gone_makes_the_service_not_ready() -> None:
    """503 from /readyz, 500 for turns, and the process lives (operations.md, Pages)."""
    gone = {"store": "redis://127.0.0.1:9/0", "timeout_seconds": 0.2}
    runtime = build(load_settings(pages=gone))
    with pytest.raises(BackendError):
        await runtime.check()
    await runtime.close()
    async with _api(pages=gone) as client:
        body = {"page_id": "p", "question": "开灯", "instruct": True, "home": json.loads(HOME)}
        assert (await client.post("/v1/understand", json=body)).status_code in (500, 504)
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.get("/healthz")).status_code == 200


def test_the_command_line_starts_without_the_server() -> None:
    """Importing the root and making the embedded use case loads neither pydantic nor a server (start-up time)."""
    probe = (
        "import sys, tingdong.bootstrap; tingdong.bootstrap.embedded();"
        "print([name for name in ('pydantic', 'starlette', 'uvicorn', 'redis', 'openai') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_metric_of_the_page_exists() -> None:
    """Names in operations.md are names that `/metrics` has."""
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
    _, telemetry = create_service(load_settings(log={"level": "error"}))
    families = {metric.name for metric in telemetry.metrics.registry.collect()}
    named = {part.split("{")[0].removesuffix("_total") for part in page.split("`") if part.startswith("tingdong_")}
    assert named == families


async def test_a_turn_is_explained() -> None:
    """Tier and stages of a turn reach the metrics (architecture, Every turn can be explained)."""
    turn = await embedded().turn(_turn("打开卧室的灯"))
    assert turn.decision is not None
    assert turn.decision.reading is not None
    assert turn.decision.reading.tier == "local"
    assert {"home", "page", "read", "step", "commit"} <= set(turn.decision.microseconds)
    assert msgspec.json.encode(turn.decision)
