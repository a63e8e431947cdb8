"""Clients that vanish, stall, flood or never speak; logs on a full disk; settings that break (docs/promises.md)."""

import asyncio
import contextlib
import json
import os
import re
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tingdong.client import Client

STREAM = "/agent/smarthome-gpt/llm/stream"


@asynccontextmanager
async def _raw(replica: Any, *, buffer: int | None = None) -> AsyncIterator[tuple[asyncio.StreamReader, Any]]:
    """A WebSocket by hand, so that nothing reads and nothing answers pings unless told to."""
    sock = socket.socket()
    if buffer is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", replica.port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1024)
    writer.write(
        f"GET {STREAM} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    yield reader, writer
    writer.transport.abort()


def _masked(text: str) -> bytes:
    data = text.encode()
    return struct.pack("!BBQ4x", 0x81, 0xFF, len(data)) + data


def _frame(home: Any, rid: str, question: str, page_id: str = "p") -> str:
    payload = {"page_id": page_id, "question": question, "local": "客厅", "instruct": True, "home": home}
    return json.dumps({"topic": "llm/smarthome", "rid": rid, "payload": payload}, ensure_ascii=False)


async def _metrics(replica: Any) -> dict[str, float]:
    async with httpx.AsyncClient(trust_env=False) as http:
        text = (await http.get(f"{replica.http}/metrics")).text
    return {name: float(value) for name, value in re.findall(r"^(tingdong_\S+) (\S+)$", text, re.MULTILINE)}


async def _until(replica: Any, name: str, value: float) -> None:
    """Asks for a metric until it has this value."""
    async with asyncio.timeout(60):
        while (await _metrics(replica)).get(name, 0.0) != value:
            pass


def _memory(replica: Any) -> int:
    """Resident bytes of the process."""
    return int(Path(f"/proc/{replica.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def test_a_peer_that_does_not_read_is_not_read_from(replica: Any, home: dict[str, Any]) -> None:
    """Back-pressure: while answers cannot go out no more requests come in, memory stays, others are served; after the
    ping's time the connection is cut off (docs/security.md, Bounds)."""
    server = replica(limits__ping_seconds="1", limits__pong_seconds="4", limits__frame_bytes="4000000")
    filler = {**home, "note": "x" * 200_000}
    async with Client(server.url) as client, _raw(server, buffer=4096) as (_, writer):
        assert (await client.ask("开灯", page_id="q", home=home)).ret == 0
        before = _memory(server)
        sent = 0
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(60):
                for number in range(20_000):  # 200 KB each, far more than any buffer on the way
                    writer.write(_masked(_frame(filler, str(number), "厨房的灯开着吗", f"p{number % 8}")))
                    await writer.drain()
                    sent += 1
                    if number % 50 == 0:
                        assert (await client.ask("开灯", page_id="q", home=home)).ret == 0
        assert sent < 20_000
        assert _memory(server) - before < 60_000_000
        await _until(server, "tingdong_connections", 1)
        assert (await client.ask("开灯", page_id="q", home=home)).ret == 0


async def test_a_half_open_socket_is_found_and_closed(replica: Any) -> None:
    """A peer that is gone without a word answers no ping: its connection ends (service.md, Idle connections)."""
    server = replica(limits__ping_seconds="0.2", limits__pong_seconds="0.2")
    async with _raw(server):
        await _until(server, "tingdong_connections", 0)


async def test_a_quiet_client_that_answers_pings_stays(replica: Any, home: dict[str, Any]) -> None:
    """Silence is no fault: a client that only answers pings is served when it speaks again."""
    server = replica(limits__ping_seconds="0.05", limits__pong_seconds="5")
    async with _raw(server) as (reader, writer), asyncio.timeout(60):
        for _ in range(3):
            ping = await reader.readexactly(6)
            assert ping[:2] == b"\x89\x04"
            writer.write(b"\x8a\x84\0\0\0\0" + ping[2:])
        writer.write(_masked(_frame(home, "1", "开灯")))
        answer = b""
        while b'"rid":"1"' not in answer:
            answer += await reader.read(1024)


async def test_a_connection_that_sends_no_request_is_closed(replica: Any) -> None:
    """A connection without a request, and one that dribbles its header, end after `limits.handshake_seconds`."""
    server = replica(limits__handshake_seconds="0.3")
    for said in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX: "):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(said)
        async with asyncio.timeout(60):
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b""
        writer.close()


async def test_clients_that_vanish_leave_nothing_behind(replica: Any, home: dict[str, Any]) -> None:
    """Forty clients that cut the line in the middle of a turn: no fault, no connection, no turn stays."""
    server = replica()

    async def vanish(number: int) -> None:
        async with _raw(server) as (_, writer):
            writer.write(_masked(_frame(home, str(number), "打开卧室的灯", str(number))))
            writer.write(_masked(_frame(home, "cut", "关灯"))[: 40 + number])
            await writer.drain()

    await asyncio.gather(*(vanish(number) for number in range(40)))
    await _until(server, "tingdong_connections", 0)
    await _until(server, "tingdong_turns_in_flight", 0)
    metrics = await _metrics(server)
    assert not [name for name in metrics if name.startswith("tingdong_faults_total")]
    assert [line for line in server.log if line["event"] in ("fault", "library")] == []


async def test_a_full_disk_loses_log_lines_only(replica: Any, home: dict[str, Any]) -> None:
    """With standard error on a full device turns are served, and lost lines are counted (docs/operations.md,
    Observability)."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        server = replica(stderr=full)
    finally:
        os.close(full)
    async with Client(server.url) as client:
        for number in range(3):
            assert (await client.ask("打开卧室的灯", page_id="p", home=home, rid=str(number))).ret == 0
    assert (await _metrics(server))["tingdong_log_lines_lost_total"] >= 3
    assert server.stop() == 0


async def test_a_reload_takes_good_settings_and_refuses_broken_ones(replica: Any, tmp_path: Path) -> None:
    """SIGHUP: a new token is in force at once; with broken settings the old stays, and the log names file and key."""
    path = tmp_path / "settings.yaml"
    path.write_text("bearer_token: first-token", "utf-8")
    server = replica(settings_file=path)

    async def admitted(token: str) -> bool:
        options = {"additional_headers": {"Authorization": f"Bearer {token}"}, "proxy": None}
        try:
            async with connect(server.url + STREAM, **options):
                return True
        except InvalidStatus:
            return False

    path.write_text("bearer_token: second-token", "utf-8")
    server.hang_up()
    await asyncio.to_thread(server.wait_for, "reloaded")
    assert (await admitted("first-token"), await admitted("second-token")) == (False, True)
    for number, broken in enumerate(("bearer_token: [", "bearer_tokn: third-token", "limits: {connections: 0}"), 1):
        path.write_text(broken, "utf-8")
        server.hang_up()
        await asyncio.to_thread(server.wait_for, "reload refused", number)
        assert await admitted("second-token")
    refusals = [line["text"] for line in server.log if line["event"] == "reload refused"]
    assert all(str(path) in text for text in refusals)
    assert "limits.connections" in refusals[-1]
    assert (await _metrics(server))['tingdong_reloads_total{outcome="refused"}'] == 3


async def test_no_secret_and_no_utterance_is_logged(replica: Any, home: dict[str, Any]) -> None:
    """Tokens, keys, sentences, names, rids, page ids: nowhere in the log, at its most talkative (docs/security.md)."""
    secrets = ("token-of-mine", "key-of-the-model", "page-of-mine", "rid-of-mine", "藏钱的柜子", "secret-redis")
    server = replica(
        bearer_token=secrets[0],
        log__level="debug",
        llm__base_url="http://127.0.0.1:9/v1",
        llm__model="m",
        llm__api_key=secrets[1],
        llm__timeout_seconds="0.5",
        pages__store="redis://user:secret-redis@127.0.0.1:9/0",
    )
    home["devices"][0]["name"] = "藏钱的柜子"
    async with Client(server.url, token=secrets[0]) as client:
        refused = await client.ask("打开藏钱的柜子", page_id=secrets[2], home=home, rid=secrets[3])
        assert refused.ret == 500
    with pytest.raises(InvalidStatus):
        await connect(server.url + STREAM + "?token=token-of-mine", proxy=None)
    async with connect(
        server.url + STREAM, subprotocols=["tingdong", "bearer.token-of-mine"], proxy=None, compression=None
    ) as raw:
        await raw.send("藏钱的柜子")
        await raw.send(b"\xff\xfe rid-of-mine")
        await raw.recv()
        await raw.recv()
        raw.transport.write(b"\xff\xff rubbish rid-of-mine")
        with pytest.raises(ConnectionClosed):
            await raw.recv()
    server.stop()
    text = json.dumps(server.log, ensure_ascii=False)
    assert '"fault"' in text
    assert [secret for secret in secrets if secret in text] == []
    assert [line for line in server.log if "level" not in line] == []  # every line is one of ours
