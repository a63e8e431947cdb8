"""Scores are exact counts per leading tag, and calibration is what its formula says (docs/evaluation.md)."""

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from tingdong.errors import BackendError, DataError
from tingdong.evaluate import RunOptions, ScoredItem, is_closed, load, run
from tingdong.evaluate.corpus import Case, overlays
from tingdong.evaluate.html import render
from tingdong.evaluate.report import show
from tingdong.evaluate.runner import guarded
from tingdong.evaluate.score import calibrate, coverage_curve, summarise

OUTCOMES = [
    ScoredItem("1", "single", right=True, confidence=0.95, accepted=True),
    ScoredItem("2", "single", right=False, wrong=("scope",), confidence=0.95, accepted=True),
    ScoredItem("3", "timed", right=True, confidence=0.35, accepted=False),
]


def _write(folder: Path, name: str, *lines: object) -> Path:
    path = folder / name
    path.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    return path


def test_summary_counts_per_leading_tag() -> None:
    """Every figure: right over total, per leading tag and overall; accepted ones apart."""
    summary = summarise("set", OUTCOMES)
    assert (summary.overall.right, summary.overall.total) == (2, 3)
    assert (summary.tags["single"].right, summary.tags["single"].total) == (1, 2)
    assert (summary.overall.accepted, summary.overall.accepted_right) == (2, 1)
    assert summary.fields == {"scope": 1}


def test_calibration_is_brier_and_expected_error() -> None:
    """Brier is the mean square of confidence less outcome; the error weighs each bin by its number."""
    found = calibrate([(1.0, True), (1.0, False), (0.25, False)])
    assert found.brier == pytest.approx((0 + 1 + 0.0625) / 3)
    assert found.error == pytest.approx((2 * 0.5 + 1 * 0.25) / 3)
    assert [(b.low, b.total) for b in found.bins] == [(0.2, 1), (0.9, 2)]


def test_coverage_curve_keeps_the_most_confident_first() -> None:
    """One point a distinct confidence: answers of equal confidence are kept or left together."""
    assert coverage_curve([(0.9, True), (0.5, False), (0.9, False)]) == ((2 / 3, 1 / 2), (1.0, 1 / 3))
    assert coverage_curve([]) == ()


def test_overlays_replace_fields_of_the_answer() -> None:
    """`accept` names only what differs; the rest of the answer stands."""
    gold = {"intent": "answer", "instructs": [], "accept": [{"intent": "question"}]}
    assert list(overlays(gold)) == [
        {"intent": "answer", "instructs": []},
        {"intent": "question", "instructs": []},
    ]


def test_a_broken_set_names_file_and_line(tmp_path: Path) -> None:
    """A line that is no case stops loading and says where."""
    path = tmp_path / "broken.jsonl"
    path.write_text('{"id": "1"}\n\n{"text": "no id"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"broken\.jsonl:3"):
        load(path)


def test_closed_sets_are_known_by_their_name() -> None:
    """CONTRIBUTING, Tests: `*_aside`, `*_check` and `*_third` are scored, never read."""
    assert is_closed(Path("commands_aside.jsonl"))
    assert is_closed(Path("commands_check.jsonl"))
    assert is_closed(Path("commands_third.jsonl"))
    assert not is_closed(Path("commands_second.jsonl"))
    assert not is_closed(Path("commands_dev.jsonl"))


@pytest.mark.parametrize("name", ["open", "secret_aside"])
def test_a_closed_set_leaves_totals_only(tmp_path: Path, name: str) -> None:
    """No sentence of a closed set reaches a report; an open one keeps its failures."""
    path = _write(tmp_path, f"{name}.jsonl", {"id": "1", "text": "悄悄话", "tags": ["single"]})

    def score(case: Case) -> list[ScoredItem]:
        return [ScoredItem(case.id, case.tag, right=False, text=case.raw["text"], confidence=0.5)]

    run([path], lambda: (score, dict), RunOptions(tmp_path / "reports"))
    reports = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "reports").iterdir()}
    assert f"{name}.html" in reports
    assert any("悄悄话" in text for text in reports.values()) is (name == "open")


def test_reports_show_every_figure_and_escape_text() -> None:
    """Table and page carry the same figures; a tag is data and cannot break the page (architecture, law 4)."""
    outcomes = [*OUTCOMES, ScoredItem("4", "<b>", right=True, confidence=0.5)]
    summary = summarise("set", outcomes, {"recall": 0.25})
    page = render(summary)
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert page.count("<svg") == 2
    console = Console(width=120, record=True, file=io.StringIO())
    show(summary, console)
    text = console.export_text()
    for figure in ("75.0%", "recall: 25.0%", "scope 1"):
        assert figure in text


def test_every_turn_of_a_failed_case_counts_as_wrong() -> None:
    """One fault in what is measured costs its own cases, not the run."""

    def score(case: Case) -> list[ScoredItem]:
        raise ZeroDivisionError(case.id)

    single, double = Case("1", ("a",), {"text": "…"}), Case("2", ("b",), {"turns": [{}, {}]})
    outcomes = [*guarded(score)(single), *guarded(score)(double)]
    assert [(outcome.tag, outcome.right, outcome.wrong) for outcome in outcomes] == [
        ("a", False, ("exception",)),
        ("b", False, ("exception",)),
        ("b", False, ("exception",)),
    ]
    assert "ZeroDivisionError: 1" in outcomes[0].got


def test_unreachable_turns_are_not_counted() -> None:
    """A server that is gone ends the run: its silence is no wrong answer."""

    def score(case: Case) -> list[ScoredItem]:
        raise BackendError(case.id)

    with pytest.raises(BackendError):
        guarded(score)(Case("1", ("a",), {}))
