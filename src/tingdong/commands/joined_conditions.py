"""What shows that a degree or a state is waited for: what stands around it, up to 就 or 再 (spec, WHEN)."""

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ACTING
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["is_degree", "reaches", "state_joined", "thereupon"]

_NAMED = frozenset((Kind.DEVICE, Kind.ROOM, Kind.ZONE, Kind.OF, Kind.LOCATIVE, Kind.ALL, Kind.JOINT))
_PLACES = frozenset((Kind.ROOM, Kind.ZONE, Kind.BREAK, Kind.CONDITION_START))
_AND = frozenset(("并且", "而且", "同时", "且", "和", "跟", "又"))
_THEREUPON = frozenset(("就", "再", "的时候", "才"))


def is_degree(token: Token) -> bool:
    """Whether a token is a number of degrees."""
    return token.quantity is not None and token.quantity.kind is QuantityKind.DEGREE


def reaches(before: Token | None, tokens: list[Token], end: int) -> bool:
    """到二十六度就…, 冰箱到零下十度就关: a degree is reached by a place, or by a thing that is then acted on."""
    then = tokens[end] if end < len(tokens) else None
    if then is None or not any(later.kind in ACTING for later in tokens[end + 1 :]):
        return False
    if before is not None and before.kind is Kind.DEVICE:
        return then.text == "就"
    return (before is None or before.kind in _PLACES) and (then.kind is Kind.CONDITION_END or then.text in _THEREUPON)


def thereupon(tokens: list[Token], at: int) -> bool:
    """电视一关窗帘就拉开: what the change brings about stands before 就."""
    named = at
    while named < len(tokens) and tokens[named].kind in _NAMED:
        named += 1
    if named == at or named + 1 >= len(tokens) or tokens[named].text != "就":
        return False
    return any(later.kind in ACTING for later in tokens[named + 1 :])


def state_joined(out: list[Token], at: int) -> bool:
    """湿度低于三成并且灯亮着再…: whether the token at `at` joins the state of a thing that is waited for as well."""
    if out[at].text not in _AND:
        return False
    named = first = at + 1
    while named < len(out) and out[named].kind in _NAMED:
        named += 1
    if named == first or named + 1 >= len(out) or out[named].kind is not Kind.STATE:
        return False
    return out[named + 1].kind in (Kind.BREAK, Kind.CONDITION_END) or out[named + 1].text in _THEREUPON
