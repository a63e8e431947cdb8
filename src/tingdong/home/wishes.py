"""Implied wishes: 好热, 太暗了, 我要睡觉了 (service.md, Token frame). What is said and what is done are data.

A wish acts on what the home has and on its present state, so that saying it again goes one step further: the fan on,
then faster, then the air conditioner on, then colder.
"""

from collections.abc import Iterable, Sequence

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.home.acts import read_act
from tingdong.home.change import Change, request_of
from tingdong.home.deciding import change_of
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import NoteCode
from tingdong.home.states import is_active
from tingdong.home.wish_table import Wish, WishStepEntry, wish_table

__all__ = ["WishStep", "helpers_of", "plan_wish"]

WishStep = tuple[QueryIR, tuple[str, ...]]
"""What to do and with which devices. Quantifier ONE over several devices means: ask which."""

_MAIN = ("主灯", "顶灯", "吸顶灯", "大灯", "照明灯", "吊灯")


def plan_wish(
    home: HomeSnapshot, wish: Wish, room: str, *, last: Sequence[WishStep] = (), bound: bool = False
) -> list[WishStep]:
    """The steps of the wish in `room` ("" for no place), in order; empty if the home can do nothing.

    `bound`: the room was said, and nothing outside it is changed (law 1). `last` is the answer to the same wish before:
    what it switched on counts as on even if the state lags.
    """
    entry = wish_table().wishes[wish.key]
    scene = _scene(home, entry.scenes)
    if scene is not None:
        return [(QueryIR("执行", name=home.shape.scenes[scene].name), (scene,))]
    begun = frozenset(
        device_id for query, ids in last if query.action == "打开" and not _is_question(query, ids) for device_id in ids
    )
    places = [room]
    if room and not bound and not helpers_of(home, wish, room):
        places += [*_rooms_of(home, last), ""]
    for place in places:
        found: list[WishStep] = []
        for step in entry.steps:
            if bound and step.room == "home":
                step = msgspec.structs.replace(step, room="here")
            done = _do(home, step, place, begun)
            if done and entry.do == "first":
                return done
            found += done
        if found:
            return found
    return []


def _is_question(query: QueryIR, ids: Sequence[str]) -> bool:
    return query.quantifier is Quantifier.ONE and len(ids) > 1


def _rooms_of(home: HomeSnapshot, last: Sequence[WishStep]) -> list[str]:
    """Where the wish was met before; of several places that were asked about, the one that is on first."""
    devices = [home.shape.devices[one] for _, ids in last for one in ids if one in home.shape.devices]
    devices.sort(key=lambda device: not is_active(home, device))
    return list(dict.fromkeys(device.room for device in devices))


def helpers_of(home: HomeSnapshot, wish: Wish, room: str) -> list[DeviceShape]:
    """The devices in `room` ("" for no place) that the wish could use, whatever their state."""
    wanted = {kind for step in wish_table().wishes[wish.key].steps for kind in step.kinds}
    devices = home.shape.by_room.get(room, ()) if room else home.shape.devices.values()
    return [device for device in devices if device.kind.key in wanted]


def _scene(home: HomeSnapshot, words: Iterable[str]) -> str | None:
    for scene in home.shape.scenes.values():
        if any(word in scene.name for word in words):
            return scene.id
    return None


def _do(home: HomeSnapshot, step: WishStepEntry, room: str, begun: frozenset[str]) -> list[WishStep]:
    """The step with the devices it fits, or nothing."""
    act = read_act(step.act)
    query = QueryIR(step.act, step.value)
    fitting = []
    for device in _in_place(home, step, room):
        active = device.id in begun or is_active(home, device)
        if (step.state == "on" and not active) or (step.state == "off" and active) or not home.is_online(device.id):
            continue
        change = change_of(request_of(home, act, value=step.value, name=None, deferred=False), device)
        if not isinstance(change, Change) or (change.note is not None and change.note.code is NoteCode.AT_LIMIT):
            continue
        if step.value is not None and change.state.items() <= home.properties.get(device.id, {}).items():
            continue
        fitting.append(device)
    if not fitting:
        return []
    chosen, sure = _chosen(fitting, step)
    kind_type = chosen[0].type if len({device.type for device in chosen}) == 1 else DeviceType.UNKNOWN
    several = Quantifier.ALL if sure else Quantifier.ONE
    query = msgspec.structs.replace(query, type=kind_type, quantifier=several)
    ids = tuple(device.id for device in chosen)
    steps: list[WishStep] = [(query, ids)]
    if step.also is not None:
        modes = tuple(device.id for device in chosen if _has_mode(home, device, step.also))
        if modes:
            steps.append((msgspec.structs.replace(query, action="设置模式", value=step.also), modes))
    return steps


def _has_mode(home: HomeSnapshot, device: DeviceShape, mode: str) -> bool:
    change = change_of(request_of(home, read_act("设置模式"), value=mode, name=None, deferred=False), device)
    return isinstance(change, Change)


def _in_place(home: HomeSnapshot, step: WishStepEntry, room: str) -> list[DeviceShape]:
    """Devices of the step's kinds: everywhere, near a thing, or in the room ("" is the whole home)."""
    everywhere = sorted(
        (device for kind in step.kinds for device in home.shape.of_kind(kind)), key=lambda one: one.index
    )
    if step.room == "home":
        return everywhere
    if step.near is not None:
        rooms = {device.room for device in home.shape.of_kind(step.near)}
        return [device for device in everywhere if device.room in rooms]
    return [device for device in everywhere if not room or device.room == room]


def _chosen(fitting: list[DeviceShape], step: WishStepEntry) -> tuple[list[DeviceShape], bool]:
    """The devices to act on, and whether that is sure (False: ask which)."""
    if step.pick == "all" or len(fitting) == 1:
        return fitting, True
    if len({device.room for device in fitting}) == 1:
        for word in (*step.prefer, *_MAIN):
            for device in fitting:
                if word in device.name:
                    return [device], True
        return fitting[:1], True
    return fitting, False
