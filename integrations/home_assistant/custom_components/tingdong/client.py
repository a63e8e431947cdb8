"""The TingDong service over HTTP: `POST /v1/understand`, one turn a request."""

from typing import Any

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .const import TIMEOUT_SECONDS


class TingDongUnreachable(Exception):
    """The service does not answer, or answers something else."""


class TingDongRefused(Exception):
    """The service refuses the token (401, 403)."""


class TingDongClient:
    """One service; the session is Home Assistant's."""

    def __init__(self, hass: HomeAssistant, url: str, token: str | None = None) -> None:
        self._session = async_get_clientsession(hass)
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def async_check(self) -> None:
        """Raises `TingDongUnreachable` or `TingDongRefused` when sentences could not be understood."""
        await self._post("/v1/parse", {"text": "开灯"})

    async def async_understand(self, turn: dict[str, Any]) -> dict[str, Any]:
        """`active` of the turn: `intent` and `instructs`. Raises as above."""
        answer = await self._post("/v1/understand", turn)
        active = answer.get("active")
        if not isinstance(active, dict):
            raise TingDongUnreachable(f"no answer: {answer}")
        return active

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        try:
            async with self._session.post(
                self._url + path, json=body, headers=self._headers, timeout=timeout
            ) as response:
                if response.status in (401, 403):
                    raise TingDongRefused(f"HTTP {response.status}")
                answer = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise TingDongUnreachable(f"{self._url}: {error!r}") from error
        if response.status >= 400 or not isinstance(answer, dict):
            raise TingDongUnreachable(f"HTTP {response.status}: {answer}")
        return answer
