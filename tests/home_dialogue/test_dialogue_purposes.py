"""Clauses of different purposes, what a thing has by its own words, and what it can be told (service.md, Token frame,
Home)."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


def test_a_statement_about_a_device_sets_the_topic(dialogue: Say) -> None:
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
def test_a_word_of_the_thing_model_is_never_denied(dialogue: Say, text: str, states: dict[str, Any] | None) -> None:
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
def test_a_question_about_the_functions_of_a_device_is_answered(
    dialogue: Say, text: str, facts: tuple[str, ...]
) -> None:
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
def test_a_question_about_the_readings_of_a_device_is_answered(dialogue: Say, text: str, fact: str) -> None:
    """Filters, water, food, programmes: whatever knows it answers."""
    turn = dialogue(home("fangtang38"), "客厅").say(text)
    assert (turn.kind, turn.instructs) == (ReplyKind.ANSWER, ())
    assert fact in turn.text


@pytest.mark.parametrize(
    ("text", "states", "facts"),
    [
        ("洗碗机用快速洗开起来厨房灯关没关", {"f21": {"power": True, "program": "quick"}}, ("厨房顶灯关着",)),
        ("地暖现在几度热水器烧到几度了", {}, ("19度", "41度")),
        ("厨房灯关了没有把阳台灯打开", {"f47": {"power": True}}, ("厨房顶灯关着",)),
        ("客厅有几盏灯亮着", {}, ("1盏",)),
    ],
)
def test_questions_are_split_without_punctuation(
    dialogue: Say, text: str, states: dict[str, Any], facts: tuple[str, ...]
) -> None:
    """A recogniser writes no signs: a new thing behind a complete clause begins another one."""
    turn = dialogue(home("fangtang38"), "客厅").say(text)
    assert sent(turn) == states
    assert all(fact in turn.text for fact in facts), turn.text


def test_an_unknown_device_in_a_question_is_named(dialogue: Say) -> None:
    """Nothing is dropped in silence: neither what is not of the home, nor the second of two questions."""
    turn = dialogue(home("fangtang38"), "客厅").say("wifi密码多少，开下投影仪")
    assert sent(turn) == {"f11": {"power": True}}
    assert "wifi密码多少" in turn.text
    turn = dialogue(home("fangtang38"), "客厅").say("哪个房间最潮，哪个最干")
    assert "次卧" in turn.text
    assert "主卧" in turn.text


def test_numbers_of_a_list_are_not_values(dialogue: Say) -> None:
    """1、… 2、…: they count the orders."""
    turn = dialogue(home("fangtang38"), "客厅").say("1、开投影仪，2、关主灯")
    assert sent(turn) == {"f4": {"power": False}, "f11": {"power": True}}


def test_a_pronoun_prefers_a_device_named_in_the_same_turn(dialogue: Say) -> None:
    """電鍋插座是不是通電的，關掉它 closes that one, and nothing else of the room."""
    assert sent(dialogue("taipei36", "客廳").say("電鍋插座是不是通電的，關掉它")) == {"t16": {"on": False}}


def test_a_wish_about_a_thing_is_met_by_it(dialogue: Say) -> None:
    """马桶圈凉冰冰的 warms the seat, and not the room."""
    assert sent(dialogue(home("fangtang38"), "卫生间").say("马桶圈凉冰冰的")) == {"f42": {"seat_temp": 3}}


@pytest.mark.parametrize(
    ("name", "local", "text", "states", "facts"),
    [
        ("haibian26", "前厅", "大门锁了没，没锁锁上", {"h3": {"locked": True}}, ()),
        ("haibian26", "前厅", "哪个房间还没锁门", {}, ("前厅", "山景房")),
        ("haibian26", "后院", "扫地机还有电没，喊它回去充电", {"h28": {"state": "docking"}}, ("9%",)),
        ("laowu20", "里屋", "收音机关了", {"l9": {"power": False}}, ("戏匣子",)),
        ("fangtang38", "主卧", "洗碗机点用，有咩模式", {}, ("自动洗", "快速洗")),
        ("fangtang38", "主卧", "窗户没关吧，温度多少", {}, ("窗户开着", "25度")),
        ("fangtang38", "主卧", "加湿器水够不够，雾量开小", {"f27": {"mist": "low"}}, ("8%",)),
    ],
)
def test_requests_for_devices_of_today(
    dialogue: Say, name: str, local: str, text: str, states: dict[str, Any], facts: tuple[str, ...]
) -> None:
    """By the words of the kind, by the state now, by what the thing has; nothing is said that is not so."""
    turn = dialogue(home(name), local).say(text)
    assert sent(turn) == states
    assert all(fact in turn.text for fact in facts), turn.text


ORDERS = ("打开{thing}", "把{thing}关了")
QUESTIONS = ("{thing}开着吗", "{thing}是开着还是关着")
JOINTS = ("，", "。", "，然后", "，顺便", "，还有", "，对了", "")
SWITCHED = [one for name in ("fangtang38", "haibian26") for one in [home(name)]]


@st.composite
def joined(draw: st.DrawFn) -> tuple[dict[str, Any], list[str], str]:
    """An order and a question about two things that are switched, in either order, joined somehow."""
    document = draw(st.sampled_from(SWITCHED))
    things = [
        one["local"] + one["name"]
        for one in document["devices"]
        if isinstance(one["device"]["state"].get("power"), bool)
        and one["local"] not in one["name"]
        and one["local"] != "后院"  # 然后后院 is heard as one 后 too many
    ]
    first, second = draw(st.lists(st.sampled_from(things), min_size=2, max_size=2, unique=True))
    order = draw(st.sampled_from(ORDERS)).format(thing=first)
    said = [order, draw(st.sampled_from(QUESTIONS)).format(thing=second)]
    if draw(st.booleans()):
        said.reverse()
    return document, said, draw(st.sampled_from(JOINTS))


@given(case=joined())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None)
def test_joined_sentences_do_what_each_does_alone(case: tuple[dict[str, Any], list[str], str], dialogue: Say) -> None:
    """What is sent is the union of what each sends, and the answer to the question stands in the reply."""
    document, said, joint = case
    alone = [dialogue(copy.deepcopy(document), "").say(one) for one in said]
    both = dialogue(copy.deepcopy(document), "").say(joint.join(said))
    assert sent(both) == {**sent(alone[0]), **sent(alone[1])}, (said, joint, both.text)
    asked = next(turn for turn in alone if not turn.instructs)
    assert asked.text.rstrip("。") in both.text, (said, joint, both.text)
