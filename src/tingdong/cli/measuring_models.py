"""`tingdong eval commands --tier llm`: joins a configured model, or a recording of one, to the scorer (docs/llm.md)."""

import time
from asyncio import Runner
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from tingdong.commands.llm_parser import LLMParser
from tingdong.commands.reading import Reading
from tingdong.errors import BackendError, DataError
from tingdong.evaluate.corpus import is_closed
from tingdong.evaluate.runner import Figures, RunOptions, Score, run
from tingdong.evaluate.score import Summary
from tingdong.evaluate.tiers import TierScorer, compare, show_comparison, write_comparison
from tingdong.llm import Budget, ChatModel, CircuitBreaker, Exchange, GuardedModel
from tingdong.llm.cassette import CassettePlayer, CassetteRecorder
from tingdong.reader import sentence_reader
from tingdong.settings import LlmSettings, load_settings

__all__ = ["Recording", "score_model"]

SUFFIX = ".llm"
SECONDS, TOKENS = 60.0, 32_000
"""What one sentence may take when a model is measured: more than a turn gives it, so that slow is not wrong."""
ATTEMPTS = 4
LONGEST_PAUSE_S = 30.0
_NOT_MEASURED = frozenset({"unreachable", "unauthorised", "not_recorded"})
_BUSY = frozenset({"rate_limited", "breaker_open"})


class Recording(msgspec.Struct, frozen=True):
    """Where to record a run to, or to replay one from; at most one of them."""

    record: Path | None = None
    replay: Path | None = None


def score_model(
    files: Sequence[Path], options: RunOptions, recording: Recording, settings: Path | None
) -> list[Summary]:
    """Scores the model on every set, beside the local tier, and leaves reports named `NAME.llm`.

    Raises `DataError` when no model is configured or a closed set would be recorded, `BackendError` when the model
    cannot be reached or a recording lacks a sentence: what was not asked was not measured.
    """
    if recording.record is not None and (closed := [path.name for path in files if is_closed(path)]):
        raise DataError(f"{', '.join(closed)}: a closed set is only scored and cannot be recorded")
    configured = load_settings(settings).llm
    scorers: list[TierScorer] = []
    with Runner() as runner:
        model, close = _opened(runner, configured, recording)
        asking = _ModelRunner(runner, model)
        parser = sentence_reader()

        def make() -> tuple[Score, Figures]:
            scorers.append(TierScorer(parser.read, asking))
            return scorers[-1].score, scorers[-1].figures

        try:
            summaries = run(files, make, msgspec.structs.replace(options, suffix=SUFFIX))
        finally:
            close()
    for path, scorer in zip(files, scorers, strict=True):
        rows = compare(scorer.scored)
        show_comparison(rows, path.stem, Console())
        write_comparison(rows, options.folder / f"{path.stem}{SUFFIX}.cost.json")
    return summaries


def _opened(runner: Runner, settings: LlmSettings | None, recording: Recording) -> tuple[ChatModel, Callable[[], None]]:
    if recording.replay is not None:
        return CassettePlayer(recording.replay), lambda: None
    if settings is None:
        raise DataError(
            "no model is configured: TINGDONG_LLM__BASE_URL and TINGDONG_LLM__MODEL, or --replay", path="llm"
        )
    from tingdong.language import open_model, preload

    preload()
    client = open_model(settings)
    kind = runner.run(client.negotiate(timeout_s=SECONDS))
    Console(stderr=True).print(f"{client.name} at {settings.base_url}: constraint {kind.value}", style="dim")

    def close() -> None:
        runner.run(client.aclose())

    return (CassetteRecorder(client, recording.record) if recording.record is not None else client), close


class _ModelRunner:
    """The model tier, one sentence at a time. A server that asks for a pause gets it."""

    def __init__(self, runner: Runner, model: ChatModel) -> None:
        self._runner = runner
        self._exchanges: list[Exchange] = []
        breaker = CircuitBreaker(threshold=1_000_000, max_cooldown_s=LONGEST_PAUSE_S)
        guarded = GuardedModel(model, breaker=breaker, first_token_s=SECONDS)
        self._parser = LLMParser(guarded, observe=self._exchanges.append)

    def __call__(self, local: Reading) -> tuple[Reading, Sequence[Exchange]]:
        for attempt in range(ATTEMPTS):
            self._exchanges.clear()
            said = self._runner.run(self._parser.read(local, Budget(SECONDS, TOKENS)))
            if said.reason not in _BUSY:
                break
            time.sleep(min(LONGEST_PAUSE_S, 2.0**attempt))
        if said.reason in _NOT_MEASURED | _BUSY:
            raise BackendError(f"the model could not be asked: {said.reason}", code=said.reason)
        return said, tuple(self._exchanges)
