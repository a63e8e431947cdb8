"""Names and rooms nobody listed, read whole (commands.md, NAME and TYPE)."""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def _read(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("打开吸尘器", "打开-*-吸尘器#Unknown#one"),
        ("车间的除锈器关了", "关闭-车间-除锈器#Unknown#one"),
        ("换药灯打开", "打开-*-换药灯#Light#one"),
        ("喂鱼机重启一下", "重启-*-喂鱼机#Unknown#one"),
        ("执行关摊模式", "执行-*-关摊模式#Unknown#one"),
    ],
)
def test_the_first_character_of_a_name_is_part_of_it(text: str, command: str) -> None:
    """A character that is a verb, an exception or a greeting elsewhere begins the name it stands before
    (commands.md)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("美高房的灯关掉", "美高房"),
        ("监控室的灯打开", "监控室"),
        ("把音乐教室的灯打开", "音乐教室"),
        ("职工公寓的灯关了", "职工公寓"),
    ],
)
def test_a_room_is_read_with_its_first_word(text: str, room: str) -> None:
    """The words before a room's ending belong to it, known ones too (commands.md, SCOPE)."""
    assert [command.split("-")[1] for command in _read(text)] == [room]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("插座K2关掉", "关闭-*-插座K2#SmartPlug#one"),
        ("灯组C 30%", "设置亮度=30%-*-灯组C#Light#one"),
        ("打开插座4", "打开-*-插座4#SmartPlug#one"),
        ("卷帘-3 关闭", "关闭-*-卷帘 3#Blind#one"),
    ],
)
def test_a_letter_or_a_number_names_one_device(text: str, command: str) -> None:
    """What names one device never acts on its whole kind (commands.md, NAME and TYPE; a dash becomes a blank,
    commands.md, Consumer)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("主卧{灯: 30%, 空调: 25}", ["设置亮度=30%-主卧-*#Light#all", "设置温度=25C-主卧-*#AirConditioner#all"]),
        ("[餐厅] 灯关→窗帘开", ["关闭-餐厅-*#Light#all", "打开-餐厅-*#Blind#all"]),
        ("all lights off except 阳台", ["关闭-*,!阳台-*#Light#except"]),
        ("插座全关，除T1,T2", ["关闭-*-*,!T1,!T2#SmartPlug#except"]),
    ],
)
def test_signs_of_a_notation_part_words(text: str, commands: list[str]) -> None:
    """Brackets and arrows stand between words and in no name (commands.md, normalisation)."""
    assert _read(text) == commands


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("此房间的灯打开", "打开-@here-*#Light#all"),
        ("这旮沓的空调关了", "关闭-@here-*#AirConditioner#all"),
    ],
)
def test_synonyms_of_here_mean_the_current_room(text: str, command: str) -> None:
    """此房间, 当前房间, 这旮沓 are the place of the speaker (commands.md, SCOPE)."""
    assert _read(text) == [command]


def test_the_owner_of_a_device_tells_its_room() -> None:
    """其 before a device word points back to the place, which holds on (commands.md, SCOPE)."""
    assert _read("将客厅的灯关闭，再将其窗帘合上") == ["关闭-客厅-*#Light#all", "关闭-客厅-*#Blind#all"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("打开冷压机", "打开-*-冷压机#Unknown#one"),
        ("把加热锅关了", "关闭-*-加热锅#Unknown#one"),
        ("纱窗电机断电", "关闭-*-纱窗电机#Unknown#one"),
        ("烘干插座关掉", "关闭-*-烘干插座#SmartPlug#one"),
    ],
)
def test_known_words_begin_a_name_too(text: str, command: str) -> None:
    """Two known characters, a mode or a thing before a bare ending are its first word (commands.md, NAME and TYPE)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("后院花房的灯打开", "后院花房"),
        ("302房客厅的灯关了", "302房客厅"),
        ("车间西头的风扇打开", "车间西头"),
        ("客厅餐厅的灯打开", "客厅,餐厅"),
        ("主卧书房的空调关了", "主卧,书房"),
    ],
)
def test_a_place_within_a_place_is_one_and_two_rooms_are_two(text: str, room: str) -> None:
    """A part of an open place goes with it; plain rooms side by side are a list (commands.md, SCOPE)."""
    assert [command.split("-")[1] for command in _read(text)] == [room]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("叫皮皮的灯打开", "打开-*-皮皮#Light#one"),
        ("卧室里那个叫胖胖的音箱关了", "关闭-卧室-胖胖#NetworkAudio#one"),
        ("客厅胖胖调到三档", "设置风速=3档-客厅-胖胖#Unknown#one"),
        ("院子那串彩灯打开", "打开-院子-彩灯#Light#one"),
        ("沙发后面那条灯带关了", "关闭-沙发-灯带#Light#one"),
        ("客厅那套音响关了", "关闭-客厅-*#NetworkAudio#all"),
    ],
)
def test_a_name_is_read_without_its_measure_word(text: str, command: str) -> None:
    """叫X的Y is a thing X of type Y and no room; measure words stand outside of names (commands.md, NAME and TYPE)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("书柜里的灯关了", "关闭-书柜-*#Light#all"),
        ("把茶几上的灯打开", "打开-茶几-*#Light#all"),
        ("梳妆台那盏灯关掉", "关闭-梳妆台-*#Light#all"),
        ("把书桌上那台灯打开", "打开-书桌-台灯#Light#one"),
        ("关掉院灯", "关闭-*-院灯#Light#one"),
    ],
)
def test_a_piece_of_furniture_says_where(text: str, command: str) -> None:
    """Where a lamp stands keeps it apart from all other lamps (commands.md, SCOPE: 麻将桌那儿的灯)."""
    assert _read(text) == [command]


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("大伯那屋的灯关了", "大伯那屋"),
        ("老爷子屋的空调关了", "老爷子屋"),
        ("婆婆屋里的灯打开", "婆婆屋"),
        ("会议室一的灯打开", "会议室一"),
        ("鸭棚现在多少度", "鸭棚"),
    ],
)
def test_a_room_by_its_owner_and_number(text: str, room: str) -> None:
    """An owner or a number before or behind a room word is part of it (commands.md, SCOPE: 爷爷房间)."""
    assert [command.split("-")[1] for command in _read(text)] == [room]
