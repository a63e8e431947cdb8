"""The protocol's verbs as acts on properties (command protocol, "ACTION: canonical phrases")."""

from enum import Enum, auto
from functools import cache

import msgspec

from tingdong.home.model import PropertyRole
from tingdong.home.vocabulary import attributes, roles
from zhtext.remembering import remembered

__all__ = ["Act", "ActKind", "read_act", "settable_roles"]


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


@cache
def settable_roles() -> dict[str, PropertyRole]:
    """The protocol's words for what can be set, with the role each is."""
    found: dict[str, PropertyRole] = {}
    for word, ranked in attributes().items():
        for role in ranked:
            entry = roles()[role]
            if entry.asked and not entry.read_only and entry.takes != "switch":
                found.setdefault(word, role)
    return found


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


@remembered(1024)
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
            return Act(kind, attribute, settable_roles().get(attribute))
    return Act(ActKind.UNKNOWN, verb)
