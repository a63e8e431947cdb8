"""The conversation at the top of the READMEs is what happens (issue of trust: a stranger tries it first)."""

import asyncio
import re
from pathlib import Path

import pytest

from tingdong.bootstrap import embedded
from tingdong.understand import TurnRequest

ROOT = Path(__file__).parents[2]
HOME = ROOT / "tests" / "corpus" / "homes" / "sample8.json"
LINE = re.compile(r"^你：(.+?)\s+→\s+(.+)$", re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_conversation_happens(name: str) -> None:
    """Said in the kitchen of the sample home, each line gets the answer that stands beside it."""
    lines = LINE.findall((ROOT / name).read_text(encoding="utf-8"))
    assert len(lines) > 3

    async def play() -> list[str]:
        understander, home = embedded(), HOME.read_bytes()
        return [
            (await understander.turn(TurnRequest(str(number), "page", question, home=home, local="厨房"))).text
            for number, (question, _) in enumerate(lines)
        ]

    assert asyncio.run(play()) == [answer for _, answer in lines]
