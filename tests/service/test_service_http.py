"""HTTP beside the WebSocket: same validation, same errors (service.md, HTTP)."""

from typing import Any

import httpx
import jsonschema
import pytest

from tingdong.errors import BackendError
from tingdong.service.access import NOBODY, Access, Rules
from tingdong.service.openapi import openapi_document

TURN = {"page_id": "p", "question": "关灯", "instruct": True, "home": {"devices": []}}


def _client(service: Any, **options: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=service.http, trust_env=False, **options)


async def test_a_turn_over_http(run_service: Any, understanding: Any) -> None:
    """POST /v1/understand answers with the `data` of the closing frame; a repeated rid acts once (service.md, Closing
    frame)."""
    async with run_service(understanding) as service, _client(service) as client:
        first = await client.post("/v1/understand", json={**TURN, "rid": "r"})
        again = await client.post("/v1/understand", json={**TURN, "rid": "r"})
    assert first.status_code == 200
    assert first.json() == again.json()
    assert list(first.json()) == ["ret", "page_id", "question", "active"]
    assert first.json()["active"]["instructs"][0]["id"] == "dev-1"
    assert len(understanding.asked) == 1


@pytest.mark.parametrize(
    ("path", "body", "status", "where"),
    [
        ("/v1/understand", b"{", 400, ""),
        ("/v1/understand", b"\xff", 400, ""),
        ("/v1/understand", b'{"page_id": "p"}', 400, "question"),
        ("/v1/parse", b'{"text": 1}', 400, "text"),
        ("/v1/parse", b'{"text": "' + b"x" * 1_001 + b'"}', 413, "text"),
        ("/v1/retrieve", b'{"text": "x"}', 400, "home"),
        ("/v1/parse", b"x" * 300_000, 413, ""),
        ("/v1/nothing", b"{}", 404, ""),
    ],
)
async def test_errors_are_json_with_ret(
    run_service: Any, understanding: Any, path: str, body: bytes, status: int, where: str
) -> None:
    """The status is the pipe's `ret`, the body has message and path."""
    async with run_service(understanding) as service, _client(service) as client:
        answer = await client.post(path, content=body)
    assert answer.status_code == status
    assert (answer.json()["ret"], answer.json().get("path", "")) == (status, where)
    assert answer.json()["message"]


@pytest.mark.parametrize(("question", "home", "status"), [("开灯", [], 422), ("坏", {}, 500), ("库", {}, 500)])
async def test_faults_of_a_turn_are_statuses(
    run_service: Any, understanding: Any, question: str, home: Any, status: int
) -> None:
    """422 for a home that does not validate, 500 for what is ours and says no more."""
    async with run_service(understanding) as service, _client(service) as client:
        answer = await client.post("/v1/understand", json={**TURN, "question": question, "home": home})
    assert answer.status_code == status
    assert "secret" not in answer.text
    assert "10.0.0.7" not in answer.text


async def test_parse_and_retrieve_answer(run_service: Any, understanding: Any) -> None:
    """The command line's answers without the id (cli.md)."""
    async with run_service(understanding) as service, _client(service) as client:
        parsed = await client.post("/v1/parse", json={"text": "开灯"})
        found = await client.post("/v1/retrieve", json={"text": "开灯", "home": {}})
    assert parsed.json() == {"commands": ["UNKNOWN-*-*#Unknown#one"], "confidence": 0.5, "tier": "local"}
    assert found.json() == {
        "candidates": [{"entity_id": "dev-1", "kind": "device", "role": "target", "score": 1.0}],
        "hint": None,
    }


async def test_a_page_is_forgotten_on_request(run_service: Any, understanding: Any) -> None:
    """DELETE /v1/pages/{page_id}: 204, then 404 (service.md)."""
    async with run_service(understanding) as service, _client(service) as client:
        await client.post("/v1/understand", json=TURN)
        assert (await client.delete("/v1/pages/p")).status_code == 204
        assert (await client.delete("/v1/pages/p")).status_code == 404


async def test_probes_metrics_and_page(run_service: Any, understanding: Any) -> None:
    """The page at /, probes and metrics answer without a token (cli.md)."""
    access = Access(Rules(tokens={"right-token": NOBODY}))
    async with run_service(understanding, access=access) as service, _client(service) as client:
        for path in ("/", "/healthz", "/readyz", "/metrics", "/openapi.json"):
            assert (await client.get(path)).status_code == 200
        refused = await client.post("/v1/parse", json={"text": "开灯"})
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        headers = {"Authorization": "Bearer right-token"}
        assert (await client.post("/v1/parse", json={"text": "开灯"}, headers=headers)).status_code == 200


async def test_not_ready_when_the_store_is_gone(run_service: Any, understanding: Any) -> None:
    """/readyz says 503 while turns cannot be served; /healthz stays 200."""

    async def gone() -> None:
        raise BackendError("page store: gone")

    async with run_service(understanding, ready=gone) as service, _client(service) as client:
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.get("/healthz")).status_code == 200


async def test_metrics_count_turns_and_refusals(run_service: Any, understanding: Any, pipe: Any, frame: Any) -> None:
    """Turns by kind, closing frames by ret, open connections (telemetry)."""
    async with run_service(understanding) as service, service.connect() as connection, _client(service) as client:
        await pipe(connection).send(frame("1", "开灯"))
        await pipe(connection).closing("1")
        await pipe(connection).send("{")
        await pipe(connection).closing("")
        text = (await client.get("/metrics")).text
    for line in (
        'tingdong_turns_total{kind="instruct",topic="llm/smarthome"} 1.0',
        'tingdong_closing_frames_total{ret="400",topic="llm/smarthome"} 1.0',
        "tingdong_connections 1.0",
        "tingdong_turns_in_flight 0.0",
        "tingdong_instructs_total 1.0",
    ):
        assert line in text


async def test_browsers_of_other_origins_are_refused(run_service: Any, understanding: Any) -> None:
    """The allow-list of origins holds for HTTP too (service.md, Limits)."""
    access = Access(Rules(origins=("https://app.example.com",)))
    async with run_service(understanding, access=access) as service, _client(service) as client:
        answer = await client.post("/v1/parse", json={"text": "开灯"}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403


def test_the_openapi_document_describes_what_is_served() -> None:
    """Every operation has schemas that are JSON Schema, and every reference leads somewhere."""
    document = openapi_document("1")
    assert set(document["paths"]) >= {"/v1/parse", "/v1/retrieve", "/v1/understand", "/v1/pages/{page_id}"}
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    turn = {**schemas["UnderstandRequest"], "components": document["components"]}
    jsonschema.validate(TURN, turn)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**TURN, "question": 1}, turn)
