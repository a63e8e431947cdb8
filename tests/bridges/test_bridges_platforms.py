"""Platforms' own documents become homes, a sentence becomes the platform's own calls; tables are strict."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from tingdong.bootstrap import embedded
from tingdong.bridges.converting import Converted, Platform, convert
from tingdong.bridges.platforms.table import PlatformTable, load_table, platform_tables
from tingdong.bridges.platforms.translate import Thing, calls_of, home_of
from tingdong.bridges.platforms.values import from_platform, to_platform
from tingdong.errors import BadHome
from tingdong.home.cache import load_parsed_home
from tingdong.home_turn import TurnRequest

EXAMPLES = Path(__file__).parents[2] / "examples" / "platforms"
AC, BULB, PANEL = (f"6f0b3c52-7a3e-4a66-9f53-0c1d8e2a100{number}" for number in (3, 1, 4))


def _converted(platform: Platform) -> Converted:
    path = EXAMPLES / f"{platform.value.replace('-', '_')}.json"
    return convert(platform, json.loads(path.read_bytes()))


async def _calls(platform: Platform, text: str, local: str = "客厅") -> list[dict[str, Any]]:
    converted = _converted(platform)
    home = msgspec.json.encode(converted.home)
    turn = await embedded().turn(TurnRequest("1", "p", text, home=home, local=local))
    return converted.calls(msgspec.to_builtins(turn.instructs))


def _command(device: str, name: str, *arguments: Any, component: str = "main") -> dict[str, Any]:
    capability, _, command = name.partition(".")
    return {
        "deviceId": device,
        "component": component,
        "capability": capability,
        "command": command,
        "arguments": list(arguments),
    }


def _service(entity_id: str, service: str, **data: Any) -> dict[str, Any]:
    return {"service": service, "target": {"entity_id": entity_id}, "data": data}


def _matter(node: int, call: str, **args: Any) -> dict[str, Any]:
    return {"node_id": node, "endpoint": 1, "call": call, **args}


def _tuya(device: str, **codes: Any) -> dict[str, Any]:
    return {"device_id": device, "commands": [{"code": code, "value": value} for code, value in codes.items()]}


def _miot(did: str, siid: int, piid: int, value: Any) -> dict[str, Any]:
    return {"did": did, "siid": siid, "piid": piid, "value": value}


SPOKEN = [
    (
        Platform.SMARTTHINGS,
        "卧室空调开制热，厨房的橱柜灯关掉",
        [
            _command(AC, "switch.on"),
            _command(AC, "airConditionerMode.setAirConditionerMode", "heat"),
            _command(PANEL, "switch.off", component="switch2"),
        ],
    ),
    (
        Platform.SMARTTHINGS,
        "吸顶灯调成蓝色",
        [_command(BULB, "colorControl.setColor", {"hex": "#0000FF"})],
    ),
    (Platform.SMARTTHINGS, "来个观影模式", [{"sceneId": "sc-movie"}]),
    (
        Platform.MATTER,
        "纱帘打开一半，空调调到24度",
        [
            _matter(3, "WindowCovering.GoToLiftPercentage", liftPercent100thsValue=5000),
            _matter(4, "write", path="513/17", value=2400),
        ],
    ),
    (
        Platform.MATTER,
        "床头灯调到50%",
        [_matter(1, "LevelControl.MoveToLevelWithOnOff", level=127, transitionTime=0)],
    ),
    (
        Platform.HOME_ASSISTANT,
        "老伙计调到30%，窗帘关上",
        [
            _service("light.bedside", "light.turn_on", brightness_pct=30),
            _service("cover.living", "cover.set_cover_position", position=0),
        ],
    ),
    (
        Platform.HOME_ASSISTANT,
        "除了厨房的灯都关掉",
        [_service("light.ceiling", "light.turn_off"), _service("light.bedside", "light.turn_off")],
    ),
    (Platform.HOME_ASSISTANT, "十分钟后关灯", []),
    (
        Platform.TUYA,
        "打开射灯，关掉吊灯，窗帘开一半",
        [
            _tuya("tuya-curtain", percent_control=50),
            _tuya("tuya-panel", switch_1=False),
            _tuya("tuya-panel", switch_2=True),
        ],
    ),
    (Platform.TUYA, "空调调到24度半", [_tuya("tuya-ac", switch=True), _tuya("tuya-ac", temp_set=245)]),
    (Platform.TUYA, "空调开除湿", [_tuya("tuya-ac", switch=True), _tuya("tuya-ac", mode="wet")]),
    (
        Platform.TUYA,
        "氛围灯变成绿色",
        [_tuya("tuya-lamp", work_mode="colour", colour_data_v2={"h": 120, "s": 1000, "v": 1000})],
    ),
    (Platform.TUYA, "来个观影模式", [{"scene_id": "tuya-scene-1"}]),
    (
        Platform.MI_HOME,
        "彩灯调成蓝色，亮度50%，打开壁灯",
        [_miot("1001", 2, 4, 255), _miot("1001", 2, 2, 50), _miot("1002", 3, 1, True)],
    ),
    (
        Platform.MI_HOME,
        "卧室空调开制热28度",
        [_miot("1003", 2, 1, True), _miot("1003", 2, 2, 1), _miot("1003", 2, 4, 28.0)],
    ),
    (Platform.MI_HOME, "下一首", [{"did": "1007", "siid": 3, "aiid": 3, "in": []}]),
    (Platform.MI_HOME, "窗帘关上", [_miot("1004", 2, 7, 0)]),
    (Platform.MI_HOME, "离家模式", [{"scene_id": "880001"}]),
]


@pytest.mark.parametrize(("platform", "text", "calls"), SPOKEN, ids=[text for _, text, _ in SPOKEN])
async def test_a_sentence_becomes_the_platforms_calls(
    platform: Platform, text: str, calls: list[dict[str, Any]]
) -> None:
    """Document → home → turn → instructs → calls; one call sets what it can at once, deferred ones give none."""
    assert await _calls(platform, text) == calls


@pytest.mark.parametrize("platform", Platform)
def test_a_home_is_valid_and_keeps_what_the_platform_says(platform: Platform) -> None:
    """service.md, Home: every property means something to us, present state is carried, what is offline is marked."""
    home = load_parsed_home(_converted(platform).home)
    offline = [device for device in home.shape.devices if not home.is_online(device)]
    assert len(offline) == 1
    for device in home.shape.devices.values():
        assert device.room, device.id
        assert device.kind.key != "other", device.name
        assert {str(spec.role) for spec in device.properties.values()}.isdisjoint({"other"}), device.name


def test_state_is_in_the_homes_units() -> None:
    """Brightness and openings are percent, colour temperature kelvin, whatever the platform counts."""
    states = {
        device["name"]: device["device"]["state"]
        for platform in Platform
        for device in _converted(platform).home["devices"]
    }
    assert states["吸顶灯"]["brightness"] == 50
    assert states["床头灯"] == {"power": True, "brightness": 50, "color_temp": 4000, "color": "#FF0000"}
    assert states["纱帘"] == {"position": 0}
    assert states["电视"]["volume"] == 25
    assert states["窗磁"] == {"open": True}
    assert (states["氛围灯"]["brightness"], states["氛围灯"]["color_temp"]) == (51, 2700)
    assert states["温湿度计"] == {"current_temperature": 26.5, "current_humidity": 51.0, "battery": 88.0}
    assert states["彩灯"] == {"power": True, "brightness": 80, "color_temp": 4000, "color": "#FF0000", "mode": "night"}
    assert states["门磁"] == {"open": False, "battery": 77.0}


@pytest.mark.parametrize("platform", Platform)
def test_a_document_of_another_shape_is_refused(platform: Platform) -> None:
    """A broken document is the caller's fault and says so; nothing is guessed."""
    broken: list[Any] = [{"devices": [{}], "nodes": [{}], "states": [{}]}, {}, [1], 7]
    for document in broken:
        with pytest.raises(BadHome):
            convert(platform, document)


