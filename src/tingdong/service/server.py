"""The process: uvicorn, with a drain before its own shutdown (service.md, Idle connections; seed 004 §2.1).

uvicorn closes sockets at once when it is told to stop; here turns that were admitted get their closing frames first.
A socket that never says its request, and one whose peer reads nothing and answers no ping, are cut off.
"""

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tingdong.service.app import Application
from tingdong.service.telemetry import LibraryLog, Telemetry

__all__ = ["DrainingServer", "server_config"]


class _Pipe(WebSocketsSansIOProtocol):
    """A WebSocket that a silent peer cannot hold: closing would wait for what is unsent, so it is cut off."""

    def handle_text(self, event: Frame) -> None:
        # Text goes on as the bytes it is: a home that did not change is then compared, and neither decoded nor copied.
        self.handle_bytes(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)


def _requests_within(seconds: float) -> type[HttpToolsProtocol]:
    """HTTP connections that end when no request was said within `seconds`."""

    class Requests(HttpToolsProtocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._deadline = self.loop.call_later(seconds, transport.abort)

        def on_headers_complete(self) -> None:
            self._met()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._met()
            super().connection_lost(exc)

        def _met(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return Requests


def server_config(
    app: Application,
    *,
    message_bytes: int,
    ping_seconds: float,
    pong_seconds: float,
    handshake_seconds: float = 10.0,
) -> uvicorn.Config:
    """uvicorn's settings for this service. No compression: on small frames it costs more than it saves."""
    return uvicorn.Config(
        app,
        http=_requests_within(handshake_seconds),
        ws=_Pipe,
        ws_max_size=message_bytes,
        ws_ping_interval=ping_seconds,
        ws_ping_timeout=pong_seconds,
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
