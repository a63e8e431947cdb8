"""A home as one turn sees it: its shape and the state sent with this request (architecture, "Home = shape + state")."""

from collections.abc import Iterable, Mapping
from typing import Any

from tingdong.home.device import DeviceShape
from tingdong.home.document import HomeDocument
from tingdong.home.model import Instruct
from tingdong.home.properties import PropertySpec
from tingdong.home.shape import HomeShape

__all__ = ["HomeSnapshot", "home_of"]


class HomeSnapshot:
    """Shape and present state: `properties[device_id]` as sent, `online[device_id]` (missing means online)."""

    __slots__ = ("online", "properties", "shape")

    def __init__(
        self, shape: HomeShape, properties: Mapping[str, Mapping[str, Any]], online: Mapping[str, bool]
    ) -> None:
        self.shape: HomeShape = shape
        self.properties: Mapping[str, Mapping[str, Any]] = properties
        self.online: Mapping[str, bool] = online

    def value(self, device: DeviceShape, spec: PropertySpec) -> Any:
        """The present value of a property, a curtain's by how far it is open; None when the state does not say, or says
        what does not fit the model."""
        value = self.properties.get(device.id, {}).get(spec.name)
        if value is None or spec.fits(value):
            return spec.turned(value)
        return value if spec.readonly and isinstance(value, int | float) == spec.numeric else None

    def is_on(self, device: DeviceShape) -> bool | None:
        """Whether the device is switched on; None without a power switch or when unknown."""
        power = device.power
        if power is None:
            return None
        value = self.value(device, power)
        return None if value is None else value == power.on

    def is_online(self, device_id: str) -> bool:
        """Whether the device can be reached, as far as is known."""
        return self.online.get(device_id, True)

    def after(self, instructs: Iterable[Instruct]) -> "HomeSnapshot":
        """This home once the immediate instructs are carried out."""
        properties = dict(self.properties)
        for instruct in instructs:
            if not instruct.deferred and instruct.id in properties:
                properties[instruct.id] = {**properties[instruct.id], **instruct.state}
        return HomeSnapshot(self.shape, properties, self.online)


def home_of(document: HomeDocument, shape: HomeShape) -> HomeSnapshot:
    """The home a document describes, over its compiled shape."""
    return HomeSnapshot(
        shape,
        {placed.id: placed.device.state for placed in document.devices},
        {placed.id: False for placed in document.devices if not placed.online},
    )
