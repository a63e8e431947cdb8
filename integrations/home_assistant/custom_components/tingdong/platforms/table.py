"""A platform's table: which of its parts (capability, cluster, domain) is which property, how to read and to write it.

One YAML file a platform in `data/`; a fault names file and key. `translate` interprets it.
"""

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec.yaml

__all__ = [
    "KindRow",
    "Needs",
    "PlatformTable",
    "PropertyRow",
    "ValueCodec",
    "WriteRow",
    "load_table",
    "platform_tables",
]


class ValueCodec(StrEnum):
    """Conversions without a scale or map: both directions are functions of `translate`."""

    NUMBER = "number"  # a number that the platform keeps as text
    RGB = "rgb"  # [255, 0, 0] ⇄ "#FF0000"
    HUE_SATURATION = "hue_saturation"  # [hue, saturation] in percent ⇄ "#FF0000"
    HUE_SATURATION_254 = "hue_saturation_254"  # the same in 0..254
    HSV_360_1000 = "hsv_360_1000"  # {"h": 0..360, "s": 0..1000, "v": 0..1000} ⇄ "#FF0000", at full brightness
    RGB_NUMBER = "rgb_number"  # 16711680 ⇄ "#FF0000"
    MIREDS = "mireds"  # 1 000 000 / K
    LOG_LUX = "log_lux"  # 10 000 · log10(lux) + 1
    TRUTH_1 = "truth_1"  # bit 0 of a number


class KindRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a category of the platform is: the thing model's English `name` and Chinese `describe` (service.md,
    Home)."""

    name: str
    describe: str


class Needs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition: the value at `read` is there and, when `any` is given, is or holds one of them."""

    read: str
    any: tuple[Any, ...] = ()


class WriteRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to write: when the home's value is `value` (any when left out), call `call` with `args`.

    In `args`, `$` stands for the platform's value and `$home` for the home's.
    """

    call: str
    value: Any = msgspec.UNSET
    args: dict[str, Any] = {}


class PropertyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A property of the home's thing model (service.md, Home: `property`) and its place on the platform.

    `map` turns the platform's value into the home's (`*` for any other); `scale` is [platform low, platform high, home
    low, home high]. `min_at`, `max_at` and `choices_at` name where the platform says a device's own limits or choices,
    `but` the choices that are left out. Without `write` the property is read-only.
    """

    type: str
    read: str = ""
    describe: str = ""
    unit: str = ""
    min: float | None = None
    max: float | None = None
    min_at: str = ""
    max_at: str = ""
    range: tuple[Any, ...] = ()
    choices_at: str = ""
    but: tuple[str, ...] = ()
    map: dict[Any, Any] = {}
    scale: tuple[float, float, float, float] | None = None
    codec: ValueCodec | None = None
    needs: Needs | None = None
    unless: Needs | None = None
    write: tuple[WriteRow, ...] = ()


class PlatformTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`kinds` by the platform's category, `parts` by capability, cluster or domain: property name → row.

    `default_kind` is the kind of a part that says enough where no category does; `scene_call` runs a scene.
    """

    kinds: dict[str, KindRow]
    parts: dict[str, dict[str, PropertyRow]]
    default_kind: dict[str, str] = {}
    scene_call: str = ""


def load_table(text: str, name: str) -> PlatformTable:
    """A table out of YAML. Raises `ValueError` that names file and key."""
    try:
        table = msgspec.yaml.decode(text, type=PlatformTable)
    except msgspec.DecodeError as error:
        raise ValueError(f"{name}: {error}") from error
    for part, kind in table.default_kind.items():
        if part not in table.parts or kind not in table.kinds:
            raise ValueError(f"{name}: default_kind.{part}: no such part or kind {kind!r}")
    for part, rows in table.parts.items():
        for key, row in rows.items():
            _check(row, f"{name}: parts.{part}.{key}")
    return table


_TYPES = frozenset({"bool", "uint", "int", "float", "enum", "string"})
NUMBER_TYPES = frozenset({"uint", "int", "float"})


def _check(row: PropertyRow, where: str) -> None:
    if row.type not in _TYPES:
        raise ValueError(f"{where}.type: unknown {row.type!r}")
    if row.type == "enum" and not row.range and not row.choices_at:
        raise ValueError(f"{where}: an enum needs range or choices_at")
    if row.type in NUMBER_TYPES and row.write and (row.min is None or row.max is None):
        raise ValueError(f"{where}: a number that is written needs min and max")
    if not row.read and not row.write:
        raise ValueError(f"{where}: neither read nor written")
    if row.scale is not None and (row.scale[0] == row.scale[1] or row.scale[2] == row.scale[3]):
        raise ValueError(f"{where}.scale: the range is empty")
    if row.type == "bool" and row.write and row.read and not (row.map or row.codec) and _told_apart(row) is False:
        raise ValueError(f"{where}.write: true and false need a call each, or a value in args")


def _told_apart(row: PropertyRow) -> bool:
    said = {write.value for write in row.write if write.value is not msgspec.UNSET}
    return said == {True, False} or any(write.value is msgspec.UNSET for write in row.write)


@cache
def platform_tables() -> dict[str, PlatformTable]:
    """The packaged tables that are there, by platform. Raises `ValueError` for one that is broken."""
    found = (place for place in files(__package__).joinpath("data").iterdir() if place.name.endswith(".yaml"))
    return {
        place.name.removesuffix(".yaml"): load_table(place.read_text(encoding="utf-8"), place.name) for place in found
    }
