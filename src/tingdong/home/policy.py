"""Which devices are left out of 全关, and which acts need a confirming turn (service.md, Protected and risky).

The tables are `protected.yaml` and `kinds.yaml` (`apart`, `risky`) in `context_retrieval/data`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from context_retrieval.kinds import described_as
from context_retrieval.protection import protection_by
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.vocabulary import roles

if TYPE_CHECKING:
    from tingdong.home.device import DeviceShape
    from tingdong.home.home import Home
    from tingdong.home.properties import PropertySpec
    from tingdong.home.vocabulary import KindEntry, RoleEntry

__all__ = ["bulk_targets", "is_protected", "needs_confirmation", "protected_by", "risky_acts"]


def protected_by(name: str, room: str, kind: KindEntry, described: KindEntry | None, describe: str) -> bool:
    """Whether 全关 leaves a device out: by what it is or its model says it is, or as a socket, switch or pump that is
    named for a protected thing (冰箱插座). The table is that of context retrieval, `protected.yaml`."""
    words = (name, kind.word, described.word if described is not None else "")
    called, place = described_as(describe), "" if kind.sensor else room
    return protection_by(words, kind.type, described_as=called, describe=describe, room=place) is not None


def risky_acts(kind: KindEntry, described: KindEntry | None) -> tuple[str, ...]:
    """What needs a confirming turn, by what the device is called and by what its model says it is: a name may lie."""
    if described is None or described.risky == kind.risky:
        return kind.risky
    return tuple(dict.fromkeys((*kind.risky, *described.risky)))


def is_protected(device: DeviceShape) -> bool:
    """Whether 全关 and 所有设备 leave the device out and name it."""
    return device.protected


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
        return bool(value != spec.low)
    return bool(value == (spec.on if entry.active == "on" else spec.off))


def bulk_targets(home: Home, device_ids: Iterable[str]) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """The devices of `device_ids` that "all devices" really means, and notes for those it names and leaves out.

    Sensors, locks, gateways and the like drop out silently; protected devices are named (`PROTECTED`), and so is a
    robot that has no power switch (`SKIPPED`): it is sent home only if asked.
    """
    kept: list[str] = []
    notes: list[Note] = []
    for device_id in device_ids:
        device = home.shape.devices.get(device_id)
        if device is None or device.is_sensor or device.kind.sensor or device.kind.key == "lock":
            continue
        if device.protected:
            notes.append(Note(NoteCode.PROTECTED, device_id))
        elif PropertyRole.ACTIVITY in device.by_role and device.power is None:
            notes.append(Note(NoteCode.SKIPPED, device_id))
        elif device.kind.bulk and switchable(device):
            kept.append(device_id)
    return tuple(kept), tuple(notes)


def switchable(device: DeviceShape) -> bool:
    """Whether opening and closing (打开, 关闭) mean anything to the device."""
    return device.power is not None or PropertyRole.OPENING in device.by_role
