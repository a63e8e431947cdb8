"""A change of one device as a value, and what making one needs to know (service.md, `instructs`)."""

from typing import Any

import msgspec

from tingdong.home.acts import ActKind, VerbMeaning
from tingdong.home.amounts import Amount, parse_amount
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import roles

__all__ = ["Change", "Request", "request_of", "with_power", "written"]

State = dict[str, Any]


class Change(msgspec.Struct, frozen=True):
    """The properties to write (the named one last), and its wording: `verb` device `tail`.

    `switched`: the device is off and is switched on with it.
    """

    state: State
    verb: str
    tail: str = ""
    note: Note | None = None
    switched: bool = False


class Request(msgspec.Struct, frozen=True):
    """The input of one act: home, act, value, name, and whether it is deferred."""

    home: HomeSnapshot
    act: VerbMeaning
    amount: Amount | None = None
    name: str = ""
    deferred: bool = False


def request_of(home: HomeSnapshot, act: VerbMeaning, *, value: str | None, name: str | None, deferred: bool) -> Request:
    """A request from the parts of a query."""
    return Request(home, act, parse_amount(value) if value else None, name or "", deferred)


def written(device: DeviceShape, spec: PropertySpec, value: Any, verb: str, tail: str = "") -> Change | Note:
    """`value` written to one property, or the note that it can only be read."""
    if spec.readonly:
        return Note(NoteCode.READ_ONLY, device.id, attribute=verb)
    return Change({spec.name: value}, verb, tail)


def with_power(request: Request, device: DeviceShape, change: Change) -> Change:
    """`change` with the power switched on where it is off: setting any property implies it; so does a deferred one.

    Less of something and muting never switch on.
    """
    power = device.power
    if power is None or power.readonly or power.name in change.state or _is_quieter(request.act):
        return change
    opening = device.by_role.get(PropertyRole.OPENING)
    if opening is not None and opening.name in change.state:
        # Shut needs no power, and a cover driven by open/close/stop moves by its position alone.
        shut = change.state[opening.name] == opening.low
        if shut or power.type is PropertyType.ENUM:
            return change
    on = request.home.is_on(device)
    if on and not request.deferred:
        return change
    return msgspec.structs.replace(change, state={power.name: power.on, **change.state}, switched=not on)


def _is_quieter(act: VerbMeaning) -> bool:
    return act.kind is ActKind.MUTE or (act.kind is ActKind.LOWER and (act.role is None or roles()[act.role].keeps_on))
