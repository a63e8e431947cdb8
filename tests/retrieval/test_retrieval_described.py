"""Things told without their name: what they do, whose they are, where they stand (retrieval.md)."""

import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.counted import SpanPart
from context_retrieval.grounding import ground
from context_retrieval.ir_compiler import FakeLLM, ReadSpan
from context_retrieval.kind_table import kind_table
from context_retrieval.models import (
    Candidate,
    Device,
    DeviceCommand,
    DeviceType,
    Group,
    QueryIR,
    RetrievalResult,
    Role,
)
from context_retrieval.pipeline import retrieve
from context_retrieval.resolve import resolve_ir
from context_retrieval.rooms import RoomIndex, telling_rooms
from context_retrieval.state import ConversationState
from context_retrieval.telling import MOST_THINGS, person_in, telling
from context_retrieval.text import spoken
from context_retrieval.unread import unread
from context_retrieval.unsaid_conditions import said_events
from tingdong.bridges.embedded_llm import EmbeddedLLM

ON_OFF = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
TELLS = (DeviceCommand("m", "查询有人"),)


def build(*placed: tuple[str, str, str, str]) -> Catalog:
    return Catalog.build([Device(one, name, room, kind, ON_OFF) for one, name, room, kind in placed])


OFFICE = build(
    ("w1", "主灯", "王总办公室", "light"),
    ("w2", "主灯", "赵总办公室", "light"),
    ("r1", "理光复合机", "打印区", "generic"),
    ("s1", "碎纸机", "打印区", "generic"),
    ("k1", "水壶", "茶水间", "generic"),
    ("b1", "靠窗床头灯", "105", "light"),
    ("b2", "靠门床头灯", "105", "light"),
    ("b3", "靠窗床头灯", "106", "light"),
    *((f"c{n}", f"廊灯{n}", "二楼东走廊", "light") for n in range(1, 5)),
    ("n1", "陈奶奶电热毯", "106", "generic"),
    ("n2", "电热毯", "105", "generic"),
)


def ask(home: Catalog, text: str, command: str = "", before: str = "") -> RetrievalResult:
    """The result of `text`, read as `command`, or by the package's own reader where there is none."""
    state = ConversationState()
    if before:
        retrieve("甲", home, FakeLLM({"甲": [before]}), state)
    return retrieve(text, home, FakeLLM({text: [command]}) if command else EmbeddedLLM(home), state)


def ids(result: RetrievalResult, role: Role = Role.TARGET) -> set[str]:
    return {one.entity_id for one in result.candidates if one.role is role}


@pytest.mark.parametrize(
    ("text", "meant"),
    [("卡纸的那台重启", "r1"), ("理光那台关了", "r1"), ("烧水的那个开开", "k1"), ("碎纸的那台关了", "s1")],
)
def test_by_what_it_does_or_who_made_it(text: str, meant: str) -> None:
    """What a thing does stands before the pointing word; it is no reference to what was spoken of before."""
    assert ids(ask(OFFICE, text)) == {meant}
    assert ids(ask(OFFICE, text, "打开-*-@last#Unknown#one", before="打开-105-靠门床头灯#Light#one")) == {meant}


def test_the_action_of_what_is_pointed_at() -> None:
    """The parts that a parser read say what is done in the clause; without them any command serves."""
    text = "灯先不管，理光那台关了"
    said = [ReadSpan("device", 0, 1, "*"), ReadSpan("negation", 2, 4), ReadSpan("action", 9, 11, "关闭")]
    assert [query.action for query in unread(text, said, OFFICE, ())] == ["关闭"]
    assert not unread(text, (), OFFICE, ())


@pytest.mark.parametrize("text", ["刚才那个开开", "上面那盏关了", "那个关了"])
def test_a_pointing_word_alone_points_back(text: str) -> None:
    """Nothing in front of it tells a thing of this home."""
    assert ids(ask(OFFICE, text, "关闭-*-@last#Unknown#one", before="打开-105-靠门床头灯#Light#one")) == {"b2"}


@pytest.mark.parametrize("side", ["南面", "南边", "南侧", "南头"])
def test_a_side_of_a_room(side: str) -> None:
    """A side is said in several ways; with a word for a type it tells which of the room's."""
    home = build(("n", "北侧卷帘", "C区", "curtain"), ("s", "南侧卷帘", "C区", "curtain"))
    assert ids(ask(home, f"C区{side}的帘子放下来", f"关闭-C区{side}-*#Blind#all")) == {"s"}


def test_a_description_narrows_a_type() -> None:
    """105靠窗那张床的灯 is one of the room's lamps, not all of them."""
    assert ids(ask(OFFICE, "105靠窗那张床的灯打开", "打开-105-*#Light#all")) == {"b1"}
    assert ids(ask(OFFICE, "105靠窗的灯打开", "打开-105靠窗-*#Light#all")) == {"b1"}
    assert ids(ask(OFFICE, "105的灯都打开", "打开-105-*#Light#all")) == {"b1", "b2"}