def test_an_instruct_of_another_home_gives_no_call() -> None:
    """Law 3: an id or a property that this home does not have is refused."""
    converted = _converted(Platform.HOME_ASSISTANT)
    for instruct in ({"id": "light.none", "state": {"power": True}}, {"id": "lock.front", "state": {"power": True}}):
        with pytest.raises(BadHome):
            converted.calls([instruct])


def test_every_writable_property_has_a_platform_call() -> None:
    """Every value of every writable property of every table has a call, and what is read back is that value."""
    for table in platform_tables().values():
        for part, rows in table.parts.items():
            for name, row in rows.items():
                thing = Thing("x", "x", (part,), dict(_facts(row)))
                for value in _writable(row):
                    assert calls_of({"id": "x", "state": {name: value}}, {"x": thing}, table), (part, name, value)
                    if row.read and not row.map:
                        again = from_platform(row, to_platform(row, value))
                        assert _numbers(again) == pytest.approx(_numbers(value), rel=0.02, abs=6), (part, name)


def _numbers(value: Any) -> list[float]:
    """A value as what may be compared with a tolerance: a colour by its channels."""
    if isinstance(value, str) and value.startswith("#"):
        return [int(value[place : place + 2], 16) for place in (1, 3, 5)]
    return [float(value)] if isinstance(value, int | float) else [hash(value)]


