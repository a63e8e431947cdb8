"""Topic handlers: from topic to use case (service.md, Request frame, Endpoint).

A handler turns frames of its topic into tickets, and tickets into closing frames. Another desk is another handler on
another path.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from uuid import uuid4

import msgspec

from tingdong.errors import BadFrame, FrameTooLarge
from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.service.access import NOBODY, Tenant, page_of
from tingdong.service.explain import explanation
from tingdong.service.frames import (
    HOME_TOPIC,
    Active,
    Intent,
    RequestFrame,
    RequestPayload,
    decode_for,
    encode_token,
)
from tingdong.service.moments import moment_of
from tingdong.service.session import Memory, Ticket
from tingdong.service.telemetry import TurnRecord
from tingdong.service.turns import Answered, Emit

__all__ = ["HomeHandler", "record_of", "request_of"]

_REQUEST = msgspec.json.Decoder(RequestFrame)
_CONNECTION = "name"
"""Where a connection's memory has its own name."""


class HomeHandler:
    """Topic `llm/smarthome` (service.md, Endpoint). `here` says that turns wait for nothing outside this process."""

    name = HOME_TOPIC

    def __init__(
        self, understanding: Understander, *, question_chars: int = 1_000, zone: tzinfo = UTC, here: bool = False
    ) -> None:
        self._understanding = understanding
        self._zone = zone
        self._question_chars = question_chars
        self._here = here

    def admit(self, data: bytes, memory: Memory) -> Ticket | None:
        """A ticket for a request frame. Raises `BadFrame`, `FrameTooLarge`.

        A connection knows the homes that it brought itself under their `home_id`, whatever the page.
        """
        frame = decode_for(HOME_TOPIC, data, _REQUEST)
        if frame is None:
            return None
        if frame.payload.home_id is not None and _CONNECTION not in memory:
            memory[_CONNECTION] = uuid4().hex
        return self.ticket(frame.rid, frame.payload, memory.get(_CONNECTION, ""), "payload.")

    def ticket(self, rid: str, payload: RequestPayload, connection: str = "", where: str = "") -> Ticket:
        """Checks what the decoder cannot. Raises `FrameTooLarge` or `BadFrame`; `where` is the path's prefix."""
        self.check_text(payload.question, f"{where}question")
        self.check_alternatives(payload.alternatives, where)
        if payload.home_id is None and not memoryview(payload.home).nbytes:
            raise BadFrame(f"缺少字段 {where}home", path=f"{where}home")
        now = moment_of(payload.now, self._zone, f"{where}now") if payload.now else None
        return Ticket(HOME_TOPIC, rid, payload.page_id, payload.question, _HomeTurn(payload, now, connection))

    def check_text(self, text: str, path: str) -> None:
        """Raises `FrameTooLarge` for a sentence over the limit."""
        if len(text) > self._question_chars:
            raise FrameTooLarge(f"{path} 最多 {self._question_chars} 个字符", path=path)

    def check_alternatives(self, texts: Sequence[str], where: str = "") -> None:
        """Raises `FrameTooLarge` for one over the limit of a sentence."""
        for index, text in enumerate(texts):
            self.check_text(text, f"{where}alternatives[{index}]")

    def is_short(self, ticket: Ticket) -> bool:
        """Whether the turn is served as it comes."""
        return self._here and self._understanding.is_short(request_of(ticket, NOBODY))

    async def handle(self, ticket: Ticket, emit: Emit, tenant: Tenant = NOBODY) -> Answered:
        """One turn; the token frame is sent as soon as the page is committed."""
        turn = await self._understanding.turn(request_of(ticket, tenant))
        if not turn.replayed:
            await emit(encode_token(HOME_TOPIC, ticket.rid, turn.kind, turn.text))
        asked: _HomeTurn = ticket.request
        return Answered(
            Active(Intent(turn.kind, turn.text), turn.instructs, turn.scheduled or msgspec.UNSET),
            record_of(ticket, turn, tenant=tenant),
            explanation(turn, ticket.question) if asked.payload.explain else msgspec.UNSET,
            turn.warnings,
        )

    async def forget(self, page_id: str, tenant: Tenant = NOBODY) -> bool:
        """Forgets a page of the tenant; False when there was none."""
        return await self._understanding.forget(page_of(tenant, page_id))


class _HomeTurn(msgspec.Struct, frozen=True):
    """What was asked, the user's clock, and the connection that brought it ("" for HTTP)."""

    payload: RequestPayload
    now: datetime | None
    connection: str


def request_of(ticket: Ticket, tenant: Tenant) -> TurnRequest:
    """The use case's request.

    A `home_id` is valid within its page and its connection, so that guessing an id reveals no home.
    """
    asked: _HomeTurn = ticket.request
    payload, page_id = asked.payload, page_of(tenant, ticket.page_id)
    scopes = (page_id, asked.connection) if asked.connection else (page_id,)
    return TurnRequest(
        rid=ticket.rid,
        page_id=page_id,
        question=payload.question,
        instruct=payload.instruct,
        home=bytes(payload.home),
        home_names=() if payload.home_id is None else tuple(f"{scope}\n{payload.home_id}" for scope in scopes),
        local=payload.local or "",
        now=asked.now,
        alternatives=payload.alternatives,
        tenant=tenant.name,
    )


def record_of(ticket: Ticket, turn: Turn, *, tenant: Tenant = NOBODY) -> TurnRecord:
    """The record of a turn for logs and metrics."""
    decision = turn.decision
    reading = decision.reading if decision else None
    return TurnRecord(
        topic=ticket.topic,
        rid=ticket.rid,
        page_id=ticket.page_id,
        tenant=tenant.name,
        question=ticket.question,
        kind=turn.kind.value,
        tier=reading.tier if reading else "",
        verdict=reading.verdict.value if reading else "",
        unknown=reading is not None and not reading.commands,
        candidates=sum(len(finding.ids) for finding in decision.findings) if decision and decision.findings else None,
        reason=reading.reason if reading else "",
        instructs=len(turn.instructs) + len(turn.scheduled),
        repeated=turn.replayed,
        stages={stage: micro / 1e6 for stage, micro in decision.microseconds.items()} if decision else {},
    )
