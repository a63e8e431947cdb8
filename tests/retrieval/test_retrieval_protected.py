"""Protected things: no set offers them, an order by name asks first, scenes are run when asked for (service.md)."""

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.injection import summarize_result_for_prompt
from context_retrieval.models import (
    Device,
    DeviceCommand,
    DeviceType,
    EntityKind,
    Group,
    Quantifier,
    QueryIR,
    Reference,
    RetrievalResult,
    Scene,
)
from context_retrieval.pipeline import retrieve, retrieve_ir
from context_retrieval.protection import protection_by, protection_table, read_protection
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.shape import HomeShape

CORPUS = Path(__file__).parents[1] / "corpus"
HOMES = CORPUS / "homes" / "protected"
LABELS: dict[str, list[str]] = json.loads((HOMES / "labels.json").read_text(encoding="utf-8"))
SETS = [json.loads(line) for line in (CORPUS / "protected_sets.jsonl").read_text(encoding="utf-8").splitlines()]
ON_OFF = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))


@cache
def shape(name: str) -> HomeShape:
    return load_home((HOMES / f"{name}.json").read_bytes(), HomeStore()).shape


@cache
def client(name: str) -> EmbeddedLLM:
    return EmbeddedLLM(shape(name).catalog)


def ask(name: str, text: str) -> RetrievalResult:
    return retrieve(text, shape(name).catalog, client(name), ConversationState())


def devices_of(result: RetrievalResult, catalog: Catalog) -> set[str]:
    """Ids of all devices that a result lets an agent act on, those of its groups too."""
    found: set[str] = set()
    for one in result.candidates:
        found |= set(catalog.members(one.entity_id)) if one.kind is EntityKind.GROUP else {one.entity_id}
    return found


@pytest.mark.parametrize("name", LABELS)
def test_the_table_knows_what_is_protected(name: str) -> None:
    """service.md, Protected and risky: twenty homes, each device labelled by hand; home policy and retrieval agree."""
    home = shape(name)
    labelled = set(LABELS[name])
    assert {one.id for one in home.catalog.devices if home.catalog.profile(one.id).is_protected} == labelled
    assert {one.id for one in home.devices.values() if one.protected} == labelled


def test_no_set_offers_a_protected_thing() -> None:
    """service.md, Protected and risky: 300 set requests in twenty homes; what is offered is never empty without a
    reason."""
    assert (len(SETS), len(LABELS)) == (300, 20)
    empty = 0
    for row in SETS:
        home, result = shape(row["home"]), ask(row["home"], row["text"])
        offered = devices_of(result, home.catalog) & set(LABELS[row["home"]])
        assert not offered, (row, offered)
        scenes = [one.entity_id for one in result.candidates if one.kind is EntityKind.SCENE]
        assert not scenes, (row, scenes)
        assert result.candidates or result.hint, row
        empty += not result.candidates
    assert empty <= 45


@pytest.mark.parametrize("name", LABELS)
def test_an_order_by_name_asks_first(name: str) -> None:
    """service.md, Protected and risky: switching off what was named is offered, with a hint that says why to ask."""
    catalog = shape(name).catalog
    for entity_id in LABELS[name]:
        device = catalog.devices[catalog.by_id()[entity_id]]
        query = QueryIR("关闭", name=device.name, include=(device.room,))
        result = retrieve_ir([query], catalog, ConversationState())
        protection = catalog.profile(entity_id).protection
        assert protection is not None
        assert entity_id in devices_of(result, catalog)
        assert protection.reason in (result.hint or "")
        assert protection.reason in summarize_result_for_prompt(result)


def test_members_left_out_of_a_set_are_named() -> None:
    """Both say so: the YAML names what was left out, without an id to act on; a typed set also has a hint."""
    result = ask("oxygen_flat", "大屋的插座都关了")
    loaded = yaml.safe_load(summarize_result_for_prompt(result))
    assert any("血压计插座" in text for text in loaded["left_out"])
    assert "血压计插座" in (result.hint or "")
    assert not set(LABELS["oxygen_flat"]) & {one["id"] for one in loaded.get("devices", ())}


@pytest.mark.parametrize("text", ["晚安", "执行晚安", "来个晚安", "晚安模式，再把灯打开", "打开晚安，再把灯关了"])
def test_a_scene_that_is_asked_for(text: str) -> None:
    """retrieval.md, Scene: by its name alone, by a verb, or as a mode."""
    assert any(one.kind is EntityKind.SCENE for one in ask("care_north", text).candidates)


@pytest.mark.parametrize("text", ["晚安了，护士站的灯全关掉", "该午休了，灯关掉", "晚安，灯都关了"])
def test_a_scene_in_passing(text: str) -> None:
    """A scene's name beside a request is no request."""
    result = ask("care_north", text)
    assert result.candidates
    assert not any(one.kind is EntityKind.SCENE for one in result.candidates)


