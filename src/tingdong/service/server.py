"""The process: uvicorn, with a drain before its own shutdown (service.md, Idle connections; seed 004 §2.1).

uvicorn closes sockets at once when it is told to stop; here turns that were admitted get their closing frames first.
A socket that does not say its request, one whose peer reads nothing and answers no ping, and one that floods with
frames that are no messages are cut off.
"""

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tingdong.service.app import Application
from tingdong.service.rates import Rate, TokenBucket
from tingdong.service.telemetry import LibraryLog, Telemetry

__all__ = ["Bounds", "DrainingServer", "server_config"]


class Bounds(msgspec.Struct, frozen=True):
    """What sockets may do before a frame is even looked at.

    `frames` bounds pings, pongs and pieces of messages on one WebSocket; a request over HTTP has `request_seconds` for
    its head, and again for its body; `requests` connections may say one at once, each a head of `head_bytes`.
    """

    message_bytes: int = 4_194_304
    ping_seconds: float = 20.0
    pong_seconds: float = 20.0
    request_seconds: float = 10.0
    requests: int = 1_000
    head_bytes: int = 32_768
    frames: Rate = Rate(200.0, 1_000.0)


SLICE = 4_096
"""Bytes that are parsed before what they held is counted: a flood of tiny frames is met after some milliseconds."""

_TOO_MANY_FRAMES = "too many control frames or pieces"


def _refusal(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()


_FULL, _LONG_HEAD = _refusal("503 Service Unavailable"), _refusal("431 Request Header Fields Too Large")


def _pipe(bounds: Bounds) -> type[WebSocketsSansIOProtocol]:
    """WebSockets that a peer can neither hold nor flood.

    Stands on uvicorn's own class, whose version is pinned (`tests/service/test_service_floods.py` names what for).
    """

    class Pipe(WebSocketsSansIOProtocol):
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
            # Nobody is waiting for an answer who does not read; what is unsent would only pile up.
            if self._counted() and self.writable.is_set():
                self.transport.write(b"".join(answer))

        def handle_pong(self, event: Frame) -> None:
            if self._counted():
                super().handle_pong(event)

        def _counted(self) -> bool:
            """Whether the peer keeps the rate of such frames; who does not is cut off."""
            now = self.loop.time()
            if self._bucket is None:
                self._bucket = TokenBucket(bounds.frames, now)
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

    return Pipe


def _requests(bounds: Bounds) -> type[HttpToolsProtocol]:
    """HTTP connections that end when a request is not said in time, the first and any later one, or its head does not
    end."""
    saying: set[HttpToolsProtocol] = set()

    class Requests(HttpToolsProtocol):
        _deadline: asyncio.TimerHandle | None = None
        _head: int | None = 0
        """Bytes of a head that has not ended; None behind it."""
        _upgraded = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(saying) >= bounds.requests:
                transport.write(_FULL)
                transport.close()
                return
            saying.add(self)
            self._within(bounds.request_seconds)

        def data_received(self, data: bytes) -> None:
            while data and self._head is not None:
                piece, data = data[:SLICE], data[SLICE:]
                self._head += len(piece)
                super().data_received(piece)
                if self.transport.is_closing():
                    return
                if self._head is not None and self._head > bounds.head_bytes:
                    self.transport.write(_LONG_HEAD)
                    self.transport.close()
                    return
            if data and not self._upgraded:
                super().data_received(data)

        def on_message_begin(self) -> None:
            self._head = 0
            self._within(bounds.request_seconds)
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._head = None
            # The endpoint answers a body that does not come; this ends who goes on sending it.
            self._within(bounds.request_seconds + 1.0)
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            self._met()
            super().on_message_complete()

        def on_response_complete(self) -> None:
            if self._deadline is None:
                self._within(bounds.request_seconds)
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
            saying.discard(self)

    return Requests


def server_config(app: Application, bounds: Bounds | None = None) -> uvicorn.Config:
    """uvicorn's settings for this service. No compression: on small frames it costs more than it saves."""
    bounds = bounds or Bounds()
    return uvicorn.Config(
        app,
        http=_requests(bounds),
        ws=_pipe(bounds),
        ws_max_size=bounds.message_bytes,
        ws_ping_interval=bounds.ping_seconds,
        ws_ping_timeout=bounds.pong_seconds,
        ws_per_message_deflate=False,
        interface="asgi3",
        lifespan="off",
        proxy_headers=False,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=2,
    )


class DrainingServer(uvicorn.Server):
    """A server that on SIGTERM lets turns finish, closes sockets with 1012 and ends with status 0."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Application,
        *,
        telemetry: Telemetry,
        drain_seconds: float,
        on_listening: Callable[[str, int], None] | None = None,
    ) -> None:
        super().__init__(config)
        self._app = app
        self._telemetry = telemetry
        self._drain_seconds = drain_seconds
        self._on_listening = on_listening
        self._library_log = LibraryLog(telemetry)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, and says where."""
        logging.getLogger().addHandler(self._library_log)
        await super().startup(sockets)
        if self.should_exit:
            return
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        self._telemetry.log.info("listening", host=host, port=port)
        if self._on_listening is not None:
            self._on_listening(host, port)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drains, then closes."""
        for server in self.servers:
            server.close()
        self._telemetry.log.info("draining", seconds=self._drain_seconds)
        await self._app.drain(self._drain_seconds)
        await super().shutdown(sockets)
        await self._app.close()
        self._telemetry.log.info("stopped")
        logging.getLogger().removeHandler(self._library_log)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handles SIGINT, SIGTERM, SIGHUP while serving; unlike uvicorn's own, a clean stop is no death by signal."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        previous: dict[int, Any] = {number: signal.signal(number, self.handle_exit) for number in _STOP}
        if (hang_up := getattr(signal, "SIGHUP", None)) is not None:
            loop = asyncio.get_running_loop()
            previous[hang_up] = signal.signal(hang_up, lambda *_: loop.call_soon_threadsafe(self._app.reload))
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


_STOP = (signal.SIGINT, signal.SIGTERM)
