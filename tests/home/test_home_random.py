"""Random homes and queries: whatever is planned validates, and percent is monotone (architecture, laws 2 and 3)."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.models import Quantifier, QueryIR
from tingdong.home.amounts import number_of, parse_amount
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.document import PropertyType, decode_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.plan import merge_plans, plan
from tingdong.home.properties import PropertySpec
from tingdong.home.query import answer
from tingdong.home.reply import ask_device, ask_room, reply
from tingdong.home.shape import devices_of
from tingdong.home.validate import validate
from tingdong.home.wish_table import Wish
from tingdong.home.wishes import plan_wish


def words(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(text.split())


NAMES = words(
    "power on switch level brightness color color_temp target_temp temperature humidity speed gear volume "
    "mute mode state position locked open motion battery playback channel source pm25 亮度 whatever "
    "fan_speed humidity_set"
)
WORDS = words(
    "low mid high auto cool heat dry on off open close stop play pause next cleaning docked returning red "
    "blue 1 2 3 强 睡眠 locked unlocked HDMI1"
)
DESCRIBES = words(
    "开关设备。 空调，level是温度。 灯，可调光。 窗帘，level是开合度。 传感器，都只读。 音箱，level音量，越大越暖。 锁"
)
DEVICE_NAMES = st.sampled_from(
    ["灯", "空调", "风扇", "窗帘", "门锁", "大白", "冰箱", "扫地机器人", "烤箱", "插座", "温度计", "智能x", "电视"]
)
ROOMS = st.sampled_from(["", "客厅", "卧室", "二楼书房"])


@st.composite
def properties(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["bool", "uint", "int", "float", "enum", "string"]))
    definition: dict[str, Any] = {"type": kind}
    if kind in ("uint", "int", "float"):
        low = draw(st.integers(0 if kind == "uint" else -50, 3000))
        definition |= {"min": low, "max": low + draw(st.integers(0, 4000))}
    elif kind == "enum":
        definition["range"] = draw(st.lists(WORDS, min_size=1, max_size=5, unique=True))
    if draw(st.integers(0, 5)) == 0:
        definition["readonly"] = True
    if draw(st.booleans()):
        definition["describe"] = draw(DESCRIBES)
    return definition


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-10, 5000), st.text(max_size=4), WORDS, st.floats(0, 99), st.lists(st.none())
)


@st.composite
def homes(draw: st.DrawFn) -> dict[str, Any]:
    model = {
        f"m{index}": {
            "name": draw(st.sampled_from(["fan", "LED-lamp", "switch", "zz", "lock"])),
            "describe": draw(DESCRIBES),
            "property": draw(st.dictionaries(NAMES, properties(), max_size=5)),
        }
        for index in range(draw(st.integers(1, 3)))
    }
    devices = [
        {
            "id": f"d{index}",
            "name": draw(DEVICE_NAMES),
            "local": draw(ROOMS),
            "online": draw(st.integers(0, 6)) > 0,
            "device": {
                "model": draw(st.sampled_from(sorted(model))),
                "state": draw(st.dictionaries(NAMES, VALUES, max_size=4)),
            },
        }
        for index in range(draw(st.integers(0, 6)))
    ]
    ids = [device["id"] for device in devices]
    groups = [{"id": "g", "name": "组", "devices": ids[:2]}]
    return {"model": model, "devices": devices, "groups": groups, "scenes": [{"id": "s", "name": "观影模式"}]}


ACTIONS = words(
    "打开 关闭 暂停 继续 停止 播放 上一首 下一首 静音 取消静音 查询状态 查询温度 查询电量 设置 设置亮度 "
    "设置温度 设置音量 设置开合度 设置风速 设置色温 设置颜色 设置模式 设置频道 设置输入源 设置湿度 "
    "调高亮度 调低温度 调高风速 调低音量 调高色温 调低开合度 调高频道 重启 上锁 解锁 回充 执行 胡说 "
    "设置怪"
)
SAID = st.one_of(
    st.none(),
    words(
        "50% 0% 100% 150% 26C 零下5C 3档 99档 4000K 最大 最小 中 暖 冷 红色 #12ab34 制冷 自动 睡眠 HDMI1 12 "
        "6500 三分之一 乱说 0 1档"
    ),
)
WHENS = st.one_of(st.none(), st.sampled_from(["10分钟后", "22:00", "每天07:00", "温度>26C", "天黑"]))
IDS = st.lists(st.sampled_from(["d0", "d1", "d2", "d3", "d4", "d5", "g", "s", "nobody"]), max_size=6)


@st.composite
def queries(draw: st.DrawFn) -> QueryIR:
    return QueryIR(
        draw(ACTIONS),
        draw(SAID),
        name=draw(st.one_of(st.none(), DEVICE_NAMES)),
        quantifier=draw(st.sampled_from(list(Quantifier))),
        count=draw(st.one_of(st.none(), st.integers(1, 3))),
        when=draw(WHENS),
    )


def loaded(document: dict[str, Any]) -> HomeSnapshot:
    return load_home(json.dumps(document, ensure_ascii=False).encode(), HomeStore())


@given(homes(), queries(), IDS)
def test_every_instruct_validates(document: dict[str, Any], query: QueryIR, ids: list[str]) -> None:
    """Architecture, law 3: ids only from the home, every value valid; law 2: a question and a lost WHEN never act."""
    home = loaded(document)
    made = plan(home, query, ids)
    for instruct in made.instructs:
        validate(home, instruct)
        assert instruct.summary
        assert (instruct.when is None) == (query.when is None)
    if query.action.startswith("查询") or query.when == "天黑":
        assert made.instructs == ()
    assert len(made.deeds) == len(made.instructs)
    assert reply(home, made).endswith("。")
    assert {instruct.id for instruct in made.instructs} <= {*home.shape.devices, "s"}


@given(homes(), st.lists(st.tuples(queries(), IDS), min_size=1, max_size=3))
def test_merged_plans_validate(document: dict[str, Any], asked: list[tuple[QueryIR, list[str]]]) -> None:
    """Architecture, law 3 holds after merging; one device and moment gets one instruct."""
    home = loaded(document)
    merged = merge_plans(home, [plan(home, query, ids) for query, ids in asked])
    for instruct in merged.instructs:
        validate(home, instruct)
    keys = [(instruct.id, instruct.when) for instruct in merged.instructs]
    assert len(keys) == len(set(keys))


@given(
    homes(),
    st.sampled_from(["hot", "cold", "dark", "bright", "damp", "noisy", "sleep", "leave", "film", "cook"]),
    ROOMS,
)
def test_every_wish_validates(document: dict[str, Any], key: str, room: str) -> None:
    """Architecture, law 3 for implied wishes; what is planned is never empty."""
    home = loaded(document)
    for query, ids in plan_wish(home, Wish(key, key), room):
        assert ids
        for instruct in plan(home, query, ids).instructs:
            validate(home, instruct)


@given(homes(), queries(), IDS, st.sampled_from(["", "哪个房间最热", "几盏灯开着", "哪些没关", "什么状态", "电量多少"]))
def test_every_question_is_answered(document: dict[str, Any], query: QueryIR, ids: list[str], text: str) -> None:
    """Whatever the state holds, an answer is one sentence and nothing raises."""
    home = loaded(document)
    assert answer(home, query, ids, text=text).endswith("。")
    known = [device_id for device_id in ids if device_id in home.shape.devices]
    if known:
        assert ask_room(home, query, known)
        assert ask_device(home, query, known)


@given(homes())
def test_every_home_has_its_devices_for_retrieval(document: dict[str, Any]) -> None:
    """retrieval.md: one device per device, in order, whatever the models say; bytes and object give the same
    document."""
    home = loaded(document)
    assert [device.id for device in devices_of(home.shape)] == [device["id"] for device in document["devices"]]
    assert decode_home(document) == decode_home(json.dumps(document).encode())
    assert home.shape.names.rooms >= {device["local"] for device in document["devices"] if device["local"]}


@given(st.integers(0, 100), st.integers(0, 100), st.integers(-50, 300), st.integers(1, 5000))
def test_percent_is_monotone_and_meets_the_ends(one: int, other: int, low: int, span: int) -> None:
    """service.md: percent maps linearly with half-up rounding; 0 and 100 percent are the ends."""
    high = low + span
    if high == 100:
        return
    spec = PropertySpec("x", PropertyRole.BRIGHTNESS, PropertyType.INT, "亮度", low=low, high=high)
    first, second = (number_of(spec, parse_amount(f"{percent}%")) for percent in sorted((one, other)))
    assert low <= first <= second <= high
    assert number_of(spec, parse_amount("0%")) == low
    assert number_of(spec, parse_amount("100%")) == high
    assert number_of(spec, parse_amount("最大")) == high
