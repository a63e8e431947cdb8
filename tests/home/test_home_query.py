"""Answers true to the state (service.md, Token frame, answers)."""

from collections.abc import Mapping
from typing import Any

import pytest

from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.home import HomeSnapshot
from tingdong.home.query import answer
from tingdong.home.questions import Form, read_question

LIGHT, AIR = DeviceType.LIGHT, DeviceType.AIR_CONDITIONER

ROWS: list[tuple[str, str, str, str, dict[str, Any], str]] = [
    ("sample8", "厨房灯是开的吗？", "查询状态", "dev-3", {}, "是的，厨房照明灯开着。"),
    ("sample8", "卧室空调关着呢吧", "查询状态", "dev-7", {}, "是的，卧室空调关着。"),
    ("sample8", "客厅那台呢", "查询状态", "dev-6", {}, "客厅空调关着。"),
    ("sample8", "客厅灯亮着吗", "查询状态", "dev-1", {}, "是的，客厅照明灯开着。"),
    ("sample8", "卧室灯亮着吗", "查询状态", "dev-4", {}, "没有，卧室照明灯关着。"),
    ("sample8", "卧室和厨房的灯都开着吗", "查询状态", "dev-3 dev-4", {}, "还没有，卧室照明灯关着。"),
    (
        "sample8",
        "家里哪些灯没开",
        "查询状态",
        "dev-1 dev-2 dev-3 dev-4",
        {"type": LIGHT},
        "卫生间照明灯和卧室照明灯没有开。",
    ),
    (
        "sample8",
        "这会儿亮着几盏灯",
        "查询状态",
        "dev-1 dev-2 dev-3 dev-4",
        {"type": LIGHT},
        "现在有2盏灯亮着：客厅、厨房的照明灯。",
    ),
    ("sample8", "厨房和卧室的灯开着吗", "查询状态", "dev-3 dev-4", {}, "厨房照明灯开着，卧室照明灯关着。"),
    ("sample8", "灯都关了吗", "查询状态", "dev-1 dev-2", {}, "还没有，客厅照明灯还开着。"),
    ("sample8", "有没有灯没关", "查询状态", "dev-1 dev-2", {}, "有，客厅照明灯亮着。"),
    ("sample8", "还有灯开着吗", "查询状态", "dev-2 dev-4", {"type": LIGHT}, "没有，灯都关着。"),
    ("sample8", "所有灯都关了吗", "查询状态", "dev-1 dev-2", {}, "还没有，客厅照明灯还开着。"),
    ("sample8", "家里有几台空调", "查询温度", "dev-6 dev-7", {"type": AIR}, "家里有2台空调：客厅空调和卧室空调。"),
    ("sample8", "两个空调哪个温度高", "查询温度", "dev-6 dev-7", {"type": AIR}, "卧室空调设得最高，26度。"),
    ("flat25", "客厅和卧室哪个热", "查询温度", "dev-6 dev-17", {}, "客厅最热，28度。"),
    ("flat25", "卧室比客厅凉吗", "查询状态", "dev-6 dev-17", {}, "卧室最凉快，27度。"),
    ("sample8", "哪边的空调温度设得高些", "查询温度", "dev-6 dev-7", {"type": AIR}, "卧室空调设得最高，26度。"),
    ("flat25", "哪个房间最热", "查询温度", "*", {}, "厨房最热，31度。"),
    ("flat25", "那最凉快的是哪间", "查询温度", "*", {}, "卧室最凉快，27度。"),
    ("flat25", "客厅现在多少度", "查询温度", "客厅", {}, "客厅现在28度。"),
    ("flat25", "这屋湿度是多少", "查询湿度", "儿童房", {}, "儿童房的湿度是38%。"),
    ("flat25", "厨房有什么还开着", "查询状态", "厨房", {}, "厨房的照明灯和油烟机开着。"),
    ("loft30", "它现在设的多少度来着", "查询温度", "L09", {}, "客厅空调设定的是26度。"),
    ("loft30", "现在是几频道", "查询状态", "L10", {}, "客厅电视现在是8频道。"),
    ("loft30", "小扫还有多少电", "查询电量", "L04", {}, "玄关小扫的电量还剩90%。"),
    ("loft30", "门锁好了吗", "查询状态", "L02", {}, "是的，玄关门锁已经锁好了。"),
    ("loft30", "门锁现在啥状态", "查询状态", "L02", {}, "玄关门锁已经锁好了，剩余电量64%。"),
    ("loft30", "哪间湿度最高", "查询湿度", "*", {}, "客厅最潮湿，58%。"),
    ("loft30", "最干的是哪间", "查询湿度", "*", {}, "楼上主卧最干燥，36%。"),
    ("loft30", "家里哪个传感器电量最低", "查询电量", "*", {}, "玄关大门门磁电量最低，18%。"),
    ("loft30", "客厅空气怎么样，PM2.5报一下", "查询状态", "客厅", {}, "客厅的PM2.5是88微克每立方米，偏高。"),
    ("loft30", "大门关没关", "查询状态", "L03", {}, "是的，大门关着。"),
    ("loft30", "那玄关有人吗", "查询状态", "玄关", {}, "玄关没有人。"),
    ("loft30", "空调啥状态", "查询状态", "L09", {}, "客厅空调开着，制冷模式，设定温度26度，风速低。"),
    ("loft30", "壁灯是什么状态", "查询状态", "L33", {}, "晒台壁灯离线了，最后的状态是：晒台壁灯关着。"),
    ("loft30", "窗帘开到多少", "查询开合度", "L12", {}, "客厅窗帘的开合度是100%。"),
    ("loft30", "电视静音了吗", "查询状态", "L10", {}, "客厅电视没有静音。"),
    ("loft30", "冷冻室几度", "查询温度", "L18", {"name": "冷冻室"}, "灶披间冰箱冷冻室设定的是零下18度。"),
    ("loft30", "晒台湿度", "查询湿度", "晒台", {"include": ("晒台",)}, "晒台没有能查湿度的设备。"),
]


