"""What devices are and what their properties mean, from names, describes and ranges together (service.md, Home)."""

from collections.abc import Mapping
from typing import Any

import pytest

from context_retrieval.kinds import kind_of_name
from context_retrieval.models import DeviceType
from tingdong.home.document import ModelDocument, PropertyDocument, decode_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.kinds import infer_kind, plain_name
from tingdong.home.model import PropertyRole as R
from tingdong.home.properties import PropertySpec, compile_properties
from tingdong.home.shape import compile_shape, devices_of
from tingdong.home.vocabulary import kinds

LEVEL = PropertyDocument("uint", min=1, max=255)


@pytest.mark.parametrize(
    ("name", "describe", "model", "kind"),
    [
        ("空调", "空调，调节室温，支持开关和温度调节。", "fan", "air_conditioner"),
        ("大白", "空气净化器，净化室内空气。", "LED-lamp", "purifier"),
        ("除湿机", "除湿机，降低空气湿度，可开关。", "heater", "dehumidifier"),
        ("老伙计", "LED调光灯，用于照明，可开关，可调节亮度。", "LED-lamp", "lamp"),
        ("照明灯", "开关设备，可开关电源。", "switch", "lamp"),
        ("电源插座", "开关设备，可开关电源。", "switch", "plug"),
        ("扫地机器人", "开关设备，可开关电源。", "switch", "vacuum"),
        ("小太阳", "取暖器，冬季取暖。", "heater", "heater"),
        ("小太阳", "LED灯，可调光。", "light", "lamp"),
        ("小太阳", "", "switch", "heater"),
        ("冰箱插座", "智能插座，可通断电。", "plug", "plug"),
        ("台灯", "智能插座，可通断电。", "plug", "lamp"),
        ("客厅灯开关", "墙壁开关。", "switch", "lamp"),
        ("射灯2", "照明回路，可开关，不可调光。", "wall-lamp", "lamp"),
        ("投影仪", "电视，支持开关和音量调节。", "television", "projector"),
        ("大门门磁", "门磁，open为true是门开着。", "contact", "contact_sensor"),
        ("小明的宝贝", "", "water-heater", "water_heater"),
        ("鱼缸水泵", "鱼缸水泵，给水族箱供氧循环。", "pump", "aquarium"),
        ("空气检测仪", "", "air-monitor", "air_sensor"),
        ("某物", "可以调节的东西。", "zzz", "other"),
    ],
)
def test_the_kind_of_a_device_is_recognised(name: str, describe: str, model: str, kind: str) -> None:
    """service.md: what a model is comes from its describe and the device's name as well as its name."""
    assert infer_kind(name, describe, model).key == kind


def test_retrieval_agrees_on_types() -> None:
    """commands.md, NAME and TYPE: a noun has one closed type, whoever reads it."""
    for kind in kinds().values():
        for noun in kind.nouns:
            other = kind_of_name(noun)
            if other is not None and not other.generic:
                assert other.type is kind.type, noun


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("可调光照明灯", "照明灯"),
        ("智能空调", "空调"),
        ("电动窗帘", "窗帘"),
        ("LED-灯带", "灯带"),
        ("智能灯", "智能灯"),
        ("电动", "电动"),
        ("无线路由器", "路由器"),
        ("老伙计", "老伙计"),
    ],
)
def test_plain_names(name: str, plain: str) -> None:
    """service.md: a name matches without its descriptive prefix; what is left must name something."""
    assert plain_name(name) == plain


def spec_of(
    kind: str, name: str, definition: PropertyDocument, *, describe: str = "", others: Mapping[str, Any] = {}
) -> PropertySpec:
    model = ModelDocument("x", describe, {name: definition, **others})
    return next(spec for spec in compile_properties(model, kinds()[kind]) if spec.name == name)


@pytest.mark.parametrize(
    ("kind", "describe", "low", "high", "role"),
    [
        ("lamp", "LED调光灯，可调节亮度。", 1, 255, R.BRIGHTNESS),
        ("air_conditioner", "空调，调节室温，支持开关和温度调节。", 15, 30, R.TEMPERATURE),
        ("fan", "电风扇，通风散热，支持开关和风速调节。", 1, 4, R.SPEED),
        ("extractor", "油烟机，支持开关和风速调节。", 1, 3, R.SPEED),
        ("curtain", "电动窗帘，level是开合度百分比。", 0, 100, R.OPENING),
        ("television", "电视，支持开关和音量调节。", 0, 100, R.VOLUME),
        ("heater", "取暖器，支持开关和档位调节。", 1, 3, R.SPEED),
        ("heater", "取暖器，可调节温度。", 16, 35, R.TEMPERATURE),
        ("heater", "", 1, 3, R.SPEED),
        ("water_heater", "热水器，支持开关和水温设置，单位摄氏度。", 35, 75, R.TEMPERATURE),
        ("humidifier", "加湿器，支持开关和出雾档位调节。", 1, 3, R.SPEED),
        ("purifier", "空气净化器，支持开关和风量档位调节。", 1, 5, R.SPEED),
        ("air_conditioner", "", 16, 30, R.TEMPERATURE),
        ("air_conditioner", "", 1, 5, R.SPEED),
        ("lamp", "", 1, 3, R.BRIGHTNESS),
    ],
)
def test_level_by_kind_describe_and_range(kind: str, describe: str, low: int, high: int, role: R) -> None:
    """service.md, Home: `level` is brightness, target temperature, speed, opening or volume by what the thing is."""
    definition = PropertyDocument("uint", min=low, max=high)
    power = {"power": PropertyDocument("bool")}
    assert spec_of(kind, "level", definition, describe=describe, others=power).role is role


