"""What a request that names no thing is for (service.md, Token frame, dialogues; service.md, Dialogue)."""

from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[[str, str], Any]

ENDED = tuple(
    f"关掉{thing}" for thing in ["厨房油烟机", "客厅电视", "卧室空调", "卧室床头柜插座", "卧室顶灯", "大白", "加湿器"]
)
FOLLOWING = (
    "播放音乐",
    "放首歌",
    "暂停",
    "继续",
    "下一首",
    "静音",
    "锁上",
    "回去充电",
    "暗一点",
    "小声点",
    "关小点",
    "调低一点",
    "重启",
)


@pytest.mark.parametrize("ended", ENDED)
def test_nothing_but_power_words_switches_on_what_was_spoken_of(dialogue: Say, ended: str) -> None:
    """service.md: acts that a thing cannot do never fall back to `power`, and less never switches on."""
    for following in FOLLOWING:
        said = dialogue("flat25", "客厅")
        off = {instruct.id for instruct in said.say(ended).instructs}
        assert off
        for instruct in said.say(following).instructs:
            assert instruct.id not in off or instruct.state.get("power") is not True, (ended, following)


@pytest.mark.parametrize(
    ("home", "local", "before", "said", "expected"),
    [
        ("villa120", "一楼客厅", "主卧窗帘关上", "客厅亮度调到80%", {"v1", "v4", "v5"}),
        ("flat25", "客厅", "卧室窗帘拉上", "客厅音量调到30%", {"dev-4"}),
        ("flat25", "客厅", "打开卧室顶灯", "儿童房温度调到25度", {"dev-19"}),
    ],
)
def test_words_of_the_turn_win_over_the_context(
    dialogue: Say, home: str, local: str, before: str, said: str, expected: set[str]
) -> None:
    """service.md, Dialogue: a room and an attribute that were said are not about the kind of thing spoken of before."""
    held = dialogue(home, local)
    held.say(before)
    assert {instruct.id for instruct in held.say(said).instructs} == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("打开客厅电视", "打开卧室顶灯", "声音大一点"), {"dev-4"}),
        (("打开客厅吸顶灯", "打开油烟机", "亮一点"), {"dev-1"}),
        (("打开卧室空调", "打开油烟机", "静音"), {"dev-4"}),
    ],
)
def test_a_thing_that_cannot_do_it_is_not_chosen(dialogue: Say, turns: tuple[str, ...], expected: set[str]) -> None:
    """service.md, Dialogue: the newest thing spoken of that can do the act, else what can do it here."""
    *_, last = map(dialogue("flat25", "客厅").say, turns)
    assert {instruct.id for instruct in last.instructs} == expected


@pytest.mark.parametrize("asked", ["儿童房有什么", "卧室有哪些设备", "家里有几盏灯", "书房里有什么电器"])
def test_a_question_of_ones_own_is_no_answer(dialogue: Say, asked: str) -> None:
    """service.md, Token frame: a question gets an answer and changes nothing; the open question stays (service.md)."""
    held = dialogue("flat25", "客厅")
    assert held.say("空调调到24度").kind == "question"
    told = held.say(asked)
    assert (told.kind, told.instructs) == ("answer", ())
    assert {instruct.id for instruct in held.say("儿童房的").instructs} == {"dev-19"}
