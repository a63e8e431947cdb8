"""The conversation of service.md through a real socket, with the real use case (service.md, Dialogue, Endpoint)."""

import asyncio
import copy
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tingdong.bootstrap import embedded
from tingdong.client import Client, Conversation, Reply

TESTS = Path(__file__).parents[1]


def _home(name: str) -> dict[str, Any]:
    home: dict[str, Any] = json.loads((TESTS / "corpus" / "homes" / f"{name}.json").read_text("utf-8"))
    return home


def _example(section: str) -> Any:
    text = (TESTS / "golden" / "example_frames.md").read_text("utf-8").split(f"### {section}")[1]
    return json.loads(re.sub(r"\s+#.*", "", text.split("```json")[1].split("```")[0]))


def _states(reply: Reply) -> dict[str, Any]:
    return {one["id"]: one["state"] for one in reply.instructs}


async def test_the_example_request_gets_the_example_answer(run_service: Any, pipe: Any) -> None:
    """小牛，关所有房间的灯: token and closing frame of service.md, Token frame, Closing frame, compared whole."""
    request, token, closing = _example("4.1"), _example("4.2"), _example("4.3")
    request["payload"].update(instruct=True, home=_home("sample8"))
    token["payload"]["data"]["token"]["type"] = "instruct"
    async with run_service(embedded()) as service, service.connect() as connection:
        await pipe(connection).send(request)
        assert await pipe(connection).receive() == token
        assert await pipe(connection).receive() == closing


async def test_no_instructs_unless_asked_for(run_service: Any, pipe: Any) -> None:
    """`instruct: false`, as service.md, Request frame has it: the same reply without instructs (service.md)."""
    request = _example("4.1")
    request["payload"]["home"] = _home("sample8")
    async with run_service(embedded()) as service, service.connect() as connection:
        await pipe(connection).send(request)
        data = await pipe(connection).closing(request["rid"])
    assert data["active"] == {
        "intent": {"type": "instruct", "result": "正在关闭所有房间的照明灯。"},
        "instructs": [],
    }


LATER = (
    "十分钟后关灯",
    "晚上十点把客厅灯调到50%",
    "每天早上七点打开厨房灯",
    "改到十一点",
    "取消刚才的定时",
    "厨房灯关了就打开客厅空调",
    "打开厨房灯，半小时后关掉",
    "把所有的定时都取消",
)


async def test_a_client_that_ignores_scheduled_never_acts_early(run_service: Any) -> None:
    """service.md, Closing frame: `instructs` is for now, in the shape of the protocol; what is for later stands apart
    (service.md)."""
    async with run_service(embedded()) as service, Client(service.url) as client:
        conversation = Conversation(client, _home("sample8"), local="客厅")
        replies = [await conversation.ask(question) for question in LATER]
    for reply in replies:
        assert all(set(one) == {"id", "state", "summary"} for one in reply.instructs), reply
        assert all(("when" in one and "timer_id" in one) or "cancel" in one for one in reply.scheduled), reply
        assert ("scheduled" in reply.data["active"]) == bool(reply.scheduled)
    assert [len(reply.scheduled) > 0 for reply in replies] == [True] * len(LATER)
    assert [_states(reply) for reply in replies if reply.instructs] == [{"dev-3": ON}]
    taken_back = {one["cancel"] for reply in replies for one in reply.scheduled if "cancel" in one}
    assert taken_back == {one["timer_id"] for reply in replies for one in reply.scheduled if "timer_id" in one}


