"""What is said about a plan (service.md, Token frame, `summary`)."""

from collections.abc import Mapping, Sequence

import pytest

import tingdong
from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Deed, Instruct, Note, NoteCode, Plan
from tingdong.home.plan import merge_plans, plan
from tingdong.home.reply import ask_confirmation, ask_device, ask_room, reply
from tingdong.home.spoken_moment import tell_moment

LOFT_LAMPS = ("L05", "L06", "L07", "L08", "L16", "L20", "L24", "L25", "L31", "L33")


def said(home: HomeSnapshot, *queries: tuple[QueryIR, Sequence[str]]) -> str:
    return reply(home, merge_plans(home, [plan(home, query, ids) for query, ids in queries]))


@pytest.mark.parametrize(
    ("home", "queries", "text"),
    [
        ("sample8", [("关闭", None, None, "dev-1 dev-4 dev-8")], "正在关闭客厅、卧室的照明灯和厨房油烟机。"),
        ("sample8", [("打开", None, None, "dev-6")], "正在打开客厅空调。"),
        (
            "sample8",
            [("打开", None, None, "dev-4"), ("设置温度", "26C", None, "dev-7")],
            "正在打开卧室照明灯，打开卧室空调并调节温度到26度。",
        ),
        ("sample8", [("关闭", None, "22:00", "dev-1")], "好的，晚上10点关闭客厅照明灯。"),
        ("sample8", [("设置温度", "40C", None, "dev-6")], "客厅空调的温度只能在15到30度之间。"),
        ("sample8", [("设置亮度", "50%", None, "dev-3")], "厨房照明灯不支持调节亮度。"),
        ("loft30", [("打开", None, None, "L07 L08")], "正在打开客厅的2盏射灯。"),
        ("loft30", [("静音", None, None, "L10 L11")], "正在静音客厅的电视和回音壁。"),
        ("loft30", [("打开", None, None, "L20 L33")], "正在打开书房台灯；晒台壁灯离线了，暂时控制不了。"),
        (
            "loft30",
            [("关闭", None, None, " ".join(LOFT_LAMPS))],
            "正在关闭所有房间的灯；晒台壁灯离线了，暂时控制不了。",
        ),
        ("loft30", [("设置模式", "睡眠", None, "L09")], "客厅空调不支持睡眠模式，可以选制冷、制热、除湿、送风、自动。"),
        ("loft30", [("调高开合度", None, None, "L12")], "客厅窗帘的开合度已经是100%，到头了。"),
        ("loft30", [("打开", None, None, "L04")], "正在让玄关小扫开始清扫。"),
        (
            "loft30",
            [("打开", None, None, "L26"), ("关闭", None, "2小时后", "L26")],
            "正在打开楼上主卧空调；2小时后关闭楼上主卧空调。",
        ),
        ("loft30", [("执行", None, None, "ls-1")], "正在执行观影模式。"),
        ("loft30", [("打开", None, None, "L05 L06 L07 L10 L12 L16")], "正在打开客厅的灯带和射灯。"),
    ],
)
def test_a_plan_is_said_in_one_sentence(
    homes: Mapping[str, HomeSnapshot], home: str, queries: list[tuple[str, ...]], text: str
) -> None:
    """service.md: one natural sentence for many devices, counts over five, mixed outcomes, deferred ones confirmed."""
    made = [(QueryIR(action, value, when=when), ids.split()) for action, value, when, ids in queries]
    assert said(homes[home], *made) == text


def test_a_floor_is_named_with_its_count(homes: Mapping[str, HomeSnapshot]) -> None:
    """Counts over five say where, when all stand on one floor, and count what changes: 7 of the 17 are on."""
    villa = homes["villa120"]
    lamps = [device.id for device in villa.shape.of_type(DeviceType.LIGHT) if device.room.startswith("二楼")]
    assert said(villa, (QueryIR("关闭"), lamps)) == "正在关闭二楼的7盏灯。"


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (Note(NoteCode.NO_DEVICE, detail="书房", attribute="空调"), "书房没有空调。"),
        (Note(NoteCode.NO_DEVICE, attribute="扫地机器人"), "家里没有扫地机器人。"),
        (Note(NoteCode.NO_ROOM, detail="书房", attribute="客厅、卧室"), "家里没有书房，有客厅、卧室。"),
        (Note(NoteCode.PROTECTED, "dev-5"), "客厅电源插座需要保持运行，没有动；要关请单独说。"),
    ],
)
def test_a_refusal_is_said_with_its_reason(sample: HomeSnapshot, note: Note, text: str) -> None:
    """service.md: what is not done is named with its reason."""
    assert reply(sample, Plan(notes=(note,))) == text


