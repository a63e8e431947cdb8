"""Places cut where they begin and end, and names kept whole beside them (commands.md, SCOPE)."""

import pytest

from tingdong.commands.reading import MentionKind, NameTable
from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def _read(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("讲经台音箱暂停", "暂停-讲经台-*#NetworkAudio#all"),
        ("绣花台的吊灯关了", "关闭-绣花台-吊灯#Light#one"),
        ("裁剪台灯打开", "打开-*-裁剪台灯#Light#one"),
        ("电视换到凤凰台", "设置频道=凤凰台-*-*#Television#all"),
    ],
)
def test_a_place_that_ends_in_tai_is_no_channel(text: str, command: str) -> None:
    """What ends in 台 is a place where a thing of it follows, and a channel where one is set (commands.md, SCOPE,
    ACTION)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("三年级二班的窗帘拉开", "三年级二班"),
        ("初三教室的风扇关掉", "初三教室"),
        ("405、406班电视都关了", "405,406班"),
        ("八楼九楼走廊灯打开", "八楼,九楼走廊"),
        ("护士休息室的空调关了", "护士休息室"),
        ("礼堂后厨的灯关掉", "礼堂后厨"),
        ("612 灯关", "612"),
    ],
)
def test_rooms_of_a_building_are_read_whole(text: str, scope: str) -> None:
    """Classes, floors side by side, rooms in a building and bare numbers are the rooms as spoken (commands.md,
    SCOPE)."""
    assert {command.split("-")[1] for command in _read(text)} == {scope}


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("先查主卫换气扇，再打开", "打开-主卫-换气扇#Fan#one"),
        ("下晚班厨房灯给我开着", "打开-厨房-*#Light#all"),
        ("回卧室了，窗帘拉上", "关闭-*-*#Blind#all"),
        ("进屋就打开落地灯", "打开-*-落地灯#Light#one"),
        ("老人家感冒空调关了", "关闭-*-*#AirConditioner#all"),
    ],
)
def test_an_activity_is_no_part_of_a_room_name(text: str, command: str) -> None:
    """A verb, a shift or an ailment right before a place or a thing is none of its name (commands.md, SCOPE, NAME and
    TYPE)."""
    assert all(part in (command, *_read(text)) for part in _read(text))
    assert not any(wrong in "".join(_read(text)) for wrong in ("查主卫", "晚班厨房", "回卧室", "进屋", "感冒"))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("逆光灯调到三成", "设置亮度=30%-*-逆光灯#Light#one"),
        ("六号烤箱关掉", "关闭-*-六号烤箱#Unknown#one"),
        ("蓝牙音箱音响关掉", "关闭-*-蓝牙音箱音响#NetworkAudio#one"),
        ("五号桌的电磁炉打开", "打开-五号桌-电磁炉#Unknown#one"),
    ],
)
def test_a_name_keeps_its_light_its_number_and_its_kind(text: str, command: str) -> None:
    """What names one device never acts on its whole kind (commands.md, NAME and TYPE)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("除了我姐和弟弟的房间，空调都关掉", "关闭-*,!我姐房间,!弟弟房间-*#AirConditioner#except"),
        ("除了二号和五号充电桩，别的都断电", "关闭-*-*,!二号充电桩,!五号充电桩#Unknown#except"),
        ("灯拢关掉", "关闭-*-*#Light#all"),
        ("hifi音箱暂停", "暂停-*-hifi音箱#NetworkAudio#one"),
    ],
)
def test_lists_and_slips_lose_no_part_of_a_name(text: str, command: str) -> None:
    """Each owner and each number of a list is left out; no slip swallows a light that was said (commands.md, NAME and
    TYPE)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("把第二盏灯关了", "关闭-*-第二盏灯#Light#one"),
        ("书房第一个插座断电", "关闭-书房-第一个插座#SmartPlug#one"),
        ("最后一个空调也打开", "打开-*-最后一个空调#AirConditioner#one"),
        ("第三扇窗帘拉开", "打开-*-第三扇窗帘#Blind#one"),
    ],
)
def test_an_ordinal_names_one_device_and_never_all(text: str, command: str) -> None:
    """commands.md (Q=one): a number that counts off names one thing, which only the home can find."""
    assert _read(text) == [command]


def test_an_ordinal_is_resolved_in_the_home() -> None:
    """service.md, Dialogue: where the home is known, its own things are counted off."""
    reading = PARSER.read("把第二盏灯关了", NameTable({}, frozenset()))
    assert [str(one) for one in reading.commands] == ["关闭-*-*#Light#all"]
    assert any(mention.kind is MentionKind.ORDINAL for mention in reading.mentions)


@pytest.mark.parametrize("text", ["水温高于四十度并且家里没人就关热水器", "湿度高于八成并且温度低于十度再开除湿机"])
def test_conditions_joined_by_and_are_not_acted_on(text: str) -> None:
    """commands.md, ACTION: what cannot be expressed as one condition asks for nothing, and reading it never fails."""
    assert _read(text) == []
