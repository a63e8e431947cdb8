"""A front desk on the reader and the demonstration hospital that ship with the package."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.wire import turn_as_json

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
Talk = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def talk() -> Talk:
    """The turns of one dialogue as JSON."""
    router = hospital_desk().router

    def said(*texts: str) -> list[dict[str, Any]]:
        context, turns = IntentContext(), []
        for text in texts:
            turn = router.turn(context, text, now=NOW)
            context = turn.context
            turns.append(turn_as_json(turn))
        return turns

    return said
