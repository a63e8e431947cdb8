"""Locks whose name holds the verb: 门锁上 locks the door, 大门锁了没 asks whether it is locked."""

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["with_locking"]

_DEVICE = Kind.DEVICE

_LOCKED = frozenset("上好住死紧了着没")
_CLOSING = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.POLITE, Kind.TAIL, Kind.ASK, Kind.SEQUENCE))


def with_locking(tokens: list[Token]) -> list[Token]:
    """门锁上, 大门锁了没: where the name of a lock took the 锁 that was said of it, the act is still there."""
    for index, token in enumerate(tokens[:-1]):
        if token.kind is not _DEVICE or token.text[-1:] != "锁":
            continue
        after = tokens[index + 1]
        if after.start != token.end:
            continue
        closing = index + 2 == len(tokens) or tokens[index + 2].kind in _CLOSING
        if after.text in _LOCKED and closing:
            tokens[index + 1] = Token(Kind.VERB, after.start, after.end, after.text, "上锁", "锁上")
        elif after.kind is Kind.ASK and after.text[0] in _LOCKED and len(after.text) > 1:
            middle = after.start + 1
            tokens[index + 1] = Token(Kind.VERB, after.start, middle, after.text[0], "上锁", "锁上")
            tokens.insert(index + 2, Token(Kind.ASK, middle, after.end, after.text[1:], after.value))
            break
    return tokens
