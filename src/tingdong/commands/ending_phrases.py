"""Phrases that end something without switching a device off: mute (取消电视静音), a movement (窗帘开到一半停), a mode
(退出影院模式).

A mode of the home is turned off (关闭-*-影院模式). A mode of a device gives no command: the protocol has no value that
ends it, and starting it would be wrong (commands.md, ACTION: 执行, 设置模式).
"""

from msgspec.structs import replace

from context_retrieval.verbs import verb_table
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ENDS, PLACED, SWITCHING
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["ends_something"]

_ENDED = ("退出", "取消", "撤销", "结束", "去掉", "解除", "终止", "中止", "关闭", "关掉", "关了")
"""Verbs that end a mode or a silence also where they are no known words, or one word with it (退出影院模式)."""
_QUITS = frozenset((*_ENDED, "退", "撤", "离开", "跳出", "退出来", "退出去", "取消掉", "取消了", "结束掉"))
_SWITCHED_OFF = frozenset(("关掉", "关闭", "停止"))
_AWAY = frozenset(("掉", "出", "来", "去", "了", "出来"))
_HEARD = frozenset(("television", "audio"))
_MOVED = frozenset("开升拉降走卷放落收摇合关推抬到")
_WAYS = frozenset((Kind.SET, Kind.TO, Kind.WEAK, Kind.VERB))
_BETWEEN = frozenset(
    (Kind.ONLY_THIS, Kind.PARTICLE, Kind.SEQUENCE, Kind.REQUEST, Kind.LIGHT, Kind.NOW, Kind.ALL, Kind.BEFORE_TARGET)
)
"""What may stand between a thing and the verb that ends it (马上, 都, 给我)."""
_HELD = PLACED | {Kind.LIGHT}
_CLAUSE_ENDS = ENDS | {Kind.SEQUENCE}
_NEXT_ACT = frozenset((Kind.VERB, Kind.WEAK, Kind.BEFORE_TARGET, Kind.SET))


def ends_something(tokens: list[Token], at: int) -> None:
    """What the verb, the mode or the scene at `at` means where something is ended by it."""
    token = tokens[at]
    if _is_mode(token):
        _ends_mode(tokens, at)
    elif token.value == "静音":
        _ends_muting(tokens, at)
    elif token.value in verb_table().ending and token.text[0] == "停":
        _stops_on_its_way(tokens, at)


def _is_mode(token: Token) -> bool:
    return token.kind is Kind.SCENE or (token.attribute == "模式" and token.text.endswith("模式"))


def _ends_muting(tokens: list[Token], at: int) -> None:
    """取消电视静音, 关掉音箱的静音: its silence is ended and nothing else is done (commands.md, ACTION: 取消静音)."""
    first = at - 1
    while first >= 0 and tokens[first].kind in PLACED:
        first -= 1
    if not 0 <= first < at - 1:
        return
    word = tokens[first].text
    if tokens[at - 1].kind is Kind.OF if word in _SWITCHED_OFF else word in _QUITS:
        tokens[first].kind, tokens[first].value = Kind.PARTICLE, ""
        tokens[at].value = "取消静音"


def _stops_on_its_way(tokens: list[Token], at: int) -> None:
    """开到一半停, 升到60%就停下: how far it goes is set; it is not closed (commands.md, ACTION: 设置开合度)."""
    share = at - 1
    while share > 0 and tokens[share].kind in _BETWEEN:
        share -= 1
    quantity = tokens[share].quantity if share > 0 else None
    if quantity is None or quantity.kind is not QuantityKind.PERCENT:
        return
    way = tokens[share - 1]
    if way.kind not in _WAYS or way.text[0] not in _MOVED:
        return
    if at + 1 == len(tokens) or tokens[at + 1].kind in _CLAUSE_ENDS:
        tokens[at].kind, tokens[at].value = Kind.PARTICLE, ""