def test_a_device_by_its_position_in_the_room() -> None:
    """105靠窗 is a room and a place in it; a place that nothing here has is no room."""
    assert ids(ask(OFFICE, "105靠窗那床的床头灯打开", "打开-105靠窗-床头灯#Light#one")) == {"b1"}
    assert not ids(ask(OFFICE, "105靠墙那床的床头灯打开", "打开-105靠墙-床头灯#Light#one"))
    assert ids(ask(OFFICE, "靠门的也关了", "关闭-*-靠门#Unknown#one", before="关闭-105-靠窗床头灯#Light#one")) == {"b2"}


def test_a_place_must_match_as_a_whole() -> None:
    """Law 1: 东边看台 is a place of its own; a side that some lamp elsewhere has does not stand for it."""
    home = build(
        ("e", "餐区灯东", "食堂", "light"), ("w", "餐区灯西", "食堂", "light"), ("f", "旗杆射灯", "操场", "light")
    )
    assert not ids(ask(home, "东边看台的灯打开", "打开-东边看台-*#Light#all"))
    assert ids(ask(home, "旗杆那儿的灯打开", "打开-旗杆-*#Light#all")) == {"f"}
    assert ids(ask(home, "东边的灯打开", "打开-东边-*#Light#all")) == {"e"}


@pytest.mark.parametrize(
    ("said", "meant"),
    [("第二盏灯", "c2"), ("左手边第三盏廊灯", "c3"), ("最后一盏灯", "c4"), ("倒数第二盏灯", "c3"), ("第9盏灯", None)],
)
def test_one_of_a_row(said: str, meant: str | None) -> None:
    """Counted by the numbers in the names; past the end of the row it is none."""
    result = ask(OFFICE, f"东走廊{said}关掉", f"关闭-东走廊-{said}#Light#one")
    assert ids(result) == ({meant} if meant else set())


def test_a_row_of_different_names_is_not_counted() -> None:
    """第二盏灯 among things of two names counts nothing."""
    mixed = build(("a", "筒灯1", "厅", "light"), ("b", "筒灯2", "厅", "light"), ("c", "灯带", "厅", "light"))
    assert ids(ask(mixed, "厅第二盏灯关掉", "关闭-厅-第二盏灯#Light#one")) != {"b"}
    assert not ground(spoken("中间那盏筒灯"), mixed).has(SpanPart.NUMBER)
    assert ground(spoken("最后一盏筒灯"), mixed).positions == (1,)


def test_a_device_by_its_owner() -> None:
    """李阿婆的床头灯 is nobody else's; a person's thing or room is found by the person."""
    other = build(("z", "床头灯", "张爷爷房", "light"))
    result = ask(other, "李阿婆的床头灯关了", "关闭-*-床头灯#Light#one")
    assert not ids(result)
    assert "李阿婆" in (result.hint or "")
    assert ids(ask(other, "张爷爷的床头灯关了", "关闭-*-床头灯#Light#one")) == {"z"}
    assert ids(ask(OFFICE, "陈奶奶的电褥子关了", "关闭-*-电褥子#Unknown#one")) == {"n1"}
    assert ids(ask(OFFICE, "王总屋里主灯打开", "打开-*-主灯#Light#one")) == {"w1"}


@pytest.mark.parametrize("text", ["员工的灯关了", "王奶奶说灯太亮", "手工的活", "小太阳的灯"])
def test_a_title_alone_names_no_owner(text: str) -> None:
    """A title needs a surname, and something that is said to be hers."""
    assert person_in(text) is None


def test_rooms_by_what_tells_them_apart() -> None:
    """泰山 stands for 泰山会议室 where other rooms are of that word; sides are said with and without 头 or 边."""
    rooms = ["泰山会议室", "黄山会议室", "王总办公室", "二楼东走廊", "二楼西走廊", "客厅", "儿童房", "洽谈间1"]
    assert set(telling_rooms(rooms)) == {"泰山", "黄山", "王总"}
    index = RoomIndex(rooms)
    assert index.find("泰山") == ("泰山会议室",)
    assert index.find("二楼东头走廊") == index.find("东边走廊") == index.find("二楼东头") == ("二楼东走廊",)


SENSED = Catalog.build(
    [
        *(Device(f"l{room}", "灯", room, "light", ON_OFF) for room in ("A区", "B区")),
        *(Device(f"p{room}", "人体感应器", room, "motion", TELLS) for room in ("A区", "B区")),
    ]
)


