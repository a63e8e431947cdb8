"""Switching, locking, muting, players and robots (commands.md, ACTION).

A device without a power switch is opened and closed by its cover position, lock, player, or an enum with an off choice
(service.md, `instructs`).
"""

from typing import Any

from context_retrieval.verbs import verb_table
from tingdong.home.acts import acts
from tingdong.home.amounts import parse_amount, told
from tingdong.home.change import Change, Request, with_power, written
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import Note, NoteCode, PropertyRole
from tingdong.home.properties import PropertySpec, moves
from tingdong.home.setting import set_spec
from tingdong.home.stepping import step

__all__ = ["can_halt", "choose", "lock", "mute", "switch_off", "switch_on", "unlock", "unmute"]


def switch_on(request: Request, device: DeviceShape) -> Change | Note:
    """打开: power on, a cover opened, a lock unlocked, a robot sent to work."""
    if _is_worked_by_activity(device):
        return _choose_word(request, device, _worked(PropertyRole.ACTIVITY, opening=True))
    power = device.power
    if power is not None:
        return written(device, power, power.on, "打开")
    return _switch_by(request, device, opening=True)


def _is_worked_by_activity(device: DeviceShape) -> bool:
    """Whether the device is switched by what it is at: a robot; a washing machine with a power switch is not."""
    activity = device.by_role.get(PropertyRole.ACTIVITY)
    if activity is None or activity.readonly:
        return False
    return device.power is None or _worked(PropertyRole.ACTIVITY, opening=True) in activity.words


def _worked(role: PropertyRole, *, opening: bool) -> str:
    """The choice of an enum property that opens or closes."""
    return acts().worked[role][0 if opening else 1]


def switch_off(request: Request, device: DeviceShape) -> Change | Note:
    """关闭: power off, a cover closed, a lock locked, a robot sent home."""
    if _is_worked_by_activity(device):
        return _choose_word(request, device, _worked(PropertyRole.ACTIVITY, opening=False))
    power = device.power
    if power is not None:
        return written(device, power, power.off, "关闭")
    return _switch_by(request, device, opening=False)


def _switch_by(request: Request, device: DeviceShape, *, opening: bool) -> Change | Note:
    """打开 and 关闭 of a device without a power switch."""
    verb = "打开" if opening else "关闭"
    opened = device.by_role.get(PropertyRole.OPENING)
    if opened is not None and opened.numeric:
        return written(device, opened, _end(opened, high=opening), acts().moved.get(opened.ends[opening], verb))
    if PropertyRole.LOCK in device.by_role:
        return unlock(device) if opening else lock(device)
    if PropertyRole.PLAYBACK in device.by_role:
        return _choose_word(request, device, _worked(PropertyRole.PLAYBACK, opening=opening))
    for spec in device.properties.values():
        if spec.readonly:
            continue
        moved = _moving(spec, opening=opening)
        if moved is not None:
            return written(device, spec, spec.words[moved], acts().moved[moved])
        if spec.type is PropertyType.ENUM and not opening and "关" in spec.words:
            return written(device, spec, spec.words["关"], verb)
        if spec.type is PropertyType.ENUM and opening and "关" in spec.words and len(spec.choices) > 1:
            others = [choice for choice in spec.choices if choice != spec.words["关"]]
            return written(device, spec, spec.words.get("自动", others[0]), verb)
        if spec is device.default and spec.numeric and spec.low == 0:
            return written(device, spec, _end(spec, high=opening), verb)
    features = device.features
    if len(features) > 1 and opening:
        offered = "、".join(spec.label for spec in features)
        return Note(NoteCode.UNKNOWN_VALUE, device.id, detail=offered, attribute=verb)
    if features:  # 浴霸关了, of one that has a switch for each thing it does
        at_work = [spec for spec in features if request.home.value(device, spec) == spec.on]
        return Change({spec.name: spec.off for spec in at_work or features}, verb)
    if device.is_sensor:
        return Note(NoteCode.READ_ONLY, device.id, attribute=verb)
    return Note(NoteCode.UNSUPPORTED, device.id, attribute=verb)


def _moving(spec: PropertySpec, *, opening: bool) -> str | None:
    """The choice of a motor that has one for each way: 打开 lifts or unfolds, 关闭 lowers or folds."""
    if not moves(spec):
        return None
    return next(out if opening else back for out, back in acts().ways if out in spec.words and back in spec.words)


