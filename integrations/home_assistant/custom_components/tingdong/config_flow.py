"""Setting the agent up: where the service is, and its token if it asks for one."""

from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigFlow, ConfigFlowResult
from homeassistant.const import CONF_TOKEN, CONF_URL
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType

from .client import TingDongClient, TingDongRefused, TingDongUnreachable
from .const import DOMAIN

_TOKEN = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))
_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL, default="http://127.0.0.1:8765"): TextSelector(
            TextSelectorConfig(type=TextSelectorType.URL)
        ),
        vol.Optional(CONF_TOKEN): _TOKEN,
    }
)


class TingDongConfigFlow(ConfigFlow, domain=DOMAIN):
    """Asks for the address, and asks the service whether it is there."""

    VERSION = 1

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The address and the token."""
        errors: dict[str, str] = {}
        if user_input is not None:
            self._async_abort_entries_match({CONF_URL: user_input[CONF_URL]})
            errors = await self._async_errors(user_input)
            if not errors:
                return self.async_create_entry(title="TingDong 听懂", data=user_input)
        schema = self.add_suggested_values_to_schema(_SCHEMA, user_input)
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """The service refused the token."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Another token."""
        errors: dict[str, str] = {}
        if user_input is not None:
            entry = self._get_reauth_entry()
            errors = await self._async_errors({**entry.data, **user_input})
            if not errors:
                return self.async_update_reload_and_abort(entry, data_updates=user_input)
        schema = vol.Schema({vol.Required(CONF_TOKEN): _TOKEN})
        return self.async_show_form(step_id="reauth_confirm", data_schema=schema, errors=errors)

    async def _async_errors(self, given: Mapping[str, Any]) -> dict[str, str]:
        client = TingDongClient(self.hass, given[CONF_URL], given.get(CONF_TOKEN))
        try:
            await client.async_check()
        except TingDongRefused:
            return {"base": "invalid_auth"}
        except TingDongUnreachable:
            return {"base": "cannot_connect"}
        return {}