Turns = list[tuple[str, str, dict[str, Any], tuple[str, ...]]]
OFF, ON = {"power": False}, {"power": True}
DIALOGUES: dict[str, tuple[str, str, dict[str, Any], Turns]] = {
    "厨房灯，关了": (
        "sample8",
        "客厅",
        {},
        [
            ("小牛，厨房灯是开的吗？", "answer", {}, ("是", "厨房", "照明灯", "开")),
            ("关了", "instruct", {"dev-3": OFF}, ("关闭厨房照明灯",)),
        ],
    ),
    "关所有灯": (
        "sample8",
        "客厅",
        {},
        [("小牛，关所有灯。", "instruct", {f"dev-{n}": OFF for n in range(1, 5)}, ("关闭", "灯"))],
    ),
    "我要睡觉了": (
        "sample8",
        "卧室",
        {},
        [("小牛，我要睡觉了。", "instruct", {f"dev-{n}": OFF for n in range(1, 5)}, ("关闭", "灯"))],
    ),
    "好热，还是好热": (
        "flat25",
        "客厅",
        {"dev-3": {"power": False, "level": 2}},
        [
            ("小牛，好热！", "instruct", {"dev-3": ON}, ("打开", "客厅", "风扇")),
            ("还是好热！", "instruct", {"dev-3": {"level": 3}}, ("客厅", "风扇", "调高", "风速")),
        ],
    ),
    "开浴室灯": (
        "sample8",
        "客厅",
        {},
        [("小牛，开浴室灯！", "instruct", {"dev-2": ON}, ("打开卫生间照明灯",))],
    ),
    "打开风扇，客厅": (
        "flat25",
        "卫生间",
        {},
        [
            ("小牛，打开风扇！", "question", {}, ("哪", "风扇")),
            ("客厅", "instruct", {"dev-3": ON}, ("打开客厅风扇",)),
        ],
    ),
    "厕所的灯": (
        "sample8",
        "客厅",
        {"dev-2": {"power": True}},
        [("小牛，厕所的灯是开的吗?", "answer", {}, ("是", "卫生间", "照明灯", "开"))],
    ),
    "有啥是开着的": (
        "sample8",
        "客厅",
        {"dev-1": {"power": False}, "dev-2": {"power": True}, "dev-8": {"power": False}},
        [("小牛，现在有啥是开着的?", "answer", {}, ("卫生间", "厨房", "照明灯"))],
    ),
    "今天收益不错": (
        "sample8",
        "客厅",
        {},
        [("小牛，今天收益不错，我很开心。", "none", {}, ("无关会话",))],
    ),
    "小爱": ("sample8", "客厅", {}, [("小爱，开灯。", "none", {}, ("无关对象",))]),
    "the model named fan is an air conditioner": (
        "sample8",
        "卧室",
        {},
        [("空调调到22度", "instruct", {"dev-7": {"power": True, "level": 22}}, ("空调", "22"))],
    ),
}


@pytest.mark.parametrize("name", DIALOGUES)
async def test_an_example_dialogue(run_service: Any, name: str) -> None:
    """Kinds, devices, states and facts of the example dialogue's lines (service.md, Dialogue, Token frame, Home)."""
    home_name, local, before, turns = DIALOGUES[name]
    home = _home(home_name)
    for device in home["devices"]:
        device["device"]["state"].update(before.get(device["id"], {}))
    async with run_service(embedded()) as service, Client(service.url) as client:
        conversation = Conversation(client, home, local=local)
        for question, kind, states, facts in turns:
            reply = await conversation.ask(question)
            assert (reply.ret, reply.kind, _states(reply)) == (0, kind, states), reply.text
            assert [fact for fact in facts if fact not in reply.text] == [], reply.text
            assert reply.token is not None
            assert reply.token["payload"]["data"]["token"] == {"type": kind, "result": reply.text}


async def test_pages_that_interleave_keep_their_own_thread(run_service: Any) -> None:
    """关了 means what its own page spoke of, whatever other pages say in between (law 5)."""
    async with run_service(embedded()) as service, Client(service.url) as client:
        kitchen = Conversation(client, _home("sample8"), local="客厅")
        bath = Conversation(client, _home("sample8"), local="客厅")
        await asyncio.gather(kitchen.ask("厨房灯是开的吗？"), bath.ask("卫生间的灯是开的吗？"))
        first, second = await asyncio.gather(kitchen.ask("关了"), bath.ask("打开"))
    assert (_states(first), _states(second)) == ({"dev-3": OFF}, {"dev-2": ON})


async def test_once_more_brighter_acts_once(run_service: Any, pipe: Any) -> None:
    """再亮一点, sent again with its rid, gets the same closing frame and is one step only (service.md, Retries)."""
    async with run_service(embedded()) as service, Client(service.url) as client:
        conversation = Conversation(client, _home("sample8"), local="客厅")
        await conversation.ask("客厅灯调到一半")
        first = await conversation.ask("再亮一点", rid="again")
        second = await conversation.ask("再亮一点", rid="again")
        third = await conversation.ask("再亮一点", rid="new")
    assert first.final == second.final
    assert second.token is None
    levels = [next(iter(_states(reply).values()))["level"] for reply in (first, third)]
    assert 128 < levels[0] < levels[1]


BREAKAGES: dict[str, Any] = {
    "a model that is not there": lambda home: home["devices"][0]["device"].update(model="999"),
    "models that are no object": lambda home: home.update(model=[]),
    "a property of an unknown type": lambda home: home["model"]["002"]["property"]["level"].update(type=7),
    "devices that are no list": lambda home: home.update(devices={}),
    "a device without an id": lambda home: home["devices"][0].pop("id"),
    "two devices of one id": lambda home: home["devices"][1].update(id="dev-1"),
}


