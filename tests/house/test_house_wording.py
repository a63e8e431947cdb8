"""Docstrings and names are plain: they say something, in words that a reader of this repository knows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [path for top in ("src", "tests", "bench", "examples") for path in sorted((ROOT / top).rglob("*.py"))]
CITED = re.compile(r"(?:commands|retrieval|service|hospital|zhtext|index)\.md(?:, (?:[A-Z][^:.,;]*|`[^`]+`))?")
OF_THE_REQUIREMENTS = re.compile(r"\b[Ss]eeds? 00\d|\bthe seed's\b|(?:^|_)seeds?_00\d|_the_seeds?\b")
"""The requirements by their own name: they are not in the repository (docs/conformance.md alone tells of them)."""


def _told(path: Path) -> Iterator[tuple[str, str]]:
    """Names and docstrings of a module, its classes and functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield getattr(node, "name", path.stem), " ".join((ast.get_docstring(node) or "").split())


@pytest.mark.parametrize("top", ["src", "tests", "bench", "examples"])
def test_a_docstring_is_more_than_a_citation(top: str) -> None:
    """A page that is cited comes with a sentence, and what is opened by a sign is closed by one."""
    told = [(path, *one) for path in FILES if path.is_relative_to(ROOT / top) for one in _told(path)]
    assert [(path.name, name) for path, name, text in told if text and not re.search(r"\w", CITED.sub("", text))] == []
    assert [(path.name, name) for path, name, text in told if text.replace("```", "").count("`") % 2] == []


def test_requirements_are_not_called_by_a_private_name() -> None:
    """Pages of docs/protocol are cited, which everybody has."""
    outside = [path for path in FILES if "conformance" not in path.parts]
    found = [
        (path.name, name) for path in outside for one in _told(path) for name in one if OF_THE_REQUIREMENTS.search(name)
    ]
    assert found == []
