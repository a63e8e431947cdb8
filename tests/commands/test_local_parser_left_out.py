"""Law: what is left out, how many are meant, and who, as the words say it (commands.md, SCOPE, NAME and TYPE)."""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()

UNKNOWN: list[str] = []


def commands(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("无论几盏灯全给我灭了", ["关闭-*-*#Light#all"]),
        ("不论哪个房间的灯都关掉", ["关闭-*-*#Light#all"]),
        ("甭管谁在，把灯都关了", ["关闭-*-*#Light#all"]),
        ("所有风扇，一台别漏，都开三档", ["设置风速=3档-*-*#Fan#all"]),
        ("家里的灯，一盏都别剩", ["关闭-*-*#Light#all"]),
        ("仓库风扇一台都不能停，都给一档", ["设置风速=1档-仓库-*#Fan#all"]),
        ("灯和空调二者都关", ["关闭-*-*#Light#all", "关闭-*-*#AirConditioner#all"]),
        ("二楼到四楼的空调全关", ["关闭-二楼,三楼,四楼-*#AirConditioner#all"]),
        ("都关都关，所有的窗帘", ["关闭-*-*#Blind#all"]),
    ],
)
def test_words_for_all_exclude_nothing(text: str, expected: list[str]) -> None:
    """commands.md, Q and N: 甭管几台, 一盏别漏 and a range of floors name all of them."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("关它一盏灯", ["关闭-*-*#Light#any#1"]),
        ("窗帘拉上一幅", ["关闭-*-*#Blind#any#1"]),
        ("把上一盏关了", ["关闭-*-@last#Light#one"]),
        ("过道灯亮着，开两盏", ["打开-过道-*#Light#any#2"]),
        ("随便开哪盏灯", ["打开-*-*#Light#any"]),
    ],
)
def test_counts_are_those_said_last(text: str, expected: list[str]) -> None:
    """commands.md, Q and N: 它 before a number points at nothing, 拉上一幅 is one of them."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("只留走廊的灯", ["关闭-*,!走廊-*#Light#except"]),
        ("把灯关得只剩夜灯", ["关闭-*-*,!夜灯#Light#except"]),
        ("灯都关掉留个吊灯", ["关闭-*-*,!吊灯#Light#except"]),
        ("除了那个，那个书房，灯全关", ["关闭-*,!书房-*#Light#except"]),
        ("除档案室外空调一律关", ["关闭-*,!档案室-*#AirConditioner#except"]),
        ("除了叔叔和奶奶的房间，空调全关", ["关闭-*,!叔叔房间,!奶奶房间-*#AirConditioner#except"]),
        ("吊灯不动，壁灯不动，剩下的灯都打开", ["打开-*-*,!吊灯,!壁灯#Light#except"]),
        ("灯全关，除了客厅，还有厨房", ["关闭-*,!客厅,!厨房-*#Light#except"]),
        ("灯都关了（走廊的不关）", ["关闭-*,!走廊-*#Light#except"]),
        ("洗衣机还在转让它接着转，其他东西全关", ["关闭-*-*,!洗衣机#Unknown#except"]),
        ("让空调继续吹着，其他电器都关", ["关闭-*-*,!空调#Unknown#except"]),
        ("请将三楼的窗帘拉上，唯书房窗帘维持现状", ["关闭-三楼,!书房-*#Blind#except"]),
        ("音响统统静音，车库的别静", ["静音-*,!车库-*#NetworkAudio#except"]),
        ("卧室台灯以外的灯全关", ["关闭-卧室-*,!台灯#Light#except"]),
        ("客房灯全开，8101没人住，不用开", ["打开-客房,!8101-*#Light#except"]),
        ("酒廊留着，别处的灯都关", ["关闭-*,!酒廊-*#Light#except"]),
        ("空调都停了，外婆那屋的接着开", ["关闭-*,!外婆那屋-*#AirConditioner#except"]),
        ("排风扇都停了，厨房的继续转", ["关闭-*,!厨房-排风扇#Fan#except"]),
        ("只保留冰箱和路由器通电，其余全部断", ["关闭-*-*,!冰箱,!路由器#Unknown#except"]),
        ("老人房保持，其他房间空调降到二十度", ["设置温度=20C-*,!老人房-*#AirConditioner#except"]),
    ],
)
def test_what_should_stay_as_it_is_is_excluded(text: str, expected: list[str]) -> None:
    """commands.md, SCOPE, NAME and TYPE: excluded rooms and things, wherever in the sentence they are said."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("前厅留灯，其他灯全灭，电视也全关", ["关闭-*,!前厅-*#Light#except", "关闭-*-*#Television#all"]),
        ("灯都开最亮，台灯例外，台灯关掉", ["设置亮度=最大-*-*,!台灯#Light#except", "关闭-*-台灯#Light#one"]),
        (
            "把灯全关了，除了玄关，再把电视关了",
            ["关闭-*,!玄关-*#Light#except", "关闭-*-*#Television#all"],
        ),
        (
            "除了主灯，把书房灯都打开，调暗一点",
            ["打开-书房-*,!主灯#Light#except", "调低亮度-书房-*,!主灯#Light#except"],
        ),
        ("只留台灯，别的灯灭了，全关", ["关闭-*-*,!台灯#Light#except"]),
        ("只关书房的投影，其他的都留着", ["关闭-书房-投影#Television#one"]),
        ("只开阳台的灯，别的不用开", ["打开-阳台-*#Light#all"]),
    ],
)
def test_an_exclusion_holds_for_what_it_was_said_of(text: str, expected: list[str]) -> None:
    """What is left out of one request is neither left out of another nor done after all."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("除了关灯，把电视也关了", ["关闭-*-*#Light#all", "关闭-*-*#Television#all"]),
        ("除了风扇，空调也得停", ["关闭-*-*#Fan#all", "关闭-*-*#AirConditioner#all"]),
        ("不光吊灯，壁灯也打开", ["打开-*-吊灯#Light#one", "打开-*-壁灯#Light#one"]),
    ],
)
def test_besides_with_also_excludes_nothing(text: str, expected: list[str]) -> None:
    """除了A，B也…: A is done and B as well."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    "text",
    ["他俩房间的灯不动，剩下的灯全关", "灯都关，跳闸那个除外"],
)
def test_an_exclusion_that_was_not_understood_stops_the_request(text: str) -> None:
    """docs/commands.md, Laws: an exception that cannot be said stops the request."""
    assert commands(text) == UNKNOWN


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("三楼四楼的空调关掉，五楼的别关", ["关闭-三楼,四楼-*#AirConditioner#all"]),
        ("厨房灯关掉，走廊壁灯留着", ["关闭-厨房-*#Light#all"]),
        ("三楼的空调关掉，305别关", ["关闭-三楼,!305-*#AirConditioner#except"]),
    ],
)
def test_a_room_outside_the_scope_is_no_exclusion(text: str, commands: list[str]) -> None:
    """A room is left out only of a place that can hold it (commands.md, SCOPE: inside an area)."""
    assert [str(command) for command in PARSER.read(text).commands] == commands


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("设备全断电，冰柜和鱼缸留着", "关闭-*-*,!冰柜,!鱼缸#Unknown#except"),
        ("灯全关掉，除了储藏室，还有车库", "关闭-*,!储藏室,!车库-*#Light#except"),
        ("灯都灭了，只留玄关一盏", "关闭-*,!玄关-*#Light#except"),
        ("灯都调到四成，吊灯不算", "设置亮度=40%-*-*,!吊灯#Light#except"),
        ("扫除用的吸尘器关掉", "关闭-*-吸尘器#Unknown#one"),
        ("把大门外的摄像头重启", "重启-大门外-摄像头#Unknown#one"),
    ],
)
def test_everything_that_is_left_out_is_read(text: str, command: str) -> None:
    """Each thing of a list is left out, and 除 or 外 within another word leaves nothing out (law 2)."""
    assert [str(said) for said in PARSER.read(text).commands] == [command]


def test_the_same_is_said_of_another_kind() -> None:
    """也一样 repeats the act with what it leaves out (commands.md, SCOPE)."""
    said = [str(command) for command in PARSER.read("三楼除了书房灯都打开，风扇也一样").commands]
    assert said == ["打开-三楼,!书房-*#Light#except", "打开-三楼,!书房-*#Fan#except"]
