"""A seeded mutator of valid frames against a connection: nothing raises, every frame is accounted for (law 5)."""

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec

from tingdong.service.handlers import HomeHandler
from tingdong.service.session import Limits, Run, Send, Session

ROUNDS = 20_000
JUNK: list[Any] = [None, True, -1, 1e308, "", "\u0000", "灯" * 300, [], {}, [[]], "\U0001f600", "llm/smarthome", 2**70]


def _valid(rng: random.Random) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "page_id": f"p{rng.randrange(4)}",
        "question": rng.choice(["关灯", "", "打开风扇", '"]}\n---']),
        "instruct": rng.random() < 0.5,
        "home": {"layout": [], "model": {}, "devices": []},
    }
    optional = {"local": "客厅", "home_id": "h", "now": "2026-11-23T21:30:00+08:00", "did": 1}
    payload.update({key: value for key, value in optional.items() if rng.random() < 0.3})
    return {"topic": "llm/smarthome", "rid": f"r{rng.randrange(6)}", "payload": payload}


def _junk_in(frame: dict[str, Any], rng: random.Random) -> str:
    inner = rng.choice([frame, frame["payload"]])
    inner[rng.choice([*inner, "x"])] = rng.choice(JUNK)
    return json.dumps(frame, ensure_ascii=rng.random() < 0.5)


def _key_gone(frame: dict[str, Any], rng: random.Random) -> str:
    inner = rng.choice([frame, frame["payload"]])
    inner.pop(rng.choice(list(inner)))
    return json.dumps(frame)


def _cut(frame: dict[str, Any], rng: random.Random) -> str:
    text = json.dumps(frame)
    return text[: rng.randrange(len(text))]


def _flipped(frame: dict[str, Any], rng: random.Random) -> bytes:
    data = bytearray(json.dumps(frame, ensure_ascii=False).encode())
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _spliced(frame: dict[str, Any], rng: random.Random) -> str:
    text, other = json.dumps(frame), json.dumps(_valid(rng))
    return text[: rng.randrange(len(text))] + other[rng.randrange(len(other)) :]


def _deep(frame: dict[str, Any], rng: random.Random) -> str:
    depth = rng.choice([10, 500, 5_000])
    return json.dumps(frame).replace("[]", "[" * depth + "]" * depth, 1)


MUTATIONS: list[Callable[[dict[str, Any], random.Random], str | bytes]] = [
    lambda frame, rng: json.dumps(frame),
    _junk_in,
    _key_gone,
    _cut,
    _flipped,
    _spliced,
    _deep,
]


class _Nobody:
    """The handler admits only; nothing is served here."""


def test_mutated_frames_never_raise() -> None:
    """Of 20,000 mutated frames each is refused at once, started, queued, or repeats one that is open."""
    rng = random.Random(20261123)
    handler = HomeHandler(_Nobody())  # type: ignore[arg-type]
    session = Session([handler], Limits(in_flight=8))
    running: list[Any] = []
    outcomes = {"refused": 0, "started": 0, "silent": 0}
    for _ in range(ROUNDS):
        events = session.receive(rng.choice(MUTATIONS)(_valid(rng), rng))
        assert len(events) <= 1
        for event in events:
            if isinstance(event, Send):
                payload = msgspec.json.decode(event.text)["payload"]
                assert payload["finish"]
                assert payload["data"]["ret"] == event.ret in (400, 404, 413, 429)
                assert payload["data"]["message"]
                outcomes["refused"] += 1
            else:
                running.append(event.ticket)
                outcomes["started"] += 1
        outcomes["silent"] += not events
        while running and rng.random() < 0.5:
            ticket = running.pop(rng.randrange(len(running)))
            running += [event.ticket for event in session.close(ticket, "{}") if isinstance(event, Run)]
        assert len({ticket.page_id for ticket in running}) == len(running)
    assert min(outcomes.values()) > 500, outcomes
