"""What tells one of several, and what a condition on how a thing stands is about (service.md, Dialogue; law 2)."""

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[[str, str], Any]


def _changed(talk: Any, *sentences: str) -> dict[str, dict[str, Any]]:
    for sentence in sentences[:-1]:
        talk.say(sentence)
    turn = talk.say(sentences[-1])
    assert turn.scheduled == (), turn.text
    return {one.id: one.state for one in turn.instructs}


@pytest.mark.parametrize(
    ("home", "local", "sentences", "states"),
    [
        (
            "family39",
            "客厅",
            ("空调要是开着就升到二十六，净化器关掉",),
            {"f07": {"target_temp": 26}, "f11": {"power": False}},
        ),
        (
            "flat25",
            "客厅",
            ("卧室空调要是开着就关，儿童房的要是没开就打开",),
            {"dev-14": {"power": False}, "dev-19": {"power": True}},
        ),
        ("xinyuan54", "儿童房", ("热水器没开的话开一下，厨房灯关掉",), {"x13": {"power": False}}),
    ],
)
def test_a_condition_on_the_present_state_is_decided_at_once(
    dialogue: Say, home: str, local: str, sentences: tuple[str, ...], states: dict[str, Any]
) -> None:
    """A condition on the present state of what is acted on waits for nothing, and is none of another clause."""
    assert _changed(dialogue(home, local), *sentences) == states


@pytest.mark.parametrize(
    ("home", "local", "sentences", "states"),
    [
        ("northflat34", "小屋", ("写字灯调暗一点", "我要顶上那个关掉"), {"n18": {"switch": False}}),
        ("flat25", "客厅", ("卧室那盏小的灯打开",), {"dev-12": {"power": True}}),
        ("couple12", "大间", ("主灯调亮点", "大的那个灭了吧"), {"a1": {"power": False}}),
        ("loft30", "楼上主卧", ("床头灯太暗了，亮点", "开着的那个"), {"L24": {"brightness": 30}}),
    ],
)
def test_looks_and_states_tell_one_of_several(
    dialogue: Say, home: str, local: str, sentences: tuple[str, ...], states: dict[str, Any]
) -> None:
    """小的那个, 头顶上那盏, 开着的那个 choose among what was spoken of, what is asked about, and what stands there."""
    assert _changed(dialogue(home, local), *sentences) == states


@pytest.mark.parametrize(
    ("home", "local", "sentences", "facts"),
    [
        ("family39", "客厅", ("电量不到二十的有几个",), ("2个", "15%", "9%")),
        ("hezu24", "公共客厅", ("门锁电量不到一半的有几把",), ("B室门锁6%", "C室门锁35%")),
        ("flat25", "卧室", ("有没有房间超过三十度",), ("厨房31度",)),
        ("family39", "主卧", ("我这屋和爷爷奶奶房哪个热", "差多少度"), ("28度", "23度", "5度")),
    ],
)
def test_limits_and_differences_are_told(
    dialogue: Say, home: str, local: str, sentences: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    """What lies beyond a number is listed with its values; two places are told with their difference."""
    talk = dialogue(home, local)
    told = [talk.say(sentence) for sentence in sentences][-1]
    assert not told.instructs
    assert all(fact in told.text for fact in facts), told.text


@pytest.mark.parametrize("sentence", ["加湿器打开，调到最大", "电视打开，声音开到最小"])
def test_an_extreme_value_describes_no_thing(dialogue: Say, sentence: str) -> None:
    """最大 and 最小 are values of what is spoken of, and never which thing is meant (大的那个)."""
    talk = dialogue("flat25", "客厅")
    named = {one.id for one in dialogue("flat25", "客厅").say(sentence.partition("，")[0]).instructs}
    assert {one.id for one in talk.say(sentence).instructs} == named
