"""What is said in the words of a thing's own model (docs/protocol/service.md, Home `model`): properties and
choices that no table of ours knows are ordered, switched off, kept and stepped by what the model calls them."""

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[..., Any]
State = dict[str, dict[str, Any]]


def changed(held: Say, local: str, *sentences: str, home: str = "binjiang38") -> State:
    """What the last sentence changes at once."""
    talk = held(home, local)
    for sentence in sentences[:-1]:
        talk.say(sentence)
    return {one.id: one.state for one in talk.say(sentences[-1]).instructs if one.state}


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        ("客厅", ("音效换成古典",), {"b6": {"eq": "classic"}}),
        ("客厅", ("音效换成古典", "换摇滚的"), {"b6": {"eq": "rock"}}),
        ("客厅", ("电视画面改鲜艳一点",), {"b5": {"pic": "vivid"}}),
        ("主卧", ("香薰换薰衣草的",), {"b19": {"run": True, "scent": "lavender"}}),
        ("主卧", ("来个脉冲按摩",), {"b17": {"massage": "pulse"}}),
        ("卫生间", ("座温调到高",), {"b27": {"seat": "high"}}),
        ("厨房", ("吸力开到4",), {"b30": {"run": True, "suck": 4}}),
        ("阳台", ("转速降到400",), {"b32": {"run": True, "spin": "400"}}),
        # a choice of a thing elsewhere, in its room
        ("书房", ("客厅灯带换成彩虹",), {"b2": {"lit": True, "effect": "rainbow"}}),
    ],
)
def test_a_choice_is_set_by_the_words_of_its_model(
    held: Say, local: str, sentences: tuple[str, ...], expected: State
) -> None:
    """The label or the choice of an unknown property sets that property, of the thing spoken of or of the place."""
    assert changed(held, local, *sentences) == expected


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        ("主卧", ("床头抬高30度",), {"b17": {"head": 30}}),
        ("主卧", ("床头抬高30度", "腿也抬一点"), {"b17": {"foot": 5}}),
        ("主卧", ("叶片转45度",), {"b16": {"angle": 45}}),
        ("门口", ("云台转到30",), {"b37": {"pan": 30}}),
        ("书房", ("桌子升到110",), {"b22": {"height": 110}}),
        ("客厅", ("扫一下地", "水量大点"), {"b9": {"water": "high"}}),
        ("正窑", ("把暖炕降成小火",), {"y3": {"heat": 1}}),
        ("琴房", ("节拍器快一点到90拍",), {"k8": {"tempo": 90}}),
    ],
)
def test_a_number_or_a_step_is_for_the_property_that_is_named(
    held: Say, local: str, sentences: tuple[str, ...], expected: State
) -> None:
    """Amounts go to the property by its label or the beginning of that, in the model's own unit."""
    home = {"正窑": "yaodong38", "琴房": "shikumen35"}.get(local, "binjiang38")
    assert changed(held, local, *sentences, home=home) == expected


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        ("卫生间", ("冲浪打开", "按摩关了"), {"b26": {"bubble": False}}),
        ("主卧", ("按摩停了",), {"b17": {"massage": "off"}}),
        ("门口", ("夜视关掉",), {"b37": {"night": "off"}}),
        ("书房", ("暖风机别摇头了",), {"b23": {"shake": False}}),
        ("客厅", ("反转一下", "反转关了"), {"b3": {"reverse": False}}),
        ("客厅", ("饮水机别出水了",), {"b12": {"go": False}}),
        ("主卧", ("床下灯开",), {"b17": {"nightlight": True}}),
        ("客厅", ("风扇转起来",), {"b3": {"fan": True}}),
        # what refuses to stop it leaves it on
        ("客厅", ("水泵别停啊",), {}),
        ("主卧", ("按摩别停",), {}),
    ],
)
def test_a_feature_goes_on_and_off_by_its_own_name(
    held: Say, local: str, sentences: tuple[str, ...], expected: State
) -> None:
    """Stop words switch the feature off and nothing else; 别停 keeps it; a thing elsewhere is never taken for it."""
    assert changed(held, local, *sentences) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("主灯黄一点", {"b1": {"ct": 3570}}),
        ("主灯白一点", {"b1": {"ct": 4430}}),
        ("主灯调成白色", {"b1": {"ct": 6500}}),
    ],
)
def test_a_colour_of_light_is_its_warmth_where_there_are_no_colours(held: Say, sentence: str, expected: State) -> None:
    """Yellow and white of a lamp with a colour temperature alone are warmer and colder light."""
    assert changed(held, "客厅", sentence) == expected


@pytest.mark.parametrize("sentence", ["灯关了", "音量20", "空调风大点", "窗帘留一半", "鱼缸水温多少"])
def test_what_the_reading_knows_is_left_to_it(held: Say, sentence: str) -> None:
    """A label that the protocol has a word for goes by the reading."""
    talk = held("binjiang38", "客厅")
    assert talk.say(sentence).decision.rule != "own_term"


@pytest.mark.parametrize(
    ("local", "sentence", "expected"),
    [
        ("客厅", "给我接杯水", {"b12": {"go": True}}),
        ("客厅", "鱼喂一下", {"b10": {"feed": True}}),
    ],
)
def test_work_is_done_by_a_feature_that_is_called_so(held: Say, local: str, sentence: str, expected: State) -> None:
    """A thing of another kind does work that one of its features is for."""
    assert changed(held, local, sentence) == expected


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        ("主卧", ("香薰现在什么香味",), "香味是柠檬"),
        ("主卧", ("油烟机吸力现在多大",), "厨房油烟机的吸力是2档"),
        ("卫生间", ("按摩开着没",), "没有，卫生间浴缸的按摩冲浪关着"),
        ("主卧", ("床下灯亮着没",), "没有，主卧床的床下灯关着"),
        ("客厅", ("净化器开着负离子吗",), "没有，客厅净化器的负离子关着"),
        ("门口", ("摄像头在录像吗",), "是的，门口摄像头的录像开着"),
        ("客厅", ("反转一下", "吊扇灯在反转吗"), "吊扇灯的反转"),
    ],
)
def test_a_property_is_asked_about_by_what_its_model_calls_it(
    held: Say, local: str, sentences: tuple[str, ...], expected: str
) -> None:
    """The answer is about that property of that thing, true to its state, and nothing changes."""
    talk = held("binjiang38", local)
    for sentence in sentences[:-1]:
        talk.say(sentence)
    turn = talk.say(sentences[-1])
    assert expected in turn.text
    assert turn.instructs == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "反转了",
        "我喜欢古典音乐",
        "昨天换成古典的了",
        "水泵在响",
        "画面不好",
        "床下灯不亮了",
        "按摩好舒服",
        "冲水的声音真大",
    ],
)
def test_what_only_tells_of_a_property_changes_nothing(held: Say, sentence: str) -> None:
    """Law 2: a sentence that says more than the property, its value and what is done with it is no order to it."""
    talk = held("binjiang38", "客厅")
    assert not [one for one in talk.say(sentence).instructs if one.id not in ("b5",)]