def can_halt(device: DeviceShape) -> bool:
    """Whether 停 said of the device stops what it does rather than switching it off: a robot, a player, a motor."""
    return any(
        not spec.readonly and spec.type is PropertyType.ENUM and ("停止" in spec.words or "暂停" in spec.words)
        for spec in device.properties.values()
    )


def _end(spec: PropertySpec, *, high: bool) -> int | float:
    bound = spec.high if high else spec.low
    if bound is None:
        bound = 100 if high else 0
    return bound if spec.type is PropertyType.FLOAT else int(bound)


def lock(device: DeviceShape) -> Change | Note:
    """上锁."""
    spec = device.by_role.get(PropertyRole.LOCK)
    if spec is not None:
        return written(device, spec, spec.on, "锁上")
    if device.power is not None and device.kind.key in ("lock", "garage_door"):
        return written(device, device.power, device.power.off, "锁上")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute="上锁")


def unlock(device: DeviceShape) -> Change | Note:
    """解锁."""
    spec = device.by_role.get(PropertyRole.LOCK)
    if spec is not None:
        return written(device, spec, spec.off, "打开")
    if device.power is not None and device.kind.key in ("lock", "garage_door"):
        return written(device, device.power, device.power.on, "打开")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute="解锁")


def mute(request: Request, device: DeviceShape) -> Change | Note:
    """静音: the mute property, a silent mode, or the volume at its end."""
    spec = device.by_role.get(PropertyRole.MUTE)
    if spec is not None:
        return written(device, spec, spec.on, "静音")
    mode = device.by_role.get(PropertyRole.MODE)
    if mode is not None and "静音" in mode.words:
        return set_spec(request, device, mode, parse_amount("静音"))
    volume = device.by_role.get(PropertyRole.VOLUME)
    if volume is not None and volume.low == 0 and not volume.readonly:
        return written(device, volume, _end(volume, high=False), "静音")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute="静音")


def unmute(device: DeviceShape) -> Change | Note:
    """取消静音."""
    spec = device.by_role.get(PropertyRole.MUTE)
    if spec is None:
        return Note(NoteCode.UNSUPPORTED, device.id, attribute="取消静音")
    return written(device, spec, spec.off, "取消", "静音")


# ---- one word of a playback or an activity


def choose(request: Request, device: DeviceShape) -> Change | Note:
    """播放, 暂停, 回充 …: one choice of a player, a robot or a cover."""
    return _choose_word(request, device, request.act.word)


def _choose_word(request: Request, device: DeviceShape, word: str) -> Change | Note:
    said = acts().choice(word)
    for role in map(PropertyRole, said.of):
        spec = device.by_role.get(role)
        if spec is None or spec.readonly:
            continue
        if spec.type is PropertyType.BOOL and word in verb_table().ways:
            return _chosen(request, device, spec, word, spec.on if word in verb_table().beginning else spec.off)
        for choice in said.sets:
            if choice in spec.words:
                return _chosen(request, device, spec, word, spec.words[choice])
    return _without_choice(request, device, word)


def _chosen(request: Request, device: DeviceShape, spec: PropertySpec, word: str, value: Any) -> Change:
    said = acts().choice(word)
    verb, tail = said.told.get(spec.role, (word, ""))
    if spec.words.get("运行") == value:
        verb, tail = ("继续" if word == "继续" else "开始", f"（{told(spec, value)}）")
    if said.powers:
        return with_power(request, device, Change({spec.name: value}, verb, tail))
    return Change({spec.name: value}, verb, tail)


def _without_choice(request: Request, device: DeviceShape, word: str) -> Change | Note:
    """The nearest act for a device without such a property."""
    said, channel = acts().choice(word), device.by_role.get(PropertyRole.CHANNEL)
    if channel is not None and said.steps:
        return step(request, device, channel, said.steps)
    if word in verb_table().ending:
        for spec in device.properties.values():
            halt = next((one for one in said.sets if one in spec.words), None)
            if halt is not None and not spec.readonly and spec.type is PropertyType.ENUM:
                return Change({spec.name: spec.words[halt]}, "停下")
    power = device.power
    if power is not None and said.ends:
        return written(device, power, power.off, "关闭")
    if power is not None and word == "清扫" and device.kind.key == "vacuum":
        return written(device, power, power.on, "打开")
    return Note(NoteCode.UNSUPPORTED, device.id, attribute=word)
