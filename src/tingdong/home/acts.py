"""The protocol's verbs as acts on properties (command protocol, "ACTION: canonical phrases")."""

from enum import Enum, auto
from functools import lru_cache

import msgspec

from tingdong.home.model import PropertyRole

__all__ = ["ATTRIBUTE_ROLES", "Act", "ActKind", "read_act"]


class ActKind(Enum):
    ON = auto()
    OFF = auto()
    SET = auto()
    RAISE = auto()
    LOWER = auto()
    CHOOSE = auto()  # one word of a playback or activity property: 暂停, 继续, 回充 …
    MUTE = auto()
    UNMUTE = auto()
    LOCK = auto()
    UNLOCK = auto()
    RUN = auto()  # a scene
    ASK = auto()
    UNKNOWN = auto()


class Act(msgspec.Struct, frozen=True):
    """What a verb does: `role` is the property it speaks of (None for a bare 设置), `word` the verb or attribute."""

    kind: ActKind
    word: str
    role: PropertyRole | None = None


ATTRIBUTE_ROLES: dict[str, PropertyRole] = {
    "亮度": PropertyRole.BRIGHTNESS,
    "温度": PropertyRole.TEMPERATURE,
    "水温": PropertyRole.TEMPERATURE,
    "音量": PropertyRole.VOLUME,
    "声音": PropertyRole.VOLUME,
    "风速": PropertyRole.SPEED,
    "风量": PropertyRole.SPEED,
    "档位": PropertyRole.SPEED,
    "水流": PropertyRole.SPEED,
    "吸力": PropertyRole.SPEED,
    "色温": PropertyRole.COLOUR_TEMPERATURE,
    "颜色": PropertyRole.COLOUR,
    "开合度": PropertyRole.OPENING,
    "湿度": PropertyRole.HUMIDITY,
    "模式": PropertyRole.MODE,
    "频道": PropertyRole.CHANNEL,
    "输入源": PropertyRole.INPUT,
    "信号源": PropertyRole.INPUT,
}

_VERBS = {
    "打开": Act(ActKind.ON, "打开"),
    "开启": Act(ActKind.ON, "打开"),
    "开始": Act(ActKind.ON, "打开"),
    "关闭": Act(ActKind.OFF, "关闭"),
    "静音": Act(ActKind.MUTE, "静音", PropertyRole.MUTE),
    "取消静音": Act(ActKind.UNMUTE, "取消静音", PropertyRole.MUTE),
    "上锁": Act(ActKind.LOCK, "上锁", PropertyRole.LOCK),
    "解锁": Act(ActKind.UNLOCK, "解锁", PropertyRole.LOCK),
    "执行": Act(ActKind.RUN, "执行"),
    "设置": Act(ActKind.SET, ""),
}
_CHOICES = ("清扫", "播放", "暂停", "继续", "停止", "上一首", "下一首", "回充", "重启")
_PREFIXES = (("设置", ActKind.SET), ("调高", ActKind.RAISE), ("调低", ActKind.LOWER), ("查询", ActKind.ASK))


@lru_cache(maxsize=1024)
def read_act(verb: str) -> Act:
    """The act of a canonical verb phrase; `UNKNOWN` for one the protocol does not have."""
    known = _VERBS.get(verb)
    if known is not None:
        return known
    if verb in _CHOICES:
        return Act(ActKind.CHOOSE, verb)
    for prefix, kind in _PREFIXES:
        if verb.startswith(prefix):
            attribute = verb[len(prefix) :]
            return Act(kind, attribute, ATTRIBUTE_ROLES.get(attribute))
    return Act(ActKind.UNKNOWN, verb)
