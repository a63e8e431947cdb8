"""The hospital desk over real sockets: the dialogue of hospital.md, Example, retries, and the domain file while it
runs."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from jsonschema import Draft202012Validator
from websockets.exceptions import InvalidStatus

from tingdong.bootstrap import create_service
from tingdong.front_desk.desk import DEMO_DIRECTORY
from tingdong.front_desk.domain import DEFAULT_DOMAIN
from tingdong.service.hospital import HOSPITAL_STREAM
from tingdong.settings import load_settings

NOW = "2026-11-23T09:00:00+08:00"
FIRST = "我头痛想挂号，顺便问停车怎么收费，还有李四医生明天出诊吗？"
DIALOGUE = (FIRST, "我想挂李四医生的号。", "明天下午的。", "医保报销怎么走？")


def _frame(rid: str, question: str, **payload: Any) -> dict[str, Any]:
    return {"topic": "llm/hospital", "rid": rid, "payload": {"page_id": "p", "question": question, **payload}}


@asynccontextmanager
async def _api(service: Any, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=service.http, trust_env=False, **options) as client:
        yield client


def _frames(turn: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(frame["agent_code"], frame["role"], frame["status"]) for frame in turn["frames"]]


def _focus(turn: dict[str, Any]) -> dict[str, Any]:
    (focus,) = [frame for frame in turn["frames"] if frame["frame_id"] == turn["medical_focus_id"]]
    return dict(focus)


def _check_dialogue(turns: list[dict[str, Any]]) -> None:
    """hospital.md, Example, turn by turn."""
    first, chosen, filled, inserted = turns
    ops = [(op["op"], op["target"], op["executed"]) for op in first["intent_ops"]]
    assert ops[0][0] == "clarify"
    assert ("add", "smartCS", False) in ops
    assert [segment["agent_code"] for segment in first["segments"]] == ["triage", "smartCS", "doc-direct"]
    assert first["medical_focus_id"] is None
    assert ("smartCS", "queued", "pending") in _frames(first)
    assert [(op["op"], op["target"]) for op in chosen["intent_ops"]] == [("shift", "doc-direct")]
    assert _focus(chosen)["slots"]["doctor"] == "李四"
    assert ("smartCS", "queued", "pending") in _frames(chosen)
    assert [(op["op"], op["target"]) for op in filled["intent_ops"]] == [("continue", "doc-direct")]
    assert _focus(filled)["slots"] | {"date": "2026-11-24", "period": "下午"} == _focus(filled)["slots"]
    assert [(op["op"], op["target"]) for op in inserted["intent_ops"]] == [("add", "smartCS")]
    assert _focus(inserted)["agent_code"] == "doc-direct"


async def test_the_example_dialogue_over_the_websocket(serve_settings: Any, pipe: Any) -> None:
    """hospital.md, Example: on the pipe each turn has a token frame and a closing frame with a context that is valid by
    its schema."""
    turns = []
    async with serve_settings() as service, service.connect(HOSPITAL_STREAM) as socket:
        talk = pipe(socket)
        for number, question in enumerate(DIALOGUE):
            await talk.send(_frame(f"r{number}", question, now=NOW))
            token = await talk.receive()
            assert (token["rid"], token["payload"]["finish"]) == (f"r{number}", False)
            data = await talk.closing(f"r{number}")
            assert (data["ret"], data["page_id"], data["question"]) == (0, "p", question)
            assert data["active"]["intent"] == token["payload"]["data"]["token"]
            turns.append(data["active"]["turn"])
        async with _api(service) as client:
            schema = (await client.get("/v1/hospital/context.schema.json")).json()
    assert turns[0]["reply"]
    _check_dialogue(turns)
    for turn in turns:
        Draft202012Validator(schema).validate(turn)


async def test_the_example_dialogue_over_http(serve_settings: Any) -> None:
    """hospital.md, Example by `POST /v1/hospital/turn`: the same turns; the page can be forgotten."""
    async with serve_settings() as service, _api(service) as client:
        turns = []
        for question in DIALOGUE:
            answer = await client.post("/v1/hospital/turn", json={"page_id": "a/b", "question": question, "now": NOW})
            assert answer.status_code == 200
            turns.append(answer.json())
        _check_dialogue(turns)
        assert (await client.delete("/v1/hospital/pages/a/b")).status_code == 204
        assert (await client.delete("/v1/hospital/pages/a/b")).status_code == 404


async def test_a_repeated_rid_gets_the_stored_turn(serve_settings: Any, pipe: Any) -> None:
    """The same closing frame, byte for byte, no token frame; the dialogue stays (service.md, Retries)."""
    async with serve_settings() as service, service.connect(HOSPITAL_STREAM) as socket:
        await pipe(socket).send(_frame("r", FIRST, now=NOW))
        await socket.recv()
        first = await socket.recv()
        await pipe(socket).send(_frame("r", FIRST, now=NOW))
        assert await socket.recv() == first
        async with _api(service) as client:
            body = {"page_id": "p", "question": FIRST, "rid": "r", "now": NOW}
            stored = (await client.post("/v1/hospital/turn", json=body)).json()
        assert stored == msgspec.json.decode(first)["payload"]["data"]["active"]["turn"]


@pytest.mark.parametrize(
    ("change", "ret", "path"),
    [
        ({"question": 1}, 400, "payload.question"),
        ({"question": "痛" * 1_001}, 413, "payload.question"),
        ({"now": "昨天"}, 400, "payload.now"),
        ({"attachments": [{"kind": "image", "ref": "x"}] * 9}, 413, "payload.attachments"),
        ({"attachments": [{"kind": "image"}]}, 400, "payload.attachments[0].ref"),
    ],
)
async def test_a_bad_frame_gets_its_ret(serve_settings: Any, pipe: Any, change: Any, ret: int, path: str) -> None:
    """Errors are closing frames on an open connection (service.md, Errors), in this topic too."""
    async with serve_settings() as service, service.connect(HOSPITAL_STREAM) as socket:
        await pipe(socket).send(_frame("r", **{"question": "头痛", **change}))
        data = await pipe(socket).closing("r")
        assert (data["ret"], data["path"]) == (ret, path)
        await pipe(socket).send(_frame("next", "头痛", now=NOW))
        assert (await pipe(socket).closing("next"))["ret"] == 0


async def test_each_path_serves_its_own_topic(serve_settings: Any, pipe: Any) -> None:
    """A frame of the smart home on the hospital's pipe is an unknown topic: 404 (service.md, Request frame)."""
    async with serve_settings() as service, service.connect(HOSPITAL_STREAM) as socket:
        await pipe(socket).send({**_frame("r", "头痛"), "topic": "llm/smarthome"})
        assert (await pipe(socket).closing("r"))["ret"] == 404


