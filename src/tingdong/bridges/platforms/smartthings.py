"""SmartThings' devices as things: components, capabilities and status (its REST API's `/devices`)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .table import PlatformTable
from .translate import PlatformCall, PlatformDocument, PlatformScene, Thing

__all__ = ["read", "shown"]

MAIN = "main"


def read(document: Mapping[str, Any], _table: PlatformTable) -> PlatformDocument:
    """The things and scenes of a document."""
    return _things_of(document), _scenes_of(document), ()


def _things_of(document: Mapping[str, Any]) -> tuple[Thing, ...]:
    """A document of `devices` and, where known, `rooms` and `status` (device id → `/status`); lists or `items`.

    A component beside `main` that can be switched is a thing of its own, `DEVICE/COMPONENT` (three gangs).
    """
    rooms = {room["roomId"]: room.get("name", "") for room in _items(document.get("rooms"))}
    status = document.get("status") or {}
    return tuple(thing for device in _items(document["devices"]) for thing in _things(device, rooms, status))


def _scenes_of(document: Mapping[str, Any]) -> tuple[PlatformScene, ...]:
    """The scenes of the document."""
    return tuple(
        PlatformScene(scene["sceneId"], scene.get("sceneName", "")) for scene in _items(document.get("scenes"))
    )


def shown(call: PlatformCall, _things: Mapping[str, Thing]) -> dict[str, Any]:
    """A call as the body's command of `POST /devices/{id}/commands`, with the device it goes to."""
    device, _, component = call.id.partition("/")
    capability, _, command = call.call.partition(".")
    if capability == "scene":
        return {"sceneId": call.id}
    return {
        "deviceId": device,
        "component": component or MAIN,
        "capability": capability,
        "command": command,
        "arguments": list(call.args.values()),
    }


def _items(value: Any) -> Iterable[Mapping[str, Any]]:
    return (value.get("items") or () if isinstance(value, Mapping) else value) or ()


def _things(device: Mapping[str, Any], rooms: Mapping[str, str], status: Mapping[str, Any]) -> Iterator[Thing]:
    device_id, name = device["deviceId"], device.get("label") or device.get("name") or ""
    told = status.get(device_id, {}).get("components", {})
    for component in device.get("components", ()):
        part = component["id"]
        capabilities = tuple(one["id"] for one in component.get("capabilities", ()))
        if part != MAIN and "switch" not in capabilities:
            continue
        values = dict(_values(component, told.get(part, {})))
        categories = component.get("categories") or ()
        yield Thing(
            id=device_id if part == MAIN else f"{device_id}/{part}",
            name=name if part == MAIN else component.get("label") or f"{name}{part}",
            parts=capabilities,
            values=values,
            room=rooms.get(device.get("roomId", ""), ""),
            kind=categories[0]["name"] if categories else "",
            online=values.get("healthCheck.DeviceWatch-DeviceStatus") != "offline",
        )


def _values(component: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """`capability.attribute` → value, as the status says, or as the capability carries it (`includeStatus`)."""
    for capability in component.get("capabilities", ()):
        said = told.get(capability["id"]) or capability.get("status") or {}
        for attribute, state in said.items():
            if isinstance(state, Mapping) and state.get("value") is not None:
                yield f"{capability['id']}.{attribute}", state["value"]
