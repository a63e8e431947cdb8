"""Matter nodes as things: endpoints, device types and attributes, as a controller dumps them (`1/6/0`: true)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .table import PlatformTable
from .translate import PlatformCall, PlatformDocument, Thing

__all__ = ["read", "shown"]

DEVICE_TYPES = "29/0"
LABELS = ("65/0", "64/0")  # UserLabel before FixedLabel
BRIDGED_NAME = "57/5"
NAME = "0/40/5"
PRODUCT = "0/40/3"


def read(document: Mapping[str, Any] | Iterable[Mapping[str, Any]], table: PlatformTable) -> PlatformDocument:
    """The things of a document; Matter tells no scenes."""
    return _things_of(document, table), (), ()


def shown(call: PlatformCall, _things: Mapping[str, Thing]) -> dict[str, Any]:
    """A call as a command or a write, with its node and endpoint."""
    node, _, endpoint = call.id.partition("/")
    return {"node_id": int(node), "endpoint": int(endpoint), "call": call.call, **call.args}


def _things_of(document: Mapping[str, Any] | Iterable[Mapping[str, Any]], table: PlatformTable) -> tuple[Thing, ...]:
    """The application endpoints of all nodes, `NODE/ENDPOINT`; `rooms` of the document may name a node's room.

    Otherwise the room is the endpoint's label `room` (UserLabel, FixedLabel). Nodes are a list, or by id.
    """
    given: Any = document["nodes"] if isinstance(document, Mapping) else document
    rooms = document.get("rooms", {}) if isinstance(document, Mapping) else {}
    nodes = given.values() if isinstance(given, Mapping) else given
    return tuple(thing for node in nodes for thing in _things(node, table, rooms))


def _things(node: Mapping[str, Any], table: PlatformTable, rooms: Mapping[str, str]) -> Iterator[Thing]:
    node_id, attributes = node["node_id"], node.get("attributes", {})
    for endpoint, values in sorted(_endpoints(attributes).items()):
        kind = next((one for one in _types(values.get(DEVICE_TYPES)) if one in table.kinds), "")
        if not endpoint or not kind:
            continue
        labels = _labels(values)
        yield Thing(
            id=f"{node_id}/{endpoint}",
            name=str(
                labels.get("name") or values.get(BRIDGED_NAME) or attributes.get(NAME) or attributes.get(PRODUCT) or ""
            ),
            parts=tuple(dict.fromkeys(path.partition("/")[0] for path in values)),
            values=values,
            room=str(labels.get("room") or rooms.get(str(node_id), "")),
            kind=kind,
            online=bool(node.get("available", True)),
        )


def _endpoints(attributes: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for path, value in attributes.items():
        endpoint, _, rest = path.partition("/")
        if endpoint.isdigit():
            found.setdefault(int(endpoint), {})[rest] = value
    return found


def _types(value: Any) -> Iterator[str]:
    """Device types of an endpoint: structs with field 0, or named `deviceType`."""
    for one in value or ():
        if isinstance(one, Mapping):
            yield str(one.get("0", one.get("deviceType", "")))


def _labels(values: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in LABELS:
        for one in values.get(path) or ():
            label, value = one.get("0", one.get("label")), one.get("1", one.get("value"))
            if isinstance(label, str) and isinstance(value, str):
                found.setdefault(label.lower(), value)
    return found
