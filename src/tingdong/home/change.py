"""One act on one device: the properties that change and how it is told, or the reason why nothing can change.

Everything is decided against the thing model and the present state (service.md, `instructs` and "More decisions").
"""

from typing import Any

import msgspec

from tingdong.home.acts import Act, ActKind
from tingdong.home.amounts import (
    Amount,
    AmountKind,
    OutOfRange,
    Unsuitable,
    moved,
    number_of,
    parse_amount,
    range_text,
    step_of,
    told,
)
from tingdong.home.colours import colour_value
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.home import Home
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.properties import PropertySpec

__all__ = ["Change", "change_of"]

State = dict[str, Any]


class Change(msgspec.Struct, frozen=True):
    """The properties to write, and how it is told: `verb` device `tail` (调高 | 客厅风扇 | 风速到3档)."""

    state: State
    verb: str
    tail: str = ""
    note: Note | None = None


class Request(msgspec.Struct, frozen=True):
    """What one act needs to know: the home, the act, the said value, the spoken name, and whether it is deferred."""

    home: Home
    act: Act
    amount: Amount | None = None
    name: str = ""
    deferred: bool = False


def change_of(request: Request, device: DeviceShape) -> Change | Note:
    """The change of `request` on `device`, or the note that says why there is none."""
    return _HANDLERS[request.act.kind](request, device)


def request_of(home: Home, act: Act, *, value: str | None, name: str | None, deferred: bool) -> Request:
    """A request from the parts of a query."""
    return Request(home, act, parse_amount(value) if value else None, name or "", deferred)


# ---- switching


def _on(request: Request, device: DeviceShape) -> Change | Note:
    activity = device.by_role.get(PropertyRole.ACTIVITY)
    if activity is not None and not activity.readonly:
        return _choose_word(request, device, "清扫")
    power = device.power
    if power is not None:
        return _written(device, power, power.on, "打开")
    return _switch_by(request, device, opening=True)


def _off(request: Request, device: DeviceShape) -> Change | Note:
    activity = device.by_role.get(PropertyRole.ACTIVITY)
    if activity is not None and not activity.readonly:
        return _choose_word(request, device, "回充")
    power = device.power
    if power is not None:
        return _written(device, power, power.off, "关闭")
    return _switch_by(request, device, opening=False)


def _switch_by(request: Request, device: DeviceShape, *, opening: bool) -> Change | Note:
    """打开 and 关闭 of a device without a power switch."""
    verb = "打开" if opening else "关闭"
    opened = device.by_role.get(PropertyRole.OPENING)
    if opened is not None and opened.numeric:
        return _written(device, opened, _end(opened, high=opening), verb)
    if PropertyRole.LOCK in device.by_role:
        return _unlock(request, device) if opening else _lock(request, device)
    if PropertyRole.PLAYBACK in device.by_role:
        return _choose_word(request, device, "播放" if opening else "停止")
    for spec in device.properties.values():
        if spec.readonly:
            continue
        if spec.type is PropertyType.ENUM and not opening and "关" in spec.words:
            return _written(device, spec, spec.words["关"], verb)
        if spec.type is PropertyType.ENUM and opening and "关" in spec.words:
            others = [choice for choice in spec.choices if choice != spec.words["关"]]
            return _written(device, spec, spec.words.get("自动", others[0]), verb)
        if spec is device.default and spec.numeric and spec.low == 0:
            return _written(device, spec, _end(spec, high=opening), verb)
    if device.is_sensor:
        return Note(NoteCode.READ_ONLY, device.id, attribute=verb)
    return Note(NoteCode.UNSUPPORTED, device.id, attribute=verb)


def _end(spec: PropertySpec, *, high: bool) -> int | float:
    bound = spec.high if high else spec.low
    if bound is None:
        bound = 100 if high else 0
    return bound if spec.type is PropertyType.FLOAT else int(bound)


def _lock(request: Request, device: DeviceShape) -> Change | Note:
    lock = device.by_role.get(PropertyRole.LOCK)
    if lock is not None:
        return _written(device, lock, lock.on, "锁上")
    if device.power is not None and device.kind.key in ("lock", "garage_door"):
        return _written(device, device.power, device.power.off, "锁上")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute="上锁")


def _unlock(request: Request, device: DeviceShape) -> Change | Note:
    lock = device.by_role.get(PropertyRole.LOCK)
    if lock is not None:
        return _written(device, lock, lock.off, "打开")
    if device.power is not None and device.kind.key in ("lock", "garage_door"):
        return _written(device, device.power, device.power.on, "打开")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute="解锁")


