"""From a query to instructs against the thing model (service.md, Closing frame, Home; service.md, `instructs`)."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.home.amounts import half_up
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Instruct, NoteCode
from tingdong.home.plan import merge_plans, plan
from tingdong.home.reply import reply
from tingdong.home.validate import InvalidInstruct, validate

LAMPS = ("dev-1", "dev-2", "dev-3", "dev-4")


def test_the_four_lamps_of_the_example(sample: HomeSnapshot) -> None:
    """service.md, Closing frame: 关所有房间的灯 gives dev-1…dev-4 with the example's summaries and sentence, compared
    whole."""
    made = plan(sample, QueryIR("关闭", type=DeviceType.LIGHT, quantifier=Quantifier.ALL), LAMPS)
    assert made.instructs == (
        Instruct("dev-1", {"power": False}, "关闭客厅照明灯"),
        Instruct("dev-2", {"power": False}, "关闭卫生间照明灯"),
        Instruct("dev-3", {"power": False}, "关闭厨房照明灯"),
        Instruct("dev-4", {"power": False}, "关闭卧室照明灯"),
    )
    assert made.notes == ()
    assert reply(sample, made) == "正在关闭所有房间的照明灯。"


ROWS: list[tuple[str, str, str, str | None, dict[str, Any]]] = [
    # power, and what has no power switch
    ("sample8", "dev-3", "打开", None, {"power": True}),
    ("flat25", "dev-5", "关闭", None, {"power": False}),
    ("loft30", "L12", "关闭", None, {"position": 0}),
    ("loft30", "L27", "打开", None, {"position": 100}),
    ("loft30", "L02", "打开", None, {"locked": False}),
    ("loft30", "L02", "关闭", None, {"locked": True}),
    ("loft30", "L04", "打开", None, {"state": "cleaning"}),
    ("loft30", "L04", "关闭", None, {"state": "returning"}),
    # percent on a range; set implies on
    ("sample8", "dev-1", "设置亮度", "50%", {"level": 128}),
    ("sample8", "dev-1", "设置亮度", "30%", {"level": 77}),
    ("sample8", "dev-1", "设置亮度", "0%", {"level": 1}),
    ("sample8", "dev-1", "设置亮度", "100%", {"level": 255}),
    ("villa120", "v5", "设置亮度", "80%", {"power": True, "level": 204}),
    ("loft30", "L24", "设置亮度", "30%", {"brightness": 30}),
    ("loft30", "L25", "设置亮度", "30%", {"power": True, "brightness": 30}),
    ("loft30", "L11", "设置音量", "50%", {"volume": 15}),
    ("loft30", "L10", "设置音量", "20", {"volume": 20}),
    ("flat25", "dev-20", "设置", "50%", {"power": True, "level": 2}),
    ("flat25", "dev-21", "设置风速", "75%", {"level": 4}),
    ("villa120", "v54", "设置风速", "60%", {"power": True, "level": 4}),
    ("flat25", "dev-5", "设置开合度", "50%", {"level": 50}),
    ("flat25", "dev-16", "设置开合度", "50%", {"power": True, "level": 50}),
    ("flat25", "dev-16", "设置开合度", "0%", {"level": 0}),
    ("loft30", "L12", "设置开合度", "三分之二", {"position": 67}),
    # literal temperatures and gears, ends
    ("sample8", "dev-6", "设置温度", "24C", {"power": True, "level": 24}),
    ("sample8", "dev-7", "设置温度", "最大", {"power": True, "level": 30}),
    ("sample8", "dev-8", "设置风速", "最大", {"level": 3}),
    ("sample8", "dev-8", "设置风速", "1档", {"level": 1}),
    ("sample8", "dev-8", "设置风速", "低", {"level": 1}),
    ("sample8", "dev-8", "设置风速", "中", {"level": 2}),
    ("flat25", "dev-24", "设置", "2档", {"power": True, "level": 2}),
    ("loft30", "L32", "设置温度", "最大", {"target_temp": 60}),
    ("loft30", "L18", "设置温度", "3C", {"fridge_temp": 3}),
    ("loft30", "L18", "设置温度", "零下20C", {"freezer_temp": -20}),
    # relative steps: the amount, else 10 % of the range, temperature and gear 1
    ("sample8", "dev-1", "调低亮度", None, {"level": 103}),
    ("sample8", "dev-1", "调高亮度", None, {"level": 153}),
    ("sample8", "dev-1", "调高亮度", "20%", {"level": 179}),
    ("flat25", "dev-5", "调低开合度", "20%", {"level": 80}),
    ("flat25", "dev-4", "调高音量", None, {"level": 40}),
    ("loft30", "L11", "调低音量", None, {"volume": 9}),
    # so many points less, but a share of what there is where nothing would be left (12 of 30; 128 of 1..255)
    ("loft30", "L11", "调低音量", "20%", {"volume": 6}),
    ("loft30", "L11", "调低音量", "50%", {"volume": 6}),
    ("loft30", "L11", "调低音量", "100%", {"volume": 0}),
    ("sample8", "dev-1", "调低亮度", "50%", {"level": 65}),
    ("flat25", "dev-14", "调低温度", "2C", {"level": 24}),
    ("flat25", "dev-14", "调高温度", None, {"level": 27}),
    ("sample8", "dev-7", "调高温度", None, {"power": True, "level": 27}),
    ("flat25", "dev-9", "调低风速", None, {"level": 1}),
    ("villa120", "v54", "调高风速", "1档", {"power": True, "level": 3}),
    ("flat25", "dev-24", "调高温度", None, {"power": True, "level": 2}),
    # what stands in for a property the device does not have
    ("loft30", "L20", "调高温度", None, {"power": True, "color_temp": 4620}),
    ("loft30", "L20", "设置温度", "最小", {"power": True, "color_temp": 6500}),
    ("loft30", "L29", "设置湿度", "最大", {"power": True, "gear": 3}),
    ("flat25", "dev-24", "设置温度", "最大", {"power": True, "level": 3}),
    # enums
    ("loft30", "L09", "设置模式", "除湿", {"mode": "dry"}),
    ("loft30", "L21", "设置模式", "制热", {"power": True, "mode": "heat"}),
    ("loft30", "L21", "设置风速", "自动", {"power": True, "speed": "auto"}),
    ("loft30", "L09", "调高风速", None, {"speed": "mid"}),
    ("loft30", "L09", "设置风速", "最大", {"speed": "high"}),
    ("loft30", "L09", "设置风速", "2档", {"speed": "mid"}),
    ("loft30", "L17", "设置风速", "中", {"power": True, "speed": "mid"}),
    ("loft30", "L30", "设置模式", "强力", {"mode": "strong"}),
    ("loft30", "L30", "设置", "睡眠", {"mode": "sleep"}),
    ("loft30", "L30", "设置风速", "强力", {"mode": "strong"}),
    # colour and colour temperature
    ("loft30", "L06", "设置颜色", "红色", {"power": True, "color": "#FF0000"}),
    ("loft30", "L06", "设置颜色", "紫", {"power": True, "color": "#800080"}),
    ("loft30", "L06", "设置颜色", "橘黄色", {"power": True, "color": "#FFB347"}),
    ("loft30", "L06", "设置色温", "暖黄", {"power": True, "color": "#FFD27F"}),
    ("loft30", "L06", "设置", "海蓝色", {"power": True, "color": "#0000FF"}),
    ("loft30", "L20", "设置色温", "4000K", {"power": True, "color_temp": 4000}),
    ("loft30", "L05", "调低色温", None, {"color_temp": 3620}),
    ("loft30", "L05", "设置色温", "冷", {"color_temp": 6500}),
    ("loft30", "L05", "设置色温", "暖", {"color_temp": 2700}),
    ("loft30", "L05", "设置色温", "自然", {"color_temp": 4600}),
    ("loft30", "L05", "设置", "6500", {"color_temp": 6500}),
    # media, robot, lock
    ("loft30", "L10", "设置频道", "12", {"channel": 12}),
    ("loft30", "L10", "调高频道", None, {"channel": 9}),
    ("loft30", "L10", "下一首", None, {"channel": 9}),
    ("loft30", "L10", "静音", None, {"mute": True}),
    ("loft30", "L10", "取消静音", None, {"mute": False}),
    ("flat25", "dev-4", "静音", None, {"level": 0}),
    ("loft30", "L11", "暂停", None, {"playback": "pause"}),
    ("loft30", "L11", "继续", None, {"playback": "play"}),
    ("loft30", "L11", "停止", None, {"playback": "stop"}),
    ("loft30", "L04", "暂停", None, {"state": "paused"}),
    ("loft30", "L04", "继续", None, {"state": "cleaning"}),
    ("loft30", "L04", "回充", None, {"state": "returning"}),
    ("loft30", "L02", "上锁", None, {"locked": True}),
    ("loft30", "L02", "解锁", None, {"locked": False}),
    # a bare value takes the attribute of its device
    ("sample8", "dev-1", "设置", "50%", {"level": 128}),
    ("sample8", "dev-6", "设置", "26", {"power": True, "level": 26}),
    ("loft30", "L26", "设置", "26%", {"power": True, "target_temp": 26}),
    ("loft30", "L26", "设置", "50%", {"power": True, "speed": "mid"}),
    ("loft30", "L10", "设置", "40%", {"volume": 40}),
    ("loft30", "L12", "设置", "30%", {"position": 30}),
]


@pytest.mark.parametrize(("home", "device", "action", "value", "state"), ROWS)
def test_a_request_writes_the_models_own_units(
    homes: Mapping[str, HomeSnapshot], home: str, device: str, action: str, value: str | None, state: Any
) -> None:
    """service.md, `instructs`: what one request writes, in the model's own units."""
    made = plan(homes[home], QueryIR(action, value), [device])
    assert [instruct.state for instruct in made.instructs] == [state]
    for instruct in made.instructs:
        validate(homes[home], instruct)


