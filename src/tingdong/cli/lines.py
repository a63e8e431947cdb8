"""JSON lines in, JSON lines out, in the same order.

A line that cannot be read is answered `{"id": …, "error": "…"}` (`id` null when it has none) and the rest goes on;
whoever calls learns of it at the end.
"""

import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

import msgspec

from tingdong.errors import TingDongError

__all__ = [
    "Answer",
    "HospitalLine",
    "ParseLine",
    "RetrieveLine",
    "answer_each",
    "answer_in_parallel",
    "answer_lines",
]

BATCH = 256
"""Lines a process takes at a time."""

AHEAD = 4
"""Batches read ahead for each process."""

Answer = dict[str, Any]
Line = TypeVar("Line", bound=msgspec.Struct)


class ParseLine(msgspec.Struct):
    """A line of `tingdong parse --jsonl`; unknown fields are ignored, here and below."""

    text: str
    id: Any = None


class RetrieveLine(msgspec.Struct):
    """A line of `tingdong retrieve --jsonl`: `before` are earlier utterances of the same conversation."""

    text: str
    id: Any = None
    location: str | None = None
    before: tuple[str, ...] = ()


class HospitalLine(msgspec.Struct):
    """A line of `tingdong route --jsonl`: a dialogue, whose dates are read against `now` (ISO 8601)."""

    turns: list[dict[str, Any]]
    id: Any = None
    now: str | None = None


def answer_lines(kind: type[Line], answer: Callable[[Line], Answer]) -> bool:
    """Answer every line of standard input; False when a line could not be answered."""
    return write_all(answer_each(sys.stdin.buffer, kind, answer))


def answer_each(
    lines: Iterable[bytes], kind: type[Line], answer: Callable[[Line], Answer]
) -> Iterator[tuple[bytes, bool]]:
    """The answer to each line that is not blank, as JSON, and whether the line could be answered."""
    decoder = msgspec.json.Decoder(kind)
    for raw in lines:
        if not raw.strip():
            continue
        try:
            yield msgspec.json.encode(answer(decoder.decode(raw))), True
        except (msgspec.DecodeError, UnicodeDecodeError, TingDongError) as error:
            yield _failure(raw, str(error)), False
        except Exception as error:  # noqa: BLE001  a fault of ours in one line must not cost the others
            traceback.print_exc(file=sys.stderr)
            yield _failure(raw, f"internal: {type(error).__name__}"), False


def write_all(answers: Iterable[tuple[bytes, bool]]) -> bool:
    """Write each answer as soon as it is known; False when a line could not be answered."""
    good = True
    for answer, answered in answers:
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()
        good = good and answered
    return good


def answer_in_parallel(work: Callable[[list[bytes]], list[tuple[bytes, bool]]], jobs: int) -> bool:
    """Like `answer_lines`, in `jobs` processes and the same order; `work` answers a batch and must be importable.

    Only a bounded number of batches is read ahead, so that input of any length fits.
    """
    waiting: deque[Future[list[tuple[bytes, bool]]]] = deque()
    good = True
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for batch in iter(lambda: list(islice(sys.stdin.buffer, BATCH)), []):
            waiting.append(pool.submit(work, batch))
            if len(waiting) >= jobs * AHEAD:
                good = write_all(waiting.popleft().result()) and good
        while waiting:
            good = write_all(waiting.popleft().result()) and good
    return good


def _failure(raw: bytes, error: str) -> bytes:
    return msgspec.json.encode({"id": _id_of(raw), "error": error})


def _id_of(raw: bytes) -> Any:
    """The `id` of a line that could not be answered, None when it has none."""
    try:
        value = msgspec.json.decode(raw.decode(errors="replace"))
    except msgspec.DecodeError:
        return None
    return value.get("id") if isinstance(value, dict) else None