def _mute(request: Request, device: DeviceShape) -> Change | Note:
    spec = device.by_role.get(PropertyRole.MUTE)
    if spec is not None:
        return _written(device, spec, spec.on, "静音")
    mode = device.by_role.get(PropertyRole.MODE)
    if mode is not None and "静音" in mode.words:
        return _set_spec(request, device, mode, parse_amount("静音"))
    volume = device.by_role.get(PropertyRole.VOLUME)
    if volume is not None and volume.low == 0 and not volume.readonly:
        return _written(device, volume, _end(volume, high=False), "静音")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute="静音")


def _unmute(request: Request, device: DeviceShape) -> Change | Note:
    spec = device.by_role.get(PropertyRole.MUTE)
    if spec is None:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute="取消静音")
    return _written(device, spec, spec.off, "取消", "静音")


# ---- one word of a playback or an activity

_WORDS: dict[str, tuple[str, ...]] = {
    "播放": ("播放",),
    "继续": ("播放", "清扫"),
    "暂停": ("暂停", "停止"),
    "停止": ("停止", "暂停", "待机"),
    "清扫": ("清扫", "开", "播放"),
    "回充": ("回充", "待机", "关", "停止", "暂停"),
    "上一首": ("上一首",),
    "下一首": ("下一首",),
    "重启": ("重启",),
}
_TOLD = {
    (PropertyRole.ACTIVITY, "清扫"): ("让", "开始清扫"),
    (PropertyRole.ACTIVITY, "继续"): ("让", "继续清扫"),
    (PropertyRole.ACTIVITY, "暂停"): ("暂停", ""),
    (PropertyRole.ACTIVITY, "停止"): ("停止", ""),
    (PropertyRole.ACTIVITY, "回充"): ("让", "回去充电"),
    (PropertyRole.PLAYBACK, "播放"): ("开始", "播放"),
    (PropertyRole.PLAYBACK, "继续"): ("继续", "播放"),
    (PropertyRole.PLAYBACK, "暂停"): ("暂停", "播放"),
    (PropertyRole.PLAYBACK, "停止"): ("停止", "播放"),
    (PropertyRole.PLAYBACK, "上一首"): ("切换", "到上一首"),
    (PropertyRole.PLAYBACK, "下一首"): ("切换", "到下一首"),
}


def _choose(request: Request, device: DeviceShape) -> Change | Note:
    return _choose_word(request, device, request.act.word)


def _choose_word(request: Request, device: DeviceShape, word: str) -> Change | Note:
    for role in (PropertyRole.ACTIVITY, PropertyRole.PLAYBACK):
        spec = device.by_role.get(role)
        if spec is None or spec.readonly:
            continue
        if spec.type is PropertyType.BOOL and word in ("播放", "继续", "暂停", "停止"):
            return _chosen(request, device, spec, word, spec.on if word in ("播放", "继续") else spec.off)
        for choice in _WORDS.get(word, (word,)):
            if choice in spec.words:
                return _chosen(request, device, spec, word, spec.words[choice])
    return _without_choice(request, device, word)


def _chosen(request: Request, device: DeviceShape, spec: PropertySpec, word: str, value: Any) -> Change:
    verb, tail = _TOLD.get((spec.role, word), (word, ""))
    if word in ("播放", "继续", "清扫", "上一首", "下一首"):
        return _with_power(request, device, Change({spec.name: value}, verb, tail))
    return Change({spec.name: value}, verb, tail)


def _without_choice(request: Request, device: DeviceShape, word: str) -> Change | Note:
    """The nearest thing a device without such a property can do."""
    channel = device.by_role.get(PropertyRole.CHANNEL)
    if channel is not None and word in ("上一首", "下一首"):
        return _step(request, device, channel, 1 if word == "下一首" else -1)
    power = device.power
    if power is not None:
        if word in ("播放", "清扫"):
            return _written(device, power, power.on, "打开")
        if word == "停止":
            return _written(device, power, power.off, "关闭")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute=word)


# ---- setting and stepping

_NEAREST_KIND_ROLE = {
    ("heater", PropertyRole.TEMPERATURE): (PropertyRole.SPEED, 1),
    ("floor_heating", PropertyRole.TEMPERATURE): (PropertyRole.SPEED, 1),
    ("water_heater", PropertyRole.TEMPERATURE): (PropertyRole.SPEED, 1),
    ("fan", PropertyRole.TEMPERATURE): (PropertyRole.SPEED, -1),
}
"""What 热一点 and 凉一点 step on a device that has no temperature: (kind, asked) → (role, direction)."""


