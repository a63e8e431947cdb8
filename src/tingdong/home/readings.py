"""Values and comparisons of an attribute: how warm, how loud, which room is dampest (seed 004 §4.2, answers)."""

from collections.abc import Callable, Sequence
from typing import Any

from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape
from tingdong.home.home import Home
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.questions import Form, Question
from tingdong.home.states import spoken, state_clause
from tingdong.home.targets import joined, phrase_of

__all__ = ["answer_reading", "is_readable"]

MOST_LISTED = 12

_R = PropertyRole
_ASKED: dict[str, tuple[PropertyRole, ...]] = {
    "温度": (_R.SENSED_TEMPERATURE, _R.TEMPERATURE),
    "水温": (_R.TEMPERATURE, _R.SENSED_TEMPERATURE),
    "湿度": (_R.SENSED_HUMIDITY, _R.HUMIDITY),
    "亮度": (_R.BRIGHTNESS, _R.SENSED_LIGHT),
    "光照": (_R.SENSED_LIGHT,),
    "音量": (_R.VOLUME,),
    "风速": (_R.SPEED,),
    "模式": (_R.MODE, _R.ACTIVITY),
    "电量": (_R.BATTERY,),
    "开合度": (_R.OPENING,),
    "频道": (_R.CHANNEL,),
    "颜色": (_R.COLOUR,),
    "色温": (_R.COLOUR_TEMPERATURE,),
    "PM2.5": (_R.SENSED_PM25,),
    "空气质量": (_R.SENSED_PM25, _R.SENSED_CO2, _R.SENSED_FORMALDEHYDE),
    "二氧化碳": (_R.SENSED_CO2,),
    "甲醛": (_R.SENSED_FORMALDEHYDE,),
    "有人": (_R.MOTION,),
    "报警": (_R.ALARM,),
    "静音": (_R.MUTE,),
    "输入源": (_R.INPUT,),
}
_UNITS = {
    _R.SENSED_PM25: "微克每立方米",
    _R.SENSED_CO2: "ppm",
    _R.SENSED_LIGHT: "勒克斯",
    _R.SENSED_FORMALDEHYDE: "毫克每立方米",
    _R.CHANNEL: "频道",
}
_ROOM_ROLES = frozenset(role for role in PropertyRole if role.value.startswith("sensed_"))


def is_readable(attribute: str) -> bool:
    """Whether the attribute is one that properties hold."""
    return attribute in _ASKED


def answer_reading(home: Home, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    """The attribute's values, or the end of the comparison; says so when nothing there knows it."""
    found = _with_attribute(home, question, query, devices)
    if not found:
        return _without(home, question, query, devices)
    return _compared(question, found) if question.form is Form.COMPARE else _values(home, found)


_Reading = tuple[DeviceShape, PropertySpec, Any]


def _with_attribute(home: Home, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> list[_Reading]:
    """The devices that know the attribute, with what they say; a measurement comes before what was set."""
    roles = _ASKED[question.attribute]
    asks_setting = question.target or (query.type is not DeviceType.UNKNOWN and len(roles) > 1)
    for role in reversed(roles) if asks_setting else roles:
        found = []
        for device in devices:
            specs = [spec for spec in device.properties.values() if spec.role is role]
            if query.name and len(specs) > 1:
                specs = [spec for spec in specs if spec.part and spec.part.removesuffix("室") in query.name] or specs
            found += [(device, spec, home.value(device, spec)) for spec in specs]
        if found:
            return found
        if question.attribute == "空气质量":
            continue
    return []


def _values(home: Home, found: Sequence[_Reading]) -> str:
    clauses = []
    for device, spec, value in found[:MOST_LISTED]:
        clauses.append(spoken(home, device, _value_clause(home, device, spec, value, several=len(found) > 1)))
    return "，".join(clauses) + "。"


def _value_clause(home: Home, device: DeviceShape, spec: PropertySpec, value: Any, *, several: bool) -> str:
    where = device.room if spec.role in _ROOM_ROLES and device.kind.sensor and device.room else device.label
    if value is None:
        return f"还不知道{device.label}的{spec.label}"
    if spec.role in (_R.MOTION, _R.ALARM, _R.OPEN):
        return state_clause(home, device)
    said = _said(spec, value)
    if spec.role is _R.MUTE:
        return f"{device.label}{'静音了' if value == spec.on else '没有静音'}"
    if spec.role is _R.SENSED_TEMPERATURE:
        return f"{where}现在{said}" if not several else f"{where}{said}"
    if spec.role is _R.TEMPERATURE:
        off = "（现在关着）" if home.is_on(device) is False else ""
        return f"{where}{spec.part}设定的是{said}{off}"
    if spec.role is _R.CHANNEL:
        return f"{where}现在是{said}"
    if spec.role is _R.BATTERY:
        return f"{where}的电量还剩{said}"
    off = "（现在关着）" if home.is_on(device) is False and not spec.readonly else ""
    return f"{where}的{spec.label}是{said}{off}"


def _said(spec: PropertySpec, value: Any) -> str:
    text = told(spec, value)
    unit = _UNITS.get(spec.role, "")
    return text + unit if spec.numeric and not text.endswith(unit or "\0") else text


def _compared(question: Question, found: Sequence[_Reading]) -> str:
    known = [(device, spec, value) for device, spec, value in found if isinstance(value, int | float)]
    if not known:
        return "还不知道，没有读到数值。"
    pick: Callable[..., Any] = max if question.highest else min
    best = pick(value for _, _, value in known)
    winners = [(device, spec) for device, spec, value in known if value == best]
    names = list(dict.fromkeys(_place(device, spec) for device, spec in winners))
    said = _said(winners[0][1], best)
    if len(known) > 1 and len(winners) == len(known):
        return f"{joined(names)}一样，都是{said}。"
    setting = winners[0][1].role is _R.TEMPERATURE
    return f"{joined(names)}{_superlative(question, setting=setting)}，{said}。"


def _place(device: DeviceShape, spec: PropertySpec) -> str:
    return device.room if spec.role in _ROOM_ROLES and device.room else device.label


_SUPERLATIVES = {
    ("温度", True): "最热",
    ("温度", False): "最凉快",
    ("湿度", True): "最潮湿",
    ("湿度", False): "最干燥",
    ("亮度", True): "最亮",
    ("亮度", False): "最暗",
    ("音量", True): "声音最大",
    ("音量", False): "声音最小",
    ("空气质量", True): "空气最差",
    ("空气质量", False): "空气最好",
}


def _superlative(question: Question, *, setting: bool) -> str:
    if setting:
        return "设得最高" if question.highest else "设得最低"
    return _SUPERLATIVES.get(
        (question.attribute, question.highest), f"{question.attribute}最{'高' if question.highest else '低'}"
    )


def _without(home: Home, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    place = "、".join(query.include) or "家里"
    if query.type is not DeviceType.UNKNOWN or query.name:
        who = phrase_of(home, devices) if devices else query.name or "这个设备"
        return f"{who}没有{question.attribute}可以查。"
    return f"{place}没有能查{question.attribute}的设备。"