def _facts(row: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {row.choices_at: ["a", "b"]} if row.choices_at else {}
    if row.needs is not None:
        facts[row.needs.read] = [row.needs.any[0]] if row.needs.any else 1
    return facts


def _writable(row: Any) -> list[Any]:
    if not row.write:
        return []
    match row.type:
        case "bool":
            return [True, False]
        case "enum":
            return list(row.range) or ["a"]
        case "string":
            return ["#FF0000", "#00FF00"]
        case _:
            return [row.min, row.max]


BROKEN = [
    ("parts.light.power.typ: x", "typ"),
    ("parts.light.power: {type: colour, read: a}", "parts.light.power.type"),
    ("parts.light.mode: {type: enum, read: a}", "parts.light.mode"),
    ("parts.light.level: {type: uint, read: a, write: [{call: x}]}", "parts.light.level"),
    ("default_kind.light: lamp", "default_kind.light"),
    ("parts.light.level: {type: uint, read: a, scale: [1, 1, 0, 100]}", "scale"),
]


@pytest.mark.parametrize(("change", "named"), BROKEN)
def test_a_broken_table_names_file_and_key(change: str, named: str) -> None:
    """Vocabulary is data with a strict validator (architecture, Ways of building)."""
    place, _, value = change.partition(": ")
    raw: dict[str, Any] = {"kinds": {}, "parts": {"light": {"power": {"type": "bool", "read": "state"}}}}
    *path, last = place.split(".")
    inner = raw
    for key in path:
        inner = inner.setdefault(key, {})
    inner[last] = yaml.safe_load(value)
    with pytest.raises(ValueError, match=rf"broken\.yaml.*{named}"):
        load_table(yaml.safe_dump(raw), "broken.yaml")


def test_things_alike_share_a_model() -> None:
    """A hundred lamps of one kind are one thing model, so that the home stays small."""
    table: PlatformTable = platform_tables()["home_assistant"]
    things = [Thing(f"switch.{number}", f"灯{number}", ("switch",), {"state": "on"}, "客厅") for number in range(100)]
    assert len(home_of(things, table)["model"]) == 1


@pytest.mark.parametrize("broken", [{"states": [{"entity_id": "light.a", "attributes": ["x"]}]}, {"states": [1]}])
def test_an_entity_of_another_shape_is_refused(broken: Any) -> None:
    """Whatever a platform's document holds, it is a home or a `BadHome` (docs/platforms.md)."""
    with pytest.raises(BadHome):
        convert(Platform.HOME_ASSISTANT, broken)
