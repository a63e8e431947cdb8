"""Spans of a turn, metrics of what happened, dashboards that name what exists (docs/operations.md, Observability)."""

import asyncio
import itertools
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tingdong.bootstrap import create_service, embedded
from tingdong.client import Client
from tingdong.errors import BackendError
from tingdong.home_dialogue.page import Page
from tingdong.service.metrics import Metrics
from tingdong.service.telemetry import Telemetry
from tingdong.service.watched import WatchedStore
from tingdong.settings import load_settings
from tingdong.stores import MemoryPageStore

ROOT = Path(__file__).parents[2]
HOME = json.loads((ROOT / "tests" / "corpus" / "homes" / "sample8.json").read_text("utf-8"))
EXPORTED = re.compile(r"tingdong_[a-z_]+")


def _families() -> dict[str, str]:
    """Sample names of every metric → its type."""
    names: dict[str, str] = {}
    for family in Metrics().registry.collect():
        suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}[family.type]
        names |= {family.name + suffix: family.type for suffix in suffixes}
    return names


async def test_a_turn_is_a_span_with_a_span_for_each_stage(run_service: Any) -> None:
    """Stages follow each other inside the turn's span; no utterance, rid or page id is in any of them."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry = Telemetry(stream=BytesIO(), tracers=provider)
    async with run_service(embedded(), telemetry=telemetry) as service, Client(service.url) as client:
        assert (await client.ask("打开藏钱的房间的灯", page_id="page-of-mine", home=HOME, rid="rid-of-mine")).ret == 0
    spans = exporter.get_finished_spans()
    (turn,) = [span for span in spans if span.name == "turn"]
    stages = sorted((span for span in spans if span.name != "turn"), key=lambda span: span.start_time or 0)
    assert [span.name for span in stages] == ["page", "home", "read", "step", "commit"]
    assert {span.parent.span_id for span in stages if span.parent} == {turn.context.span_id}
    for one, next_ in itertools.pairwise(stages):
        assert one.end_time == next_.start_time
    assert dict(turn.attributes or {}).keys() >= {"topic", "kind", "tier", "ret", "reason"}
    text = "".join(span.to_json() for span in spans)
    assert [private for private in ("藏钱", "page-of-mine", "rid-of-mine") if private in text] == []


async def test_turns_and_faults_are_counted(run_service: Any) -> None:
    """Kinds, verdicts, UNKNOWN, clarifications, candidates and stages of a conversation reach /metrics."""
    async with run_service(embedded()) as service, Client(service.url) as client:
        for question in ("小牛，关所有房间的灯", "打开空调", "今天天气不错", "厨房的灯开着吗"):
            assert (await client.ask(question, page_id=question, home=HOME, local="厨房")).ret == 0
        value = service.telemetry.metrics.registry.get_sample_value
        async with httpx.AsyncClient(trust_env=False) as http:
            text = (await http.get(service.http + "/metrics")).text
    topic = {"topic": "llm/smarthome"}
    assert value("tingdong_turns_total", {**topic, "kind": "instruct"}) == 1
    assert value("tingdong_clarifications_total", topic) == 1
    assert value("tingdong_unknown_total") >= 1
    assert value("tingdong_candidates_count") == 3
    assert value("tingdong_candidates_sum") >= 5
    assert value("tingdong_stage_seconds_count", {"stage": "read"}) == 4
    assert value("tingdong_readings_total", {"tier": "local", "verdict": "accept"}) == 3
    assert "tingdong_turn_seconds_bucket" in text


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [("parse", {"text": "打开空调"}, "commands"), ("retrieve", {"text": "打开空调", "home": HOME}, "candidates")],
)
async def test_a_sentence_without_a_page_is_measured(run_service: Any, path: str, body: Any, kind: str) -> None:
    """What is asked over HTTP without a page is counted and logged like a turn, without its words."""
    async with run_service(embedded()) as service, httpx.AsyncClient(trust_env=False) as http:
        assert (await http.post(f"{service.http}/v1/{path}", json=body)).status_code == 200
        value = service.telemetry.metrics.registry.get_sample_value
        line = json.loads(service.log.getvalue().splitlines()[-1])
    assert value("tingdong_turns_total", {"topic": path, "kind": kind}) == 1
    assert value("tingdong_closing_frames_total", {"topic": path, "ret": "0"}) == 1
    assert value("tingdong_turn_seconds_count", {"topic": path}) == 1
    assert value("tingdong_turns_in_flight") == 0
    assert (line["event"], line["topic"], line["kind"], line["question_chars"]) == ("turn", path, kind, 4)
    assert "page" not in line
    assert "空调" not in json.dumps(line, ensure_ascii=False)


async def test_a_sentence_without_a_page_obeys_the_limit_of_time(run_service: Any) -> None:
    """A model that does not answer costs one request its 504, and nobody else anything (service.md, Limits)."""

    async def never(*_asked: Any) -> Any:
        await asyncio.Event().wait()

    body = {"text": "打开空调", "home": HOME}
    async with (
        run_service(embedded(), consult=never, turn_seconds=0.05) as service,
        httpx.AsyncClient(trust_env=False) as http,
    ):
        late = await http.post(service.http + "/v1/retrieve", json=body)
        assert (await http.post(service.http + "/v1/parse", json={"text": "打开空调"})).status_code == 200
    assert (late.status_code, late.json()["ret"]) == (504, 504)


class _Broken(MemoryPageStore):
    async def get(self, page_id: str) -> tuple[Page, int] | None:
        raise BackendError("gone")


async def test_the_health_of_the_store_is_seen() -> None:
    """Operations are timed, failures counted by code, lost races counted (WatchedStore)."""
    metrics = Metrics()
    store = WatchedStore(MemoryPageStore(), metrics)
    assert await store.put("a", Page(id="a"), expected=0)
    assert not await store.put("a", Page(id="a"), expected=0)
    assert await store.get("a") == (Page(id="a"), 1)
    assert await store.delete("a")
    with pytest.raises(BackendError):
        await WatchedStore(_Broken(), metrics).get("a")
    value = metrics.registry.get_sample_value
    assert value("tingdong_store_seconds_count", {"operation": "put"}) == 2
    assert value("tingdong_store_seconds_count", {"operation": "get"}) == 2
    assert value("tingdong_store_conflicts_total") == 1
    assert value("tingdong_store_failures_total", {"operation": "get", "code": "backend"}) == 1


async def test_the_service_watches_its_store() -> None:
    """The composition root puts the watcher between use case and store."""
    app, telemetry = create_service(load_settings(log={"level": "error"}))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
        body = {"page_id": "p", "question": "开灯", "instruct": True, "home": HOME}
        assert (await client.post("/v1/understand", json=body)).status_code == 200
    count = telemetry.metrics.registry.get_sample_value
    assert count("tingdong_store_seconds_count", {"operation": "put"}) == 1
    await app.close()


@pytest.mark.parametrize("name", ["grafana.json", "alerts.yaml"])
def test_dashboards_and_alerts_name_metrics_that_exist(name: str) -> None:
    """Every name in an expression is a sample that /metrics exports; rates are taken of counters only."""
    text = (ROOT / "deploy" / name).read_text("utf-8")
    families = _families()
    named = set(EXPORTED.findall(text))
    assert named - set(families) == set()
    for rated in re.findall(r"rate\((tingdong_[a-z_]+)", text):
        assert families[rated] in ("counter", "histogram"), rated


def test_the_dashboard_shows_every_metric() -> None:
    """What is exported is seen by somebody: each metric is in a panel, and panels have distinct ids and places."""
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8"))
    shown = set(EXPORTED.findall(json.dumps(board)))
    missing = {
        family.name
        for family in Metrics().registry.collect()
        if not any(name.startswith(family.name) for name in shown)
    }
    assert missing == set()
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]}
    assert len(places) == len(board["panels"])


def test_manifests_agree_with_the_settings() -> None:
    """Environment variables in deploy/ are settings; grace periods are longer than the drain."""
    settings = load_settings()
    documents = [*yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text("utf-8"))]
    pod = documents[0]["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] > settings.limits.drain_seconds + 5
    unit = (ROOT / "deploy" / "tingdong.service").read_text("utf-8")
    stop = re.search(r"TimeoutStopSec=(\d+)", unit)
    assert stop is not None
    assert float(stop[1]) > settings.limits.drain_seconds
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    named = {item["name"] for item in pod["containers"][0]["env"]}
    named |= set(compose["services"]["tingdong-1"]["environment"])
    known = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    assert {name for name in named if f"`{name}`" not in known} == set()
    (autoscaled,) = [doc for doc in documents if doc["kind"] == "HorizontalPodAutoscaler"]
    metric = autoscaled["spec"]["metrics"][0]["pods"]["metric"]["name"]
    assert metric in _families()
