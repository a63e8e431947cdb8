"""A local HTTP server speaking the OpenAI wire format, with every way such a server misbehaves."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

Reply = Callable[[dict[str, Any], asyncio.StreamWriter], Awaitable[None]]


def _head(status: str, kind: str, *extra: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close", *extra]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def event(text: str | None, *, usage: dict[str, int] | None = None) -> bytes:
    """One server-sent event of a streamed completion."""
    choices = [] if text is None else [{"index": 0, "delta": {"content": text}, "finish_reason": None}]
    body = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": choices}
    if usage is not None:
        body["usage"] = usage
    return f"data: {json.dumps(body)}\n\n".encode()


def says(*pieces: str, usage: dict[str, int] | None = None) -> Reply:
    """A well-formed stream of `pieces`."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head("200 OK", "text/event-stream"))
        for piece in pieces:
            writer.write(event(piece))
        if usage is not None:
            writer.write(event(None, usage=usage))
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()

    return reply


def fails(status: str, *headers: str, body: str = '{"error":{"message":"no"}}') -> Reply:
    """An error status."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head(status, "application/json", f"Content-Length: {len(body)}", *headers) + body.encode())
        await writer.drain()

    return reply


def resets_after(*pieces: str) -> Reply:
    """A connection reset in the middle of the stream."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head("200 OK", "text/event-stream", "Content-Length: 100000"))
        for piece in pieces:
            writer.write(event(piece))
        await writer.drain()
        writer.transport.abort()

    return reply


def stalls_after(*pieces: str) -> Reply:
    """Some pieces, then silence until the client goes away."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head("200 OK", "text/event-stream"))
        for piece in pieces:
            writer.write(event(piece))
        await writer.drain()
        await writer.wait_closed() if writer.is_closing() else await asyncio.Event().wait()

    return reply


def drips(letter: str, *, every_s: float) -> Reply:
    """A stream that is never silent and never ends: one letter at a time."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head("200 OK", "text/event-stream"))
        while True:
            writer.write(event(letter))
            await writer.drain()
            await asyncio.sleep(every_s)

    return reply


def document(text: str, *, usage: dict[str, int] | None = None) -> Reply:
    """The answer of a server that does not stream, whatever it was asked: one JSON document."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        data = json.dumps(body | ({"usage": usage} if usage else {})).encode()
        writer.write(_head("200 OK", "application/json", f"Content-Length: {len(data)}") + data)
        await writer.drain()

    return reply


def tells(answer: Callable[[str], str]) -> Reply:
    """A server that answers the last user message."""

    async def reply(body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        await says(answer(body["messages"][-1]["content"]))(body, writer)

    return reply


def raw(body: bytes) -> Reply:
    """Bytes that are no event stream."""

    async def reply(_: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(_head("200 OK", "text/event-stream") + body)
        await writer.drain()

    return reply


class WireServer:
    """Serves `POST /v1/chat/completions` with the replies in turn (the last one repeats); `requests` records bodies."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.requests: list[dict[str, Any]] = []

    async def __aenter__(self) -> "WireServer":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            body = await _read_body(reader)
            self.requests.append(body)
            reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
            await reply(body, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()


async def _read_body(reader: asyncio.StreamReader) -> dict[str, Any]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = next(int(line.split(":")[1]) for line in head.splitlines() if line.startswith("content-length"))
    body: dict[str, Any] = json.loads(await reader.readexactly(length))
    return body
