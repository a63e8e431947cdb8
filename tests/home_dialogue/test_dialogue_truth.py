"""What is said is true, and nothing changes that was not asked for (service.md, Token frame, Closing frame; service.md,
Dialogue)."""

import re
from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[[str, str], Any]


@pytest.mark.parametrize(
    ("home", "local", "said"),
    [
        ("flat25", "客厅", "我们要出门了"),
        ("villa120", "一楼客厅", "把楼下的灯都关了"),
        ("villa120", "二楼主卧", "二楼的灯全关掉"),
        ("loft30", "客厅", "客厅的设备全部关掉"),
        ("flat25", "客厅", "所有设备都关掉"),
    ],
)
def test_a_count_in_a_reply_counts_what_changes(dialogue: Say, home: str, local: str, said: str) -> None:
    """Of 18 things of which 7 were on, 7 are told; the instructs go to all (service.md, `instructs`)."""
    held = dialogue(home, local)
    power = {one["id"]: dict(one["device"].get("state", {})) for one in held.home["devices"]}
    turn = held.say(said)
    changed = [one for one in turn.instructs if any(power[one.id].get(k) != v for k, v in one.state.items())]
    assert changed
    counted = [int(number) for number in re.findall(r"(\d+)(?:个设备|盏灯)", turn.text)]
    assert all(number <= len(changed) for number in counted), turn.text


@pytest.mark.parametrize("local", ["客厅", "卧室", "书房", "卫生间", ""])
@pytest.mark.parametrize("said", ["关掉{}，留下不存在的那个", "打开阁楼的{}", "关灯睡觉觉啦，给我留个{}"])
def test_an_existing_device_is_never_denied(dialogue: Say, said: str, local: str) -> None:
    """A kind of thing that stands in the home is never said not to be in the home."""
    for word in ("灯", "空调", "窗帘", "星星"):
        turn = dialogue("flat25", local).say(said.format(word))
        for kind in ("灯", "空调", "窗帘"):
            assert f"家里没有{kind}" not in turn.text, turn.text


@pytest.mark.parametrize("yes", ["嗯开吧", "嗯", "好的好的", "对对", "行，确认", "是的，开吧"])
def test_a_yes_answers_the_open_question(dialogue: Say, yes: str) -> None:
    """service.md: a confirming turn; what was done beside it is not done again."""
    held = dialogue("loft30", "客厅")
    asked = held.say("油烟机和厨灯打开，烤箱也打开200度")
    assert "确定" in asked.text
    assert {one.id: one.state for one in held.say(yes).instructs} == {"L19": {"power": True, "target_temp": 200}}


def test_a_value_said_with_the_yes_is_set(dialogue: Say) -> None:
    """确定，210度 confirms with that value, never at the one it had before."""
    held = dialogue("loft30", "客厅")
    held.say("打开烤箱")
    assert {one.id: one.state for one in held.say("确定，210度").instructs} == {
        "L19": {"power": True, "target_temp": 210}
    }


@pytest.mark.parametrize("said", ["算了，我出门了，楼下都关了吧", "算了，把剩下那些也给我收拾收拾吧"])
def test_a_request_behind_a_refusal_is_not_swallowed(dialogue: Say, said: str) -> None:
    """Every clause is accounted for: 好的 alone is said only where nothing else was asked."""
    turn = dialogue("villa120", "二楼主卧").say(said)
    assert turn.text != "好的。"
    assert turn.kind in ("instruct", "question")


def test_a_wish_said_of_a_place_stays_there(dialogue: Say) -> None:
    """Law 1: nothing outside the rooms that were said is touched."""
    held = dialogue("villa120", "二楼主卧")
    turn = held.say("算了，我出门了，楼下都关了吧")
    rooms = {one["id"]: one["local"] for one in held.home["devices"]}
    assert turn.instructs
    assert all(rooms[one.id].startswith("一楼") for one in turn.instructs)


def test_the_rest_of_the_home_excludes_the_named_devices(dialogue: Say) -> None:
    """其余 after other requests leaves out what these were about and what is to be left alone."""
    held = dialogue("flat25", "客厅")
    held.state("dev-23")["power"] = True
    turn = held.say("打开客厅灯，书房台灯别动，其余灯全关")
    off = {one.id for one in turn.instructs if one.state == {"power": False}}
    assert off == {"dev-7", "dev-8", "dev-11", "dev-12", "dev-18", "dev-25"}
    assert held.state("dev-23")["power"] is True


def test_the_others_of_one_room_stay_in_it(dialogue: Say) -> None:
    """其他灯关了 where no other room was spoken of means the room where one stands."""
    held = dialogue("villa120", "二楼儿童房")
    rooms = {one["id"]: one["local"] for one in held.home["devices"]}
    turn = held.say("星空灯开开，其他灯关关")
    assert turn.instructs
    assert {rooms[one.id] for one in turn.instructs} == {"二楼儿童房"}


def test_a_repeated_name_repeats_no_request(dialogue: Say) -> None:
    """A name alone repeats nothing on what the last turn has acted on."""
    held = dialogue("villa120", "二楼儿童房")
    held.say("小黄鸭亮起来")
    held.say("再亮一点")
    assert held.say("哈哈哈小黄鸭嘎嘎嘎").instructs == ()
