"""Tuya's devices as things: categories, status codes and their specifications (its cloud's OpenAPI).

A value that Tuya counts in tenths (`scale` of its specification) is read in whole units, and written in tenths again.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .table import PlatformTable
from .translate import PlatformCall, PlatformDocument, PlatformScene, Thing

__all__ = ["read", "shown"]

_GANG = re.compile(r"switch_(\d+)\Z")


def read(document: Mapping[str, Any], _table: PlatformTable) -> PlatformDocument:
    """The things and scenes of a document."""
    return _things_of(document), _scenes_of(document), ()


def _things_of(document: Mapping[str, Any]) -> tuple[Thing, ...]:
    """A document of `devices` (each with `status`); where known, `rooms`, and by device id `specifications`, `names`.

    Of several gangs (`switch_1`, `switch_2` …) each is a thing of its own, `DEVICE/switch_2`, called as `names` say.
    """
    rooms = {device: room.get("name", "") for room in document.get("rooms", ()) for device in room["devices"]}
    return tuple(thing for device in document["devices"] for thing in _things(device, document, rooms))


def _scenes_of(document: Mapping[str, Any]) -> tuple[PlatformScene, ...]:
    """The scenes of the document."""
    return tuple(PlatformScene(scene["scene_id"], scene.get("name", "")) for scene in document.get("scenes", ()))


def shown(call: PlatformCall, things: Mapping[str, Thing]) -> dict[str, Any]:
    """A call as `commands` of `POST /v1.0/devices/{id}/commands`, with the device it goes to; a scene by its id.

    `mode` in a call's args is the work mode that the value is shown in, where the lamp has modes.
    """
    device, _, gang = call.id.partition("/")
    thing = things.get(call.id)
    if thing is None:
        return {"scene_id": call.id}
    code, value = gang or call.call, call.args["value"]
    scale = thing.values.get(f"{code}.scale") or 0
    if scale and isinstance(value, int | float):
        value = round(value * 10**scale)
    mode = call.args.get("mode")
    modes = [{"code": "work_mode", "value": mode}] if mode and "work_mode" in thing.values else []
    return {"device_id": device, "commands": [*modes, {"code": code, "value": value}]}


def _things(device: Mapping[str, Any], document: Mapping[str, Any], rooms: Mapping[str, str]) -> Iterator[Thing]:
    device_id, name, kind = device["id"], device.get("name", ""), device.get("category", "")
    specification = document.get("specifications", {}).get(device_id, {})
    limits = {one["code"]: _parsed(one.get("values")) for one in _specified(specification)}
    told = {state["code"]: _value(state.get("value"), limits.get(state["code"], {})) for state in device["status"]}
    common: dict[str, Any] = {
        "room": rooms.get(device_id, ""),
        "kind": kind,
        "online": bool(device.get("online", True)),
    }
    gangs = [code for code in told if _GANG.match(code)]
    if len(gangs) < 2:
        values = {**dict(_limits(limits)), **told}
        yield Thing(device_id, name, tuple(dict.fromkeys((*told, *limits))), values, **common)
        return
    called = {one["identifier"]: one.get("name") for one in document.get("names", {}).get(device_id, ())}
    for place, gang in enumerate(gangs, 1):
        label = called.get(gang) or f"{name}{place}"
        yield Thing(f"{device_id}/{gang}", label, ("switch_1",), {"switch_1": told[gang]}, **common)


def _specified(specification: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from specification.get("status", ())
    yield from specification.get("functions", ())


def _limits(limits: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """What the device's own specification says of a code: `code.min`, `code.max` in whole units, `code.range`."""
    for code, told in limits.items():
        scale = told.get("scale") or 0
        yield f"{code}.scale", scale
        for key in ("min", "max"):
            if isinstance(told.get(key), int | float):
                yield f"{code}.{key}", told[key] / 10**scale
        if isinstance(told.get("range"), list):
            yield f"{code}.range", told["range"]


def _value(value: Any, limits: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("{"):
        return _parsed(value)
    scale = limits.get("scale") or 0
    return value / 10**scale if scale and isinstance(value, int | float) and not isinstance(value, bool) else value


def _parsed(text: Any) -> dict[str, Any]:
    """JSON within JSON, as Tuya sends it; nothing where it is none."""
    if isinstance(text, Mapping):
        return dict(text)
    try:
        found = json.loads(text)
    except (TypeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