@pytest.mark.parametrize(
    ("kind", "name", "definition", "role", "readonly"),
    [
        ("lamp", "color_temp", PropertyDocument("uint", min=2700, max=6500), R.COLOUR_TEMPERATURE, False),
        ("lamp", "temperature", PropertyDocument("uint", min=2700, max=6500), R.COLOUR_TEMPERATURE, False),
        ("lamp", "color", PropertyDocument("string"), R.COLOUR, False),
        ("other", "target_temp", PropertyDocument("uint", min=100, max=1280), R.TEMPERATURE, False),
        ("air_conditioner", "target_temp", PropertyDocument("uint", min=16, max=30), R.TEMPERATURE, False),
        ("air_conditioner", "mode", PropertyDocument("enum", range=("cool", "heat")), R.MODE, False),
        ("air_conditioner", "speed", PropertyDocument("enum", range=("low", "high")), R.SPEED, False),
        ("temperature_sensor", "temperature", PropertyDocument("int", min=-20, max=60), R.SENSED_TEMPERATURE, True),
        ("air_sensor", "pm25", PropertyDocument("uint", min=0, max=999), R("sensed_pm25"), True),
        ("lock", "locked", PropertyDocument("bool"), R.LOCK, False),
        ("lock", "battery", PropertyDocument("uint", min=0, max=100), R("battery"), True),
        ("contact_sensor", "open", PropertyDocument("bool"), R.OPEN, True),
        ("gas", "open", PropertyDocument("bool"), R.POWER, False),
        ("vacuum", "state", PropertyDocument("enum", range=("cleaning", "paused", "docked")), R.ACTIVITY, False),
        ("curtain", "state", PropertyDocument("enum", range=("open", "close", "stop")), R.POWER, False),
        ("lock", "state", PropertyDocument("enum", range=("locked", "unlocked")), R.LOCK, False),
        ("speaker", "playback", PropertyDocument("enum", range=("play", "pause")), R.PLAYBACK, False),
        ("television", "channel", PropertyDocument("uint", min=1, max=120), R.CHANNEL, False),
        ("humidifier", "gear", PropertyDocument("uint", min=1, max=3), R.SPEED, False),
        ("plug", "watt", PropertyDocument("float", readonly=True), R("sensed_power"), True),
        ("lamp", "亮度", PropertyDocument("uint", min=0, max=100), R.BRIGHTNESS, False),
    ],
)
def test_roles_by_name(kind: str, name: str, definition: PropertyDocument, role: R, readonly: bool) -> None:
    """service.md, Home: a property's name, type and range say what it is for."""
    spec = spec_of(kind, name, definition)
    assert (spec.role, spec.readonly) == (role, readonly)