def _ends_mode(tokens: list[Token], at: int) -> None:
    """退出影院模式, 起夜模式关掉: the home's mode is turned off, a device's is denied; neither begins."""
    at = _apart(tokens, at)
    mode, before = tokens[at], _verb_before(tokens, at)
    verb_at = _verb_after(tokens, at) if before is None else before
    if verb_at is None:
        asked = _is_asked(tokens, at)
        if asked and _devices(tokens, at):
            mode.kind, mode.value, mode.attribute = Kind.NOUN, "", ""
        elif asked or _is_kept(tokens, at):
            tokens[at] = _named(mode)
        return
    verb = tokens[verb_at]
    devices = _devices(tokens, min(at, verb_at))
    devices += [token for token in tokens[verb_at:at] if token.kind is Kind.DEVICE]
    if mode.value == "静音" and all(token.device in _HEARD for token in devices):
        verb.kind, verb.value = Kind.PARTICLE, ""
        tokens[at] = Token(Kind.VERB, mode.start, mode.end, mode.text, "取消静音")
    elif devices and mode.device == "mode":
        # No verb of the clause is left, and what is said next is none of it.
        verb.kind, verb.value = Kind.NEGATION, ""
        mode.kind = Kind.NOUN if before is None else Kind.VALUE
        last = max(at, verb_at)
        tokens.insert(last + 1, Token(Kind.BREAK, tokens[last].end, tokens[last].end, "，"))
    else:
        verb.kind, verb.value = Kind.VERB, "关闭"
        tokens[at] = _named(mode)


def _named(mode: Token) -> Token:
    """The mode as a thing of its own."""
    return Token(Kind.DEVICE, mode.start, mode.end, mode.text, mode.text, "open")


def _apart(tokens: list[Token], at: int) -> int:
    """退出影院模式, 退出客厅的影院模式: the verb is one word with what follows; returns where the mode stands then."""
    first = at
    while first > 0 and tokens[first - 1].kind in PLACED:
        first -= 1
    for index in dict.fromkeys((at, first)):
        word = tokens[index]
        ended = next((verb for verb in _ENDED if word.text.startswith(verb) and word.text != verb), "")
        if ended and (index == at or word.attribute == "open"):
            cut = word.start + len(ended)
            left = replace(word, start=cut, text=word.text[len(ended) :], value=word.value.removeprefix(ended))
            tokens[index : index + 1] = [Token(Kind.OPEN, word.start, cut, ended), left]
            return at + 1
    return at


def _verb_before(tokens: list[Token], at: int) -> int | None:
    """Where the verb is before the mode, and before its place and device; not one that ends a thing said before it."""
    verb = at - 1
    while verb >= 0 and (
        tokens[verb].kind in _HELD or (tokens[verb].kind is Kind.JOINT and _is_mode(tokens[verb + 1]))
    ):
        verb -= 1
    if verb < 0 or not _quits(tokens[verb]):
        return None
    ends_another = 0 < verb < at - 1 and tokens[verb - 1].kind is Kind.DEVICE  # 灯关掉空调睡眠模式
    return None if ends_another else verb


def _verb_after(tokens: list[Token], at: int) -> int | None:
    """Where the verb is behind the mode, if nothing else is said of that verb."""
    verb = at + 1
    while verb < len(tokens) and tokens[verb].kind in _BETWEEN:
        verb += 1
    if verb == len(tokens) or not _quits(tokens[verb]):
        return None
    end = verb + 1
    while end < len(tokens) and (tokens[end].kind in _BETWEEN or tokens[end].text in _AWAY):
        end += 1
    closed = end == len(tokens) or tokens[end].kind in _CLAUSE_ENDS or tokens[end].kind in _NEXT_ACT
    return verb if closed else None


def _quits(token: Token) -> bool:
    return token.text in _QUITS or (token.kind in (Kind.VERB, Kind.WEAK) and token.value in verb_table().ending)


def _is_kept(tokens: list[Token], at: int) -> bool:
    """离家模式别关: what shall not end does not begin either."""
    denied = at + 2 < len(tokens) and tokens[at + 1].kind is Kind.NEGATION
    return denied and _quits(tokens[at + 2])


def _is_asked(tokens: list[Token], at: int) -> bool:
    """影院模式关了没, 空调睡眠模式开着吗: a question about it begins nothing."""
    verb, asked = (tokens[at + ahead] if at + ahead < len(tokens) else None for ahead in (1, 2))
    if verb is None or verb.kind is Kind.STATUS:
        return verb is not None
    return asked is not None and asked.kind is Kind.ASK and verb.kind in SWITCHING


def _devices(tokens: list[Token], at: int) -> list[Token]:
    """Devices of the clause before `at` that nothing else is done to (关灯退出影院模式 has none)."""
    found: list[Token] = []
    while at > 0 and tokens[at - 1].kind is not Kind.BREAK:
        at -= 1
        if tokens[at].kind in (Kind.VERB, Kind.WEAK, Kind.SEQUENCE):
            return []
        if tokens[at].kind is Kind.DEVICE:
            found.append(tokens[at])
    return found
