"""A client that keeps the pipe open (service.md, Idle connections: the server may close it; the client opens it again).

Many requests share one connection and are told apart by `rid`. A request that was not answered when the connection
broke is sent again on the next one with the same `rid`, so that the turn acts once (service.md, Retries).
"""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from tingdong.errors import BackendError

__all__ = ["Client", "ConnectionFailed", "Reply"]

HOME_STREAM = "/agent/smarthome-gpt/llm/stream"
HOME_TOPIC = "llm/smarthome"


class ConnectionFailed(BackendError):
    """The server could not be reached, or refused the connection, as often as `attempts` allows."""

    code = "connection_failed"


class Reply(msgspec.Struct, frozen=True):
    """The frames of one request: `token` is None when none came; `final` is the closing frame."""

    token: dict[str, Any] | None
    final: dict[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """`payload.data` of the closing frame."""
        data: dict[str, Any] = self.final["payload"]["data"]
        return data

    @property
    def ret(self) -> int:
        """0 when the request was served."""
        return int(self.data["ret"])

    @property
    def message(self) -> str:
        """Why it was not served."""
        return str(self.data.get("message", ""))

    @property
    def kind(self) -> str:
        """instruct, question, answer or none; "" when it was not served."""
        return str(self.data["active"]["intent"]["type"]) if self.ret == 0 else ""

    @property
    def text(self) -> str:
        """The text to show the user."""
        return str(self.data["active"]["intent"]["result"]) if self.ret == 0 else self.message

    @property
    def instructs(self) -> list[dict[str, Any]]:
        """State changes to apply now, in the home's order."""
        return list(self.data["active"]["instructs"]) if self.ret == 0 else []

    @property
    def scheduled(self) -> list[dict[str, Any]]:
        """What is to happen later (`when`, `timer_id`), and timers taken back (`cancel`); the clock is the client's."""
        return list(self.data["active"].get("scheduled", ())) if self.ret == 0 else []

    @property
    def warnings(self) -> list[dict[str, str]]:
        """What of the home the service passed over: `path` and `message` each."""
        return list(self.data.get("warnings", ()))


OnToken = Callable[[str, str], None]
OnFrame = Callable[[str, str], None]


class _Pending:
    """A request that waits for its closing frame."""

    def __init__(self, text: str, on_token: OnToken | None) -> None:
        self.text = text
        self.on_token = on_token
        self.sent_on: ClientConnection | None = None
        self.token: dict[str, Any] | None = None
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()


class Client:
    """One pipe to a server.

    `url` is the server's root (`ws://127.0.0.1:8765`) or the full address of the pipe. `on_frame` sees every frame as
    text, with `>` for sent and `<` for received ones. `sleep` waits between attempts to connect.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        attempts: int = 6,
        on_frame: OnFrame | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._url = _full(url)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._attempts = attempts
        self._on_frame = on_frame
        self._sleep = sleep
        self._pending: dict[str, _Pending] = {}
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the pipe; requests that still wait fail with `ConnectionFailed`."""
        self._closed = True
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None and not self._reader.done():
            self._reader.cancel()
            await asyncio.wait([self._reader])
        self._fail_all(ConnectionFailed("the client was closed"))

    async def ask(
        self,
        question: str,
        *,
        page_id: str,
        home: Mapping[str, Any] | msgspec.Raw | None = None,
        local: str | None = None,
        instruct: bool = True,
        rid: str | None = None,
        home_id: str | None = None,
        now: str | None = None,
        alternatives: Sequence[str] = (),
        on_token: OnToken | None = None,
    ) -> Reply:
        """One turn. `on_token` gets (kind, text) of the summary as soon as it is there; `alternatives` are what else a
        recogniser offers for the question, eight at most, the best first.

        Raises `ConnectionFailed`. A refusal is no error: look at `Reply.ret`.
        """
        payload = {
            "page_id": page_id,
            "question": question,
            "local": local,
            "instruct": instruct,
            "home": home,
            "home_id": home_id,
            "now": now,
            "alternatives": list(alternatives) or None,
        }
        payload = {key: value for key, value in payload.items() if value is not None}
        return await self.send(payload, rid=rid or str(uuid4()), on_token=on_token)

    async def send(self, payload: Mapping[str, Any], *, rid: str, on_token: OnToken | None = None) -> Reply:
        """One request with any payload. Raises `ConnectionFailed`."""
        if rid in self._pending:
            return await asyncio.shield(self._pending[rid].reply)
        text = msgspec.json.encode({"topic": HOME_TOPIC, "rid": rid, "payload": payload}).decode()
        pending = self._pending[rid] = _Pending(text, on_token)
        try:
            await self._submit(pending)
            return await pending.reply
        finally:
            self._pending.pop(rid, None)

    async def _submit(self, pending: _Pending) -> None:
        """Sends on the open pipe; where there is none, opens it, which sends all that is pending."""
        if self._socket is None:
            await self._connect()
        elif pending.sent_on is not self._socket:
            await self._write(self._socket, pending)

    async def _connect(self) -> None:
        async with self._connecting:
            if self._socket is None and not self._closed:
                self._socket = await self._dial()
                self._reader = asyncio.create_task(self._read(self._socket))
            for pending in list(self._pending.values()):
                if self._socket is not None and pending.sent_on is not self._socket:
                    await self._write(self._socket, pending)

    async def _dial(self) -> ClientConnection:
        last: Exception | None = None
        for attempt in range(self._attempts):
            if attempt:
                await self._sleep(min(5.0, 0.1 * 2**attempt) * random.uniform(0.5, 1.0))
            try:
                return await connect(
                    self._url, additional_headers=self._headers, compression=None, max_size=None, proxy=None
                )
            except InvalidStatus as error:
                last = error
                if error.response.status_code in (401, 403):
                    break
            except (OSError, InvalidHandshake, TimeoutError) as error:
                last = error
        raise ConnectionFailed(f"{self._url}: {last}") from last

    async def _write(self, socket: ClientConnection, pending: _Pending) -> None:
        pending.sent_on = socket
        if self._on_frame is not None:
            self._on_frame(">", pending.text)
        with contextlib.suppress(ConnectionClosed):  # the reader notices too, and sends it again
            await socket.send(pending.text)

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in socket:
                self._received(message if isinstance(message, str) else message.decode())
        self._socket = None
        if self._pending and not self._closed:
            try:
                await self._connect()
            except ConnectionFailed as error:
                self._fail_all(error)

    def _received(self, text: str) -> None:
        if self._on_frame is not None:
            self._on_frame("<", text)
        frame: dict[str, Any] = msgspec.json.decode(text)
        pending = self._pending.get(frame.get("rid", ""))
        if pending is None:
            return
        if frame["payload"]["finish"]:
            if not pending.reply.done():
                pending.reply.set_result(Reply(pending.token, frame))
            return
        pending.token = frame
        if pending.on_token is not None:
            token = frame["payload"]["data"]["token"]
            pending.on_token(token["type"], token["result"])

    def _fail_all(self, error: ConnectionFailed) -> None:
        for pending in self._pending.values():
            if not pending.reply.done():
                pending.reply.set_exception(error)


def _full(url: str) -> str:
    root = url.rstrip("/").replace("http://", "ws://").replace("https://", "wss://")
    return root if root.count("/") > 2 else root + HOME_STREAM
