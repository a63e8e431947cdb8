"""A small home and ready answers for `FakeLLM`, so that everything runs without a model or network (retrieval.md,
可演示).

The device of the documented contract (大白) and of its snippet (老伙计) are among them.
"""

from typing import Any

import msgspec

from context_retrieval.models import Device, Group, Scene

__all__ = ["DEVICES", "GROUPS", "PRESETS", "RAW_DEVICES", "SCENES", "SENTENCES"]

_ON_OFF: list[dict[str, Any]] = [
    {"id": "main-switch-on", "description": "打开设备"},
    {"id": "main-switch-off", "description": "关闭设备"},
]
_LEVEL: dict[str, Any] = {
    "id": "main-switchLevel-setLevel",
    "description": "调亮度",
    "type": "integer",
    "value_range": {"minimum": 0, "maximum": 100, "unit": "%"},
}
_COOLING: dict[str, Any] = {
    "id": "main-thermostatCoolingSetpoint-setCoolingSetpoint",
    "description": "设置温度",
    "type": "integer",
    "value_range": {"minimum": 16, "maximum": 30, "unit": "C"},
}


def _device(device_id: str, name: str, room: str, kind: str, *more: dict[str, Any]) -> dict[str, Any]:
    return {"id": device_id, "name": name, "room": room, "type": f"smartthings:{kind}", "commands": [*_ON_OFF, *more]}


RAW_DEVICES: list[dict[str, Any]] = [
    _device("lamp-1", "老伙计", "客厅", "switch", _LEVEL),
    _device("lamp-2", "吸顶灯", "客厅", "light", _LEVEL),
    _device("lamp-3", "落地灯", "客厅", "switch"),
    _device("ac-1", "空调", "客厅", "airConditioner", _COOLING),
    _device(
        "tv-1",
        "电视",
        "客厅",
        "television",
        {"id": "audioVolume-setVolume", "description": "设置音量", "type": "integer"},
    ),
    _device("device-123", "大白", "卧室", "device-type", _LEVEL),
    _device("lamp-4", "床头灯", "卧室", "light", _LEVEL),
    _device("plug-1", "床头柜插座", "卧室", "smartPlug"),
    _device("ac-2", "空调", "卧室", "airConditioner", _COOLING),
    {
        "id": "sensor-1",
        "name": "温度计",
        "room": "卧室",
        "type": "smartthings:temperatureSensor",
        "commands": [{"id": "temperatureMeasurement-temperature", "description": "查询温度"}],
    },
    _device(
        "blind-1",
        "窗帘",
        "卧室",
        "blind",
        {"id": "windowShadeLevel-set", "description": "设置开合度", "type": "integer"},
    ),
    _device("lamp-5", "照明灯", "厨房", "switch"),
    _device("lamp-6", "镜前灯", "卫生间", "switch"),
]
"""Devices in the documented form."""

DEVICES: list[Device] = msgspec.convert(RAW_DEVICES, list[Device])
"""The same as values, which the snippet of retrieval.md selects by `.id` (对外接口)."""

GROUPS: list[Group] = [Group("group-1", "客厅灯组", ("lamp-1", "lamp-2", "lamp-3"), "客厅")]
SCENES: list[Scene] = [Scene("scene-1", "观影模式")]

PRESETS: dict[str, Any] = {
    "打开老伙计": ["打开-*-老伙计#Unknown#one"],
    "把它调到50%": ["设置亮度=50%-*-@last#Unknown#one"],
    "打开客厅的灯": ["打开-客厅-*#Light#all"],
    "关闭除卧室以外的灯": ["关闭-*,!卧室-*#Light#except"],
    "如果卧室温度超过26度就开空调": ["打开@卧室温度>26C-卧室-*#AirConditioner#all"],
    "打开空调": ["打开-*-*#AirConditioner#one"],
    "开浴室灯": ["打开-浴室-*#Light#all"],
    "打开书房的灯": ["打开-书房-*#Light#all"],
    "来个观影模式": ["执行-*-观影模式#Unknown#one"],
    "大白亮一点": [
        {"action": "调高亮度", "name": "大白", "type": "Unknown", "quantifier": "one", "confidence": 0.92},
    ],
}
"""Sentence → what a model would answer: command arrays, or QueryIR JSON (大白亮一点)."""

SENTENCES: tuple[str, ...] = tuple(PRESETS)