REFUSALS = [
    ("sample8", "dev-6", "设置温度", "40C", NoteCode.OUT_OF_RANGE, "15到30度"),
    ("loft30", "L05", "设置色温", "9000K", NoteCode.OUT_OF_RANGE, "2700到6500K"),
    ("loft30", "L10", "设置频道", "300", NoteCode.OUT_OF_RANGE, "1到120"),
    ("loft30", "L18", "设置温度", "15C", NoteCode.OUT_OF_RANGE, "2到8度"),
    ("sample8", "dev-1", "设置亮度", "150%", NoteCode.OUT_OF_RANGE, "0%到100%"),
    ("loft30", "L17", "设置风速", "7档", NoteCode.OUT_OF_RANGE, "1到3档"),
    ("sample8", "dev-8", "设置风速", "7档", NoteCode.OUT_OF_RANGE, "1到3档"),
    ("sample8", "dev-3", "设置亮度", "50%", NoteCode.UNSUPPORTED, ""),
    ("sample8", "dev-5", "调高亮度", None, NoteCode.UNSUPPORTED, ""),
    ("loft30", "L05", "设置颜色", "绿色", NoteCode.UNSUPPORTED, ""),
    ("sample8", "dev-3", "上锁", None, NoteCode.UNSUPPORTED, ""),
    ("loft30", "L09", "设置模式", "睡眠", NoteCode.UNKNOWN_VALUE, "制冷、制热、除湿、送风、自动"),
    ("loft30", "L06", "设置颜色", "嗡嗡", NoteCode.UNKNOWN_VALUE, ""),
    ("loft30", "L10", "设置频道", "湖南卫视", NoteCode.UNKNOWN_VALUE, "1到120"),
    ("loft30", "L15", "打开", None, NoteCode.READ_ONLY, ""),
    ("loft30", "L02", "设置", "50%", NoteCode.UNSUPPORTED, ""),
    ("loft30", "L33", "打开", None, NoteCode.OFFLINE, ""),
]


