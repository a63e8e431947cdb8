"""Clauses of different purposes, what a thing has by its own words, and what it can be told (seed 004 §4.2, §4.4)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tingdong.home.model import ReplyKind

Say = Callable[[str | dict[str, Any], str], Any]
HOMES = Path(__file__).parents[1] / "corpus" / "live" / "homes"


def home(name: str) -> dict[str, Any]:
    """A home with the devices of today: washer, coffee machine, feeder, fresh air, rack."""
    found: dict[str, Any] = json.loads((HOMES / f"{name}.json").read_bytes())
    return found


def sent(turn: Any) -> dict[str, Any]:
    return {one.id: one.state for one in turn.instructs}


@pytest.mark.parametrize(
    ("text", "states", "facts"),
    [
        ("把电视关了，客厅灯是开着还是关着", {"f7": {"power": False}}, ("主灯开着", "灯带关着")),
        ("油烟机关掉，对了厨房有没有漏水", {"f18": {"power": False}}, ("没有漏水",)),
        ("冷冻多少度，冷藏调低一度", {"f20": {"cold_temp": 3}}, ("零下18度",)),
        ("烘干机开着吗还有阳台灯开了", {"f47": {"power": True}}, ("烘干机关着",)),
        ("洗衣机还要洗多久，烘干机开着吗", {}, ("32分钟", "烘干机关着")),
    ],
)
def test_a_question_beside_an_order_loses_neither(
    dialogue: Say, text: str, states: dict[str, Any], facts: tuple[str, ...]
) -> None:
    """What orders is done and what asks is answered, in whatever order they stand."""
    turn = dialogue(home("fangtang38"), "客厅").say(text)
    assert sent(turn) == states
    assert all(fact in turn.text for fact in facts), turn.text


def test_two_wishes_are_both_met(dialogue: Say) -> None:
    """有点冷，又有点暗: for two feelings there are two answers; one feeling said twice is one."""
    turn = dialogue(home("fangtang38"), "客厅").say("有点冷，又有点暗")
    assert {"f4", "f6"} <= sent(turn).keys()
    held = dialogue(home("fangtang38"), "客厅")
    assert sent(held.say("这灯太亮了，晃得慌")) == {"f4": {"brightness": 70}}


@pytest.mark.parametrize(
    ("text", "states", "told"),
    [
        ("门锁好没有，没锁就锁上", {"f2": {"locked": True}}, "锁上玄关门锁"),
        ("洗碗机开了吗没开就开", {"f21": {"power": True}}, "打开厨房洗碗机"),
        ("投影仪开着就关掉", {}, "不用动"),
    ],
)
def test_a_condition_on_how_it_is_now_is_decided_now(
    dialogue: Say, text: str, states: dict[str, Any], told: str
) -> None:
    """没锁就锁上 waits for nothing: it is done where it is so, else the reply tells how it stands."""
    turn = dialogue(home("fangtang38"), "客厅").say(text)
    assert (sent(turn), turn.scheduled) == (states, ())
    assert told in turn.text


def test_what_is_told_of_a_thing_is_what_the_next_clause_is_about(dialogue: Say) -> None:
    """B室的门没锁，帮他锁了 locks that one, and not the door where the speaker stands."""
    assert sent(dialogue(home("hezu24"), "C室").say("B室的门没锁，帮他锁了")) == {"h19": {"locked": True}}


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("净化器开强效", {"h5": {"mode": "strong", "power": True}}),
        ("除湿机开到干衣", {"h11": {"mode": "laundry"}}),
        ("洗衣机继续洗", {"h12": {"state": "washing"}}),
        ("咖啡机淡一点", None),
        ("咖啡浓度调到3", {"h6": {"strength": 3}}),
        ("晾衣架的灯关掉", {"h26": {"light": False}}),
        ("关洗衣机", {"h12": {"power": False}}),
    ],
)
def test_the_own_words_of_a_thing_are_looked_through_before_it_is_denied(
    dialogue: Say, text: str, states: dict[str, Any] | None
) -> None:
    """Choices, features and levels by the names that the thing model has for them."""
    turn = dialogue(home("hezu24"), "浴室").say(text)
    assert "不支持" not in turn.text
    assert states is None or sent(turn) == states


def test_a_light_of_its_own_does_not_switch_the_thing_on(dialogue: Say) -> None:
    """浴霸的灯 is no heating."""
    assert sent(dialogue(home("fangtang38"), "卫生间").say("浴霸灯打开")) == {"f40": {"light": True}}


def test_less_of_what_is_off_is_not_done_by_another_word(dialogue: Say) -> None:
    """净化器安静点 of one that is off starts nothing."""
    assert dialogue(home("hezu24"), "浴室").say("净化器安静点").instructs == ()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("咖啡机能调什么", ("浓度", "杯量", "小杯")),
        ("加湿器有哪些档", ("小、中、大",)),
        ("空调能调多少度", ("16到30度",)),
        ("洗衣机有几种程序", ("标准洗", "羊毛洗")),
    ],
)
def test_what_a_thing_can_be_told_is_answered(dialogue: Say, text: str, facts: tuple[str, ...]) -> None:
    """From the thing model: what can be set, its choices and its range."""
    turn = dialogue(home("fangtang38"), "主卧").say(text)
    assert (turn.kind, turn.instructs) == (ReplyKind.ANSWER, ())
    assert all(fact in turn.text for fact in facts), turn.text


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("新风滤网还能用多久", "9%"),
        ("加湿器水够不够", "8%"),
        ("猫粮还剩多少", "15%"),
        ("净化器和新风哪个滤芯剩得多", "净化器"),
        ("热水器烧到几度了", "41度"),
        ("洗澡水烧好没得", "41度"),
        ("烘干机还要多久", "关着"),
    ],
)
def test_what_a_thing_says_of_itself_is_answered(dialogue: Say, text: str, fact: str) -> None:
    """Filters, water, food, programmes: whatever knows it answers."""
    turn = dialogue(home("fangtang38"), "客厅").say(text)
    assert (turn.kind, turn.instructs) == (ReplyKind.ANSWER, ())
    assert fact in turn.text