def test_the_table_has_reasons() -> None:
    """Each row says why; a row without a reason, without words or with an unknown key is refused by name."""
    assert all(row.protection.reason for row in protection_table())
    for bad in ({"a": {"reason": "", "words": ["x"]}}, {"a": {"reason": "x", "words": []}}, {"a": {"word": ["x"]}}):
        with pytest.raises(ValueError, match=r"p\.yaml"):
            read_protection(bad, "p.yaml")


def test_devices_that_are_dangerous_to_start() -> None:
    """service.md, Protected and risky: no set starts a UV lamp, an order by its name asks first, stopping it asks
    nothing; it is no lamp of a set."""
    catalog = Catalog(
        [Device(*one, "厨房", "light", ON_OFF) for one in (("a", "厨房灯"), ("b", "紫外线消毒灯"))], [], []
    )
    lamps = QueryIR("打开", type=DeviceType.LIGHT, quantifier=Quantifier.ALL)
    begun = retrieve_ir([lamps], catalog, ConversationState())
    assert devices_of(begun, catalog) == {"a"}
    assert "紫外线消毒灯" in (begun.hint or "")
    named = retrieve_ir([QueryIR("打开", name="紫外线消毒灯")], catalog, ConversationState())
    assert devices_of(named, catalog) == {"b"}
    assert "确认" in (named.hint or "")
    for stopped, meant in ((structs.replace(lamps, action="关闭"), "a"), (QueryIR("关闭", name="紫外线消毒灯"), "b")):
        result = retrieve_ir([stopped], catalog, ConversationState())
        assert devices_of(result, catalog) == {meant}
        assert not result.hint
    asked = retrieve_ir([structs.replace(lamps, action="查询状态")], catalog, ConversationState())
    assert devices_of(asked, catalog) == {"a", "b"}


PROTECTED = ("鱼缸", "制氧机", "冰箱", "路由器", "服务器", "呼叫", "报警", "监护", "疫苗")
PLAIN = ("茶几", "沙发", "床头", "书桌", "鞋柜", "咖啡机")
CARRIERS = {"插座": "plug", "开关": "switch", "": "generic", "插排": "plug"}


@st.composite
def homes(draw: st.DrawFn) -> tuple[Catalog, set[str]]:
    """A home of random things, half of them protected by their name, with groups across both."""
    devices, protected = [], set()
    for number in range(draw(st.integers(2, 12))):
        is_protected = draw(st.booleans())
        ending, kind = draw(st.sampled_from(list(CARRIERS.items())))
        name = draw(st.sampled_from(PROTECTED if is_protected else PLAIN)) + (ending or "电器" * (not is_protected))
        devices.append(Device(f"d{number}", name, draw(st.sampled_from(["客厅", "卧室"])), kind, ON_OFF))
        if is_protected:
            protected.add(f"d{number}")
    ids = [one.id for one in devices]
    groups = [
        Group(f"g{n}", f"{n}号组", tuple(draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))))
        for n in range(2)
    ]
    return Catalog.build(devices, groups, [Scene("s", "下班")]), protected


SET_QUERIES = st.builds(
    QueryIR,
    action=st.sampled_from(["关闭", "打开", "操作", "重启"]),
    include=st.sampled_from([(), ("客厅",), ("卧室",), ("客厅", "卧室")]),
    exclude=st.sampled_from([(), ("客厅",)]),
    type=st.sampled_from([DeviceType.UNKNOWN, DeviceType.SMART_PLUG, DeviceType.SWITCH, DeviceType.LIGHT]),
    quantifier=st.sampled_from([Quantifier.ALL, Quantifier.ANY, Quantifier.EXCEPT, Quantifier.ONE]),
    count=st.sampled_from([None, 1, 2, 3]),
    excluded_names=st.sampled_from([(), ("沙发插座",), ("插座",)]),
)
NAMED_SETS = st.builds(
    QueryIR,
    action=st.sampled_from(["关闭", "打开"]),
    name=st.sampled_from(["插座", "开关", "插排", "电器", "0号组", "1号组"]),
    quantifier=st.sampled_from([Quantifier.ALL, Quantifier.ANY]),
    count=st.sampled_from([None, 1, 2]),
)


