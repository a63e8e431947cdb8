"""A device's present state in words (厨房照明灯开着; 玄关门锁已经锁好了; 客厅空调开着，制冷模式，26度)."""

from functools import cache
from typing import Any

from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape, watched
from tingdong.home.document import PropertyType
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.targets import joined
from tingdong.home.vocabulary import roles

__all__ = ["is_active", "is_asserted", "spoken", "state_clause", "state_of", "status_of", "subject_of"]

_R = PropertyRole
_AT_WORK = ("清扫", "拖地", "播放")
_ROBOTS = frozenset({"vacuum", "mower"})


def is_active(home: HomeSnapshot, device: DeviceShape) -> bool | None:
    """Whether the device is on, open, unlocked, running or alarmed; None without such a state or if unknown."""
    on = home.is_on(device)
    if on is not None:
        return on
    for role in (*_told_by(), _R.OPENING, _R.ACTIVITY, _R.PLAYBACK, _R.MODE):
        spec = device.by_role.get(role)
        if spec is None:
            continue
        value = home.value(device, spec)
        if value is None:
            return None
        return is_asserted(spec, value)
    features = [home.value(device, spec) == spec.on for spec in device.features]
    return any(features) if features else None


@cache
def _told_by() -> tuple[PropertyRole, ...]:
    """Switches that a device's state is told by, in the order of the table."""
    return tuple(role for role, entry in roles().items() if entry.at)


def is_asserted(spec: PropertySpec, value: Any) -> bool | None:
    """Whether the value is that of a thing on, open, unlocked, at work or alarmed; None where it says neither."""
    entry = roles().get(spec.role)
    if entry is not None and entry.states is not None and not spec.numeric:
        return bool(value == (spec.on if entry.active == "on" else spec.off))
    if spec.role is _R.OPENING and spec.numeric:
        return bool(value > (spec.low or 0))
    if spec.role in (_R.ACTIVITY, _R.PLAYBACK):
        return any(spec.words.get(word) == value for word in _AT_WORK)
    if spec.role is _R.MODE:
        return None if "关" not in spec.words else bool(value != spec.words["关"])
    return bool(value == spec.on)


def spoken(home: HomeSnapshot, device: DeviceShape, clause: str) -> str:
    """The clause, marked when the device cannot be reached."""
    return clause if home.is_online(device.id) else f"{device.label}离线了，最后的状态是：{clause}"


def state_clause(home: HomeSnapshot, device: DeviceShape) -> str:
    """The device with the state that matters most, without a full stop."""
    for role in (_R.ACTIVITY, *_told_by(), _R.OPENING, _R.PLAYBACK, _R.MODE):
        spec = device.by_role.get(role)
        if spec is None:
            continue
        value = home.value(device, spec)
        if value is None:
            return f"还不知道{device.label}的状态"
        return state_of(home, device, spec) if role in _told_by() else _CLAUSES[role](device, spec, value)
    if features := device.features:
        at_work = joined([spec.label for spec in features if home.value(device, spec) == spec.on])
        on, off = roles()[_R.POWER].states or ("", "")
        return f"{device.label}的{at_work}{on}" if at_work else f"{device.label}{off}"
    readings = _readings(home, device)
    return f"{device.label}：{'，'.join(readings)}" if readings else f"{device.label}没有可以查看的状态"


def status_of(home: HomeSnapshot, device: DeviceShape) -> str:
    """The state with everything else that is known (模式, 温度, 音量, 电量)."""
    clause = state_clause(home, device)
    if home.is_on(device) is False:
        return clause
    readings = [] if clause.startswith(f"{device.label}：") else _readings(home, device)
    return "，".join([clause, *(one for one in readings if one not in clause)])


def _readings(home: HomeSnapshot, device: DeviceShape) -> list[str]:
    found = []
    for spec in device.properties.values():
        value = home.value(device, spec)
        entry = roles().get(spec.role)
        if value is None or entry is None or entry.states is not None or spec.role is _R.ACTIVITY:
            continue
        if spec.role is _R.MODE:
            found.append(f"{told(spec, value)}模式")
        elif spec.role is _R.PLAYBACK:
            found.append(f"播放状态是{told(spec, value)}")
        else:
            found.append(f"{spec.label}{'是' if spec.label.isascii() else ''}{told(spec, value)}")
    return found


def state_of(home: HomeSnapshot, device: DeviceShape, spec: PropertySpec) -> str:
    """What a switch of a device says of it, as its row of the table has it (玄关门锁没有锁; 儿童房现在没有人)."""
    entry = roles()[spec.role]
    value = home.value(device, spec)
    if value is None or entry.states is None:
        return f"还不知道{device.label}的状态"
    return f"{subject_of(device, spec)}{entry.states[0] if value == spec.on else entry.states[1]}"


def subject_of(device: DeviceShape, spec: PropertySpec) -> str:
    """What a switch is said of: the room, the door or window that a contact watches, else the device."""
    if spec.role is _R.OPEN and device.kind.sensor:
        thing = watched(device)
        return f"{device.room}的{thing}" if thing in ("门", "窗户") and device.room else thing
    if spec.role is _R.OPEN:
        return f"{device.label}的门"
    return device.room if roles()[spec.role].of_room and device.room else device.label


def _activity(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    if device.kind.key not in _ROBOTS:
        return f"{device.label}现在是{told(spec, value)}"
    for word, clause in (
        ("清扫", "正在清扫"),
        ("暂停", "暂停着"),
        ("回充", "正在回去充电"),
        ("待机", "在充电座上待命"),
    ):
        if spec.words.get(word) == value:
            return f"{device.label}{clause}"
    return f"{device.label}现在是{told(spec, value)}"


def _opening(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    if not spec.numeric:
        return f"{device.label}现在是{told(spec, value)}"
    if value <= (spec.low or 0):
        return f"{device.label}关着"
    return f"{device.label}开着，开到{told(spec, value)}"


def _mode(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    if spec.words.get("关") == value:
        return f"{device.label}关着"
    return (
        f"{device.label}开着，{told(spec, value)}模式"
        if "关" in spec.words
        else f"{device.label}是{told(spec, value)}模式"
    )


def _playback(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    if spec.type is PropertyType.BOOL:
        return f"{device.label}{'正在' if value == spec.on else '没有'}播放"
    return f"{device.label}现在是{told(spec, value)}"


_CLAUSES = {_R.ACTIVITY: _activity, _R.OPENING: _opening, _R.PLAYBACK: _playback, _R.MODE: _mode}
