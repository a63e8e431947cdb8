"""Work that is ordered without naming what does it, what is left of a set, motors, and what was done
(docs/protocol/service.md, Dialogue; laws 1 and 2)."""

from collections.abc import Callable
from typing import Any

import pytest

from context_retrieval.works import is_done_with, made_in, work_in
from tingdong.home.model import ReplyKind

Say = Callable[..., Any]
State = dict[str, dict[str, Any]]


def changed(held: Say, local: str, sentences: tuple[str, ...], home: str = "xuequ") -> State:
    """What the last sentence changes at once."""
    talk = held(home, local)
    for sentence in sentences[:-1]:
        talk.say(sentence)
    return {one.id: one.state for one in talk.say(sentences[-1]).instructs if one.state}


@pytest.mark.parametrize(
    ("local", "sentences", "expected"),
    [
        # work by its verb and its object, however they stand
        ("餐厅", ("泡杯咖啡吧",), {"b2": {"on": True, "brew": True}}),
        ("客厅", ("帮我做一杯拿铁",), {"b2": {"on": True, "brew": True}}),
        ("书房", ("给猫喂一点粮",), {"i5": {"feed": 1}}),
        ("书房", ("喂三份",), {"i5": {"feed": 3}}),
        ("客厅", ("把地拖一拖",), {"a10": {"status": "clean"}}),
        ("厨房", ("煲点汤",), {}),
        ("厨房", ("熬个粥",), {"c3": {"mode": "porridge"}}),
        ("宝宝房", ("温一下奶",), {"e6": {"on": True}}),
        # beside an order, and one after another
        ("客厅", ("主灯关了，弄杯咖啡",), {"a1": {"on": False}, "b2": {"on": True, "brew": True}}),
        ("客厅", ("拖拖地，再泡杯咖啡",), {"a10": {"status": "clean"}, "b2": {"on": True, "brew": True}}),
        # what a thing gives out
        ("客厅", ("音乐关小点",), {"a9": {"volume": 30}}),
        ("客厅", ("歌声音再大一些",), {"a9": {"volume": 50}}),
        ("主卧", ("主灯打开，音乐停了吧",), {"d1": {"on": True}, "a9": {"play": "pause"}}),
        # told, asked, refused: nothing is ordered
        ("客厅", ("我妈在煮饭呢",), {}),
        ("客厅", ("刚把猫喂了",), {}),
        ("客厅", ("地扫过没有",), {}),
        ("客厅", ("咖啡先别煮",), {}),
        ("客厅", ("洗衣服洗得腰疼",), {}),
        # a motor goes to the end that the word says
        ("客厅", ("投影打开，幕布降下来",), {"a7": {"on": True}, "a8": {"position": 100}}),
        ("客厅", ("幕布放下来", "升上去吧"), {"a8": {"position": 0}}),
        ("阳台", ("晾衣架放下来",), {"g1": {"position": 0}}),
        # a choice or a feature behind an order, and by its own name
        ("客厅", ("循环扇开二档，摇头",), {"a13": {"on": True, "speed": 2, "swing": True}}),
        ("客厅", ("摄像头打开，录像",), {"a11": {"on": True, "record": True}}),
        ("卫生间", ("浴霸换气关掉，照明打开",), {"f2": {"vent": False, "light": True}}),
        ("客厅", ("扫地机开始扫地", "吸力调成安静"), {"a10": {"suction": "quiet"}}),
        # what has a switch for each thing it does is switched off by all that is at work
        ("卫生间", ("浴霸取暖打开", "浴霸关了吧"), {"f2": {"warm": False, "vent": False}}),
        # the one beside it
        ("主卧", ("左床头灯关了，右边的打开",), {"d2": {"on": False}, "d3": {"on": True}}),
        ("主卧", ("左边的床头灯灭了，右边调到最亮",), {"d2": {"on": False}, "d3": {"on": True, "bright": 255}}),
        # what points back at several is done to all of them
        (
            "客厅",
            ("主卧和宝宝房的空调都打开，风速调到四档",),
            {one: {"on": True, "wind": 4} for one in ("d4", "e3")},
        ),
        # what is no longer needed, by itself and behind an order
        ("厨房", ("油烟机不用了",), {"c2": {"on": False}}),
        ("客厅", ("投影打开，主灯用不着了",), {"a7": {"on": True}, "a1": {"on": False}}),
        ("客厅", ("音箱没人听了",), {"a9": {"on": False}}),
        ("客厅", ("射灯不要了",), {}),
        ("客厅", ("投影不看了吗",), {}),
        # a feature goes off, and what it belongs to stays
        ("客厅", ("循环扇打开，摇头", "转得心烦，不要摇头了"), {"a13": {"swing": False}}),
        # what moves is opened fully, and a robot is sent home
        ("客厅", ("扫地机开始扫地", "扫完了吗", "回来吧"), {"a10": {"status": "dock"}}),
        ("客厅", ("幕布放下来", "全收起来"), {"a8": {"position": 0}}),
        # what is called for what it does, and what a lock is for
        ("客厅", ("扫地机去扫地", "油烟机的灯关了"), {"c2": {"light": False}}),
        ("玄关", ("把门锁上",), {"h1": {"locked": True}}),
        # water is no room
        ("客厅", ("水温调到48度",), {"f3": {"temp": 48}}),
    ],
)
def test_every_ordered_clause_is_executed(held: Say, local: str, sentences: tuple[str, ...], expected: State) -> None:
    """Each clause does what it says, and what is only told does nothing."""
    assert changed(held, local, sentences) == expected