def test_enum_words_come_from_the_describe_first(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: cool制冷 in the describe says what a choice means; a table says it where the describe is silent."""
    air_conditioner = homes["loft30"].shape.devices["L09"].by_role[R.MODE]
    assert list(air_conditioner.texts.values()) == ["制冷", "制热", "除湿", "送风", "自动"]
    assert air_conditioner.words["抽湿"] == "dry"
    silent = spec_of("air_conditioner", "mode", PropertyDocument("enum", range=("cool", "fan_only", "zzz")))
    assert list(silent.texts.values()) == ["制冷", "送风", "zzz"]
    odd = spec_of("lamp", "mode", PropertyDocument("enum", range=("a", "b")), describe="灯；mode：a阅读、b星空。")
    assert (odd.words["阅读"], odd.words["星空"]) == ("a", "b")


@pytest.mark.parametrize(
    ("choices", "gears"),
    [
        (("low", "mid", "high", "auto"), ("low", "mid", "high")),
        (("auto", "high", "mid", "low"), ("low", "mid", "high")),
        (("1", "2", "3"), ("1", "2", "3")),
        (("silent", "low", "high", "turbo"), ("silent", "low", "high", "turbo")),
    ],
)
def test_gears_follow_the_range_and_skip_auto(choices: tuple[str, ...], gears: tuple[str, ...]) -> None:
    """service.md: enum steps follow the range's order and skip `auto`; strongest first is turned round."""
    assert spec_of("fan", "speed", PropertyDocument("enum", range=choices)).gears == gears


@pytest.mark.parametrize(
    ("kind", "name", "describe", "on"),
    [
        ("lock", "locked", "门锁，locked为true是锁上、false是开锁。", True),
        ("lock", "unlocked", "门锁。", False),
        ("contact_sensor", "contact", "窗磁，contact为true表示窗户关闭，只读。", False),
        ("contact_sensor", "open", "门磁，open为true是门开着。", True),
        ("curtain", "power", "窗帘，power为true是拉开、false是合上。", True),
        ("curtain", "power", "窗帘，power为true是合上、false是拉开。", False),
    ],
)
def test_the_description_says_which_value_means_locked(kind: str, name: str, describe: str, on: bool) -> None:
    """service.md, Home: the describe says which value means locked or open."""
    assert spec_of(kind, name, PropertyDocument("bool"), describe=describe).on is on


def test_labels_of_the_sample(sample: HomeSnapshot) -> None:
    """service.md: room and plain word where that is unique (客厅照明灯 for 可调光照明灯)."""
    assert [device.label for device in sample.shape.devices.values()] == [
        "客厅照明灯",
        "卫生间照明灯",
        "厨房照明灯",
        "卧室照明灯",
        "客厅电源插座",
        "客厅空调",
        "卧室空调",
        "厨房油烟机",
    ]


def labels(*names: str, room: str = "客厅") -> list[str]:
    document = decode_home(
        {
            "model": {"m": {"name": "light", "property": {"power": {"type": "bool"}}}},
            "devices": [
                {"id": str(i), "name": n, "local": room, "device": {"model": "m"}} for i, n in enumerate(names)
            ],
        }
    )
    return [device.label for device in compile_shape(document).devices.values()]


def test_a_plain_word_that_is_taken_falls_back_to_the_name() -> None:
    """service.md: the plain word only where it is unique in the room."""
    assert labels("可调光照明灯", "照明灯") == ["客厅可调光照明灯", "客厅照明灯"]


def test_the_room_is_not_said_twice() -> None:
    """Summaries read 动词+房间+设备 once each."""
    assert labels("客厅灯", "主灯") == ["客厅灯", "客厅主灯"]
    assert labels("客厅灯", room="一楼客厅") == ["一楼客厅灯"]


def test_a_kind_maps_to_its_protocol_type(homes: Mapping[str, HomeSnapshot]) -> None:
    """commands.md, NAME and TYPE: the closed set; what is outside it is Unknown."""
    shape = homes["flat25"].shape
    assert [device.id for device in shape.of_type(DeviceType.AIR_CONDITIONER)] == ["dev-14", "dev-19"]
    assert shape.devices["dev-21"].type is DeviceType.UNKNOWN
    assert [device.id for device in shape.of_type(DeviceType.BLIND)] == ["dev-5", "dev-16"]


def test_names_for_the_parser(homes: Mapping[str, HomeSnapshot]) -> None:
    """Architecture: the parser gets words to look for; generic type words are none of them, parts of a device are."""
    names = homes["loft30"].shape.names
    assert names.names["大白"] is DeviceType.UNKNOWN
    assert names.names["灯带"] is DeviceType.LIGHT
    assert "冷藏室" in names.names
    assert "空调" not in names.names
    assert {"楼上主卧", "主卧", "楼上"} <= names.rooms
    assert names.scenes == {"观影模式", "起床"}
    assert names.names["氛围组"] is DeviceType.LIGHT


def test_devices_for_retrieval(homes: Mapping[str, HomeSnapshot]) -> None:
    """retrieval.md, Devices: each device with its commands described in Chinese; a sensor is only asked."""
    devices = {device.id: device for device in devices_of(homes["loft30"].shape)}
    assert [command.description for command in devices["L15"].commands] == ["查询温度", "查询湿度", "查询PM2.5"]
    assert {"打开设备", "关闭设备", "设置温度", "调低温度"} <= {
        command.description for command in devices["L09"].commands
    }
    assert "冷冻室" in devices["L18"].aliases
    assert list(devices) == list(homes["loft30"].shape.devices)


def test_two_temperatures_are_told_apart(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md, Home: a fridge has a cold and a frozen part, named by its describe, before or after the property."""
    fridge = homes["loft30"].shape.devices["L18"]
    assert [spec.part for spec in fridge.properties.values() if spec.role is R.TEMPERATURE] == ["冷藏室", "冷冻室"]
    before = ModelDocument(
        "fridge",
        "双门冰箱：冷藏温度cold，冷冻温度freeze。",
        {
            "cold": PropertyDocument("int", min=2, max=8),
            "freeze": PropertyDocument("int", min=-24, max=-16),
        },
    )
    assert [spec.part for spec in compile_properties(before, kinds()["fridge"])] == ["冷藏", "冷冻"]
