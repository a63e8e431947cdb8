"""How people end the silence of a thing they name: 取消电视静音. Such words never mute (spec, ACTION: 取消静音)."""

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["ends_muting"]

_ENDED = frozenset(("取消", "撤销", "退出", "结束", "去掉"))
_SWITCHED_OFF = frozenset(("关掉", "关闭", "停止"))
_PLACED = frozenset((Kind.ROOM, Kind.ZONE, Kind.OF, Kind.LOCATIVE, Kind.DEVICE))


def ends_muting(tokens: list[Token], at: int) -> None:
    """取消电视静音, 关掉音箱的静音: the silence of what is named is ended, and nothing else is done."""
    if tokens[at].value != "静音":
        return
    first = at - 1
    while first >= 0 and tokens[first].kind in _PLACED:
        first -= 1
    if not 0 <= first < at - 1:
        return
    if tokens[first].text in _ENDED or (tokens[first].text in _SWITCHED_OFF and tokens[at - 1].kind is Kind.OF):
        tokens[first].kind, tokens[first].value = Kind.PARTICLE, ""
        tokens[at].value = "取消静音"
