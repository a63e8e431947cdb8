"""Every test file runs: top-level files under unittest, files in folders under pytest (architecture, Layout)."""

import ast
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCES = {path.name for path in (TESTS.parent / "src").iterdir()}


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return found | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def _is_test(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return any(name.startswith("test") for name in names)


def test_files_with_tests_are_named_for_the_runners() -> None:
    """A file that defines tests is called test_*.py; under another name neither runner would collect it."""
    strays = [path.name for path in TESTS.rglob("*.py") if _is_test(path) and not path.name.startswith("test_")]
    assert strays == []


def test_test_files_have_unique_names() -> None:
    """importlib mode needs no packages, and a reader finds a test by its file name alone."""
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_folders_are_no_packages_and_shadow_no_source() -> None:
    """`unittest discover -s tests` walks packages and puts tests/ on the path (CONTRIBUTING.md)."""
    assert list(TESTS.rglob("__init__.py")) == []
    assert [path.name for path in TESTS.iterdir() if path.is_dir() and path.name in SOURCES] == []


def test_every_entry_of_the_slow_list_exists() -> None:
    """Each entry of the list in tests/conftest.py names a folder, a file or a test (CONTRIBUTING, Tests)."""
    tree = ast.parse((TESTS / "conftest.py").read_text(encoding="utf-8"))
    assigned = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    for entry in ast.literal_eval(assigned["SLOW"]):
        path, _, name = entry.partition("::")
        assert (TESTS / path).exists(), entry
        assert not name or f"def {name}(" in (TESTS / path).read_text(encoding="utf-8"), entry


def test_top_level_tests_need_the_standard_library_only() -> None:
    """The plain runner has no pytest: the files at the top are plain unittest."""
    for path in TESTS.glob("test_*.py"):
        imports = _imports(path)
        assert "unittest" in imports, path.name
        assert not {name.split(".")[0] for name in imports} & {"pytest", "hypothesis"}, path.name


def test_every_test_says_its_law() -> None:
    """A test's docstring is the requirement in one sentence (CONTRIBUTING, Tests)."""
    silent = [
        f"{path.name}::{node.name}"
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test")
        and not ast.get_docstring(node)
    ]
    assert silent == []