@pytest.mark.parametrize("name", BREAKAGES)
async def test_a_broken_home_is_refused_with_its_path(run_service: Any, name: str) -> None:
    """422 with the path of the fault; the next frame on the same connection is served (service.md, Errors)."""
    broken = copy.deepcopy(_home("sample8"))
    BREAKAGES[name](broken)
    async with run_service(embedded()) as service, Client(service.url) as client:
        reply = await client.ask("开灯", page_id="p", home=broken, local="客厅")
        assert (reply.ret, bool(reply.message)) == (422, True)
        assert reply.data["path"].startswith(("home", "model", "devices")), reply.data
        good = await client.ask("开灯", page_id="p", home=_home("sample8"), local="客厅")
        assert good.ret == 0
        assert service.telemetry.metrics.registry.get_sample_value("tingdong_connections") == 1


@pytest.mark.parametrize("type_", ["json", "", "colour", "array", "布尔"])
async def test_a_property_of_an_unknown_type_is_passed_over_and_named(run_service: Any, type_: str) -> None:
    """service.md, Home: what one thing model cannot say refuses that property, not the home, and the answer says so."""
    home = copy.deepcopy(_home("sample8"))
    home["model"]["002"]["property"]["effect"] = {"type": type_, "range": ["a", "b"]}
    async with run_service(embedded()) as service, Client(service.url) as client:
        reply = await client.ask("客厅灯调到50%", page_id="p", home=home, local="客厅")
        assert _states(reply) == {"dev-1": {"level": 128}}
        assert [one["path"] for one in reply.warnings] == ["model.002.property.effect.type"]
        assert "effect" in reply.warnings[0]["message"]
        assert "warnings" not in (await client.ask("开灯", page_id="p", home=_home("sample8"), local="客厅")).data


@asynccontextmanager
async def _process(**environment: str) -> AsyncIterator[tuple[Process, str]]:
    """A `tingdong serve` of its own, and its address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tingdong", "serve", "--port", "0"),
        stderr=PIPE,
        env={**os.environ, **environment},
    )
    assert process.stderr is not None
    log = b""
    async for line in process.stderr:
        log += line
        if b'"listening"' in line:
            break
    else:
        pytest.fail(log.decode())
    event = json.loads(line)
    rest = asyncio.create_task(process.stderr.read())
    try:
        yield process, f"ws://{event['host']}:{event['port']}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await rest


async def test_a_conversation_survives_its_server(redis_url: str) -> None:
    """With a store configured a page outlives `kill -9` of the process that served it (service.md, Dialogue)."""
    environment = {"TINGDONG_PAGES__STORE": redis_url, "TINGDONG_PAGES__PREFIX": f"test-{os.getpid()}"}
    page = "a5b97cbe-90eb-4f47-934e-e5f5ed46930e"
    async with _process(**environment) as (process, url), Client(url) as client:
        first = Conversation(client, _home("sample8"), local="客厅", page_id=page)
        assert (await first.ask("小牛，厨房灯是开的吗？", rid="1")).kind == "answer"
        process.kill()
        await process.wait()
    async with _process(**environment) as (_, url), Client(url) as client:
        second = Conversation(client, _home("sample8"), local="客厅", page_id=page)
        assert _states(await second.ask("关了", rid="2")) == {"dev-3": OFF}
        again = await second.ask("小牛，厨房灯是开的吗？", rid="1")
        assert (again.kind, again.token) == ("answer", None)


async def test_sigterm_ends_the_process_well() -> None:
    """SIGTERM: sockets are closed with 1012 and the process ends with status 0 (service.md, Idle connections)."""
    async with _process() as (process, url), Client(url) as client:
        assert (await client.ask("开灯", page_id="p", home=_home("sample8"), local="客厅")).ret == 0
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0


async def test_broken_settings_stop_the_start(tmp_path: Path) -> None:
    """A setting that is wrong is named, and nothing is served (architecture, A value that exists is valid)."""
    path = tmp_path / "settings.yaml"
    path.write_text("limits: {in_flihgt: 3}", "utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tingdong", "serve", "--port", "0", "--settings", str(path)), stderr=PIPE
    )
    _, log = await process.communicate()
    assert process.returncode == 2
    assert "limits.in_flihgt" in log.decode()
