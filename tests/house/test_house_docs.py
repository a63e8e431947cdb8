"""Documents are true: links lead somewhere, generated parts are fresh, twins say the same."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TOLD_ONCE = [page for page in PAGES if not page.name.endswith(".zh-CN.md")]
"""Pages in English; a Chinese twin has the same name with `.zh-CN` before the ending."""
PROTOCOL = [page for page in TOLD_ONCE if page.parent.name == "protocol"]
PROTOCOL_NAMES = {page.name for page in PROTOCOL}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def _names(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=_names)
def test_links_lead_to_files(page: Path) -> None:
    """A relative link names a file or folder of the repository."""
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("language", ["", ".zh-CN"])
def test_the_index_leads_to_every_page(language: str) -> None:
    """The index names every page beside it; the Chinese one names the Chinese twin where there is one."""
    text = (ROOT / "docs" / f"index{language}.md").read_text(encoding="utf-8")
    pages = {page.name for page in TOLD_ONCE if page.parent == ROOT / "docs" and page.name != "index.md"}
    twins = {page.name: page.with_suffix(f"{language}.md").name for page in ROOT.glob("docs/*.md")}
    wanted = {twins[name] if (ROOT / "docs" / twins[name]).exists() else name for name in pages}
    assert {name for name in wanted if f"({name})" not in text} == set()


MUST_HAVE_TWINS = [
    "index",
    "quickstart",
    "home",
    "service",
    "hospital",
    "home-assistant",
    "configuration",
    "glossary",
    "own-words",
    "first-hour",
    "add-a-device-type",
    "tutorial-domain",
    "tutorial-service",
    "python",
    "cli",
    "platforms",
    "playground",
]


@pytest.mark.parametrize("name", [*MUST_HAVE_TWINS, *(f"protocol/{page.stem}" for page in PROTOCOL)])
def test_first_pages_exist_in_chinese_too(name: str) -> None:
    """These pages have a Chinese twin, and the twin leads to Chinese pages where there are some."""
    twin = ROOT / "docs" / f"{name}.zh-CN.md"
    links = LINK.findall(twin.read_text(encoding="utf-8"))
    english = [link for link in links if (twin.parent / link).with_suffix(".zh-CN.md").exists()]
    assert [link for link in english if twin.parent / link != twin.with_name(f"{twin.name.split('.')[0]}.md")] == []
    assert "桢" not in re.sub(r"\| 桢 frame.*", "", twin.read_text(encoding="utf-8"))


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


TWINS = [page for page in PAGES if page.name.endswith(".zh-CN.md")]


@pytest.mark.parametrize("chinese", TWINS, ids=_names)
def test_chinese_and_english_pages_have_the_same_parts(chinese: Path) -> None:
    """A page and its Chinese twin have the same outline, tables and code; comments in code may be translated."""
    english = chinese.with_name(chinese.name.replace(".zh-CN", ""))
    assert _outline(english) == _outline(chinese)
    assert [len(row.split("|")) for row in _rows(english)] == [len(row.split("|")) for row in _rows(chinese)]


def _rows(page: Path) -> list[str]:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [line for line in prose.splitlines() if line.startswith("|")]


_HEADING = r"[A-Z][A-Za-z` ]*|instructs|summary"
CITED = re.compile(
    r"(?<![\w/.*\"-])(?:docs/(?:protocol/|decisions/)?)?([a-z][a-z-]*\.md)\b"
    rf"(?:, [\"`]?({_HEADING}))?((?:, [\"`]?(?:{_HEADING})\b)*)"
)
CODE = ["src", "tests", "bench", "examples", "integrations", "deploy"]
SOURCES = [path for folder in CODE for ending in ("py", "js", "yaml") for path in ROOT.glob(f"{folder}/**/*.{ending}")]
NUMBERED = re.compile(r"\b[Ss]eeds? 00\d|需求 ?00\d|§|\b(?:service|retrieval|commands?) page, ")
TELLS_NUMBERS = {"conformance.md", "index.md", "index.zh-CN.md", "CHANGELOG.md"}
"""Pages that say which requirement stands where."""


def _headings() -> dict[str, list[str]]:
    """Headings by the name of the page; a page of the protocol and one of ours may share a name."""
    found: dict[str, list[str]] = {path.name: [] for path in ROOT.glob("src/**/*.md")}
    for page in PAGES:
        said = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        found.setdefault(page.name.lower(), []).extend(line.replace("`", "").strip() for line in said)
    return found


def _lost(text: str, headings: dict[str, list[str]]) -> Iterator[str]:
    for page, section, more in CITED.findall(re.sub(r"\s*\n\s*(?:[#*/]+ )?", " ", text)):
        known, told = headings.get(page), section.replace("`", "").strip()
        if known is None or (told and not any(told.startswith(heading) for heading in known)):
            yield f"{page}, {told}"
        elif page in PROTOCOL_NAMES:
            further = [one.strip('"` ') for one in more.split(",") if one.strip()]
            yield from (f"{page}, {one}" for one in further if not any(one.startswith(heading) for heading in known))


def test_cited_pages_and_sections_exist() -> None:
    """Who follows "service.md, Retries" finds a page of that name with that heading."""
    headings = _headings()
    lost = {_names(path): [*_lost(path.read_text(encoding="utf-8"), headings)] for path in SOURCES if _is_ours(path)}
    assert {name: cited for name, cited in lost.items() if cited} == {}


def _is_ours(path: Path) -> bool:
    return not {"node_modules", "corpus", "conformance"} & {*path.parts}


def test_requirements_are_cited_by_their_page() -> None:
    """Code and documents name pages that are here; the numbers of the requirements stand on the pages for them."""
    pages = [page for page in PAGES if page.name not in TELLS_NUMBERS]
    texts = [path for path in [*SOURCES, *pages] if _is_ours(path) and path.name != "test_house_docs.py"]
    assert [_names(path) for path in texts if NUMBERED.search(path.read_text(encoding="utf-8"))] == []


def _figures(page: Path) -> list[str]:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return sorted(re.findall(r"\d+(?:\.\d+)?(?= ?(?:%|×|ms|µs|MB))", prose))


def test_the_two_readmes_give_the_same_figures() -> None:
    """A measured figure stands in both languages or in none."""
    assert _figures(ROOT / "README.md") == _figures(ROOT / "README.zh-CN.md")


def test_figures_of_the_readme_stand_in_a_table_that_a_command_makes() -> None:
    """`make figures` writes docs/evaluation.md; the README shows some rows of it, with the same figure and day."""
    made = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (.+) \| (\S+%|\S+ ms)(?: \((\d+)\))? \| (\S+) \|$", (ROOT / "README.md").read_text("utf-8"), re.M
    )
    assert len(rows) > 10
    for what, figure, total, day in rows:
        row = (
            rf"^\| {re.escape(what)} \| \d+ \| {total} \| {figure} \|.*{day} \|$"
            if total
            else rf"\| {figure} \|.*{day}"
        )
        assert re.search(row, made, re.M), what


PRIVATE = re.compile(r"/work/|farm-|localhost:\d+/simple|pypi")


@pytest.mark.parametrize("page", PAGES, ids=_names)
def test_no_page_names_a_path_of_one_machine(page: Path) -> None:
    """Documents are read by strangers: no path of one machine, no registry host."""
    assert PRIVATE.findall(page.read_text(encoding="utf-8")) == []


def test_drawings_name_classes_that_exist() -> None:
    """architecture.md, One request: each participant is a module and a class of it, and no statement ends early."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawings = "".join(re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL))
    drawn = re.findall(r"(?:participant \w+ as|,) (\w+)\.(\w+)", drawings)
    assert len(drawn) > 8
    for module, name in drawn:
        files = list((ROOT / "src" / "tingdong").rglob(f"{module}.py"))
        assert any(re.search(rf"^class {name}\b", file.read_text("utf-8"), re.M) for file in files), f"{module}.{name}"
    assert ";" not in drawings, "mermaid ends a statement there"
