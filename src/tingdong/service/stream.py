"""The WebSocket shell: moves text between a socket and a `Session` and runs its turns (service.md, Idle connections).

Running turns finish even if the client disconnects, so that the page has their answers when the client returns with the
same `rid`. A drain lets admitted turns finish and closes with 1012, "service restart".
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

import msgspec

from tingdong.service.access import SUBPROTOCOL, Access, Refusal, Tenant
from tingdong.service.session import ConnectionLimits, Event, Send, Session, Ticket
from tingdong.service.telemetry import Telemetry
from tingdong.service.turns import DeskTopic, Refused, TurnService

__all__ = ["StreamEndpoint"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
SendMessage = Callable[[Message], Awaitable[None]]

SERVICE_RESTART = 1012
POLICY_VIOLATION = 1008
BUSY_SECONDS = 0.002
"""How long one connection is served before the others have their turn."""


class StreamEndpoint:
    """An ASGI endpoint that serves the topics of `handlers` on every WebSocket it accepts."""

    def __init__(
        self,
        handlers: Sequence[DeskTopic],
        *,
        access: Access,
        limits: ConnectionLimits,
        turns: TurnService,
    ) -> None:
        self.handlers: dict[str, DeskTopic] = {handler.name: handler for handler in handlers}
        self.limits = limits
        self.turns = turns
        self.telemetry: Telemetry = turns.telemetry
        self.access = access
        self._connections: set[_Connection] = set()
        self._draining = False

    async def __call__(self, scope: Any, receive: Receive, send: SendMessage) -> None:
        """One connection, from handshake to close."""
        await receive()  # websocket.connect
        tenant = Refusal(503, "服务正在重启") if self._draining else self.access.admit_socket(scope)
        if isinstance(tenant, Refusal):
            self.telemetry.metrics.refused_connections.of(str(tenant.status)).inc()
            await _refuse(send, tenant)
            return
        chosen = SUBPROTOCOL if SUBPROTOCOL in scope.get("subprotocols", ()) else None
        await send({"type": "websocket.accept", "subprotocol": chosen})
        connection = _Connection(self, send, tenant, scope)
        self._connections.add(connection)
        self.telemetry.metrics.connections.inc()
        try:
            with self.access.staying(tenant):
                await connection.serve(receive)
        finally:
            self._connections.discard(connection)
            self.telemetry.metrics.connections.dec()

    def look_again(self) -> None:
        """Applies new access rules: closes connections that they do not admit, idle ones too."""
        for connection in self._connections:
            connection.look_again()

    async def drain(self, seconds: float) -> None:
        """Admits nothing more, lets turns finish for at most `seconds`, then closes every socket with 1012."""
        self._draining = True
        if self._connections:
            drains = [asyncio.create_task(connection.drain()) for connection in self._connections]
            _, late = await asyncio.wait(drains, timeout=seconds)
            for drain in late:
                drain.cancel()


async def _refuse(send: SendMessage, refusal: Refusal) -> None:
    body = msgspec.json.encode({"ret": refusal.status, "message": refusal.message})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "websocket.http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})


class _Connection:
    """One accepted socket."""

    def __init__(self, endpoint: StreamEndpoint, send: SendMessage, tenant: Tenant, scope: Any) -> None:
        self._endpoint = endpoint
        self._send_message = send
        self._tenant = tenant
        self._scope = scope
        self._rules = endpoint.access.rules
        self._session = Session(endpoint.handlers.values(), endpoint.limits, endpoint.access.gate(tenant))
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False
        self._gone = False

    async def serve(self, receive: Receive) -> None:
        busy = 0.0
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if self._draining:
                    continue  # unanswered on purpose: the client sends it again after 1012
                if not self._still_admitted():
                    await self._shut_out()
                    break
                data, began = message.get("bytes"), time.perf_counter()
                await self._do(self._session.receive(message["text"] if data is None else data))
                busy += time.perf_counter() - began
                if busy > BUSY_SECONDS:  # what waits to be read must not keep the others waiting
                    busy = 0.0
                    await asyncio.sleep(0)
            self._gone = True
            self._session.drop_waiting()
            if self._tasks:
                await asyncio.wait(self._tasks)
        finally:
            for task in self._tasks:
                task.cancel()

    def look_again(self) -> None:
        if not self._still_admitted():
            task = asyncio.create_task(self._shut_out())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _still_admitted(self) -> bool:
        """Whether the token that opened this connection holds; it is looked up again when the rules were replaced."""
        access = self._endpoint.access
        if self._rules is not access.rules:
            admitted = access.admit(self._scope)
            if isinstance(admitted, Refusal) or admitted.name != self._tenant.name:
                return False
            self._rules, self._tenant = access.rules, admitted
        return not access.expired(self._tenant)

    async def _shut_out(self) -> None:
        await self._put({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "token no longer valid"})

    async def drain(self) -> None:
        self._draining = True
        await self._idle.wait()
        await self._put({"type": "websocket.close", "code": SERVICE_RESTART})

    async def _do(self, events: list[Event], *, told: bool = False) -> None:
        for event in events:
            if isinstance(event, Send):
                if event.ret and not told:
                    self._endpoint.telemetry.refused(event.topic, event.ret)
                await self._put({"type": "websocket.send", "text": event.text})
            elif self._endpoint.handlers[event.ticket.topic].is_short(event.ticket):
                await self._at_once(event.ticket)
            else:
                self._idle.clear()
                task = asyncio.create_task(self._turn(event.ticket))
                self._tasks.add(task)
                task.add_done_callback(self._done)

    async def _at_once(self, ticket: Ticket) -> None:
        """A turn without waiting for anything outside: it runs directly, without a task and a time limit."""
        self._idle.clear()
        try:
            await self._turn(ticket)
        except Exception as error:  # noqa: BLE001 - as in `_done`
            self._endpoint.telemetry.fault("connection", error)
        finally:
            if not self._session.in_flight:
                self._idle.set()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not self._session.in_flight:
            self._idle.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._endpoint.telemetry.fault("connection", error)

    async def _turn(self, ticket: Ticket) -> None:
        endpoint = self._endpoint

        async def emit(text: str) -> None:
            await self._do(self._session.token(ticket, text))

        try:
            answered = await endpoint.turns.serve(endpoint.handlers[ticket.topic], ticket, self._tenant, emit)
        except Refused as refused:
            events = self._session.fail(ticket, refused.fault)
        else:
            events = self._session.close(ticket, answered.closing(ticket))
        await self._do(events, told=True)

    async def _put(self, message: Message) -> None:
        if self._gone:
            return
        try:
            await self._send_message(message)
        except OSError:  # the client went away; `receive` will say so
            self._gone = True
