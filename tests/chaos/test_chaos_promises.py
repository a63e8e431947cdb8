"""The table of promises is true: every test it names is in the file it links to (docs/promises.md)."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text("utf-8")
ROWS = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "---" not in line][1:]
LINKS = re.findall(r"\[`(\w+)`\]\(\.\./([^)]+)\)", PAGE)


def _tests(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_proof_exists() -> None:
    """A link names a test function that is in the file."""
    assert LINKS
    assert [(name, path) for name, path in LINKS if name not in _tests(ROOT / path)] == []


def test_every_promise_has_a_proof() -> None:
    """Each row has three cells, and its last one a test or a target of the Makefile."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for row in ROWS:
        assert len(row) == 3, row
        named = re.findall(r"`make ([a-z-]+)`", row[2])
        assert "test_" in row[2] or named, row
        assert set(named) <= set(targets)


def test_every_test_of_faults_is_a_promise() -> None:
    """What tests/chaos proves is told: each test there is in the table, but those of the table and of the proxy."""
    here = Path(__file__)
    found = {name for path in here.parent.glob("test_*.py") if path != here for name in _tests(path)}
    told = {name for name, _ in LINKS} | {"test_the_proxy_publishes_no_probes"}
    assert {name for name in found if name.startswith("test_")} - told == set()
