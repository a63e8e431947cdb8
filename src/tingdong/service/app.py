"""The ASGI application: paths → endpoints (service.md, Endpoint).

The composition root supplies the table of handlers by WebSocket path.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from tingdong.errors import DataError, TingDongError
from tingdong.service.access import Access
from tingdong.service.frames import Fault
from tingdong.service.http import Api, Endpoint, json_response
from tingdong.service.openapi import openapi_document
from tingdong.service.operations import routes_of
from tingdong.service.playground import PAGE_PATHS, page_response
from tingdong.service.stream import StreamEndpoint
from tingdong.service.telemetry import Telemetry

__all__ = ["HOME_STREAM", "Parts", "create_app"]

HOME_STREAM = "/agent/smarthome-gpt/llm/stream"
"""Path of the smart-home pipe (service.md, Endpoint)."""


class Parts(msgspec.Struct, frozen=True):
    """Parts of the application. `ready` raises when turns cannot be served; `close` releases resources; `reload`
    re-reads settings and data and raises `DataError` if they are broken."""

    streams: Mapping[str, StreamEndpoint]
    api: Api
    telemetry: Telemetry
    access: Access
    ready: Callable[[], Awaitable[None]]
    close: Callable[[], Awaitable[None]]
    version: str = "0"
    endpoints: Mapping[str, Endpoint] = {}
    reload: Callable[[], None] | None = None


class _Probes:
    """Probes, metrics and the API's description; open to everyone."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.draining = False

    def endpoints(self) -> dict[str, Endpoint]:
        return {"metrics": self.metrics, "healthz": self.health, "readyz": self.ready}

    async def health(self, _request: Request) -> Response:
        return json_response({"status": "ok", "version": self._parts.version})

    async def ready(self, _request: Request) -> Response:
        if self.draining:
            return json_response({"status": "draining"}, 503)
        try:
            await self._parts.ready()
        except TingDongError as error:
            return json_response({"status": "not ready", "code": error.code}, 503)
        return json_response({"status": "ready"})

    async def metrics(self, _request: Request) -> Response:
        return Response(self._parts.telemetry.metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def openapi(self, _request: Request) -> Response:
        return json_response(openapi_document(self._parts.version))


class _Cors(CORSMiddleware):
    """CORS by the rules of admission in force."""

    def __init__(self, app: ASGIApp, /, *, access: Access, **arguments: Any) -> None:
        super().__init__(app, **arguments)
        self._access = access

    def is_allowed_origin(self, origin: str) -> bool:
        """Whether a page of this origin may read answers; the service's own page always may."""
        return self._access.welcomes(origin)


class Application(Starlette):
    """The Starlette application, and the way to wind it down."""

    def __init__(self, parts: Parts, probes: _Probes, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._parts = parts
        self._probes = probes

    async def drain(self, seconds: float) -> None:
        """Becomes not ready, lets turns finish for at most `seconds`, and closes every socket with 1012."""
        self._probes.draining = True
        await asyncio.gather(*(stream.drain(seconds) for stream in self._parts.streams.values()))

    def reload(self) -> bool:
        """Re-reads settings and data; False if they are broken, and then the old ones stay in force."""
        telemetry = self._parts.telemetry
        try:
            if self._parts.reload is not None:
                self._parts.reload()
        except DataError as error:
            telemetry.metrics.reloads.of("refused").inc()
            telemetry.log.warning("reload refused", text=error.message)
            return False
        for stream in self._parts.streams.values():
            stream.look_again()
        telemetry.metrics.reloads.of("taken").inc()
        telemetry.log.info("reloaded", reaches="this process")
        return True

    async def close(self) -> None:
        """Closes what the composition root opened."""
        await self._parts.close()


def create_app(parts: Parts) -> Application:
    """The application for these parts."""
    probes = _Probes(parts)
    api = parts.api
    endpoints = {**api.endpoints(), **parts.endpoints, **probes.endpoints()}
    routes = [
        *(WebSocketRoute(path, stream) for path, stream in parts.streams.items()),
        *routes_of(endpoints),
        Route("/openapi.json", probes.openapi),
        *(Route(path, page_response) for path in PAGE_PATHS),
    ]
    cors = Middleware(
        _Cors,
        access=parts.access,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type"],
    )
    return Application(parts, probes, routes=routes, middleware=[cors], exception_handlers={HTTPException: _http_fault})


async def _http_fault(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    messages = {404: "没有这个地址", 405: "不支持的方法"}
    headers = error.headers if isinstance(error, HTTPException) else None
    return json_response(Fault(status, message=messages.get(status, "请求无法处理")), status, headers)
