"""Measuring: the CPU time of a call as a multiple of `json.loads` of a named request frame, taken in the same run.

A machine's speed cancels out of such a ratio, and what else it runs is not in our CPU time. Baseline and subject take
turns, so that a slow spell of the machine meets both. Each input's time is its median over the rounds; the distribution
is over the inputs. A subject is made afresh for every round and warmed with other inputs: tables made at first use are
not counted, and what an instance remembers of a sentence never flatters the next round.
"""

import gc
import json
import math
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

__all__ = ["CORPUS", "Baseline", "Figure", "frame", "labelled", "measure", "percentile"]

CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
ROUNDS = 5

Input = TypeVar("Input")


class Baseline(msgspec.Struct, frozen=True):
    """What a figure is a multiple of: a compact request frame holding the named home, read by `json.loads`."""

    name: str
    text: str


class Figure(msgspec.Struct, frozen=True):
    """One measured subject: median and p99 in microseconds, and as multiples of the baseline's median."""

    name: str
    baseline: str
    inputs: int
    median_us: float
    p99_us: float
    baseline_us: float
    limit_median: float | None = None
    limit_p99: float | None = None

    @property
    def ratio(self) -> float:
        return self.median_us / self.baseline_us

    @property
    def ratio_p99(self) -> float:
        return self.p99_us / self.baseline_us

    @property
    def kept(self) -> bool:
        """Whether the figure keeps its limits (multiples of the baseline)."""
        median = self.limit_median is None or self.ratio <= self.limit_median
        return median and (self.limit_p99 is None or self.ratio_p99 <= self.limit_p99)


def labelled(name: str) -> list[dict[str, Any]]:
    """The cases of an open set by its file name without ending."""
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def home(name: str) -> dict[str, Any]:
    """A home object of the corpus."""
    found: dict[str, Any] = json.loads((CORPUS / "homes" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def frame(home_name: str, question: str = "小牛，关所有房间的灯") -> Baseline:
    """The compact request frame (service.md, Request frame) that holds the named home."""
    payload = {"page_id": "page-1", "question": question, "local": "客厅", "instruct": True, "home": home(home_name)}
    text = {"topic": "llm/smarthome", "rid": "f6668d01-1e2a-42ce-bea6-2a4f57237679", "payload": payload}
    return Baseline(home_name, json.dumps(text, ensure_ascii=False, separators=(",", ":")))


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; `share` in 0..1."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def measure(
    name: str,
    make: Callable[[], Callable[[Input], object]],
    inputs: Sequence[Input],
    *,
    baseline: Baseline,
    warm: Sequence[Input] = (),
    limits: tuple[float | None, float | None] = (None, None),
) -> Figure:
    """Time `make()(item)` for every input beside the baseline; `limits` are for median and p99.

    `warm` are inputs of the same kind that come first and are not timed.
    """
    times: list[list[int]] = [[] for _ in inputs]
    base: list[int] = []
    clock = time.thread_time_ns
    for _ in range(ROUNDS):
        subject = make()
        for item in warm or inputs[:1]:
            subject(item)
        gc.collect()
        for index, item in enumerate(inputs):
            start = clock()
            subject(item)
            times[index].append(clock() - start)
            if index % 8 == 0:
                start = clock()
                json.loads(baseline.text)
                base.append(clock() - start)
    medians = [statistics.median(found) / 1000 for found in times]
    return Figure(
        name=name,
        baseline=baseline.name,
        inputs=len(inputs),
        median_us=statistics.median(medians),
        p99_us=percentile(medians, 0.99),
        baseline_us=statistics.median(base) / 1000,
        limit_median=limits[0],
        limit_p99=limits[1],
    )
