"""Documents that cannot lie: examples run, links lead somewhere, generated parts are fresh, the READMEs are twins."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TOLD_ONCE = [page for page in PAGES if page.name != "README.zh-CN.md"]
"""Pages whose examples run; those of the Chinese README are the same (test_the_two_readmes_are_twins)."""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def _blocks(page: Path, language: str) -> list[str]:
    return [code for found, code in BLOCK.findall(page.read_text(encoding="utf-8")) if found == language]


def _names(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in TOLD_ONCE if _blocks(page, "python")], ids=_names)
def test_python_examples_run(page: Path) -> None:
    """The Python blocks of a page run in order, in one bare process, from the root of the repository."""
    code = "\n".join(_blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [page for page in TOLD_ONCE if _blocks(page, "console")], ids=_names)
def test_console_examples_say_what_happens(page: Path) -> None:
    """A console block is `$ command` lines with exactly the output they give (`…` stands for anything)."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in _blocks(page, "console"):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = session.partition("\n")
            environment = {**os.environ, "PATH": path}
            done = subprocess.run(
                ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
            )
            pattern = re.escape(expected.strip()).replace("…", ".*?")
            assert re.fullmatch(pattern, done.stdout.strip(), re.DOTALL), (command, done.stdout, done.stderr)


@pytest.mark.parametrize("page", PAGES, ids=_names)
def test_links_lead_to_files(page: Path) -> None:
    """A relative link names a file or folder of the repository."""
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_index_leads_to_every_page() -> None:
    """docs/index.md names every page beside it."""
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in ROOT.glob("docs/*.md") if page.name != "index.md" and page.name not in text] == []


def test_generated_parts_are_fresh() -> None:
    """What `docs/refresh.py` writes is what stands there: options, settings and errors as the code has them."""
    done = subprocess.run(
        [sys.executable, "docs/refresh.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _outline(page: Path) -> list[str]:
    """Heading levels, table widths and code blocks (comments aside) in order."""
    found: list[str] = []
    fence = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fence = "" if fence else line
            found.append(line)
        elif fence:
            found.append(line.split("#")[0].rstrip())
        elif line.startswith("#"):
            found.append(line.split()[0])
        elif line.startswith("| ---"):
            found.append(line)
    return found


def test_the_two_readmes_are_twins() -> None:
    """README.md and README.zh-CN.md have the same outline, tables and code; comments in code may be translated."""
    assert _outline(ROOT / "README.md") == _outline(ROOT / "README.zh-CN.md")


def _figures(page: Path) -> list[str]:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return sorted(re.findall(r"\d+(?:\.\d+)?(?= ?(?:%|×|ms|µs|MB))", prose))


def test_the_two_readmes_give_the_same_figures() -> None:
    """A measured figure stands in both languages or in none."""
    assert _figures(ROOT / "README.md") == _figures(ROOT / "README.zh-CN.md")


PRIVATE = re.compile(r"/work/|farm-|localhost:\d+/simple|pypi")


@pytest.mark.parametrize("page", PAGES, ids=_names)
def test_no_page_names_a_private_place(page: Path) -> None:
    """Documents are read by strangers: no path of one machine, no registry host."""
    assert PRIVATE.findall(page.read_text(encoding="utf-8")) == []
