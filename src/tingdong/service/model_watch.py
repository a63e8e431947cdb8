"""Logs and metrics of language models (commands.md, Consumer; docs/llm.md, Observability).

A rejected answer is logged as an outline with words masked. `log.model_output` logs every answer unchanged,
`log.utterances` the rejected ones. Counters have stable codes only. Shadow runs are compared here: the served result
and the models' result.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from tingdong.commands.reading import Reading, Verdict
from tingdong.front_desk.llm_reader import TurnJudgement
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.llm import Exchange, Judged, Shadowed, TierReport, outline
from tingdong.service.telemetry import Telemetry

__all__ = ["ModelWatch", "commands_of", "segments_of"]

A = TypeVar("A", bound=Judged)
RAW_CHARS = 2_000


class ModelWatch:
    """Reports model exchanges and shadow runs to a process's telemetry."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._metrics = telemetry.metrics

    def exchange(self, exchange: Exchange) -> None:
        """One answer of a model, or one call that failed."""
        metrics, task = self._metrics, exchange.task
        metrics.model_answers.of(task, "refused" if exchange.reasons else "believed").inc()
        for reason in exchange.reasons:
            metrics.model_faults.of(task, reason).inc()
        metrics.model_tokens.of(task, "prompt").inc(exchange.usage.prompt_tokens)
        metrics.model_tokens.of(task, "completion").inc(exchange.usage.completion_tokens)
        for section, tokens in exchange.sections.items():
            metrics.prompt_section_tokens.of(task, section).inc(tokens)
        if exchange.reasons:
            self._telemetry.log.warning("model answer", **self._told(exchange))
        elif self._telemetry.model_output:
            self._telemetry.log.info("model answer", **self._told(exchange))

    def tier(self, report: TierReport) -> None:
        """The result of a model tier in one turn: accept, reject, or the reason to abstain."""
        abstained = report.verdict == Verdict.ABSTAIN and report.reason
        self._metrics.model_readings.of(report.tier, report.reason if abstained else report.verdict).inc()
        self._metrics.model_seconds.observe(report.microseconds / 1e6, report.tier)

    def shadow(
        self, task: str, tell: Callable[[A], Any], unknown: Callable[[A], bool]
    ) -> Callable[[Shadowed[A]], None]:
        """A watcher of shadow runs: `tell` gives a reading in a form to compare and log, `unknown` whether it is
        empty."""

        def watch(run: Shadowed[A]) -> None:
            served, shadow = tell(run.served), tell(run.shadow)
            same = served == shadow
            self._metrics.shadow_runs.of(task, "same" if same else "different").inc()
            for path, reading in (("old", run.served), ("new", run.shadow)):
                self._metrics.shadow_readings.of(task, path, "unknown" if unknown(reading) else "understood").inc()
            if not same:
                last = run.reports[-1]
                told = {"served": served, "shadow": shadow} if self._telemetry.utterances else {}
                self._telemetry.log.info(
                    "shadow",
                    task=task,
                    tenant=run.tenant,
                    old="unknown" if unknown(run.served) else "understood",
                    new="unknown" if unknown(run.shadow) else "understood",
                    verdict=last.verdict,
                    reason=last.reason,
                    **told,
                )

        return watch

    def _told(self, exchange: Exchange) -> dict[str, Any]:
        plain = self._telemetry.utterances or self._telemetry.model_output
        raw = exchange.raw[:RAW_CHARS] if plain else outline(exchange.raw)
        return {
            "task": exchange.task,
            "attempt": exchange.attempt,
            "reasons": list(exchange.reasons),
            "raw": raw,
            "chars": len(exchange.raw),
            "ms": round(exchange.seconds * 1e3, 1),
        }


def commands_of(reading: Reading) -> list[str]:
    """A home reading as a shadow run compares it."""
    return [str(command) for command in reading.commands]


def segments_of(judged: TurnJudgement) -> list[str]:
    """A hospital reading as a shadow run compares it: the tasks with their words, without those of no agent."""
    segments = judged.reading.segments
    return [f"{one.agent_code}:{one.text}" for one in segments if one.agent_code != UNKNOWN_AGENT]
