"""Observability: JSON logs, Prometheus metrics, OpenTelemetry spans of every turn.

Utterances and device names are private: without `utterances` a log line has only lengths and codes, and a page is named
by a digest of its id, since anyone who knows a page id can continue that dialogue. Log lines that cannot be written
(disk full, pipe closed) are counted and affect no turn.
"""

import hashlib
import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partialmethod
from pathlib import PurePath
from typing import Any, BinaryIO

import msgspec
from opentelemetry import trace

from tingdong.service.metrics import Metrics, Series

__all__ = ["LEVELS", "LibraryLog", "Telemetry", "TurnRecord"]

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class TurnRecord(msgspec.Struct, frozen=True):
    """One request that was answered. `seconds` and `stages` are wall time; codes are stable labels.

    `page_id` is empty where it belongs to no page.
    `candidates` is how many devices its commands resolved to, None where nothing was looked for; `unknown` marks a
    sentence that made no command.
    """

    topic: str
    rid: str
    page_id: str
    question: str
    seconds: float = 0.0
    ret: int = 0
    kind: str = ""
    tenant: str = ""
    tier: str = ""
    verdict: str = ""
    unknown: bool = False
    candidates: int | None = None
    reason: str = ""
    instructs: int = 0
    repeated: bool = False
    stages: Mapping[str, float] = {}


class _TurnLine(msgspec.Struct, frozen=True):
    """The log line of a turn. It is written for every turn, so it is encoded at once."""

    topic: str
    page: str | msgspec.UnsetType
    ret: int
    kind: str
    tier: str
    reason: str
    instructs: int
    ms: float
    tenant: str | msgspec.UnsetType
    rid: str | msgspec.UnsetType
    question: str | msgspec.UnsetType
    question_chars: int | msgspec.UnsetType
    event: str
    level: str
    timestamp: datetime


class JsonLog:
    """One JSON object a line, from a level up; a line that cannot be written is counted as lost."""

    def __init__(self, stream: BinaryIO, level: str, lost: Series) -> None:
        self._stream = stream
        self._least = LEVELS[level]
        self._lost = lost

    def write(self, line: bytes) -> None:
        """Writes one line and its end; what cannot be written is counted as lost."""
        try:
            self._stream.write(line + b"\n")
            self._stream.flush()
        except (OSError, ValueError):  # ValueError: the stream is closed
            self._lost.inc()

    def _tell(self, level: str, event: str, **told: Any) -> None:
        if LEVELS[level] >= self._least:
            self.write(_encode({**told, "event": event, "level": level, "timestamp": datetime.now(UTC)}))

    info = partialmethod(_tell, "info")
    warning = partialmethod(_tell, "warning")
    error = partialmethod(_tell, "error")


