"""Runs a scorer over labelled sets: load, score with progress, show, write."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from tingdong.errors import BackendError
from tingdong.evaluate import report
from tingdong.evaluate.beside import SentenceFrames, framed
from tingdong.evaluate.corpus import Case, is_closed, load
from tingdong.evaluate.score import ScoredItem, Summary, summarise

__all__ = ["Figures", "RunOptions", "Score", "guarded", "run"]

Score = Callable[[Case], Sequence[ScoredItem]]
"""Scores one case: an outcome for each scored item of it."""

Figures = Callable[[], Mapping[str, float]]
"""A scorer's own figures over all cases it has seen, each in 0..1."""


class RunOptions(msgspec.Struct, frozen=True):
    """`folder` takes the reports; `totals_only` keeps sentences and failures out of them, as for closed sets.

    `suffix` tells the reports of another tier from those of the local one; `frames` are what every sentence is put in.
    """

    folder: Path = Path("reports")
    totals_only: bool = False
    suffix: str = ""
    frames: SentenceFrames | None = None


def guarded(score: Score) -> Score:
    """`score`, with a case that raises counted wrong, each of its turns, instead of ending the run.

    What cannot be reached was not measured: `BackendError` ends the run.
    """

    def safe(case: Case) -> Sequence[ScoredItem]:
        try:
            return score(case)
        except BackendError:
            raise
        except Exception:  # noqa: BLE001  what is measured may fail in any way; the failures file says how
            turns = len(case.raw.get("turns", ())) or 1
            text, got = str(case.raw.get("text", "")), traceback.format_exc()
            wrong = ScoredItem(case.id, case.tag, right=False, text=text, got=got, wrong=("exception",))
            return [wrong] * turns

    return safe


def run(paths: Sequence[Path], make: Callable[[], tuple[Score, Figures]], options: RunOptions) -> list[Summary]:
    """Score every file afresh (`make` gives a new scorer) and leave its report; the summaries in the files' order.

    Raises `DataError` when a set cannot be read.
    """
    console = Console()
    summaries = []
    for path in paths:
        score, figures = make()
        cases = load(path)
        if options.frames is not None:
            cases = tuple(framed(cases, options.frames))
        outcomes = [out for found in report.with_progress(path.stem, cases, guarded(score)) for out in found]
        summary = summarise(path.stem + options.suffix, outcomes, figures())
        report.show(summary, console)
        closed = options.totals_only or is_closed(path)
        written = report.write(summary, outcomes, options.folder, totals_only=closed)
        console.print("written: " + ", ".join(str(name) for name in written), style="dim", soft_wrap=True)
        summaries.append(summary)
    return summaries