LIT = {"a1", "c1", "d2", "e2", "g3", "i1"}
"""The lamps that are on."""


@pytest.mark.parametrize(
    ("before", "sentence", "kept"),
    [
        ("哪些灯还亮着", "除了玄关和厨房的都关了", {"c1"}),
        ("有几盏灯开着", "除了台灯全关掉", {"i1"}),
        ("家里哪些灯没关", "除了小夜灯都关了吧", {"e2"}),
    ],
)
def test_an_exception_after_a_list_is_limited_to_the_list(
    held: Say, before: str, sentence: str, kept: set[str]
) -> None:
    """Law 1: an exception widens nothing; what was listed is what the others are of."""
    assert changed(held, "客厅", (before, sentence)).keys() == LIT - kept


def test_an_exception_is_limited_to_its_kind(held: Say) -> None:
    """Law 1: 除了主灯 is about lamps, not about all there is."""
    assert changed(held, "客厅", ("除了主灯都打开",)).keys() == {"a2", "a3"}


def test_the_lamps_of_one_room_are_kept(held: Say) -> None:
    """只留餐厅的 after the lamps of two rooms switches off those elsewhere."""
    assert changed(held, "客厅", ("客厅灯和餐厅灯都打开", "只留餐厅的")).keys() == {"a1", "a2", "a3"}


@pytest.mark.parametrize(
    ("sentences", "answer"),
    [
        (("主灯关掉", "你刚才关了什么"), "刚才关闭客厅主灯。"),
        (("空调调到24度", "刚刚都调了些啥"), None),
        (("空调调到24度", "刚才动了什么"), "刚才调节客厅空调设定温度从22度到24度。"),
        (("主灯关掉", "刚才开了哪些"), "刚才没有这样做过。"),
        (("刚才做了什么",), "我还没有动过家里的东西。"),
    ],
)
def test_what_was_done_is_answered_from_the_ledger(held: Say, sentences: tuple[str, ...], answer: str | None) -> None:
    """What was done is told from what was changed, and nothing is changed for it."""
    talk = held("xuequ", "客厅")
    for sentence in sentences[:-1]:
        talk.say(sentence)
    told = talk.say(sentences[-1])
    assert told.kind in (ReplyKind.ANSWER, ReplyKind.NONE)
    assert not told.instructs
    assert answer is None or told.text == answer


