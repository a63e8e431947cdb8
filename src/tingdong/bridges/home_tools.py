"""A home as an agent's tools: devices of a turn as functions, checked calls as validated instructs (service.md).

An action (打开, 调高亮度) is planned as in the dialogue, a value is written as given; both must fit the thing
model. What the dialogue confirms (unlocking, gas, the garage door) needs `confirmed=True`.
"""

from collections.abc import Mapping
from typing import Any

from context_retrieval.models import QueryIR, RetrievalResult
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.bridges.agent_tools import AgentTools, DeviceCall, InvalidCall
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Instruct, Plan
from tingdong.home.plan import plan
from tingdong.home.policy import needs_confirmation
from tingdong.home.properties import PropertySpec
from tingdong.home.validate import InvalidInstruct, validate

__all__ = ["HomeTools"]

_ACT = ":"  # a command id is `property` for a value and `property:act` for one act of it


class HomeTools:
    """One turn over one home: `result` is what retrieval chose, `tools` the functions to offer."""

    def __init__(self, home: HomeSnapshot, result: RetrievalResult) -> None:
        self.home: HomeSnapshot = home
        self.result: RetrievalResult = result
        self.tools: AgentTools = AgentTools.of(result, home.shape.catalog)

    @classmethod
    def of(
        cls, home: HomeSnapshot, text: str, *, location: str | None = None, state: ConversationState | None = None
    ) -> "HomeTools":
        """The tools that `text` needs; updates the conversation's `state`."""
        catalog = home.shape.catalog
        state = state if state is not None else ConversationState()
        return cls(home, retrieve(text, catalog, EmbeddedLLM(catalog), state, location=location))

    def instructs(
        self, name: str, arguments: str | Mapping[str, Any], *, confirmed: bool = False
    ) -> tuple[Instruct, ...]:
        """What a tool call sends to the home. Raises `InvalidCall`, whose text may go back to the model."""
        call = self.tools.read(name, arguments)
        if call.command_id is None:
            found = tuple(Instruct(scene, {}) for scene in call.entity_ids)
        elif _ACT in call.command_id:
            found = self._acted(call)
        else:
            found = tuple(self._written(device, call) for device in self._devices(call))
        self._check(found, confirmed=confirmed)
        return found

    def _devices(self, call: DeviceCall) -> list[DeviceShape]:
        shape = self.home.shape
        ids = [member for one in call.entity_ids for member in (shape.catalog.members(one) or (one,))]
        return [shape.devices[one] for one in dict.fromkeys(ids)]

    def _acted(self, call: DeviceCall) -> tuple[Instruct, ...]:
        """The protocol's verb in the description of a command (打开设备 → 打开)."""
        devices = self._devices(call)
        said = next(one.description for one in self._commands(devices[0]) if one.id == call.command_id)
        planned: Plan = plan(self.home, QueryIR(said.removesuffix("设备")), [device.id for device in devices])
        if not planned.instructs:
            reasons = ", ".join(dict.fromkeys(note.code.value for note in planned.notes)) or "nothing to do"
            raise InvalidCall(f"{said}: {reasons}")
        return planned.instructs

    def _commands(self, device: DeviceShape) -> Any:
        entity = self.home.shape.catalog.get(device.id)
        return getattr(entity, "commands", ())

    def _written(self, device: DeviceShape, call: DeviceCall) -> Instruct:
        spec = device.properties[str(call.command_id)]
        state = {spec.name: _choice(spec, call.value)}
        power = device.power
        if power is not None and not power.readonly and self.home.is_on(device) is False:
            state = {power.name: power.on, **state}
        return Instruct(device.id, state, f"设置{device.label}{spec.label}")

    def _check(self, instructs: tuple[Instruct, ...], *, confirmed: bool) -> None:
        for instruct in instructs:
            try:
                validate(self.home, instruct)
            except InvalidInstruct as error:
                raise InvalidCall(str(error)) from error
            device = self.home.shape.devices.get(instruct.id)
            if device is None:
                continue
            if not self.home.is_online(device.id):
                raise InvalidCall(f"{device.id} is offline")
            if not confirmed and needs_confirmation(device, instruct.state):
                raise InvalidCall(f"{device.id}: ask the user first, this needs a confirmation")


def _choice(spec: PropertySpec, value: Any) -> Any:
    """A choice by its own token, or by what it is called in Chinese (制冷 → cool)."""
    return value if spec.fits(value) or not isinstance(value, str) else spec.words.get(value, value)
