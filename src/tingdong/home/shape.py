"""A home's shape: its rarely changing part (architecture, "Home = shape + state"; service.md, Home).

`compile_shape` turns a document into devices with kind, closed type, roles of properties and names. State is not part
of it, so that an executed command recompiles nothing.
"""

import re
from collections import Counter
from functools import cache, cached_property

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import Device, DeviceType, Group, Scene
from context_retrieval.rooms import telling_rooms
from tingdong.commands.reading import NameTable
from tingdong.home.device import DeviceShape, part_words
from tingdong.home.document import HomeDocument, ModelDocument, Warned, passed_over
from tingdong.home.entities import entities
from tingdong.home.kinds import described_kind, infer_kind, plain_name
from tingdong.home.model import PropertyRole
from tingdong.home.policy import protection_of, risky_acts
from tingdong.home.properties import PropertySpec, compile_properties
from tingdong.home.vocabulary import KindEntry, kinds, roles
from zhtext.normalise import respelled

__all__ = ["HomeShape", "compile_shape", "devices_of", "generic_words"]

_FLOOR = re.compile(
    r"(负?[一二三四五六七八九十\d]+[楼层]|楼上|楼下|地下|顶楼|阁楼|\d+[Ff](?![A-Za-z])|[Bb]\d(?=[\s\u4e00-\u9fff]))\s*(?=.)"
)


class HomeShape:
    """A compiled home without its state; `devices` keeps the home's order, `groups` and `scenes` are by id; `warnings`
    say what of the home was passed over."""

    def __init__(
        self,
        *,
        devices: dict[str, DeviceShape],
        rooms: tuple[str, ...],
        groups: dict[str, Group],
        scenes: dict[str, Scene],
        warnings: tuple[Warned, ...] = (),
    ) -> None:
        self.devices = devices
        self.rooms = rooms
        self.groups = groups
        self.scenes = scenes
        self.warnings = warnings
        by_room: dict[str, list[DeviceShape]] = {room: [] for room in rooms}
        for device in devices.values():
            by_room.setdefault(device.room, []).append(device)
        self.by_room = by_room

    @cached_property
    def names(self) -> NameTable:
        """Words of this home a parser should look for."""
        return _names(self)

    @cached_property
    def catalog(self) -> Catalog:
        """The devices, groups and scenes as context retrieval searches them; made at first use."""
        return Catalog.build(devices_of(self), self.groups.values(), self.scenes.values(), rooms=self.rooms)

    def of_type(self, type_: DeviceType) -> tuple[DeviceShape, ...]:
        """Devices of one closed type, in the home's order."""
        return self._by_type.get(type_, ())

    def of_kind(self, key: str) -> tuple[DeviceShape, ...]:
        """Devices of one kind of `kinds.yaml`, in the home's order."""
        return self._by_kind.get(key, ())

    @cached_property
    def _by_type(self) -> dict[DeviceType, tuple[DeviceShape, ...]]:
        found: dict[DeviceType, list[DeviceShape]] = {}
        for device in self.devices.values():
            found.setdefault(device.type, []).append(device)
        return {type_: tuple(devices) for type_, devices in found.items()}

    @cached_property
    def _by_kind(self) -> dict[str, tuple[DeviceShape, ...]]:
        found: dict[str, list[DeviceShape]] = {}
        for device in self.devices.values():
            found.setdefault(device.kind.key, []).append(device)
        return {key: tuple(devices) for key, devices in found.items()}

    def room_named(self, word: str) -> str | None:
        """The home's own room for `word`: exact, or the only one that ends with it (主卧 → 楼上主卧)."""
        if word in self.by_room:
            return word
        near = [room for room in self.by_room if room.endswith(word)] or [room for room in self.by_room if word in room]
        return near[0] if word and len(near) == 1 else None


