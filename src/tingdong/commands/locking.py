"""Locks whose name holds the verb: 门锁上 locks the door, 大门锁了没 asks whether it is locked."""

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["door_of", "with_locking"]

_DEVICE = Kind.DEVICE

_LOCKED = frozenset(("上", "好", "住", "死", "紧", "了", "着", "没", "起来", "一下", "一锁"))
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
            tokens[index : index + 2] = _door_and_act(token, after)
        elif after.kind is Kind.ASK and after.text[0] in _LOCKED and len(after.text) > 1:
            middle = after.start + 1
            result = Token(Kind.VERB, after.start, middle, after.text[0])
            asked = Token(Kind.ASK, middle, after.end, after.text[1:], after.value)
            tokens[index : index + 2] = [*_door_and_act(token, result), asked]
            break
    return tokens


def _door_and_act(lock: Token, result: Token) -> list[Token]:
    """门锁好 is the door and what is done with it; only what is no door's lock stays one (车锁上)."""
    cut = lock.end - 1
    if len(lock.text) < 2 or lock.text[-2] != "门":
        return [lock, Token(Kind.VERB, result.start, result.end, result.text, "上锁", "锁上")]
    door = lock.text[:-1]
    return [
        Token(_DEVICE, lock.start, cut, door, door, device="gate"),
        Token(Kind.VERB, cut, result.end, "锁" + result.text, "上锁", "锁上"),
    ]


def door_of(lock: Token) -> Token:
    """The door whose lock took the verb into its name: 门锁|上 is 门|锁上."""
    if lock.text[-2:-1] != "门":
        return lock
    name = lock.text[:-1]
    return Token(_DEVICE, lock.start, lock.end - 1, name, name, lock.attribute, "gate")
