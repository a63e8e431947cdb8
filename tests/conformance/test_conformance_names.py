"""docs/conformance.md cannot name a proof that is not there."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

TESTS = Path(__file__).parents[1]
SEEDS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("requirements.yaml").read_text("utf-8")
)
ROWS = [(f"{seed}-{number}", row) for seed, rows in SEEDS.items() for number, row in enumerate(rows, start=1)]


@cache
def defined(path: Path) -> frozenset[str]:
    """The test functions of a file; of a file that does not exist, none."""
    if not path.exists():
        return frozenset()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(one.name for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, kinds))


def missing(reference: str) -> bool:
    """Whether a reference `path::test` leads nowhere."""
    path, _, name = reference.partition("::")
    return not name.startswith("test_") or name not in defined(TESTS / path)


def test_every_seed_is_listed() -> None:
    """The five seeds, each with its requirements."""
    assert list(SEEDS) == ["000", "001", "002", "003", "004"]
    assert all(len(rows) >= 30 for rows in SEEDS.values())


@pytest.mark.parametrize(("number", "row"), ROWS, ids=[number for number, _ in ROWS])
def test_each_requirement_has_its_proof(number: str, row: dict[str, Any]) -> None:
    """Every requirement names its place, what it asks, and at least one test that exists."""
    assert set(row) <= {"where", "asks", "tests", "decided"}
    assert row["where"]
    assert row["asks"]
    assert row["tests"]
    assert [reference for reference in row["tests"] if missing(reference)] == []


@pytest.mark.parametrize(
    "reference",
    ["test_models.py::test_nothing_of_this_name", "nowhere.py::test_wildcard", "test_models.py::wildcard", ""],
)
def test_a_broken_reference_is_detected(reference: str) -> None:
    """The check itself can fail: another file, another name, no test."""
    assert missing(reference)
