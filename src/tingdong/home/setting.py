"""Setting a property to a said value (service.md, `instructs`): which property is meant, and which of its values."""

from typing import Any

import msgspec

from tingdong.home.acts import VerbMeaning
from tingdong.home.amounts import Amount, AmountKind, OutOfRange, Unsuitable, number_of, range_text, told
from tingdong.home.change import Change, Request, with_power
from tingdong.home.colours import colour_value
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import choice_words, values

__all__ = ["SWITCHED", "nearest_property", "property_of_role", "set_property", "set_spec"]


SWITCHED = ("开", "关")
"""The values of a switch, as requests say them."""


def set_property(request: Request, device: DeviceShape) -> Change | Note:
    """`request`'s value on the property it speaks of; a note when there is none, or the value does not fit."""
    amount = request.amount
    if amount is None:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, attribute=request.act.word)
    spec = _spec_for(request, device, amount)
    if spec is None and request.act.role is not None and amount.kind in (AmountKind.PLACE, AmountKind.GEAR):
        spec, turn = nearest_property(device, request.act.role)
        amount = _turned(amount) if turn < 0 else amount
    if spec is None:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=_asked(request.act, amount))
    return set_spec(request, device, spec, amount)


def nearest_property(device: DeviceShape, role: PropertyRole) -> tuple[PropertySpec | None, int]:
    """What stands in for a role the device does not have, and whether it runs the same way (1) or against it (-1)."""
    other, turn = next((near[1:] for near in device.kind.nearest if near[0] == role), (role, 1))
    spec = device.by_role.get(PropertyRole(other))
    return (None, 1) if spec is None or spec.readonly else (spec, turn)


def _turned(amount: Amount) -> Amount:
    """The opposite end of the scale: the warmest light is the lowest colour temperature."""
    ends = {"min": "max", "max": "min", "low": "high", "high": "low"}
    return msgspec.structs.replace(amount, place=ends.get(amount.place, amount.place))


def _asked(act: VerbMeaning, amount: Amount | None) -> str:
    """What was asked for, in words: 调节亮度, 睡眠模式, 红色."""
    if act.role is PropertyRole.MODE and amount is not None:
        return f"{amount.text}模式"
    if act.role is PropertyRole.COLOUR or (act.role is None and amount is not None and amount.kind is AmountKind.WORD):
        return f"设为{amount.text}" if amount is not None else "换颜色"
    return f"调节{act.word}" if act.word else "这样调节"


def _spec_for(request: Request, device: DeviceShape, amount: Amount) -> PropertySpec | None:
    """The property the request speaks of on this device."""
    role = request.act.role
    if (own := device.called(request.act.word)) is not None and _takes(own, amount):
        return own
    if role is None and request.act.word:
        return next((spec for spec in device.properties.values() if request.act.word in spec.label), None)
    if role is None:
        return _bare(device, amount, request.name)
    spec = property_of_role(device, role, request.name, amount)
    automatic = spec is not None and amount.text == "自动"
    if (
        role in (PropertyRole.MODE, PropertyRole.SPEED, PropertyRole.COLOUR)
        and not automatic
        and not _takes(spec, amount)
    ):
        for other in (PropertyRole.MODE, PropertyRole.SPEED, PropertyRole.ACTIVITY, PropertyRole.COLOUR_TEMPERATURE):
            near = device.by_role.get(other)
            suits_colour = role is PropertyRole.COLOUR and other is PropertyRole.COLOUR_TEMPERATURE
            if (
                near is not None
                and (suits_colour or other is not PropertyRole.COLOUR_TEMPERATURE)
                and _takes(near, amount)
            ):
                return near
    return spec if spec is not None else _by_choice(device, amount)


def _by_choice(device: DeviceShape, amount: Amount) -> PropertySpec | None:
    """The property that has a word of its own for the value, whatever was taken for it (小火 of a heated bed)."""
    return next((one for one in device.properties.values() if not one.readonly and amount.text in one.words), None)


def _takes(spec: PropertySpec | None, amount: Amount) -> bool:
    if spec is None:
        return False
    if spec.type is PropertyType.BOOL:
        return amount.text in SWITCHED
    if spec.type is PropertyType.ENUM:
        return amount.kind not in (AmountKind.WORD, AmountKind.PLACE) or _choice(spec, amount) is not None
    if spec.role is PropertyRole.COLOUR:
        return colour_value(spec, amount.text) is not None
    return amount.kind is not AmountKind.WORD or amount.text in spec.words


