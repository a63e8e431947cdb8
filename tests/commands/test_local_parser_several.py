"""Laws of sentences that ask for several things: what holds for which (spec, Splitting and order)."""

import pytest

from tingdong.commands import LocalParser

PARSER = LocalParser()


def commands(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("五楼灯全关，六楼的留着", ["关闭-五楼-*#Light#all"]),
        ("客厅的灯都关了，楼道壁灯留着", ["关闭-客厅-*#Light#all"]),
        ("二楼灯全关，主卧的留着", ["关闭-二楼,!主卧-*#Light#except"]),
        ("楼下的灯都关了，楼梯口的别动", ["关闭-楼下,!楼梯口-*#Light#except"]),
    ],
)
def test_what_stands_in_another_room_is_not_left_out(text: str, expected: list[str]) -> None:
    """Only what is one of those spoken of can be left out of them (spec, SCOPE: excluded rooms)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("灯都关了，留着壁灯，调暗一点", ["关闭-*-*,!壁灯#Light#except", "调低亮度-*-壁灯#Light#one"]),
        ("餐厅吊灯关掉，廊灯留着，调到百分之十", ["关闭-餐厅-吊灯#Light#one", "设置亮度=10%-餐厅-廊灯#Light#one"]),
    ],
)
def test_what_is_left_on_is_what_is_set_next(text: str, expected: list[str]) -> None:
    """What is switched off is not set, so the value is for the thing kept (spec, Splitting: a shared target)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("刚才你关掉的那台空调再打开", ["打开-*-@last#AirConditioner#one"]),
        ("我刚刚打开的风扇调到三档", ["设置风速=3档-*-@last#Fan#one"]),
        ("刚才开的那些全关了", ["关闭-*-@last#Unknown#all"]),
        ("把它关掉，开错了", ["关闭-*-@last#Unknown#one"]),
        ("我刚打开的电视怎么没声音", []),
    ],
)
def test_what_was_done_before_only_points_at_its_thing(text: str, expected: list[str]) -> None:
    """A verb that tells which thing is meant is not carried out again (spec, NAME: anaphora)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("开，书房台灯；关，书房空调", ["打开-书房-台灯#Light#one", "关闭-书房-*#AirConditioner#all"]),
        ("纱帘拉开、纱帘拉上", ["打开-*-纱帘#Blind#one", "关闭-*-纱帘#Blind#one"]),
        ("纱帘拉开，纱帘拉上", ["关闭-*-纱帘#Blind#one"]),
        ("风扇关掉房门锁上", ["关闭-*-*#Fan#all", "上锁-*-房门#Unknown#one"]),
    ],
)
def test_each_act_of_a_row_is_for_its_own_thing(text: str, expected: list[str]) -> None:
    """Several actions over several targets, in the order said; a list with 、 corrects nothing (spec, Splitting)."""
    assert commands(text) == expected
