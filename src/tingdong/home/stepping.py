"""Relative steps (调高亮度, 再大一档) from the present value, clamped at the ends (service.md, `instructs`).

A decrease never switches a device on; a note says that it is off.
"""

from typing import Any

from tingdong.home.acts import ActKind
from tingdong.home.amounts import (
    AmountKind,
    Unsuitable,
    moved,
    number_of,
    parse_amount,
    range_text,
    share_of,
    step_of,
    told,
)
from tingdong.home.change import Change, Request, with_power
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.setting import nearest_property, property_of_role, set_spec
from tingdong.home.states import is_active

__all__ = ["lower", "raise_", "step"]


def raise_(request: Request, device: DeviceShape) -> Change | Note:
    """One step up, or the said amount."""
    return _relative(request, device, 1)


def lower(request: Request, device: DeviceShape) -> Change | Note:
    """One step down, or the said amount."""
    return _relative(request, device, -1)


def _relative(request: Request, device: DeviceShape, direction: int) -> Change | Note:
    role, own = request.act.role, device.called(request.act.word)
    if own is not None:
        spec: PropertySpec | None = own
    elif role is None:
        spec = next((spec for spec in device.properties.values() if request.act.word in spec.label), None)
        spec = spec if request.act.word else device.default
    else:
        spec = property_of_role(device, role, request.name, None)
        if spec is None:
            spec, turn = nearest_property(device, role)
            direction *= turn
            spec = spec if spec is None or spec.role is not PropertyRole.COLOUR else None  # colours have no steps
    if spec is None:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute=f"调节{request.act.word}")
    return step(request, device, spec, direction)


def step(request: Request, device: DeviceShape, spec: PropertySpec, direction: int) -> Change | Note:
    """One step of a property; `direction` is 1 (more) or -1."""
    if spec.readonly:
        return Note(NoteCode.READ_ONLY, device.id, attribute=spec.label)
    current = request.home.value(device, spec)
    if _is_less(request, spec, direction) and not request.deferred and _is_off(request, device, spec, current):
        return Note(NoteCode.IS_OFF, device.id, attribute=spec.label)
    amount = request.amount
    if amount is not None and amount.kind is AmountKind.PLACE and amount.place in ("min", "max"):
        return set_spec(request, device, spec, amount)
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
    down = (direction < 0) is not spec.inverted
    if down and amount is not None and amount.kind is AmountKind.PERCENT:
        step = share_of(spec, current, step, amount)
    value = moved(spec, current, -step if down else step)
    return _stepped(request, device, spec, value, current, direction)


_NO_MEASURE = frozenset({PropertyRole.CHANNEL, PropertyRole.COLOUR_TEMPERATURE})
"""Roles whose lower end is no less: the channel before, warmer light."""


def _is_less(request: Request, spec: PropertySpec, direction: int) -> bool:
    """Whether less of something is wanted, as it was said (调低) or as it is done (a fan that is to be warmer)."""
    if spec.role is PropertyRole.CHANNEL:
        return False
    return request.act.kind is ActKind.LOWER or (direction < 0 and spec.role not in _NO_MEASURE)


def _is_off(request: Request, device: DeviceShape, spec: PropertySpec, current: Any) -> bool:
    """Whether the device is off or idle, by its power or by an off choice of the property; a cover has an opening."""
    if spec.role is PropertyRole.OPENING:
        return False
    off = spec.words.get("关")
    return is_active(request.home, device) is False or (off is not None and current == off)


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
    if spec.role is PropertyRole.CHANNEL:
        return with_power(request, device, Change({spec.name: value}, "切换", f"到{told(spec, value)}频道"))
    verb = "调高" if direction > 0 else "调低"
    text = told(spec, value)
    if spec.type is PropertyType.ENUM and len(text) == 1:
        text += "档"
    note = None
    if value == current:
        note = Note(NoteCode.AT_LIMIT, device.id, text, spec.label)
    change = Change({spec.name: value}, verb, f"{spec.label}到{text}", note)
    return change if _is_less(request, spec, direction) else with_power(request, device, change)
