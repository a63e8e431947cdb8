"""HTTP beside the WebSocket: the same validation, the same errors as status and JSON body (service.md, HTTP)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any
from uuid import uuid4

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from context_retrieval.protocol import or_unknown
from tingdong.commands.reading import Reading
from tingdong.errors import BadFrame, ClientError, FrameTooLarge, TingDongError
from tingdong.reader import SentenceReader
from tingdong.service.access import Access, Refusal, Tenant
from tingdong.service.explain import Explanation
from tingdong.service.frames import Alternatives, Fault, FinalData, Identifier, RequestPayload, decode_request, fault_of
from tingdong.service.handlers import HomeHandler
from tingdong.service.retrieval import RetrieveAnswer, RetrieveRequest
from tingdong.service.telemetry import TurnRecord
from tingdong.service.turns import Refused, TurnService
from tingdong.workshop import LONG_HOME, LONG_TEXT, Workshop

__all__ = [
    "Api",
    "Endpoint",
    "ParseAnswer",
    "ParseRequest",
    "Retriever",
    "UnderstandAnswer",
    "UnderstandRequest",
    "json_response",
    "tenant_of",
]


class ParseRequest(msgspec.Struct, frozen=True):
    """One sentence, and what else a recogniser offers for it."""

    text: str
    alternatives: Alternatives = ()


class ParseAnswer(msgspec.Struct, frozen=True):
    """The command array of a sentence (commands.md), how sure, and which tier read it."""

    commands: list[str]
    confidence: float
    tier: str


class UnderstandRequest(RequestPayload, frozen=True):
    """A turn: the payload of a request frame (service.md, Request frame). A repeated `rid` acts once."""

    rid: Identifier | None = None


class UnderstandAnswer(FinalData, frozen=True):
    """`data` of the closing frame (service.md, Closing frame), as a turn at home has it."""

    explain: Explanation | msgspec.UnsetType = msgspec.UNSET


Retriever = Callable[[RetrieveRequest, Mapping[str, Reading] | None], RetrieveAnswer]
"""Picks the entities of a home that a sentence needs; readings that are known already are not made again."""

Consulter = Callable[[RetrieveRequest, str], Awaitable[Mapping[str, Reading]]]
"""Reads a request's sentences with the models that a tenant's path asks."""


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON body, UTF-8."""
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def tenant_of(request: Request) -> Tenant:
    """Whom a guarded request speaks for."""
    tenant: Tenant = request.state.tenant
    return tenant


def _record(topic: str, text: str, tenant: str, **told: Any) -> TurnRecord:
    """What is kept of a sentence that belongs to no page."""
    return TurnRecord(topic, "", "", text, tenant=tenant, **told)


_PARSE = msgspec.json.Decoder(ParseRequest)
_RETRIEVE = msgspec.json.Decoder(RetrieveRequest)
_UNDERSTAND = msgspec.json.Decoder(UnderstandRequest)

Endpoint = Callable[[Request], Awaitable[Response]]


