"""service.md, Dialogue: what a clause of the turn leaves alone stays, and 另外 is what is left of a list."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.home_dialogue.conftest import Dialogue

Say = Callable[[str | dict[str, Any], str], Dialogue]

LEFT = ("别动", "就这样", "不变", "不用改")


@pytest.mark.parametrize("left", LEFT)
def test_a_correction_puts_back_nothing_that_is_left_alone(dialogue: Say, left: str) -> None:
    """Law: what a clause leaves as it is stays, also where another clause puts the turn before right."""
    held = dialogue("loft30", "书房")
    held.say("空调打开，新风打开，调到中档")
    before = dict(held.state("L21"))
    turn = held.say(f"调成低档吧，我说的是新风机，空调{left}")
    assert held.state("L21") == before, turn.text
    assert held.state("L22")["speed"] == "low", turn.text


def test_a_thing_named_again_in_a_correction_is_the_one_just_spoken_of(dialogue: Say) -> None:
    """Law: of several of a kind, 再打开 is for the one that the turn before switched off, and for no spared one."""
    held = dialogue("flat25", "客厅")
    held.say("卧室空调关了")
    turn = held.say("不对，空调再打开，灯就这样")
    assert [one.id for one in turn.instructs] == ["dev-14"], turn.text


@pytest.mark.parametrize(
    ("texts", "off"),
    [
        (["哪些灯亮着", "厨房那盏留着，另外两盏关了"], {"dev-1", "dev-18"}),
        (["哪些灯亮着", "厨房那盏关了", "另外两盏也关了"], {"dev-1", "dev-18"}),
    ],
)
def test_the_others_of_a_list_exclude_those_already_named(dialogue: Say, texts: list[str], off: set[str]) -> None:
    """Law: 另外 is a set: those told of, without those that were named or spared since."""
    held = dialogue("flat25", "卧室")
    turns = [held.say(text) for text in texts]
    assert {one.id for one in turns[-1].instructs} == off, turns[-1].text


def test_more_others_than_are_counted_are_asked_about(dialogue: Say) -> None:
    """Law: 另外一盏, where two are left, is asked about and none is switched."""
    held = dialogue("flat25", "卧室")
    held.say("哪些灯亮着")
    turn = held.say("厨房那盏留着，另外一盏关了")
    assert (turn.kind, turn.instructs) == ("question", ()), turn.text


@pytest.mark.parametrize("order", ["关灯", "开空调", "把窗帘拉上", "床头灯调到50%"])
@pytest.mark.parametrize("denial", ["不用", "不要", "别", "不必"])
def test_a_bare_denial_takes_back_the_order_before_it(dialogue: Say, order: str, denial: str) -> None:
    """Law 2: 关灯？不用 is refused in the same breath, whatever sign stands between."""
    for sign in "？，。":
        turn = dialogue("grandma22", "大屋").say(f"{order}{sign}{denial}")
        assert turn.instructs == (), turn.text


@pytest.mark.parametrize(
    "told",
    [
        "空调吹得慌",
        "空调吹得我头疼",
        "空调开了一晚上",
        "窗帘被风吹开了",
        "电视没声音",
        "天黑了记得开灯",
        "以后进门就开灯",
        "出门前要关灯",
        "灯开了也不亮",
        "还好关了灯",
        "关灯还早呢",
        "幸亏你关了空调",
    ],
)
def test_statements_and_conditions_switch_nothing(dialogue: Say, told: str) -> None:
    """Law 2: how a thing works, what came about and what is for another time is no order for now."""
    turn = dialogue("grandma22", "大屋").say(told)
    assert not any(name in one.state for one in turn.instructs for name in ("power", "mute", "position")), turn.text
