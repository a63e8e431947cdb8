"""A running service on a free loopback port, and the double of the use case that it serves."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from io import BytesIO
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tingdong.bootstrap import create_service
from tingdong.commands.reading import Reading
from tingdong.errors import BackendError, BadHome
from tingdong.home.model import Instruct, ReplyKind
from tingdong.home_turn import Turn, TurnRequest
from tingdong.service.access import Access
from tingdong.service.app import HOME_STREAM, Application, Parts, create_app
from tingdong.service.handlers import HomeHandler
from tingdong.service.http import Api
from tingdong.service.retrieval import RetrieveAnswer, Retrieved
from tingdong.service.server import Bounds, DrainingServer, server_config
from tingdong.service.session import ConnectionLimits
from tingdong.service.stream import StreamEndpoint
from tingdong.service.telemetry import Telemetry
from tingdong.service.turns import TurnService
from tingdong.settings import load_settings
from tingdong.workshop import Workshop


class ScriptedUnderstanding:
    """Answers what it is asked, remembers who asked, waits at gates, fails on request.

    `慢…` waits until `gates[question]` is set; `坏` is a bug of ours; `库` is a store that is gone. A page remembers
    its rids, as the real one does.
    """

    def __init__(self) -> None:
        self.asked: list[TurnRequest] = []
        self.started: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.gates: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.served: dict[str, dict[str, Turn]] = defaultdict(dict)
        self.homes: dict[str, bytes] = {}

    async def turn(self, request: TurnRequest) -> Turn:
        page = self.served[request.page_id]
        if request.rid in page:
            return msgspec.structs.replace(page[request.rid], replayed=True)
        self.asked.append(request)
        self.started[request.question].set()
        if request.question.startswith("慢"):
            await self.gates[request.question].wait()
        if request.question == "坏":
            raise ZeroDivisionError("a secret of the house")
        if request.question == "库":
            raise BackendError("page store: 10.0.0.7 refused")
        home = request.home or next((self.homes[name] for name in request.home_names if name in self.homes), b"")
        self.homes.update(dict.fromkeys(request.home_names, home) if home else {})
        self.asked[-1] = msgspec.structs.replace(request, home=home)
        if home in {b"[]", b""}:
            raise BadHome("home 应为对象", path="home")
        number = len(page) + 1
        instructs = (Instruct("dev-1", {"power": False}, "关闭客厅照明灯"),) if request.instruct else ()
        page[request.rid] = Turn(ReplyKind.INSTRUCT, f"{request.page_id}第{number}句：{request.question}", instructs)
        return page[request.rid]

    def is_short(self, request: TurnRequest) -> bool:
        return True

    async def forget(self, page_id: str) -> bool:
        return self.served.pop(page_id, None) is not None


class Unsure:
    """Reads nothing."""

    def read(self, text: str, names: Any = None, alternatives: Any = ()) -> Reading:
        return Reading(text, confidence=0.5)


class Running:
    """A service that listens. `log` is what it wrote."""

    def __init__(self, app: Application, telemetry: Telemetry, log: BytesIO) -> None:
        self.app = app
        self.telemetry = telemetry
        self.log = log
        self.url = ""
        self.server: DrainingServer | None = None
        self.bounds: Bounds | None = None

    @property
    def http(self) -> str:
        return self.url.replace("ws://", "http://")

    def connect(self, path: str = HOME_STREAM, **options: Any) -> Any:
        """A raw WebSocket to a pipe; the smart-home one unless said."""
        return connect(self.url + path, compression=None, proxy=None, max_size=None, **options)


class Pipe:
    """Sends and receives frames on a raw WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, frame: Any) -> None:
        await self.connection.send(frame if isinstance(frame, str | bytes) else msgspec.json.encode(frame).decode())

    async def receive(self) -> Any:
        async with asyncio.timeout(60):
            return msgspec.json.decode(await self.connection.recv())

    async def closing(self, rid: str) -> Any:
        """Reads until the closing frame of `rid`; its `data`."""
        while True:
            frame = await self.receive()
            if frame["rid"] == rid and frame["payload"]["finish"]:
                return frame["payload"]["data"]


def request_frame(rid: str, question: str, **payload: Any) -> dict[str, Any]:
    """A request frame of service.md, Request frame; a field that is `...` is left out."""
    body = {"page_id": "page-1", "question": question, "local": "客厅", "instruct": True, "home": {"devices": []}}
    fields = {key: value for key, value in {**body, **payload}.items() if value is not ...}
    return {"topic": "llm/smarthome", "rid": rid, "payload": fields}


@pytest.fixture(name="frame")
def _frame() -> Callable[..., dict[str, Any]]:
    return request_frame


@pytest.fixture(name="pipe")
def _pipe() -> type[Pipe]:
    return Pipe


@pytest.fixture
def understanding() -> ScriptedUnderstanding:
    return ScriptedUnderstanding()


Run = Callable[..., AbstractAsyncContextManager[Running]]


@pytest.fixture
def run_service() -> Run:
    """Starts a service around an understanding; leaves when its turns are done."""

    @asynccontextmanager
    async def run(
        understanding: Any,
        *,
        limits: ConnectionLimits | None = None,
        access: Access | None = None,
        turn_seconds: float = 5.0,
        drain_seconds: float = 5.0,
        ready: Callable[[], Any] | None = None,
        telemetry: Telemetry | None = None,
        bounds: Bounds | None = None,
        consult: Any = None,
    ) -> AsyncIterator[Running]:
        log = BytesIO()
        telemetry = telemetry or Telemetry(stream=log)
        limits = limits or ConnectionLimits()
        access = access or Access()
        home = HomeHandler(understanding)
        turns = TurnService(telemetry, turn_seconds)
        stream = StreamEndpoint([home], access=access, limits=limits, turns=turns)
        api = Api(
            home,
            reader=Unsure(),
            retrieve=lambda request, known=None: RetrieveAnswer([Retrieved("dev-1", "device", "target", 1.0)]),
            consult=consult,
            access=access,
            turns=turns,
            workshop=Workshop(),
            body_bytes=limits.frame_bytes,
        )
        parts = Parts({HOME_STREAM: stream}, api, telemetry, access, ready or _nothing, _nothing, version="test")
        running = Running(create_app(parts), telemetry, log)
        running.bounds = bounds
        async with listening(running, drain_seconds):
            yield running

    return run


@pytest.fixture
def serve_settings() -> Run:
    """Starts the real service of these settings (those of `tingdong serve`), listening on a free port."""

    @asynccontextmanager
    async def run(*, drain_seconds: float = 5.0, reread: Any = None, **settings: Any) -> AsyncIterator[Running]:
        app, telemetry = create_service(load_settings(log={"level": "error"}, **settings), reread, host="127.0.0.1")
        running = Running(app, telemetry, BytesIO())
        async with listening(running, drain_seconds):
            yield running

    return run


async def _nothing() -> None:
    pass


@asynccontextmanager
async def listening(running: Running, drain_seconds: float) -> AsyncIterator[None]:
    address: asyncio.Future[tuple[str, int]] = asyncio.get_running_loop().create_future()
    config = server_config(running.app, running.bounds)
    config.port = 0
    running.server = DrainingServer(
        config,
        running.app,
        telemetry=running.telemetry,
        drain_seconds=drain_seconds,
        on_listening=lambda host, port: address.set_result((host, port)),
    )
    task = asyncio.create_task(running.server.serve())
    host, port = await address
    running.url = f"ws://{host}:{port}"
    try:
        yield
    finally:
        running.server.should_exit = True
        await task
