"""The open service sets through the use case, in-process; `tingdong eval service` scores them through a real socket."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tingdong.evaluate.corpus import load
from tingdong.evaluate.service import AskedTurn, ServiceReply, ServiceScorer
from tingdong.home_turn import TurnRequest, Understander
from tingdong.stores import MemoryPageStore

CORPUS = Path(__file__).parent.parent / "corpus"


class Desk:
    """Asks the use case as a client would; requests are numbered."""

    def __init__(self) -> None:
        self.understander = Understander(MemoryPageStore())
        self.count = 0

    def ask(self, question: AskedTurn) -> ServiceReply:
        self.count += 1
        request = TurnRequest(
            rid=str(self.count),
            page_id=question.page_id,
            question=question.question,
            instruct=question.instruct,
            home=msgspec.json.encode(question.home),
            local=question.local or "",
            now=datetime.fromisoformat(question.now) if question.now else None,
        )
        turn = asyncio.run(self.understander.turn(request))
        instructs: list[dict[str, Any]] = msgspec.to_builtins(turn.instructs)
        scheduled: list[dict[str, Any]] = msgspec.to_builtins(turn.scheduled)
        return ServiceReply(0, turn.kind.value, turn.text, instructs, scheduled)


@pytest.mark.parametrize("name", ["service_dev", "service_rich_dev", "service_more", "service_more_b"])
def test_the_open_sets_reach_their_minimum(name: str) -> None:
    """The dialogues that the project shows it can hold: at least 85 % of turns right, on each set."""
    desk = Desk()
    homes = {
        path.stem: msgspec.json.decode(path.read_bytes(), type=dict[str, Any]) for path in CORPUS.glob("homes/*.json")
    }
    scorer = ServiceScorer(desk.ask, homes.__getitem__)
    outcomes = [outcome for case in load(CORPUS / f"{name}.jsonl") for outcome in scorer.score(case)]
    right = sum(outcome.right for outcome in outcomes)
    assert right / len(outcomes) >= 0.85, [outcome.text for outcome in outcomes if not outcome.right]
