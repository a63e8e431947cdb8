"""A home's devices as context retrieval sees them (retrieval.md, Devices): what a device can do, in Chinese.

Command ids are `<property>` for a property that is set to a value and `<property>:<act>` for one act of it; retrieval
matches the descriptions with what was asked for.
"""

from collections.abc import Iterable, Iterator

from context_retrieval.models import Device, DeviceCommand, ValueRange
from tingdong.home.acts import acts
from tingdong.home.device import DeviceShape, other_names
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec, moves
from tingdong.home.vocabulary import attribute_word

__all__ = ["entities"]


def entities(devices: Iterable[DeviceShape]) -> tuple[Device, ...]:
    """The devices, each with what it can do and be asked; devices of one model share their commands."""
    commands: dict[tuple[int, str], tuple[DeviceCommand, ...]] = {}
    found = []
    for device in devices:
        key = (id(device.properties), device.kind.key)
        if key not in commands:
            commands[key] = tuple(_commands(device))
        found.append(
            Device(
                id=device.id,
                name=device.name,
                room=device.room,
                type=device.type.value,
                commands=commands[key],
                aliases=other_names(device),
                description=device.describe,
            )
        )
    return tuple(found)


def _commands(device: DeviceShape) -> Iterator[DeviceCommand]:
    offered = acts().offered
    for spec in device.properties.values():
        if spec.readonly:
            attribute = attribute_word(spec.role, spec.label)
            yield DeviceCommand(spec.name, f"查询{attribute}")
        elif spec.role in offered:
            for act, description in offered[spec.role].items():
                yield DeviceCommand(f"{spec.name}:{act}", description)
        else:
            yield _setter(spec)
            if moves(spec):
                yield from _opened(spec)
            if spec.numeric or spec.role is PropertyRole.SPEED:
                attribute = attribute_word(spec.role, spec.label)
                yield DeviceCommand(f"{spec.name}:up", f"调高{attribute}")
                yield DeviceCommand(f"{spec.name}:down", f"调低{attribute}")
            if spec.role is PropertyRole.OPENING and device.power is None:
                yield from _opened(spec)


def _opened(spec: PropertySpec) -> Iterator[DeviceCommand]:
    """What moves is opened and closed as what has power is switched."""
    for act, description in zip(("open", "close"), acts().offered[PropertyRole.POWER].values(), strict=True):
        yield DeviceCommand(f"{spec.name}:{act}", description)


def _setter(spec: PropertySpec) -> DeviceCommand:
    """The command that sets a property; its range, unit and values are those that are sent."""
    attribute = attribute_word(spec.role, spec.label)
    if spec.numeric:
        limits = ValueRange(spec.low, spec.high, _unit(spec))
        kind = "number" if spec.type is PropertyType.FLOAT else "integer"
        return DeviceCommand(spec.name, f"设置{attribute}", kind, limits)
    choices = "、".join(spec.texts.values())
    description = f"设置{attribute}" + (f"：{choices}" if choices else "")
    values = tuple(value for value in spec.choices if not isinstance(value, bool))
    return DeviceCommand(spec.name, description, spec.type.value, values=values)


def _unit(spec: PropertySpec) -> str | None:
    """The unit of the number that is sent: a level of 1..255 is no percentage."""
    return None if spec.unit == "%" and (spec.high or 0) > 100 else spec.unit or None
