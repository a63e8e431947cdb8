"""What the words around a query add to it, rooms told by a number, and what is only guessed (retrieval.md)."""

import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.ir_compiler import FakeLLM
from context_retrieval.models import Device, DeviceCommand
from context_retrieval.pipeline import retrieve
from context_retrieval.rooms import RoomIndex
from context_retrieval.said_attributes import bare_verb
from context_retrieval.state import ConversationState
from context_retrieval.text import plain_question
from tingdong.bridges.embedded_llm import EmbeddedLLM

SWITCH = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
DIMMED = (*SWITCH, DeviceCommand("level", "设置亮度", "integer"))
HOME = Catalog.build(
    [
        *(Device(f"s{number}", f"射灯{number}", "客厅", "light", DIMMED) for number in range(1, 5)),
        Device("main", "大灯", "客厅", "light", DIMMED),
        *(Device(f"p{letter}", f"Panel {letter}", "1F候诊区", "light", SWITCH) for letter in "ABC"),
        Device("one", "空调", "1F诊室1", "ac", SWITCH),
        Device("two", "空调", "1F诊室2", "ac", SWITCH),
        Device("vip", "AC201", "1F VIP诊室", "ac", SWITCH),
        Device("steam", "灭菌器", "1F消毒间", "", SWITCH),
        Device("box", "收音匣子", "外婆屋", "speaker", SWITCH),
        Device("seen", "人体传感器", "1F走廊", "motion", (DeviceCommand("m", "查询有人"),)),
        Device("hall", "廊灯", "1F走廊", "light", SWITCH),
    ]
)
READER = EmbeddedLLM(HOME)


def targets(text: str, *commands: str) -> list[str]:
    """What a sentence needs, read as the `commands`, or by the package's own reader where there are none."""
    client = FakeLLM({text: list(commands)}) if commands else READER
    result = retrieve(text, HOME, client, ConversationState())
    return [candidate.entity_id for candidate in result.candidates]


@pytest.mark.parametrize(
    ("text", "commands", "expected"),
    [
        ("1号跟4号射灯都打开", ["打开-*-4号射灯#Light#all"], ["s1", "s4"]),
        ("射灯1和4打开", [], ["s1", "s4"]),
        ("Panel A和B都关了", [], ["pA", "pB"]),
        ("除了射灯2，其他射灯都关了", ["关闭-*-*,!射灯2#Light#except"], ["s1", "s3", "s4"]),
        ("射灯除了3号都关了", [], ["s1", "s2", "s4"]),
        ("候诊区的Panel全开", ["打开-候诊区-Panel#Light#all"], ["pA", "pB", "pC"]),
        ("诊室的空调都关了", ["关闭-诊室-*#AirConditioner#all"], ["one", "two", "vip"]),
        ("两个诊室2的空调", ["关闭-诊室2-*#AirConditioner#all"], ["two"]),
        ("二零一空调关了", ["设置温度=201C-*-*#AirConditioner#all", "关闭-*-*#AirConditioner#all"], ["vip"]),
        ("灭军器关了", [], ["steam"]),
        ("收音闸子小声点", [], ["box"]),
        ("走廊有人就把廊灯打开", [], ["hall", "seen"]),
    ],
)
def test_words_lost_by_the_reading_are_found(text: str, commands: list[str], expected: list[str]) -> None:
    """retrieval.md, Names: what the sentence says and the reading lost is found; never more than was said (law 1)."""
    assert targets(text, *commands) == expected


@pytest.mark.parametrize(
    ("before", "command", "text", "expected"),
    [
        ("射灯1打开", "打开-*-射灯1#Light#one", "四号也打开", ["s4"]),
        ("射灯1打开", "打开-*-射灯1#Light#one", "也打开", ["s1"]),
    ],
)
def test_a_number_or_side_tells_the_neighbour(before: str, command: str, text: str, expected: list[str]) -> None:
    """retrieval.md, Calls: a number tells the one beside the one spoken of."""
    state, client = ConversationState(), FakeLLM({before: f'["{command}"]', text: '["打开-*-@last#Unknown#one"]'})
    retrieve(before, HOME, client, state)
    assert [one.entity_id for one in retrieve(text, HOME, client, state).candidates] == expected


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("诊室5的空调打开", []),
        ("三零九空调关了", ["设置温度=309C-*-*#AirConditioner#all", "关闭-*-*#AirConditioner#all"]),
        ("灭菌器，好久不见", []),
    ],
)
def test_a_missing_number_is_never_another_device(text: str, commands: list[str]) -> None:
    """Law 1: a counted room or a number that the home does not have is never another; a call is no request."""
    assert targets(text, *commands) == []


def test_rooms_told_by_a_number() -> None:
    """retrieval.md: a room behind a floor may end in a zone word; a number tells like rooms apart."""
    rooms = RoomIndex(["1F候诊区", "1F诊室1", "1F诊室2", "2F MR-A会议室", "2F MR-B会议室", "2F主任室"])
    assert rooms.find("一楼") == ("1F候诊区", "1F诊室1", "1F诊室2")
    assert rooms.find("候诊区") == ("1F候诊区",)
    assert rooms.find("诊室") == ("1F诊室1", "1F诊室2")
    assert rooms.find("2号诊室") == ("1F诊室2",)
    assert rooms.find("会议室B") == ("2F MR-B会议室",)
    assert rooms.find("诊室5") == ()


@pytest.mark.parametrize(
    ("action", "value", "text", "bare"),
    [
        ("设置温度", "20%", "小太阳调到两成", "设置"),
        ("设置温度", "最大", "大力开到最大", "设置"),
        ("调高温度", None, "小白开大点", "调高"),
        ("调高亮度", None, "插座亮一点", None),
        ("设置温度", "20C", "插座调到二十度", None),
        ("打开", None, "插座打开", None),
    ],
)
def test_an_attribute_that_nobody_said(action: str, value: str | None, text: str, bare: str | None) -> None:
    """Law 1: an attribute that was said stays; one that was guessed from a name is for the device to decide."""
    assert bare_verb(action, value, text) == bare


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("湿度好多", "湿度多少"),
        ("门锁电还剩好多", "门锁电还剩多少"),
        ("这屋头好多度", "这屋头多少度"),
        ("好多灰尘", "好多灰尘"),
        ("今天人好多", "今天人好多"),
    ],
)
def test_how_much_in_dialect(text: str, plain: str) -> None:
    """Law 2: 好多 that asks how much makes a question; 好多 that says many stays."""
    assert plain_question(text) == plain


def test_thousands_of_strange_words_slow_no_later_one() -> None:
    """What a word means is remembered however many others were said before."""
    rooms = RoomIndex(["一楼客厅", "一楼书房", "二楼主卧"])
    for number in range(5_000):
        rooms.find(f"词{number}")
    assert rooms.find("一楼") == ("一楼客厅", "一楼书房")
    assert rooms.find("一楼") is rooms.find("一楼")
