"""What ends: a mode, a silence, a blind on its way; a door that is bolted (commands.md, ACTION: 执行, 取消静音,
上锁)."""

import pytest

from tingdong.commands.reading import NameTable
from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def commands_of(text: str, names: NameTable | None = None) -> list[str]:
    return [str(command) for command in PARSER.read(text, names).commands]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("退出影院模式", ["关闭-*-影院模式#Unknown#one"]),
        ("取消观影模式", ["关闭-*-观影模式#Unknown#one"]),
        ("把勿扰模式关了", ["关闭-*-勿扰模式#Unknown#one"]),
        ("影院模式马上退掉", ["关闭-*-影院模式#Unknown#one"]),
        ("退出客厅的影院模式", ["关闭-客厅-影院模式#Unknown#one"]),
        ("影院模式关了没", ["查询状态-*-影院模式#Unknown#one"]),
        ("离家模式别关", []),
        ("关灯退出影院模式", ["关闭-*-*#Light#all", "关闭-*-影院模式#Unknown#one"]),
        ("打开空调退出离家模式", ["打开-*-*#AirConditioner#all", "关闭-*-离家模式#Unknown#one"]),
        ("先退出观影模式，再打开客厅灯", ["关闭-*-观影模式#Unknown#one", "打开-客厅-*#Light#all"]),
        ("打开睡眠模式", ["执行-*-睡眠模式#Unknown#one"]),
        ("空调制冷模式", ["设置模式=制冷-*-*#AirConditioner#all"]),
    ],
)
def test_leaving_a_mode_of_the_home_never_starts_it(text: str, commands: list[str]) -> None:
    """退出 and 关掉 turn a mode off; only what begins one executes it (commands.md, ACTION: 执行)."""
    assert commands_of(text) == commands


@pytest.mark.parametrize("text", ["空调退出睡眠模式", "关空调睡眠模式", "关闭空调的睡眠模式", "空调睡眠模式马上关掉"])
def test_leaving_a_mode_of_a_device_does_not_set_it(text: str) -> None:
    """The protocol has no value that ends a device's mode: it is neither set nor is the device turned off."""
    assert commands_of(text) == []
    assert commands_of(text + "，电视打开") == ["打开-*-*#Television#all"]


def test_a_mode_beside_what_is_ended_is_set() -> None:
    """A verb ends what it was said of, and not the mode of the next thing (commands.md, Order and splitting)."""
    assert commands_of("灯关掉、空调睡眠模式") == ["关闭-*-*#Light#all", "设置模式=睡眠-*-*#AirConditioner#all"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("退出静音模式", "取消静音-*-@last#Unknown#one"),
        ("取消静音模式", "取消静音-*-@last#Unknown#one"),
        ("电视退出静音模式", "取消静音-*-*#Television#all"),
    ],
)
def test_leaving_mute_mode_unmutes(text: str, command: str) -> None:
    """commands.md, ACTION: 取消静音, whether or not 模式 is said."""
    assert commands_of(text) == [command]


@pytest.mark.parametrize("text", ["退出离家模式", "把离家模式关了", "取消离家模式"])
def test_leaving_a_known_scene_never_runs_it(text: str) -> None:
    """The names of a home do not change it: a scene that is to end is not carried out (architecture, law 2)."""
    names = NameTable({}, frozenset(), scenes=frozenset(("离家模式",)))
    assert commands_of(text, names) == ["关闭-*-离家模式#Unknown#one"]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("窗帘开到一半停", ["设置开合度=50%-*-*#Blind#all"]),
        ("卷帘升到60%就停下", ["设置开合度=60%-*-卷帘#Blind#one"]),
        ("窗帘拉到七成停住，廊灯灭", ["设置开合度=70%-*-*#Blind#all", "关闭-*-廊灯#Light#one"]),
        ("窗帘开一半就停，然后关灯", ["设置开合度=50%-*-*#Blind#all", "关闭-*-*#Light#all"]),
        ("窗帘拉到三成，空调停", ["设置开合度=30%-*-*#Blind#all", "关闭-*-*#AirConditioner#all"]),
        ("空调开到十点停", ["关闭@10:00-*-*#AirConditioner#all"]),
        ("窗帘拉上半边", ["设置开合度=50%-*-*#Blind#all"]),
    ],
)
def test_stopping_a_blind_part_way_does_not_close_it(text: str, commands: list[str]) -> None:
    """How far it goes is set, and 停 says no more than that (commands.md, ACTION: 设置开合度)."""
    assert commands_of(text) == commands


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("把门插上", "上锁-*-门#Unknown#one"),
        ("院门插好", "上锁-*-院门#Unknown#one"),
        ("门锁插上", "上锁-*-门锁#Unknown#one"),
        ("插座插上", "打开-*-*#SmartPlug#all"),
    ],
)
def test_a_door_that_is_bolted_is_locked(text: str, command: str) -> None:
    """插上 opens a socket and bolts a door (commands.md, ACTION: 上锁)."""
    assert commands_of(text) == [command]


@pytest.mark.parametrize("text", ["费心把灯关了", "能不能劳神把灯关了"])
def test_polite_words_name_no_device(text: str) -> None:
    """commands.md, NAME and TYPE: what only asks politely names nothing."""
    assert commands_of(text) == ["关闭-*-*#Light#all"]


@pytest.mark.parametrize("text", ["你歇会儿吧，今儿没啥事了", "台灯灯泡烧了，得换个新的", "灯烧了"])
def test_remarks_about_rest_or_a_broken_lamp_are_no_requests(text: str) -> None:
    """What is told, or said to somebody, gives no command (architecture, law 2)."""
    assert commands_of(text) == []


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("窗帘合上八成", "设置开合度=20%-*-*#Blind#all"),
        ("窗帘关三分之一", "设置开合度=67%-*-*#Blind#all"),
        ("纱帘拉上七成", "设置开合度=30%-*-纱帘#Blind#one"),
        ("窗帘关到三成", "设置开合度=30%-*-*#Blind#all"),
        ("窗帘开三成", "设置开合度=30%-*-*#Blind#all"),
        ("窗帘再关两成", "调低开合度=20%-*-*#Blind#all"),
    ],
)
def test_closing_a_blind_by_a_share_opens_it_by_the_rest(text: str, command: str) -> None:
    """开合度 is how far it is open; 到 says so, without it 合上八成 leaves two tenths (commands.md, ACTION:
    设置开合度)."""
    assert commands_of(text) == [command]
