"""Home Assistant's states as things: domain, device class and attributes (its REST API's `/api/states`)."""

from collections.abc import Iterable, Mapping
from typing import Any

from .table import PlatformTable
from .translate import PlatformCall, PlatformDocument, PlatformScene, Thing

__all__ = ["read", "scenes_of", "shown", "things_of"]

GONE = frozenset({"unavailable", "unknown"})
_HEATING = frozenset({"off", "heat", "auto", "heat_cool"})


def read(document: Mapping[str, Any] | Iterable[Mapping[str, Any]], table: PlatformTable) -> PlatformDocument:
    """The things and scenes of a document: its states, or `states` and `areas`."""
    states = document["states"] if isinstance(document, Mapping) else document
    areas = document.get("areas", {}) if isinstance(document, Mapping) else {}
    return things_of(states, table, areas=areas), scenes_of(states), ()


def shown(call: PlatformCall, _things: Mapping[str, Thing]) -> dict[str, Any]:
    """A call of a service."""
    return {"service": call.call, "target": {"entity_id": call.id}, "data": call.args}


def things_of(
    states: Iterable[Mapping[str, Any]], table: PlatformTable, *, areas: Mapping[str, str] | None = None
) -> tuple[Thing, ...]:
    """The entities that the table knows, each with `entity_id`, `state`, `attributes`; `areas` gives their areas."""
    found = (_thing(state, table, areas or {}) for state in states)
    return tuple(thing for thing in found if thing is not None)


def scenes_of(states: Iterable[Mapping[str, Any]]) -> tuple[PlatformScene, ...]:
    """The scenes among the entities."""
    return tuple(
        PlatformScene(state["entity_id"], _name(state)) for state in states if state["entity_id"].startswith("scene.")
    )


def _name(state: Mapping[str, Any]) -> str:
    return str(state.get("attributes", {}).get("friendly_name") or state["entity_id"].partition(".")[2])


def _thing(state: Mapping[str, Any], table: PlatformTable, areas: Mapping[str, str]) -> Thing | None:
    entity_id, attributes = state["entity_id"], dict(state.get("attributes", {}))
    domain, _, _ = entity_id.partition(".")
    device_class = str(attributes.get("device_class") or "")
    part = domain if domain in table.parts else f"{domain}.{device_class}"
    if part not in table.parts:
        return None
    said = state.get("state")
    return Thing(
        id=entity_id,
        name=_name(state),
        parts=(part,),
        values={**attributes, "state": said},
        room=areas.get(entity_id, ""),
        kind=_kind(domain, device_class, attributes, table),
        online=said not in GONE,
    )


def _kind(domain: str, device_class: str, attributes: Mapping[str, Any], table: PlatformTable) -> str:
    """The device class where the table knows it; a climate device that can only heat is heating."""
    if domain == "climate" and frozenset(attributes.get("hvac_modes") or ("cool",)) <= _HEATING:
        return "heating"
    return device_class if device_class in table.kinds and domain not in ("sensor", "binary_sensor") else ""
