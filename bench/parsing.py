"""Speed of the embedded parser: on the open set, by sentence length, and of its start-up."""

import compileall
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import tingdong
from bench.harness import Figure, frame, labelled, measure
from tingdong.commands import LocalParser

__all__ = ["figures", "lengths", "startup"]

LENGTHS = (10, 20, 50, 100, 200, 500, 1000, 2000)


def figures() -> Iterator[Figure]:
    """One sentence of the open set, against the frame that holds the home of 120 devices."""
    sentences = [case["text"] for case in labelled("commands_dev")]
    others = [case["text"] for case in labelled("commands_train")[::10]]
    yield measure(
        "parser, open set",
        lambda: LocalParser().read,
        sentences,
        baseline=frame("villa120"),
        warm=others,
        limits=(0.8, 4.0),
    )


def lengths() -> list[tuple[int, float]]:
    """(characters, microseconds) of open-set sentences joined up to 2,000 characters; the time grows linearly."""
    text = "，".join(case["text"] for case in labelled("commands_dev"))
    points = []
    for length in LENGTHS:
        sentences = [text[start : start + length] for start in range(0, 400, 40)]
        read = LocalParser().read
        read(sentences[0])
        times = []
        for sentence in sentences:
            start = time.thread_time_ns()
            read(sentence)
            times.append((time.thread_time_ns() - start) / 1000)
        points.append((length, statistics.median(times)))
    return points


def startup() -> float:
    """CPU milliseconds that importing and loading the parser adds to a bare interpreter; median of five.

    The package is compiled first, as it is where it is installed: an edited module would be compiled at every start
    where PYTHONDONTWRITEBYTECODE is set.
    """
    compileall.compile_dir(Path(tingdong.__file__).parents[1], quiet=1)
    code = "from tingdong.commands import LocalParser; LocalParser().read('打开卧室顶灯')"
    return 1000 * statistics.median(_run(code) - _run("pass") for _ in range(5))


def _run(code: str) -> float:
    before = _children()
    subprocess.run([sys.executable, "-c", code], check=True)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