@pytest.mark.parametrize("room", ["A区", "B区"])
@pytest.mark.parametrize(
    "form", ["{}要是没人了就把灯都关掉", "{}没人的话把灯都关掉", "如果{}没人，把灯都关掉", "{}一没人就把灯都关掉"]
)
def test_a_request_that_waits_for_an_event(room: str, form: str) -> None:
    """The room of the event is where it is done, its sensor what is watched (retrieval.md, Conditions)."""
    text = form.format(room)
    llm = FakeLLM({"把灯都关掉": ["关闭-*-*#Light#all"]})
    result = retrieve(text, SENSED, llm, ConversationState())
    assert (ids(result), ids(result, Role.CONDITION)) == ({f"l{room}"}, {f"p{room}"})


@pytest.mark.parametrize("text", ["A区有没有人", "没人管这事", "火星没人就把灯都关掉"])
def test_without_an_event_there_is_no_condition(text: str) -> None:
    """A question, a story and an unknown room make no condition."""
    result = retrieve(text, SENSED, FakeLLM({"把灯都关掉": ["关闭-*-*#Light#all"]}), ConversationState())
    assert not [one for one in ids(result) if one.startswith("l")]


def test_a_restart_is_off_and_on() -> None:
    """What cannot restart by itself is switched off, then on, in this order; what cannot be switched has neither."""
    result = ask(OFFICE, "碎纸机重启", "重启-*-碎纸机#Unknown#one")
    assert [one.command_ids for one in result.candidates] == [("off", "on")]
    only_on = Catalog.build([Device("x", "碎纸机", "厅", "generic", ON_OFF[:1])])
    assert not ids(ask(only_on, "碎纸机重启", "重启-*-碎纸机#Unknown#one"))


def test_a_mixed_group_is_its_members() -> None:
    """A group whose things share no command for what is asked stands as those of its things that can do it."""
    curtain = (DeviceCommand("pos:open", "打开设备"), DeviceCommand("pos:close", "关闭设备"))
    sensor = (DeviceCommand("t", "查询温度"),)
    home = Catalog.build(
        [
            Device("l", "灯", "厅", "light", ON_OFF),
            Device("c", "窗帘", "厅", "curtain", curtain),
            Device("t", "温度计", "厅", "temp", sensor),
        ],
        [Group("g", "大厅组", ("l", "c", "t")), Group("h", "灯组", ("l",))],
    )
    found = {one.entity_id: one for one in ask(home, "大厅组关了", "关闭-*-大厅组#Unknown#one").candidates}
    assert {one: candidate.command_ids for one, candidate in found.items()} == {"l": ("off",), "c": ("pos:close",)}
    assert isinstance(found["l"], Candidate)
    assert ids(ask(home, "灯组关了", "关闭-*-灯组#Unknown#one")) == {"h"}


def test_rows_of_rooms() -> None:
    """洽谈间2和4 are both; a number that counts a room is no value; a row that the home lacks is none."""
    home = build(*((f"d{n}", "空调", f"洽谈间{n}", "airconditioner") for n in range(1, 5)))
    text = "洽谈间2和4的空调关掉"
    llm = FakeLLM({text: ["设置温度=4C-洽谈间2-*#AirConditioner#all", "关闭-洽谈间2-*#AirConditioner#all"]})
    result = retrieve(text, home, llm, ConversationState())
    assert (ids(result), result.hint) == ({"d2", "d4"}, None)
    assert ids(ask(home, "洽谈间2和9的空调关掉", "关闭-洽谈间2-*#AirConditioner#all")) == {"d2"}


def test_the_table_fits_the_kinds() -> None:
    """Words of what things do have a thing to do it, and no event is said of an attribute nobody senses."""
    assert all(len(word) > 1 for kind in kind_table().kinds.values() for word in kind.does)
    assert all(len(word) > 1 and value in ("是", "否") for word, _, value in said_events())


def test_a_very_large_home_is_not_taken_to_words() -> None:
    """retrieval.md, "Speed": above a bound names, kinds and rooms find things, and no first request waits for more."""
    rows = [(str(n), f"灯{n}", f"房间{n % 500}", "light") for n in range(MOST_THINGS + 1)]
    large, least = build(*rows), build(*rows[:-1])
    assert telling(least).heads
    assert not telling(large).heads
    assert not telling(large).tells
    assert ground(spoken("房间7的灯"), large).positions == ()
    said = FakeLLM({"打开灯1234": ["打开-*-灯1234#Light#one"]})
    found = retrieve("打开灯1234", large, said, ConversationState())
    assert [one.entity_id for one in found.candidates] == ["1234"]


def test_a_name_in_another_room_does_not_match_here() -> None:
    """Law 1: what bears its room in its name (前厅空调) is nothing of another room, whatever a query says."""
    home = build(("f", "前厅空调", "前厅", "air_conditioner"), ("s", "空调", "海景房", "air_conditioner"))
    query = QueryIR("关闭", type=DeviceType.AIR_CONDITIONER, include=("海景房",), name="前厅空调")
    result = resolve_ir(query, home, ConversationState())
    assert "s" not in result.entity_ids
