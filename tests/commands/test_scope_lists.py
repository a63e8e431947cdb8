"""Several places for one target are one scope, whatever separates them (commands.md, SCOPE)."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tingdong.commands import NameTable
from tingdong.reader import sentence_reader

PARSER = sentence_reader()
ROOMS = ("客厅", "卧室", "书房", "厨房", "阳台", "主卧", "次卧", "餐厅", "儿童房", "走廊", "卫生间", "二楼")
THINGS = {"灯": "Light", "空调": "AirConditioner", "窗帘": "Blind", "风扇": "Fan", "电视": "Television"}
SEPARATORS = ("，", ",", " ", "、", "和", "； ", "，、")
ACTS = (("打开", "打开", "打开"), ("关闭", "关了", "关闭"), ("关掉", "都关掉", "关闭"))
INCLUDED = (
    "{act}{rooms}的{thing}", "把{rooms}的{thing}{done}", "把{rooms}{thing}{done}", "{rooms}的{thing}{done}",
    "小牛，请{act}{rooms}的{thing}吧", "麻烦{act}{rooms}{thing}",
)  # fmt: skip
EXCLUDED = ("{act}除{rooms}以外的{thing}", "{act}除了{rooms}之外的{thing}", "除{rooms}外，{thing}{done}",
            "除了{rooms}，其他{thing}{done}")  # fmt: skip
HOMES = (None, NameTable(rooms=frozenset(ROOMS)), NameTable(names={}, rooms=frozenset({"客厅", "佛堂"})))


def read(text: str, home: NameTable | None = None) -> list[str]:
    return [str(command) for command in PARSER.read(text, home).commands]


@st.composite
def listed(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Rooms as said, with any separators, and each by itself."""
    rooms = draw(st.lists(st.sampled_from(ROOMS), min_size=2, max_size=4, unique=True))
    said = rooms[0]
    for room in rooms[1:]:
        said += draw(st.sampled_from(SEPARATORS)) + room
    return said, rooms


@settings(deadline=None)
@given(
    listed(), st.sampled_from(INCLUDED), st.sampled_from(ACTS), st.sampled_from(sorted(THINGS)), st.sampled_from(HOMES)
)
def test_every_room_of_a_list_is_in_the_scope(
    rooms: tuple[str, list[str]], frame: str, act: tuple[str, str, str], thing: str, home: NameTable | None
) -> None:
    """commands.md: one command holds them all, in the order said."""
    text = frame.format(rooms=rooms[0], act=act[0], done=act[1], thing=thing)
    assert read(text, home) == [f"{act[2]}-{','.join(rooms[1])}-*#{THINGS[thing]}#all"]


@settings(deadline=None)
@given(
    listed(), st.sampled_from(EXCLUDED), st.sampled_from(ACTS), st.sampled_from(sorted(THINGS)), st.sampled_from(HOMES)
)
def test_every_room_of_a_list_is_left_out(
    rooms: tuple[str, list[str]], frame: str, act: tuple[str, str, str], thing: str, home: NameTable | None
) -> None:
    """commands.md, SCOPE: several rooms are left out by `!`, and nothing is done in any of them."""
    text = frame.format(rooms=rooms[0], act=act[0], done=act[1], thing=thing)
    assert read(text, home) == [f"{act[2]}-*,{','.join('!' + room for room in rooms[1])}-*#{THINGS[thing]}#except"]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(("老伙计", "大白", "阿福", "星星", "墨墨")), min_size=1, max_size=3, unique=True),
    st.sampled_from(("、", "和")), st.sampled_from(sorted(THINGS)), st.sampled_from(ACTS),
)  # fmt: skip
@example(["阿福", "老伙计"], "、", "电视", ACTS[2])
def test_an_unknown_thing_is_left_out_by_its_name(
    names: list[str], joint: str, thing: str, act: tuple[str, str, str]
) -> None:
    """commands.md, NAME: what nobody knows is the thing that is left out, never the things that are meant."""
    text = f"{act[0]}除了{joint.join(names)}以外的{thing}"
    assert read(text) == [f"{act[2]}-*-*,{','.join('!' + name for name in names)}#{THINGS[thing]}#except"]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("打开客厅，卧室的灯关了", ["打开-客厅-@last#Unknown#one", "关闭-卧室-*#Light#all"]),
        ("我在客厅，卧室的灯关了", ["关闭-卧室-*#Light#all"]),
        ("我去趟地下室，地下室灯开一下", ["打开-地下室-*#Light#all"]),
        ("除了走廊，三楼的灯都关了", ["关闭-三楼,!走廊-*#Light#except"]),
        ("打开客厅，关闭卧室的灯", ["打开-客厅-@last#Unknown#one", "关闭-卧室-*#Light#all"]),
    ],
)
def test_places_side_by_side_are_not_always_a_list(text: str, commands: list[str]) -> None:
    """A place with an act of its own, where somebody is, said twice, or what the rest is in, shares no target."""
    assert read(text) == commands


@pytest.mark.parametrize("pointer", ["那个", "那盏", "这个"])
@pytest.mark.parametrize(("said", "verb"), [("打开卧室的{0}灯", "打开"), ("把卧室的{0}灯关了", "关闭")])
def test_that_one_of_a_room_is_a_reference(said: str, verb: str, pointer: str) -> None:
    """commands.md, NAME and TYPE: 它, 那个, 上一个 and 刚才的 become `@last`; the type that is said stays."""
    assert read(said.format(pointer)) == [f"{verb}-卧室-@last#Light#one"]