def property_of_role(device: DeviceShape, role: PropertyRole, name: str, amount: Amount | None) -> PropertySpec | None:
    """The property of `role`; of several, the one whose part was named, else the one whose range holds the value."""
    first = device.by_role.get(role)
    if first is None or not first.part:
        return first
    same = [spec for spec in device.properties.values() if spec.role is role]
    for spec in same:
        if spec.part and name and (spec.part in name or spec.part.removesuffix("室") in name):
            return spec
    if amount is not None and (chosen := next((spec for spec in same if amount.text in spec.words), None)):
        return chosen
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
            spec = property_of_role(device, role, name, amount)
            if spec is not None:
                return spec
        other = device.default is not None and device.default.role is PropertyRole.OTHER
        return device.default if other or kind is AmountKind.GEAR else None
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
    if default is None:
        return None
    spec = property_of_role(device, default.role, name, amount)
    if spec is not None and kind is AmountKind.NUMBER and spec.gears and amount.number > len(spec.gears):
        return _scale_of(device, amount) or spec  # 55 of a humidifier is its humidity, and no gear of three
    if kind is AmountKind.PLACE or spec is None or spec.low is None or spec.high is None:
        return spec
    if spec.role is PropertyRole.TEMPERATURE and kind is AmountKind.PERCENT:
        within = spec.low <= amount.number <= spec.high
        return spec if within else device.by_role.get(PropertyRole.SPEED, spec)
    beyond = amount.number > 100 or (kind is AmountKind.NUMBER and spec.high < 100)
    if beyond and not spec.fits(int(amount.number)):
        return (
            _scale_of(device, amount) or spec
        )  # 6500 of a lamp is its colour temperature, 90 of a metronome its tempo
    return spec


def _scale_of(device: DeviceShape, amount: Amount) -> PropertySpec | None:
    """The first scale of the device that holds the number."""
    scales = (one for one in device.properties.values() if one.numeric and not one.readonly)
    return next((one for one in scales if one.fits(int(amount.number))), None)


def set_spec(request: Request, device: DeviceShape, spec: PropertySpec, amount: Amount) -> Change | Note:
    """`amount` on one property, switching the device on where it is off."""
    if spec.readonly:
        return Note(NoteCode.READ_ONLY, device.id, attribute=spec.label)
    value: Any
    if spec.role is PropertyRole.COLOUR and not (spec.numeric and amount.kind is AmountKind.NUMBER):
        value = colour_value(spec, amount.text)
        said = amount.text if amount.text.endswith("色") else f"{amount.text}色"
        if value is None:
            return Note(NoteCode.UNKNOWN_VALUE, device.id, range_text(spec), f"设为{said}")
        return with_power(request, device, Change({spec.name: value}, "设置", f"颜色为{said}"))
    if not spec.numeric:
        return _set_choice(request, device, spec, amount)
    try:
        value = spec.words[amount.text] if amount.text in spec.words else number_of(spec, amount)
    except OutOfRange:
        return Note(NoteCode.OUT_OF_RANGE, device.id, range_text(spec), spec.label)
    except Unsuitable:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, range_text(spec), f"设为{amount.text}")
    said = amount.text if amount.kind is AmountKind.PERCENT and spec.unit == "%" else told(spec, value)
    if spec.role is PropertyRole.CHANNEL:
        return with_power(request, device, Change({spec.name: value}, "切换", f"到{said}频道"))
    return with_power(request, device, Change({spec.name: value}, "调节", f"{spec.label}到{said}"))


def _set_choice(request: Request, device: DeviceShape, spec: PropertySpec, amount: Amount) -> Change | Note:
    if spec.type is PropertyType.STRING:
        if spec.role is PropertyRole.INPUT:
            return with_power(request, device, Change({spec.name: amount.text}, "切换", f"到{amount.text}"))
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=f"设为{amount.text}")
    if spec.type is PropertyType.BOOL and amount.text in SWITCHED:
        value = spec.on if amount.text == "开" else spec.off
        change = Change({spec.name: value}, "打开" if amount.text == "开" else "关闭", f"的{spec.label}")
        needs_power = amount.text == "开" and spec.label not in values().apart
        return with_power(request, device, change) if needs_power else change
    if spec.type is PropertyType.BOOL:
        return Note(NoteCode.UNKNOWN_VALUE, device.id, "", f"设为{amount.text}")
    choice = _choice(spec, amount)
    if choice is None:
        code = NoteCode.OUT_OF_RANGE if amount.kind is AmountKind.GEAR else NoteCode.UNKNOWN_VALUE
        detail = f"1到{len(spec.gears)}档" if amount.kind is AmountKind.GEAR else range_text(spec)
        asked = spec.label if code is NoteCode.OUT_OF_RANGE else _asked(request.act, amount)
        return Note(code, device.id, detail, asked)
    return with_power(request, device, Change({spec.name: choice}, *_told_choice(spec, choice)))


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
    if (near := _akin(spec, text)) is not None:
        return near
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


def _akin(spec: PropertySpec, text: str) -> Any:
    """The choice that stands for one which the property lacks (静音 of a purifier that knows 睡眠)."""
    words = [other for word in (text, *choice_words().get(text, ())) for other in values().akin.get(word, ())]
    return next((spec.words[word] for word in words if word in spec.words), None)
