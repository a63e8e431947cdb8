"""What the words for a room and a thing mean in a talk, by where one stands and what was said (service.md, Place)."""

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[[str, str], Any]


@pytest.mark.parametrize(
    ("home", "local", "turns", "expected"),
    [
        ("hotel25", "起居室", ["房间里的灯关了"], {"h05", "h06", "h07"}),
        ("hotel25", "浴室", ["整套房的窗帘都拉上"], {"h10", "h11", "h20"}),
        ("family39", "客厅", ["朵朵困了，她屋的窗帘拉上"], {"f34"}),
        ("family39", "客厅", ["孩子那屋的窗帘拉上"], {"f34"}),
        ("family39", "客厅", ["爷爷睡了，他房间的灯关了"], {"f20"}),
        ("flat25", "", ["哪间最热", "那间的油烟机关了"], {"dev-9"}),
    ],
)
def test_a_word_for_a_room_means_a_room_of_the_home(
    dialogue: Say, home: str, local: str, turns: list[str], expected: set[str]
) -> None:
    """service.md, Place: a person's room is the one of who was spoken of; 那间 the one spoken of; 房间 where one is."""
    held = dialogue(home, local)
    said = [held.say(turn) for turn in turns][-1]
    assert {instruct.id for instruct in said.instructs} == expected, said.text


def test_a_room_that_nothing_tells_is_asked_about(dialogue: Say) -> None:
    """Law 1: 那屋 where no room was spoken of never means all of them."""
    said = dialogue("flat25", "").say("那屋的灯打开")
    assert not said.instructs
    assert "那屋" in said.text


def test_two_rooms_are_measured_by_what_was_asked_before(dialogue: Say) -> None:
    """service.md, Answers: 比厨房低多少 is about the measure that was just asked for."""
    held = dialogue("flat25", "客厅")
    held.say("客厅多少度")
    assert "低3度" in held.say("比厨房低多少").text
    assert "差" not in held.say("跟卧室差几度").text


@pytest.mark.parametrize(
    ("home", "rooms", "turns", "expected"),
    [
        ("family39", ["客厅", "爷爷奶奶房"], ["空调二十五度", "再低两度"], {"f21"}),
        ("hotel25", ["起居室", "卧房"], ["空调风小点", "再热一点"], {"h19"}),
        ("villa120", ["一楼客厅", "二楼书房"], ["二十分钟后打开喷泉", "这屋太亮了，两盏都暗一点"], {"v70", "v71"}),
    ],
)
def test_after_walking_an_elliptical_order_is_for_the_new_room(
    dialogue: Say, home: str, rooms: list[str], turns: list[str], expected: set[str]
) -> None:
    """service.md, Place: the room where one stands comes before what was spoken of in another one."""
    held = dialogue(home, rooms[0])
    held.say(turns[0])
    held.local = rooms[1]
    said = held.say(turns[1])
    there = {one["id"] for one in held.home["devices"] if one["local"] == rooms[1]}
    found = {instruct.id for instruct in said.instructs}
    assert found, said.text
    assert found <= there, said.text
    if home != "villa120":
        assert found == expected


def test_after_walking_it_still_means_what_was_spoken_of(dialogue: Say) -> None:
    """service.md, Dialogue: 它 is what was spoken of, not its like where one is now; there it is asked."""
    held = dialogue("family39", "客厅")
    held.say("空调打开")
    held.local = "主卧"
    assert not held.say("把它关了").instructs
    assert {instruct.id for instruct in held.say("嗯").instructs} == {"f07"}


@pytest.mark.parametrize(
    ("home", "local", "turns", "id_", "state"),
    [
        ("hotel25", "卧房", ["起居室空调多少度", "调得和卧房一样"], "h09", {"target_temp": 26}),
        ("hotel25", "卧房", ["空调设的几度", "起居室那台也调成同样的温度"], "h09", {"target_temp": 26}),
        ("fangtang38", "主卧", ["顶灯跟床头灯一样亮"], "f23", {"brightness": 25}),
        ("inn30", "前台", ["201空调多少度", "101的照着201来"], "101a", {"target_temp": 18}),
    ],
)
def test_the_other_side_of_a_comparison_is_never_switched(
    dialogue: Say, home: str, local: str, turns: list[str], id_: str, state: dict[str, Any]
) -> None:
    """跟…一样 takes the value of that thing's same property."""
    held = dialogue(home, local)
    said = [held.say(turn) for turn in turns][-1]
    assert [instruct.id for instruct in said.instructs] == [id_], said.text
    assert state.items() <= said.instructs[0].state.items()


@pytest.mark.parametrize(
    ("home", "local", "turns", "id_", "state"),
    [
        ("hotel25", "卧房", ["空调低一度", "泡个澡，水温四十度"], "h23", {"target_temp": 40}),
        ("family39", "客厅", ["空调二十六度", "洗个澡，水温五十五度"], "f37", {"target_temp": 55}),
    ],
)
def test_a_value_beside_what_is_begun_is_of_what_does_it(
    dialogue: Say, home: str, local: str, turns: list[str], id_: str, state: dict[str, Any]
) -> None:
    """A thing that cannot do the act is never chosen while one that can was spoken of as recently."""
    held = dialogue(home, local)
    said = [held.say(turn) for turn in turns][-1]
    assert {one.id: one.state for one in said.instructs}[id_].items() >= state.items(), said.text
    assert {one.id for one in said.instructs} == {id_}


def test_a_complaint_of_what_was_just_done_turns_it_round(dialogue: Say) -> None:
    """service.md, Dialogue: a turn right after an act that says what is wrong with it corrects it."""
    held = dialogue("flat25", "卧室")
    held.say("空调调高两度")
    assert {one.id: one.state for one in held.say("我觉得热").instructs} == {"dev-14": {"level": 27}}
    held = dialogue("family39", "爷爷奶奶房")
    held.say("空调风小一点")
    assert [one.id for one in held.say("我还是嫌风大").instructs] == ["f21"]


@pytest.mark.parametrize(
    ("home", "local", "turns", "expected"),
    [
        ("grandma22", "客厅", ["客厅的灯关了", "小屋的也要，华生别忘了，鱼缸留着"], {"g15", "g16", "g17"}),
        ("fangtang38", "客厅", ["孩子那屋的灯关了", "次卧啊，他睡次卧"], {"f30"}),
        ("hotel25", "卧房", ["窗帘关上", "留一道缝"], {"h20"}),
        ("grandma22", "客厅", ["长虹吵得慌，孩子要睡了"], {"g04"}),
    ],
)
def test_a_continuing_turn_gets_its_room(
    dialogue: Say, home: str, local: str, turns: list[str], expected: set[str]
) -> None:
    """service.md, Dialogue: a completion of what was just done, or could not be found, is done there."""
    held = dialogue(home, local)
    said = [held.say(turn) for turn in turns][-1]
    assert {instruct.id for instruct in said.instructs} == expected, said.text


def test_using_one_alone_switches_the_others_of_its_kind_off(dialogue: Say) -> None:
    """service.md, Dialogue: 就用X leaves X on and nothing else of its kind there; other rooms stay as they are."""
    held = dialogue("grandma22", "大屋")
    said = held.say("太刺眼了，就用床头灯")
    assert {one.id: one.state for one in said.instructs} == {"g08": {"power": False}, "g09": {"power": True}}
    assert held.state("g01")["power"] is True
