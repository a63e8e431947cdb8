"""One name, one thing: no class name stands in two packages (docs/glossary.md)."""

import ast
from collections import defaultdict
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"
ONE_IS_THE_OTHER = {"Home": "`tingdong.Home` is a `tingdong.home` home with a dialogue about it"}
"""Names that two packages share, and why."""


def _package(path: Path) -> str:
    parts = path.relative_to(SRC).parts
    return parts[1] if parts[0] == "tingdong" else parts[0]


def test_a_class_name_stands_in_one_package() -> None:
    """A public class is known by its name alone: no other package has one of that name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in SRC.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(_package(path))
    assert {name: packages for name, packages in found.items() if len(packages) > 1}.keys() == ONE_IS_THE_OTHER.keys()
