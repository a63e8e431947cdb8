"""The client keeps its side of the pipe (service.md, Idle connections, Endpoint; service.md, Retries)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tingdong.client import Client, ConnectionFailed, Conversation, apply_instructs
from tingdong.service.access import NOBODY, Access, Rules

HOME = {"devices": [{"id": "dev-1", "device": {"model": "1", "state": {"power": True, "level": 3}}}]}


@asynccontextmanager
async def _server(handler: Any) -> AsyncIterator[str]:
    async with serve(handler, "127.0.0.1", 0, compression=None) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


def _closing(text: str | bytes) -> str:
    frame = msgspec.json.decode(text)
    active = {"intent": {"type": "answer", "result": frame["payload"]["question"]}, "instructs": []}
    frame["payload"] = {"finish": True, "data": {"ret": 0, "active": active}}
    return msgspec.json.encode(frame).decode()


async def _no_wait(_seconds: float) -> None:
    """Attempts follow each other at once."""


async def test_token_and_closing_frame_come_back(run_service: Any, understanding: Any) -> None:
    """`ask` returns both frames; the token is told as soon as it comes."""
    told: list[tuple[str, str]] = []
    async with run_service(understanding) as service, Client(service.url) as client:
        reply = await client.ask("关灯", page_id="p", home=HOME, on_token=lambda kind, text: told.append((kind, text)))
    assert told == [("instruct", "p第1句：关灯")]
    assert (reply.ret, reply.kind, reply.text) == (0, "instruct", "p第1句：关灯")
    assert reply.token is not None
    assert reply.instructs == [{"id": "dev-1", "state": {"power": False}, "summary": "关闭客厅照明灯"}]


async def test_a_refusal_is_a_reply(run_service: Any, understanding: Any) -> None:
    """`ret` ≠ 0 is told, not raised."""
    async with run_service(understanding) as service, Client(service.url) as client:
        reply = await client.ask("关灯", page_id="p", home=[])  # type: ignore[arg-type]
    assert (reply.ret, reply.kind, reply.token, reply.instructs) == (422, "", None, [])
    assert reply.text == reply.message != ""


async def test_many_requests_share_a_connection(run_service: Any, understanding: Any) -> None:
    """Answers are told apart by their rid."""
    async with run_service(understanding) as service, Client(service.url) as client:
        questions = [f"第{number}问" for number in range(12)]
        replies = await asyncio.gather(*(client.ask(text, page_id=text, home=HOME) for text in questions))
        assert service.telemetry.metrics.registry.get_sample_value("tingdong_connections") == 1
    assert [reply.data["question"] for reply in replies] == questions


async def test_an_unanswered_request_is_sent_again_with_its_rid() -> None:
    """The server goes away before it answers: the client opens the pipe again and repeats the same frame (service.md,
    Idle connections)."""
    received: list[str] = []

    async def handler(connection: ServerConnection) -> None:
        async for message in connection:
            received.append(str(message))
            if len(received) <= 2:
                await connection.close(1012)
                return
            await connection.send(_closing(message))

    async with _server(handler) as url, Client(url, sleep=_no_wait) as client:
        reply = await client.ask("关灯", page_id="p", home=HOME)
        assert reply.text == "关灯"
        assert len(received) == 3
        assert len(set(received)) == 1
        assert (await client.ask("开灯", page_id="p", home=HOME)).text == "开灯"


async def test_answered_requests_are_not_sent_again() -> None:
    """Only requests without a closing frame are repeated."""
    received: list[str] = []

    async def handler(connection: ServerConnection) -> None:
        async for message in connection:
            received.append(msgspec.json.decode(message)["payload"]["question"])
            if received.count("二") == 1 and received[-1] == "二":
                await connection.close(1012)
                return
            await connection.send(_closing(message))

    async with _server(handler) as url, Client(url, sleep=_no_wait) as client:
        for question in ("一", "二", "三"):
            assert (await client.ask(question, page_id="p", home=HOME)).text == question
    assert received == ["一", "二", "二", "三"]


async def test_a_server_that_is_not_there_is_given_up() -> None:
    """After `attempts` the request fails with an error of ours."""
    async with _server(lambda connection: connection.wait_closed()) as url:
        pass
    async with Client(url, attempts=3, sleep=_no_wait) as client:
        with pytest.raises(ConnectionFailed):
            await client.ask("关灯", page_id="p", home=HOME)


async def test_a_closed_client_leaves_nobody_waiting() -> None:
    """`close` fails what is still open."""
    asked = asyncio.Event()

    async def handler(connection: ServerConnection) -> None:
        async for _ in connection:
            asked.set()

    async with _server(handler) as url:
        client = Client(url)
        waiting = asyncio.create_task(client.ask("关灯", page_id="p", home=HOME))
        await asked.wait()
        await client.close()
        with pytest.raises(ConnectionFailed):
            await waiting


async def test_the_token_is_carried(run_service: Any, understanding: Any) -> None:
    """A wrong bearer token is not tried again; the right one is let in."""
    async with run_service(understanding, access=Access(Rules(tokens={"right-token": NOBODY}))) as service:
        async with Client(service.url, token="wrong-token") as client:
            with pytest.raises(ConnectionFailed):
                await client.ask("关灯", page_id="p", home=HOME)
        async with Client(service.url, token="right-token") as client:
            assert (await client.ask("关灯", page_id="p", home=HOME)).ret == 0


async def test_a_conversation_obeys(run_service: Any, understanding: Any) -> None:
    """Turns of one page; what was instructed is the home's state at the next turn (service.md, Dialogue)."""
    async with run_service(understanding) as service, Client(service.url) as client:
        conversation = Conversation(client, HOME, local="客厅")
        await conversation.ask("关灯")
        await conversation.ask("再关一次", instruct=False)
    first, second = understanding.asked
    assert first.page_id == second.page_id
    assert msgspec.json.decode(second.home)["devices"][0]["device"]["state"] == {"power": False, "level": 3}


def test_deferred_instructs_change_nothing_now() -> None:
    """Instructs with `when` and cancellations are not applied (service.md, Timers fire at the client)."""
    deferred = [
        {"id": "dev-1", "state": {"power": False}, "when": "PT10M"},
        {"id": "dev-1", "state": {}, "cancel": "t1"},
        {"id": "dev-9", "state": {"power": True}},
    ]
    assert apply_instructs(HOME, deferred) == HOME
    assert apply_instructs(HOME, [{"id": "dev-1", "state": {"level": 1}}]) != HOME
