"""Floods and slow peers on real sockets: cut off or slowed, never anybody else's wait (docs/security.md, Attempts).

What `service/peers.py` overrides of uvicorn's protocols is not public; these tests are what an update of the pinned
version must pass.
"""

import asyncio
import json
import os
import socket
import struct
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tingdong.service.app import HOME_STREAM
from tingdong.service.peers import WAITING, Bounds, Pipe, Requests
from tingdong.service.rates import Rate
from tingdong.service.server import DOORS

TEXT, CONTINUATION, CLOSE, PING, PONG = 1, 0, 8, 9, 10


def _frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as a client sends it (RFC 6455 service.md, Endpoint), masked with zeros."""
    head = bytes([0x80 * fin | opcode])
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size)
    return head + length + bytes(4) + payload


@asynccontextmanager
async def _socket(service: Any) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A WebSocket after its handshake, as bare bytes."""
    host, port = service.url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    lines = (f"GET {HOME_STREAM} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade")
    writer.write("\r\n".join((*lines, f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "")).encode())
    assert b"101" in await reader.readuntil(b"\r\n\r\n")
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def _ending(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the connection ends."""
    try:
        async with asyncio.timeout(20):
            return await reader.read()
    except ConnectionError:
        return b""


FLOODS = {
    "pings": _frame(PING, b"x"),
    "pongs": _frame(PONG),
    "pieces": _frame(CONTINUATION, b"x", fin=False),
}


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_of_frames_that_are_no_messages_ends(
    run_service: Any, understanding: Any, pipe: Any, frame: Any, kind: str
) -> None:
    """1008 once the rate is passed; a connection beside it is served meanwhile."""
    bounds = Bounds(frames=Rate(50.0, 100.0))
    async with (
        run_service(understanding, bounds=bounds) as service,
        service.connect() as beside,
        _socket(service) as (reader, writer),
    ):
        flood = (_frame(TEXT, b"{", fin=False) if kind == "pieces" else b"") + FLOODS[kind] * 5_000
        writer.write(flood)
        await pipe(beside).send(frame("1", "开灯"))
        assert (await pipe(beside).closing("1"))["ret"] == 0
        assert struct.pack("!H", 1008) in await _ending(reader)
    assert len(understanding.asked) == 1


async def test_messages_in_pieces_and_pings_within_the_rate_are_served(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """RFC 6455 service.md, Endpoint: a client may send in pieces, and ping."""
    async with run_service(understanding) as service, service.connect() as socket:
        text = pipe(socket)
        for number in range(20):
            await (await socket.ping())
            whole = json.dumps(frame(f"{number}", "开灯"), ensure_ascii=False)
            await socket.send([whole[:10], whole[10:30], whole[30:]])
            assert (await text.closing(f"{number}"))["ret"] == 0


async def test_pongs_that_nobody_reads_do_not_pile_up(run_service: Any, understanding: Any) -> None:
    """A peer that pings and never reads costs a socket buffer, and then nothing (docs/security.md)."""
    bounds = Bounds(frames=Rate(1e9, 1e9))
    async with run_service(understanding, bounds=bounds) as service, _socket(service) as (_, writer):
        (transport,) = [one.transport for one in service.server.server_state.connections]
        ping = _frame(PING, os.urandom(125)) * 100
        for _ in range(400):  # 5 MB
            writer.write(ping)
            try:
                async with asyncio.timeout(1):
                    await writer.drain()
            except TimeoutError:
                break
        assert transport.get_write_buffer_size() < 512 * 1024


HEAD = (
    b"POST /v1/understand HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
)
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "said", [b"", b"GET /hea", HEAD, HEAD + b"{", WHOLE + b"GET /hea", WHOLE + HEAD, WHOLE + b"\r\n"]
)
async def test_a_request_that_is_not_sent_in_time_ends(run_service: Any, understanding: Any, said: bytes) -> None:
    """Byte by byte, the first request of a connection or a later one, head or body."""
    async with run_service(understanding, bounds=Bounds(request_seconds=0.3)) as service:
        host, port = service.url.removeprefix("ws://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(said)

        async def drip() -> None:
            while not reader.at_eof():
                writer.write(b" " if said else b"\r\n")
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        await _ending(reader)
        dripping.cancel()
        writer.transport.abort()


@pytest.mark.parametrize("before", [b"", WHOLE])
@pytest.mark.parametrize("head", [b"GET /", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Much: "])
async def test_a_head_that_does_not_end_is_refused(
    run_service: Any, understanding: Any, before: bytes, head: bytes
) -> None:
    """431 beyond its bytes, in the address or in a field, in the first request of a connection or a later one."""
    async with run_service(understanding, bounds=Bounds(head_bytes=8_192)) as service:
        host, port = service.url.removeprefix("ws://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(before)
        if before:
            await reader.readuntil(b"}")
        writer.write(head + b"a" * 16_000)
        assert (await _ending(reader)).startswith(b"HTTP/1.1 431")
        writer.transport.abort()


@pytest.mark.parametrize("much", [{"X-Much": "a" * 9_000}, {f"X-{number}": "a" for number in range(130)}])
async def test_a_handshake_that_cannot_be_read_is_refused(run_service: Any, understanding: Any, much: Any) -> None:
    """A line of a head, or their number, that websockets does not take: 431, and not silence for ever."""
    async with run_service(understanding) as service:
        with pytest.raises(InvalidStatus) as refused:
            await service.connect(additional_headers=much)
        assert refused.value.response.status_code == 431


async def test_a_long_head_within_its_bytes_is_served(run_service: Any, understanding: Any, pipe: Any) -> None:
    """Over HTTP and to a WebSocket, whose head comes in more than one slice."""
    async with run_service(understanding) as service:
        much = {f"X-Much-{number}": "a" * 4_000 for number in range(5)}
        async with service.connect(additional_headers=much) as socket:
            await socket.send("{")
            assert (await pipe(socket).receive())["payload"]["data"]["ret"] == 400
        async with httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
            assert (await http.get("/healthz", headers=much)).status_code == 200


async def test_connections_over_http_are_limited(run_service: Any, understanding: Any, pipe: Any, frame: Any) -> None:
    """503 beyond it; a WebSocket that is open counts with the others of its kind."""
    async with run_service(understanding, bounds=Bounds(requests=3)) as service, service.connect() as socket:
        host, port = service.url.removeprefix("ws://").split(":")
        opened = [await asyncio.open_connection(host, int(port)) for _ in range(4)]
        answer = await _ending(opened[-1][0])
        assert answer.startswith(b"HTTP/1.1 503")
        await pipe(socket).send(frame("1", "开灯"))
        assert (await pipe(socket).closing("1"))["ret"] == 0
        for _, writer in opened:
            writer.transport.abort()


@pytest.mark.parametrize(("waiting", "answered"), [(WAITING // 2, WAITING // 2), (40 * WAITING, 0)])
async def test_pipelined_requests_are_limited(
    run_service: Any, understanding: Any, waiting: int, answered: int
) -> None:
    """Some are answered in their order; with too many of them the connection ends, and little of it was read."""
    async with run_service(understanding) as service:
        host, port = service.url.removeprefix("ws://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n"
        writer.write(f"{head}\r\n".encode() * (waiting - 1) + f"{head}Connection: close\r\n\r\n".encode())
        said = await _ending(reader)
        writer.transport.abort()
    assert said.count(b"HTTP/1.1 200") >= answered
    assert answered or said.count(b"HTTP/1.1 200") < waiting // 8


def test_many_new_connections_at_once_are_accepted(serve_settings: Any) -> None:
    """Many in one round of the loop, not one: those who are in and talk on never keep the others out."""
    loops = pytest.importorskip("uvloop")

    async def rounds(crowd: int) -> int:
        async with serve_settings() as service:
            host, port = service.url.removeprefix("ws://").split(":")
            there = [socket.create_connection((host, int(port))) for _ in range(crowd)]
            taken = 0
            while len(service.server.server_state.connections) < crowd:
                await asyncio.sleep(0)
                taken += 1
            for one in there:
                one.close()
        return taken

    with asyncio.Runner(loop_factory=loops.new_event_loop) as runner:
        assert runner.run(rounds(8 * DOORS)) <= 8 + 4


async def test_many_messages_at_once_do_not_block_others(run_service: Any, understanding: Any, pipe: Any) -> None:
    """Frames that wait on one connection do not keep another one waiting: it is served among them."""
    async with (
        run_service(understanding) as service,
        service.connect() as beside,
        _socket(service) as (reader, writer),
    ):
        writer.write(_frame(TEXT, b"{") * 3_000)
        await beside.send("{")
        assert (await pipe(beside).receive())["payload"]["data"]["ret"] == 400
        assert service.telemetry.metrics.closing_frames.of("llm/smarthome", "400").value < 3_001
        assert await reader.read(1)


PRIVATE = {
    Pipe: {
        "data_received": "what a slice of frames held is counted before the next is parsed",
        "handle_text": "a home goes on as the bytes it came in",
        "handle_cont": "pieces of messages have a rate",
        "handle_ping": "pings have a rate, and no pong waits for who does not read",
        "handle_pong": "pongs have a rate",
        "keepalive_timeout": "who reads nothing is cut off, not asked to close",
    },
    Requests: {
        "connection_made": "connections have a number, and a time to say their request",
        "data_received": "a head has a length",
        "on_message_begin": "a head has a time",
        "on_headers_complete": "a body has a time",
        "on_message_complete": "the time ends with the request",
        "on_response_complete": "the next request has a time",
        "handle_websocket_upgrade": "a WebSocket is counted elsewhere",
        "connection_lost": "who is gone is not counted",
    },
}
"""What is overridden of uvicorn's own classes, and why; a version that lacks one would leave that door open."""


def test_the_version_of_uvicorn_is_pinned_for_what_is_overridden() -> None:
    """The requirement has an upper bound, and every name is there in the class that is extended."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    (required,) = [one for one in project["optional-dependencies"]["server"] if one.startswith("uvicorn")]
    assert ",<" in required
    for kind, names in PRIVATE.items():
        assert {name for name in vars(kind) if callable(getattr(kind.__base__, name, None))} == set(names)
