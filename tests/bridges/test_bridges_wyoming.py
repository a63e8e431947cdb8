"""The Wyoming handler before Wyoming's own client, over a real socket."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from wyoming.asr import Transcript
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable
from wyoming.handle import Handled, NotHandled
from wyoming.info import Describe, Info
from wyoming.intent import Intent, NotRecognized, Recognize
from wyoming.ping import Ping, Pong

SAMPLE = Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """`tingdong wyoming` on a free port, with the sample home and its speaker in the living room."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
    command = [sys.executable, "-m", "tingdong", "wyoming", "--uri", f"tcp://127.0.0.1:{number}"]
    process = subprocess.Popen([*command, "--home", str(SAMPLE), "--location", "客厅"])
    yield number
    process.terminate()
    assert process.wait(timeout=60) == 0


async def _connected(port: int) -> AsyncTcpClient:
    """A client, as soon as the server listens: a refused connection is tried again until then."""
    client = AsyncTcpClient("127.0.0.1", port, read_timeout=60)
    patience = time.monotonic() + 120
    while time.monotonic() < patience:
        try:
            await client.connect()
        except ConnectionRefusedError:
            continue
        return client
    raise AssertionError("the server does not listen")


async def _ask(port: int, *events: Eventable) -> list[Event]:
    client = await _connected(port)
    answers = []
    for event in events:
        await client.write_event(event.event())
        answer = await client.read_event()
        assert answer is not None
        answers.append(answer)
    await client.disconnect()
    return answers


async def test_the_server_describes_its_services(port: int) -> None:
    """Home Assistant and satellites ask what a service can do: handle and intent, in Chinese; pings are answered."""
    described, pong = await _ask(port, Describe(), Ping(text="x"))
    info = Info.from_event(described)
    assert info.handle[0].models[0].languages == info.intent[0].models[0].languages
    assert "zh-CN" in info.handle[0].models[0].languages
    assert Pong.from_event(pong).text == "x"


async def test_a_transcript_is_answered_and_the_home_follows(port: int) -> None:
    """service.md, Token frame, Closing frame: the reply to say, the instructs in the context; the next turn sees what
    was done."""
    context = {"conversation_id": "c1", "location": "厨房"}
    asked = [Transcript(text, context=context) for text in ("厨房灯是开的吗", "关了", "厨房灯是开的吗")]
    first, second, third = map(Handled.from_event, await _ask(port, *asked))
    assert first.text == "是的，厨房照明灯开着。"
    assert second.text == "正在关闭厨房照明灯。"
    assert second.context is not None
    assert [(one["id"], one["state"]) for one in second.context["instructs"]] == [("dev-3", {"power": False})]
    assert third.text == "没有，厨房照明灯关着。"


async def test_several_requests_and_an_exclusion_with_a_home_of_the_call(port: int) -> None:
    """A `home` in the context is used instead, and is left as it came."""
    home = json.loads(SAMPLE.read_bytes())
    context: dict[str, Any] = {"home": home}
    recognised, again = await _ask(
        port,
        Recognize("除了厨房的灯都打开，卧室空调调到24度", context=context),
        Recognize("卧室空调开着吗", context=context),
    )
    intent = Intent.from_event(recognised)
    assert intent.name == "instruct"
    instructs = {one["id"]: one["state"] for one in intent.entities[0].value}
    assert instructs == {
        **{key: {"power": True} for key in ("dev-1", "dev-2", "dev-4")},
        "dev-7": {"power": True, "level": 24},
    }
    assert Intent.from_event(again).text == "没有，卧室空调关着。"


async def test_dialogue_to_somebody_else_is_not_handled_and_faults_are_told(port: int) -> None:
    """小爱，开灯 is not for us; a broken home is an `error` event and the connection goes on."""
    broken = {"home": {"devices": [{"id": "a", "device": {"model": "x"}}]}}
    answers = await _ask(
        port,
        Transcript("小爱，开灯"),
        Recognize("今天天气不错"),
        Transcript("开灯", context=broken),
        Transcript("开" * 501),
        Transcript("开灯"),
    )
    assert NotHandled.from_event(answers[0]).text == "无关对象"
    assert NotRecognized.from_event(answers[1]).text == "无关会话"
    assert "devices[0].device.model" in Error.from_event(answers[2]).text
    assert Error.is_type(answers[3].type)
    assert Handled.from_event(answers[4]).text == "正在打开客厅照明灯。"


async def test_an_event_of_wrong_types_is_told_and_the_connection_goes_on(port: int) -> None:
    """What a satellite sends is data: no wrong type ends the connection (docs/voice.md)."""
    wrong: list[dict[str, Any]] = [
        {"text": ["开灯"]},
        {"text": None},
        {"text": "开灯", "context": "here"},
    ]
    client = await _connected(port)
    for data in wrong:
        await client.write_event(Event("transcript", data))
        answer = await client.read_event()
        assert answer is not None
        assert Error.is_type(answer.type)
    await client.write_event(Event("transcript", {"text": "小爱，开灯"}))
    answer = await client.read_event()
    assert answer is not None
    assert NotHandled.is_type(answer.type)
    await client.disconnect()


async def test_alternatives_of_the_context_are_used(port: int) -> None:
    """What else the recogniser offers stands in the context (docs/voice.md); what is no such list is told."""
    context = {"location": "厨房", "alternatives": ["科听空挑打开", "客厅空调打开"]}
    answers = await _ask(
        port,
        Transcript("科听空挑大凯", context=context),
        Transcript("开灯", context={"alternatives": "灯"}),
        Transcript("开灯", context={"alternatives": ["灯"] * 9}),
        Transcript("开灯", context={"alternatives": ["灯" * 501]}),
    )
    assert Handled.from_event(answers[0]).text == "正在打开客厅空调。"
    assert all("context.alternatives" in Error.from_event(answer).text for answer in answers[1:])
