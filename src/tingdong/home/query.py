"""Questions answered from the state in this request (service.md, Token frame: answers are true to the state).

An answer never leads to an instruct. Offline devices are reported with their last known state.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.abilities import tell_abilities
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.kinds import kinds_in
from tingdong.home.model import PropertyRole
from tingdong.home.questions import Form, Question, read_question
from tingdong.home.readings import answer_reading, is_readable
from tingdong.home.states import is_active, spoken, state_clause, status_of, subject_of
from tingdong.home.targets import joined, phrase_of

__all__ = ["OPENNESS", "answer", "is_lock"]

OPENNESS = "查询开合"
"""The question how doors and windows stand."""
FEW_DEVICES = 5
MOST_LISTED = 12
"""Longer lists are counted."""


def answer(home: HomeSnapshot, query: QueryIR, device_ids: Sequence[str], *, text: str = "") -> str:
    """One sentence true to the state. `text` is the question as asked; it says what the protocol's verb does not."""
    question = read_question(query.action, text)
    devices = _narrowed(query, text, _devices(home, device_ids))
    if question.form is Form.ABILITY and devices:
        return tell_abilities(home, devices, text)
    if is_readable(question.attribute):
        return answer_reading(home, question, query, devices)
    if not devices:
        return "没有找到你问的设备。"
    if query.action == OPENNESS:
        return _openings(home, read_question("查询状态", text), devices)
    match question.form:
        case Form.COUNT:
            return _counted(home, question, query, devices)
        case Form.STOCK:
            return _stocked(query, devices)
        case Form.LIST:
            return _listed(home, question, query, devices)
        case Form.ANY if len(devices) > 1:
            return _any(home, question, query, devices)
        case Form.STATUS:
            return "；".join(spoken(home, device, status_of(home, device)) for device in devices[:MOST_LISTED]) + "。"
    return _whether(home, question, devices)


def _devices(home: HomeSnapshot, ids: Sequence[str]) -> list[DeviceShape]:
    shape = home.shape
    found: dict[str, DeviceShape] = {}
    for entity_id in ids:
        if entity_id in shape.devices:
            found[entity_id] = shape.devices[entity_id]
        elif entity_id in shape.groups:
            found.update({member: shape.devices[member] for member in shape.groups[entity_id].devices})
    return sorted(found.values(), key=lambda device: device.index)


def _narrowed(query: QueryIR, text: str, devices: list[DeviceShape]) -> list[DeviceShape]:
    """The devices that the words of an otherwise open question speak of (家里亮着几盏 is about lamps)."""
    if query.type is not DeviceType.UNKNOWN or query.name or len(devices) < 2:
        return devices
    named = kinds_in(text)
    types = {device.type for device in devices if device.kind.key in named} - {DeviceType.UNKNOWN}
    return [device for device in devices if device.kind.key in named or device.type in types] or devices


def _openings(home: HomeSnapshot, question: Question, devices: Sequence[DeviceShape]) -> str:
    """How doors and windows stand, by what their sensors watch."""
    wanted = _asked_state(question)
    found: dict[bool | None, list[str]] = {}
    for device in devices:
        spec = device.by_role.get(PropertyRole.OPEN)
        value = is_active(home, device) if spec is None else home.value(device, spec)
        asserted = value if spec is None or value is None else value == spec.on
        found.setdefault(asserted, []).append(device.label if spec is None else subject_of(device, spec))
    said = found.get(wanted, [])
    word, other = ("开着", "关着") if wanted else ("关着", "开着")
    if question.form in (Form.COUNT, Form.LIST, Form.ANY):
        lead = "" if question.form is Form.LIST else f"有{len(said)}处{word}：" if said else ""
        return f"{lead}{joined(said)}{'' if lead else word}。" if said else f"没有{word}的，都{other}。"
    rest = found.get(not wanted, [])
    unknown = f"，还不知道{joined(found[None])}的状态" if found.get(None) else ""
    if not rest and said:
        return f"是的，{joined(said)}{'都' if len(said) > 1 else ''}{word}{unknown}。"
    beside = f"，{joined(said)}{word}" if said and not question.every else ""
    return f"{'还没有，' if question.every else '没有，' if not said else ''}{joined(rest)}{other}{beside}{unknown}。"


# ---- whether, which, how many


def _asked_state(question: Question) -> bool:
    return question.on is not False


def _matching(
    home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]
) -> list[DeviceShape]:
    """Devices in the state asked about; covers and sensors do not count as "something that is on"."""
    wanted = _asked_state(question)
    found = []
    for device in devices:
        counts = _is_appliance(device) or is_lock(device)
        if query.type is DeviceType.UNKNOWN and not query.name and (device.is_sensor or not counts):
            continue
        if is_active(home, device) is wanted:
            found.append(device)
    return found


def _is_appliance(device: DeviceShape) -> bool:
    return (
        device.power is not None and device.type is not DeviceType.BLIND and device.kind.level != PropertyRole.OPENING
    )


def is_lock(device: DeviceShape) -> bool:
    """Whether the device is a lock, and not only one with a child lock."""
    return PropertyRole.LOCK in device.by_role and device.power is None


