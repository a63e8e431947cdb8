"""What is released: the same bytes from the same commit, typed, whole (`make dist` also tries it in a clean place)."""

import importlib.util
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def release() -> Any:
    spec = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_builds_are_the_same_and_whole(release: Any, tmp_path: Path) -> None:
    """Wheels of one commit have the same hash; every package is typed, all data is there (sdist: `make dist`)."""
    tree, epoch = release.committed(tmp_path / "tree")
    first, second = (release.build(tree, tmp_path / name, epoch, "wheel") for name in ("first", "second"))
    assert len(first) == 1
    assert first == second
    (wheel,) = (tmp_path / "first").glob("*.whl")
    assert release.wheel_faults(wheel, tree) == []


def test_an_incomplete_wheel_is_detected(release: Any, tmp_path: Path) -> None:
    """The check itself can fail: a missing data file, a package without types, a stranger."""
    tree = tmp_path / "tree"
    (tree / "src" / "tingdong" / "data").mkdir(parents=True)
    (tree / "src" / "tingdong" / "data" / "x.yaml").write_text("a: 1\n")
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("stranger/__init__.py", "")
        archive.writestr("zhtext/py.typed", "")
    faults = release.wheel_faults(wheel, tree)
    assert "the wheel lacks tingdong/data/x.yaml" in faults
    assert "tingdong is not typed" in faults
    assert "zhtext is not typed" not in faults
    assert "the wheel holds stranger" in faults
