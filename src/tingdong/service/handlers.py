"""What a topic does with its requests: the table from topic to handler (seed 004 §2.2, §4).

A handler turns frames of its topic into tickets and tickets into closing frames. The smart-home desk is one; another
desk (the hospital's) is one more handler on one more path, and nothing else of the service changes.
"""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, tzinfo
from typing import Protocol

import msgspec

from tingdong.errors import BadFrame, FrameTooLarge
from tingdong.service.access import NOBODY, Tenant, page_of
from tingdong.service.explain import explanation
from tingdong.service.frames import (
    HOME_TOPIC,
    Active,
    Intent,
    RequestFrame,
    RequestPayload,
    decode_for,
    encode_final,
    encode_token,
)
from tingdong.service.lasthome import LastHome
from tingdong.service.moments import moment_of
from tingdong.service.session import Memory, Ticket, Topic
from tingdong.service.telemetry import TurnRecord
from tingdong.understand import Turn, TurnRequest

__all__ = ["Emit", "Handler", "HomeHandler", "Understanding", "record_of", "request_of"]

Emit = Callable[[str], Awaitable[None]]
"""Hands a token frame to the connection."""

KNOWN_HOMES = 2
"""Homes that one connection remembers by their `home_id`."""

_REQUEST = msgspec.json.Decoder(RequestFrame)
_LAST, _NAMED = "last home", "homes by id"
"""Where a connection's memory has its last home, and those it gave a `home_id`."""


class Handler(Topic, Protocol):
    """A topic that can be served.

    `immediate` says that its turns wait for nothing outside this process: such a turn is served as it comes.
    """

    @property
    def immediate(self) -> bool: ...

    async def handle(self, ticket: Ticket, emit: Emit, tenant: Tenant = NOBODY) -> tuple[str, TurnRecord]:
        """Serves a tenant's ticket: its closing frame, and what is told of it. `emit` may be called with the token
        frame.

        Raises a `TingDongError`, whose `ret` the closing frame then carries.
        """
        ...


class Understanding(Protocol):
    """What the smart-home desk needs of the use case (`tingdong.understand.Understander`)."""

    async def turn(self, request: TurnRequest) -> Turn:
        """One turn, committed to its page."""
        ...

    async def forget(self, page_id: str) -> bool:
        """Forgets a page; False when there was none."""
        ...


class HomeHandler:
    """Topic `llm/smarthome` (seed 004 §4)."""

    name = HOME_TOPIC

    def __init__(
        self,
        understanding: Understanding,
        *,
        question_chars: int = 1_000,
        zone: tzinfo = UTC,
        immediate: bool = False,
    ) -> None:
        self._understanding = understanding
        self._zone = zone
        self._question_chars = question_chars
        self.immediate = immediate

    def admit(self, data: bytes, memory: Memory) -> Ticket | None:
        """A ticket for a request frame. Raises `BadFrame`, `FrameTooLarge`.

        A connection knows the homes that it brought itself under their `home_id`, whatever the page.
        """
        frame = _decoded(data, memory)
        if frame is None:
            return None
        self.check(frame.payload, "payload.")
        if frame.payload.home_id is not None:
            frame = msgspec.structs.replace(frame, payload=_with_known_home(frame.payload, memory))
        return Ticket(HOME_TOPIC, frame.rid, frame.payload.page_id, frame.payload.question, frame)

    def check(self, payload: RequestPayload, where: str = "") -> None:
        """What the decoder does not see. Raises `FrameTooLarge` or `BadFrame`; `where` starts the path."""
        self.check_text(payload.question, f"{where}question")
        if payload.home_id is None and not memoryview(payload.home).nbytes:
            raise BadFrame(f"缺少字段 {where}home", path=f"{where}home")

    def check_text(self, text: str, path: str) -> None:
        """Raises `FrameTooLarge` for a sentence over the limit."""
        if len(text) > self._question_chars:
            raise FrameTooLarge(f"{path} 最多 {self._question_chars} 个字符", path=path)

    async def handle(self, ticket: Ticket, emit: Emit, tenant: Tenant = NOBODY) -> tuple[str, TurnRecord]:
        """One turn; the token frame goes out as soon as the page is committed."""
        started = time.perf_counter()
        frame: RequestFrame = ticket.request
        turn = await self.turn(frame.rid, frame.payload, tenant)
        if not turn.replayed:
            await emit(encode_token(HOME_TOPIC, frame.rid, turn.kind, turn.text))
        closing = encode_final(
            HOME_TOPIC,
            frame.rid,
            asked=(ticket.page_id, ticket.question),
            active=Active(Intent(turn.kind, turn.text), turn.instructs, turn.scheduled or msgspec.UNSET),
            explain=explanation(turn, ticket.question) if frame.payload.explain else msgspec.UNSET,
            warnings=turn.warnings,
        )
        return closing, record_of(ticket, turn, seconds=time.perf_counter() - started, tenant=tenant)

    async def turn(self, rid: str, payload: RequestPayload, tenant: Tenant = NOBODY, where: str = "payload.") -> Turn:
        """The turn alone, without frames. Raises `TingDongError`; `where` starts the path of a fault."""
        page_id = page_of(tenant, payload.page_id)
        request = request_of(rid, payload, self._zone, page_id, where)
        return await self._understanding.turn(msgspec.structs.replace(request, tenant=tenant.name))

    async def forget(self, page_id: str, tenant: Tenant = NOBODY) -> bool:
        """Forgets a page of the tenant; False when there was none."""
        return await self._understanding.forget(page_of(tenant, page_id))


