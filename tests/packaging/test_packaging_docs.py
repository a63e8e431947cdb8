"""Blocks of the documents that are neither Python nor console: data is what it says, JavaScript runs elsewhere."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tingdong.bridges.platforms.table import load_table
from tingdong.home.cache import load_parsed_home

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def _blocks(language: str) -> list[Any]:
    return [
        pytest.param(code, id=f"{page.relative_to(ROOT)}-{number}")
        for page in PAGES
        for number, (found, code) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
        if found == language and "…" not in code
    ]


@pytest.mark.parametrize("code", _blocks("json"))
def test_json_in_a_document_is_json(code: str) -> None:
    """What looks like a home is a home (seed 004 §4.4)."""
    value = json.loads(code)
    if isinstance(value, dict) and {"model", "devices"} <= value.keys():
        load_parsed_home(value)


@pytest.mark.parametrize("code", _blocks("yaml"))
def test_yaml_in_a_document_is_yaml(code: str) -> None:
    """A part of a platform's table passes the table's validator."""
    value = yaml.safe_load(code)
    assert value
    if "parts" in value:
        load_table(yaml.safe_dump({"kinds": {}, **value}), "page")


def test_the_javascript_example_is_the_one_that_runs() -> None:
    """docs/javascript.md shows the package's own example, which Node runs (tests/bridges)."""
    pages = [ROOT / "docs" / "javascript.md", ROOT / "integrations" / "javascript" / "README.md"]
    told = [[code for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == "js"] for page in pages]
    assert told[0] == told[1]
    assert len(told[0]) == 1
