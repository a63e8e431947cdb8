"""Things of a platform ⇄ a home and its instructs (service.md, Home), as the platform's table says.

`home_of` makes the home; things alike share a model, so that the home stays small. `calls_of` turns one instruct into
the platform's calls; several properties that one call can set become one call.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from .table import NUMBER_TYPES, Needs, PlatformTable, PropertyRow, WriteRow
from .values import from_platform, lookup, to_platform

__all__ = ["PlatformCall", "PlatformDocument", "PlatformScene", "Thing", "calls_of", "home_of"]


class Thing(msgspec.Struct, frozen=True):
    """One device of a platform: `parts` are keys of its table's `parts`, `values` its reported values by path.

    `kind` is a key of the table's `kinds`, or "" if the platform gives none.
    """

    id: str
    name: str
    parts: tuple[str, ...]
    values: Mapping[str, Any] = {}
    room: str = ""
    kind: str = ""
    online: bool = True


class PlatformScene(msgspec.Struct, frozen=True):
    """A scene of the platform."""

    id: str
    name: str


PlatformDocument = tuple[tuple[Thing, ...], tuple[PlatformScene, ...], tuple[str, ...]]
"""What a platform's document tells: things, scenes, and rooms beyond those of the things."""


class PlatformCall(msgspec.Struct, frozen=True):
    """One call to a platform about the thing `id`; `args` keep the table's order."""

    id: str
    call: str
    args: dict[str, Any] = {}


def home_of(
    things: Iterable[Thing], table: PlatformTable, *, scenes: Iterable[PlatformScene] = (), rooms: Iterable[str] = ()
) -> dict[str, Any]:
    """The home as plain JSON, without devices that have no property in the table."""
    models: dict[str, tuple[str, dict[str, Any]]] = {}
    devices = []
    for thing in things:
        rows = dict(_rows(thing, table))
        if not rows:
            continue
        model = _model(thing, rows, table)
        key = json.dumps(model, ensure_ascii=False, sort_keys=True)
        if key not in models:
            models[key] = f"{model['name']}-{len(models) + 1}", model
        devices.append(_device(thing, rows, models[key][0]))
    layout = dict.fromkeys((*rooms, *(device["local"] for device in devices)))
    home: dict[str, Any] = {
        "layout": [room for room in layout if room],
        "model": dict(models.values()),
        "devices": devices,
    }
    named = [{"id": scene.id, "name": scene.name} for scene in scenes]
    return {**home, "scenes": named} if named else home


def calls_of(instruct: Mapping[str, Any], things: Mapping[str, Thing], table: PlatformTable) -> list[PlatformCall]:
    """The calls of an instruct (service.md, Closing frame) that acts now, in the order of its state.

    Raises KeyError for an id or a property that `things` do not have: such an instruct was made for another home.
    """
    thing_id = instruct["id"]
    thing = things.get(thing_id)
    if thing is None and not instruct["state"] and table.scene_call:
        return [PlatformCall(thing_id, table.scene_call)]
    rows = dict(_rows(things[thing_id], table))
    calls: dict[str, dict[str, Any]] = {}
    for name, value in instruct["state"].items():
        row = rows[name]
        write = _way(row, value)
        filled = {key: _filled(said, row, value) for key, said in write.args.items()}
        calls.setdefault(write.call, {}).update(filled)
    return [PlatformCall(thing_id, call, args) for call, args in calls.items()]


def _rows(thing: Thing, table: PlatformTable) -> Iterator[tuple[str, PropertyRow]]:
    """The properties the thing has; of several parts with a property of one name the first wins."""
    seen: set[str] = set()
    for part in thing.parts:
        for name, row in table.parts.get(part, {}).items():
            if name in seen or not _holds(row.needs, thing, default=True) or _holds(row.unless, thing, default=False):
                continue
            if row.choices_at and not _choices(row, thing):
                continue
            seen.add(name)
            yield name, row


def _holds(needs: Needs | None, thing: Thing, *, default: bool) -> bool:
    if needs is None:
        return default
    found = lookup(thing.values, needs.read)
    if found is None or not needs.any:
        return found is not None
    return any(one in needs.any for one in (found if isinstance(found, list | tuple) else [found]))


def _model(thing: Thing, rows: Mapping[str, PropertyRow], table: PlatformTable) -> dict[str, Any]:
    kind = thing.kind or next((table.default_kind[part] for part in thing.parts if part in table.default_kind), "")
    known = table.kinds.get(kind)
    return {
        "name": known.name if known else "device",
        "describe": known.describe if known else "",
        "property": {name: _definition(row, thing) for name, row in rows.items()},
    }


def _definition(row: PropertyRow, thing: Thing) -> dict[str, Any]:
    definition: dict[str, Any] = {"type": row.type}
    if row.type == "bool":
        definition["range"] = [True, False]
    elif row.type == "enum":
        definition["range"] = list(_choices(row, thing))
    elif row.type in NUMBER_TYPES and row.min is not None and row.max is not None:
        definition["min"] = _bound(thing, row.min_at, row.min)
        definition["max"] = _bound(thing, row.max_at, row.max)
    if not row.write:
        definition["readonly"] = True
    told = {"describe": row.describe, "unit": row.unit}
    return definition | {key: text for key, text in told.items() if text}


def _bound(thing: Thing, path: str, default: float) -> float | int:
    found = thing.values.get(path) if path else None
    good = isinstance(found, int | float) and not isinstance(found, bool)
    value = found if good and found is not None else default
    return int(value) if value == int(value) else value


def _choices(row: PropertyRow, thing: Thing) -> tuple[Any, ...]:
    if not row.choices_at:
        return row.range
    found = thing.values.get(row.choices_at)
    if not isinstance(found, list | tuple):
        return row.range
    return tuple(str(one) for one in found if str(one) not in row.but)


def _device(thing: Thing, rows: Mapping[str, PropertyRow], model: str) -> dict[str, Any]:
    read = {name: from_platform(row, lookup(thing.values, row.read)) for name, row in rows.items() if row.read}
    state = {name: value for name, value in read.items() if value is not None}
    device: dict[str, Any] = {
        "id": thing.id,
        "name": thing.name,
        "local": thing.room,
        "device": {"model": model, "state": state},
    }
    return device if thing.online else {**device, "online": False}


def _way(row: PropertyRow, value: Any) -> WriteRow:
    for write in row.write:
        if write.value is msgspec.UNSET or (write.value == value and type(write.value) is type(value)):
            return write
    raise KeyError(f"no way to write {value!r}")


def _filled(said: Any, row: PropertyRow, value: Any) -> Any:
    if isinstance(said, dict):
        return {key: _filled(inner, row, value) for key, inner in said.items()}
    if said == "$home":
        return value
    if not isinstance(said, str) or not said.startswith("$"):
        return said
    filled = to_platform(row, value)
    return filled if said == "$" else filled[int(said[1:])]
