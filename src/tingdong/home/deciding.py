"""One act on one device → the changed properties and their wording, or the reason for none.

Decided by thing model and present state (service.md, `instructs`).
"""

from collections.abc import Callable

import msgspec

from tingdong.home.acts import ActKind
from tingdong.home.change import Change, Request
from tingdong.home.device import DeviceShape
from tingdong.home.model import Note, NoteCode
from tingdong.home.setting import set_property
from tingdong.home.stepping import lower, raise_
from tingdong.home.switching import choose, lock, mute, switch_off, switch_on, unlock, unmute

__all__ = ["change_of"]


def change_of(request: Request, device: DeviceShape) -> Change | Note:
    """The change of `request` on `device`, or the note that says why there is none."""
    change = _HANDLERS[request.act.kind](request, device)
    if isinstance(change, Note) or not any(device.properties[name].mirrored for name in change.state):
        return change
    state = {name: device.properties[name].turned(value) for name, value in change.state.items()}
    return msgspec.structs.replace(change, state=state)


def _nothing(request: Request, device: DeviceShape) -> Change | Note:
    return Note(NoteCode.UNSUPPORTED, device.id, attribute=request.act.word)


_HANDLERS: dict[ActKind, Callable[[Request, DeviceShape], Change | Note]] = {
    ActKind.ON: switch_on,
    ActKind.OFF: switch_off,
    ActKind.SET: set_property,
    ActKind.RAISE: raise_,
    ActKind.LOWER: lower,
    ActKind.CHOOSE: choose,
    ActKind.MUTE: mute,
    ActKind.UNMUTE: lambda _, device: unmute(device),
    ActKind.LOCK: lambda _, device: lock(device),
    ActKind.UNLOCK: lambda _, device: unlock(device),
    ActKind.RUN: _nothing,
    ActKind.ASK: _nothing,
    ActKind.UNKNOWN: _nothing,
}
