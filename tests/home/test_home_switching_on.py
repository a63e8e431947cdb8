"""What may switch a thing on (service.md, Closing frame: acts never fall back to `power`, less never switches on)."""

import json
from typing import Any

import pytest

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.home.acts import ActKind, read_act, settable_roles
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import NoteCode
from tingdong.home.plan import plan
from tingdong.home.vocabulary import kinds
from tingdong.home.wishes import Wish, plan_wish

POWER = {"type": "bool", "range": [True, False]}
LEVEL = {"type": "uint", "min": 0, "max": 100}
GEARS = {"type": "enum", "range": ["low", "mid", "high"]}
MORE: dict[str, dict[str, Any]] = {
    "bare": {},
    "level": {"level": LEVEL},
    "gears": {"speed": GEARS},
    "rich": {"brightness": LEVEL, "volume": LEVEL, "target_temp": {"type": "int", "min": 5, "max": 60}, "speed": LEVEL},
}
OTHERS = (
    "播放",
    "暂停",
    "继续",
    "停止",
    "上一首",
    "下一首",
    "回充",
    "重启",
    "清扫",
    "执行",
    "静音",
    "取消静音",
    "上锁",
)
LOWERING = [f"调低{attribute}" for attribute in settable_roles() if attribute != "频道"] + ["调低", "静音"]
GENTLE = ("bright", "noisy", "sunny", "sleep", "leave")


def home_of_kinds(*, on: bool) -> HomeSnapshot:
    """A device of every kind and every set of properties, all off or all on."""
    model, devices = {}, []
    for key, kind in kinds().items():
        for more, properties in MORE.items():
            name = f"{key}-{more}"
            model[name] = {"name": key, "describe": f"{kind.word}。", "property": {"power": POWER, **properties}}
            state = {"power": on, **{prop: "high" if one is GEARS else 50 for prop, one in properties.items()}}
            devices.append({"id": name, "name": kind.word, "local": "客厅", "device": {"model": name, "state": state}})
    document = {"layout": ["客厅"], "model": model, "devices": devices}
    return load_home(json.dumps(document, ensure_ascii=False).encode(), HomeStore())


OFF = home_of_kinds(on=False)
WORKING = frozenset(device.id for device in OFF.shape.devices.values() if device.kind.key == "vacuum")


@pytest.mark.parametrize("verb", OTHERS)
def test_an_act_that_a_thing_cannot_do_never_switches_it_on(verb: str) -> None:
    """service.md: acts that a thing cannot do never fall back to `power`; only sweeping is a robot's being on."""
    assert read_act(verb).kind is not ActKind.UNKNOWN
    made = plan(OFF, QueryIR(verb), list(OFF.shape.devices))
    switched = {one.id for one in made.instructs if one.state.get("power") is True}
    assert switched <= (WORKING if verb == "清扫" else frozenset())


@pytest.mark.parametrize("value", [None, "20%", "最小", "1档", "2C"])
@pytest.mark.parametrize("verb", LOWERING)
def test_less_of_something_never_switches_on(verb: str, value: str | None) -> None:
    """service.md: relatively less never switches on; the reply says that it is off. Now, later, and by a condition."""
    for when in (None, "10分钟后", "温度>26C"):
        made = plan(OFF, QueryIR(verb, value, when=when), list(OFF.shape.devices))
        assert all("power" not in one.state for one in made.instructs)
    told = plan(OFF, QueryIR("调低亮度"), ["lamp-level"]).notes
    assert [(note.code, note.device_id) for note in told] == [(NoteCode.IS_OFF, "lamp-level")]


@pytest.mark.parametrize("key", GENTLE)
def test_a_wish_for_less_switches_nothing_on(key: str) -> None:
    """service.md: what is off is no nuisance, also where it is only complained of."""
    for home in (OFF, home_of_kinds(on=True)):
        for query, ids in plan_wish(home, Wish(key, key), "客厅"):
            states = [one.state for one in plan(home, query, ids).instructs]
            assert all(state.get("power") is not True for state in states), (query, states)


def test_of_several_those_that_are_on_get_less() -> None:
    """service.md: 暗一点 of a room dims the lamps that burn; that the others are off goes without saying."""
    lamps = [device.id for device in OFF.shape.devices.values() if device.type is DeviceType.LIGHT]
    states = {**OFF.properties, "lamp-level": {"power": True, "level": 50}}
    made = plan(HomeSnapshot(OFF.shape, states, {}), QueryIR("调低亮度", quantifier=Quantifier.ALL), lamps)
    assert [one.id for one in made.instructs] == ["lamp-level"]
    assert all(note.code is not NoteCode.IS_OFF for note in made.notes)
