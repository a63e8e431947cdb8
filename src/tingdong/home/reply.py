"""One natural, polite sentence for a plan (service.md, `summary`), from the plan alone."""

from collections.abc import Sequence

from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.acts import ActKind, read_act
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Deed, Instruct, Note, NoteCode, Plan
from tingdong.home.spoken_moment import tell_moment
from tingdong.home.targets import MOST_NAMED, joined, phrase_of, whole_type

__all__ = ["ask_confirmation", "ask_device", "ask_room", "explain", "reply", "tell_deeds"]

NOTHING_TO_DO = "没有需要操作的设备。"


def reply(home: HomeSnapshot, plan: Plan) -> str:
    """The actions, then what was not done and why (已关闭客厅灯；书房没有空调。)."""
    parts = [*_doing(home, plan), *explain(home, plan.notes)]
    return "；".join(parts) + "。" if parts else NOTHING_TO_DO


def tell_deeds(home: HomeSnapshot, plan: Plan) -> str:
    """The actions only, without 正在 (打开玄关门锁，关闭客厅空调)."""
    return "，".join(_phrases(home, list(zip(plan.instructs, plan.deeds, strict=True))))


def ask_confirmation(home: HomeSnapshot, plan: Plan, *, doubted: bool = False) -> str:
    """The question before a plan is executed: a risky one, or one that was possibly not requested (`doubted`)."""
    told: dict[str, list[tuple[Instruct, Deed]]] = {}
    for pair in zip(plan.instructs, plan.deeds, strict=True):
        told.setdefault(pair[0].when or "", []).append(pair)
    moments = (f"{tell_moment(when) if when else ''}{'，'.join(_phrases(home, pairs))}" for when, pairs in told.items())
    return f"{'是' if doubted else '确定'}要{'，'.join(moments)}吗？"


def ask_room(home: HomeSnapshot, query: QueryIR, device_ids: Sequence[str]) -> str:
    """Which room is meant (你要打开哪个房间的风扇呢？); the rooms follow when they are few."""
    devices = _devices(home, device_ids)
    rooms = [room for room in dict.fromkeys(device.room for device in devices) if room]
    offered = f"{'、'.join(rooms)}都有。" if 1 < len(rooms) <= 4 else ""
    return f"你要{_wanted(query)}哪个房间的{_asked_word(query, devices)}呢？{offered}"


def ask_device(home: HomeSnapshot, query: QueryIR, device_ids: Sequence[str]) -> str:
    """Which device of one place is meant (客厅有射灯1和射灯2，你要打开哪一个呢？)."""
    devices = _devices(home, device_ids)
    rooms = {device.room for device in devices}
    place = rooms.pop() if len(rooms) == 1 else ""
    names = [device.name if place else device.label for device in devices]
    if len(set(names)) < len(names):
        measure = devices[0].kind.measure
        return f"{place}有{len(devices)}{measure}{devices[0].plain}，你要{_wanted(query)}哪一{measure}，还是都要？"
    return f"{place or '家里'}有{joined(names)}，你要{_wanted(query)}哪一{devices[0].kind.measure}呢？"


def _devices(home: HomeSnapshot, ids: Sequence[str]) -> list[DeviceShape]:
    return [home.shape.devices[device_id] for device_id in ids if device_id in home.shape.devices]


def _wanted(query: QueryIR) -> str:
    act = read_act(query.action)
    match act.kind:
        case ActKind.SET:
            return "调"
        case ActKind.RAISE | ActKind.LOWER:
            return query.action[:2]
        case ActKind.ASK:
            return "查询"
    return act.word


