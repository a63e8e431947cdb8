"""Rules of one connection, without a socket: text in, actions out (service.md, Endpoint; architecture, law 5).

* A frame that cannot be served gets one closing frame with `ret` ≠ 0 and affects nothing else.
* A request gets at most one token frame, then exactly one closing frame.
* Requests of one page are served in order; pages do not wait for each other.
* Above the rate of `gate`, messages are refused with 429, whatever they contain.
* A frame that repeats a pending request is answered by that request's frames; one that repeats an answered request is
  served again, and the page returns the stored answer.

The shell passes messages to `receive`, executes the events, and reports each ticket's result by `token`, `close` or
`fail`.
"""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from tingdong.errors import ClientError, FrameTooLarge, TooMany, UnknownTopic
from tingdong.service.frames import Fault, encode_failure, fault_of, peek_rid, topic_of

__all__ = ["ConnectionLimits", "Event", "Memory", "Run", "Send", "Session", "Ticket", "Topic"]


class ConnectionLimits(msgspec.Struct, frozen=True):
    """What one connection may ask for; `frame_bytes` of UTF-8, `in_flight` requests at once."""

    frame_bytes: int = 262_144
    in_flight: int = 16


class Ticket(msgspec.Struct, frozen=True, eq=False):
    """An admitted request. `page_id` orders it; `request` is the frame type of its topic."""

    topic: str
    rid: str
    page_id: str
    question: str
    request: Any


class Send(msgspec.Struct, frozen=True):
    """Send this text now. `ret` ≠ 0 marks a closing frame that refuses."""

    text: str
    topic: str
    rid: str
    ret: int = 0


class Run(msgspec.Struct, frozen=True):
    """Start serving this ticket now; others may be running."""

    ticket: Ticket


Event = Send | Run
Memory = dict[str, Any]


class Topic(Protocol):
    """A topic as the connection sees it: how its frames become tickets."""

    @property
    def name(self) -> str:
        """The `topic` of its frames."""
        ...

    def admit(self, data: bytes, memory: Memory) -> Ticket | None:
        """A ticket for a frame of this topic (UTF-8); None when the frame names another one. Raises `ClientError`.

        `memory` is this connection's own, for what a client need not send twice.
        """
        ...


class Session:
    """State of one connection. Not thread-safe; knows no socket, no clock, no task."""

    def __init__(
        self, topics: Iterable[Topic], limits: ConnectionLimits, gate: Callable[[], bool] | None = None
    ) -> None:
        self._topics = tuple(topics)
        self._limits = limits
        self._gate = gate
        self._memory: Memory = {}
        self._active: dict[Ticket, bool] = {}  # ticket → its token frame was sent
        self._waiting: list[Ticket] = []

    @property
    def in_flight(self) -> int:
        """Requests admitted and not closed."""
        return len(self._active) + len(self._waiting)

    def receive(self, message: str | bytes) -> list[Event]:
        """Takes one WebSocket message. Never raises for anything a client sends."""
        data = message if isinstance(message, bytes) else message.encode("utf-8", errors="replace")
        try:
            if self._gate is not None and not self._gate():
                raise TooMany("请求太频繁，请稍后再试")
            if (size := len(data)) > self._limits.frame_bytes:
                raise FrameTooLarge(f"数据帧有 {size} 字节，最多 {self._limits.frame_bytes} 字节")
            ticket = self._admit(data)
        except ClientError as error:
            topic, rid = self._topics[0].name, peek_rid(data)
            return [Send(encode_failure(topic, rid, fault_of(error)), topic, rid, error.ret)]
        return self._enqueue(ticket)

    def token(self, ticket: Ticket, text: str) -> list[Event]:
        """Sends the ticket's summary frame; only the first one."""
        if self._active.get(ticket, True):
            return []
        self._active[ticket] = True
        return [Send(text, ticket.topic, ticket.rid)]

    def close(self, ticket: Ticket, text: str) -> list[Event]:
        """Sends the ticket's closing frame and starts tickets that waited for this one."""
        return self._closed(ticket, Send(text, ticket.topic, ticket.rid))

    def fail(self, ticket: Ticket, fault: Fault) -> list[Event]:
        """Refuses a ticket that could not be served."""
        return self._closed(ticket, _refused(ticket, fault))

    def drop_waiting(self) -> None:
        """The client disconnected: waiting tickets are dropped; running ones continue, so that the page stores them."""
        self._waiting.clear()

    def _admit(self, data: bytes) -> Ticket:
        for topic in self._topics:
            if (ticket := topic.admit(data, self._memory)) is not None:
                return ticket
        raise UnknownTopic(f"不支持的 topic：{topic_of(data)[:64]}", path="topic")

    def _enqueue(self, ticket: Ticket) -> list[Event]:
        if not self._active:  # as nearly always
            self._active[ticket] = False
            return [Run(ticket)]
        in_flight = [*self._active, *self._waiting]
        if any(_same(ticket, other) for other in in_flight):
            return []
        if len(in_flight) >= self._limits.in_flight:
            return [_refusal(ticket, TooMany(f"同时处理的请求不能超过 {self._limits.in_flight} 个"))]
        if any(_conflict(ticket, other) for other in in_flight):
            self._waiting.append(ticket)
            return []
        self._active[ticket] = False
        return [Run(ticket)]

    def _closed(self, ticket: Ticket, send: Send) -> list[Event]:
        del self._active[ticket]  # a second closing frame is a programming error and raises
        events: list[Event] = [send]
        if not self._waiting:
            return events
        still: list[Ticket] = []
        for waiting in self._waiting:
            if any(_conflict(waiting, other) for other in (*self._active, *still)):
                still.append(waiting)
            else:
                self._active[waiting] = False
                events.append(Run(waiting))
        self._waiting = still
        return events


def _refusal(ticket: Ticket, error: BaseException) -> Send:
    return _refused(ticket, fault_of(error, page_id=ticket.page_id, question=ticket.question))


def _refused(ticket: Ticket, fault: Fault) -> Send:
    return Send(encode_failure(ticket.topic, ticket.rid, fault), ticket.topic, ticket.rid, fault.ret)


def _same(one: Ticket, other: Ticket) -> bool:
    return (one.rid, one.page_id, one.question) == (
        other.rid,
        other.page_id,
        other.question,
    ) and one.topic == other.topic


def _conflict(one: Ticket, other: Ticket) -> bool:
    """One page is one dialogue, and one rid must not have two open answers."""
    return one.page_id == other.page_id or one.rid == other.rid
