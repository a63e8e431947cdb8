"""Sight: JSON logs, Prometheus metrics, OpenTelemetry spans of every turn.

What users say and how devices are called is private: without `utterances` a log line has only lengths and codes, and a
page is named by a digest of its id, since whoever knows a page id can continue that dialogue. A log that cannot be
written (disk full, pipe gone) is counted and never harms a turn.
"""

import hashlib
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec
import structlog
from opentelemetry import trace
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["LEVELS", "Telemetry", "TurnRecord"]

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}

_TURN_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 8.0, 30.0)


class TurnRecord(msgspec.Struct, frozen=True):
    """One request that got its closing frame. `seconds` and `stages` are wall time; codes are stable labels."""

    topic: str
    rid: str
    page_id: str
    question: str
    seconds: float
    ret: int = 0
    kind: str = ""
    tier: str = ""
    reason: str = ""
    instructs: int = 0
    repeated: bool = False
    stages: Mapping[str, float] = {}


class _Lines:
    """A structlog logger that writes bytes to a stream and counts what it could not write."""

    def __init__(self, stream: BinaryIO, lost: Counter) -> None:
        self._stream = stream
        self._lost = lost

    def msg(self, line: bytes) -> None:
        try:
            self._stream.write(line + b"\n")
            self._stream.flush()
        except (OSError, ValueError):  # ValueError: the stream is closed
            self._lost.inc()

    debug = info = warning = error = msg


Metric = TypeVar("Metric", Counter, Histogram)


class _Family(Generic[Metric]):
    """A metric by its label values; each value is looked up in the client library once, which is most of its cost."""

    def __init__(self, metric: Metric) -> None:
        self._metric: Metric = metric
        self._children: dict[tuple[str, ...], Metric] = {}

    def of(self, *labels: str) -> Metric:
        child = self._children.get(labels)
        if child is None:
            child = self._children[labels] = self._metric.labels(*labels)
        return child


class Telemetry:
    """One process's counters, log and tracer. Every instance has its own registry."""

    def __init__(self, *, level: str = "info", utterances: bool = False, stream: BinaryIO | None = None) -> None:
        self.registry = CollectorRegistry()
        self._utterances = utterances
        self._counters()
        self.log = structlog.wrap_logger(
            _Lines(stream or sys.stderr.buffer, self._lost),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                _to_json,
            ],
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        ).bind()
        self._tracer = trace.get_tracer("tingdong")
        # Without an SDK every span is thrown away, so none is made.
        self._traced = not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)

    def _counters(self) -> None:
        registry = self.registry

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"tingdong_{name}", text, labels, registry=registry)

        def histogram(name: str, text: str, label: str) -> _Family[Histogram]:
            return _Family(Histogram(f"tingdong_{name}", text, (label,), registry=registry, buckets=_TURN_BUCKETS))

        self._turns = _Family(counter("turns", "Turns served, by kind of reply.", "topic", "kind"))
        self._tiers = _Family(counter("readings", "Sentences read, by the tier that read them.", "tier"))
        self._reasons = _Family(counter("reasons", "Why a sentence made no command.", "reason"))
        self._closed = _Family(counter("closing_frames", "Closing frames, by ret.", "topic", "ret"))
        self._faults = _Family(counter("faults", "Errors that are ours, by code.", "code"))
        self._instructs = counter("instructs", "Instructs sent.")
        self._repeated = counter("repeated_requests", "Requests answered from the page's memory of their rid.")
        self._lost = counter("log_lines_lost", "Log lines that could not be written.")
        self._seconds = histogram("turn_seconds", "Wall time of a turn.", "topic")
        self._stage = histogram("stage_seconds", "Wall time by stage.", "stage")
        self.connections = Gauge("tingdong_connections", "Open WebSockets.", registry=registry)
        self.in_flight = Gauge("tingdong_turns_in_flight", "Turns being served.", registry=registry)

    def served(self, record: TurnRecord) -> None:
        """A request got its closing frame."""
        self._closed.of(record.topic, str(record.ret)).inc()
        self._seconds.of(record.topic).observe(record.seconds)
        if record.ret == 0:
            self._turns.of(record.topic, record.kind).inc()
            if record.tier:
                self._tiers.of(record.tier).inc()
            if record.reason:
                self._reasons.of(record.reason).inc()
            if record.instructs:
                self._instructs.inc(record.instructs)
            if record.repeated:
                self._repeated.inc()
        for stage, seconds in record.stages.items():
            self._stage.of(stage).observe(seconds)
        self.log.info("turn", **self._fields(record))

    def refused(self, topic: str, ret: int) -> None:
        """A frame got its closing frame without becoming a turn."""
        self._closed.of(topic, str(ret)).inc()
        self.log.info("refused", topic=topic, ret=ret)

    def fault(self, code: str, error: BaseException) -> None:
        """Something of ours failed; the log has the traceback, the client does not."""
        self._faults.of(code).inc()
        self.log.error("fault", code=code, error=type(error).__name__, at=_frames(error), text=self._message(error))

    @contextmanager
    def span(self, name: str, **attributes: str) -> Iterator[None]:
        """A trace span around a turn or a stage; free where no OpenTelemetry SDK is set up."""
        if not self._traced:
            yield
            return
        with self._tracer.start_as_current_span(name, attributes=attributes):
            yield

    def render(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def _message(self, error: BaseException) -> str:
        # The text of an exception may quote the user.
        return str(error) if self._utterances else ""

    def _fields(self, record: TurnRecord) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "topic": record.topic,
            "page": hashlib.sha256(record.page_id.encode()).hexdigest()[:12],
            "ret": record.ret,
            "kind": record.kind,
            "tier": record.tier,
            "reason": record.reason,
            "instructs": record.instructs,
            "ms": round(record.seconds * 1e3, 3),
        }
        if self._utterances:
            return {**fields, "rid": record.rid, "question": record.question}
        return {**fields, "question_chars": len(record.question)}


def _frames(error: BaseException) -> list[str]:
    """Where it was raised, innermost last, without source lines or values."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{frame.name} ({PurePath(frame.filename).name}:{frame.lineno})" for frame in frames]


_encode: Callable[[Any], bytes] = msgspec.json.Encoder(enc_hook=str).encode


def _to_json(_logger: Any, _method: str, event: Any) -> bytes:
    return _encode(event)
