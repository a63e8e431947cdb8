"""How makers write the two values of a switch and the way a curtain counts (docs/protocol/service.md, Home `model`).

The describe decides, never the order of the choices."""

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[..., Any]


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        # digits of which the describe says which is on (1通 0断, 1已上锁 0未上锁)
        ("老人房", ("关灯",), {"q29": {"sw": "0"}}),
        ("厨房", ("厨房灯打开",), {"q15": {"sw": "1"}}),
        ("门厅", ("把门锁上",), {"q01": {"lockState": "1"}}),
        # true that says it is off (true是待机)
        ("客厅", ("关电视",), {"q09": {"standby": True}}),
        ("客厅", ("关电视", "打开电视"), {"q09": {"standby": False}}),
        # a curtain that counts how far it is closed
        ("客厅", ("把窗帘拉上",), {one: {"close_pct": 100} for one in ("q07", "q08")}),
        ("客厅", ("窗帘开到三成",), {one: {"close_pct": 70} for one in ("q07", "q08")}),
        ("客厅", ("窗帘开到三成", "再开大点"), {one: {"close_pct": 60} for one in ("q07", "q08")}),
        # a motor with a choice for each way is no robot
        ("生活阳台", ("晾衣架放下来",), {"q42": {"action": "down"}}),
        ("生活阳台", ("晾衣架放下来", "升上去"), {"q42": {"action": "up"}}),
        # a number that the describe calls 自动 or 关 is no gear to step to (0自动 1低 2中 3高)
        ("老人房", ("空调打开，风速调到低", "风小点"), {"q31": {"fengsu": "1"}}),
        # what the describe calls a feature, said the short way
        ("客厅", ("把空调辅热关了",), {"q06": {"dianfure": False}}),
    ],
)
def test_the_values_of_a_switch_are_those_of_its_describe(
    held: Say, local: str, sentences: tuple[str, ...], expected: dict[str, dict[str, Any]]
) -> None:
    """On, off, locked and open are what the maker's text says of a value."""
    talk = held("yuzhong41", local)
    for sentence in sentences[:-1]:
        talk.say(sentence)
    assert {one.id: one.state for one in talk.say(sentences[-1]).instructs if one.state} == expected


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        ("客厅", ("电视开着吗",), "是的"),
        ("客厅", ("把窗帘拉上", "窗帘开着吗"), "没有"),
        ("门厅", ("把门锁上", "门锁好了吗"), "已经锁好了"),
    ],
)
def test_answers_read_the_same_values(held: Say, local: str, sentences: tuple[str, ...], expected: str) -> None:
    """What was switched off is told as off, and a curtain drawn as drawn."""
    talk = held("yuzhong41", local)
    for sentence in sentences[:-1]:
        talk.say(sentence)
    assert expected in talk.say(sentences[-1]).text


def test_a_drawn_curtain_opens_again_when_it_is_taken_back(held: Say) -> None:
    """The ledger keeps values as the model counts them, so that undoing sends what stood there."""
    talk = held("yuzhong41", "客厅")
    before = {one.id: one.state for one in talk.say("窗帘开到三成").instructs}
    talk.say("把窗帘拉上")
    assert {one.id: one.state for one in talk.say("撤销").instructs} == before


@pytest.mark.parametrize("said", ["刚才开的都关掉", "刚打开的都关了吧", "你开的都关掉"])
def test_what_was_just_opened_is_what_was_switched_on(held: Say, said: str) -> None:
    """A lamp that was only dimmed was not switched on, and stays."""
    talk = held("gulang36", "茶室")
    talk.say("吊灯调暗一点，投影仪打开，幕布放下来")
    turn = talk.say(said)
    assert "g-5" not in [one.id for one in turn.instructs]
    assert {"turned_on": False} in [one.state for one in turn.instructs]


def test_a_switch_is_the_power_where_true_is_told_as_running(held: Say) -> None:
    """yunxing为true是运行 is the power of a device that has switches for other things as well."""
    talk = held("yuzhong41", "客厅")
    assert "yunxing" in {name for one in talk.say("空调关了").instructs for name in one.state}
    assert {one.id: one.state for one in talk.say("空调打开").instructs} == {"q06": {"yunxing": True}}