@given(homes(), st.lists(st.one_of(SET_QUERIES, NAMED_SETS), min_size=1, max_size=3), st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_set_query_offers_a_protected_thing(
    home: tuple[Catalog, set[str]], queries: list[QueryIR], whole: bool
) -> None:
    """service.md, Protected and risky, as a law: random homes, random sets, groups and what is pointed back to after
    them."""
    catalog, protected = home
    state = ConversationState()
    for asked in (queries, [QueryIR("关闭", reference=Reference.LAST, quantifier=Quantifier.ALL)]):
        result = retrieve_ir(asked, catalog, state, explicit_all=whole, text="都关了")
        assert not devices_of(result, catalog) & protected, (asked, result)


WORDINGS = [
    "{room}断电",
    "把{room}的电全断了",
    "{room}所有插座断电",
    "{room}里通电的都给我停了",
    "{room}开关全部关掉",
    "{room}什么都别开着",
    "除了灯，{room}别的都关了",
    "{room}的插座一个不留都关掉",
    "下班了，{room}插头都拔了",
    "{room}只留一盏灯，其他全关",
    "要走了把{room}能关的都关",
    "关掉{room}的一切电器",
    "{room}统统关机",
    "{room}的设备都重启一遍",
    "帮我把{room}的灯和插座都关了",
    "{room}没人了就全关掉",
    "{room}所有灯都灭了",
    "{room}任意关三个插座",
    "{room}那些带电的东西关一关",
    "{room}插排全部切断",
    "省点电，{room}的东西都停了",
    "{room}的用电设备每个都关",
    "关{room}全部的泵和开关",
    "{room}十分钟后全部断电",
    "每天晚上十一点{room}的插座都关",
    "先把{room}开着的都关了再走",
    "{room}的机器全停",
    "{room}除了空调都断电",
    "把{room}其余的插座也关了",
    "{room}全关",
    "{room}家电一律停用",
    "{room}的仪器设备都关机",
    "{room}一键全关",
    "{room}打烊了统统断电",
    "看看{room}还有啥开着，都关掉",
]
"""Sets as people word them; written after the 300 of the corpus, by another hand than the table's."""


def test_no_wording_of_a_set_offers_a_protected_thing() -> None:
    """service.md, Protected and risky: 700 further set requests over the rooms of the same homes."""
    asked = 0
    for at, name in enumerate(LABELS):
        rooms = ("", *shape(name).rooms)
        for number, wording in enumerate(WORDINGS):
            text = wording.format(room=rooms[(number + at) % len(rooms)])
            asked += 1
            result = ask(name, text)
            assert not devices_of(result, shape(name).catalog) & set(LABELS[name]), (name, text, result.queries)
    assert asked == len(WORDINGS) * len(LABELS)


SAID_ROOMS = st.sampled_from(["", "客厅", "卧室", "客厅和卧室", "全屋", "所有房间"])
SAID_THINGS = st.sampled_from(["插座", "开关", "设备", "电器", "东西", "插排", "机器", "灯和插座", "用电的", "家电"])
SAID_ALL = st.sampled_from(["都", "全部", "统统", "所有", "一律", "全", "通通", "每个"])
SAID_ACTS = st.sampled_from(["关了", "断电", "关掉", "停了", "切断", "关机", "重启", "打开", "拔了"])
SAID_FRAMES = st.sampled_from(
    [
        "{room}{thing}{all}{act}",
        "把{room}的{thing}{all}{act}",
        "{all}{room}{thing}{act}",
        "除了灯，{room}{thing}{all}{act}",
        "走了，{room}的{thing}{all}{act}吧",
        "{room}要是没人，{thing}{all}{act}",
        "{act}{room}{all}的{thing}",
    ]
)


@given(homes(), SAID_FRAMES, SAID_ROOMS, SAID_THINGS, SAID_ALL, SAID_ACTS)
@settings(deadline=None)
def test_however_a_set_is_worded(
    home: tuple[Catalog, set[str]], frame: str, room: str, thing: str, every: str, act: str
) -> None:
    """The same as a law for sentences: random homes, rooms, words for things, for all of them and for acts."""
    catalog, protected = home
    text = frame.format(room=room, thing=thing, all=every, act=act)
    result = retrieve(text, catalog, EmbeddedLLM(catalog), ConversationState())
    assert not devices_of(result, catalog) & protected, (text, result.queries)


@pytest.mark.parametrize("name", ["床头灯", "投影仪", "电热毯", "打印机", "沙发插座", "banaste plug", "Studio Lamp"])
def test_plain_things_are_not_protected(name: str) -> None:
    """What is nothing of the kind stays in sets."""
    assert protection_by((name,), DeviceType.UNKNOWN) is None


def test_a_lamp_beside_a_protected_thing() -> None:
    """鱼缸灯 is a lamp; 呼叫灯 is none for 所有灯."""
    assert protection_by(("鱼缸灯",), DeviceType.LIGHT) is None
    assert protection_by(("呼叫灯",), DeviceType.LIGHT) is not None


@pytest.mark.parametrize("said", ["氧气机", "制氧机", "吸氧机"])
def test_no_false_denial(said: str) -> None:
    """service.md, Place: a thing is found by any word of its kind; else the nearest is named."""
    home = Catalog.build([Device("o", "制氧机", "卧室", "plug", ON_OFF), Device("l", "台灯", "卧室", "light", ON_OFF)])
    result = retrieve_ir([QueryIR("关闭", name=said)], home, ConversationState())
    assert devices_of(result, home) == {"o"}


@pytest.mark.parametrize("said", ["把氧气鸡关了", "制痒机停一下", "请把吸氧鸡关掉"])
def test_no_false_denial_of_what_was_misheard(said: str) -> None:
    """retrieval.md, Names: what a recogniser wrote wrong is found as it was understood (hearing.md)."""
    home = Catalog.build([Device("o", "制氧机", "卧室", "plug", ON_OFF), Device("l", "台灯", "卧室", "light", ON_OFF)])
    result = retrieve(said, home, EmbeddedLLM(home), ConversationState())
    assert devices_of(result, home) == {"o"}
    assert result.hint is not None
