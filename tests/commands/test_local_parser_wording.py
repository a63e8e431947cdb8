"""Laws of everyday wording: what belongs to a thing, steps, states and values said in passing (seed 001)."""

import pytest

from tingdong.commands import LocalParser


@pytest.fixture(scope="module")
def parser() -> LocalParser:
    return LocalParser()


def said(parser: LocalParser, text: str) -> list[str]:
    """The commands of a sentence as strings."""
    return [str(command) for command in parser.read(text).commands]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("咖啡机的插座断电", ["关闭-*-咖啡机插座#SmartPlug#one"]),
        ("厨房电饭煲的插座打开", ["打开-厨房-电饭煲插座#SmartPlug#one"]),
        ("把油烟机的灯关了", ["关闭-*-油烟机灯#Light#one"]),
        ("风扇和电视的插座都断电", ["关闭-*-风扇插座#SmartPlug#one", "关闭-*-电视插座#SmartPlug#one"]),
        ("除了鱼缸的插座，其他插座都断电", ["关闭-*-*,!鱼缸插座#SmartPlug#except"]),
        ("鞋柜的插座关掉", ["关闭-鞋柜-*#SmartPlug#all"]),
        ("窗户的窗帘拉上", ["关闭-窗户-*#Blind#all"]),
    ],
)
def test_what_belongs_to_a_thing_is_one_thing(parser: LocalParser, text: str, commands: list[str]) -> None:
    """A name made of a thing and a generic word is a name; furniture is a place (spec, More decisions)."""
    assert said(parser, text) == commands
