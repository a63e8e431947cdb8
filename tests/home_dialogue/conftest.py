"""A dialogue as a client would hold it: the home's state follows the instructs of every turn."""

import asyncio
import copy
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tingdong.commands import LocalParser
from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.reader import SentenceReader, sentence_reader
from tingdong.stores import MemoryPageStore

CORPUS = Path(__file__).parent.parent / "corpus"
NOW = datetime(2026, 11, 22, 20, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
HOMES = (CORPUS / "homes", CORPUS / "live" / "homes", CORPUS / "live" / "homes_b")
PARSER = LocalParser()


class Dialogue:
    """One page; `home` is the home object with its present state, `local` where the speaker stands."""

    def __init__(self, home: dict[str, Any], local: str, parser: SentenceReader | LocalParser = PARSER) -> None:
        self.home = home
        self.local = local
        self._served = Understander(MemoryPageStore(), local=parser)
        self._count = 0

    def say(self, question: str) -> Turn:
        """The turn; what it sends to be done now is done."""
        self._count += 1
        home = json.dumps(self.home, ensure_ascii=False).encode()
        turn = asyncio.run(
            self._served.turn(TurnRequest(str(self._count), "p", question, home=home, local=self.local, now=NOW))
        )
        for instruct in turn.instructs:
            if instruct.state:  # a scene has none
                self.state(instruct.id).update(instruct.state)
        return turn

    def state(self, device_id: str) -> dict[str, Any]:
        """The device's present state."""
        device = next(one for one in self.home["devices"] if one["id"] == device_id)
        state: dict[str, Any] = device["device"].setdefault("state", {})
        return state


@pytest.fixture(scope="session")
def held() -> Callable[[str, str], Dialogue]:
    """A new dialogue in one of the homes of the open sets, with the learned reader, as it is served."""
    known = {path.stem: path for folder in HOMES for path in folder.glob("*.json")}
    return lambda home, local: Dialogue(json.loads(known[home].read_bytes()), local, sentence_reader())


@pytest.fixture(scope="session")
def dialogue() -> Callable[[str | dict[str, Any], str], Dialogue]:
    """A new dialogue in one of the homes of the open sets, or in a home of the test's own."""
    known = {path.stem: json.loads(path.read_bytes()) for folder in HOMES for path in folder.glob("*.json")}
    return lambda home, local: Dialogue(copy.deepcopy(known[home] if isinstance(home, str) else home), local)
