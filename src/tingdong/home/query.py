"""Questions answered from the state sent with this request (seed 004 §4.2; service.md: answers are true to the state).

An answer never leads to an instruct. What is offline is said with its last known state.
"""

from collections.abc import Callable, Sequence
from typing import Any

from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape
from tingdong.home.home import Home
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.questions import Form, Question, read_question
from tingdong.home.states import is_active, state_clause, status_of
from tingdong.home.targets import joined, phrase_of

__all__ = ["answer"]

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


def answer(home: Home, query: QueryIR, device_ids: Sequence[str], *, text: str = "") -> str:
    """One sentence true to the state. `text` is the question as asked; it says what the protocol's verb does not."""
    question = read_question(query.action, text)
    devices = _devices(home, device_ids)
    if question.attribute in _ASKED:
        found = _with_attribute(home, question, query, devices)
        if not found:
            return _without(home, question, query, devices)
        return _compared(question, found) if question.form is Form.COMPARE else _values(home, found)
    if not devices:
        return "没有找到你问的设备。"
    match question.form:
        case Form.COUNT:
            return _counted(home, question, query, devices)
        case Form.LIST:
            return _listed(home, question, query, devices)
        case Form.STATUS:
            return "；".join(_spoken(home, device, status_of(home, device)) for device in devices[:MOST_LISTED]) + "。"
    return _whether(home, question, devices)


def _devices(home: Home, ids: Sequence[str]) -> list[DeviceShape]:
    shape = home.shape
    found: dict[str, DeviceShape] = {}
    for entity_id in ids:
        if entity_id in shape.devices:
            found[entity_id] = shape.devices[entity_id]
        elif entity_id in shape.groups:
            found.update({member: shape.devices[member] for member in shape.groups[entity_id].devices})
    return sorted(found.values(), key=lambda device: device.index)


def _spoken(home: Home, device: DeviceShape, clause: str) -> str:
    """The clause, marked when the device cannot be reached."""
    return clause if home.is_online(device.id) else f"{device.label}离线了，最后的状态是：{clause}"


# ---- values

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
        clauses.append(_spoken(home, device, _value_clause(home, device, spec, value, several=len(found) > 1)))
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
    return f"{joined(names)}{_superlative(question)}，{said}。"


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


def _superlative(question: Question) -> str:
    if question.target and question.attribute == "温度":
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


# ---- whether, which, how many


def _asked_state(question: Question) -> bool:
    return question.on is not False


def _matching(home: Home, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> list[DeviceShape]:
    """Devices in the state asked about; covers and sensors do not count as "something that is on"."""
    wanted = _asked_state(question)
    found = []
    for device in devices:
        if query.type is DeviceType.UNKNOWN and not query.name and (device.is_sensor or not _is_appliance(device)):
            continue
        if is_active(home, device) is wanted:
            found.append(device)
    return found


def _is_appliance(device: DeviceShape) -> bool:
    return device.power is not None and device.type is not DeviceType.BLIND and device.kind.level is not _R.OPENING


def _state_word(query: QueryIR, *, on: bool) -> str:
    if query.type is DeviceType.LIGHT:
        return "亮着" if on else "没有开"
    return "开着" if on else "没有开"


def _counted(home: Home, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    found = _matching(home, question, query, devices)
    word = _state_word(query, on=_asked_state(question))
    noun = _noun(query, devices)
    measure = devices[0].kind.measure if noun != "设备" else "个"
    place = "、".join(query.include)
    where = f"{place}现在" if place else "现在"
    if not found:
        return f"{where}没有{word if _asked_state(question) else '关着'}的{noun}。"
    names = f"：{phrase_of(home, found)}" if len(found) <= 5 else ""
    return f"{where}有{len(found)}{measure}{noun}{word}{names}。"


def _noun(query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    if query.name:
        return query.name
    words = {device.kind.word for device in devices}
    return words.pop() if len(words) == 1 else "设备"


def _listed(home: Home, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    found = _matching(home, question, query, devices)
    wanted = _asked_state(question)
    word = _state_word(query, on=wanted)
    if not found:
        noun = _noun(query, devices)
        place = "、".join(query.include)
        return (
            f"{place}没有{noun}{'开着' if wanted else '是关着的'}。"
            if place
            else f"现在没有{noun}{'开着' if wanted else '关着'}。"
        )
    if len(found) > MOST_LISTED:
        return f"{phrase_of(home, found)}{word}。"
    labels = _by_room(found)
    return f"{labels}{word}。"


def _by_room(devices: Sequence[DeviceShape]) -> str:
    rooms: dict[str, list[str]] = {}
    for device in devices:
        inside = device.label == device.room + device.plain
        rooms.setdefault(device.room if inside else "", []).append(device.plain if inside else device.label)
    parts = []
    for room, names in rooms.items():
        parts += names if not room else [f"{room}的{joined(names)}" if len(names) > 1 else f"{room}{names[0]}"]
    return joined(parts)


def _whether(home: Home, question: Question, devices: Sequence[DeviceShape]) -> str:
    if len(devices) == 1:
        device = devices[0]
        state = is_active(home, device)
        clause = state_clause(home, device)
        if state is None or question.on is None:
            return _spoken(home, device, clause) + "。"
        lead = "是的，" if state is question.on else "没有，" if not state or question.on is False else ""
        return _spoken(home, device, lead + clause) + "。"
    known = [(device, is_active(home, device)) for device in devices]
    on = [device for device, state in known if state]
    off = [device for device, state in known if state is False]
    if not on and not off:
        return "，".join(state_clause(home, device) for device in devices[:MOST_LISTED]) + "。"
    if not off:
        lead = "是的，" if question.on else ""
        return f"{lead}{phrase_of(home, on)}都开着。"
    if not on:
        lead = "是的，" if question.on is False else ""
        return f"{lead}{phrase_of(home, off)}都关着，没有开。" if not lead else f"{lead}{phrase_of(home, off)}都关着。"
    return f"{_by_room(on)}开着，{_by_room(off)}关着。"
