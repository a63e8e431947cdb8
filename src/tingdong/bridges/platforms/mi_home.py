"""Mi Home's devices as things: services and properties of their MIoT-Spec instances (miot-spec.org).

A property is told by its service and its name (`light.brightness`), whatever numbers an instance gives them; a choice
by its description (`Cool`), whatever value stands for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .table import PlatformTable
from .translate import PlatformCall, PlatformDocument, PlatformScene, Thing

__all__ = ["read", "shown"]

GANG = "switch"


def read(document: Mapping[str, Any], _table: PlatformTable) -> PlatformDocument:
    """The things and scenes of a document."""
    return _things_of(document), _scenes_of(document), ()


def _things_of(document: Mapping[str, Any]) -> tuple[Thing, ...]:
    """A document of `devices` (each with `did`, `name` and its `urn`) and of `instances` by urn; where known, `rooms`
    (`name`, `dids`) and `properties` as `get_properties` answers them (`did`, `siid`, `piid`, `value`).

    Every `switch` service after the first is a thing of its own, `DID/SIID`, named by its description.
    """
    rooms = {str(did): room.get("name", "") for room in document.get("rooms", ()) for did in room["dids"]}
    told: dict[str, dict[tuple[int, int], Any]] = {}
    for one in document.get("properties", ()):
        if one.get("code", 0) == 0:
            told.setdefault(str(one["did"]), {})[one["siid"], one["piid"]] = one.get("value")
    found: list[Thing] = []
    for device in document["devices"]:
        did = str(device["did"])
        services = document["instances"][device["urn"]]["services"]
        found += _things(device, services, told.get(did, {}), rooms.get(did, ""))
    return tuple(found)


def _scenes_of(document: Mapping[str, Any]) -> tuple[PlatformScene, ...]:
    """The scenes of the document."""
    return tuple(PlatformScene(str(scene["scene_id"]), scene.get("name", "")) for scene in document.get("scenes", ()))


def shown(call: PlatformCall, things: Mapping[str, Thing]) -> dict[str, Any]:
    """A call as one entry of `set_properties`, or as an `action`; a scene by its id."""
    thing = things.get(call.id)
    if thing is None:
        return {"scene_id": call.id}
    did, place = call.id.partition("/")[0], thing.values[f"{call.call}.at"]
    if "value" not in call.args:
        return {"did": did, "siid": place[0], "aiid": place[1], "in": []}
    value = call.args["value"]
    value = thing.values.get(f"{call.call}.values", {}).get(value, value) if isinstance(value, str) else value
    return {"did": did, "siid": place[0], "piid": place[1], "value": value}


def _things(
    device: Mapping[str, Any], services: Iterable[Mapping[str, Any]], told: Mapping[tuple[int, int], Any], room: str
) -> Iterator[Thing]:
    did, kind, name = str(device["did"]), _name(device["urn"]), device.get("name", "")
    online = bool(device.get("isOnline", True))
    main: dict[str, Any] = {}
    parts: list[str] = []
    for service in services:
        part, values = _name(service["type"]), dict(_values(service, told))
        if part == GANG and GANG in parts:
            label = service.get("description") or f"{name}{service['iid']}"
            yield Thing(f"{did}/{service['iid']}", label, (GANG,), values, room, kind, online=online)
        elif part not in parts:
            parts.append(part)
            main |= values
    yield Thing(did, name, tuple(parts), main, room, kind, online=online)


def _values(service: Mapping[str, Any], told: Mapping[tuple[int, int], Any]) -> Iterator[tuple[str, Any]]:
    """`service.property` → value, and beside it where it stands (`.at`), its limits and its choices."""
    part, siid = _name(service["type"]), service["iid"]
    for action in service.get("actions", ()):
        yield f"{part}.{_name(action['type'])}.at", (siid, action["iid"])
    for one in service.get("properties", ()):
        path, value = f"{part}.{_name(one['type'])}", told.get((siid, one["iid"]))
        if "write" in one.get("access", ()):
            yield f"{path}.at", (siid, one["iid"])
        limits = one.get("value-range")
        if limits:
            yield f"{path}.min", limits[0]
            yield f"{path}.max", limits[1]
        choices = {str(choice["description"]).lower(): choice["value"] for choice in one.get("value-list", ())}
        if choices:
            yield f"{path}.values", choices
            yield f"{path}.choices", list(choices)
            value = next((word for word, number in choices.items() if number == value), None)
        if value is not None:
            yield path, value


def _name(urn: str) -> str:
    """`light` of `urn:miot-spec-v2:service:light:00007802:…`."""
    return urn.split(":")[3]
