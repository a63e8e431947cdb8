"""What goes on with what was just said: values and steps behind an order, denials, states that were asked about, things
told by what they do (docs/protocol/service.md, Dialogue; laws 1 and 2)."""

from collections.abc import Callable
from typing import Any

import pytest

from tingdong.home.model import ReplyKind

Say = Callable[..., Any]
State = dict[str, dict[str, Any]]


def changed(held: Say, home: str, local: str, sentences: tuple[str, ...]) -> State:
    """What the last sentence changes at once."""
    talk = held(home, local)
    for sentence in sentences[:-1]:
        talk.say(sentence)
    return {one.id: one.state for one in talk.say(sentences[-1]).instructs if one.state}


@pytest.mark.parametrize(
    ("home", "local", "sentences", "expected"),
    [
        # a bare number after what was switched on is a value of it
        ("fangtang38", "主卧", ("空调打开", "二十三"), {"f25": {"target_temp": 23}}),
        ("fangtang38", "主卧", ("把加湿器开开", "湿度五十五"), {"f27": {"target_humidity": 55}}),
        ("fangtang38", "主卧", ("床头灯打开", "七十就行"), {"f24": {"brightness": 70}}),
        # so many points of what is measured in percent are so many, whatever its range
        ("fangtang38", "主卧", ("加湿器湿度降五个点",), {"f27": {"target_humidity": 45}}),
        ("fangtang38", "主卧", ("加湿器打开", "湿度升十个点"), {"f27": {"target_humidity": 60}}),
        # behind a complaint a number is the value that is wanted, and no step of so much
        ("fangtang38", "客厅", ("电视声音调到四十", "太吵了，二十五"), {"f7": {"volume": 25}}),
        ("fangtang38", "客厅", ("空调二十二", "太冷了，二十六"), {"f6": {"target_temp": 26}}),
        ("fangtang38", "客厅", ("电视声音调到四十", "太吵了，小五"), {"f7": {"volume": 35}}),
        # a step behind an order is for what that was about, as far as it can take it
        ("fangtang38", "餐厅", ("咖啡机开开，淡一点",), {"f16": {"power": True, "strength": 1}}),
        ("fangtang38", "餐厅", ("咖啡机打开，吊灯也开，浓一些",), {"f15": {"power": True}, "f16": {"strength": 3}}),
        ("family39", "客厅", ("沙发灯打开，别那么亮",), {"f05": {"power": True, "brightness": 20}}),
        # a gear nobody called a speed is one of the lamp that was spoken of
        ("family39", "主卧", ("床头灯打开", "调到二档"), {"f26": {"level": 2}}),
        # a state that was asked about decides at once
        ("fangtang38", "主卧", ("窗户开着没，开着就把加湿器关了",), {"f27": {"power": False}}),
        ("fangtang38", "主卧", ("窗户关上没有", "没关的话把床头灯关掉"), {"f24": {"power": False}}),
        ("fangtang38", "主卧", ("窗户关着没，关着就把空调打开",), {}),
        # what was listed is what 都 sums up
        ("family39", "客厅", ("哪些窗帘还开着，都拉上",), {one: {"position": 0} for one in ("f08", "f28", "f34")}),
        # a part of a thing, and the property that is called by its own name
        ("family39", "客厅", ("把鱼缸灯关一下",), {"f09": {"light": False}}),
        ("fangtang38", "主卧", ("加湿器的雾量调大",), {"f27": {"mist": "high"}}),
        # what is told by its work
        ("fangtang38", "客厅", ("家里有没有能烘衣服的机器", "打开吧"), {"f45": {"power": True}}),
        ("fangtang38", "客厅", ("把能加湿的设备都关掉",), {"f27": {"power": False}}),
        # neither case of a condition that cannot be watched is carried out
        ("inn30", "前台", ("如果下大雨就把窗帘拉上，没下就拉一半",), {}),
        # one's own room
        ("fangtang38", "主卧", ("我房间的顶灯打开",), {"f23": {"power": True}}),
        # beside a thing that has a room of its own
        ("fangtang38", "客厅", ("打印机那边的台灯打开",), {"f34": {"power": True}}),
        # a room in a denial is the room of the order behind it
        ("fangtang38", "客厅", ("主卧和次卧的顶灯打开", "主卧没让你开，关掉"), {"f23": {"power": False}}),
        # what denies an act does not do it
        ("fangtang38", "客厅", ("不是打开烘干机，我问它开着没",), {}),
        # a place that is denied is none of those that are meant
        ("family39", "朵朵的房间", ("大灯关掉", "不是客厅的，是我房间的大灯，客厅的奶奶在用"), {"f30": {}}),
        # what cannot act is passed over for what was spoken of and can
        ("fangtang38", "主卧", ("空调打开", "窗户开着呢你怎么把空调打开了，关掉"), {"f25": {"power": False}}),
    ],
)  # fmt: skip
def test_a_continued_request_drops_nothing(
    held: Say, home: str, local: str, sentences: tuple[str, ...], expected: State
) -> None:
    """Nothing is dropped, and nothing else changes."""
    done = changed(held, home, local, sentences)
    assert {one: {name: state[name] for name in expected[one]} for one, state in done.items()} == expected


