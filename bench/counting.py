"""`python -m bench.counting`: what counting a turn costs, by our plain numbers and by prometheus-client's own.

The same dozen changes that a turn makes (service/telemetry.py), in processor time, as a share of the median turn of the
same run. This is why the numbers are ours and only their collecting and rendering is the library's
(service/metrics.py). Prints both; 1 when the library's would cost less than twice ours.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Callable

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from bench.harness import home, labelled
from bench.verdicts import Verdict, conclude
from tingdong.home_turn import TurnRequest, Understander
from tingdong.service.metrics import Metrics
from tingdong.stores import MemoryPageStore

__all__ = ["main"]

TURNS, ROUNDS = 2_000, 5
STAGES = ("page", "home", "read", "step", "commit")


def plain() -> Callable[[], None]:
    """A turn counted by our own numbers."""
    of = Metrics()

    def count() -> None:
        of.in_flight.inc()
        of.in_flight.dec()
        of.closing_frames.of("llm/smarthome", "0").inc()
        of.turn_seconds.observe(0.001, "llm/smarthome")
        of.turns.of("llm/smarthome", "instruct").inc()
        of.readings.of("local", "accept").inc()
        of.candidates.observe(3)
        of.instructs.inc(3)
        for stage in STAGES:
            of.stage_seconds.observe(0.0002, stage)
        for operation in ("get", "put"):
            of.store_seconds.observe(0.00002, operation)

    return count


def library() -> Callable[[], None]:
    """The same by the objects of prometheus-client."""
    on = CollectorRegistry()
    in_flight = Gauge("in_flight", "", registry=on)
    closing, turns = (Counter(name, "", ["topic", "kind"], registry=on) for name in ("closing", "turns"))
    readings, instructs = (
        Counter("readings", "", ["tier", "verdict"], registry=on),
        Counter("instructs", "", registry=on),
    )
    turn_seconds, stages, store = (Histogram(name, "", ["of"], registry=on) for name in ("turn", "stage", "store"))
    candidates = Histogram("candidates", "", registry=on)

    def count() -> None:
        in_flight.inc()
        in_flight.dec()
        closing.labels("llm/smarthome", "0").inc()
        turn_seconds.labels("llm/smarthome").observe(0.001)
        turns.labels("llm/smarthome", "instruct").inc()
        readings.labels("local", "accept").inc()
        candidates.observe(3)
        instructs.inc(3)
        for stage in STAGES:
            stages.labels(stage).observe(0.0002)
        for operation in ("get", "put"):
            store.labels(operation).observe(0.00002)

    return count


def seconds_of(count: Callable[[], None]) -> float:
    """Processor seconds of one turn's counting: the least of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(TURNS):
            count()
        rounds.append((time.process_time() - started) / TURNS)
    return min(rounds)


def turn_seconds() -> float:
    """Processor seconds of a median turn at home, each sentence for the second time (it is remembered by then)."""
    loop, understander = asyncio.new_event_loop(), Understander(MemoryPageStore())
    raw = msgspec.json.encode(home("sample8"))
    questions = [case["turns"][0]["question"] for case in labelled("service_dev") if case["home"] == "sample8"][:60]
    times: list[float] = []
    for number, question in enumerate(questions * 2):
        request = TurnRequest("r", str(number), question, home=raw, local="客厅")
        started = time.process_time()
        loop.run_until_complete(understander.turn(request))
        times.append(time.process_time() - started)
    return statistics.median(times[len(questions) :])


def main() -> int:
    """Both, and the turn."""
    turn, ours, theirs = turn_seconds(), seconds_of(plain()), seconds_of(library())
    shown = f"counted by us {ours * 1e6:.1f} µs, by prometheus-client {theirs * 1e6:.1f} µs"
    print(f"a median turn {turn * 1e6:.0f} µs; {shown}")
    return conclude(
        [
            Verdict("counting a turn, ours", 100 * ours / turn, unit="% of a turn"),
            Verdict("counting a turn, prometheus-client's", 100 * theirs / turn, unit="% of a turn"),
            Verdict("ours as a share of the library's", ours / theirs, 0.5, ""),
        ],
        "counting",
    )


if __name__ == "__main__":
    sys.exit(main())
