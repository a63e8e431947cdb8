"""Laws of time, condition and value (commands.md, ACTION; architecture, law 2).

A delayed, timed or conditional request never comes out as an immediate command; what WHEN cannot say gives none.
"""

import pytest

from tingdong.reader import sentence_reader

PARSER = sentence_reader()


def read(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("大门解锁的时候门廊灯打开", ["打开@大门=解锁-*-门廊灯#Light#one"]),
        ("等净水器停了再开水阀", ["打开@净水器=关闭-*-水阀#Unknown#one"]),
        ("健身房的电视一关就打开健身房风扇", ["打开@健身房电视=关闭-健身房-*#Fan#all"]),
        ("要是书房的台灯还亮着就关掉", ["关闭@书房台灯=打开-书房-台灯#Light#one"]),
        ("音箱=off 时 灯=30%", ["设置亮度=30%@音箱=关闭-*-*#Light#all"]),
        ("等音箱和电视都关了再开夜灯", []),
        ("要是能把风扇关了就更好了", ["关闭-*-*#Fan#all"]),
    ],
)
def test_the_state_of_a_thing_is_waited_for_with_its_room(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 关闭@电视=关闭; the room of a thing waited for is said with it. Two things cannot be."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("酸奶柜温度高于八度就重启", ["重启@酸奶柜温度>8C-*-酸奶柜#Unknown#one"]),
        ("花盆湿度低于两成就打开水泵", ["打开@花盆湿度<20%-*-水泵#Unknown#one"]),
        ("气温降到零下两度就把地暖打开", ["打开@温度<零下2C-*-地暖#Unknown#one"]),
        ("书房湿度，要是，超过七成，开除湿机", ["打开@书房湿度>70%-*-除湿机#Unknown#one"]),
        ("湿度<30 或者 温度>28 → 开加湿器", []),
        ("把餐厅灯的亮度拉低到两成", ["设置亮度=20%-餐厅-*#Light#all"]),
        ("音箱音量别超过三十，设成二十五", ["设置音量=25%-*-*#NetworkAudio#all"]),
    ],
)
def test_a_condition_keeps_the_room_of_its_sensor(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 关闭@客厅温度<18C. A bound that is forbidden is no condition; two are none either."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("delay 2h: 关书房风扇", ["关闭@2小时后-书房-*#Fan#all"]),
        ("t+45s 打开台灯", ["打开@45秒后-*-台灯#Light#one"]),
        ("三三十分钟后关空调", ["关闭@30分钟后-*-*#AirConditioner#all"]),
        ("每周一至周五2230 关大厅灯", ["关闭@工作日22:30-大厅-*#Light#all"]),
        ("午夜把鱼缸灯关掉", ["关闭@00:00-*-鱼缸灯#Light#one"]),
        ("二十三时关闭展厅灯", ["关闭@23:00-展厅-*#Light#all"]),
        ("早餐七点开始，六点五十开餐厅灯", ["打开@06:50-餐厅-*#Light#all"]),
        ("晚餐七点，六点五十开餐厅灯", ["打开@18:50-餐厅-*#Light#all"]),
        ("空调八点开，十点关，都是晚上", ["打开@20:00-*-*#AirConditioner#all", "关闭@22:00-*-*#AirConditioner#all"]),
        ("12月3号停电，当天早上六点关热水器", ["关闭@12月3日06:00-*-热水器#Unknown#one"]),
        ("地暖调低零点五摄氏度", ["调低温度=0.5C-*-地暖#Unknown#one"]),
    ],
)
def test_forms_of_times_and_delays(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: clock HH:MM, delays with their unit; what one time leaves unsaid its neighbours say."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("收摊后半小时把招牌灯关了", []),
        ("露台灯开到晚上十一点", ["打开-露台-*#Light#all", "关闭@23:00-露台-*#Light#all"]),
        ("招牌灯从晚上六点亮到十点", ["打开@18:00-*-招牌灯#Light#one", "关闭@22:00-*-招牌灯#Light#one"]),
        ("音箱放到九点停", ["停止@09:00-*-*#NetworkAudio#all"]),
        ("每周二周四早上六点开大厅灯", ["打开@每周二06:00-大厅-*#Light#all", "打开@每周四06:00-大厅-*#Light#all"]),
        ("每周一三五晚上九点关水泵", [f"关闭@每周{day}21:00-*-水泵#Unknown#one" for day in "一三五"]),
        ("今晚九点到明早五点，地暖打开", ["打开@21:00-*-地暖#Unknown#one", "关闭@明天05:00-*-地暖#Unknown#one"]),
        ("等过了十分钟，把烤箱关了", ["关闭@10分钟后-*-烤箱#Unknown#one"]),
        ("半夜两点了，把台灯关掉", ["关闭-*-台灯#Light#one"]),
        ("五分钟，风扇，关", ["关闭@5分钟后-*-*#Fan#all"]),
        ("水泵开十分钟就把它停了", ["打开-*-水泵#Unknown#one", "关闭@10分钟后-*-@last#Unknown#one"]),
    ],
)
def test_how_long_and_until_when(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: both ends of a span, one command for each day; an event with a delay cannot be said."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("蒸箱三十分钟", ["打开-*-蒸箱#Unknown#one", "关闭@30分钟后-*-蒸箱#Unknown#one"]),
        ("风扇开，一个小时", ["打开-*-*#Fan#all", "关闭@1小时后-*-*#Fan#all"]),
        ("烘干机还有十分钟", []),
        ("风扇都两个小时了", []),
        ("空调嗡嗡响一天", []),
    ],
)
def test_a_thing_and_how_long(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 开两小时 is on and off; how long something lasted is told."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("书房空调-2℃", ["调低温度=2C-书房-*#AirConditioner#all"]),
        ("吊灯色温+400K", ["调高色温=400K-*-吊灯#Light#one"]),
        ("书房灯-15%", ["调低亮度=15%-书房-*#Light#all"]),
        ("纱帘 7/10", ["设置开合度=70%-*-纱帘#Blind#one"]),
        ("顶灯、壁灯：20/40", ["设置亮度=20%-*-顶灯#Light#one", "设置亮度=40%-*-壁灯#Light#one"]),
        ("把音箱的音量提高到百分之三十五", ["设置音量=35%-*-*#NetworkAudio#all"]),
        ("请降低书房台灯的色温", ["调低色温-书房-台灯#Light#one"]),
        ("降低卧室空调一度", ["调低温度=1C-卧室-*#AirConditioner#all"]),
        ("提高除湿机的湿度设定至百分之四十", ["设置湿度=40%-*-除湿机#Unknown#one"]),
        ("你把台灯调暗空调调到二十六度", ["调低亮度-*-台灯#Light#one", "设置温度=26C-*-*#AirConditioner#all"]),
        ("电视声音大三格", ["调高音量=3%-*-*#Television#all"]),
        ("台灯开到二档", ["设置亮度=2档-*-台灯#Light#one"]),
        ("电视音量15频道8", ["设置音量=15%-*-*#Television#all", "设置频道=8-*-*#Television#all"]),
        ("灯带色温调到三千开", ["设置色温=3000K-*-灯带#Light#one"]),
        ("音量，百分之二十", ["设置音量=20%-*-@last#Unknown#one"]),
    ],
)
def test_values_by_sign_share_and_order(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: what is added or taken off is relative; each value goes to what can have it."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我下楼一刻钟，到时候把蒸箱关了", ["关闭@15分钟后-*-蒸箱#Unknown#one"]),
        ("水泵开五分钟，到点关掉", ["打开-*-水泵#Unknown#one", "关闭@5分钟后-*-水泵#Unknown#one"]),
        ("数到二十秒关风扇", ["关闭@20秒后-*-*#Fan#all"]),
        ("音箱到时候再关", []),
    ],
)
def test_a_delayed_request_waits(text: str, expected: list[str]) -> None:
    """commands.md, ACTION: 到点 is when the length of time said before is over; without one nothing is asked."""
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("灯调亮一点五十", ["调高亮度=50%-*-*#Light#all"]),
        ("灯调亮一点十分钟后关", ["调高亮度-*-*#Light#all", "关闭@10分钟后-*-*#Light#all"]),
        ("灯暗一点一点半关", ["调低亮度-*-*#Light#all", "关闭@01:30-*-*#Light#all"]),
        ("空调凉快一点二十四度", ["设置温度=24C-*-*#AirConditioner#all"]),
        ("凌晨一点五十关灯", ["关闭@01:50-*-*#Light#all"]),
    ],
)
def test_a_comparative_before_a_number_is_not_read_as_a_time(text: str, expected: list[str]) -> None:
    """亮一点五十, said without a pause, is a bit and a number: neither ten to two nor one and a half (commands.md,
    ACTION)."""
    assert read(text) == expected