def _asked_word(query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    if query.name:
        return query.name
    plains = {device.plain for device in devices}
    if len(plains) == 1:
        return plains.pop()
    words = list(dict.fromkeys(device.kind.word for device in devices))
    return words[0] if len(words) == 1 or query.type is not DeviceType.UNKNOWN else "设备"


# ---- what is done


def _doing(home: HomeSnapshot, plan: Plan) -> list[str]:
    ended = {note.device_id for note in plan.notes if note.code is NoteCode.AT_LIMIT}
    now: list[tuple[Instruct, Deed]] = []
    later: dict[str, list[tuple[Instruct, Deed]]] = {}
    cancelled: list[tuple[Instruct, Deed]] = []
    for pair in zip(plan.instructs, plan.deeds, strict=True):
        if pair[0].cancel is not None:
            cancelled.append(pair)
        elif pair[0].when is not None:
            later.setdefault(pair[0].when, []).append(pair)
        elif pair[0].id not in ended or pair[1].switched or not pair[1].verb.startswith("调"):
            now.append(pair)
    parts = []
    if now:
        parts.append("正在" + "，".join(_phrases(home, now)))
    for when, pairs in later.items():
        parts.append(f"{'' if parts else '好的，'}{tell_moment(when)}{'，'.join(_phrases(home, pairs))}")
    if cancelled:
        names = joined(list(dict.fromkeys(_name(home, pair[0].id) for pair in cancelled)))
        parts.append(f"{'' if parts else '好的，'}已取消{names}的定时")
    return parts


def _name(home: HomeSnapshot, entity_id: str) -> str:
    device = home.shape.devices.get(entity_id)
    if device is not None:
        return device.label
    scene = home.shape.scenes.get(entity_id)
    return scene.name if scene is not None else ""


def _told_of(home: HomeSnapshot, pairs: Sequence[tuple[Instruct, Deed]]) -> list[DeviceShape]:
    """The devices to tell of. Where they are counted, those that change count: of 18 that are closed, 7 were on."""
    devices = _devices(home, [deed.device_id for _, deed in pairs])
    if len(devices) <= MOST_NAMED or whole_type(home, devices):
        return devices
    changed = {one.id for one, _ in pairs if one.when is not None or _changes(home, one)}
    return [device for device in devices if device.id in changed] or devices


def _changes(home: HomeSnapshot, instruct: Instruct) -> bool:
    present = home.properties.get(instruct.id, {})
    return any(present.get(name) != value for name, value in instruct.state.items())


def _phrases(home: HomeSnapshot, pairs: Sequence[tuple[Instruct, Deed]]) -> list[str]:
    """One phrase for all devices with the same wording."""
    groups: dict[tuple[str, str], list[tuple[Instruct, Deed]]] = {}
    for pair in pairs:
        groups.setdefault((pair[1].verb, pair[1].tail), []).append(pair)
    phrases = []
    for (verb, tail), told in groups.items():
        deeds = [deed for _, deed in told]
        ids = [deed.device_id for deed in deeds]
        devices = _told_of(home, told)
        if devices:
            # Of several devices set alike, some had to be switched on first: one phrase serves them all.
            switched = all(deed.switched for deed in deeds)
            phrases.append(Deed("", verb, tail, switched=switched).told(phrase_of(home, devices)))
        scenes = [_name(home, entity_id) for entity_id in ids if entity_id in home.shape.scenes]
        if scenes:
            phrases.append(f"{verb}{joined(scenes)}")
    return phrases


# ---- what is not done


def explain(home: HomeSnapshot, notes: Sequence[Note]) -> list[str]:
    """The notes as clauses, grouped by reason."""
    groups: dict[tuple[NoteCode, str, str], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.code, note.attribute, note.detail), []).append(note)
    return [_clause(home, same) for same in groups.values()]


def _clause(home: HomeSnapshot, notes: Sequence[Note]) -> str:
    note = notes[0]
    devices = _devices(home, [same.device_id for same in notes if same.device_id])
    scenes = [_name(home, same.device_id) for same in notes if same.device_id in home.shape.scenes]
    who = joined([*([phrase_of(home, devices)] if devices else []), *scenes])
    attribute, detail = note.attribute, note.detail
    match note.code:
        case NoteCode.NO_ROOM:
            return f"家里没有{detail}" + (f"，有{attribute}" if attribute else "")
        case NoteCode.NO_DEVICE:
            return f"{detail or '家里'}没有{attribute or '这个设备'}"
        case NoteCode.UNSUPPORTED:
            return f"{who}不支持{attribute or '这个操作'}"
        case NoteCode.OUT_OF_RANGE:
            return f"{who}的{attribute}只能在{detail}之间" if detail else f"{who}调不到这个{attribute}"
        case NoteCode.READ_ONLY:
            return f"{who}只能查看，不能控制"
        case NoteCode.OFFLINE:
            return f"{who}离线了，暂时控制不了"
        case NoteCode.PROTECTED:
            return f"{who}需要保持运行，没有动；要关请单独说"
        case NoteCode.SKIPPED:
            return f"{who}没有动，要它回去充电请单独说"
        case NoteCode.RISKY | NoteCode.NOT_BEGUN:
            return f"{who}需要确认后才能操作"
        case NoteCode.AT_LIMIT:
            return f"{who}的{attribute}已经是{detail}，到头了"
        case NoteCode.TOO_FEW:
            return f"{attribute or '家里'}只有{detail}"
        case NoteCode.CHANGED_SINCE:
            return f"{who}后来又变了，没有动"
        case NoteCode.IS_OFF:
            return f"{who}现在关着，{attribute}没有动"
        case NoteCode.UNKNOWN_VALUE:
            return f"{who}不支持{attribute}" + (f"，可以选{detail}" if detail else "")