def test_mixed_outcomes(sample: HomeSnapshot) -> None:
    """service.md: half-possible requests do the possible half and explain the other."""
    done = plan(sample, QueryIR("关闭"), ["dev-1"])
    missing = Plan(notes=(Note(NoteCode.NO_DEVICE, detail="书房", attribute="空调"),))
    assert reply(sample, merge_plans(sample, [done, missing])) == "正在关闭客厅照明灯；书房没有空调。"


def test_cancelled_timers(sample: HomeSnapshot) -> None:
    """service.md: cancelling sends {"id", "state": {}, "cancel"} and says so."""
    made = Plan((Instruct("dev-8", {}, "取消定时", cancel="t1"),), (), (Deed("dev-8", "取消", "定时"),))
    assert reply(sample, made) == "好的，已取消厨房油烟机的定时。"


def test_questions_back(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md, Token frame: 你要打开哪个房间的风扇呢？"""
    flat, loft = homes["flat25"], homes["loft30"]
    asked = ask_room(flat, QueryIR("打开", type=DeviceType.FAN), ["dev-3", "dev-15"])
    assert asked == "你要打开哪个房间的风扇呢？客厅、卧室都有。"
    asked = ask_room(flat, QueryIR("调高温度", type=DeviceType.AIR_CONDITIONER), ["dev-14", "dev-19"])
    assert asked == "你要调高哪个房间的空调呢？卧室、儿童房都有。"
    assert ask_device(loft, QueryIR("打开"), ["L24", "L25"]) == "楼上主卧有2盏床头灯，你要打开哪一盏，还是都要？"
    villa = homes["villa120"]
    assert ask_device(villa, QueryIR("关闭"), ["v2", "v3"]) == "一楼客厅有射灯1和射灯2，你要关闭哪一盏呢？"


def test_a_risky_plan_is_asked_about(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: risky devices need a confirming turn."""
    loft = homes["loft30"]
    assert ask_confirmation(loft, plan(loft, QueryIR("解锁"), ["L02"])) == "确定要打开玄关门锁吗？"


@pytest.mark.parametrize(
    ("when", "text"),
    [
        ("PT10M", "10分钟后"),
        ("PT1H30M", "1小时30分钟后"),
        ("P1D", "1天后"),
        ("T22:00", "晚上10点"),
        ("T07:30", "早上7点半"),
        ("T12:05", "中午12点05分"),
        ("T00:00", "凌晨0点"),
        ("2026-11-24T15:00", "11月24日下午3点"),
        ("RRULE:FREQ=DAILY;BYHOUR=7;BYMINUTE=0", "每天早上7点"),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18;BYMINUTE=20", "工作日晚上6点20分"),
        ("RRULE:FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9;BYMINUTE=0", "周末上午9点"),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0", "每周一早上8点"),
        ("卧室温度>28C", "卧室温度高于28度时"),
        ("大门=开", "大门为开时"),
        ("whatever", "whatever"),
    ],
)
def test_moments(when: str, text: str) -> None:
    """service.md: a deferred request is confirmed in the text (好的，晚上十点关闭客厅灯。)."""
    assert tell_moment(when) == text


@pytest.mark.parametrize(
    ("unit", "told"),
    [("C", "30度"), ("°C", "30度"), ("min", "30分钟"), ("W", "30瓦"), ("μg/m³", "30微克每立方米"), ("圈", "30圈")],
)
def test_a_unit_is_said_in_chinese(unit: str, told: str) -> None:
    """service.md, Home: a unit that the model writes as platforms do is spoken; another is said as it stands."""
    turns = {"type": "uint", "min": 0, "max": 90, "unit": unit, "readonly": True, "describe": "剩余时间"}
    home = {
        "layout": ["阳台"],
        "model": {
            "m": {"name": "washer", "describe": "洗衣机", "property": {"power": {"type": "bool"}, "remaining": turns}}
        },
        "devices": [
            {
                "id": "w",
                "name": "洗衣机",
                "local": "阳台",
                "device": {"model": "m", "state": {"power": True, "remaining": 30}},
            }
        ],
    }
    assert told in tingdong.Home.load(home).say("洗衣机还要多久").text


def test_a_dock_is_where_a_cleaner_goes() -> None:
    """回去充电 is the choice that goes there, not the one that only stops (`docking` beside `idle`)."""
    state = {"type": "enum", "range": ["idle", "cleaning", "docking"]}
    home = {
        "layout": ["客厅"],
        "model": {"m": {"name": "vacuum", "describe": "扫地机器人", "property": {"state": state}}},
        "devices": [
            {"id": "v", "name": "扫地机", "local": "客厅", "device": {"model": "m", "state": {"state": "cleaning"}}}
        ],
    }
    (instruct,) = tingdong.Home.load(home).say("扫地机回基站去").instructs
    assert instruct.state == {"state": "docking"}
