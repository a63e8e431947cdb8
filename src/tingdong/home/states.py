"""A device's present state in words (厨房照明灯开着; 玄关门锁已经锁好了; 客厅空调开着，制冷模式，26度)."""

from typing import Any

from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape, watched
from tingdong.home.home import Home
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec

__all__ = ["is_active", "spoken", "state_clause", "status_of"]

_R = PropertyRole
_ROBOTS = frozenset({"vacuum", "mower"})


def is_active(home: Home, device: DeviceShape) -> bool | None:
    """Whether the device is on, open, unlocked, at work or alarmed; None when it has no such state or it is unknown."""
    on = home.is_on(device)
    if on is not None:
        return on
    for role in (_R.LOCK, _R.OPEN, _R.OPENING, _R.ACTIVITY, _R.PLAYBACK, _R.MOTION, _R.ALARM, _R.MODE):
        spec = device.by_role.get(role)
        if spec is None:
            continue
        value = home.value(device, spec)
        if value is None:
            return None
        return _active(spec, value)
    return None


def _active(spec: PropertySpec, value: Any) -> bool | None:
    if spec.role is _R.LOCK:
        return bool(value == spec.off)
    if spec.role is _R.OPENING and spec.numeric:
        return bool(value > (spec.low or 0))
    if spec.role in (_R.ACTIVITY, _R.PLAYBACK):
        return any(spec.words.get(word) == value for word in ("清扫", "拖地", "播放"))
    if spec.role is _R.MODE:
        return None if "关" not in spec.words else bool(value != spec.words["关"])
    return bool(value == spec.on)


def spoken(home: Home, device: DeviceShape, clause: str) -> str:
    """The clause, marked when the device cannot be reached."""
    return clause if home.is_online(device.id) else f"{device.label}离线了，最后的状态是：{clause}"


def state_clause(home: Home, device: DeviceShape) -> str:
    """The device with the state that matters most, without a full stop."""
    for role, clause in _CLAUSES:
        spec = device.by_role.get(role)
        if spec is None:
            continue
        value = home.value(device, spec)
        if value is None:
            return f"还不知道{device.label}的状态"
        return clause(device, spec, value)
    readings = _readings(home, device)
    return f"{device.label}：{'，'.join(readings)}" if readings else f"{device.label}没有可以查看的状态"


def status_of(home: Home, device: DeviceShape) -> str:
    """The state with everything else that is known (模式, 温度, 音量, 电量)."""
    clause = state_clause(home, device)
    if home.is_on(device) is False:
        return clause
    readings = [] if clause.startswith(f"{device.label}：") else _readings(home, device)
    return "，".join([clause, *readings])


_SAID_APART = frozenset({_R.POWER, _R.LOCK, _R.OPEN, _R.MOTION, _R.ALARM, _R.ACTIVITY, _R.OTHER, _R.MUTE})


def _readings(home: Home, device: DeviceShape) -> list[str]:
    found = []
    for spec in device.properties.values():
        value = home.value(device, spec)
        if value is None or spec.role in _SAID_APART:
            continue
        if spec.role is _R.MODE:
            found.append(f"{told(spec, value)}模式")
        elif spec.role is _R.PLAYBACK:
            found.append(f"播放状态是{told(spec, value)}")
        else:
            found.append(f"{spec.label}{told(spec, value)}")
    return found


def _power(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    return f"{device.label}{'开着' if value == spec.on else '关着'}"


def _lock(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    return f"{device.label}已经锁好了" if value == spec.on else f"{device.label}没有锁"


def _open(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    thing = watched(device)
    where = f"{device.room}的" if thing in ("门", "窗户") and device.room else ""
    return f"{where}{thing}{'开着' if value == spec.on else '关着'}"


def _motion(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    return f"{device.room or device.label}现在{'有人' if value == spec.on else '没有人'}"


def _alarm(device: DeviceShape, spec: PropertySpec, value: Any) -> str:
    return f"{device.label}正在报警" if value == spec.on else f"{device.label}一切正常，没有报警"


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
    return f"{device.label}现在是{told(spec, value)}"


_CLAUSES = (
    (_R.ACTIVITY, _activity),
    (_R.POWER, _power),
    (_R.LOCK, _lock),
    (_R.OPEN, _open),
    (_R.MOTION, _motion),
    (_R.ALARM, _alarm),
    (_R.OPENING, _opening),
    (_R.PLAYBACK, _playback),
    (_R.MODE, _mode),
)
