"""Reports of a scored set: a table on the terminal, a JSON summary, a list of failures, an HTML page.

A closed set (`corpus.is_closed`) gets totals only.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tingdong.evaluate.html import by_count, render
from tingdong.evaluate.score import ScoredItem, Summary, Tally

__all__ = ["show", "with_progress", "write"]

Item = TypeVar("Item")
Scored = TypeVar("Scored")


def with_progress(name: str, items: Sequence[Item], score: Callable[[Item], Scored]) -> list[Scored]:
    """Score every item in order, with a progress bar on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    results: list[Scored] = []
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(name, total=len(items))
        for item in items:
            results.append(score(item))
            progress.advance(task)
    return results


def show(summary: Summary, console: Console) -> None:
    """Print the scores per leading tag, then the figures of the whole set."""
    judged = summary.calibration is not None
    table = Table(title=summary.name, title_justify="left")
    table.add_column("tag")
    for header in ("right", "total", "%", *(("accepted", "right of accepted %") if judged else ())):
        table.add_column(header, justify="right")
    for tag, tally in sorted(summary.tags.items(), key=lambda item: -item[1].total):
        table.add_row(tag, *_cells(tally, judged=judged))
    table.add_section()
    table.add_row("all", *_cells(summary.overall, judged=judged), style="bold")
    console.print(table)
    if summary.beside:
        console.print(_beside(summary))
    for line in _lines(summary):
        console.print(line)


def _beside(summary: Summary) -> Table:
    """Share right per tag, for the shipped reader and those beside it."""
    table = Table(title="side by side", title_justify="left")
    table.add_column("tag")
    columns = {"shipped": summary, **summary.beside}
    for name in columns:
        table.add_column(f"{name} %", justify="right")
    for tag in sorted(summary.tags, key=lambda tag: -summary.tags[tag].total):
        table.add_row(tag, *(f"{one.tags[tag].share:.1%}" for one in columns.values()))
    table.add_section()
    table.add_row("all", *(f"{one.overall.share:.1%}" for one in columns.values()), style="bold")
    return table


def _cells(tally: Tally, *, judged: bool) -> Iterable[str]:
    yield str(tally.right)
    yield str(tally.total)
    yield f"{tally.share:.1%}"
    if judged:
        yield f"{tally.accepted / tally.total:.1%}" if tally.total else "-"
        yield f"{tally.accepted_right / tally.accepted:.1%}" if tally.accepted else "-"


def _lines(summary: Summary) -> Iterable[str]:
    if summary.fields:
        yield "wrong: " + ", ".join(f"{name} {count}" for name, count in by_count(summary.fields))
    for name, value in summary.extra.items():
        yield f"{name}: {value:.1%}"
    if summary.calibration is not None:
        yield f"Brier score: {summary.calibration.brier:.3f}, calibration error: {summary.calibration.error:.3f}"


def write(summary: Summary, outcomes: Iterable[ScoredItem], folder: Path, *, totals_only: bool) -> list[Path]:
    """Write `NAME.json`, `NAME.html` and, unless `totals_only`, `NAME.failures.jsonl`; the paths written."""
    folder.mkdir(parents=True, exist_ok=True)
    page, data, failures = (folder / f"{summary.name}{end}" for end in (".html", ".json", ".failures.jsonl"))
    page.write_text(render(summary), encoding="utf-8")
    data.write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=2))
    if totals_only:
        failures.unlink(missing_ok=True)
        return [page, data]
    lines = [msgspec.json.encode(outcome) for outcome in outcomes if not outcome.right]
    failures.write_bytes(b"".join(line + b"\n" for line in lines))
    return [page, data, failures]
