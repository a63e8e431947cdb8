"""Which devices 全关 excludes, and which acts need a confirmation (service.md, Protected and risky).

The tables are `protected.yaml` and `kinds.yaml` (`apart`, `risky`) in `context_retrieval/data`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from context_retrieval.kinds import described_as
from context_retrieval.protection import Protection, protection_by
from context_retrieval.verbs import verb_table
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.vocabulary import roles

if TYPE_CHECKING:
    from tingdong.home.device import DeviceShape
    from tingdong.home.home import HomeSnapshot
    from tingdong.home.properties import PropertySpec
    from tingdong.home.vocabulary import KindEntry, RoleEntry

__all__ = ["bulk_targets", "is_protected", "left_out_of", "needs_confirmation", "protection_of", "risky_acts"]


def protection_of(
    name: str, room: str, kind: KindEntry, described: KindEntry | None, describe: str
) -> Protection | None:
    """Why sets leave a device out: by what it is or its model says it is, or as a socket, switch or pump that is named
    for a protected thing (冰箱插座). The table is that of context retrieval, `protected.yaml`."""
    words = (name, kind.word, described.word if described is not None else "")
    called, place = described_as(describe), "" if kind.sensor else room
    return protection_by(words, kind.type, described_as=called, describe=describe, room=place)


def risky_acts(kind: KindEntry, described: KindEntry | None, protection: Protection | None) -> tuple[str, ...]:
    """What needs a confirming turn, by what the device is called and by what its model says it is (a name may lie), and
    by why it is protected."""
    own = described.risky if described is not None else ()
    starting = ("on",) if protection is not None and protection.starting else ()
    return tuple(dict.fromkeys((*kind.risky, *own, *starting)))


def is_protected(device: DeviceShape, action: str) -> bool:
    """Whether sets for this act exclude the device and name it."""
    return device.protection is not None and device.protection.is_of(action)


def needs_confirmation(device: DeviceShape, state: Mapping[str, Any]) -> bool:
    """Whether writing `state` (an instruct's) to the device must be confirmed first.

    Only unlocking, opening and switching on are risky; locking, closing and switching off act at once.
    """
    # What has a lock and no power switch is a lock, whatever it is called; a child lock is a feature.
    risky = {*device.risky, *(("unlock",) if device.power is None else ())}
    for name, value in state.items():
        spec = device.properties.get(name)
        entry = roles().get(spec.role) if spec is not None else None
        if spec is not None and entry is not None and risky.intersection(entry.risk) and _opens(spec, entry, value):
            return True
    return False


def _opens(spec: PropertySpec, entry: RoleEntry, value: object) -> bool:
    """Whether the value is the side of a property that counts as on, open or unlocked."""
    if spec.numeric:
        return bool(spec.turned(value) != spec.low)
    return bool(value == (spec.on if entry.active == "on" else spec.off))


def left_out_of(action: str) -> NoteCode:
    """How it is told that a set that is to do this leaves a protected device out."""
    return NoteCode.PROTECTED if action in verb_table().ending else NoteCode.NOT_BEGUN


def bulk_targets(
    home: HomeSnapshot, device_ids: Iterable[str], action: str
) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """The devices of `device_ids` that "all devices" really means, and notes for those it names and leaves out.

    Sensors, locks, gateways and the like drop out silently; protected devices are named (`left_out_of`), and so is a
    robot that has no power switch (`SKIPPED`): it is sent home only if asked.
    """
    kept: list[str] = []
    notes: list[Note] = []
    for device_id in device_ids:
        device = home.shape.devices.get(device_id)
        if device is None or device.is_sensor or device.kind.sensor or device.kind.key == "lock":
            continue
        if is_protected(device, action):
            notes.append(Note(left_out_of(action), device_id))
        elif PropertyRole.ACTIVITY in device.by_role and device.power is None:
            notes.append(Note(NoteCode.SKIPPED, device_id))
        elif device.kind.bulk and switchable(device):
            kept.append(device_id)
    return tuple(kept), tuple(notes)


def switchable(device: DeviceShape) -> bool:
    """Whether 打开 and 关闭 apply to the device."""
    return device.power is not None or PropertyRole.OPENING in device.by_role
