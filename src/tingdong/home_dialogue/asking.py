"""Replies for unclear targets (service.md, Token frame: 你要打开哪个房间的风扇呢？; law 1).

An unknown room or name is reported with similar ones; several possible targets give a question.
"""

from collections.abc import Sequence

from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, QueryIR, Resolution, ResolutionStatus
from context_retrieval.telling import said_table
from tingdong.home.home import HomeSnapshot
from tingdong.home.reply import ask_device, ask_room
from tingdong.home.targets import joined

__all__ = ["ask_which", "missing", "not_yet", "what_is_possible"]

NO_SIDE = "分不出哪一个是{}的，请说出它的名字。"
WHICH_ROOM = "是哪个房间的{}呢？{}都有。"
MAX_LISTED = 6
MAX_ROOMS = 20

_TYPE_WORDS = {
    DeviceType.AIR_CONDITIONER: "空调",
    DeviceType.BLIND: "窗帘",
    DeviceType.CHARGER: "充电器",
    DeviceType.FAN: "风扇",
    DeviceType.HUB: "网关",
    DeviceType.LIGHT: "灯",
    DeviceType.NETWORK_AUDIO: "音箱",
    DeviceType.SWITCH: "开关",
    DeviceType.TELEVISION: "电视",
    DeviceType.WASHER: "洗衣机",
    DeviceType.SMART_PLUG: "插座",
}


def ask_which(home: HomeSnapshot, query: QueryIR, options: Sequence[str]) -> str:
    """Asks between options: by room when each stands in a room of its own, else by name."""
    rooms = [home.shape.devices[option].room for option in options if option in home.shape.devices]
    if len(set(rooms)) > 1:
        return ask_room(home, query, options)
    return ask_device(home, query, options)


def what_is_possible(home: HomeSnapshot, options: Sequence[str]) -> str:
    """After asking twice: what could be said, told once."""
    labels = [home.shape.devices[option].label for option in options if option in home.shape.devices]
    more = "等" if len(labels) > MAX_LISTED else ""
    return f"没听明白是哪一个，可以直接说：{'、'.join(labels[:MAX_LISTED])}{more}。"


def not_yet(home: HomeSnapshot, options: Sequence[str]) -> str:
    """That of several that fit none was touched, while something else is asked."""
    labels = [home.shape.devices[option].label for option in options if option in home.shape.devices]
    more = "等" if len(labels) > MAX_LISTED else ""
    return f"{joined(labels[:MAX_LISTED])}{more}还没有动，要哪一个请再说。"


def missing(home: HomeSnapshot, query: QueryIR, resolution: Resolution) -> str:
    """Why nothing could be resolved, with what this home has instead."""
    match resolution.status:
        case ResolutionStatus.NO_ROOM:
            return _no_room(home, query, resolution)
        case ResolutionStatus.NO_REFERENCE:
            return "你想控制哪个设备呢？"
    place = joined(resolution.rooms or query.include) or "家里"
    thing = query.name or _TYPE_WORDS.get(query.type) or _measured(query) or "这个设备"
    near = tuple(name for name in resolution.near if name != thing)
    if near:
        return f"{place}没有{thing}，你是说{'还是'.join(near)}吗？"
    return _denied(place, thing, resolution.rooms or query.include, _rooms_with(home, query))


def _denied(place: str, thing: str, asked: Sequence[str], rooms: Sequence[str]) -> str:
    """That there is none there, and where there is one; what the home has is never denied of the home."""
    listed = joined(rooms[:MAX_LISTED])
    if not rooms:
        return f"{place}没有{thing}。"
    if set(asked) & set(rooms):
        return f"{place}没有别的{thing}了。"
    return f"{place}没有{thing}，{listed}有。" if asked else f"{listed}有{thing}，请说是哪个房间的。"


def _rooms_with(home: HomeSnapshot, query: QueryIR) -> list[str]:
    """The rooms where what was asked for stands."""
    found: dict[str, None] = {}
    for device in home.shape.devices.values():
        same = query.name in (device.name, device.plain) if query.name else device.type is query.type
        if same and device.room and (query.name or query.type is not DeviceType.UNKNOWN):
            found[device.room] = None
    return list(found)


def _measured(query: QueryIR) -> str:
    attribute = query.action.removeprefix("查询")
    return f"能查{attribute}的设备" if attribute != query.action and attribute != "状态" else ""


def _no_room(home: HomeSnapshot, query: QueryIR, resolution: Resolution) -> str:
    words = "、".join(resolution.missing) or "、".join(query.include) or "这个房间"
    if query.here:
        return "不知道你在哪个房间，请说出房间名。"
    if words[:1] in said_table().sides and words[1:] and set(words[1:]) <= set(said_table().side_ends):
        return NO_SIDE.format(words)
    beside = dict.fromkeys(one.room for one in home.shape.devices.values() if one.room and words in one.plain)
    if beside:  # 空调那边的灯
        return WHICH_ROOM.format(words, joined(list(beside)[:MAX_ROOMS]))
    rooms = [room for room in home.shape.rooms if room]
    have = f"，有{joined(rooms[:MAX_ROOMS])}{'等房间' if len(rooms) > MAX_ROOMS else ''}" if rooms else ""
    if words.startswith(tuple(default_lexicon().rooms.pronouns.split())):
        return f"{words}是哪个房间呢？家里{have.removeprefix('，')}。"
    return f"家里没有{words}{have}。"
