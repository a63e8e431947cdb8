"""The process: uvicorn with a drain before its shutdown (service.md, Idle connections).

uvicorn closes sockets at once; here admitted turns get their closing frames first.
"""

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn

from tingdong.errors import DataError
from tingdong.service.app import Application
from tingdong.service.peers import Bounds, protocols
from tingdong.service.telemetry import LibraryLog, Telemetry

__all__ = ["DOORS", "Bounds", "DrainingServer", "check_address", "server_config"]

DOORS = 16
"""Listeners on one socket: uvloop accepts one connection per listener and round of its loop, and a round that serves
all active connections is long."""


def server_config(app: Application, bounds: Bounds | None = None) -> uvicorn.Config:
    """uvicorn's settings for this service. No compression: on small frames it costs more than it saves."""
    bounds = bounds or Bounds()
    http, ws = protocols(bounds)
    return uvicorn.Config(
        app,
        http=http,
        ws=ws,
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


def check_address(host: str, port: int) -> None:
    """Raises `DataError` if the port is taken or the address does not belong to this machine."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        raise DataError(f"{host}:{port}: {reason}; another --host or --port (0 takes a free one)") from error


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
        """Listens, and reports host and port."""
        logging.getLogger().addHandler(self._library_log)
        await super().startup(sockets)
        if self.should_exit:
            return
        for listening in [one for server in self.servers for one in server.sockets]:
            self.servers += [await self._door(listening.fileno()) for _ in range(DOORS - 1)]
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        self._telemetry.log.info("listening", host=host, port=port)
        if self._on_listening is not None:
            self._on_listening(host, port)

    async def _door(self, number: int) -> asyncio.Server:
        """Another listener on a socket that listens."""
        told = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        listening = socket.socket(fileno=os.dup(number))
        loop, made = asyncio.get_running_loop(), partial(self.config.http_protocol_class, **told)
        return await loop.create_server(made, sock=listening, backlog=self.config.backlog)

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
