"""Signs that a value or state is a condition: the words around it, up to 就 or 再 (commands.md, ACTION)."""

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ACTING, PLACED, PLACES
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["is_degree", "reaches", "state_joined", "thereupon"]

_NAMES_THINGS = PLACED | {Kind.ALL, Kind.JOINT}
_BEFORE_TO = PLACES | {Kind.BREAK, Kind.CONDITION_START}
_AND = frozenset(("并且", "而且", "同时", "且", "和", "跟", "又"))
_THEN_OR_WHEN = frozenset(("就", "再", "的时候", "才"))


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
    return (before is None or before.kind in _BEFORE_TO) and (
        then.kind is Kind.CONDITION_END or then.text in _THEN_OR_WHEN
    )


def thereupon(tokens: list[Token], at: int) -> bool:
    """电视一关窗帘就拉开: what the change brings about stands before 就."""
    end = _past_named(tokens, at)
    return bool(end) and tokens[end].text == "就" and any(later.kind in ACTING for later in tokens[end + 1 :])


def state_joined(out: list[Token], at: int) -> bool:
    """湿度低于三成并且灯亮着再…: whether the token at `at` joins the state of a thing that is waited for as well."""
    if out[at].text not in _AND:
        return False
    end = _past_named(out, at + 1)
    if not end or out[end].kind is not Kind.STATE:
        return False
    return out[end + 1].kind in (Kind.BREAK, Kind.CONDITION_END) or out[end + 1].text in _THEN_OR_WHEN


def _past_named(tokens: list[Token], at: int) -> int:
    """Where the things named from `at` on end, if at least two tokens follow them; else 0."""
    end = at
    while end < len(tokens) and tokens[end].kind in _NAMES_THINGS:
        end += 1
    return end if at < end and end + 1 < len(tokens) else 0
