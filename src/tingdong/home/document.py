"""The home as it comes over the wire (service.md, Request frame, Home), decoded and validated.

Validation is strict about what the service stands on (known models, unique ids, property definitions that can be
written to) and lenient about what it does not: unknown extra fields are ignored, a state value that does not fit its
model is kept as it is and read as unknown. Every fault raises `BadHome` with a Chinese message and the place's path.
"""

import re
from enum import StrEnum
from typing import Any

import msgspec

from tingdong.errors import BadHome

__all__ = [
    "LONGEST_ID",
    "LONGEST_NAME",
    "UNREADABLE",
    "HomeDocument",
    "HomeGroup",
    "HomeScene",
    "ModelDocument",
    "PlacedDevice",
    "PropertyDocument",
    "PropertyType",
    "Twin",
    "Warned",
    "decode_home",
    "passed_over",
]

LARGEST_HOME = 100_000
"""Most devices one home may list."""

MOST = {"layout": 2_000, "model": 2_000, "groups": 1_000, "scenes": 1_000}
"""Most entries of the home's other lists."""

MOST_PROPERTIES = 500
"""Properties of one thing model, and choices of one property."""

LONGEST_NAME, LONGEST_ID, LONGEST_TEXT = 128, 256, 2_000
"""Characters of what people call things, of an id, and of a description: what is longer is no such thing."""


class PropertyType(StrEnum):
    """Types of service.md, Home's properties, and the spellings other platforms use for them."""

    BOOL = "bool"
    UINT = "uint"
    INT = "int"
    FLOAT = "float"
    ENUM = "enum"
    STRING = "string"


_SPELLINGS = {
    **{member.value: member for member in PropertyType},
    "boolean": PropertyType.BOOL,
    "integer": PropertyType.INT,
    "number": PropertyType.FLOAT,
    "double": PropertyType.FLOAT,
    "decimal": PropertyType.FLOAT,
    "text": PropertyType.STRING,
    "str": PropertyType.STRING,
}
_NUMBERS = frozenset({PropertyType.UINT, PropertyType.INT, PropertyType.FLOAT})