def _decoded(data: bytes, memory: Memory) -> RequestFrame | None:
    """The frame; of one whose home is the last one of its connection, only the rest is decoded."""
    last: LastHome | None = memory.get(_LAST)
    if last is None:
        last = memory[_LAST] = LastHome()
    short = last.shorten(data)
    if short is not None:
        try:
            frame = _REQUEST.decode(short.data)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            pass  # to be refused, with the reason, as it came
        else:
            if frame.topic == HOME_TOPIC and short.holds(frame.payload.home):
                payload = msgspec.structs.replace(frame.payload, home=msgspec.Raw(short.home))
                return msgspec.structs.replace(frame, payload=payload)
    found = decode_for(HOME_TOPIC, data, _REQUEST)
    if found is not None:
        last.keep(data, bytes(found.payload.home))
    return found


def _with_known_home(payload: RequestPayload, memory: Memory) -> RequestPayload:
    home_id = payload.home_id or ""
    known: dict[str, msgspec.Raw] = memory.setdefault(_NAMED, {})
    home = payload.home if bytes(payload.home) else known.pop(home_id, payload.home)
    if bytes(home):
        known[home_id] = home.copy()
        while len(known) > KNOWN_HOMES:
            del known[next(iter(known))]
    return msgspec.structs.replace(payload, home=home)


def request_of(rid: str, payload: RequestPayload, zone: tzinfo, page_id: str, where: str = "payload.") -> TurnRequest:
    """The use case's request; a `now` without an offset is in `zone`. Raises `BadFrame` for one that is no ISO 8601.

    A `home_id` counts within its page only: who does not know the page must not learn of a home by guessing its id.
    """
    return TurnRequest(
        rid=rid,
        page_id=page_id,
        question=payload.question,
        instruct=payload.instruct,
        home=bytes(payload.home),
        home_id=None if payload.home_id is None else f"{page_id}\n{payload.home_id}",
        local=payload.local or "",
        now=moment_of(payload.now, zone, f"{where}now") if payload.now else None,
    )


def record_of(ticket: Ticket, turn: Turn, *, seconds: float, tenant: Tenant = NOBODY) -> TurnRecord:
    """What logs and metrics are told of a turn."""
    decision = turn.decision
    reading = decision.reading if decision else None
    return TurnRecord(
        topic=ticket.topic,
        rid=ticket.rid,
        page_id=ticket.page_id,
        tenant=tenant.name,
        question=ticket.question,
        seconds=seconds,
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
