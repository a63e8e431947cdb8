"""A home's devices as context retrieval sees them (seed 002, 数据契约): what a device can do, in Chinese.

Command ids are `<property>` for a property that is set to a value and `<property>:<act>` for one act of it; retrieval
matches the descriptions with what was asked for.
"""

from collections.abc import Iterable, Iterator

from context_retrieval.models import Device, DeviceCommand, ValueRange
from tingdong.home.device import DeviceShape, other_names
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec, moves
from tingdong.home.vocabulary import attribute_word

__all__ = ["entities"]

_ACTS: dict[PropertyRole, tuple[tuple[str, str], ...]] = {
    PropertyRole.POWER: (("on", "打开设备"), ("off", "关闭设备")),
    PropertyRole.LOCK: (("lock", "上锁"), ("unlock", "解锁"), ("open", "打开设备"), ("close", "关闭设备")),
    PropertyRole.MUTE: (("mute", "静音"), ("unmute", "取消静音")),
    PropertyRole.PLAYBACK: (
        ("play", "播放"),
        ("resume", "继续"),
        ("pause", "暂停"),
        ("stop", "停止"),
        ("next", "下一首"),
        ("previous", "上一首"),
    ),
    PropertyRole.ACTIVITY: (
        ("start", "打开设备"),
        ("pause", "暂停"),
        ("resume", "继续"),
        ("stop", "停止"),
        ("return", "回充"),
        ("close", "关闭设备"),
    ),
}


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
    for spec in device.properties.values():
        if spec.readonly:
            attribute = attribute_word(spec.role, spec.label)
            yield DeviceCommand(spec.name, f"查询{attribute}")
        elif spec.role in _ACTS:
            for act, description in _ACTS[spec.role]:
                yield DeviceCommand(f"{spec.name}:{act}", description)
        else:
            yield _setter(spec)
            if moves(spec):
                yield DeviceCommand(f"{spec.name}:open", "打开设备")
                yield DeviceCommand(f"{spec.name}:close", "关闭设备")
            if spec.numeric or spec.role is PropertyRole.SPEED:
                attribute = attribute_word(spec.role, spec.label)
                yield DeviceCommand(f"{spec.name}:up", f"调高{attribute}")
                yield DeviceCommand(f"{spec.name}:down", f"调低{attribute}")
            if spec.role is PropertyRole.OPENING and device.power is None:
                yield DeviceCommand(f"{spec.name}:open", "打开设备")
                yield DeviceCommand(f"{spec.name}:close", "关闭设备")


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
