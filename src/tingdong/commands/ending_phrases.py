"""Words that end something and close no thing: a silence (取消电视静音), a way (窗帘开到一半停), a mode (退出影院模式).

A mode of the home that ends is turned off (关闭-*-影院模式). One of a device is denied: the protocol has no value that
ends it, and to begin it would be wrong (spec, ACTION: 执行, 设置模式).
"""

from msgspec.structs import replace

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import PLACED
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["ends_something"]

_ENDED = frozenset(("取消", "撤销", "退出", "结束", "去掉"))
_SWITCHED_OFF = frozenset(("关掉", "关闭", "停止"))
_STOPPED = frozenset(("关闭", "停止", "暂停"))
_MOVED = frozenset("开升拉降走卷放落收摇合关推抬")
_LIGHT = frozenset((Kind.ONLY_THIS, Kind.PARTICLE, Kind.SEQUENCE, Kind.REQUEST))
_AFTER = frozenset((Kind.PARTICLE, Kind.TAIL, Kind.POLITE))
_ENDS_MODE = frozenset(
    ("退出", "退了", "退掉", "关闭", "关掉", "关了", "关上", "取消", "取消掉", "取消了", "结束", "结束掉", "结束了",
     "解除", "终止", "停止", "停掉", "停了", "停用", "撤销", "撤掉")
)  # fmt: skip
_GLUED = ("退出", "结束", "解除", "终止", "取消")
_HEARD = frozenset(("television", "audio"))


def ends_something(tokens: list[Token], at: int) -> None:
    """The verb at `at` as it is meant, where it ends something of the thing."""
    token = tokens[at]
    if token.kind is Kind.SCENE or (token.attribute == "模式" and token.text.endswith("模式")):
        _ends_mode(tokens, at)
    elif token.value == "静音":
        _ends_muting(tokens, at)
    elif token.value in _STOPPED and token.text[0] == "停":
        _stops_on_its_way(tokens, at)


def _ends_muting(tokens: list[Token], at: int) -> None:
    """取消电视静音, 关掉音箱的静音: its silence is ended and nothing else is done (spec, ACTION: 取消静音)."""
    first = at - 1
    while first >= 0 and tokens[first].kind in PLACED:
        first -= 1
    if not 0 <= first < at - 1:
        return
    if tokens[first].text in _ENDED or (tokens[first].text in _SWITCHED_OFF and tokens[at - 1].kind is Kind.OF):
        tokens[first].kind, tokens[first].value = Kind.PARTICLE, ""
        tokens[at].value = "取消静音"


def _stops_on_its_way(tokens: list[Token], at: int) -> None:
    """开到一半停, 升到60%就停下: how far it goes is set; it is not closed (spec, ACTION: 设置开合度)."""
    share = at - 1
    while share > 1 and tokens[share].kind in _LIGHT:
        share -= 1
    quantity = tokens[share].quantity if share > 0 else None
    if quantity is None or quantity.kind is not QuantityKind.PERCENT:
        return
    way = tokens[share - 1]
    if way.kind is not Kind.SET or way.text[0] not in _MOVED:
        return
    if _closes(tokens, at + 1):
        tokens[at].kind, tokens[at].value = Kind.PARTICLE, ""


def _ends_mode(tokens: list[Token], at: int) -> None:
    """退出影院模式, 起夜模式关掉: the home's mode is turned off, a device's is denied; neither begins."""
    at = _apart(tokens, at)
    verb = _verb_before(tokens, at) or _verb_after(tokens, at)
    if verb is None:
        return
    mode, first = tokens[at], at
    while first > 0 and tokens[first - 1].kind is not Kind.BREAK:
        first -= 1
    devices = [token for token in tokens[first:at] if token.kind is Kind.DEVICE]
    if mode.value == "静音" and all(token.device in _HEARD for token in devices):
        verb.kind, verb.value = Kind.PARTICLE, ""
        tokens[at] = Token(Kind.VERB, mode.start, mode.end, mode.text, "取消静音")
    elif devices:
        verb.kind, verb.value = Kind.NEGATION, ""
        mode.kind = Kind.VALUE if verb.start < mode.start else Kind.NOUN
    else:
        verb.kind, verb.value = Kind.VERB, "关闭"
        tokens[at] = Token(Kind.DEVICE, mode.start, mode.end, mode.text, mode.text, "open")


def _apart(tokens: list[Token], at: int) -> int:
    """退出影院模式 read as one mode: its verb by itself; returns where the mode stands then."""
    mode = tokens[at]
    ended = next((word for word in _GLUED if mode.text.startswith(word)), "")
    if not ended:
        return at
    cut = mode.start + len(ended)
    tokens[at : at + 1] = [
        Token(Kind.OPEN, mode.start, cut, ended),
        replace(mode, start=cut, text=mode.text[len(ended) :], value=mode.value.removeprefix(ended)),
    ]
    return at + 1


def _verb_before(tokens: list[Token], at: int) -> Token | None:
    at -= 1
    while at >= 0 and tokens[at].kind in PLACED:
        at -= 1
    return tokens[at] if at >= 0 and tokens[at].text in _ENDS_MODE else None


def _verb_after(tokens: list[Token], at: int) -> Token | None:
    at += 1
    while at < len(tokens) and tokens[at].kind in _LIGHT:
        at += 1
    if at == len(tokens) or tokens[at].text not in _ENDS_MODE:
        return None
    return tokens[at] if _closes(tokens, at + 1) else None


def _closes(tokens: list[Token], at: int) -> bool:
    """Whether the clause ends there."""
    while at < len(tokens) and tokens[at].kind in _AFTER:
        at += 1
    return at == len(tokens) or tokens[at].kind is Kind.BREAK