def _state_word(devices: Sequence[DeviceShape], *, on: bool) -> str:
    if devices and all(map(is_lock, devices)):
        return "没有锁" if on else "锁着"
    if all(device.type is DeviceType.LIGHT for device in devices):
        return "亮着" if on else "没有开"
    return "开着" if on else "没有开"


def _counted(home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    noun = _noun(query, devices)
    if question.on is None:
        listed = f"：{_by_room(devices)}" if len(devices) <= MOST_LISTED else ""
        measure = devices[0].kind.measure if noun != "设备" else "个"
        return f"{'、'.join(query.include) or '家里'}有{len(devices)}{measure}{noun}{listed}。"
    found = _matching(home, question, query, devices)
    word = _state_word(devices, on=_asked_state(question))
    measure = devices[0].kind.measure if noun != "设备" else "个"
    place = "、".join(query.include)
    where = f"{place}现在" if place else "现在"
    if not found:
        return f"{where}没有{word if _asked_state(question) else '关着'}的{noun}。"
    names = phrase_of(home, found) if len(found) <= FEW_DEVICES else _rooms_counted(found, measure)
    return f"{where}有{len(found)}{measure}{noun}{word}：{names}。"


def _rooms_counted(devices: Sequence[DeviceShape], measure: str) -> str:
    """一楼客厅3盏、书房2盏: many by their rooms."""
    rooms = Counter(device.room or "别处" for device in devices)
    return "、".join(f"{room}{count}{measure}" for room, count in rooms.items())


def _stocked(query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    """The devices there are: by name if few, else counted by kind."""
    place = "、".join(query.include) or ("这里" if query.here else "家里")
    if len(devices) <= MOST_LISTED:
        names = [device.plain if query.include else device.label for device in devices]
        return f"{place}有{joined(list(dict.fromkeys(names)))}。"
    counts: dict[str, list[DeviceShape]] = {}
    for device in devices:
        counts.setdefault(device.kind.word, []).append(device)
    kinds = [f"{len(same)}{same[0].kind.measure}{word}" for word, same in counts.items()]
    return f"{place}有{len(devices)}个设备：{joined(kinds)}。"


def _noun(query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    if query.name:
        return query.name
    words = {device.kind.word for device in devices}
    return words.pop() if len(words) == 1 else "设备"


def _listed(home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    found = _matching(home, question, query, devices)
    wanted = _asked_state(question)
    word = _state_word(devices, on=wanted)
    if not found and devices and all(map(is_lock, devices)):
        return "都锁好了。" if wanted else "一个也没有锁。"
    if not found:
        noun = _noun(query, devices)
        place = "、".join(query.include)
        return (
            f"{place}没有{noun}{'开着' if wanted else '是关着的'}。"
            if place
            else f"现在没有{noun}{'开着' if wanted else '关着'}。"
        )
    if len(found) > MOST_LISTED:
        return f"{phrase_of(home, found)}{word}。"
    labels = _by_room(found)
    return f"{labels}{word}。"


def _any(home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    found = _matching(home, question, query, devices)
    wanted = _asked_state(question)
    if not found:
        return f"没有，{_noun(query, devices)}都{'关着' if wanted else '开着'}。"
    labels = phrase_of(home, found) if len(found) > MOST_LISTED else _by_room(found)
    return f"有，{labels}{_state_word(devices, on=wanted)}。"


def _by_room(devices: Sequence[DeviceShape]) -> str:
    rooms: dict[str, list[str]] = {}
    for device in devices:
        inside = device.label == device.room + device.plain
        rooms.setdefault(device.room if inside else "", []).append(device.plain if inside else device.label)
    parts = []
    for room, names in rooms.items():
        parts += names if not room else [f"{room}的{joined(names)}" if len(names) > 1 else f"{room}{names[0]}"]
    nested = len(parts) > 1 and any(len(names) > 1 for room, names in rooms.items() if room)
    return "，".join(parts) if nested else joined(parts)


def _whether(home: HomeSnapshot, question: Question, devices: Sequence[DeviceShape]) -> str:
    if question.plain:
        question = msgspec.structs.replace(question, on=None)
    if len(devices) == 1:
        device = devices[0]
        state = is_active(home, device)
        clause = state_clause(home, device)
        if state is None or question.on is None:
            return spoken(home, device, clause) + "。"
        lead = "是的，" if state is question.on else "没有，" if not state or question.on is False else ""
        return spoken(home, device, lead + clause) + "。"
    known = [(device, is_active(home, device)) for device in devices]
    on = [device for device, state in known if state]
    off = [device for device, state in known if state is False]
    if not on and not off:
        return "，".join(state_clause(home, device) for device in devices[:MOST_LISTED]) + "。"
    if not off:
        lead = "是的，" if question.on else ""
        return f"{lead}{phrase_of(home, on)}都开着。"
    if not on:
        lead = "是的，" if question.on is False else ""
        return f"{lead}{phrase_of(home, off)}都关着，没有开。" if not lead else f"{lead}{phrase_of(home, off)}都关着。"
    if question.every and question.on is not None:
        others = off if question.on else on
        return f"还没有，{_by_room(others)}{'关着' if question.on else '还开着'}。"
    return f"{_by_room(on)}开着，{_by_room(off)}关着。"
