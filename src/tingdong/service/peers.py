"""Limits on sockets, before any frame is decoded (docs/security.md, Bounds).

Closed are sockets without a request in time, peers that neither read nor answer pings, and floods of control frames and
fragments. Built on uvicorn's protocol classes, which are not public: the version is pinned
(`tests/service/test_service_floods.py`).
"""

import asyncio
from typing import Any, ClassVar

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tingdong.service.rates import Rate, TokenBucket

__all__ = ["Bounds", "Pipe", "Requests", "protocols"]


class Bounds(msgspec.Struct, frozen=True):
    """Limits of sockets.

    `frames` limits pings, pongs and fragments on one WebSocket; an HTTP request has `request_seconds` for its head, and
    again for its body; at most `requests` HTTP connections are open, each with a head of at most `head_bytes`.
    """

    message_bytes: int = 4_194_304
    ping_seconds: float = 20.0
    pong_seconds: float = 20.0
    request_seconds: float = 10.0
    requests: int = 1_000
    head_bytes: int = 32_768
    frames: Rate = Rate(200.0, 1_000.0)


SLICE = 4_096
"""Bytes that are parsed at once: a flood of tiny frames is noticed after some milliseconds."""

WAITING = 32
"""Pipelined requests that may wait on a connection."""
_TOO_MANY_FRAMES = "too many control frames or pieces"


def _refusal(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()


_FULL, _LONG_HEAD = _refusal("503 Service Unavailable"), _refusal("431 Request Header Fields Too Large")


class Pipe(WebSocketsSansIOProtocol):
    """A WebSocket with limits against slow peers and floods."""

    bounds: ClassVar[Bounds]
    _bucket: TokenBucket | None = None

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + SLICE])
        if not self.handshake_initiated:  # the head came whole, and websockets does not take it: nobody would answer
            self.transport.write(_LONG_HEAD)
            self.transport.close()

    def handle_text(self, event: Frame) -> None:
        # Text goes on as the bytes it is, and so does a home in it.
        if event.fin or self._counted():
            self.handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._counted():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        answer = self.conn.data_to_send()
        # A peer that does not read gets no pongs; they would only pile up.
        if self._counted() and self.writable.is_set():
            self.transport.write(b"".join(answer))

    def handle_pong(self, event: Frame) -> None:
        if self._counted():
            super().handle_pong(event)

    def _counted(self) -> bool:
        """Whether the peer keeps the rate of such frames; otherwise the socket is closed."""
        now = self.loop.time()
        if self._bucket is None:
            self._bucket = TokenBucket(self.bounds.frames, now)
        if self.transport.is_closing():
            return False
        if self._bucket.take(now):
            return True
        self.conn.fail(1008, _TOO_MANY_FRAMES)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self.loop.call_later(1.0, self.transport.abort)
        return False

    def keepalive_timeout(self) -> None:
        # Closing would wait for what is unsent.
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)


class Requests(HttpToolsProtocol):
    """A connection over HTTP. It is closed if a request, the first or a later one, does not arrive in time, or its
    head is too long. `saying` are all open ones."""

    bounds: ClassVar[Bounds]
    saying: ClassVar[set["Requests"]]
    _deadline: asyncio.TimerHandle | None = None
    _head: int | None = 0
    """Bytes of a head that has not ended; None behind it."""
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.saying) >= self.bounds.requests:
            transport.write(_FULL)
            transport.close()
            return
        self.saying.add(self)
        self._within(self.bounds.request_seconds)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), SLICE):
            piece = data[at : at + SLICE]
            self._head = None if self._head is None else self._head + len(piece)
            super().data_received(piece)
            if self._upgraded or self.transport.is_closing():
                return
            if self._head is not None and self._head > self.bounds.head_bytes:
                self.transport.write(_LONG_HEAD)
                self.transport.close()
                return

    def on_message_begin(self) -> None:
        self._head = 0
        if len(self.pipeline) >= WAITING:
            self.transport.close()
        self._within(self.bounds.request_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = None
        # The endpoint answers a body that does not come; this ends who goes on sending it.
        self._within(self.bounds.request_seconds + 1.0)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._met()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self._deadline is None:
            self._within(self.bounds.request_seconds)
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        self._left()
        self._upgraded = True
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._left()
        super().connection_lost(exc)

    def _within(self, seconds: float) -> None:
        self._met()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _met(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _left(self) -> None:
        self._met()
        self.saying.discard(self)


def protocols(bounds: Bounds) -> tuple[type[Requests], type[Pipe]]:
    """Both for one server."""
    told: dict[str, Any] = {"bounds": bounds}
    return type("Requests", (Requests,), {**told, "saying": set()}), type("Pipe", (Pipe,), told)
