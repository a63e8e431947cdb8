"""The HTML page of a scored set: one self-contained file, tables per tag, two plots as inline SVG, no script."""

from collections.abc import Iterable, Mapping
from html import escape

from tingdong.evaluate.score import Calibration, Summary, Tally

__all__ = ["by_count", "render"]

SIZE, MARGIN = 320, 44
"""Edge of a plot's square and the room for its labels, in SVG units."""

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
tfoot td { font-weight: bold; }
figure { display: inline-block; margin: 1rem 2rem 1rem 0; max-width: 24rem; vertical-align: top; }
svg { width: 24rem; max-width: 100%; } svg text { font-size: 11px; fill: currentColor; }
.axis { stroke: currentColor; stroke-opacity: .5; fill: none; } .ideal { stroke: #888; stroke-dasharray: 4; }
.line { stroke: #0a6ebd; stroke-width: 2; fill: none; } .dot { fill: #0a6ebd; fill-opacity: .8; }
.mark { fill: #c2410c; }
.line1 { stroke-dasharray: 6 3; } .line2 { stroke-dasharray: 2 3; } .line3 { stroke-width: 1; }
"""


def by_count(fields: Mapping[str, int]) -> list[tuple[str, int]]:
    """Fields with their counts, the most frequent first."""
    return sorted(fields.items(), key=lambda item: -item[1])


def render(summary: Summary) -> str:
    """The whole page as text; every text from outside is escaped."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(summary.name)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(summary.name)}</h1>",
        _tags(summary),
        _pairs("Wrong by field", ((name, str(count)) for name, count in by_count(summary.fields))),
        _pairs("Further figures", ((name, f"{value:.1%}") for name, value in summary.extra.items())),
    ]
    if summary.calibration is not None:
        parts += ["<h2>Confidence</h2>", _confidence(summary.calibration)]
        parts += [_reliability(summary.calibration), _coverage(summary)]
    if summary.beside:
        parts.append(_side_by_side(summary))
    return "\n".join([*(part for part in parts if part), "</body></html>", ""])


def _tags(summary: Summary) -> str:
    judged = summary.calibration is not None
    heads = ["tag", "right", "total", "%", *(("accepted %", "right of accepted %") if judged else ())]
    rows = [
        _row([tag, *_numbers(tally, judged=judged)])
        for tag, tally in sorted(summary.tags.items(), key=lambda item: -item[1].total)
    ]
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    foot = _row(["all", *_numbers(summary.overall, judged=judged)])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody><tfoot>{foot}</tfoot></table>"


def _numbers(tally: Tally, *, judged: bool) -> list[str]:
    cells = [str(tally.right), str(tally.total), f"{tally.share:.1%}"]
    if judged:
        cells.append(f"{tally.accepted / tally.total:.1%}" if tally.total else "-")
        cells.append(f"{tally.accepted_right / tally.accepted:.1%}" if tally.accepted else "-")
    return cells


def _row(cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _pairs(title: str, pairs: Iterable[tuple[str, str]]) -> str:
    rows = "".join(_row(pair) for pair in pairs)
    return f"<h2>{title}</h2><table><tbody>{rows}</tbody></table>" if rows else ""


def _confidence(calibration: Calibration) -> str:
    return f"<p>Brier score {calibration.brier:.3f}; expected calibration error {calibration.error:.3f}.</p>"


def _point(x: float, y: float) -> tuple[float, float]:
    """A point of the unit square in SVG units, the origin at the lower left."""
    return round(MARGIN + x * SIZE, 1), round(MARGIN / 2 + (1 - y) * SIZE, 1)


def _frame(title: str, labels: tuple[str, str], body: str) -> str:
    width, height = SIZE + 1.5 * MARGIN, SIZE + 1.75 * MARGIN
    left, top = _point(0, 1)
    ticks = "".join(
        f'<text x="{_point(tick, 0)[0]}" y="{top + SIZE + 14}" text-anchor="middle">{tick:g}</text>'
        f'<text x="{left - 6}" y="{_point(0, tick)[1] + 4}" text-anchor="end">{tick:g}</text>'
        for tick in (0, 0.25, 0.5, 0.75, 1)
    )
    return (
        f'<figure><svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
        f'<rect class="axis" x="{left}" y="{top}" width="{SIZE}" height="{SIZE}"/>{ticks}'
        f'<text x="{left + SIZE / 2}" y="{top + SIZE + 34}" text-anchor="middle">{escape(labels[0])}</text>'
        f'<text transform="translate(12 {top + SIZE / 2}) rotate(-90)" text-anchor="middle">{escape(labels[1])}</text>'
        f"{body}</svg><figcaption>{escape(title)}</figcaption></figure>"
    )


def _reliability(calibration: Calibration) -> str:
    (x1, y1), (x2, y2) = _point(0, 0), _point(1, 1)
    largest = max(found.total for found in calibration.bins)
    dots = []
    for found in calibration.bins:
        x, y = _point(found.confidence, found.share)
        radius = 3 + 9 * (found.total / largest) ** 0.5
        note = f"{found.low:.1f} to {found.high:.1f}: {found.total} items, {found.share:.1%} right"
        dots.append(f'<circle class="dot" cx="{x}" cy="{y}" r="{radius:.1f}"><title>{note}</title></circle>')
    body = f'<line class="ideal" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>' + "".join(dots)
    return _frame("Reliability: share right against confidence (area by number)", ("confidence", "share right"), body)


def _coverage(summary: Summary) -> str:
    lines = [("", summary.curve, summary.overall), *((name, s.curve, s.overall) for name, s in summary.beside.items())]
    body = ""
    for index, (name, curve, overall) in enumerate(lines):
        points = " ".join("{},{}".format(*_point(x, y)) for x, y in curve)
        body += f'<polyline class="line line{index}" points="{points}"><title>{escape(name)}</title></polyline>'
        if overall.accepted:
            x, y = _point(overall.accepted / overall.total, overall.accepted_right / overall.accepted)
            body += f'<circle class="mark" cx="{x}" cy="{y}" r="5"><title>{escape(name or "accepted")}</title></circle>'
    title = "Accuracy of the most confident answers against coverage (dot: what is accepted)"
    colours = "".join(f"; {('dashed', 'dotted', 'thin')[min(i, 2)]}: {name}" for i, name in enumerate(summary.beside))
    return _frame(title + (f"; full line: shipped{colours}" if colours else ""), ("coverage", "accuracy"), body)


def _side_by_side(summary: Summary) -> str:
    """Share right per tag, and of what is accepted, for every reader; the shipped one first."""
    columns = {"shipped": summary, **summary.beside}
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("tag", "total", *columns))
    tags = sorted(summary.tags, key=lambda tag: -summary.tags[tag].total)
    rows = [
        _row([tag, str(summary.tags[tag].total), *(f"{c.tags[tag].share:.1%}" for c in columns.values())])
        for tag in tags
    ]
    total = _row(["all", str(summary.overall.total), *(f"{c.overall.share:.1%}" for c in columns.values())])
    accepted = _row(["accepted", "", *(_accepted(c.overall) for c in columns.values())])
    body = f"<tbody>{''.join(rows)}</tbody><tfoot>{total}{accepted}</tfoot>"
    return f"<h2>Side by side</h2><table><thead><tr>{head}</tr></thead>{body}</table>"


def _accepted(tally: Tally) -> str:
    if not tally.accepted:
        return "-"
    return f"{tally.accepted / tally.total:.1%}, right {tally.accepted_right / tally.accepted:.1%}"