def _set(request: Request, device: DeviceShape) -> Change | Note:
    amount = request.amount
    if amount is None:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, attribute=request.act.word)
    spec = _spec_for(request, device, amount)
    if spec is None:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=_asked(request.act, amount))
    return _set_spec(request, device, spec, amount)


def _asked(act: Act, amount: Amount | None) -> str:
    """What was asked for, in words: 调节亮度, 睡眠模式, 红色."""
    if act.role is PropertyRole.MODE and amount is not None:
        return f"{amount.text}模式"
    if act.role is PropertyRole.COLOUR or (act.role is None and amount is not None and amount.kind is AmountKind.WORD):
        return f"设为{amount.text}" if amount is not None else "换颜色"
    return f"调节{act.word}" if act.word else "这样调节"


def _spec_for(request: Request, device: DeviceShape, amount: Amount) -> PropertySpec | None:
    """The property the request speaks of on this device."""
    role = request.act.role
    if role is None and request.act.word:
        return next((spec for spec in device.properties.values() if request.act.word in spec.label), None)
    if role is None:
        return _bare(device, amount, request.name)
    spec = _of_role(device, role, request.name, amount)
    if role in (PropertyRole.MODE, PropertyRole.SPEED, PropertyRole.COLOUR) and not _takes(spec, amount):
        for other in (PropertyRole.MODE, PropertyRole.SPEED, PropertyRole.ACTIVITY, PropertyRole.COLOUR_TEMPERATURE):
            near = device.by_role.get(other)
            suits_colour = role is PropertyRole.COLOUR and other is PropertyRole.COLOUR_TEMPERATURE
            if (
                near is not None
                and (suits_colour or other is not PropertyRole.COLOUR_TEMPERATURE)
                and _takes(near, amount)
            ):
                return near
    return spec


def _takes(spec: PropertySpec | None, amount: Amount) -> bool:
    if spec is None:
        return False
    if spec.type is PropertyType.ENUM:
        return amount.kind not in (AmountKind.WORD, AmountKind.PLACE) or _choice(spec, amount) is not None
    if spec.role is PropertyRole.COLOUR:
        return colour_value(spec, amount.text) is not None
    return amount.kind is not AmountKind.WORD


def _of_role(device: DeviceShape, role: PropertyRole, name: str, amount: Amount | None) -> PropertySpec | None:
    """The property of `role`; of several, the one whose part was named, else the one whose range holds the value."""
    first = device.by_role.get(role)
    if first is None or not first.part:
        return first
    same = [spec for spec in device.properties.values() if spec.role is role]
    for spec in same:
        if spec.part and name and (spec.part in name or spec.part.removesuffix("室") in name):
            return spec
    if amount is not None and amount.kind in (AmountKind.DEGREES, AmountKind.NUMBER):
        for spec in same:
            if spec.low is not None and spec.high is not None and spec.low <= amount.number <= spec.high:
                return spec
    return first


_BARE_ROLES: dict[AmountKind, tuple[PropertyRole, ...]] = {
    AmountKind.DEGREES: (PropertyRole.TEMPERATURE,),
    AmountKind.KELVIN: (PropertyRole.COLOUR_TEMPERATURE,),
    AmountKind.GEAR: (PropertyRole.SPEED,),
}
_WORD_ROLES = (
    PropertyRole.COLOUR,
    PropertyRole.MODE,
    PropertyRole.SPEED,
    PropertyRole.ACTIVITY,
    PropertyRole.PLAYBACK,
    PropertyRole.INPUT,
)


def _bare(device: DeviceShape, amount: Amount, name: str) -> PropertySpec | None:
    """The property of a bare value (设置=50%): the attribute of its device, or the one the unit belongs to."""
    kind = amount.kind
    if kind in _BARE_ROLES:
        for role in _BARE_ROLES[kind]:
            spec = _of_role(device, role, name, amount)
            if spec is not None:
                return spec
        return device.default if kind is AmountKind.GEAR else None
    if kind is AmountKind.WORD or (kind is AmountKind.PLACE and not amount.text.startswith("最")):
        warm = device.by_role.get(PropertyRole.COLOUR_TEMPERATURE)
        if warm is not None and amount.text[0] in "暖冷自中" and kind is AmountKind.PLACE:
            return warm
        for role in _WORD_ROLES:
            spec = device.by_role.get(role)
            if spec is not None and not spec.readonly and _takes(spec, amount):
                return spec
        return device.default if kind is AmountKind.PLACE else None
    default = device.default
    if default is None or not default.part:
        percent_of_heat = kind is AmountKind.PERCENT and default and default.role is PropertyRole.TEMPERATURE
        return device.by_role.get(PropertyRole.SPEED, default) if percent_of_heat else default
    return _of_role(device, default.role, name, amount)


