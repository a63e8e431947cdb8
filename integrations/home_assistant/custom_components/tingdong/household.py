"""The exposed entities as a home (service.md, Home), and its instructs as service calls.

What the user does not expose to Assist is never sent and never switched. An entity whose name has no Chinese is
called by its first Chinese alias; an area likewise.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import area_registry, device_registry, entity_registry

from .platforms.home_assistant import scenes_of, things_of
from .platforms.table import PlatformTable, platform_tables
from .platforms.translate import Thing, calls_of, home_of

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Household:
    """What one turn may speak of: the home, and the way back from its instructs."""

    def __init__(self, hass: HomeAssistant, table: PlatformTable) -> None:
        self._hass = hass
        self._table = table
        states = list(self._exposed())
        things = things_of(states, table, areas=dict(self._areas(states)))
        rooms = [_called(area.name, area.aliases) for area in area_registry.async_get(hass).async_list_areas()]
        self.things: dict[str, Thing] = {thing.id: thing for thing in things}
        self.home: dict[str, Any] = home_of(things, table, scenes=scenes_of(states), rooms=rooms)

    def room_of_device(self, device_id: str | None) -> str:
        """The area of the satellite that heard the sentence, "" when unknown."""
        device = device_registry.async_get(self._hass).async_get(device_id) if device_id else None
        return self._room(device.area_id if device else None)

    async def async_carry_out(self, instruct: Mapping[str, Any], context: Context) -> None:
        """The instruct's service calls, each awaited. Raises KeyError for what is not of this home, and what services
        raise."""
        for call in calls_of(instruct, self.things, self._table):
            domain, _, service = call.call.partition(".")
            data = {**call.args, "entity_id": call.id}
            await self._hass.services.async_call(domain, service, data, blocking=True, context=context)

    def _exposed(self) -> Iterator[dict[str, Any]]:
        registry = entity_registry.async_get(self._hass)
        for state in self._hass.states.async_all():
            if not async_should_expose(self._hass, conversation.DOMAIN, state.entity_id):
                continue
            entry = registry.async_get(state.entity_id)
            yield _plain(state, entry.aliases if entry else ())

    def _areas(self, states: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        registry, devices = entity_registry.async_get(self._hass), device_registry.async_get(self._hass)
        for state in states:
            entry = registry.async_get(state["entity_id"])
            if entry is None:
                continue
            device = devices.async_get(entry.device_id) if entry.device_id else None
            room = self._room(entry.area_id or (device.area_id if device else None))
            if room:
                yield entry.entity_id, room

    def _room(self, area_id: str | None) -> str:
        area = area_registry.async_get(self._hass).async_get_area(area_id) if area_id else None
        return _called(area.name, area.aliases) if area else ""


async def async_household(hass: HomeAssistant) -> Household:
    """The household now. The table is read outside of the event loop, once."""
    tables = await hass.async_add_executor_job(platform_tables)
    return Household(hass, tables["home_assistant"])


def _plain(state: State, aliases: Iterable[Any]) -> dict[str, Any]:
    attributes = dict(state.attributes)
    attributes["friendly_name"] = _called(state.name, aliases)
    return {"entity_id": state.entity_id, "state": state.state, "attributes": attributes}


def _called(name: str, aliases: Iterable[Any]) -> str:
    """`name`, or the first alias in Chinese when the name has none."""
    if _CHINESE.search(name):
        return name
    return next((alias for alias in sorted(map(str, aliases)) if _CHINESE.search(alias)), name)
