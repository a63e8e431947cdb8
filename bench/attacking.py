"""How `bench.hostile` speaks to the server it attacks."""

import asyncio
import json
import struct
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple

from websockets.asyncio.client import connect

from bench.harness import home
from bench.wire import Server

__all__ = [
    "DESK",
    "HOME",
    "KEY",
    "UPGRADE",
    "VERSION",
    "Attempt",
    "ask",
    "code_of",
    "framed",
    "payload",
    "pipe",
    "place",
    "raw",
    "request",
    "said",
    "statuses_of",
    "told_of",
]

HOME = home("sample8")
DESK = "/agent/hospital/stream"
UPGRADE, VERSION = ("Upgrade: websocket", "Connection: Upgrade"), "Sec-WebSocket-Version: 13"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


class Attempt(NamedTuple):
    """One kind of attempt: what it does, what must come of it, and megabytes it may leave behind."""

    name: str
    run: Callable[[Server], Awaitable[str]]
    expected: str
    megabytes: float = 30.0


def payload(question: str = "打开客厅的灯", **more: Any) -> dict[str, Any]:
    """What a request at home asks."""
    return {"page_id": "hostile", "question": question, "instruct": True, "local": "客厅", "home": HOME, **more}


def framed(rid: str, told: dict[str, Any], topic: str = "llm/smarthome") -> str:
    """A request frame."""
    return json.dumps({"topic": topic, "rid": rid, "payload": told}, ensure_ascii=False)


def pipe(server: Server, path: str | None = None, **more: Any) -> Any:
    """A socket to the home's pipe, or another."""
    url = server.url if path is None else server.url.replace("/agent/smarthome-gpt/llm/stream", path)
    return connect(url, **{"compression": None, "proxy": None, "max_size": None, "open_timeout": 30, **more})


async def ask(socket: Any, text: str | bytes) -> dict[str, Any]:
    """`data` of the closing frame."""
    await socket.send(text)
    while True:
        told = json.loads(await asyncio.wait_for(socket.recv(), 60))["payload"]
        if told["finish"]:
            data: dict[str, Any] = told["data"]
            return data


def place(server: Server) -> tuple[str, int, str]:
    """Host, port and the path of the home's pipe."""
    host, _, rest = server.url.removeprefix("ws://").partition(":")
    port, _, path = rest.partition("/")
    return host, int(port), f"/{path}"


def raw(opcode: int, data: bytes = b"", *, fin: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """A short WebSocket frame."""
    head = bytes([0x80 * fin | reserved | opcode, 0x80 * masked | len(data)])
    return head + (bytes(4) if masked else b"") + data


def told_of(statuses: Iterable[object]) -> str:
    """What came, each once."""
    return ",".join(sorted({str(one) for one in statuses}))


async def said(
    server: Server, words: bytes, *, end: bool = False, seconds: float = 15.0, within: Sequence[str] = ()
) -> bytes:
    """All that comes back on a connection of its own until it is closed, or until nothing comes for a while; `within`
    are lines of a handshake that opens a WebSocket first."""
    host, port, path = place(server)
    reader, writer = await asyncio.open_connection(host, port)
    if within:
        head = (f"GET {path} HTTP/1.1", f"Host: {host}:{port}", *UPGRADE, *within, "", "")
        writer.write("\r\n".join(head).encode())
        await reader.readuntil(b"\r\n\r\n")
    writer.write(words)
    if end:
        writer.write_eof()
    answer = b""
    try:
        while piece := await asyncio.wait_for(reader.read(65_536), seconds if not answer else 0.5):
            answer += piece
    except (ConnectionError, TimeoutError):
        pass
    writer.transport.abort()
    return answer


def statuses_of(answer: bytes) -> list[str]:
    parts = answer.split(b"HTTP/1.1 ")[1:]
    return [part[:3].decode() for part in parts] or ["closed"]


def request(body: bytes, *heads: str, path: str = "/v1/parse", method: str = "POST") -> bytes:
    """A request as it goes over the wire."""
    lines = (f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *heads, "", "")
    return "\r\n".join(lines).encode("latin-1") + body


def code_of(answer: bytes) -> str:
    """The code of a closing frame, or what the answer says."""
    if len(answer) >= 4 and answer[0] == 0x88:
        return str(struct.unpack("!H", answer[2:4])[0])
    return "refused" if b'"ret":400' in answer else "open"