def test_a_refusal_for_now_schedules_the_same_thing(held: Say) -> None:
    """空调先别开，等九点再开: the thing of the clause before, whatever stands in the clause behind."""
    turn = held("fangtang38", "主卧").say("空调先别开，等九点再开，床头灯关了")
    assert [(one.id, one.when) for one in turn.scheduled] == [("f25", "T21:00")]
    assert {one.id for one in turn.instructs} == {"f24"}


def test_a_refusal_for_now_schedules_its_thing_beside_another_refusal(held: Say) -> None:
    """The lock that is left alone is not the one that is locked later."""
    turn = held("haibian26", "前厅").say("大门锁现在先别锁，十点再锁，山景房那个锁别动了")
    assert [(one.id, one.when) for one in turn.scheduled] == [("h3", "T22:00")]
    assert not turn.instructs


@pytest.mark.parametrize(("said", "left"), [("九点那个不要了", "T22:00"), ("关的那个取消", "T21:00")])
def test_one_of_two_timers_of_a_turn_is_taken_back(held: Say, said: str, left: str) -> None:
    """By its time or by what it does; the other one stays (service.md, Timers)."""
    talk = held("fangtang38", "客厅")
    first = talk.say("九点开窗帘，十点关")
    kept = next(one.timer_id for one in first.scheduled if one.when == left)
    gone = talk.say(said)
    assert {one.cancel for one in gone.scheduled} == {one.timer_id for one in first.scheduled} - {kept}


@pytest.mark.parametrize(
    ("home", "local", "sentence"),
    [
        ("family39", "朵朵的房间", "大灯关掉"),  # there is a lamp here, and one that is called so elsewhere
        ("fangtang38", "储物间", "关空调"),  # a place that the home does not have
    ],
)
def test_if_it_may_be_in_another_room_it_asks_first(held: Say, home: str, local: str, sentence: str) -> None:
    """service.md, Place: nothing far away is switched on a guess."""
    asked = held(home, local).say(sentence)
    assert asked.kind is ReplyKind.QUESTION
    assert not asked.instructs


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("洗衣机和电饭煲哪个先好", "厨房电饭煲最先好，18分钟"),
        ("洗衣机还剩几分钟？电饭煲和它谁先完", "厨房电饭煲最先好"),
        ("哪几间房的窗户没关", "主卧的窗户"),
        ("洗衣机洗完了叫我一声，还要几分钟", "32分钟"),
        ("什么东西能扫地", "扫地机器人"),
        ("客厅有几个房间的窗帘开着", "客厅现在有1幅窗帘开着"),
    ],
)
def test_questions_are_answered_with_what_is_known(held: Say, sentence: str, told: str) -> None:
    """service.md, Token frame: an answer is true of the state; no room or thing is denied that nobody named."""
    turn = held("fangtang38", "客厅").say(sentence)
    assert told in turn.text
    assert "没有几间" not in turn.text
    assert not turn.instructs


def test_a_light_of_a_device_is_switched_alone(held: Say) -> None:
    """Of a thing with a light of its own the light goes off, and the thing stays at work (service.md, Home `model`)."""
    talk = held("family39", "客厅")
    assert [one.state for one in talk.say("鱼缸的灯关掉").instructs] == [{"light": False}]
    assert talk.state("f09")["power"]


def test_a_list_is_sorted_as_asked(held: Say) -> None:
    """电量从低到高: the lowest first."""
    text = held("family39", "客厅").say("电量从低到高报一下").text
    told = [text.index(f"{number}%") for number in (9, 15, 33, 51, 70, 82)]
    assert told == sorted(told)