def test_a_condition_of_each_clause_is_kept(held: Say) -> None:
    """Law 2: no condition is lost."""
    told = held("xuequ", "客厅").say("空调25度，要是低于18度就打开，高于27度就关掉")
    assert [(one.state, one.when is None) for one in told.instructs if one.state] == [({"temp": 25}, True)]
    assert {one.when for one in told.scheduled} == {"客厅温度<18C", "客厅温度>27C"}


@pytest.mark.parametrize(
    "sentence", ["扫地机等电充到九十再扫", "饭煮好了以后把油烟机关了", "主灯等奶热好了再关", "空调先等我媳妇回来再开"]
)
def test_what_cannot_be_watched_is_not_done_at_once(held: Say, sentence: str) -> None:
    """Law 2: a lost condition never yields a command."""
    told = held("xuequ", "客厅").say(sentence)
    assert not told.instructs
    assert not told.scheduled


@pytest.mark.parametrize(
    ("home", "local", "sentence", "now", "later"),
    [
        # of what was ordered last, and of both where one time is said before them
        ("xuequ", "客厅", "射灯打开，主灯关了，二十分钟后再打开", {"a1", "a3"}, {"a1"}),
        ("xuequ", "厨房", "过半小时把电饭煲关了然后油烟机也关掉", set(), {"c2", "c3"}),
        ("xuequ", "厨房", "电饭煲过半小时关，油烟机关掉", {"c2"}, {"c3"}),
    ],
)
def test_a_delay_applies_to_its_own_clause(
    held: Say, home: str, local: str, sentence: str, now: set[str], later: set[str]
) -> None:
    """Law 2: no delay is lost, and none goes to another thing."""
    told = held(home, local).say(sentence)
    assert {one.id for one in told.instructs if one.state} == now
    assert {one.id for one in told.scheduled} == later


@pytest.mark.parametrize(
    ("home", "local", "sentence", "expected"),
    [
        # one scale holds the number, and it is that scale's own
        ("shikumen35", "琴房", "节拍器调到120", {"k8": {"tempo": 120}}),
        # a denial of what is at work ends it
        ("granny15", "东屋", "电热毯打开，空调就别开了", {"b7": {"power": True}, "b6": {"power": False}}),
        # a thing that is called for its property, and one that all properties are switches of
        ("shikumen35", "天井", "给猫喂一份", {"k34": {"serve": True}}),
        ("yaodong38", "洗澡间", "浴霸取暖开一下", {"y23": {"warm": True}}),
        ("yaodong38", "正窑", "大门给我锁上", {"y25": {"bolt": True}}),
        ("shikumen35", "铺面", "让阿福拖拖地", {"k35": {"job": "mop"}}),
    ],
)
def test_other_homes_call_things_otherwise(held: Say, home: str, local: str, sentence: str, expected: State) -> None:
    """What is said is found in the words of the home's own models."""
    assert changed(held, local, (sentence,), home) == expected


def test_what_a_thing_can_be_set_to_is_not_heard_anew(held: Say) -> None:
    """A choice of a thing model that is said exactly stays as it is said."""
    talk = held("xuequ", "客厅")
    assert talk.say("投影仪信号切到盒子").text == "正在打开客厅投影仪并切换到盒子。"


def test_measured_and_set_are_told_apart(held: Say) -> None:
    """A setting that is asked for beside a measurement is told as well."""
    talk = held("xuequ", "主卧")
    assert talk.say("地暖现在几度，设的多少").text == "主卧现在18度。主卧地暖设定的是20度。"
    assert held("xuequ", "卫生间").say("浴霸开着没").text == "是的，卫生间浴霸的换气开着。"


@pytest.mark.parametrize("text", ["那就" * 400, "快点快" * 300, "煮" * 800, "把地" * 400, "不用了" * 300])
def test_no_text_takes_long_to_be_tried(text: str) -> None:
    """What is repeated without end tells no work, and the patterns give up on it at once."""
    assert work_in(text) is None
    assert made_in(text) is None
    assert not is_done_with(text)