@pytest.mark.parametrize("high", [100, 101, 128, 200, 255, 1000])
@pytest.mark.parametrize("attribute", ["亮度", "音量", "开合度"])
def test_a_bare_number_over_a_hundred_is_the_models_own_unit(attribute: str, high: int) -> None:
    """service.md, Home, `level` 1..255 with the state 128: over 100 the model's own value, up to 100 percent."""
    kind, name = {"亮度": ("照明灯", "brightness"), "音量": ("音箱", "volume"), "开合度": ("窗帘", "position")}[
        attribute
    ]
    model = {"m": {"name": kind, "describe": kind, "property": {name: {"type": "uint", "min": 0, "max": high}}}}
    device = {"id": "d", "name": kind, "local": "客厅", "device": {"model": "m", "state": {name: 1}}}
    home = load_home(json.dumps({"layout": ["客厅"], "model": model, "devices": [device]}).encode(), HomeStore())
    for number in (0, 50, 100, 101, 128, 200, 255, 1000, 1001):
        made = plan(home, QueryIR(f"设置{attribute}", str(number)), ["d"])
        wanted = half_up(number * high / 100) if number <= 100 else number
        assert [one.state for one in made.instructs] == ([{name: wanted}] if wanted <= high else [])
        percent = plan(home, QueryIR(f"设置{attribute}", f"{number}%"), ["d"])
        assert bool(percent.instructs) is (number <= 100)
        refused = [note.code for note in (*made.notes, *percent.notes)]
        assert all(code is NoteCode.OUT_OF_RANGE for code in refused)


