"""What the packages import is what pyproject.toml asks for: the base install, or an extra."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OWN = {"tingdong", "context_retrieval", "zhtext", *sys.stdlib_module_names}
CALLED = {"yaml": "pyyaml", "jwt": "pyjwt", "opentelemetry": "opentelemetry-api"}
"""Modules whose package has another name."""


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


def _names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


def test_every_import_is_asked_for() -> None:
    """A package that the code imports stands among the requirements; one that it imports no more does not."""
    asked = _names(PROJECT["dependencies"]).union(*map(_names, PROJECT["optional-dependencies"].values()))
    found = {
        CALLED.get(name, name.replace("_", "-")): path
        for path in (ROOT / "src").rglob("*.py")
        for name in {one.partition(".")[0] for one in _imported(path)} - OWN
    }
    assert {name: str(path.relative_to(ROOT)) for name, path in found.items() if name not in asked} == {}
    assert _names(PROJECT["dependencies"]) <= set(found)