def compile_shape(document: HomeDocument) -> HomeShape:
    """The shape of a validated document. Costs a few microseconds a device; call it once a shape (`cache`)."""
    shapes: dict[str, DeviceShape] = {}
    models: dict[tuple[str, str], tuple[dict[str, PropertySpec], dict[PropertyRole, PropertySpec]]] = {}
    plains = [plain_name(placed.name) for placed in document.devices]
    taken = Counter((placed.local, plain) for placed, plain in zip(document.devices, plains, strict=True))
    spelled = {key: _in_one_spelling(_with_known_types(model)) for key, model in document.model.items()}
    for index, (placed, plain) in enumerate(zip(document.devices, plains, strict=True)):
        model = spelled[placed.device.model]
        kind = infer_kind(respelled(placed.name), model.describe, model.name)
        key = (placed.device.model, kind.key)
        if key not in models:
            specs = {spec.name: spec for spec in compile_properties(model, kind)}
            models[key] = specs, _by_role(specs)
        specs, by_role = models[key]
        if kind.key == "other":
            kind = _kind_by_properties(by_role)
        described = described_kind(model.describe)
        protection = protection_of(placed.name, placed.local, kind, described, model.describe)
        unique = plain if taken[placed.local, plain] == 1 else placed.name
        shapes[placed.id] = DeviceShape(
            id=placed.id,
            index=index,
            name=placed.name,
            room=placed.local,
            kind=kind,
            type=kind.type,
            plain=unique or kind.word,
            label=_label(placed.local, unique or kind.word),
            describe=model.describe,
            properties=specs,
            by_role=by_role,
            protection=protection,
            risky=risky_acts(kind, described, protection),
        )
    rooms = tuple(dict.fromkeys((*document.layout, *(placed.local for placed in document.devices if placed.local))))
    return HomeShape(
        devices=shapes,
        rooms=rooms,
        groups={entry.id: Group(entry.id, entry.name, entry.devices, entry.local) for entry in document.groups},
        scenes={entry.id: Scene(entry.id, entry.name) for entry in document.scenes},
        warnings=passed_over(document),
    )


def _with_known_types(model: ModelDocument) -> ModelDocument:
    """The model without the properties whose type is not known."""
    known = {name: definition for name, definition in model.property.items() if definition.is_known}
    return model if len(known) == len(model.property) else msgspec.structs.replace(model, property=known)


def _in_one_spelling(model: ModelDocument) -> ModelDocument:
    """The model with what it says of itself as the tables write it; names and choices stay, for they are sent."""
    if _written(model.describe) == model.describe and not any(one.describe for one in model.property.values()):
        return model
    properties = {
        name: msgspec.structs.replace(one, describe=_written(one.describe)) for name, one in model.property.items()
    }
    return msgspec.structs.replace(model, describe=_written(model.describe), property=properties)


def _written(describe: str) -> str:
    """Simplified, and 唯读 as 只读."""
    return respelled(describe).replace("唯读", "只读")


def devices_of(home: HomeDocument | HomeShape) -> tuple[Device, ...]:
    """The home's devices as retrieval.md hands them in, in the home's order, each with what it can do in Chinese."""
    shape = home if isinstance(home, HomeShape) else compile_shape(home)
    return entities(shape.devices.values())


def _by_role(specs: dict[str, PropertySpec]) -> dict[PropertyRole, PropertySpec]:
    """The first property of each role; one that can be written wins over one that cannot."""
    found: dict[PropertyRole, PropertySpec] = {}
    for spec in specs.values():
        known = found.get(spec.role)
        if known is None or (known.readonly and not spec.readonly):
            found[spec.role] = spec
    return found


def _kind_by_properties(by_role: dict[PropertyRole, PropertySpec]) -> KindEntry:
    """The kind its properties give away, for a device that neither name nor describe explains."""
    if PropertyRole.MODE in by_role and PropertyRole.TEMPERATURE in by_role:
        return kinds()["air_conditioner"]
    for role, entry in roles().items():
        if entry.kind and role in by_role:
            return kinds()[entry.kind]
    if PropertyRole.SENSED_TEMPERATURE in by_role and PropertyRole.POWER not in by_role:
        return kinds()["temperature_sensor"]
    if PropertyRole.SENSED_HUMIDITY in by_role and PropertyRole.POWER not in by_role:
        return kinds()["humidity_sensor"]
    return kinds()["other"]


def _label(room: str, name: str) -> str:
    """Room and name without saying the room twice (客厅 + 客厅灯 → 客厅灯)."""
    if not room or room in name:
        return name
    bare = _FLOOR.sub("", room)
    return f"{room}{name.removeprefix(bare) or name}" if len(bare) > 1 else f"{room}{name}"


