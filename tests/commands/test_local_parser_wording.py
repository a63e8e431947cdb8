"""Laws of everyday wording: what belongs to a thing, steps, states and values said in passing (commands.md)."""

import pytest

from tingdong.reader import SentenceReader, sentence_reader


@pytest.fixture(scope="module")
def parser() -> SentenceReader:
    return sentence_reader()


def said(parser: SentenceReader, text: str) -> list[str]:
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
def test_a_part_and_its_device_are_one_name(parser: SentenceReader, text: str, commands: list[str]) -> None:
    """A name made of a thing and a generic word is a name; furniture is a place (commands.md, NAME and TYPE)."""
    assert said(parser, text) == commands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("空调风速再来两档", ["调高风速=2档-*-*#AirConditioner#all"]),
        ("卧室的窗帘再开一点", ["调高开合度-卧室-*#Blind#all"]),
        ("台灯往上调，二十个百分点", ["调高亮度=20%-*-台灯#Light#one"]),
        ("吊扇关小风", ["调低风速-*-吊扇#Fan#one"]),
        ("吊扇开小风", ["设置风速=低-*-吊扇#Fan#one"]),
        ("台灯留最暗", ["设置亮度=最小-*-台灯#Light#one"]),
    ],
)
def test_steps_said_in_everyday_words_are_steps(parser: SentenceReader, text: str, commands: list[str]) -> None:
    """What is added, closed a little or turned down changes by a step and sets nothing (commands.md, ACTION:
    relative)."""
    assert said(parser, text) == commands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("还是亮着吧", ["打开-*-@last#Unknown#one"]),
        ("打开书房的落地灯和取暖器温度调到三十", [
            "打开-书房-落地灯#Light#one", "打开-书房-取暖器#Unknown#one", "设置温度=30C-书房-取暖器#Unknown#one",
        ]),
        ("射灯和壁灯都打开，壁灯不要了", ["打开-*-射灯#Light#one"]),
        ("打开餐厅的灯，两盏就行", ["打开-餐厅-*#Light#any#2"]),
        ("电影机打开", ["打开-*-电影机#Unknown#one"]),
    ],
)  # fmt: skip
def test_states_values_and_counts_inside_a_request_are_read(
    parser: SentenceReader, text: str, commands: list[str]
) -> None:
    """A state wished for, a value that one of two things can have, a number said last (commands.md, Order and
    splitting; Q, N)."""
    assert said(parser, text) == commands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("观影模式，走起", ["执行-*-观影模式#Unknown#one"]),
        ("起床模式，早上七点启动", ["执行@07:00-*-起床模式#Unknown#one"]),
        ("洗衣机跑快洗模式", ["设置模式=快洗-*-*#Washer#all"]),
        ("把色温调成自然，吊灯", ["设置色温=自然-*-吊灯#Light#one"]),
        ("电视切五台不是切九台", ["设置频道=9-*-*#Television#all"]),
        ("这盏打开那盏关了", ["打开-*-@last#Light#one", "关闭-*-@last#Light#one"]),
        ("关夜灯烤箱调到一百八十度", ["关闭-*-夜灯#Light#one", "设置温度=180C-*-烤箱#Unknown#one"]),
        ("办公室的电扇关一台，剩下那台继续吹", ["关闭-办公室-*#Fan#any#1"]),
    ],
)
def test_requests_after_a_pause(parser: SentenceReader, text: str, commands: list[str]) -> None:
    """What begins a mode is one with it; a thing closed is not set; this one and that one are two (commands.md, Order
    and splitting)."""
    assert said(parser, text) == commands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("十一点了该睡了，把灯关了", ["关闭-*-*#Light#all"]),
        ("空调温度高于二十八度的时候开吊扇", ["打开@空调温度>28C-*-吊扇#Fan#one"]),
        ("这集放完了帮我关电视", []),
    ],
)
def test_a_time_that_is_only_reported_schedules_nothing(parser: SentenceReader, text: str, commands: list[str]) -> None:
    """What the clock shows is no WHEN, and what WHEN cannot say is never done at once (commands.md, ACTION)."""
    assert said(parser, text) == commands
