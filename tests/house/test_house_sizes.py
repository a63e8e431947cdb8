"""Sizes a reader can hold in mind: files, functions, parameters, file names (CONTRIBUTING, House rules)."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [path for folder in ("src", "bench", "examples") for path in (ROOT / folder).rglob("*.py")]
FILE_LINES, FUNCTION_LINES, POSITIONAL = 360, 60, 5


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_files_are_short() -> None:
    """A file holds one law: about 300 lines at most."""
    sizes = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {path: lines for path, lines in sizes.items() if lines > FILE_LINES} == {}


def test_functions_are_short() -> None:
    """No function above 60 lines."""
    found = {
        f"{path.relative_to(ROOT)}::{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in SOURCES
        for node in _functions(path)
    }
    assert {name: lines for name, lines in found.items() if lines > FUNCTION_LINES} == {}


def test_functions_take_few_parameters() -> None:
    """At most five positional parameters; what is keyword-only is named where it is called."""
    crowded = [
        f"{path.relative_to(ROOT)}::{node.name}"
        for path in SOURCES
        for node in _functions(path)
        if len([*node.args.posonlyargs, *node.args.args]) > POSITIONAL + 1
    ]
    assert crowded == []


def test_file_names_are_specific() -> None:
    """No drawer for odds and ends."""
    drawers = {"utils.py", "helpers.py", "constants.py", "common.py", "misc.py"}
    assert [path for path in SOURCES if path.name in drawers] == []


def test_modules_have_docstrings() -> None:
    """Every module that holds anything starts with a docstring."""
    silent = [path.relative_to(ROOT) for path in SOURCES if _tree(path).body and not ast.get_docstring(_tree(path))]
    assert silent == []