# ---- words for the parser


@cache
def generic_words() -> frozenset[str]:
    """Words that mean any device of a closed type (commands.md, NAME and TYPE); they are no names."""
    words = default_lexicon().generic_words
    return frozenset(word for type_ in DeviceType if type_ is not DeviceType.UNKNOWN for word in words[type_])


def _names(shape: HomeShape) -> NameTable:
    names: dict[str, DeviceType] = {}
    for device in shape.devices.values():
        for word in map(respelled, (device.name, device.plain, *part_words(device))):
            if word and word not in generic_words():
                known = names.get(word)
                names[word] = device.type if known in (None, device.type) else DeviceType.UNKNOWN
    names.update(_families(shape, names))
    rooms = {room for room in shape.rooms if room}
    for room in tuple(rooms):
        floor = _FLOOR.match(room)
        if floor:
            rooms.update((floor[1], room[floor.end() :]))
        numbered = _NUMBERED.match(room)
        if numbered:
            rooms.update(_spoken_numbers(numbered[1]))
        counted = _COUNTED.match(room[floor.end() :] if floor else room)
        if counted:
            rooms.update(_spoken_counts(counted[1], counted[2]))
    rooms.update(telling_rooms(shape.rooms))
    for group in shape.groups.values():
        types = {shape.devices[member].type for member in group.devices}
        names[respelled(group.name)] = types.pop() if len(types) == 1 else DeviceType.UNKNOWN
    scenes = frozenset(respelled(scene.name) for scene in shape.scenes.values())
    return NameTable(names=names, rooms=frozenset(rooms), scenes=scenes, choices=_choices(shape))


def _choices(shape: HomeShape) -> frozenset[str]:
    """What the things of the home can be set to, as their models call it (高清线, 风琴), and their features."""
    models = {id(device.properties): device.properties for device in shape.devices.values()}
    specs = [spec for properties in models.values() for spec in properties.values() if not spec.readonly]
    words = {text for spec in specs for text in spec.texts.values()} | {one.called for one in specs}
    return frozenset(word for word in words if len(word) > 1 and not word.isascii())


_LETTERED = re.compile(r"(.*[A-Za-z]{2,})\s+(?:[A-Za-z]|\d{1,2})")


def _families(shape: HomeShape, names: dict[str, DeviceType]) -> dict[str, DeviceType]:
    """English names that several devices share but for a letter or number behind it (Linear 1, Linear 2 → Linear)."""
    types: dict[str, list[DeviceType]] = {}
    for device in shape.devices.values():
        match = _LETTERED.fullmatch(device.name)
        if match is not None and match[1] not in names and match[1] not in generic_words():
            types.setdefault(match[1], []).append(device.type)
    return {name: found[0] for name, found in types.items() if len(found) > 1 and len(set(found)) == 1}


_NUMBERED = re.compile(r"(\d{3,4})(?:号?房间?|室|号)?\Z")
"""A room that is known by its number, as guest rooms and offices are (101房, 2306室)."""

_COUNTED = re.compile(r"(.*[^\dA-Za-z\s])(\d{1,2})\Z")
"""A room told from its like by a small number behind its word (诊室2, 会议室12)."""

_READ_OUT = (str.maketrans("0123456789", "零一二三四五六七八九"), str.maketrans("0123456789", "零幺二三四五六七八九"))


def _spoken_numbers(number: str) -> tuple[str, ...]:
    """How the number of a room is said: 101, 一零一, 幺零幺, with and without a word for room."""
    said = dict.fromkeys((number, *(number.translate(digits) for digits in _READ_OUT)))
    return tuple(f"{form}{ending}" for form in said for ending in ("", "房", "房间", "号", "号房", "室"))


def _spoken_counts(word: str, number: str) -> tuple[str, ...]:
    """How a counted room is said: 诊室2, 诊室二, 2号诊室, 二号诊室."""
    said = dict.fromkeys((number, _in_words(int(number))))
    return tuple(form for one in said for form in (f"{word}{one}", f"{one}号{word}", f"{word}{one}号"))


def _in_words(number: int) -> str:
    digits = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    if not tens:
        return digits[ones]
    return f"{digits[tens] if tens > 1 else ''}十{digits[ones] if ones else ''}"
