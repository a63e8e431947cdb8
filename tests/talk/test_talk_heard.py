"""What was perhaps said is asked about (architecture, laws: nothing acts on a number that was not heard)."""

import asyncio
from pathlib import Path

from tingdong.bootstrap import embedded
from tingdong.understand import TurnRequest, Understander

HOME = (Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_bytes()


def _say(desk: Understander, *said: str) -> list[tuple[str, str, list[dict[str, object]]]]:
    async def talk() -> list[tuple[str, str, list[dict[str, object]]]]:
        turns = [
            await desk.turn(TurnRequest(rid=str(at), page_id="p", question=text, home=HOME, local="客厅"))
            for at, text in enumerate(said)
        ]
        return [(str(turn.kind), turn.text, [dict(one.state) for one in turn.instructs]) for turn in turns]

    return asyncio.run(talk())


def test_a_number_that_came_twice_is_asked_about_and_a_yes_carries_it_out() -> None:
    """Seed 004 §4: a question, then the instruct."""
    asked, done = _say(embedded(), "客厅空调调到二十五五度", "确认")
    assert asked == ("question", "是说“客厅空调调到二十五度”吗？", [])
    assert (done[0], done[2]) == ("instruct", [{"power": True, "level": 25}])


def test_a_no_drops_it() -> None:
    """算了 leaves the home as it is."""
    asked, dropped = _say(embedded(), "客厅空调调到二十五五度", "算了")
    assert (asked[0], asked[2]) == ("question", [])
    assert (dropped[0], dropped[2]) == ("answer", [])


def test_what_is_repaired_in_silence_acts() -> None:
    """One slip, no question."""
    (turn,) = _say(embedded(), "客厅空条调到二十五度")
    assert (turn[0], turn[2]) == ("instruct", [{"power": True, "level": 25}])
