"""`python -m bench`: run every benchmark, print the table, write reports/bench.json and the plot of sentence length."""

import importlib
import os
import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from bench import starting
from bench.harness import Figure
from bench.verdicts import Verdict, conclude, pyplot
from tingdong.cli.threads import limit_threads

SUBJECTS = ("parsing", "hearing", "reader", "retrieval", "turns", "routing", "starting")
FOLDER = Path("reports")
STARTUP_MS = 150


def main() -> int:
    """Print and write the figures, then the table of limits; with `--strict` 1 when one is not kept."""
    limit_threads(os.environ)
    chosen = [name for name in sys.argv[1:] if name != "--strict"] or SUBJECTS
    console = Console(width=max(110, Console().width))
    found: list[Figure] = []
    verdicts: list[Verdict] = []
    for name in chosen:
        console.print(f"measuring {name} …", style="dim")
        if name == "starting":
            verdicts += starting.verdicts()
        else:
            found += importlib.import_module(f"bench.{name}").figures()
    console.print(_table(found))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "bench.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2))
    if "parsing" in chosen:
        verdicts.append(_parser_extras(console))
    if "reader" in chosen:
        console.print(importlib.import_module("bench.reader").extras())
    status = conclude([verdict for figure in found for verdict in _verdicts(figure)] + verdicts, "bench")
    return status if "--strict" in sys.argv else 0


def _verdicts(figure: Figure) -> list[Verdict]:
    name = f"{figure.name}, {figure.baseline}"
    return [
        Verdict(f"{name}: median", figure.ratio, figure.limit_median),
        Verdict(f"{name}: p99", figure.ratio_p99, figure.limit_p99),
    ]


def _table(figures: list[Figure]) -> Table:
    table = Table(title="Time of a call as a multiple of json.loads of a frame", title_justify="left")
    for header in ("subject", "frame", "inputs", "median", "p99", "median µs", "json.loads µs"):
        table.add_column(header, justify="left" if header in ("subject", "frame") else "right")
    for figure in figures:
        table.add_row(
            figure.name,
            figure.baseline,
            str(figure.inputs),
            f"{figure.ratio:.2f} ×",
            f"{figure.ratio_p99:.2f} ×",
            f"{figure.median_us:.0f}",
            f"{figure.baseline_us:.0f}",
        )
    return table


def _parser_extras(console: Console) -> Verdict:
    from bench.parsing import lengths, startup

    points = lengths()
    console.print("parser by length: " + ", ".join(f"{size} characters {time:.0f} µs" for size, time in points))
    _plot(points)
    return Verdict("parser start-up, beyond a bare interpreter's", startup(), STARTUP_MS, "ms")


def _plot(points: list[tuple[int, float]]) -> None:
    if (plots := pyplot()) is None:
        return
    figure, axes = plots.subplots(figsize=(5, 3.5), layout="constrained")
    axes.plot([size for size, _ in points], [time for _, time in points], marker="o")
    axes.set_xlabel("characters")
    axes.set_ylabel("µs")
    axes.set_title("Local parser: time by sentence length")
    figure.savefig(FOLDER / "parser-length.svg")
    plots.close(figure)


if __name__ == "__main__":
    sys.exit(main())