class Telemetry:
    """One process's metrics, log and tracer; `tracers` is the process's own unless given."""

    def __init__(
        self,
        *,
        level: str = "info",
        utterances: bool = False,
        model_output: bool = False,
        stream: BinaryIO | None = None,
        tracers: trace.TracerProvider | None = None,
    ) -> None:
        self.metrics: Metrics = Metrics()
        self.utterances = utterances
        self.model_output = model_output
        self._tells_turns = LEVELS[level] <= LEVELS["info"]
        self.log: JsonLog = JsonLog(stream or sys.stderr.buffer, level, self.metrics.log_lines_lost)
        provider = tracers or trace.get_tracer_provider()
        self._tracer = provider.get_tracer("tingdong")
        # Without an SDK every span is thrown away, so none is made.
        self.traced: bool = not isinstance(provider, trace.ProxyTracerProvider)

    def served(self, record: TurnRecord) -> None:
        """A request got its closing frame."""
        metrics = self.metrics
        metrics.closing_frames.of(record.topic, str(record.ret)).inc()
        metrics.turn_seconds.observe(record.seconds, record.topic)
        if record.ret == 0:
            self._count(record)
        for stage, seconds in record.stages.items():
            metrics.stage_seconds.observe(seconds, stage)
        if self._tells_turns:
            self.log.write(_encode(self._line(record)))

    def _count(self, record: TurnRecord) -> None:
        metrics = self.metrics
        metrics.turns.of(record.topic, record.kind).inc()
        if record.kind == "question":
            metrics.clarifications.of(record.topic).inc()
        if record.tier:
            metrics.readings.of(record.tier, record.verdict).inc()
        if record.unknown:
            metrics.unknown.inc()
        if record.reason:
            metrics.reasons.of(record.reason).inc()
        if record.candidates is not None:
            metrics.candidates.observe(record.candidates)
        if record.instructs:
            metrics.instructs.inc(record.instructs)
        if record.repeated:
            metrics.repeated.inc()

    def refused(self, topic: str, ret: int) -> None:
        """A frame got its closing frame without becoming a turn."""
        self.metrics.closing_frames.of(topic, str(ret)).inc()
        self.log.info("refused", topic=topic, ret=ret)

    def fault(self, code: str, error: BaseException) -> None:
        """An internal error: the log has the traceback, the client does not."""
        self.metrics.faults.of(code).inc()
        self.log.error("fault", code=code, error=type(error).__name__, at=_frames(error), text=self._message(error))

    @contextmanager
    def span(self, name: str, **attributes: str) -> Iterator[None]:
        """A trace span around a turn; costs nothing without an OpenTelemetry SDK."""
        if not self.traced:
            yield
            return
        with self._tracer.start_as_current_span(name, attributes=attributes):
            yield

    def trace_turn(self, record: TurnRecord) -> None:
        """Attributes and a span for each stage of a served turn, from the use case's own measurements."""
        if not self.traced:
            return
        span = trace.get_current_span()
        span.set_attributes({"tier": record.tier, "kind": record.kind, "ret": record.ret, "reason": record.reason})
        at = time.time_ns() - round(sum(record.stages.values()) * 1e9)
        for stage, seconds in record.stages.items():
            inner = self._tracer.start_span(stage, start_time=at)
            at += round(seconds * 1e9)
            inner.end(at)

    def _message(self, error: BaseException) -> str:
        # The text of an exception may quote the user.
        return str(error) if self.utterances else ""

    def _line(self, record: TurnRecord) -> _TurnLine:
        told = self.utterances
        return _TurnLine(
            topic=record.topic,
            page=_digest(record.page_id) if record.page_id else msgspec.UNSET,
            ret=record.ret,
            kind=record.kind,
            tier=record.tier,
            reason=record.reason,
            instructs=record.instructs,
            ms=round(record.seconds * 1e3, 3),
            tenant=record.tenant or msgspec.UNSET,
            rid=record.rid if told else msgspec.UNSET,
            question=record.question if told else msgspec.UNSET,
            question_chars=msgspec.UNSET if told else len(record.question),
            event="turn",
            level="info",
            timestamp=datetime.now(UTC),
        )


def _digest(page_id: str) -> str:
    return hashlib.blake2b(page_id.encode(), digest_size=6).hexdigest()


class LibraryLog(logging.Handler):
    """Log records of libraries, from warnings up, as JSON lines. Templates are written without their values, and
    exceptions without their text, because these may hold utterances."""

    def __init__(self, telemetry: "Telemetry") -> None:
        super().__init__(logging.WARNING)
        self._telemetry = telemetry

    def emit(self, record: logging.LogRecord) -> None:
        """Writes one line."""
        error = record.exc_info[1] if record.exc_info else None
        told = {"error": type(error).__name__, "at": _frames(error)} if error is not None else {}
        template = str(record.msg).strip() if record.name.startswith(("uvicorn", "asyncio")) else ""
        self._telemetry.log.warning("library", logger=record.name, level_name=record.levelname, text=template, **told)


def _frames(error: BaseException) -> list[str]:
    """Where it was raised, innermost last, without source lines or values."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{frame.name} ({PurePath(frame.filename).name}:{frame.lineno})" for frame in frames]


_encode: Callable[[Any], bytes] = msgspec.json.Encoder(enc_hook=str).encode
