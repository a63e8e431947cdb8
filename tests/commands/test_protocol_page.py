"""The page of the protocol reads as the parser does (docs/protocol/commands.md)."""

import re
from pathlib import Path

import pytest

from tingdong.reader import sentence_reader

PAGES = sorted((Path(__file__).parents[2] / "docs" / "protocol").glob("commands*.md"))
ROW = re.compile(r"^\| ([^|`]+) \| ((?:`[^`|]+#[^`|]+`[,、 ]*)+) \|$", re.MULTILINE)
BESIDE = re.compile(r"([\u4e00-\u9fff0-9%，]+) → (`[^`]+-[^`]+-[^`]+#[^`]+`)")
PARSER = sentence_reader()


def _examples() -> list[tuple[str, tuple[str, ...]]]:
    """Sentences of the pages with the commands beside them."""
    found = [pair for page in PAGES for way in (ROW, BESIDE) for pair in way.findall(page.read_text("utf-8"))]
    return sorted({(text.strip(), tuple(re.findall(r"`([^`]+)`", told))) for text, told in found})


@pytest.mark.parametrize(("text", "commands"), _examples())
def test_the_examples_of_the_page_are_read_so(text: str, commands: tuple[str, ...]) -> None:
    """Every sentence that stands beside commands, in either language, is read as these."""
    assert tuple(str(command) for command in PARSER.read(text).commands) == commands


def test_the_page_has_examples() -> None:
    """An edit of the page that hides its examples from the test above is seen."""
    assert len(_examples()) >= 10
