"""What a device can be told, from its thing model: 咖啡机能调什么, 风速有几档, 空调能调到多少度 (service.md, Home)."""

from collections.abc import Sequence

from tingdong.home.amounts import range_text, told
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.targets import joined
from tingdong.home.vocabulary import roles

__all__ = ["adjustable", "tell_abilities"]

MOST_DEVICES = 4


def adjustable(device: DeviceShape) -> list[PropertySpec]:
    """The properties of the device that can be set, less its power."""
    return [spec for spec in device.properties.values() if not spec.readonly and spec.role is not PropertyRole.POWER]


def tell_abilities(home: HomeSnapshot, devices: Sequence[DeviceShape], text: str) -> str:
    """One sentence a device: all that it takes, or only the property that `text` asks about, and how that is set."""
    said = []
    for device in devices[:MOST_DEVICES]:
        asked = [spec for spec in adjustable(device) if _is_asked(spec, text)]
        if asked:
            said += [_one(home, device, spec) for spec in asked]
            continue
        can = [*(["开关"] if device.power is not None and not device.power.readonly else []), *_all(device)]
        said.append(f"{device.label}可以调{joined(can)}" if can else f"{device.label}只能查看，不能控制")
    return "；".join(said) + "。"


def _all(device: DeviceShape) -> list[str]:
    return [_with_range(spec) for spec in adjustable(device)]


def _with_range(spec: PropertySpec) -> str:
    values = range_text(spec) if spec.numeric or spec.type is PropertyType.ENUM else ""
    return f"{spec.label}（{values}）" if values else spec.label


def _one(home: HomeSnapshot, device: DeviceShape, spec: PropertySpec) -> str:
    value = home.value(device, spec)
    now = f"，现在是{told(spec, value)}" if value is not None and spec.type is not PropertyType.BOOL else ""
    count = f"有{len(spec.choices)}种：" if spec.type is PropertyType.ENUM else "能调"
    return f"{device.label}的{spec.label}{count}{range_text(spec)}{now}"


def _is_asked(spec: PropertySpec, text: str) -> bool:
    """Whether the text speaks of the property, by its own label or the words of its role."""
    entry = roles().get(spec.role)
    words = (spec.label, *(() if entry is None else (entry.label, *entry.words, *entry.asked)))
    return any(word in text for word in words)
