"""The language model in the use case: asked only where the dialogue is open (service.md, Scene)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from context_retrieval.models import Action, Command, DeviceType, Quantifier, Scope, Target
from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.consult import Consultation
from tingdong.errors import BackendTimeout
from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.llm import Budget, TierChain
from tingdong.stores import MemoryPageStore

OPEN = Command(Action("打开"), Scope(), Target("*", DeviceType.LIGHT, Quantifier.ALL))
HOME = (Path(__file__).parent.parent / "corpus" / "homes" / "sample8.json").read_bytes()


class Unsure:
    """A local tier that abstains from everything."""

    def read(self, text: str, names: NameTable | None = None) -> Reading:
        return Reading(text, verdict=Verdict.ABSTAIN, reason="unsure")


class Sure:
    """A local tier that is sure of what it was told."""

    def __init__(self, *commands: Command) -> None:
        self.commands = commands

    def read(self, text: str, names: NameTable | None = None) -> Reading:
        return Reading(text, self.commands, 0.99, verdict=Verdict.ACCEPT)


class Told:
    """A model tier that answers what it was told, and notes what it was asked."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.asked: list[str] = []

    async def read(self, local: Reading, budget: Budget, names: NameTable | None = None) -> Reading:
        self.asked.append(local.text)
        return self.reading


def served(local: Unsure | Sure, *readers: Told, **options: Any) -> Understander:
    """A use case with these tiers."""
    language = Consultation(TierChain(lambda: Budget(5.0), **options), readers)
    return Understander(MemoryPageStore(), local=local, language=language)


def ask(understander: Understander, text: str, rid: str = "r") -> Turn:
    return asyncio.run(understander.turn(TurnRequest(rid, "page", text, home=HOME, local="客厅")))


def test_the_model_reads_what_the_local_tier_cannot() -> None:
    """An abstaining local tier hands over; the model's commands take the same way to instructs."""
    model = Told(Reading("", (OPEN,), 0.9, "llm", Verdict.ACCEPT))
    turn = ask(served(Unsure(), model), "小牛，给点光")
    assert [instruct.id for instruct in turn.instructs] == ["dev-1"]
    assert model.asked == ["，给点光"]


def test_a_model_cannot_reach_beyond_the_home() -> None:
    """Laws 1 and 3: a room that the model invents yields no instruct."""
    invented = Command(Action("打开"), Scope(("书房",)), Target("*", DeviceType.LIGHT, Quantifier.ALL))
    model = Told(Reading("", (invented,), 0.9, "llm", Verdict.ACCEPT))
    turn = ask(served(Unsure(), model), "给点光")
    assert turn.instructs == ()
    assert "书房" in turn.text


def test_a_sure_local_reading_asks_nobody() -> None:
    """A language model is optional: where the local tier is sure it is not asked."""
    model = Told(Reading("", verdict=Verdict.REJECT))
    turn = ask(served(Sure(OPEN), model), "打开客厅灯")
    assert (model.asked, turn.kind) == ([], "instruct")


def test_another_addressee_reaches_no_model() -> None:
    """What is not for us is read by nobody (service.md, Token frame)."""
    model = Told(Reading("", (OPEN,), 0.9, "llm", Verdict.ACCEPT))
    assert ask(served(Unsure(), model), "小爱，给点光").kind == "none"
    assert model.asked == []


def test_a_late_model_without_a_local_answer_is_told() -> None:
    """service.md: 504 when the model is late and there is no local answer; the page stays as it was."""
    model = Told(Reading("", reason=BackendTimeout.code))
    understander = served(Unsure(), model)
    with pytest.raises(BackendTimeout):
        ask(understander, "给点光")
    model.reading = Reading("", (OPEN,), 0.9, "llm", Verdict.ACCEPT)
    assert not ask(understander, "给点光").replayed


def test_every_turn_can_be_explained() -> None:
    """The decision says who was called, which rule answered, what each command resolved to, and the stages' time."""
    decision = ask(Understander(MemoryPageStore()), "小牛，打开灯").decision
    assert decision is not None
    assert (decision.addressee, decision.rule) == ("us", "requested")
    assert [(finding.status, finding.ids) for finding in decision.findings] == [("found", ("dev-1",))]
    assert {"home", "read", "step", "commit"} <= set(decision.microseconds)
    assert json.loads(json.dumps(decision.microseconds))
