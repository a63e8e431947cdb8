"""From a query and its devices to instructs against the thing model and the present state (service.md, `instructs`).

`plan` is deterministic and pure. Policy (protected, risky) and place are the dialogue's business; what cannot be done
here becomes a note.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from context_retrieval.models import Quantifier, QueryIR
from context_retrieval.when import WhenKind, parse_when
from tingdong.home.acts import ActKind, VerbMeaning, read_act
from tingdong.home.change import Change, Request, request_of
from tingdong.home.deciding import change_of
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Deed, Instruct, Note, NoteCode, Plan
from tingdong.home.moment import to_iso

__all__ = ["merge_plans", "plan"]


def plan(home: HomeSnapshot, query: QueryIR, device_ids: Sequence[str], *, now: datetime | None = None) -> Plan:
    """What `query` asks of the devices, groups and scenes of `device_ids`, in the home's order.

    Ids that are not of this home are ignored. `now` is the user's clock, needed for dated times only.
    """
    act = read_act(query.action)
    if act.kind is ActKind.ASK:
        return Plan()
    devices, scenes = _targets(home, device_ids)
    instructs, deeds, notes = _run_scenes(home, act, query, scenes, now) if scenes else ([], [], [])
    request = request_of(home, act, value=query.value, name=query.name, deferred=_is_timed(query.when))
    moments: dict[str, str | None] = {}
    for device in _picked(request, query, devices):
        if not home.is_online(device.id):
            notes.append(Note(NoteCode.OFFLINE, device.id))
            continue
        change = change_of(request, device)
        if isinstance(change, Note):
            notes.append(change)
            continue
        when = None
        if query.when is not None:
            if device.room not in moments:
                moments[device.room] = to_iso(query.when, now, home=home, room=device.room)
            when = moments[device.room]
            if when is None:
                notes.append(Note(NoteCode.UNKNOWN_VALUE, device.id, attribute=query.when))
                continue
        if change.note is not None:
            notes.append(change.note)
        deed = Deed(device.id, change.verb, change.tail, next(reversed(change.state)), change.switched)
        instructs.append(Instruct(device.id, change.state, deed.told(device.label), when))
        deeds.append(deed)
    if instructs:  # of several lamps, those that are on are dimmed; that the others are off goes without saying
        notes = [note for note in notes if note.code is not NoteCode.IS_OFF]
    return Plan(tuple(instructs), tuple(notes), tuple(deeds))


def _targets(home: HomeSnapshot, ids: Iterable[str]) -> tuple[list[DeviceShape], list[str]]:
    """The devices meant, groups opened up, in the home's order; and the scenes."""
    shape = home.shape
    devices: dict[str, DeviceShape] = {}
    scenes: dict[str, None] = {}
    for entity_id in ids:
        device = shape.devices.get(entity_id)
        if device is not None:
            devices[entity_id] = device
        elif entity_id in shape.groups:
            devices.update({member: shape.devices[member] for member in shape.groups[entity_id].devices})
        elif entity_id in shape.scenes:
            scenes[entity_id] = None
    ordered = list(devices.values()) if len(devices) < 2 else sorted(devices.values(), key=_index)
    return ordered, list(scenes)


def _run_scenes(
    home: HomeSnapshot, act: VerbMeaning, query: QueryIR, scenes: Sequence[str], now: datetime | None
) -> tuple[list[Instruct], list[Deed], list[Note]]:
    """A scene is run as a whole; nothing else can be done with one."""
    when = None if query.when is None else to_iso(query.when, now, home=home)
    if act.kind not in (ActKind.RUN, ActKind.ON):
        return [], [], [Note(NoteCode.UNSUPPORTED, scene, attribute=act.word) for scene in scenes]
    if query.when is not None and when is None:
        return [], [], [Note(NoteCode.UNKNOWN_VALUE, scene, attribute=query.when) for scene in scenes]
    names = home.shape.scenes
    instructs = [Instruct(scene, {}, f"执行{names[scene].name}", when) for scene in scenes]
    return instructs, [Deed(scene, "执行") for scene in scenes], []


def _index(device: DeviceShape) -> int:
    return device.index


def _picked(request: Request, query: QueryIR, devices: list[DeviceShape]) -> list[DeviceShape]:
    """All of them, or the N that `any#N` asks for: those that would change first, then the home's order."""
    if query.quantifier is not Quantifier.ANY:
        return devices
    count = query.count or 1
    ranked = sorted(devices, key=lambda device: (_rank(request, device), device.index))
    return sorted(ranked[:count], key=_index)


def _rank(request: Request, device: DeviceShape) -> int:
    if not request.home.is_online(device.id):
        return 3
    change = change_of(request, device)
    if not isinstance(change, Change):
        return 2
    present = request.home.properties.get(device.id, {})
    return 0 if any(present.get(name) != value for name, value in change.state.items()) else 1


def merge_plans(home: HomeSnapshot, plans: Sequence[Plan]) -> Plan:
    """One plan for one utterance: instructs on one device at one moment become one, in the home's order.

    Later commands win over earlier ones; deferred instructs follow the immediate one of their device.
    """
    if len(plans) == 1:
        return plans[0]
    joined: dict[tuple[str, str | None], tuple[Instruct, Deed]] = {}
    notes: dict[Note, None] = {}
    for one in plans:
        notes.update(dict.fromkeys(one.notes))
        for instruct, deed in zip(one.instructs, one.deeds, strict=True):
            key = (instruct.id, instruct.when)
            known = joined.pop(key, None)
            joined[key] = (instruct, deed) if known is None else _joined(home, known, (instruct, deed))
    devices = home.shape.devices
    ordered = sorted(
        joined.values(),
        key=lambda pair: (devices[pair[0].id].index if pair[0].id in devices else -1, pair[0].when is not None),
    )
    return Plan(tuple(pair[0] for pair in ordered), tuple(notes), tuple(pair[1] for pair in ordered))


def _joined(home: HomeSnapshot, first: tuple[Instruct, Deed], second: tuple[Instruct, Deed]) -> tuple[Instruct, Deed]:
    (before, told), (after, deed) = first, second
    device = home.shape.devices.get(after.id)
    if device is None:
        return second
    joined = _told_together(told, deed, device.power.name if device.power else "")
    return Instruct(after.id, {**before.state, **after.state}, joined.told(device.label), after.when), joined


def _told_together(first: Deed, second: Deed, power: str) -> Deed:
    """One phrase for two acts on one device, without what the second overwrites."""
    if second.of == power:
        return second if first.of == power or second.verb != "打开" else msgspec.structs.replace(first, switched=True)
    if first.of == second.of or first.of == power:
        begun = first.switched or (first.of == power and first.verb == "打开")
        return msgspec.structs.replace(second, switched=second.switched or begun)
    return Deed(
        second.device_id,
        first.verb,
        f"{first.tail}并{second.verb}{second.tail.removeprefix('的')}",
        second.of,
        first.switched or second.switched,
    )


def _is_timed(when: str | None) -> bool:
    """Whether a deferred request waits for a time. Its device may be off by then, so that its power goes with it; a
    condition is judged by the client, which sees the device as it is.
    """
    if when is None:
        return False
    said = parse_when(when)
    return said is not None and said.kind is not WhenKind.CONDITION
