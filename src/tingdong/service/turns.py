"""What every turn and every sentence over HTTP has in common: time limit, telemetry, faults (service.md).

Rules of pages (order, retries, compare-and-set) are in `tingdong.pages`, rules of connections in `session`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from tingdong.errors import BackendTimeout, ClientError, TingDongError
from tingdong.home.document import Warned
from tingdong.service.access import Tenant
from tingdong.service.frames import Active, Fault, FinalData, encode_final, fault_of
from tingdong.service.session import Ticket, Topic
from tingdong.service.telemetry import Telemetry, TurnRecord

__all__ = ["Answered", "DeskTopic", "Emit", "Refused", "TurnService"]

A = TypeVar("A")

Emit = Callable[[str], Awaitable[None]]
"""Hands a token frame to the connection."""


class Answered(msgspec.Struct, frozen=True):
    """The answer of a desk to a ticket, and its record for logs and metrics."""

    active: Active
    record: TurnRecord
    explain: msgspec.Struct | msgspec.UnsetType = msgspec.UNSET
    warnings: Sequence[Warned] = ()

    def data(self, ticket: Ticket) -> FinalData:
        """`data` of the closing frame."""
        warnings = self.warnings or msgspec.UNSET
        return FinalData(0, ticket.page_id, ticket.question, self.active, self.explain, warnings)

    def closing(self, ticket: Ticket) -> str:
        """The closing frame (service.md, Closing frame)."""
        return encode_final(ticket.topic, ticket.rid, self.data(ticket))


class Refused(Exception):
    """A turn that was not served; it is logged and counted already. `fault` is for the client."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _Asked(msgspec.Struct, frozen=True):
    """A sentence that belongs to no page."""

    topic: str
    question: str
    page_id: str = ""


class DeskTopic(Topic, Protocol):
    """A topic that can be served."""

    def is_short(self, ticket: Ticket) -> bool:
        """Whether the turn waits for nothing outside this process and takes no longer than others may wait for it."""
        ...

    async def handle(self, ticket: Ticket, emit: Emit, tenant: Tenant) -> Answered:
        """Serves a tenant's ticket. `emit` may be called with the token frame. Raises a `TingDongError`."""
        ...


class TurnService:
    """Serves the turns of all desks, and sentences without a page. None takes longer than `seconds`."""

    def __init__(self, telemetry: Telemetry, seconds: float = 30.0) -> None:
        self.telemetry = telemetry
        self.seconds = seconds

    async def serve(self, desk: DeskTopic, ticket: Ticket, tenant: Tenant, emit: Emit | None = None) -> Answered:
        """One turn. Raises `Refused`."""
        work = desk.handle(ticket, emit or _nobody, tenant)
        return await self._watched(ticket, work, lambda one: one.record)

    async def ask(self, topic: str, text: str, work: Awaitable[A], told: Callable[[A], TurnRecord]) -> A:
        """What `work` makes of a sentence that belongs to no page; `told` is what is kept of it. Raises `Refused`."""
        return await self._watched(_Asked(topic, text), work, told)

    async def _watched(self, asked: "Ticket | _Asked", work: Awaitable[A], told: Callable[[A], TurnRecord]) -> A:
        telemetry, started = self.telemetry, time.perf_counter()
        telemetry.metrics.in_flight.inc()
        try:
            with telemetry.span("turn", topic=asked.topic):
                async with asyncio.timeout(self.seconds):
                    answered = await work
                record = msgspec.structs.replace(told(answered), seconds=time.perf_counter() - started)
                telemetry.trace_turn(record)
        except TimeoutError:
            raise self._refused(asked, BackendTimeout("turn took too long")) from None
        except Exception as error:  # noqa: BLE001 - a bug of ours is this turn's 500, not the connection's end
            raise self._refused(asked, error) from None
        finally:
            telemetry.metrics.in_flight.dec()
        telemetry.served(record)
        return answered

    def _refused(self, asked: "Ticket | _Asked", error: Exception) -> Refused:
        if not isinstance(error, ClientError):
            self.telemetry.fault(error.code if isinstance(error, TingDongError) else "internal", error)
        fault = fault_of(error, page_id=asked.page_id, question=asked.question)
        self.telemetry.refused(asked.topic, fault.ret)
        return Refused(fault)


async def _nobody(_text: Any) -> None:
    """Drops token frames: HTTP has none."""
