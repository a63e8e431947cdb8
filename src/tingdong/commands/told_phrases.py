"""Phrases that refer to a device by a past action: 刚才关的那些, 刚打开的风扇 (commands.md, NAME and TYPE:
anaphora)."""

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["by_mistake", "just_done"]

_JUST_NOW = frozenset(("刚", "刚才", "刚刚", "方才", "刚刚才", "刚才刚"))
_WHO = frozenset(("我", "你", "您", "俺", "咱", "我们", "你给我", "给我", "帮我", "你帮我"))
_TOLD_ACTS = frozenset((Kind.VERB, Kind.WEAK, Kind.MORE, Kind.UP, Kind.DOWN, Kind.SET))
_BESIDE = frozenset((Kind.LIGHT, Kind.PARTICLE))
_REFERENCES = frozenset((Kind.REFERENCE, Kind.REFERENCES))
_POINTED_THINGS = frozenset((Kind.REFERENCE, Kind.REFERENCES, Kind.DEVICE, Kind.ROOM, Kind.ZONE, Kind.COUNT))
_DOES = frozenset((Kind.VERB, Kind.WEAK, Kind.MORE, Kind.UP, Kind.DOWN, Kind.SET, Kind.AGAIN, Kind.REQUEST, Kind.ALL))
_JUST_DONE = "刚开的"
_JUST_SO = frozenset((_JUST_DONE, "刚关的"))
_WRONGLY = frozenset(("错了", "错啦", "错咯", "错"))


def just_done(tokens: list[Token], at: int) -> None:
    """刚关掉的空调, 刚才你关的那个, 你刚开那电扇: one reference, and nothing is done anew by its verb."""
    if tokens[at].text not in _JUST_NOW:
        return
    end, size = at + 1, len(tokens)
    if end < size and tokens[end].kind is Kind.REFERENCE and tokens[end].text in _JUST_SO:
        tokens[at : end + 1] = [Token(Kind.REFERENCE, tokens[at].start, tokens[end].end, _JUST_DONE)]  # 刚 + 刚关的
        return
    while end < size and tokens[end].text in _WHO:
        end += 1
    if end >= size or tokens[end].kind not in _TOLD_ACTS:
        return
    end += 1
    while end < size and tokens[end].kind in _BESIDE:
        end += 1
    if end >= size:
        return
    if tokens[end].kind is Kind.OF:
        end += 1
        follows = tokens[end].kind if end < size else None
        if follows not in _POINTED_THINGS and follows not in _DOES:
            return
    elif tokens[end].kind not in _REFERENCES or tokens[end].text[0] not in "那这":
        return
    tokens[at:end] = [Token(Kind.REFERENCE, tokens[at].start, tokens[end - 1].end, _JUST_DONE)]


def by_mistake(tokens: list[Token], at: int) -> None:
    """把它关了，开错了: what was done wrongly is told, and not asked for."""
    verb = tokens[at - 1] if at else None
    if verb is None or verb.end != tokens[at].start or verb.kind not in _TOLD_ACTS or tokens[at].text not in _WRONGLY:
        return
    if at < 2 or tokens[at - 2].kind is Kind.BREAK or tokens[at - 2].text in _WHO:
        verb.kind, verb.value = Kind.PARTICLE, ""
