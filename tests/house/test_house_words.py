"""Chinese words stand in data, not in code (CONTRIBUTING, "Data over branches"); how many are left only falls.

Counted are texts with Chinese characters outside docstrings, by package: words that sentences are compared with, and
replies. The bounds stand in `words.yaml`; lower one when you move words into data, never raise one.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

SRC = Path(__file__).parents[2] / "src"
BOUNDS: dict[str, int] = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text(encoding="utf-8"))
SLACK = 60
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def _texts(tree: ast.AST) -> Iterator[str]:
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def _count(folder: Path) -> int:
    files = folder.rglob("*.py") if folder.is_dir() else [folder]
    return sum(
        _CHINESE.search(text) is not None
        for file in files
        for text in _texts(ast.parse(file.read_text(encoding="utf-8")))
    )


@pytest.mark.parametrize("package", BOUNDS)
def test_chinese_literals_in_code_only_become_fewer(package: str) -> None:
    """No more Chinese texts than recorded, and the record is kept near the truth."""
    count = _count(SRC / package)
    assert count <= BOUNDS[package], "put the words into a table beside their reader"
    assert count > BOUNDS[package] - SLACK, f"fewer words stand in code: record {count} in words.yaml"


def test_every_package_has_a_bound() -> None:
    """A new package begins without Chinese words in its code."""
    folders = [path for root in (SRC, SRC / "tingdong") for path in root.iterdir() if path.suffix in ("", ".py")]
    unbound = {path.relative_to(SRC).as_posix() for path in folders if path.name != "tingdong"} - set(BOUNDS)
    assert {name: count for name in sorted(unbound) if (count := _count(SRC / name))} == {}
