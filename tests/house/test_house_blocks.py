"""Every code block of every page runs, in order, from a clean folder, as printed (`run_page.py` says how)."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("integrations/**/README.md")])
COMMENT = re.compile(r"(?:^|(?<=\s\s))#\s.*$", re.MULTILINE)
NOT_OURS = {"node_modules", ".venv-home-assistant"}
OWN_NETWORK = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
"""A network of its own for each page: its ports are free, and nothing outside can be reached."""


def _runner() -> Any:
    spec = importlib.util.spec_from_file_location("run_page", HERE / "run_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run_page = _runner()


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _runs(page: Path) -> bool:
    english = page.with_name(page.name.replace(".zh-CN", ""))
    if english != page and _code(english) == _code(page):
        return False  # the same code runs with the English page
    skipped = tuple(run_page.exempted(_name(page)))
    blocks = (one for one in run_page.blocks(page) if one.language not in run_page.NO_CODE)
    return any(not one.first.startswith(skipped) for one in blocks)


def _code(page: Path) -> list[Any]:
    """The blocks of a page without comments, which a twin may translate."""
    return [(one.language, COMMENT.sub("", one.code), one.file) for one in run_page.blocks(page)]


@cache
def _own_network() -> list[str]:
    able = shutil.which("unshare") and shutil.which("ip")
    if able and subprocess.run([*OWN_NETWORK, "true"], capture_output=True, check=False).returncode == 0:
        return OWN_NETWORK
    return []


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """A folder that looks like a fresh clone after `make run`: what is tracked, and the environment."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    tops = {line.partition("/")[0] for line in tracked.splitlines()} or {one.name for one in ROOT.iterdir()}
    for top in tops - {".gitignore"}:
        (tmp_path / top).symlink_to(ROOT / top)
    places = tmp_path / ".venv" / "bin"
    places.mkdir(parents=True)
    for script in Path(sys.executable).parent.iterdir():
        (places / script.name).symlink_to(script)
    shutil.copy(Path(sys.executable).parents[1] / "pyvenv.cfg", tmp_path / ".venv" / "pyvenv.cfg")
    (tmp_path / ".venv" / "lib").symlink_to(Path(sys.executable).parents[1] / "lib")
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if _runs(page) and not NOT_OURS & {*page.parts}], ids=_name)
def test_the_blocks_of_a_page_run(page: Path, clean: Path) -> None:
    """In the order of the page, from a clean folder; a block that does not run says what happened."""
    environment = {**os.environ, "PATH": f"{clean}/.venv/bin{os.pathsep}{os.environ['PATH']}"}
    environment["PYTHONPATH"] = str(ROOT / "src")
    command = [*_own_network(), sys.executable, str(HERE / "run_page.py"), str(page), _name(page)]
    done = subprocess.run(command, cwd=clean, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_exempted_block_exists() -> None:
    """A row of blocks.yaml names a page and how a block of it begins, and says why."""
    table = yaml.safe_load((HERE / "blocks.yaml").read_text(encoding="utf-8"))
    for page, rows in table.items():
        firsts = [block.first for block in run_page.blocks(ROOT / page)]
        assert [row for row in rows if not any(first.startswith(row) for first in firsts)] == [], page
        assert all(len(reason) > 15 for reason in rows.values()), page


def test_the_javascript_example_is_the_one_that_runs() -> None:
    """docs/javascript.md shows the package's own example, which Node runs (tests/bridges)."""
    pages = [ROOT / "docs" / "javascript.md", ROOT / "integrations" / "javascript" / "README.md"]
    told = [[block.code for block in run_page.blocks(page) if block.language == "js"] for page in pages]
    assert told[0] == told[1]
    assert len(told[0]) == 1
