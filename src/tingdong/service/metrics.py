"""Every Prometheus metric of the service (docs/operations.md, Observability).

Labels are closed sets or stable codes, never text of a user or a tenant, so that a client cannot create series. The
client library collects and renders; the numbers are plain Python, because every turn changes a dozen of them.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

__all__ = ["Family", "Metrics", "Series", "Timings"]

_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 8.0, 30.0)
_COUNTS = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 55.0, 144.0)


class Series:
    """A number changed by one thread of this process only, without a lock."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: float = 0.0

    def inc(self, amount: float = 1.0) -> None:
        """Adds to it."""
        self.value += amount

    def dec(self) -> None:
        """Takes one from it."""
        self.value -= 1.0


class Family(Collector):
    """Counters, or gauges, of one name by their label values."""

    def __init__(self, name: str, text: str, labels: Sequence[str], *, gauge: bool = False) -> None:
        self._name, self._text, self._labels, self._gauge = name, text, tuple(labels), gauge
        self._series: dict[tuple[str, ...], Series] = {}

    def of(self, *labels: str) -> Series:
        """The series of these label values."""
        series = self._series.get(labels)
        if series is None:
            series = self._series[labels] = Series()
        return series

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """The samples of this metric, for Prometheus."""
        kind = GaugeMetricFamily if self._gauge else CounterMetricFamily
        family = kind(self._name, self._text, labels=self._labels)
        for labels, series in list(self._series.items()):
            family.add_metric(labels, series.value)
        yield family


class Timings(Collector):
    """A histogram with at most one label. Every turn observes several times, so observing only finds the bucket; sums
    are computed when metrics are read."""

    def __init__(self, name: str, text: str, label: str | None, buckets: Sequence[float]) -> None:
        self._name, self._text, self._label = name, text, label
        self._bounds = tuple(buckets)
        self._series: dict[str, tuple[list[int], list[float]]] = {}
        if label is None:
            self._of("")

    def observe(self, value: float, label: str = "") -> None:
        """Counts a value."""
        counts, total = self._series.get(label) or self._of(label)
        counts[bisect_left(self._bounds, value)] += 1
        total[0] += value

    def _of(self, label: str) -> tuple[list[int], list[float]]:
        return self._series.setdefault(label, ([0] * (len(self._bounds) + 1), [0.0]))

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """The samples of this metric, for Prometheus."""
        family = HistogramMetricFamily(self._name, self._text, labels=[self._label] if self._label else [])
        names = [*map(repr, self._bounds), "+Inf"]
        for label, (counts, total) in list(self._series.items()):
            buckets = list(zip(names, accumulate(counts), strict=True))
            family.add_metric([label] if self._label else [], buckets, total[0])
        yield family


class Metrics:
    """One process's metrics, on a registry of their own."""

    def __init__(self) -> None:
        self.registry: CollectorRegistry = CollectorRegistry()
        counters, counter, timings, gauge = self._counters, self._counter, self._timings, self._gauge
        self.turns: Family = counters("turns", "Turns served, by kind of reply.", "topic", "kind")
        self.turn_seconds: Timings = timings("turn_seconds", "Wall time of a turn.", "topic")
        self.stage_seconds: Timings = timings("stage_seconds", "Wall time by stage.", "stage")
        self.readings: Family = counters("readings", "Sentences read, by tier and its verdict.", "tier", "verdict")
        self.unknown: Series = counter("unknown", "Sentences read that made no command.")
        self.reasons: Family = counters("reasons", "Why a sentence made no command.", "reason")
        self.clarifications: Family = counters("clarifications", "Turns that end in a question.", "topic")
        self.candidates: Timings = timings("candidates", "Devices that a turn's commands resolved to.", buckets=_COUNTS)
        self.instructs: Series = counter("instructs", "Instructs sent.")
        self.closing_frames: Family = counters("closing_frames", "Closing frames, by ret.", "topic", "ret")
        self.repeated: Series = counter("repeated_requests", "Requests answered from the page's memory of their rid.")
        self.faults: Family = counters("faults", "Errors that are ours, by code.", "code")
        self.refused_connections: Family = counters("refused_connections", "Handshakes refused, by status.", "status")
        self.connections: Series = gauge("connections", "Open WebSockets.")
        self.in_flight: Series = gauge("turns_in_flight", "Turns being served.")
        self.store_seconds: Timings = timings("store_seconds", "Wall time of a store operation.", "operation")
        self.store_failures: Family = counters("store_failures", "Store operations that failed.", "operation", "code")
        self.store_conflicts: Series = counter("store_conflicts", "Pages that another writer had changed meanwhile.")
        self.model_seconds: Timings = timings("model_seconds", "Wall time of a language model's tier.", "tier")
        self.model_readings: Family = counters(
            "model_readings", "What model tiers came to: accept, reject, or why they abstained.", "tier", "outcome"
        )
        self.model_answers: Family = counters("model_answers", "Answers of models, believed or not.", "task", "outcome")
        self.model_faults: Family = counters("model_faults", "Why an answer was not believed.", "task", "reason")
        self.model_tokens: Family = counters("model_tokens", "Tokens that models cost.", "task", "kind")
        self.prompt_section_tokens: Family = counters(
            "prompt_section_tokens", "Estimated prompt tokens, by section.", "task", "section"
        )
        self.shadow_runs: Family = counters("shadow_runs", "Shadow runs, by whether they agree.", "task", "outcome")
        self.shadow_readings: Family = counters(
            "shadow_readings", "Sentences of shadow runs, by path and whether understood.", "task", "path", "outcome"
        )
        self.reloads: Family = counters("reloads", "Reloads of settings and data, taken or refused.", "outcome")
        self.log_lines_lost: Series = counter("log_lines_lost", "Log lines that could not be written.")

    def render(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def _counter(self, name: str, text: str) -> Series:
        return self._counters(name, text).of()

    def _counters(self, name: str, text: str, *labels: str) -> Family:
        family = Family(f"tingdong_{name}", text, labels)
        self.registry.register(family)
        return family

    def _gauge(self, name: str, text: str) -> Series:
        family = Family(f"tingdong_{name}", text, (), gauge=True)
        self.registry.register(family)
        return family.of()

    def _timings(self, name: str, text: str, label: str | None = None, buckets: Sequence[float] = _SECONDS) -> Timings:
        timings = Timings(f"tingdong_{name}", text, label, buckets)
        self.registry.register(timings)
        return timings
