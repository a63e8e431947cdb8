"""`python -m bench`: run every benchmark, print the table, write reports/bench.json and the plot of sentence length."""

import importlib
import os
import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from bench.harness import Figure
from tingdong.cli.threads import limit_threads

SUBJECTS = ("parsing", "reader", "retrieval", "turns", "routing")
FOLDER = Path("reports")


def main() -> int:
    """Print and write the figures; with `--strict` 1 when a limit is not kept."""
    limit_threads(os.environ)
    chosen = [name for name in sys.argv[1:] if name != "--strict"] or SUBJECTS
    console = Console(width=max(110, Console().width))
    found: list[Figure] = []
    for name in chosen:
        console.print(f"measuring {name} …", style="dim")
        found += importlib.import_module(f"bench.{name}").figures()
    console.print(_table(found))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "bench.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2))
    if "parsing" in chosen:
        _parser_extras(console)
    if "reader" in chosen:
        console.print(importlib.import_module("bench.reader").extras())
    return 1 if "--strict" in sys.argv and not all(figure.kept for figure in found) else 0


def _table(figures: list[Figure]) -> Table:
    table = Table(title="Time of a call as a multiple of json.loads of a frame", title_justify="left")
    for header in ("subject", "frame", "inputs", "median", "limit", "p99", "limit", "median µs", "json.loads µs"):
        table.add_column(header, justify="left" if header in ("subject", "frame") else "right")
    for figure in figures:
        table.add_row(
            figure.name,
            figure.baseline,
            str(figure.inputs),
            f"{figure.ratio:.2f} ×",
            "-" if figure.limit_median is None else f"{figure.limit_median:g} ×",
            f"{figure.ratio_p99:.2f} ×",
            "-" if figure.limit_p99 is None else f"{figure.limit_p99:g} ×",
            f"{figure.median_us:.0f}",
            f"{figure.baseline_us:.0f}",
            style=None if figure.kept else "bold red",
        )
    return table


def _parser_extras(console: Console) -> None:
    from bench.parsing import lengths, startup

    points = lengths()
    console.print("parser by length: " + ", ".join(f"{size} characters {time:.0f} µs" for size, time in points))
    console.print(f"parser start-up: {startup():.0f} ms more than a bare interpreter (limit 150 ms)")
    _plot(points)


def _plot(points: list[tuple[int, float]]) -> None:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 3.5), layout="constrained")
    axes.plot([size for size, _ in points], [time for _, time in points], marker="o")
    axes.set_xlabel("characters")
    axes.set_ylabel("µs")
    axes.set_title("Local parser: time by sentence length")
    figure.savefig(FOLDER / "parser-length.svg")
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
