"""Checks an instruct before it is sent: its id is of this home and every value fits the thing model (architecture, law
3)."""

from tingdong.errors import TingDongError
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Instruct

__all__ = ["InvalidInstruct", "validate"]


class InvalidInstruct(TingDongError):
    """An instruct that must not be sent; a fault of ours."""

    code = "invalid_instruct"


def validate(home: HomeSnapshot, instruct: Instruct) -> None:
    """Raises `InvalidInstruct` when the instruct does not fit the home."""
    shape = home.shape
    if instruct.id in shape.scenes:
        if instruct.state:
            raise InvalidInstruct(f"a scene takes no state: {instruct.id}")
        return
    device = shape.devices.get(instruct.id)
    if device is None:
        raise InvalidInstruct(f"no such device in this home: {instruct.id}")
    if not instruct.state and instruct.cancel is None:
        raise InvalidInstruct(f"nothing to change: {instruct.id}")
    for name, value in instruct.state.items():
        spec = device.properties.get(name)
        if spec is None:
            raise InvalidInstruct(f"{instruct.id} has no property {name}")
        if spec.readonly:
            raise InvalidInstruct(f"{instruct.id}.{name} is read-only")
        if not spec.fits(value):
            raise InvalidInstruct(f"{instruct.id}.{name} cannot be set to {value!r}")
