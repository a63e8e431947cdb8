"""Laws of sentences that ask for several things: what holds for which (commands.md, Order and splitting)."""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()


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
def test_a_device_of_another_room_is_no_exclusion(text: str, expected: list[str]) -> None:
    """Only what is one of those spoken of can be left out of them (commands.md, SCOPE: excluded rooms)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("灯都关了，留着壁灯，调暗一点", ["关闭-*-*,!壁灯#Light#except", "调低亮度-*-壁灯#Light#one"]),
        ("餐厅吊灯关掉，廊灯留着，调到百分之十", ["关闭-餐厅-吊灯#Light#one", "设置亮度=10%-餐厅-廊灯#Light#one"]),
    ],
)
def test_the_value_goes_to_the_device_that_stays_on(text: str, expected: list[str]) -> None:
    """What is switched off is not set, so the value is for the thing kept (commands.md, Order and splitting: a shared
    target)."""
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
def test_a_past_action_only_identifies_its_device(text: str, expected: list[str]) -> None:
    """A verb that tells which thing is meant is not carried out again (commands.md, NAME and TYPE: anaphora)."""
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
    """Several actions over several targets, in the order said; a list with 、 corrects nothing (commands.md, Order and
    splitting)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("灯都关掉，小夜灯别关，电视给我关了", ["关闭-*-*,!小夜灯#Light#except", "关闭-*-*#Television#all"]),
        ("餐厅的灯全灭，只留吊灯，音箱也关", ["关闭-餐厅-*,!吊灯#Light#except", "关闭-餐厅-*#NetworkAudio#all"]),
        ("所有插座断电，冰箱除外", ["关闭-*-*,!冰箱#SmartPlug#except"]),
    ],
)
def test_a_device_to_keep_is_excluded_from_its_kind(text: str, expected: list[str]) -> None:
    """A lamp that stays on is no exception from the televisions (commands.md, NAME and TYPE: excluded devices)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("二十分钟后关空调，台灯先关了", ["关闭@20分钟后-*-*#AirConditioner#all", "关闭-*-台灯#Light#one"]),
        (
            "打开吊扇，一小时后关掉，卧室窗帘拉上",
            [
                "打开-*-吊扇#Fan#one",
                "关闭@1小时后-*-吊扇#Fan#one",
                "关闭-卧室-*#Blind#all",
            ],
        ),
        ("明早七点打开空调，窗帘也拉开", ["打开@明天07:00-*-*#AirConditioner#all", "打开@明天07:00-*-*#Blind#all"]),
    ],
)
def test_a_time_holds_only_for_its_own_request(text: str, expected: list[str]) -> None:
    """A delay that only ends what was begun, and 先, leave what is named next to be done at once (commands.md,
    ACTION)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("电烤箱二百度预热", ["设置温度=200C-*-电烤箱#Unknown#one"]),
        ("壁灯调暗一点，两成吧", ["设置亮度=20%-*-壁灯#Light#one"]),
        ("打开书房吊扇，让它转慢一点", ["打开-书房-吊扇#Fan#one", "调低风速-书房-@last#Unknown#one"]),
        ("关窗帘锁门", ["关闭-*-*#Blind#all", "上锁-*-门#Unknown#one"]),
    ],
)
def test_one_thing_said_twice_is_one_command(text: str, expected: list[str]) -> None:
    """Setting switches on, a value makes clear by how much, and the door is what is locked (commands.md, ACTION)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("别开书房的顶灯开台灯", ["打开-书房-台灯#Light#one"]),
        ("不用关音箱关电视", ["关闭-*-*#Television#all"]),
        ("别老开灯关灯", []),
        ("别开灯开灯", []),
    ],
)
def test_the_same_act_of_another_thing_is_asked_for_instead(text: str, expected: list[str]) -> None:
    """What is denied of one thing and said again of another is asked of that one (commands.md, Order and splitting)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("打开主卧和客房的加湿器，客房的不用开", ["打开-主卧-加湿器#Unknown#one"]),
        ("把客厅和书房的灯都关掉，书房的别关", ["关闭-客厅-*#Light#all"]),
        ("501空调打开，502打开，503别动", ["打开-501-*#AirConditioner#all", "打开-502-*#AirConditioner#all"]),
        ("二楼灯全关，就留走廊的，三楼窗帘拉上", ["关闭-二楼,!走廊-*#Light#except", "关闭-三楼-*#Blind#all"]),
        ("台灯关掉，加湿器再喷会儿不用管", ["关闭-*-台灯#Light#one"]),
    ],
)
def test_a_part_is_left_out_of_what_holds_it(text: str, expected: list[str]) -> None:
    """One of several rooms is taken out again; numbered rooms hold no others (commands.md, SCOPE)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("关掉吊扇，书桌旁的台灯打开", ["关闭-*-吊扇#Fan#one", "打开-*-台灯#Light#one"]),
        ("窗户边的射灯关掉", ["关闭-*-射灯#Light#one"]),
        ("三零五的风扇关掉", ["关闭-三零五-*#Fan#all"]),
        ("煮面的电磁炉关掉", ["关闭-*-电磁炉#Unknown#one"]),
        ("收音机声音放小，投影灯关掉", ["调低音量-*-收音机#Unknown#one", "关闭-*-投影灯#Light#one"]),
    ],
)
def test_words_that_locate_a_device_name_no_other_device(text: str, expected: list[str]) -> None:
    """沙发旁的 is no other thing, a number read digit by digit is a room and no value (commands.md, SCOPE, NAME and
    TYPE)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "打开顶灯，再打开台灯，两个都调到五成",
            [
                "打开-*-顶灯#Light#one",
                "打开-*-台灯#Light#one",
                "设置亮度=50%-*-顶灯#Light#one",
                "设置亮度=50%-*-台灯#Light#one",
            ],
        ),
        ("开空调，开电视，两个都关了", ["关闭-*-*#AirConditioner#all", "关闭-*-*#Television#all"]),
        (
            "开空调，开电视，打开音箱，两个都关了",
            ["打开-*-*#AirConditioner#all", "关闭-*-*#Television#all", "关闭-*-*#NetworkAudio#all"],
        ),
        ("把灯一个一个关掉", ["关闭-*-*#Light#all"]),
        ("先打开一盏灯", ["打开-*-*#Light#any#1"]),
    ],
)
def test_both_means_the_devices_of_the_previous_clauses(text: str, expected: list[str]) -> None:
    """两个都 means the things of the clauses before, however they were said; one by one is all (commands.md, Q and
    N)."""
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一二楼的灯都关了", ["关闭-一楼,二楼-*#Light#all"]),
        ("二三层插座全断", ["关闭-二层,三层-*#SmartPlug#all"]),
        ("除了一二楼灯都关了", ["关闭-*,!一楼,!二楼-*#Light#except"]),
        ("除了一楼二楼灯都关了", ["关闭-*,!一楼,!二楼-*#Light#except"]),
        ("除了厨房一楼的灯全关", ["关闭-一楼,!厨房-*#Light#except"]),
        ("二十三楼灯关了", ["关闭-二十三楼-*#Light#all"]),
    ],
)
def test_floors_in_a_row_are_each_one(text: str, expected: list[str]) -> None:
    """一二楼 is two floors, kept or left out together; 十二楼 is one (commands.md, SCOPE: several rooms)."""
    assert commands(text) == expected