class PropertyDocument(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One property of a thing model. `min`/`max` bound numbers, `range` lists the values of an enum (and of a bool)."""

    type: str
    range: tuple[Any, ...] = ()
    min: float | None = None
    max: float | None = None
    readonly: bool = False
    describe: str = ""
    unit: str = ""

    @property
    def kind(self) -> PropertyType:
        """Its type. Raises `KeyError` for one that is not known (`is_known`)."""
        return _SPELLINGS[self.type.lower()]

    @property
    def is_known(self) -> bool:
        """Whether its type is known; a property of another type is passed over, and said to be (`Warned`)."""
        return self.type.lower() in _SPELLINGS


class ModelDocument(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A thing model (service.md, Home `model`). `name` and `describe` are free text and may be missing."""

    name: str = ""
    describe: str = ""
    property: dict[str, PropertyDocument] = {}


class Warned(msgspec.Struct, frozen=True):
    """An unused part of a home and its path; the rest of the home is served."""

    path: str
    message: str


class Twin(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A device's model id and present state (service.md, Home `devices[].device`)."""

    model: str
    state: dict[str, Any] = {}


class PlacedDevice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A device with its name and room; `online` false marks one that cannot be reached now."""

    id: str
    device: Twin
    name: str = ""
    local: str = ""
    online: bool = True


class HomeGroup(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named set of device ids (retrieval.md, Sets)."""

    id: str
    name: str
    devices: tuple[str, ...] = ()
    local: str | None = None


class HomeScene(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named scene."""

    id: str
    name: str


class HomeDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole home (service.md, Home); devices keep the order they came in."""

    layout: tuple[str, ...] = ()
    model: dict[str, ModelDocument] = {}
    devices: tuple[PlacedDevice, ...] = ()
    groups: tuple[HomeGroup, ...] = ()
    scenes: tuple[HomeScene, ...] = ()
    did: str = ""


def passed_over(document: HomeDocument) -> tuple[Warned, ...]:
    """The properties whose type is not known, in the home's order."""
    return tuple(
        Warned(f"model.{key}.property.{name}.type", f"属性 {name} 的类型 {definition.type!r} 不认识，没有用它")
        for key, model in document.model.items()
        for name, definition in model.property.items()
        if not definition.is_known
    )


_decoder = msgspec.json.Decoder(HomeDocument)
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding bytes of a stranger may raise."""

_AT = re.compile(r"(.*?)(?: - at `(.*)`)?\Z", re.DOTALL)


def decode_home(raw: bytes | dict[str, Any]) -> HomeDocument:
    """The home in `raw` (JSON bytes, or the parsed object), validated.

    Raises `BadHome` (service.md: 422 with the path of the fault).
    """
    try:
        document = _decoder.decode(raw) if isinstance(raw, bytes) else msgspec.convert(raw, HomeDocument, strict=True)
    except UNREADABLE as error:
        raise wire_fault(error) from error
    check_document(document)
    return document


def wire_fault(error: Exception) -> BadHome:
    """`error` as a `BadHome` whose path is written as the caller wrote the field."""
    match = _AT.match(str(error))
    message, path = (match[1], match[2] or "") if match else (str(error), "")
    path = path.removeprefix("$").removeprefix(".")
    where = f"（{path}）" if path else ""
    return BadHome(f"家庭配置的字段缺失或类型不对{where}：{message}", path=path)


def check_document(document: HomeDocument) -> None:
    """Everything the types cannot say. Raises `BadHome`."""
    if len(document.devices) > LARGEST_HOME:
        raise BadHome(f"设备太多：最多 {LARGEST_HOME} 个", path="devices")
    for field, most in MOST.items():
        if len(getattr(document, field)) > most:
            raise BadHome(f"{field} 最多 {most} 项", path=field)
    for index, room in enumerate(document.layout):
        _check_length(room, LONGEST_NAME, f"layout[{index}]")
    for model_id, model in document.model.items():
        _check_length(model_id, LONGEST_ID, "model")
        _check_length(model.name, LONGEST_NAME, f"model.{model_id}.name")
        _check_length(model.describe, LONGEST_TEXT, f"model.{model_id}.describe")
        if len(model.property) > MOST_PROPERTIES:
            raise BadHome(f"物模型的属性最多 {MOST_PROPERTIES} 个", path=f"model.{model_id}.property")
        for name, definition in model.property.items():
            _check_property(name, definition, f"model.{model_id}.property.{name}")
    _check_devices(document)
    _check_sets(document)


def _check_length(text: str, most: int, path: str) -> None:
    if len(text) > most:
        raise BadHome(f"{path} 最多 {most} 个字符", path=path)


def _check_property(name: str, definition: PropertyDocument, path: str) -> None:
    _check_length(name, LONGEST_NAME, path[: -len(name) - 1])
    _check_length(definition.describe, LONGEST_TEXT, f"{path}.describe")
    if len(definition.range) > MOST_PROPERTIES:
        raise BadHome(f"属性 {name} 的可选值最多 {MOST_PROPERTIES} 个", path=f"{path}.range")
    for choice in definition.range:
        _check_length(str(choice), LONGEST_NAME, f"{path}.range")
    if not definition.is_known:
        return
    kind = definition.kind
    if kind in _NUMBERS:
        _check_number(name, definition, path)
    elif kind is PropertyType.ENUM:
        if not definition.range:
            raise BadHome(f"枚举属性 {name} 缺少可选值 range", path=f"{path}.range")
        if not all(isinstance(choice, str | int) for choice in definition.range):
            raise BadHome(f"枚举属性 {name} 的可选值只能是文字或整数", path=f"{path}.range")
    elif kind is PropertyType.BOOL and any(not isinstance(choice, bool) for choice in definition.range):
        raise BadHome(f"开关属性 {name} 的可选值只能是 true 和 false", path=f"{path}.range")


def _check_number(name: str, definition: PropertyDocument, path: str) -> None:
    low, high = definition.min, definition.max
    for bound, value in (("min", low), ("max", high)):
        if value is None and not definition.readonly:
            raise BadHome(f"数值属性 {name} 缺少 {bound}", path=f"{path}.{bound}")
    if low is not None and high is not None and low > high:
        raise BadHome(f"属性 {name} 的 min 大于 max", path=f"{path}.min")
    if definition.kind is PropertyType.UINT and low is not None and low < 0:
        raise BadHome(f"无符号属性 {name} 的 min 小于零", path=f"{path}.min")


def _check_devices(document: HomeDocument) -> None:
    seen: set[str] = set()
    for index, device in enumerate(document.devices):
        if not device.id:
            raise BadHome("设备缺少 id", path=f"devices[{index}].id")
        _check_length(device.id, LONGEST_ID, f"devices[{index}].id")
        _check_length(device.name, LONGEST_NAME, f"devices[{index}].name")
        _check_length(device.local, LONGEST_NAME, f"devices[{index}].local")
        if device.id in seen:
            raise BadHome(f"设备 id 重复：{device.id}", path=f"devices[{index}].id")
        seen.add(device.id)
        if device.device.model not in document.model:
            raise BadHome(f"未知的物模型：{device.device.model}", path=f"devices[{index}].device.model")


def _check_sets(document: HomeDocument) -> None:
    ids = {device.id for device in document.devices}
    seen = set(ids)
    named: dict[str, tuple[HomeGroup | HomeScene, ...]] = {"groups": document.groups, "scenes": document.scenes}
    for field, entries in named.items():
        for index, entry in enumerate(entries):
            _check_length(entry.id, LONGEST_ID, f"{field}[{index}].id")
            _check_length(entry.name, LONGEST_NAME, f"{field}[{index}].name")
            if entry.id in seen:
                raise BadHome(f"id 重复：{entry.id}", path=f"{field}[{index}].id")
            seen.add(entry.id)
    for index, group in enumerate(document.groups):
        for place, member in enumerate(group.devices):
            if member not in ids:
                raise BadHome(f"分组里的设备不存在：{member}", path=f"groups[{index}].devices[{place}]")