@pytest.mark.parametrize(("home", "text", "action", "ids", "extra", "said"), ROWS)
def test_questions_are_answered_from_the_state(
    homes: Mapping[str, HomeSnapshot], home: str, text: str, action: str, ids: str, extra: dict[str, Any], said: str
) -> None:
    """service.md, Token frame: is, which, how many, values and comparisons over rooms, from the state sent with the
    request."""
    shape = homes[home].shape
    chosen = (
        list(shape.devices)
        if ids == "*"
        else [device.id for device in shape.by_room[ids]]
        if ids in shape.by_room
        else ids.split()
    )
    assert answer(homes[home], QueryIR(action, **extra), chosen, text=text) == said


def test_what_is_on_in_the_documented_words(sample: HomeSnapshot) -> None:
    """service.md, Token frame: 现在有啥是开着的 names exactly what is on."""
    state = {device: dict(sample.properties[device]) for device in sample.properties}
    state["dev-1"]["power"], state["dev-2"]["power"], state["dev-8"]["power"] = False, True, False
    home = HomeSnapshot(sample.shape, state, {})
    said = answer(home, QueryIR("查询状态"), list(sample.shape.devices), text="现在有啥是开着的?")
    assert said == "卫生间照明灯和厨房照明灯开着。"


def test_equal_rooms_are_said_equal(homes: Mapping[str, HomeSnapshot]) -> None:
    """Answers are true to the state: no room is the warmest when all are alike."""
    flat = homes["flat25"]
    state = {device: dict(flat.properties[device]) for device in flat.properties}
    for device in ("dev-6", "dev-10", "dev-17"):
        state[device]["temperature"] = 25
    said = answer(
        HomeSnapshot(flat.shape, state, {}), QueryIR("查询温度"), list(flat.shape.devices), text="哪个房间最热"
    )
    assert said == "客厅、厨房和卧室一样，都是25度。"


def test_unknown_values_are_said_unknown(sample: HomeSnapshot) -> None:
    """A value the state does not give is not invented."""
    home = HomeSnapshot(sample.shape, {}, {})
    assert answer(home, QueryIR("查询状态"), ["dev-1"], text="灯开着吗") == "还不知道客厅照明灯的状态。"
    assert answer(home, QueryIR("查询亮度"), ["dev-1"], text="灯多亮") == "还不知道客厅照明灯的亮度。"


@pytest.mark.parametrize(
    ("action", "text", "form", "attribute"),
    [
        ("查询状态", "灯开着吗", Form.WHETHER, "状态"),
        ("查询状态", "哪些灯开着", Form.LIST, "状态"),
        ("查询状态", "开着几盏灯", Form.COUNT, "状态"),
        ("查询状态", "扫地机在干嘛", Form.STATUS, "状态"),
        ("查询状态", "客厅多少度", Form.VALUE, "温度"),
        ("查询温度", "客厅多少度", Form.VALUE, "温度"),
        ("查询温度", "哪间最凉快", Form.COMPARE, "温度"),
        ("查询状态", "哪个房间最潮", Form.COMPARE, "湿度"),
        ("查询电量", "哪个电量最低", Form.COMPARE, "电量"),
        ("查询状态", "", Form.WHETHER, "状态"),
    ],
)
def test_the_form_of_a_question_is_recognised(action: str, text: str, form: Form, attribute: str) -> None:
    """The protocol's verb says what is asked after; the words say how."""
    question = read_question(action, text)
    assert (question.form, question.attribute) == (form, attribute)
