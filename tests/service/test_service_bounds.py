"""Whatever is read has a bound at the door; over it, the path is told and nobody harmed (service.md, Errors).

The figures are in docs/security.md, "Bounds".
"""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from tingdong.errors import BadHome
from tingdong.home.document import decode_home
from tingdong.service.hospital import HOSPITAL_STREAM

HOME = json.loads((Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_text("utf-8"))
SECRET = "a secret of thirty-two characters"


@pytest.mark.parametrize(
    ("field", "value"),
    [("local", "厅" * 65), ("now", "9" * 65), ("page_id", "p" * 257), ("home_id", "h" * 257)],
)
async def test_every_field_of_a_turn_is_bounded(serve_settings: Any, pipe: Any, field: str, value: str) -> None:
    """400 with the path; the next turn of the connection is served (service.md, Errors)."""
    payload = {"page_id": "p", "question": "开灯", "instruct": True, "local": "客厅", "home": HOME}
    async with serve_settings() as service, service.connect() as socket:
        await pipe(socket).send({"topic": "llm/smarthome", "rid": "1", "payload": {**payload, field: value}})
        refused = await pipe(socket).closing("1")
        assert (refused["ret"], refused["path"]) == (400, f"payload.{field}")
        await pipe(socket).send({"topic": "llm/smarthome", "rid": "2", "payload": payload})
        assert (await pipe(socket).closing("2"))["ret"] == 0


@pytest.mark.parametrize(
    ("path", "change", "status", "where"),
    [
        ("retrieve", {"location": "厅" * 65}, 400, "location"),
        ("retrieve", {"before": ["开灯"] * 33}, 400, "before"),
        ("retrieve", {"before": ["开" * 600, "灯" * 600]}, 413, "before"),
        ("retrieve", {"text": "灯" * 1_001}, 413, "text"),
        ("retrieve", {"queries": [{"action": "打开"}] * 33}, 400, "queries"),
        ("retrieve", {"queries": [{"action": "打开", "name": "厅" * 65}]}, 413, "queries[0]"),
        ("retrieve", {"queries": [{"action": "打开", "include": ["厅"] * 33}]}, 413, "queries[0]"),
        ("understand", {"local": "厅" * 65}, 400, "local"),
        ("understand", {"question": "灯" * 1_001}, 413, "question"),
        ("understand", {"alternatives": ["灯"] * 9}, 400, "alternatives"),
        ("understand", {"alternatives": "灯"}, 400, "alternatives"),
        ("understand", {"alternatives": ["灯", 1]}, 400, "alternatives[1]"),
        ("understand", {"alternatives": ["灯", "灯" * 1_001]}, 413, "alternatives[1]"),
        ("parse", {"alternatives": ["灯"] * 9}, 400, "alternatives"),
        ("parse", {"alternatives": ["灯" * 1_001]}, 413, "alternatives[0]"),
        ("hospital/turn", {"alternatives": ["灯"] * 9}, 400, "alternatives"),
        ("hospital/turn", {"alternatives": ["灯" * 1_001]}, 413, "alternatives[0]"),
        ("hospital/turn", {"now": "9" * 65}, 400, "now"),
        ("hospital/turn", {"attachments": [{"kind": "image", "ref": "x" * 1_025}]}, 413, "attachments[0].ref"),
    ],
)
async def test_every_field_over_http_has_the_same_bound(
    serve_settings: Any, path: str, change: dict[str, Any], status: int, where: str
) -> None:
    """Every text and every list that a request brings."""
    asked = {"page_id": "p", "question": "开灯", "text": "开灯", "instruct": True, "home": HOME}
    async with serve_settings() as service, httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
        answer = await http.post(f"/v1/{path}", json={**asked, **change})
    assert (answer.status_code, answer.json()["path"]) == (status, where)


@pytest.mark.parametrize("now", ["9999-12-31T23:59:59+08:00", "9999-12-30T12:00:00-12:00", "0001-01-01T00:00:00+14:00"])
async def test_a_clock_at_the_end_of_the_calendar_is_the_clients_fault(
    serve_settings: Any, pipe: Any, now: str
) -> None:
    """400 at both desks, on both wires: from such a clock nothing can be reckoned (service.md, the user's clock)."""
    at_home = {"page_id": "p", "question": "后天早上八点开灯", "instruct": True, "home": HOME, "now": now}
    at_desk = {"page_id": "p", "question": "后天挂儿科", "now": now}
    async with serve_settings() as service:
        async with service.connect() as home, service.connect(HOSPITAL_STREAM) as desk:
            for socket, topic, payload in ((home, "llm/smarthome", at_home), (desk, "llm/hospital", at_desk)):
                await pipe(socket).send({"topic": topic, "rid": "1", "payload": payload})
                assert (await pipe(socket).closing("1"))["ret"] == 400
        async with httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
            for path, payload in (("understand", at_home), ("hospital/turn", at_desk)):
                answer = await http.post(f"/v1/{path}", json=payload)
                assert (answer.status_code, answer.json()["path"]) == (400, "now")


@pytest.mark.parametrize("exp", ["1e999", "1" + "0" * 400, "-1e999", '"1e999"'])
async def test_a_token_that_expires_beyond_all_numbers(serve_settings: Any, exp: str) -> None:
    """It is a token like any other: taken or refused (401), never a fault of ours."""
    signer = jwt.PyJWS()
    token = signer.encode(f'{{"tenant": "villa", "exp": {exp}}}'.encode(), SECRET, "HS256")
    async with (
        serve_settings(jwt={"key": SECRET, "algorithms": ["HS256"]}) as service,
        httpx.AsyncClient(base_url=service.http, trust_env=False) as http,
    ):
        answer = await http.post("/v1/parse", json={"text": "开灯"}, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code in {200, 401}


LONG = "厅" * 129


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"layout": [LONG]}, "layout[0]"),
        ({"layout": ["客厅"] * 2_001}, "layout"),
        ({"scenes": [{"id": "s", "name": LONG}]}, "scenes[0].name"),
        ({"groups": [{"id": "g" * 257, "name": "组"}]}, "groups[0].id"),
        ({"groups": [{"id": f"g{number}", "name": "组"} for number in range(1_001)]}, "groups"),
        ({"model": {**HOME["model"], "x": {"describe": "灯" * 2_001}}}, "model.x.describe"),
        ({"model": {**HOME["model"], "x": {"property": {LONG: {"type": "bool"}}}}}, "model.x.property"),
        (
            {"model": {**HOME["model"], "x": {"property": {"mode": {"type": "enum", "range": [LONG]}}}}},
            "model.x.property.mode.range",
        ),
        ({"devices": [{**HOME["devices"][0], "name": LONG}]}, "devices[0].name"),
        ({"devices": [{**HOME["devices"][0], "local": LONG}]}, "devices[0].local"),
    ],
)
def test_strings_of_a_home_are_bounded(change: dict[str, Any], path: str) -> None:
    """422 with the path, at once: names are compared with what is said, and that is not linear in their length."""
    began = time.perf_counter()
    with pytest.raises(BadHome) as refused:
        decode_home({**HOME, **change})
    assert refused.value.path == path
    assert time.perf_counter() - began < 1.0


async def test_answers_are_bounded_in_bytes(serve_settings: Any) -> None:
    """A sentence that makes megabytes of relations is refused, and the page stays as it was (413)."""
    async with (
        serve_settings() as service,
        httpx.AsyncClient(base_url=service.http, trust_env=False, timeout=60) as http,
    ):
        first = await http.post("/v1/hospital/turn", json={"page_id": "p", "question": "我想挂儿科的号"})
        flood = await http.post("/v1/hospital/turn", json={"page_id": "p", "question": "儿科" * 500})
        assert flood.status_code in {200, 413}
        assert len(flood.content) <= 262_144
        later = await http.post("/v1/hospital/turn", json={"page_id": "p", "question": "明天上午的"})
    assert len(later.json()["frames"]) <= len(first.json()["frames"]) + 8
