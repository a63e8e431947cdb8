"""One name, one thing: a class name stands in one module, a set in one module of its package (docs/glossary.md)."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"


def _package(path: Path) -> str:
    parts = path.relative_to(SRC).parts
    return parts[1] if parts[0] == "tingdong" else parts[0]


def test_a_class_name_stands_in_one_module() -> None:
    """A class, private ones too, is known by its name alone."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in SRC.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].add(str(path.relative_to(SRC)))
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


def _sets(path: Path) -> Iterator[str]:
    """Names of the sets, rows and tables that a module defines."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = getattr(node, "value", None)
        made = isinstance(value, ast.Call) and ast.unparse(value.func) in {"frozenset", "set", "tuple", "dict"}
        if made or isinstance(value, (ast.Set, ast.Tuple, ast.List, ast.Dict)):
            yield from (one.id for one in targets if isinstance(one, ast.Name) and one.id.isupper())


def test_a_set_stands_in_one_module() -> None:
    """Within a package a set, row or table of one name is one: it is imported, or the other has another name."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in SRC.rglob("*.py"):
        for name in _sets(path):
            found[_package(path), name].append(path.name)
    assert {key: modules for key, modules in found.items() if len(modules) > 1} == {}


def test_a_public_set_has_a_name_of_its_own() -> None:
    """A set that other modules import has one content, whichever package it comes from."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in SRC.rglob("*.py"):
        for name in _sets(path):
            if not name.startswith("_"):
                found[name].append(str(path.relative_to(SRC)))
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


def test_constants_of_one_package_have_unique_names() -> None:
    """Numbers that one name would confuse (MOST_BESIDE, SURE in `home_dialogue`) stand in one module each."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in (SRC / "tingdong" / "home_dialogue").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Constant, ast.Tuple)):
                names = [one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)]
                for name in names:
                    found["home_dialogue", name].add(path.name)
    assert {name: modules for (_, name), modules in found.items() if len(modules) > 1} == {}
