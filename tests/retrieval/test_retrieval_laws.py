"""Laws 1–3 of the architecture for random homes and requests."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.models import (
    Device,
    DeviceCommand,
    DeviceType,
    Group,
    Quantifier,
    QueryIR,
    Reference,
    ResolutionStatus,
    Scene,
)
from context_retrieval.pipeline import default_capability, resolve_ir, retrieve_ir
from context_retrieval.state import ConversationState

ROOMS = ["客厅", "卧室", "主卧", "厨房", "一楼客厅", "二楼书房", "二楼走廊", "203", "阳台", ""]
NAMES = [
    "灯",
    "台灯",
    "射灯1",
    "射灯2",
    "床头灯",
    "床头柜插座",
    "空调",
    "老伙计",
    "大白",
    "窗帘",
    "纱帘",
    "温度计",
    "门锁",
    "客厅空调",
    "小度",
]
PLATFORMS = ["light", "fan", "smartthings:switch", "AirConditioner", "plug", "LED-lamp", "temp-sensor", ""]
DESCRIPTIONS = ["", "空调，调节室温。", "空气净化器，净化空气。", "温度传感器，只读。", "LED调光灯，用于照明。"]
COMMANDS = [
    (),
    (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备")),
    (DeviceCommand("on", "打开设备"), DeviceCommand("level", "调亮度", "integer")),
    (DeviceCommand("t", "查询温度"),),
]
SAID_ROOMS = [*ROOMS[:-1], "浴室", "阁楼", "二楼", "楼上", "四楼", "火星"]
SAID_NAMES = [*NAMES, "老火鸡", "射灯", "射灯3", "没有的", "照明灯", "净化器"]
ACTIONS = ["打开", "关闭", "设置亮度", "设置温度", "查询状态", "查询温度", "调高亮度", "执行", "跳舞"]
WHENS = [None, None, "10分钟后", "温度>26C", "卧室温度>26C", "老伙计=关闭", "火星湿度<3%"]


@st.composite
def homes(draw: st.DrawFn) -> Catalog:
    count = draw(st.integers(0, 14))
    devices = [
        Device(
            f"d{number}",
            draw(st.sampled_from(NAMES)),
            draw(st.sampled_from(ROOMS)),
            draw(st.sampled_from(PLATFORMS)),
            draw(st.sampled_from(COMMANDS)),
            description=draw(st.sampled_from(DESCRIPTIONS)),
        )
        for number in range(count)
    ]
    ids = [device.id for device in devices]
    members = tuple(draw(st.lists(st.sampled_from([*ids, "gone"]), max_size=4, unique=True)))
    return Catalog.build(devices, [Group("g1", "氛围灯", members)], [Scene("s1", "观影模式")])


@st.composite
def queries(draw: st.DrawFn, *, said: bool = False) -> QueryIR:
    """Random queries; `said` ones name a room and point back to nothing."""
    name = draw(st.sampled_from([None, None, *SAID_NAMES]))
    return QueryIR(
        draw(st.sampled_from(ACTIONS)),
        draw(st.sampled_from([None, "50%", "26C", "40C"])),
        include=tuple(draw(st.lists(st.sampled_from(SAID_ROOMS), min_size=said, max_size=2, unique=True))),
        exclude=tuple(draw(st.lists(st.sampled_from(SAID_ROOMS), max_size=1))),
        here=draw(st.sampled_from([False, False, False, not said])),
        name=name,
        excluded_names=() if name else tuple(draw(st.lists(st.sampled_from(SAID_NAMES), max_size=1))),
        type=draw(st.sampled_from([DeviceType.UNKNOWN, DeviceType.LIGHT, DeviceType.AIR_CONDITIONER])),
        quantifier=draw(st.sampled_from(list(Quantifier))),
        reference=draw(st.sampled_from([None, None, None, None if said else Reference.LAST])),
        when=draw(st.sampled_from(WHENS)),
    )


PLACES = st.lists(st.sampled_from([*ROOMS, "火星"]), max_size=2)


@given(homes(), queries(said=True), PLACES, st.booleans())
def test_scope_is_never_widened(home: Catalog, query: QueryIR, places: list[str], everything: bool) -> None:
    """Law 1: with a room said, every target and choice lies in a room that the word means."""
    result = resolve_ir(query, home, None, places=places, explicit_all=everything, capability=default_capability())
    rooms = {room for word in query.include for room in home.rooms.find(word)}
    spared = {room for word in query.exclude for room in home.rooms.find(word)}
    joined = query.name is not None and any(
        word + query.name in device.name for word in query.include for device in home.devices
    )
    for entity_id in (*result.entity_ids, *result.choices):
        position = home.position(entity_id)
        if position is not None and not joined:
            assert home.room_of(position) in rooms - spared


@given(homes(), queries(said=True), PLACES, st.booleans())
def test_words_that_resolve_to_nothing_find_nothing(
    home: Catalog, query: QueryIR, places: list[str], excluded: bool
) -> None:
    """Laws 1 and 2: an excluded room or an only room that the home does not have yields no target at all."""
    lost = excluded or any(not home.rooms.find(word) for word in query.exclude)
    query = structs.replace(query, exclude=("火星",)) if excluded else structs.replace(query, include=("火星",))
    joined = query.name is not None and not lost
    result = resolve_ir(query, home, None, places=places)
    assert joined or result.status is ResolutionStatus.NO_ROOM
    assert joined or not result.entity_ids


@given(homes(), st.lists(queries(), max_size=4), st.sampled_from([None, *ROOMS, "火星"]), st.booleans())
def test_ids_come_from_the_home(home: Catalog, asked: list[QueryIR], place: str | None, everything: bool) -> None:
    """Law 3: whatever was remembered, candidates and entities are of this home, and never twice in one role."""
    state = ConversationState()
    state.remember(["d0", "d3", "elsewhere", "g1"])
    result = retrieve_ir(asked, home, state, location=place, explicit_all=everything)
    known = {entity.id for entity in home}
    assert {candidate.entity_id for candidate in result.candidates} <= known
    assert {entity.id for entity in result.entities} == {candidate.entity_id for candidate in result.candidates}
    pairs = [(candidate.entity_id, candidate.role) for candidate in result.candidates]
    assert len(set(pairs)) == len(pairs)
    assert all(0.0 <= candidate.score <= 1.0 for candidate in result.candidates)


@given(homes(), queries(), PLACES)
def test_statuses_say_what_they_mean(home: Catalog, query: QueryIR, places: list[str]) -> None:
    """Only FOUND has targets, only AMBIGUOUS has choices, and a question always has something to ask about."""
    state = ConversationState()
    state.remember(["d1"])
    result = resolve_ir(query, home, state, places=places, capability=default_capability())
    assert bool(result.entity_ids) == result.found
    assert bool(result.choices) == (result.status is ResolutionStatus.AMBIGUOUS)
    assert len(result.choices) != 1
    assert (result.status is ResolutionStatus.NO_CAPABILITY) <= bool(result.incapable)
    positions = [position for position in map(home.position, result.entity_ids) if position is not None]
    assert positions == sorted(set(positions))


@given(homes(), queries(), PLACES)
def test_resolution_is_deterministic(home: Catalog, query: QueryIR, places: list[str]) -> None:
    """The same query in the same home means the same, in a fresh catalog too."""
    again = Catalog.build(home.devices, list(home.groups.values()), list(home.scenes.values()))
    assert resolve_ir(query, home, None, places=places) == resolve_ir(query, again, None, places=places)


@given(homes(), st.data())
def test_replacing_equals_rebuilding(home: Catalog, data: st.DataObject) -> None:
    """A catalog with one device exchanged answers as one built with it."""
    if not len(home):
        return
    asked = [data.draw(queries()) for _ in range(3)]
    for query in asked:
        resolve_ir(query, home, None)
    old = data.draw(st.sampled_from(list(home.devices)))
    new = Device(old.id, data.draw(st.sampled_from(NAMES)), data.draw(st.sampled_from(ROOMS)), "light", old.commands)
    home.replace(new)
    rebuilt = Catalog.build(home.devices, list(home.groups.values()), list(home.scenes.values()))
    for query in asked:
        assert resolve_ir(query, home, None) == resolve_ir(query, rebuilt, None)