def _set_spec(request: Request, device: DeviceShape, spec: PropertySpec, amount: Amount) -> Change | Note:
    if spec.readonly:
        return Note(NoteCode.READ_ONLY, device.id, attribute=spec.label)
    value: Any
    if spec.role is PropertyRole.COLOUR and not (spec.numeric and amount.kind is AmountKind.NUMBER):
        value = colour_value(spec, amount.text)
        said = amount.text if amount.text.endswith("色") else f"{amount.text}色"
        if value is None:
            return Note(NoteCode.UNKNOWN_VALUE, device.id, range_text(spec), f"设为{said}")
        return _with_power(request, device, Change({spec.name: value}, "设置", f"颜色为{said}"))
    if not spec.numeric:
        return _set_choice(request, device, spec, amount)
    try:
        value = number_of(spec, amount)
    except OutOfRange:
        return Note(NoteCode.OUT_OF_RANGE, device.id, range_text(spec), spec.label)
    except Unsuitable:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, range_text(spec), f"设为{amount.text}")
    said = amount.text if amount.kind is AmountKind.PERCENT and spec.unit == "%" else told(spec, value)
    if spec.role is PropertyRole.CHANNEL:
        return _with_power(request, device, Change({spec.name: value}, "切换", f"到{said}频道"))
    return _with_power(request, device, Change({spec.name: value}, "调节", f"{spec.label}到{said}"))


def _set_choice(request: Request, device: DeviceShape, spec: PropertySpec, amount: Amount) -> Change | Note:
    if spec.type is PropertyType.STRING:
        if spec.role is PropertyRole.INPUT:
            return _with_power(request, device, Change({spec.name: amount.text}, "切换", f"到{amount.text}"))
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=f"设为{amount.text}")
    if spec.type is PropertyType.BOOL:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, "", f"设为{amount.text}")
    choice = _choice(spec, amount)
    if choice is None:
        code = NoteCode.OUT_OF_RANGE if amount.kind is AmountKind.GEAR else NoteCode.UNKNOWN_VALUE
        detail = f"1到{len(spec.gears)}档" if amount.kind is AmountKind.GEAR else range_text(spec)
        asked = spec.label if code is NoteCode.OUT_OF_RANGE else _asked(request.act, amount)
        return Note(code, device.id, detail, asked)
    return _with_power(request, device, Change({spec.name: choice}, *_told_choice(spec, choice)))


def _told_choice(spec: PropertySpec, choice: Any) -> tuple[str, str]:
    text = spec.texts.get(choice, str(choice))
    if spec.role is PropertyRole.MODE:
        return "切换", f"到{text}" if text.endswith("模式") else f"到{text}模式"
    if spec.role is PropertyRole.SPEED:
        unit = "档" if len(text) == 1 else ""
        return "调节", f"{spec.label}到{text}{unit}"
    return "切换", f"到{text}"


def _choice(spec: PropertySpec, amount: Amount) -> Any:
    """The enum's choice that was said; None when it has none such."""
    text = amount.text
    found = spec.words.get(text, spec.words.get(text.lower()))
    if found is None and text.endswith("模式"):
        found = spec.words.get(text.removesuffix("模式"))
    if found is not None:
        return found
    gears = spec.gears
    if not gears:
        return None
    match amount.kind:
        case AmountKind.PLACE if spec.role is not PropertyRole.MODE:
            place = {"min": 0, "low": 0, "middle": (len(gears) - 1) // 2, "high": -1, "max": -1}[amount.place]
            return gears[place] if amount.place in ("min", "max") or len(gears) > 1 else None
        case AmountKind.GEAR | AmountKind.NUMBER if amount.number == int(amount.number):
            return gears[int(amount.number) - 1] if 1 <= amount.number <= len(gears) else None
        case AmountKind.PERCENT if 0 <= amount.number <= 100:
            return gears[min(len(gears) - 1, int(amount.number / 100 * (len(gears) - 1) + 0.5))]
    return None


def _raise(request: Request, device: DeviceShape) -> Change | Note:
    return _relative(request, device, 1)


def _lower(request: Request, device: DeviceShape) -> Change | Note:
    return _relative(request, device, -1)


def _relative(request: Request, device: DeviceShape, direction: int) -> Change | Note:
    role = request.act.role
    if role is None:
        spec = next((spec for spec in device.properties.values() if request.act.word in spec.label), None)
        spec = spec if request.act.word else device.default
    else:
        spec = _of_role(device, role, request.name, None)
        if spec is None and (device.kind.key, role) in _NEAREST_KIND_ROLE:
            other, turn = _NEAREST_KIND_ROLE[device.kind.key, role]
            spec, direction = device.by_role.get(other), direction * turn
    if spec is None:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=f"调节{request.act.word}")
    if spec.readonly:
        return Note(NoteCode.READ_ONLY, device.id, attribute=spec.label)
    return _step(request, device, spec, direction)


