"""A real Home Assistant with its demo devices, before a real `tingdong serve`."""

import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import custom_components  # before Home Assistant puts its own test folder first on the path
import pytest
import pytest_socket
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry, entity_registry
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

TOKEN = "only-for-this-house"
TINGDONG = os.environ.get("TINGDONG", "tingdong")
DEVICES = Platform.LIGHT, Platform.CLIMATE, Platform.COVER, Platform.BINARY_SENSOR, Platform.SENSOR
NAMES = {
    "light.ceiling_lights": ("吸顶灯", "客厅"),
    "light.bed_light": ("床头灯", "卧室"),
    "light.kitchen_lights": ("厨房灯", "厨房"),
    "climate.hvac": ("空调", "客厅"),
    "cover.living_room_window": ("窗帘", "客厅"),
    "cover.garage_door": ("车库门", "车库"),
    "binary_sensor.basement_floor_wet": ("水浸传感器", "地下室"),
    "binary_sensor.movement_backyard": ("人体传感器", "院子"),
    "sensor.outside_temperature": ("温度计", "卧室"),
    "sensor.outside_humidity": ("湿度计", "卧室"),
    "sensor.carbon_dioxide": ("空气检测仪", "客厅"),
    "sensor.power_consumption": ("电表", "客厅"),
}


@pytest.fixture(autouse=True)
def sockets_to_this_machine() -> Iterator[None]:
    """The service is reached over a real socket, and nobody else is."""
    pytest_socket.socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)
    yield
    pytest_socket._remove_restrictions()


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """The address of `tingdong serve` on a free port; it asks for a token."""
    pytest_socket.enable_socket()
    environment = {**os.environ, "TINGDONG_BEARER_TOKEN": TOKEN}
    command = [TINGDONG, "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if '"listening"' in line:
                break
        else:
            pytest.fail("the service did not start:\n" + "".join(told))
        port = json.loads(told[-1])["port"]
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield f"http://127.0.0.1:{port}"
        process.terminate()


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Devices of the demo integration with Chinese names in Chinese areas; only these are exposed to Assist."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, conversation.DOMAIN, {})
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    with patch("homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", list(DEVICES)):
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
    entities, areas = entity_registry.async_get(hass), area_registry.async_get(hass)
    for state in hass.states.async_all():
        async_expose_entity(hass, conversation.DOMAIN, state.entity_id, state.entity_id in NAMES)
    for entity_id, (name, room) in NAMES.items():
        area = areas.async_get_area_by_name(room) or areas.async_create(room)
        entities.async_update_entity(entity_id, name=name, area_id=area.id)
    await hass.async_block_till_done()
    return hass


def free_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


assert str(Path(__file__).parents[1]) in str(list(custom_components.__path__))