@pytest.mark.parametrize(("home", "device", "action", "value", "code", "detail"), REFUSALS)
def test_a_refused_request_names_the_reason(
    homes: Mapping[str, HomeSnapshot],
    home: str,
    device: str,
    action: str,
    value: str | None,
    code: NoteCode,
    detail: str,
) -> None:
    """service.md: out of range, unsupported, read-only and offline give no instruct and name reason and range."""
    made = plan(homes[home], QueryIR(action, value), [device])
    assert made.instructs == ()
    assert [(note.code, note.device_id, note.detail) for note in made.notes] == [(code, device, detail)]


@pytest.mark.parametrize(
    ("home", "device", "action", "state"),
    [("loft30", "L12", "调高开合度", {"position": 100}), ("flat25", "dev-16", "调低开合度", {"level": 0})],
)
def test_a_step_stops_at_the_end_of_the_range(
    homes: Mapping[str, HomeSnapshot], home: str, device: str, action: str, state: Any
) -> None:
    """service.md: steps are clamped at the ends; already there, it says so."""
    made = plan(homes[home], QueryIR(action), [device])
    assert [instruct.state for instruct in made.instructs] == [state]
    assert [note.code for note in made.notes] == [NoteCode.AT_LIMIT]


def test_a_said_part_chooses_the_property(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md, Home: two temperatures of one device are told apart by the part that was named."""
    made = plan(homes["loft30"], QueryIR("设置温度", "零下30C", name="冷冻室"), ["L18"])
    assert (made.notes[0].attribute, made.notes[0].detail) == ("冷冻室温度", "零下24到零下16度")
    made = plan(homes["loft30"], QueryIR("设置温度", "最小", name="冰箱冷藏"), ["L18"])
    assert made.instructs[0].state == {"fridge_temp": 2}


def test_targets_come_in_the_homes_order(sample: HomeSnapshot) -> None:
    """service.md: every target in the home's order, also those in that state already; foreign ids are ignored."""
    made = plan(sample, QueryIR("关闭"), ["dev-8", "nobody", "dev-2", "dev-1"])
    assert [instruct.id for instruct in made.instructs] == ["dev-1", "dev-2", "dev-8"]


def test_a_group_is_its_members_and_a_scene_is_itself(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: a group becomes one instruct per member; a scene is {"id": scene, "state": {}}."""
    made = plan(homes["loft30"], QueryIR("打开"), ["lg-1"])
    assert [(instruct.id, instruct.state) for instruct in made.instructs] == [
        ("L06", {"power": True}),
        ("L07", {"power": True}),
        ("L08", {"power": True}),
    ]
    made = plan(homes["loft30"], QueryIR("执行", name="观影模式"), ["ls-1"])
    assert made.instructs == (Instruct("ls-1", {}, "执行观影模式"),)
    validate(homes["loft30"], made.instructs[0])


def test_any_of_some_picks_those_that_change(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: any#N picks N, those that would change first, then the home's order."""
    spots = ["L07", "L08"]
    query = QueryIR("打开", quantifier=Quantifier.ANY, count=1)
    assert [instruct.id for instruct in plan(homes["loft30"], query, spots).instructs] == ["L07"]
    query = QueryIR("关闭", quantifier=Quantifier.ANY, count=1)
    assert [instruct.id for instruct in plan(homes["loft30"], query, spots).instructs] == ["L08"]
    query = QueryIR("打开", quantifier=Quantifier.ANY, count=5)
    assert len(plan(homes["loft30"], query, spots).instructs) == 2


@pytest.mark.parametrize(
    ("when", "iso"),
    [
        ("10分钟后", "PT10M"),
        ("90分钟后", "PT90M"),
        ("2小时后", "PT2H"),
        ("30秒后", "PT30S"),
        ("22:00", "T22:00"),
        ("明天07:30", "2026-11-24T07:30"),
        ("后天05:00", "2026-11-25T05:00"),
        ("周六20:00", "2026-11-28T20:00"),
        ("下周三07:00", "2026-12-02T07:00"),
        ("11月24日07:00", "2026-11-24T07:00"),
        ("3月1日07:00", "2027-03-01T07:00"),
        ("2月29日08:00", "2028-02-29T08:00"),
        ("每天07:00", "RRULE:FREQ=DAILY;BYHOUR=7;BYMINUTE=0"),
        ("工作日18:20", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18;BYMINUTE=20"),
        ("周末09:00", "RRULE:FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9;BYMINUTE=0"),
        ("每周一08:00", "RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0"),
        ("温度>28C", "楼上主卧温度>28C"),
        ("主卧湿度<30%", "楼上主卧湿度<30%"),
        ("客厅PM2.5>75", "客厅PM2.5>75"),
        ("大门=开", "大门=开"),
    ],
)
def test_deferred_requests_carry_when(homes: Mapping[str, HomeSnapshot], monday: datetime, when: str, iso: str) -> None:
    """service.md: timed and conditional requests are not executed now; `when` stands beside `state`."""
    made = plan(homes["loft30"], QueryIR("打开", when=when), ["L29"], now=monday)
    assert [(instruct.state, instruct.when) for instruct in made.instructs] == [({"power": True}, iso)]


def test_a_deferred_level_carries_power(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: a deferred level carries `power: true`, for the device may be off by then; a condition that the
    client judges leaves a device that is on as it is.
    """
    flat = homes["flat25"]
    for when, device, state in (
        ("10分钟后", "dev-14", {"power": True, "level": 24}),
        ("卧室温度>28C", "dev-14", {"level": 24}),
        ("卧室温度>28C", "dev-19", {"power": True, "level": 24}),
    ):
        made = plan(flat, QueryIR("设置温度", "24C", when=when), [device])
        assert made.instructs[0].state == state


@pytest.mark.parametrize("when", ["天黑以后", "25:00", "2月30日08:00"])
def test_a_request_that_lost_its_condition_gives_no_command(sample: HomeSnapshot, monday: datetime, when: str) -> None:
    """Architecture, law 2: a lost condition or delay never yields a command."""
    assert plan(sample, QueryIR("打开", when=when), ["dev-1"], now=monday).instructs == ()


def test_a_question_plans_nothing(sample: HomeSnapshot) -> None:
    """Architecture, law 2: a question never yields an instruct."""
    assert plan(sample, QueryIR("查询状态"), ["dev-1"]).instructs == ()


def test_commands_of_one_utterance_merge(homes: Mapping[str, HomeSnapshot], sample: HomeSnapshot) -> None:
    """service.md: 打开空调，打到二十四度 is one instruct of its device; targets come in the home's order."""
    plans = [plan(sample, QueryIR("打开"), ["dev-7"]), plan(sample, QueryIR("设置温度", "24C"), ["dev-7"])]
    merged = merge_plans(sample, plans)
    assert merged.instructs == (Instruct("dev-7", {"power": True, "level": 24}, "打开卧室空调并调节温度到24度"),)
    flat = homes["flat25"]
    plans = [plan(flat, QueryIR(verb), [device]) for verb, device in (("关闭", "dev-4"), ("打开", "dev-2"))]
    assert [instruct.id for instruct in merge_plans(flat, plans).instructs] == ["dev-2", "dev-4"]


def test_an_overwritten_command_is_not_in_the_reply(sample: HomeSnapshot) -> None:
    """commands.md, Order and splitting: later commands win, in the state and in the sentence."""
    first = plan(sample, QueryIR("设置温度", "25C"), ["dev-7"])
    after = sample.after(first.instructs)
    merged = merge_plans(sample, [first, plan(after, QueryIR("设置温度", "27C"), ["dev-7"])])
    assert merged.instructs == (Instruct("dev-7", {"power": True, "level": 27}, "打开卧室空调并调节温度到27度"),)
    off = merge_plans(sample, [first, plan(after, QueryIR("关闭"), ["dev-7"])])
    assert off.instructs[0].summary == "关闭卧室空调"


def test_now_and_later_stay_apart(homes: Mapping[str, HomeSnapshot]) -> None:
    """commands.md: 开两小时 is 打开 and 关闭@2小时后; the timed one never becomes immediate."""
    home = homes["loft30"]
    plans = [plan(home, QueryIR("打开"), ["L26"]), plan(home, QueryIR("关闭", when="2小时后"), ["L26"])]
    assert [(one.state, one.when) for one in merge_plans(home, plans).instructs] == [
        ({"power": True}, None),
        ({"power": False}, "PT2H"),
    ]


@pytest.mark.parametrize(
    "instruct",
    [
        Instruct("nobody", {"power": True}),
        Instruct("dev-1", {"volume": 3}),
        Instruct("dev-1", {"level": 0}),
        Instruct("dev-1", {"level": 256}),
        Instruct("dev-1", {"level": 1.5}),
        Instruct("dev-1", {"level": True}),
        Instruct("dev-1", {"power": 1}),
        Instruct("dev-1", {}),
    ],
)
def test_what_does_not_validate(sample: HomeSnapshot, instruct: Instruct) -> None:
    """Architecture, law 3: ids come from the home and every value is valid against the thing model."""
    with pytest.raises(InvalidInstruct):
        validate(sample, instruct)


def test_a_read_only_property_is_never_valid(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: a read-only property is never written."""
    with pytest.raises(InvalidInstruct):
        validate(homes["loft30"], Instruct("L02", {"battery": 50}))


def test_state_that_does_not_fit_is_unknown(sample: HomeSnapshot) -> None:
    """service.md, Home: a broken state value must not crash a turn; a step from it starts in the middle."""
    broken = HomeSnapshot(sample.shape, {"dev-1": {"power": "yes", "level": "bright"}}, {})
    made = plan(broken, QueryIR("调高亮度"), ["dev-1"])
    assert made.instructs[0].state == {"power": True, "level": 153}