async def test_the_domain_file_is_reloaded_and_taken_back(serve_settings: Any, tmp_path: Path) -> None:
    """A new domain is in force at once; a broken one is refused, named, and the old stays (hospital.md, Per turn)."""
    domain, directory = tmp_path / "hospital.yaml", tmp_path / "directory.yaml"
    shutil.copy(DEFAULT_DOMAIN, domain)
    shutil.copy(DEMO_DIRECTORY, directory)
    async with (
        serve_settings(hospital_domain=domain, hospital_directory=directory, bearer_token="of-the-operator") as service,
        _api(service, headers={"Authorization": "Bearer of-the-operator"}) as client,
    ):
        url = "/v1/hospital/domain"
        before = (await client.get(url)).json()
        assert (await client.post(url, json={"action": "roll_back"})).status_code == 422
        directory.write_text(directory.read_text("utf-8") + "\n# a later edition\n", "utf-8")
        after = (await client.post(url, json={"action": "reload"})).json()
        assert after["versions"] == [*before["versions"], after["version"]]
        directory.write_text("departments: {]", "utf-8")
        broken = await client.post(url, json={"action": "reload"})
        assert broken.status_code == 422
        assert "directory.yaml" in broken.json()["message"]
        assert (await client.get(url)).json() == after
        body = {"page_id": "p", "question": "头痛", "now": NOW}
        turn = (await client.post("/v1/hospital/turn", json=body)).json()
        assert turn["meta"]["config_version"] == after["version"]
        assert (await client.post(url, json={"action": "roll_back"})).json() == before
        assert (await client.post(url, json={"action": "drop"})).status_code == 400


async def test_a_reload_says_that_it_reaches_one_replica(redis_url: str, tmp_path: Path) -> None:
    """Two replicas on one Redis: a page goes on at either; a reload is of the one that is told, and says so."""
    url, headers = "/v1/hospital/domain", {"Authorization": "Bearer of-the-operator"}
    pages = {"store": redis_url, "prefix": f"test-{tmp_path.name}"}
    files = [tmp_path / "one.yaml", tmp_path / "other.yaml"]
    apps = []
    for file in files:
        shutil.copy(DEMO_DIRECTORY, file)
        settings = load_settings(hospital_directory=file, bearer_token="of-the-operator", pages=pages)
        apps.append(create_service(settings, host="127.0.0.1")[0])
    one, other = (
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", headers=headers)
        for app in apps
    )
    async with one, other:
        before = (await other.get(url)).json()["version"]
        for file in files:
            file.write_text(file.read_text("utf-8") + "\n# a later edition\n", "utf-8")
        told = (await one.post(url, json={"action": "reload"})).json()
        assert (told["reaches"], told["versions"]) == ("this process", [before, told["version"]])
        assert (await other.get(url)).json()["version"] == before
        for rid, replica in enumerate((one, other, one)):
            body = {"page_id": "p", "question": "头痛挂什么科", "now": NOW, "rid": str(rid)}
            turn = (await replica.post("/v1/hospital/turn", json=body)).json()
            assert turn["meta"]["config_version"] == (before if replica is other else told["version"])
        assert (await other.post(url, json={"action": "reload"})).json()["version"] == told["version"]
    for app in apps:
        await app.close()