def _step(request: Request, device: DeviceShape, spec: PropertySpec, direction: int) -> Change | Note:
    amount = request.amount
    if amount is not None and amount.kind is AmountKind.PLACE and amount.place in ("min", "max"):
        return _set_spec(request, device, spec, amount)
    current = request.home.value(device, spec)
    if spec.type is PropertyType.ENUM:
        return _step_choice(request, device, spec, current, direction)
    if not spec.numeric:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=f"调节{spec.label}")
    if current is None:
        current = number_of(spec, parse_amount("中"))
    try:
        step = step_of(spec, amount)
    except Unsuitable:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, range_text(spec), f"调节{spec.label}")
    value = moved(spec, current, -direction * step if spec.inverted else direction * step)
    return _stepped(request, device, spec, value, current, direction)


def _step_choice(
    request: Request, device: DeviceShape, spec: PropertySpec, current: Any, direction: int
) -> Change | Note:
    gears = spec.gears
    if len(gears) < 2:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=f"调节{spec.label}")
    steps = 1
    if request.amount is not None and request.amount.kind in (AmountKind.GEAR, AmountKind.NUMBER):
        steps = max(1, int(request.amount.number))
    if current in gears:
        place = min(max(gears.index(current) + direction * steps, 0), len(gears) - 1)
    else:
        place = len(gears) - 1 if direction > 0 else 0
    return _stepped(request, device, spec, gears[place], current, direction)


def _stepped(
    request: Request, device: DeviceShape, spec: PropertySpec, value: Any, current: Any, direction: int
) -> Change:
    verb = "调高" if direction > 0 else "调低"
    text = told(spec, value)
    if spec.type is PropertyType.ENUM and len(text) == 1:
        text += "档"
    note = None
    if value == current:
        note = Note(NoteCode.AT_LIMIT, device.id, text, spec.label)
    return _with_power(request, device, Change({spec.name: value}, verb, f"{spec.label}到{text}", note))


# ---- writing


def _written(device: DeviceShape, spec: PropertySpec, value: Any, verb: str, tail: str = "") -> Change | Note:
    if spec.readonly:
        return Note(NoteCode.READ_ONLY, device.id, attribute=verb)
    return Change({spec.name: value}, verb, tail)


def _with_power(request: Request, device: DeviceShape, change: Change) -> Change:
    """`change` with the power switched on where it is off: setting any property implies it; so does a deferred one."""
    power = device.power
    if power is None or power.readonly or power.name in change.state:
        return change
    opening = device.by_role.get(PropertyRole.OPENING)
    if opening is not None and change.state.get(opening.name) == opening.low:
        return change
    on = request.home.is_on(device)
    if on and not request.deferred:
        return change
    state = {power.name: power.on, **change.state}
    if on:
        return Change(state, change.verb, change.tail, change.note)
    return Change(state, "打开", f"并{change.verb}{change.tail}", change.note)


def _run(request: Request, device: DeviceShape) -> Change | Note:
    return _on(request, device)


def _nothing(request: Request, device: DeviceShape) -> Change | Note:
    return Note(NoteCode.UNSUPPORTED, device.id, attribute=request.act.word)


_HANDLERS = {
    ActKind.ON: _on,
    ActKind.OFF: _off,
    ActKind.SET: _set,
    ActKind.RAISE: _raise,
    ActKind.LOWER: _lower,
    ActKind.CHOOSE: _choose,
    ActKind.MUTE: _mute,
    ActKind.UNMUTE: _unmute,
    ActKind.LOCK: _lock,
    ActKind.UNLOCK: _unlock,
    ActKind.RUN: _run,
    ActKind.ASK: _nothing,
    ActKind.UNKNOWN: _nothing,
}
