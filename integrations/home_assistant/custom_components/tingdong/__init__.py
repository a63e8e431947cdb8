"""TingDong as a conversation agent of Assist: Chinese requests, understood by a TingDong service of your own."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_TOKEN, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed, ConfigEntryNotReady

from .client import TingDongClient, TingDongRefused, TingDongUnreachable
from .const import PLATFORMS

TingDongEntry = ConfigEntry[TingDongClient]


async def async_setup_entry(hass: HomeAssistant, entry: TingDongEntry) -> bool:
    """Set up the agent once the service answers."""
    client = TingDongClient(hass, entry.data[CONF_URL], entry.data.get(CONF_TOKEN))
    try:
        await client.async_check()
    except TingDongRefused as error:
        raise ConfigEntryAuthFailed(str(error)) from error
    except TingDongUnreachable as error:
        raise ConfigEntryNotReady(str(error)) from error
    entry.runtime_data = client
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: TingDongEntry) -> bool:
    """Take the agent back; what it had put off is dropped."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
