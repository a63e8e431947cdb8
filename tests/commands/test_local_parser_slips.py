"""Slips of a recogniser: what is repaired, and what is rather a word nobody listed (commands.md)."""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("把那台收银机重启一下", "收银机"),
        ("水景灯换成蓝色", "水景灯"),
        ("校园里的路灯打开", "校园"),
    ],
)
def test_a_word_nobody_listed_is_no_slip(text: str, command: str) -> None:
    """A name or place that is well formed stays, though a rarer known word sounds like it (commands.md, SCOPE)."""
    (found,) = PARSER.read(text).commands
    assert command in str(found)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("把次卧的抬灯打开", "打开-次卧-台灯#Light#one"),
        ("打开扫递机器人", "打开-*-扫地机器人#Unknown#one"),
        ("执行睡绵模式", "执行-*-睡眠模式#Unknown#one"),
        ("关掉主我的空条", "关闭-主卧-*#AirConditioner#all"),
        ("把浴是的灯关掉", "关闭-浴室-*#Light#all"),
        ("打开进化器", "打开-*-净化器#Unknown#one"),
    ],
)
def test_a_word_that_sounds_like_a_usual_one_is_corrected(text: str, command: str) -> None:
    """What is no word and sounds like a very usual one is that one (commands.md)."""
    assert [str(found) for found in PARSER.read(text).commands] == [command]
