"""Builds the documentation site into `site/`: `make site`. Nothing is fetched while building.

The pages are those of `docs/` and of the root, with links that lead out of them turned into names; the API reference
is made of the docstrings, a page for each module below. The site stands in Chinese at its root and in English below
`en/` (mkdocs-static-i18n); a page without a Chinese twin is the English one in both. Afterwards every built page is
read: it must fetch no script, font or picture from elsewhere.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
STAGE = ROOT / "build" / "site"
SITE = ROOT / "site"
QUIET = {"NO_MKDOCS_2_WARNING": "1"}
ROOT_PAGES = {
    "README.md": "readme.md",
    "README.zh-CN.md": "readme.zh-CN.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
API = {
    "Retrieval": ["pipeline", "catalog", "models", "injection", "state", "ir_compiler", "embedders", "lexicon"],
    "Python": ["api.sentences", "api.homes", "api.desks"],
    "Commands": ["commands.local_parser", "commands.codec", "commands.reading", "commands.llm_parser"],
    "Bridges": [
        "bridges.agent_tools",
        "bridges.home_tools",
        "bridges.system_prompt",
        "bridges.embedded_llm",
        "bridges.answers",
        "bridges.mcp_server",
        "bridges.converting",
        "bridges.wyoming_handler",
    ],
    "Service": ["home_turn", "bootstrap", "client", "client.client", "client.conversation", "settings", "errors"],
    "Home": ["home.document", "home.model", "home.shape", "home.plan"],
    "Front desk": ["front_desk.router", "front_desk.model", "front_desk.domain", "front_desk.desk"],
}
CHINESE = ".zh-CN"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "use": "href"}
OUTSIDE = re.compile(r"(?:https?:)?//")
IN_STYLE = re.compile(r"(?:url\(|@import\s)\s*[\"']?((?:https?:)?//[^\"')\s]+)")


def main() -> int:
    """0 when the site stands and asks nobody; 1 with what it would fetch."""
    stage()
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=ROOT,
        env={**os.environ, **QUIET},
        check=False,
    )
    if done.returncode:
        return done.returncode
    strangers = sorted(fetched())
    sys.stdout.write("".join(f"fetches {url} in {page}\n" for page, url in strangers))
    return 1 if strangers else 0


def stage() -> None:
    """Pages, pictures and the API's pages into one folder; every page in the navigation or below `api/`."""
    shutil.rmtree(STAGE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", STAGE, ignore=shutil.ignore_patterns("*.py", "*.yaml", "__pycache__"))
    for name, page in ROOT_PAGES.items():
        (STAGE / page).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    for page in STAGE.rglob("*.md"):
        source = next((ROOT / name for name, to in ROOT_PAGES.items() if STAGE / to == page), None)
        origin = source or ROOT / "docs" / page.relative_to(STAGE)
        page.write_text(_relinked(page.read_text(encoding="utf-8"), origin, page), encoding="utf-8")
    pages = "\n" + "".join(_api_pages())
    for index in (STAGE / "index.md", STAGE / "index.zh-CN.md"):
        index.write_text(index.read_text(encoding="utf-8") + pages, encoding="utf-8")
    for chinese in STAGE.rglob(f"*{CHINESE}.md"):
        _as_languages(chinese)


def _as_languages(chinese: Path) -> None:
    """Names a page and its twin as the site's plugin wants them: `page.en.md` is English, `page.zh.md` Chinese.

    A link between pages of one language names `page.md` there; the switch of languages is the site's.
    """
    english = chinese.with_name(chinese.name.replace(CHINESE, ""))
    english.rename(english.with_suffix(".en.md"))
    text = chinese.read_text(encoding="utf-8")
    chinese.with_name(english.name).with_suffix(".zh.md").write_text(text.replace(f"{CHINESE}.md", ".md"), "utf-8")
    chinese.unlink()


def fetched() -> Iterator[tuple[str, str]]:
    """What the built site would ask of others: page and address."""
    for page in SITE.rglob("*.html"):
        reader = _Reader()
        reader.feed(page.read_text(encoding="utf-8"))
        yield from ((str(page.relative_to(SITE)), url) for url in reader.found)
    for sheet in SITE.rglob("*.css"):
        found = IN_STYLE.findall(sheet.read_text(encoding="utf-8"))
        yield from ((str(sheet.relative_to(SITE)), url) for url in found)


class _Reader(HTMLParser):
    """Addresses that a browser fetches by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        url = values.get(FETCHED.get(tag, ""))
        is_page = tag == "link" and values.get("rel") in ("canonical", "prev", "next", "alternate")
        if url and OUTSIDE.match(url) and not is_page:
            self.found.append(url)


def _relinked(text: str, origin: Path, page: Path) -> str:
    """Links between pages as the site has them; a link to a file that is no page becomes its name."""

    def link(match: re.Match[str]) -> str:
        mark, title, target, anchor = match.groups()
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        place = (origin.parent / target).resolve()
        staged = _staged(place)
        if staged is None:
            return f"`{place.relative_to(ROOT) if place.is_relative_to(ROOT) else target}`" if not mark else title
        return f"{mark}[{title}]({_steps(staged, page.parent)}{anchor or ''})"

    parts, at = [], 0
    for fence in FENCE.finditer(text):  # what stands in a code block is no link
        parts += [LINK.sub(link, text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, LINK.sub(link, text[at:])])


def _staged(place: Path) -> Path | None:
    """Where a file of the repository stands in the site."""
    if place.parent == ROOT and place.name in ROOT_PAGES:
        return STAGE / ROOT_PAGES[place.name]
    docs = ROOT / "docs"
    if place.is_relative_to(docs) and place.is_file() and place.suffix != ".py":
        return STAGE / place.relative_to(docs)
    return None


def _steps(target: Path, start: Path) -> str:
    ups = 0
    while not target.is_relative_to(start):
        start, ups = start.parent, ups + 1
    return "../" * ups + target.relative_to(start).as_posix()


def _api_pages() -> Iterator[str]:
    """A page for each module, and the list of them for the index."""
    (STAGE / "api").mkdir()
    yield "\n## API reference\n\n"
    for title, modules in API.items():
        names = [f"context_retrieval.{one}" if title == "Retrieval" else f"tingdong.{one}" for one in modules]
        for name in names:
            (STAGE / "api" / f"{name}.md").write_text(f"# {name}\n\n::: {name}\n", encoding="utf-8")
        links = " · ".join(f"[{name.rpartition('.')[2]}](api/{name}.md)" for name in names)
        yield f"- {title}: {links}\n"


if __name__ == "__main__":
    raise SystemExit(main())
