"""The conversation at the top of the READMEs is what happens (a stranger tries that first)."""

import asyncio
import json
import re
from pathlib import Path

import msgspec
import pytest

from tingdong.bootstrap import embedded
from tingdong.client import apply_instructs
from tingdong.home_turn import TurnRequest

ROOT = Path(__file__).parents[2]
HOME = ROOT / "tests" / "corpus" / "homes" / "sample8.json"
LINE = re.compile(r"^你：(.+?)\s+→\s+(.+)$", re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_conversation_happens(name: str) -> None:
    """Said in the kitchen of the sample home, each line gets the answer beside it, and happens before the next."""
    lines = LINE.findall((ROOT / name).read_text(encoding="utf-8"))
    assert len(lines) > 3

    async def play() -> list[str]:
        understander, home = embedded(), json.loads(HOME.read_bytes())
        told = []
        for number, (question, _) in enumerate(lines):
            raw = json.dumps(home).encode()
            turn = await understander.turn(TurnRequest(str(number), "page", question, home=raw, local="厨房"))
            home = apply_instructs(home, msgspec.to_builtins(turn.instructs))
            told.append(turn.text)
        return told

    assert asyncio.run(play()) == [answer for _, answer in lines]
