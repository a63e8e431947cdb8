"""One device's shape: what it is, what its properties mean, what it is called (service.md, Home)."""

import msgspec

from context_retrieval.models import DeviceType
from context_retrieval.protection import Protection
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import KindEntry

__all__ = ["DEFAULT_ROLES", "DeviceShape", "other_names", "part_words", "watched"]

DEFAULT_ROLES: dict[DeviceType, tuple[PropertyRole, ...]] = {
    DeviceType.LIGHT: (PropertyRole.BRIGHTNESS,),
    DeviceType.BLIND: (PropertyRole.OPENING,),
    DeviceType.NETWORK_AUDIO: (PropertyRole.VOLUME,),
    DeviceType.TELEVISION: (PropertyRole.VOLUME,),
    DeviceType.AIR_CONDITIONER: (PropertyRole.TEMPERATURE, PropertyRole.SPEED),
    DeviceType.FAN: (PropertyRole.SPEED,),
}
"""The attribute a bare number or percent takes (commands.md, ACTION)."""

_ANY_DEFAULT = (
    PropertyRole.SPEED,
    PropertyRole.TEMPERATURE,
    PropertyRole.BRIGHTNESS,
    PropertyRole.OPENING,
    PropertyRole.VOLUME,
    PropertyRole.HUMIDITY,
)


class DeviceShape(msgspec.Struct, frozen=True, gc=False):
    """One device. `plain` is its name without descriptive prefixes, `label` its name in replies and summaries.

    `by_role` holds the first property of each role; `protection` is the reason why sets exclude it, `risky` the acts
    that need a confirmation (policy table; by name and by model).
    """

    id: str
    index: int
    name: str
    room: str
    kind: KindEntry
    type: DeviceType
    plain: str
    label: str
    describe: str
    properties: dict[str, PropertySpec]
    by_role: dict[PropertyRole, PropertySpec]
    protection: Protection | None = None
    risky: tuple[str, ...] = ()

    @property
    def protected(self) -> bool:
        """Whether 全关 excludes it."""
        return self.protection is not None and not self.protection.starting

    @property
    def power(self) -> PropertySpec | None:
        """The property that switches it; None where there is none."""
        return self.by_role.get(PropertyRole.POWER)

    @property
    def is_sensor(self) -> bool:
        """Whether it has no writable property."""
        return all(spec.readonly for spec in self.properties.values())

    @property
    def features(self) -> list[PropertySpec]:
        """Its additional switches (照明, 消毒, 摇头)."""
        return [spec for spec in self.properties.values() if spec.is_feature]

    def called(self, word: str) -> PropertySpec | None:
        """What can be set of it and is called exactly so by its model; None for nothing."""
        return next((one for one in self.properties.values() if word and one.called == word and not one.readonly), None)

    @property
    def default(self) -> PropertySpec | None:
        """The property a bare number or percent is for; the only number there is, where it has no role."""
        for role in (*DEFAULT_ROLES.get(self.type, ()), *_ANY_DEFAULT):
            spec = self.by_role.get(role)
            if spec is not None and not spec.readonly:
                return spec
        numbers = [one for one in self.properties.values() if one.numeric and not one.readonly]
        return numbers[0] if len(numbers) == 1 else None


def part_words(device: DeviceShape) -> tuple[str, ...]:
    """What a part of a device is called (冷藏室, 冰箱冷藏): names of the device that choose one of its properties."""
    words: list[str] = []
    for spec in device.properties.values():
        if len(spec.part) < 2:
            continue
        short = spec.part.removesuffix("室").removesuffix("区")
        for part in dict.fromkeys((spec.part, short, f"{short}室")):
            words.append(part)
            if not part.startswith(device.plain):
                words.append(device.plain + part)
    return tuple(dict.fromkeys(words))


def watched(device: DeviceShape) -> str:
    """What a contact sensor watches (大门门磁 → 大门, 入户门磁 → 入户门, 窗磁 → 窗户)."""
    name = device.plain
    for tail in ("传感器", "感应器", "磁"):
        name = name.removesuffix(tail)
    for thing in ("门", "窗"):
        if name.endswith(thing * 2):
            name = name[:-1]
    return {"窗": "窗户", "门窗": "门", "": "门"}.get(name, name)


def other_names(device: DeviceShape) -> tuple[str, ...]:
    """What else people call the device: its plain name, its parts, the door or window it watches or locks."""
    words = [device.plain, *part_words(device)]
    if PropertyRole.OPEN in device.by_role:
        words += [watched(device), *(("窗", "窗户") if "窗" in device.plain else ())]
    if device.kind.key == "lock":
        words += ["门锁", "门"]
    return tuple(word for word in dict.fromkeys(words) if word and word != device.name)