class Api:
    """The `/v1` endpoints."""

    def __init__(
        self,
        home: HomeHandler,
        *,
        reader: SentenceReader,
        retrieve: Retriever,
        consult: Consulter | None = None,
        access: Access,
        turns: TurnService,
        workshop: Workshop,
        body_bytes: int,
        body_seconds: float = 10.0,
    ) -> None:
        self._home = home
        self._reader = reader
        self._retrieve = retrieve
        self._consult = consult
        self._access = access
        self.turns = turns
        self._telemetry = turns.telemetry
        self._workshop = workshop
        self._body_bytes = body_bytes
        self._body_seconds = body_seconds

    def guarded(self, endpoint: Endpoint) -> Endpoint:
        """The endpoint with admission before it and errors as JSON."""

        async def serve(request: Request) -> Response:
            tenant = self._access.admit(request.scope)
            if isinstance(tenant, Refusal):
                headers = {"WWW-Authenticate": "Bearer"} if tenant.status == 401 else None
                return json_response(Fault(tenant.status, message=tenant.message), tenant.status, headers)
            request.state.tenant = tenant
            try:
                self._access.pace(tenant)
                return await endpoint(request)
            except Refused as refused:
                return json_response(msgspec.structs.replace(refused.fault, page_id="", question=""), refused.fault.ret)
            except TingDongError as error:
                if not isinstance(error, ClientError):
                    self._telemetry.fault(error.code, error)
                return json_response(fault_of(error), error.ret)
            except Exception as error:  # noqa: BLE001 - a bug of ours is this request's 500
                self._telemetry.fault("internal", error)
                return json_response(fault_of(error), 500)

        return serve

    def endpoints(self) -> dict[str, Endpoint]:
        """The endpoints of the home, by the names of their operations."""
        named = {"parse": self.parse, "retrieve": self.retrieve, "understand": self.understand, "forget": self.forget}
        return {name: self.guarded(endpoint) for name, endpoint in named.items()}

    async def parse(self, request: Request) -> Response:
        """POST /v1/parse."""
        body = decode_request(await self.body(request), _PARSE)
        self._home.check_text(body.text, "text")
        self._home.check_alternatives(body.alternatives)
        tenant = tenant_of(request).name

        def told(reading: Reading) -> TurnRecord:
            unknown = not reading.commands
            verdict = reading.verdict.value
            return _record(
                "parse", body.text, tenant, kind="commands", tier=reading.tier, verdict=verdict, unknown=unknown
            )

        long = len(body.text) + sum(map(len, body.alternatives)) >= LONG_TEXT
        work = self._workshop.do(lambda: self._reader.read(body.text, None, body.alternatives), long=long)
        reading = await self.turns.ask("parse", body.text, work, told)
        commands = [str(command) for command in or_unknown(reading.commands)]
        return json_response(ParseAnswer(commands, round(reading.confidence, 4), reading.tier))

    async def retrieve(self, request: Request) -> Response:
        """POST /v1/retrieve."""
        body = decode_request(await self.body(request), _RETRIEVE)
        self._home.check_text(body.text, "text")
        self._home.check_text("".join(body.before), "before")
        body.check_queries()
        tenant = tenant_of(request).name

        def told(found: RetrieveAnswer) -> TurnRecord:
            return _record("retrieve", body.text, tenant, kind="candidates", candidates=len(found.candidates))

        return json_response(await self.turns.ask("retrieve", body.text, self._retrieved(body, tenant), told))

    async def _retrieved(self, body: RetrieveRequest, tenant: str) -> RetrieveAnswer:
        known = None if self._consult is None else await self._consult(body, tenant)
        long = len(body.text) + sum(map(len, body.before)) >= LONG_TEXT or len(bytes(body.home)) >= LONG_HOME
        return await self._workshop.do(lambda: self._retrieve(body, known), long=long)

    async def understand(self, request: Request) -> Response:
        """POST /v1/understand."""
        body = decode_request(await self.body(request), _UNDERSTAND)
        ticket = self._home.ticket(body.rid or str(uuid4()), body)
        answered = await self.turns.serve(self._home, ticket, tenant_of(request))
        return json_response(answered.data(ticket))

    async def forget(self, request: Request) -> Response:
        """DELETE /v1/pages/{page_id}."""
        known = await self._home.forget(request.path_params["page_id"], tenant_of(request))
        if known:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        return json_response(Fault(404, message="没有这个情景对话"), 404)

    async def body(self, request: Request) -> bytes:
        """The request's body. Raises `FrameTooLarge`, `BadFrame` for what is no UTF-8 or comes too slowly."""
        chunks, size = [], 0
        try:
            async with asyncio.timeout(self._body_seconds):
                async for chunk in request.stream():
                    chunks.append(chunk)
                    size += len(chunk)
                    if size > self._body_bytes:
                        raise FrameTooLarge(f"请求体最多 {self._body_bytes} 字节")
        except TimeoutError:
            raise BadFrame("请求体没有及时到齐") from None
        body = b"".join(chunks)
        try:
            body.decode()
        except UnicodeDecodeError:
            raise BadFrame("不是有效的 UTF-8") from None
        return body
