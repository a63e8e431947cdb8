"""A seeded mutator of valid frames against a connection: nothing raises, every frame is accounted for (law 5)."""

import json
import random
import sys
import time
from collections.abc import Callable
from datetime import UTC
from typing import Any

import msgspec

from tingdong.service.handlers import HomeHandler
from tingdong.service.hospital import HospitalHandler
from tingdong.service.session import ConnectionLimits, Run, Send, Session

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
    topic = rng.choice(["llm/smarthome", "llm/smarthome", "llm/hospital"])
    return {"topic": topic, "rid": f"r{rng.randrange(6)}", "payload": payload}


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
    """The handlers admit only; nothing is served here."""


class Fuzz:
    """Feeds mutated frames to one connection that knows both topics, and closes what it started, in any order."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        nobody: Any = _Nobody()
        self._topics = [HomeHandler(nobody), HospitalHandler(nobody, question_chars=1_000, zone=UTC)]
        self._session = Session(self._topics, ConnectionLimits(in_flight=8))
        self._running: list[Any] = []
        self.outcomes = {"refused": 0, "started": 0, "silent": 0}

    def step(self) -> None:
        """One frame: refused at once, started, queued, or a repetition of one that is open."""
        rng = self._rng
        events = self._session.receive(rng.choice(MUTATIONS)(_valid(rng), rng))
        assert len(events) <= 1
        for event in events:
            if isinstance(event, Send):
                payload = msgspec.json.decode(event.text)["payload"]
                assert payload["finish"]
                assert payload["data"]["ret"] == event.ret in (400, 404, 413, 429)
                assert payload["data"]["message"]
                self.outcomes["refused"] += 1
            else:
                self._running.append(event.ticket)
                self.outcomes["started"] += 1
        self.outcomes["silent"] += not events
        while self._running and rng.random() < 0.5:
            ticket = self._running.pop(rng.randrange(len(self._running)))
            closed = self._session.close(ticket, "{}")
            self._running += [event.ticket for event in closed if isinstance(event, Run)]
        assert len({ticket.page_id for ticket in self._running}) == len(self._running)


def test_mutated_frames_never_raise() -> None:
    """Of 20,000 mutated frames each is refused, started, queued, or repeats one that is open; nothing raises."""
    fuzz = Fuzz(20261123)
    for _ in range(ROUNDS):
        fuzz.step()
    assert min(fuzz.outcomes.values()) > 500, fuzz.outcomes


def main() -> None:
    """`make fuzz`: as many frames as the argument says, a new seed unless one is given; a connection every 10,000."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    print(f"seed {seed}", flush=True)
    slowest, totals, started = 0.0, dict.fromkeys(("refused", "started", "silent"), 0), time.perf_counter()
    for done in range(0, rounds, 10_000):
        fuzz = Fuzz(seed + done)
        for _ in range(min(10_000, rounds - done)):
            before = time.thread_time()  # what else the machine does is no hang of ours
            fuzz.step()
            slowest = max(slowest, time.thread_time() - before)
        totals = {name: totals[name] + count for name, count in fuzz.outcomes.items()}
        if done % 100_000 == 0:
            print(
                f"{done:>9,} frames, {time.perf_counter() - started:.0f} s, slowest {slowest * 1e3:.1f} ms", flush=True
            )
    print(f"{rounds:,} frames without an exception: {totals}; slowest {slowest * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
