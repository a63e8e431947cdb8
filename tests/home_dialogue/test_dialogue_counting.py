"""So many of a kind (commands.md, Q and N; service.md: the plan picks N and says which): never fewer in silence."""

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[..., Any]
POWER = {"type": "bool", "range": [True, False]}
ROOMS = ("客厅", "卧室", "厨房")
NUMERALS = {2: "两", 3: "三", 4: "四", 5: "五"}


def home_with(*counts: int) -> dict[str, Any]:
    """So many lamps in each of the rooms, all off."""
    model = {"m": {"name": "switch", "describe": "照明灯，可开关。", "property": {"power": POWER}}}
    placed = [(room, number) for room, count in zip(ROOMS, counts, strict=True) for number in range(count)]
    names = ("吸顶灯", "落地灯", "台灯", "壁灯", "吊灯")
    devices = [
        {"id": f"d{index}", "name": names[number], "local": room, "device": {"model": "m", "state": {"power": False}}}
        for index, (room, number) in enumerate(placed)
    ]
    return {"layout": list(ROOMS), "model": model, "devices": devices}


@pytest.mark.parametrize(
    "counts", [(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 1, 2), (4, 0, 0), (0, 2, 2), (3, 1, 1), (0, 1, 0)]
)
@pytest.mark.parametrize("local", ["客厅", "厨房", ""])
@pytest.mark.parametrize("said", ["打开{}盏灯", "客厅开{}盏灯", "随便开{}盏灯"])
def test_a_count_is_met_or_asked_about(dialogue: Say, counts: tuple[int, ...], local: str, said: str) -> None:
    """commands.md, Q and N: exactly so many where they are named, else a question, else all there are and that they are
    fewer."""
    for wanted, numeral in NUMERALS.items():
        home = home_with(*counts)
        turn = dialogue(home, local).say(said.format(numeral))
        done = len(turn.instructs)
        assert done <= wanted
        if turn.kind == "instruct" and done < wanted:
            assert "只有" in turn.text, (wanted, turn.text)
            assert done == (counts[0] if said.startswith("客厅") else sum(counts))
        elif turn.kind != "instruct":
            assert done == 0
            assert turn.kind == "question" or not sum(counts) or (said.startswith("客厅") and not counts[0])


def test_all_of_the_options_takes_every_option(dialogue: Say) -> None:
    """service.md, Dialogue: 都要 takes all that was offered, also where fewer had been counted."""
    held = dialogue(home_with(1, 1, 2), "客厅")
    asked = held.say("打开两盏灯")
    assert asked.kind == "question"
    assert "客厅只有1盏" in asked.text
    assert {one.id for one in held.say("都要").instructs} == {"d0", "d1", "d2", "d3"}
