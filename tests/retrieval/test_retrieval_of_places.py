"""What is said of a place and of who is there (retrieval.md, What a query means): hotels, wards, offices."""

import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.models import Device, DeviceCommand, RetrievalResult, Role
from context_retrieval.pipeline import retrieve
from context_retrieval.rooms import RoomIndex
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM

ON_OFF = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
SEES = (DeviceCommand("seen", "查询有人"),)
SMELLS = (DeviceCommand("smoke", "查询烟雾"),)


def thing(one: str) -> Device:
    """A sensor by its name, else what its name says, which goes on and off; its id is `room/name`."""
    room, name = one.split("/")
    commands = SEES if "人体" in name else SMELLS if "烟感" in name else ON_OFF
    return Device(one, name, room, "generic", commands)


THINGS = """
松间/主灯 松间/加湿器 松间/人体传感器 竹间/主灯 竹间/暖风机 竹间/人体传感器 梅间/主灯 梅间/空调
老人房/床头灯（姥爷） 老人房/床头灯（姥姥） 前台/灯带1 前台/灯带2 前台/灯带3 前台/招牌灯
布草间/换气扇 北走廊/烟感 南走廊/烟感 书吧/吊灯南 书吧/吊灯中 书吧/吊灯北 书吧/人体传感器
书吧/紫外线灯 书吧/台灯 贺老师办公室/落地灯 贺老师办公室/电视 贺老师办公室/人体传感器 影厅/投影仪 影厅/幕布
院长室（梁）/台灯 东走廊/壁灯 西走廊/壁灯
"""
INN = Catalog.build(map(thing, THINGS.split()))


def ask(text: str, *before: str) -> RetrievalResult:
    state, reader = ConversationState(), EmbeddedLLM(INN)
    for earlier in before:
        retrieve(earlier, INN, reader, state)
    return retrieve(text, INN, reader, state)


def ids(found: RetrievalResult, role: Role = Role.TARGET) -> set[str]:
    return {one.entity_id for one in found.candidates if one.role is role}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("松间太干了", "松间/加湿器"),
        ("竹间冷死了", "竹间/暖风机"),
        ("竹间暖和一点", "竹间/暖风机"),
        ("布草间有点闷", "布草间/换气扇"),
        ("梅间太热了", "梅间/空调"),
    ],
)
def test_a_complaint_about_a_room_finds_the_remedy(text: str, meant: str) -> None:
    """What a room is like means the thing there that does something about it, the type of the attribute first."""
    assert ids(ask(text)) == {meant}


@pytest.mark.parametrize("text", ["松间太干了，灯别动", "说书先生太热了", "梅间太潮了"])
def test_a_room_without_a_remedy_offers_no_other_room(text: str) -> None:
    """Another room's things are never offered (architecture, law 1)."""
    assert ids(ask(text)) <= {"松间/加湿器"}


@pytest.mark.parametrize("asked", ["哪个走廊冒烟了", "哪条走廊冒烟了", "哪几个走廊有烟"])
def test_a_question_over_rooms_returns_every_room(asked: str) -> None:
    """Any word for a room may be asked after; every room of that word answers."""
    assert ids(ask(asked)) == {"北走廊/烟感", "南走廊/烟感"}


def test_presence_is_told_by_its_sensor() -> None:
    """Whether somebody is in a room is told by what senses people there."""
    assert ids(ask("贺老师在屋里吗")) == {"贺老师办公室/人体传感器"}
    assert ids(ask("书吧还有客人在吗")) == {"书吧/人体传感器"}


@pytest.mark.parametrize("text", ["贺老师不在屋里就把电视关掉", "要是贺老师不在房间就把电视关了"])
def test_absence_is_told_by_its_sensor(text: str) -> None:
    """不在 of a person is a condition, and excepts nothing: the rest of the home stays as it is (law 2)."""
    found = ask(text)
    assert ids(found) == {"贺老师办公室/电视"}
    assert ids(found, Role.CONDITION) == {"贺老师办公室/人体传感器"}


def test_what_is_not_in_a_room_is_excepted() -> None:
    """不在 of things leaves out those of the room."""
    assert "书吧/台灯" not in ids(ask("不在书吧的灯都关掉"))


@pytest.mark.parametrize("side", ["姥爷那边", "姥爷那头", "姥爷那儿"])
def test_a_persons_side_is_found_by_its_mark(side: str) -> None:
    """Somebody's side of a room is told by the mark behind a name."""
    assert ids(ask(f"{side}床头灯关了")) == {"老人房/床头灯（姥爷）"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("前台第二条灯关掉", {"前台/灯带2"}),
        ("前台后两条灯带打开", {"前台/灯带2", "前台/灯带3"}),
        ("书吧南边和北边的吊灯关了", {"书吧/吊灯南", "书吧/吊灯北"}),
    ],
)
def test_a_row_and_a_single_device_are_both_found(text: str, meant: set[str]) -> None:
    """A row of things and what is named beside it are both meant."""
    assert ids(ask(text)) == meant


def test_a_germicidal_lamp_is_no_lamp() -> None:
    """No set of lamps takes it, whether it starts or stops them (protected.yaml, rays)."""
    for text in ("书吧的灯全关了", "书吧的灯都打开"):
        assert ids(ask(text)) == {"书吧/吊灯南", "书吧/吊灯中", "书吧/吊灯北", "书吧/台灯"}


def test_each_clause_brings_its_own_device() -> None:
    """Each clause that acts brings its own thing."""
    assert ids(ask("投影仪打开，幕布放下来")) == {"影厅/投影仪", "影厅/幕布"}


def test_the_other_one_is_found_after_a_carried_device() -> None:
    """另一盏 is the other one of what was carried."""
    assert ids(ask("另一盏床头灯也关了", "姥爷那边床头灯关了")) == {"老人房/床头灯（姥姥）"}


@pytest.mark.parametrize("whose", ["梁院长屋里", "院长那边", "院长室"])
def test_a_room_with_its_owner_in_brackets(whose: str) -> None:
    """A room is called by whose it is, where that stands in brackets."""
    assert ids(ask(f"{whose}的台灯关了")) == {"院长室（梁）/台灯"}


def test_rooms_that_end_alike() -> None:
    """What several rooms end in is a word for all of them, only where all or just so many are said (law 1)."""
    rooms = RoomIndex(("月亮班", "星星班", "小鹿班", "员工休息区", "B1车库", "客等区"))
    for word in ("各班", "每个班", "三个班"):
        assert rooms.find(word) == ("月亮班", "星星班", "小鹿班")
    assert rooms.find("星星") == ("星星班",)
    assert rooms.find("客人等候区") == ("客等区",)
    assert rooms.find("负一楼") == ("B1车库",)
    for word in ("班", "两个班", "太阳班", "负二楼", "客人和等候区"):
        assert not rooms.find(word)


def test_two_marks_of_one_word() -> None:
    """东西走廊 is both corridors."""
    assert ids(ask("东西走廊的壁灯都打开")) == {"东走廊/壁灯", "西走廊/壁灯"}
