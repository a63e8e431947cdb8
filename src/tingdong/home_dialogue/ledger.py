"""The ledger of changes, for undoing, corrections and refusals (service.md).

An entry is a turn with changes: each with the state before and after, and its clause. Later changes by others are kept
and reported.
"""

from collections.abc import Iterable
from typing import Any

from context_retrieval.models import QueryIR
from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Deed, Instruct, Note, NoteCode, Plan, PropertyRole
from tingdong.home.policy import needs_confirmation
from tingdong.home.properties import PropertySpec
from tingdong.home_dialogue.acting import OFF, ON
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.page import MAX_ENTRIES, Entry, LedgerChange

__all__ = ["changes_of", "net", "put_back", "risky_to_put_back", "told_change", "with_entry"]


def changes_of(home: HomeSnapshot, sent: Iterable[Instruct], clause_of: dict[str, int]) -> tuple[LedgerChange, ...]:
    """What the instructs for now really change; `clause_of` tells which clause asked for a device (none: put back)."""
    found = []
    for instruct in sent:
        if instruct.deferred:
            continue
        present = home.properties.get(instruct.id, {})
        after = {name: value for name, value in instruct.state.items() if present.get(name, value) != value}
        if after:
            before = {name: present[name] for name in after}
            found.append(LedgerChange(instruct.id, before, after, clause_of.get(instruct.id, -1)))
    return tuple(found)


def with_entry(ledger: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """The ledger with a turn that changed something or set timers."""
    return (*ledger, entry)[-MAX_ENTRIES:] if entry.changes or entry.timers else ledger


def net(changes: Iterable[LedgerChange]) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Per device, from the oldest change to the newest: the state before all of them, and after."""
    found: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
    for change in changes:
        before, after = found.get(change.id, ({}, {}))
        found[change.id] = ({**change.before, **before}, {**after, **change.after})
    return found


def put_back(home: HomeSnapshot, changes: Iterable[LedgerChange], *, but: Iterable[str] = ()) -> Plan:
    """A plan that puts back what the changes (oldest first) did, except on the devices of `but`."""
    instructs: list[Instruct] = []
    deeds: list[Deed] = []
    notes: list[Note] = []
    spared = frozenset(but)
    for device_id, (before, after) in net(changes).items():
        device = home.shape.devices.get(device_id)
        if device is None or device_id in spared:
            continue
        present = home.properties.get(device_id, {})
        wanted = {name: value for name, value in before.items() if present.get(name) != value}
        state = {name: value for name, value in wanted.items() if _is_ours(device, name, present, after, value)}
        if not home.is_online(device_id):
            notes.append(Note(NoteCode.OFFLINE, device_id))
        elif not state:
            notes += [Note(NoteCode.CHANGED_SINCE, device_id)] if wanted else []
        elif needs_confirmation(device, state):
            notes.append(Note(NoteCode.RISKY, device_id))
        else:
            deed = _told(device, state)
            instructs.append(Instruct(device_id, state, deed.told(device.label)))
            deeds.append(deed)
    return Plan(tuple(instructs), tuple(notes), tuple(deeds))


def risky_to_put_back(home: HomeSnapshot, back: Plan) -> list[tuple[QueryIR, str]]:
    """The requests, each with its device, that would put back what is not put back without asking."""
    found = []
    for note in back.notes:
        device = home.shape.devices.get(note.device_id or "")
        if device is not None and note.code is NoteCode.RISKY:
            action = "打开" if device.power is not None or PropertyRole.LOCK not in device.by_role else "解锁"
            found.append((QueryIR(action, include=(device.room,), name=device.plain, type=device.type), device.id))
    return found


def _is_ours(
    device: DeviceShape, name: str, present: dict[str, Any] | Any, after: dict[str, Any], value: object
) -> bool:
    """Whether the property still is as the changes left it, and takes the value it had before."""
    spec = device.properties.get(name)
    return present.get(name) == after.get(name) and spec is not None and not spec.readonly and spec.fits(value)


def _numbers(device: DeviceShape, state: dict[str, Any]) -> list[tuple[PropertySpec, Any]]:
    return [(spec, spec.turned(value)) for name, value in state.items() if (spec := device.properties[name]).numeric]


def _told(device: DeviceShape, state: dict[str, Any]) -> Deed:
    power = device.power
    if power is None or power.name not in state:
        told_back = "、".join(f"{spec.label}到{told(spec, value)}" for spec, value in _numbers(device, state))
        return Deed(device.id, "恢复", told_back)
    return Deed(device.id, "打开" if state[power.name] == power.on else "关闭")


def told_change(device: DeviceShape, before: dict[str, Any], after: dict[str, Any]) -> Deed:
    """What was changed of one device, as it is told: 关闭, 打开, or with what its properties were and are now."""
    for spec in (device.power, device.by_role.get(PropertyRole.OPENING)):
        if spec is not None and spec.name in after and spec.turned(after[spec.name]) in _ends_of(spec):
            return Deed(device.id, OFF if spec.turned(after[spec.name]) == _ends_of(spec)[0] else ON)
    words = answers().recalled
    told_all = [
        words.changed.format(
            label=spec.label, before=told(spec, spec.turned(before[name])), after=told(spec, spec.turned(after[name]))
        )
        for name in after
        if (spec := device.properties.get(name)) is not None and name in before and not spec.is_feature
    ]
    features = [spec for name in after if (spec := device.properties.get(name)) is not None and spec.is_feature]
    if told_all or not features:
        return Deed(device.id, words.changing, "、".join(told_all))
    verb = ON if after[features[0].name] == features[0].on else OFF
    return Deed(device.id, verb, words.feature.format(features[0].label))


def _ends_of(spec: PropertySpec) -> tuple[Any, Any]:
    return (spec.low, spec.high) if spec.numeric else (spec.off, spec.on)
