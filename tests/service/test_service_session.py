"""The rules of one connection as properties, without a socket (architecture, law 5)."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.service.frames import decode_for
from tingdong.service.session import ConnectionLimits, Memory, Run, Send, Session, Ticket


class Frame(msgspec.Struct, frozen=True):
    topic: str
    rid: str
    page: str


class Echo:
    """A topic of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._decoder = msgspec.json.Decoder(Frame)

    def admit(self, text: str, memory: Memory) -> Ticket | None:
        frame = decode_for(self.name, text, self._decoder)
        return None if frame is None else Ticket(self.name, frame.rid, frame.page, "", frame)


def _session(**limits: int) -> Session:
    return Session([Echo("one"), Echo("two")], ConnectionLimits(**limits))


def _frame(rid: str, page: str, topic: str = "one") -> str:
    return msgspec.json.encode(Frame(topic, rid, page)).decode()


def _ret(event: Any) -> int:
    assert isinstance(event, Send)
    payload = msgspec.json.decode(event.text)["payload"]
    assert payload["finish"]
    return int(payload["data"]["ret"])


@given(st.one_of(st.text(), st.binary(), st.recursive(st.none() | st.text(), st.lists).map(msgspec.json.encode)))
def test_no_message_raises(message: str | bytes) -> None:
    """Whatever comes gets exactly one closing frame that refuses it."""
    (event,) = _session().receive(message)
    assert _ret(event) in (400, 404, 413)


def test_every_topic_of_the_table_is_served() -> None:
    """Topics share a connection; one that is not in the table is 404."""
    session = _session()
    for topic in ("one", "two"):
        (event,) = session.receive(_frame(f"r-{topic}", "p-" + topic, topic))
        assert isinstance(event, Run)
        assert event.ticket.topic == topic
    (event,) = session.receive(_frame("r", "p", "three"))
    assert _ret(event) == 404


def test_a_second_closing_frame_is_a_bug() -> None:
    """Nothing is sent for a request after its closing frame (service.md, Endpoint)."""
    session = _session()
    (run,) = session.receive(_frame("r", "p"))
    assert isinstance(run, Run)
    assert len(session.token(run.ticket, "token")) == 1
    assert session.token(run.ticket, "token") == []
    session.close(run.ticket, "closing")
    assert session.token(run.ticket, "token") == []
    with pytest.raises(KeyError):
        session.close(run.ticket, "closing")


def test_waiting_requests_are_dropped_when_the_client_disconnects() -> None:
    """Turns that have not started never start; those that run are closed as always."""
    session = _session()
    (run,) = session.receive(_frame("1", "p"))
    assert isinstance(run, Run)
    assert session.receive(_frame("2", "p")) == []
    session.drop_waiting()
    assert [type(event) for event in session.close(run.ticket, "closing")] == [Send]
    assert session.in_flight == 0


requests = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2)), max_size=24)


@given(requests, st.randoms(use_true_random=False), st.integers(1, 6))
def test_closing_frames_orders_and_limits(arrivals: list[tuple[int, int]], random: Any, in_flight: int) -> None:
    """Whatever arrives and ends in whatever order: pages keep their order, no page runs twice, no rid has two open
    answers, every frame is closed once or answered by the one it repeats, and the limit holds."""
    session = _session(in_flight=in_flight)
    running: list[Ticket] = []
    started: list[Ticket] = []
    closed: Counter[tuple[str, str]] = Counter()
    accepted: list[tuple[str, str]] = []
    refused = 0

    def take(events: list[Any]) -> None:
        for event in events:
            if isinstance(event, Run):
                running.append(event.ticket)
                started.append(event.ticket)
        assert len({ticket.page_id for ticket in running}) == len(running)
        assert len({ticket.rid for ticket in running}) == len(running)

    def finish() -> None:
        ticket = running.pop(random.randrange(len(running)))
        closed[ticket.page_id, ticket.rid] += 1
        take(session.close(ticket, "closing"))

    for rid, page in ((str(rid), str(page)) for rid, page in arrivals):
        before = session.in_flight
        events = session.receive(_frame(rid, page))
        if events and isinstance(events[0], Send):
            assert _ret(events[0]) == 429
            refused += 1
        elif session.in_flight > before:
            accepted.append((page, rid))
        take(events)
        assert session.in_flight <= in_flight
        if running and random.random() < 0.4:
            finish()
    while running:
        finish()
    assert session.in_flight == 0
    assert closed == Counter(accepted)
    for name in {ticket.page_id for ticket in started}:
        assert [t.rid for t in started if t.page_id == name] == [rid for page, rid in accepted if page == name]
