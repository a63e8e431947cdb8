"""Laws of what is waited for, in the wording of the day (commands.md, ACTION; architecture, law 2).

A request that hangs on a degree, a state, an hour or the weather never comes out as an immediate command.
"""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def read(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("到二十四度就停地暖", ["关闭@温度>=24C-*-地暖#Unknown#one"]),
        ("客房到三十度再开空调", ["打开@客房温度>=30C-*-*#AirConditioner#all"]),
        ("温度上二十九度就开吊扇", ["打开@温度>29C-*-吊扇#Fan#one"]),
        ("书房十六度以下就把电暖器打开", ["打开@书房温度<16C-*-电暖器#Unknown#one"]),
        ("三十一度以上再开风扇", ["打开@温度>31C-*-*#Fan#all"]),
        ("书房亮于八成就关灯", ["关闭@书房亮度>80%-*-*#Light#all"]),
        ("温度低于17时打开地暖", ["打开@温度<17C-*-地暖#Unknown#one"]),
        ("湿度高于六十时，除湿机打开", ["打开@湿度>60%-*-除湿机#Unknown#one"]),
        ("空调到二十五度就行", ["设置温度=25C-*-*#AirConditioner#all"]),
    ],
)
def test_a_degree_that_is_reached_is_waited_for(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 打开@温度>26C; a number compared is a value, and no hour where 时 follows."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("投影一关书房的灯就打开", ["打开@投影=关闭-书房-*#Light#all"]),
        ("湿度低于四成或者温度低于十度，把地暖关掉", []),
        ("温度高于三十度并且风扇关着再开空调", []),
        ("把台灯关了并且吊扇打开", ["关闭-*-台灯#Light#one", "打开-*-吊扇#Fan#one"]),
    ],
)
def test_joined_conditions_give_no_command(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: two conditions joined by 而且 or 或者 give no command; a state changed is one."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("等半拉钟头关风扇", ["关闭@30分钟后-*-*#Fan#all"]),
        ("过点半钟把地暖关了", ["关闭@90分钟后-*-地暖#Unknown#one"]),
        ("9:40pm关书房的灯", ["关闭@21:40-书房-*#Light#all"]),
        ("6:05 am拉开窗帘", ["打开@06:05-*-*#Blind#all"]),
    ],
)
def test_times_of_the_day_as_people_say_them(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: units as said, fractions in the next smaller, clock times of 24 hours."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("取消书房电视静音", ["取消静音-书房-*#Television#all"]),
        ("回音壁退出静音", ["取消静音-*-回音壁#NetworkAudio#one"]),
        ("关掉投影的静音", ["取消静音-*-投影#Television#one"]),
        ("音响不要静音了", ["取消静音-*-*#NetworkAudio#all"]),
        ("别把音响静音", []),
        ("关电视，音响静音", ["关闭-*-*#Television#all", "静音-*-*#NetworkAudio#all"]),
    ],
)
def test_unmuting_never_mutes(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 取消静音, by whatever word the silence is ended (architecture, law 2)."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("除了第三盏灯都关掉", ["关闭-*-*,!第三盏灯#Unknown#except"]),
        ("除最后一个插座外全部断电", ["关闭-*-*,!最后一个插座#Unknown#except"]),
        ("除了壁灯其他灯都关掉", ["关闭-*-*,!壁灯#Light#except"]),
    ],
)
def test_an_ordinal_can_be_excluded(text: str, expected: list[str]) -> None:
    """commands.md, NAME and TYPE: excluded devices go into NAME; of several of a kind only the one that was counted
    off."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("刮台风就把百叶窗放下来", []),
        ("雨小了把窗帘拉开", []),
        ("起大风了，把窗帘拉上", ["关闭-*-*#Blind#all"]),
        ("打开衣柜灯一看，衣服全乱了", []),
    ],
)
def test_the_weather_is_waited_for_or_told(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 天黑了 is no WHEN; in a clause of its own it tells why."""
    assert read(text) == expected
