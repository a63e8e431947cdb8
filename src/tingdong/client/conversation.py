"""A scenario dialogue from the client's side (service.md, Dialogue): one page id, one home whose state follows the
instructs."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from tingdong.client.client import Client, OnToken, Reply

__all__ = ["Conversation", "apply_instructs"]


def apply_instructs(home: Mapping[str, Any], instructs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The home after the instructs; what stands in `scheduled` (`when`, `cancel`) changes nothing until it is due."""
    changed = copy.deepcopy(dict(home))
    devices = {device["id"]: device for device in changed.get("devices", ())}
    for instruct in instructs:
        device = devices.get(instruct["id"])
        if device is None or "when" in instruct or "cancel" in instruct:
            continue
        device["device"].setdefault("state", {}).update(instruct["state"])
    return changed


class Conversation:
    """Turns of one page. With `obey`, instructs are applied to the home before the next turn."""

    def __init__(
        self,
        client: Client,
        home: Mapping[str, Any],
        *,
        local: str | None = None,
        page_id: str | None = None,
        obey: bool = True,
    ) -> None:
        self.client = client
        self.home: dict[str, Any] = dict(home)
        self.local = local
        self.page_id: str = page_id or str(uuid4())
        self._obey = obey

    async def ask(
        self,
        question: str,
        *,
        instruct: bool = True,
        rid: str | None = None,
        alternatives: Sequence[str] = (),
        on_token: OnToken | None = None,
    ) -> Reply:
        """The next turn. Raises `ConnectionFailed`."""
        reply = await self.client.ask(
            question,
            page_id=self.page_id,
            home=self.home,
            local=self.local,
            instruct=instruct,
            rid=rid,
            alternatives=alternatives,
            on_token=on_token,
        )
        if self._obey and reply.instructs:
            self.home = apply_instructs(self.home, reply.instructs)
        return reply
