"""The documentation site's sources hold together (`make site` builds it)."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]


class _Loose(yaml.SafeLoader):
    """Reads `mkdocs.yml` without knowing its tags."""


_Loose.add_multi_constructor("", lambda *_: None)


@pytest.fixture(scope="module")
def builder() -> Any:
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _pages(entry: Any) -> set[str]:
    if isinstance(entry, str):
        return {entry}
    return {page for one in (entry.values() if isinstance(entry, dict) else entry) for page in _pages(one)}


def test_every_page_is_in_the_navigation(builder: Any) -> None:
    """The navigation names all pages of docs/ and the root, each once whatever its languages, and no other."""
    nav = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=_Loose)["nav"]
    docs = ROOT / "docs"
    pages = [*docs.glob("*.md"), *docs.glob("protocol/*.md")]
    written = {str(page.relative_to(docs)) for page in pages} | set(builder.ROOT_PAGES.values())
    assert _pages(nav) == {page for page in written if not page.endswith(".zh-CN.md")}


def test_the_chinese_site_is_the_default(builder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with a Chinese twin is staged in both languages, and the site's root is the Chinese one."""
    languages = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=_Loose)["plugins"][0]["i18n"]
    assert [(one["locale"], one.get("default", False)) for one in languages["languages"]] == [
        ("zh", True),
        ("en", False),
    ]
    monkeypatch.setattr(builder, "STAGE", tmp_path / "site")
    builder.stage()
    assert {page.name for page in builder.STAGE.glob("quickstart*")} == {"quickstart.en.md", "quickstart.zh.md"}
    assert "[快速上手](quickstart.md)" in (builder.STAGE / "index.zh.md").read_text(encoding="utf-8")


def test_the_api_reference_names_modules_with_a_surface(builder: Any) -> None:
    """Each module of the reference exists, says its law, and has something public."""
    for title, modules in builder.API.items():
        for name in modules:
            full = f"context_retrieval.{name}" if title == "Retrieval" else f"tingdong.{name}"
            module = importlib.import_module(full)
            public = [one for one in vars(module).values() if getattr(one, "__module__", "").startswith(full)]
            assert module.__doc__, full
            assert public or module.__all__, full


def test_links_are_the_sites(builder: Any) -> None:
    """Between pages they stay links, out of them they become names; code is left as it is."""
    origin = ROOT / "docs" / "index.md"
    text = "[a](../README.md) [b](cli.md#x) [c](../LICENSE) [d](https://e.org)\n```sh\n[x](../LICENSE)\n```\n"
    staged = builder._relinked(text, origin, builder.STAGE / "index.md")
    assert staged == "[a](readme.md) [b](cli.md#x) `LICENSE` [d](https://e.org)\n```sh\n[x](../LICENSE)\n```\n"
    below = builder._relinked(
        "[a](../service.md)", ROOT / "docs" / "decisions" / "0.md", builder.STAGE / "decisions" / "0.md"
    )
    assert below == "[a](../service.md)"


def test_external_resources_of_a_page_are_found(builder: Any) -> None:
    """A script, a font or a picture of somebody else counts; a link that a reader may follow does not."""
    reader = builder._Reader()
    reader.feed('<script src="https://cdn.example/x.js"></script><img src="a.png"><a href="https://e.org">e</a>')
    reader.feed('<link rel="stylesheet" href="//fonts.example/css"><link rel="canonical" href="https://us.example">')
    assert reader.found == ["https://cdn.example/x.js", "//fonts.example/css"]
