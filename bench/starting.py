"""How long it takes to start: `tingdong parse` with a sentence, and `tingdong serve` until it listens.

Wall time on a quiet machine is what a person waits; on a busy one it says how busy that is, so the processor's time
stands beside it.
"""

import compileall
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import tingdong
from bench.verdicts import Verdict

__all__ = ["verdicts"]

RUNS = 5
PARSE_S, SERVE_S = 0.25, 0.8
PARSE = [sys.executable, "-m", "tingdong", "parse", "打开卧室顶灯"]
SERVE = [sys.executable, "-m", "tingdong", "serve", "--port", "0"]


def verdicts() -> Iterator[Verdict]:
    """Medians of five runs, the files compiled and read once before."""
    compileall.compile_dir(Path(tingdong.__file__).parents[1], quiet=1)
    for name, start, limit in (("tingdong parse", _parse, PARSE_S), ("tingdong serve, ready", _serve, SERVE_S)):
        start()
        walls, processors = zip(*(_timed(start) for _ in range(RUNS)), strict=True)
        yield Verdict(f"{name}: waiting", statistics.median(walls), limit, "s")
        yield Verdict(f"{name}: processor", statistics.median(processors), unit="s")


def _timed(start: Callable[[], float]) -> tuple[float, float]:
    before = _children()
    waited = start()
    return waited, _children() - before


def _parse() -> float:
    started = time.perf_counter()
    subprocess.run(PARSE, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _serve() -> float:
    started = time.perf_counter()
    with subprocess.Popen(SERVE, stderr=subprocess.PIPE) as process:
        if process.stderr is None:
            raise OSError("no log")
        next(line for line in process.stderr if b'"listening"' in line)
        waited = time.perf_counter() - started
        process.kill()
    return waited


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
