"""The report of `bench.wire`: a table and a plot."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.verdicts import pyplot

if TYPE_CHECKING:
    from bench.wire import Result

__all__ = ["write"]


def write(folder: Path, results: "Sequence[Result]", sizes: Mapping[str, float]) -> None:
    """Writes the report as JSON, Markdown and SVG."""
    folder.mkdir(exist_ok=True)
    rows = [
        {
            "case": result.case.name,
            "cpu_us": round(result.cpu_us),
            "echo_us": round(result.echo_us),
            "ratio": round(result.ratio, 2),
            "limit": result.case.limit,
            "p99_ratio": round(result.p99_us / result.echo_p99_us, 2),
            "frame_bytes": result.frame_bytes,
        }
        for result in results
    ]
    (folder / "wire.json").write_text(
        json.dumps({"cases": rows, "bytes": sizes}, indent=2, ensure_ascii=False), "utf-8"
    )
    head = "| case | frame | service, µs CPU | echo, µs CPU | ratio | limit | p99 of waiting, × echo |"
    lines = ["# A turn over WebSocket", "", "Server CPU a turn beside an echo that parses the same frames.", ""]
    lines += [head, "| --- | --: | --: | --: | --: | --: | --: |"]
    for row in rows:
        limit = "" if row["limit"] is None else f"{row['limit']:g} ×"
        lines.append(
            f"| {row['case']} | {int(row['frame_bytes'] or 0) / 1000:.1f} KB | {row['cpu_us']} | {row['echo_us']} "
            f"| {row['ratio']} × | {limit} | {row['p99_ratio']} × |"
        )
    told = ", ".join(f"{value / 1000:.1f} KB a {name}" for name, value in sizes.items())
    lines += ["", f"Memory: {told}.", "", "![CPU a turn](wire.svg)", ""]
    (folder / "wire.md").write_text("\n".join(lines), "utf-8")
    _plot(folder / "wire.svg", results)


def _plot(path: Path, results: "Sequence[Result]") -> None:
    if (plots := pyplot()) is None:
        return
    figure, axes = plots.subplots(figsize=(9, 0.5 * len(results) + 1.2), layout="constrained")
    names = [result.case.name for result in results]
    places = list(range(len(results)))
    axes.barh([place - 0.2 for place in places], [result.cpu_us for result in results], 0.38, label="service")
    axes.barh([place + 0.2 for place in places], [result.echo_us for result in results], 0.38, label="echo")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlabel("server CPU, µs a turn")
    axes.legend()
    figure.savefig(path)
    plots.close(figure)
