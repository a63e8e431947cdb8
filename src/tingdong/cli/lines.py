"""JSON lines in, JSON lines out, in the same order; unreadable lines are counted and reported at the end.

Answers may go to a file. An interrupted run resumes after the last whole line of that file: answers are in input order,
so their number says how many lines are done.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from tingdong.batch import Answer, answer_each
from tingdong.errors import DataError

__all__ = ["HospitalLine", "Output", "RetrieveLine", "answer_in_parallel", "answer_lines", "opened_output"]

BATCH = 256
"""Lines a process takes at a time."""

AHEAD = 4
"""Batches read ahead for each process."""

_BEGINS = b'{"id":'
"""How every answer begins: a half line that does not is somebody else's."""

Batch = list[tuple[bytes, bool]]
Line = TypeVar("Line", bound=msgspec.Struct)


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


class _WrittenLine(msgspec.Struct):
    id: Any = None
    error: str | None = None


class Output:
    """Where answers go. `done` answers were there before; `unread` counts lines that could not be read, all in all."""

    def __init__(
        self, stream: BinaryIO, *, progress: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._progress = progress
        self._clock = clock
        self._started = self._told = clock()
        self._written = 0
        self.done: int = 0
        self.last: _WrittenLine | None = None
        self.unread: int = 0

    def write(self, answers: Iterable[tuple[bytes, bool]]) -> None:
        """Writes each answer at once."""
        for answer, answered in answers:
            self._stream.write(answer + b"\n")
            self._stream.flush()
            self._written += 1
            self.unread += not answered
            if self._progress and self._clock() - self._told >= 1.0:
                self.tell()

    def write_batch(self, answers: Batch) -> None:
        """Writes a batch at once; an interruption may leave part of it, of which the whole lines count."""
        self._stream.write(b"".join(answer + b"\n" for answer, _ in answers))
        self._stream.flush()
        self._written += len(answers)
        self.unread += sum(not answered for _, answered in answers)
        if self._progress and self._clock() - self._told >= 1.0:
            self.tell()

    def tell(self) -> None:
        """Writes one line of progress to standard error."""
        self._told = self._clock()
        speed = self._written / max(1e-9, self._told - self._started)
        before = f" ({self.done} from before)" if self.done else ""
        said = f"{self.done + self._written} lines{before}, {self.unread} not readable, {speed:.0f} lines/s"
        print(said, file=sys.stderr, flush=True)

    def found(self, stream: BinaryIO) -> int:
        """Counts the whole lines that a file holds already; the place behind the last of them."""
        end = 0
        decoder = msgspec.json.Decoder(_WrittenLine)
        for line in stream:
            if not line.endswith(b"\n"):
                if line[: len(_BEGINS)] != _BEGINS[: len(line)]:
                    raise DataError(f"line {self.done + 1} is not an answer of this command; not resumed")
                break
            try:
                self.last = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise DataError(f"line {self.done + 1} is not an answer of this command; not resumed") from None
            self.done += 1
            self.unread += self.last.error is not None
            end += len(line)
        return end


@contextmanager
def opened_output(path: Path | None = None, *, resume: bool = False, progress: bool = False) -> Iterator[Output]:
    """Standard output, or a file: a new one, or with `resume` one that an interrupted run left.

    Raises `DataError` for a file that exists and is not to be continued, or that holds something else.
    """
    if path is None:
        yield Output(sys.stdout.buffer, progress=progress)
        return
    if path.exists() and path.stat().st_size and not resume:
        raise DataError(f"{path} exists; --resume continues it")
    try:
        file = path.open("r+b" if path.exists() else "w+b")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    with file as stream:
        output = Output(stream, progress=progress)
        try:
            end = output.found(stream)
        except DataError as error:
            raise DataError(f"{path}: {error.message}") from None
        stream.seek(end)
        stream.truncate()
        yield output
        os.fsync(stream.fileno())


def answer_lines(kind: type[Line], answer: Callable[[Line], Answer], output: Output | None = None) -> bool:
    """Answer every line of standard input; False when a line could not be answered."""
    output = output or Output(sys.stdout.buffer)
    output.write(answer_each(_remaining(output), kind, answer))
    return not output.unread


def answer_in_parallel(work: Callable[[list[bytes]], Batch], jobs: int, output: Output | None = None) -> bool:
    """Like `answer_lines`, in `jobs` processes and the same order; `work` answers a batch and must be importable.

    Only a bounded number of batches is read ahead, so that input of any length fits. Raises `DataError` when a process
    dies (what it had answered is written).
    """
    output = output or Output(sys.stdout.buffer)
    waiting: deque[Future[Batch]] = deque()
    lines = _remaining(output)
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            for batch in iter(lambda: list(islice(lines, BATCH)), []):
                waiting.append(pool.submit(work, batch))
                if len(waiting) >= jobs * AHEAD:
                    output.write_batch(waiting.popleft().result())
            while waiting:
                output.write_batch(waiting.popleft().result())
        except BrokenProcessPool:
            raise DataError("a process of --jobs died; the answers so far are written") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return not output.unread


def _remaining(output: Output) -> Iterator[bytes]:
    """The lines of standard input behind those that are answered. Raises `DataError` when the input is another one."""
    lines = iter(sys.stdin.buffer)
    line, passed = b"", 0
    while passed < output.done:
        line = next(lines, b"")
        if not line:
            raise DataError(f"the input has fewer lines than the {output.done} already answered: is it another file?")
        passed += bool(line.strip())
    if output.last is not None and output.last.error is None:
        try:
            id_ = msgspec.json.decode(line, type=_WrittenLine).id
        except (msgspec.DecodeError, UnicodeDecodeError):
            id_ = _WrittenLine  # no answer of ours has it
        if id_ != output.last.id:
            raise DataError(f"line {output.done} of the input is not the one answered: is it another file?")
    return lines