async def test_only_operators_change_the_domain(serve_settings: Any) -> None:
    """A tenant's token serves turns, not operations; strangers get neither (docs/security.md)."""
    tenants = [
        {"name": "desk", "token": "token-of-the-desk"},
        {"name": "ops", "token": "token-of-the-operator", "operator": True},
    ]
    async with serve_settings(tenants=tenants) as service:
        for token, status in (("token-of-the-desk", 403), ("token-of-the-operator", 200), ("wrong", 401)):
            async with _api(service, headers={"Authorization": f"Bearer {token}"}) as client:
                answer = await client.post("/v1/hospital/domain", json={"action": "reload"})
                assert answer.status_code == status
        with pytest.raises(InvalidStatus):
            await service.connect(HOSPITAL_STREAM)


async def _opened(talk: Any) -> list[dict[str, Any]]:
    """A report that leads and a question that waits, and their frames."""
    await talk.send(_frame("open", "血常规白细胞高严重吗，停车怎么收费", now=NOW))
    return list((await talk.closing("open"))["active"]["turn"]["frames"])


@pytest.mark.parametrize(
    ("kind", "extra", "expected"),
    [
        ("activate", {}, ("smartCS", "insert", "active")),
        ("complete", {}, ("smartCS", "queued", "completed")),
        ("cancel", {}, ("smartCS", "queued", "canceled")),
        ("handoff", {"agent_code": "dept-direct", "summary": "挂血液科"}, ("dept-direct", "queued", "pending")),
    ],
)
async def test_agents_report_over_the_websocket_and_over_http(
    serve_settings: Any, pipe: Any, kind: str, extra: dict[str, str], expected: tuple[str, str, str]
) -> None:
    """hospital.md, Relations, Frames: activate, complete, cancel and handoff are turns of the page on both ways in, and
    replay."""
    async with serve_settings() as service, service.connect(HOSPITAL_STREAM) as socket, _api(service) as client:
        talk = pipe(socket)
        frames = await _opened(talk)
        waiting = next(frame["frame_id"] for frame in frames if frame["agent_code"] == "smartCS")
        told = {"kind": kind, "frame_id": waiting, **extra}
        payload = {"page_id": "p", "report": told, "now": NOW}
        await talk.send({"topic": "llm/hospital", "rid": "r", "payload": payload})
        turn = (await talk.closing("r"))["active"]["turn"]
        assert expected in _frames(turn)
        answer = await client.post("/v1/hospital/turn", json={**payload, "rid": "r"})
        assert (answer.status_code, answer.json()) == (200, turn)
        again = await client.post("/v1/hospital/turn", json={**payload, "report": {**told, "frame_id": "f9"}})
        assert (again.status_code, again.json()["path"]) == (404, "frame_id")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({}, "question"),
        ({"question": "头痛", "report": {"kind": "cancel", "frame_id": "f1"}}, "question"),
        ({"report": {"kind": "explode", "frame_id": "f1"}}, "report.kind"),
        ({"report": {"kind": "cancel"}}, "report.frame_id"),
        ({"report": {"kind": "handoff", "frame_id": "f1"}}, "report.agent_code"),
    ],
)
async def test_a_bad_report_says_where(serve_settings: Any, change: dict[str, Any], path: str) -> None:
    """service.md, Errors: a report is typed and checked; one of `question` and `report` is given."""
    async with serve_settings() as service, _api(service) as client:
        answer = await client.post("/v1/hospital/turn", json={"page_id": "p", "now": NOW, **change})
        assert (answer.status_code, answer.json()["path"]) == (400, path)


async def test_alternatives_are_heard_at_the_desk(serve_settings: Any, pipe: Any) -> None:
    """A recogniser's other text is read where it was probably said, over both ways in; a long list is refused."""
    garbled, others = "我想刮小话内颗得好", ["我想挂小化内科得号", "我想挂消化内科的号"]
    async with serve_settings() as service, service.connect(HOSPITAL_STREAM) as socket, _api(service) as client:
        talk = pipe(socket)
        await talk.send(_frame("r", garbled, now=NOW, alternatives=others))
        turn = (await talk.closing("r"))["active"]["turn"]
        body = {"page_id": "q", "question": garbled, "alternatives": others, "now": NOW}
        again = (await client.post("/v1/hospital/turn", json=body)).json()
        await talk.send(_frame("s", garbled, now=NOW, alternatives=others * 5))
        refused = await talk.closing("s")
    for one in (turn, again):
        assert one["heard"]["understood"] == others[1]
        assert one["heard"]["taken"]["alternative"] == 1
        assert _frames(one)[0][0] == "dept-direct"
    assert (refused["ret"], refused["path"]) == (400, "payload.alternatives")
