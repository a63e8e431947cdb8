"""How every benchmark ends: one table of figure, limit and verdict. What cannot be measured here is passed over."""

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

__all__ = ["Verdict", "cells", "conclude", "pyplot"]

FOLDER = Path("reports")
_COLUMNS = ("figure", "measured", "limit", "verdict")


class Verdict(msgspec.Struct, frozen=True):
    """A figure and what it may be at most. `measured` is None, and `why` says so, where it was passed over."""

    figure: str
    measured: float | None
    limit: float | None = None
    unit: str = "×"
    why: str = ""

    @property
    def kept(self) -> bool:
        return self.measured is None or self.limit is None or self.measured <= self.limit

    def __str__(self) -> str:
        if self.measured is None:
            return f"passed over: {self.why}"
        return "stated" if self.limit is None else "kept" if self.kept else "NOT KEPT"


def conclude(verdicts: Iterable[Verdict], part: str = "") -> int:
    """Prints the table, and writes that of a `part` as reports/limits_<part>.json; 1 when a limit is not kept."""
    found = list(verdicts)
    if part:
        rows = [dict(zip(_COLUMNS, (one.figure, *cells(one), str(one)), strict=True)) for one in found]
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"limits_{part}.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
    table = Table(title="Limits", title_justify="left")
    for header in _COLUMNS:
        table.add_column(header, justify="left" if header in ("figure", "verdict") else "right")
    for one in found:
        table.add_row(one.figure, *cells(one), str(one), style=None if one.kept else "bold red")
    Console(width=max(120, Console().width)).print(table)
    return 0 if all(one.kept for one in found) else 1


def cells(one: Verdict) -> tuple[str, str]:
    """What was measured and its limit, with their unit."""
    measured, limit = (
        "" if value is None else f"{value:,.0f} {one.unit}" if abs(value) >= 1_000 else f"{value:.3g} {one.unit}"
        for value in (one.measured, one.limit)
    )
    return measured, limit


def pyplot() -> Any:
    """matplotlib's pyplot, drawing SVG; None, and a line that says so, where it is not installed."""
    try:
        matplotlib = importlib.import_module("matplotlib")
    except ImportError:
        print("plots: passed over, matplotlib is not installed (pip install --group plots)")
        return None
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tingdong"
    return importlib.import_module("matplotlib.pyplot")
