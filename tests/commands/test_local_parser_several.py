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
