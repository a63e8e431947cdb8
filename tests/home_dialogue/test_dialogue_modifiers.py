"""service.md, Dialogue and Timers: what is said in one clause holds for it, and every clause is accounted for."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.home_dialogue.conftest import Dialogue

Say = Callable[[str | dict[str, Any], str], Dialogue]


def test_a_turn_never_cancels_the_timer_it_sets(dialogue: Say) -> None:
    """Law: what a turn takes back is what stood before it, and never what the turn itself has set."""
    held = dialogue("flat25", "客厅")
    held.say("半小时后关电视")
    held.say("电视那个改成二十分钟后，刚才的作废")
    assert "20分钟后关闭客厅电视" in held.say("有哪些定时").text


def test_a_refusal_beside_an_order_cancels_a_timer(dialogue: Say) -> None:
    """Law: 夜灯别关了, where it is to go off later, cancels that and is not passed over."""
    held = dialogue("flat25", "儿童房")
    held.say("小夜灯十一点关")
    turn = held.say("空调开26度，小夜灯别关了")
    assert [one.id for one in turn.scheduled if one.cancel] == ["dev-18"], turn.text
    assert [one.id for one in turn.instructs] == ["dev-19"], turn.text


def test_a_delay_does_not_apply_to_the_next_clause(dialogue: Say) -> None:
    """Law: 一小时后 is said of one act; what is ordered of another thing behind it is for now."""
    held = dialogue("flat25", "客厅")
    turn = held.say("一个小时后把电视关了，吸顶灯调亮点")
    assert [one.id for one in turn.instructs] == ["dev-1"], turn.text
    assert [one.id for one in turn.scheduled] == ["dev-4"], turn.text


def test_a_time_does_not_apply_to_the_previous_clause(dialogue: Say) -> None:
    """Law: 关了算了 is an order for now, whatever a later clause sets for later."""
    held = dialogue("granny15", "东屋")
    held.say("空调打开，电热毯打开")
    turn = held.say("空调关了算了，电热毯留着，过一个钟头也关")
    assert [one.id for one in turn.instructs] == ["b6"], turn.text
    assert [one.id for one in turn.scheduled] == ["b7"], turn.text


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["玄关门锁好了没，还剩多少电"], "玄关门锁的电量"),
        (["主卧是不是比书房低三度"], "低3度"),
        (["书房多少度，湿度呢", "那主卧呢"], "楼上主卧现在27度"),
    ],
)
def test_a_question_is_answered_for_what_it_names(dialogue: Say, texts: list[str], said: str) -> None:
    """Law 2: what is asked is answered, of the thing that was named, and nothing is done."""
    held = dialogue("loft30", "客厅")
    turns = [held.say(text) for text in texts]
    assert said in turns[-1].text
    assert not turns[-1].instructs, turns[-1].text
