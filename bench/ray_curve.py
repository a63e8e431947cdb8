"""`python -m bench.ray_curve` (`make bench-ray`): the Ray Data transform of `docs/cli.md` with one worker and with two.

Lines a second by workers, beside the same function without Ray in this process. What starting a worker costs is
measured by a run of few lines and taken off. Writes reports/ray.json.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from bench.harness import labelled
from tingdong.batch import parse_batch
from tingdong.bridges.ray_data import ParseLines

REPORT = Path("reports/ray.json")
WORKERS = (1, 2)
LINES, FEW, BATCH = 4_800, 96, 48


def lines(count: int) -> list[str]:
    """Sentences as `tingdong parse --jsonl` takes them."""
    texts = [case["text"] for case in labelled("commands_train")]
    return [json.dumps({"id": at, "text": texts[at % len(texts)]}, ensure_ascii=False) for at in range(count)]


def alone() -> float:
    """Lines a second of this process, without Ray."""
    said = [line.encode() for line in lines(LINES // 4)]
    list(parse_batch(said[:FEW]))
    started = time.perf_counter()
    list(parse_batch(said))
    return len(said) / (time.perf_counter() - started)


def on_ray(ray: Any, workers: int) -> float:
    """Lines a second of so many workers."""

    def seconds(count: int) -> float:
        dataset = ray.data.from_items([{"text": line} for line in lines(count)]).materialize()
        started = time.perf_counter()
        answered = dataset.map_batches(ParseLines, concurrency=workers, batch_size=BATCH).count()
        if answered != count:
            raise ValueError(f"{count} lines, {answered} answers")
        return time.perf_counter() - started

    return float((LINES - FEW) / (seconds(LINES) - seconds(FEW)))


def main() -> int:
    """Measure, print, write."""
    try:
        import ray
    except ImportError:
        print("ray: passed over, the extra `ray` is not installed (make bench-ray brings it)")
        return 0
    by_itself = alone()
    ray.init(num_cpus=max(WORKERS), include_dashboard=False, log_to_driver=False, configure_logging=False)
    found = {workers: on_ray(ray, workers) for workers in WORKERS}
    ray.shutdown()
    print(f"without Ray {by_itself:,.0f} lines a second")
    for workers, speed in found.items():
        print(f"{workers} on Ray {speed:,.0f} lines a second, {speed / found[WORKERS[0]]:.2f} × one")
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps({"alone": by_itself, "workers": found}, indent=2), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
