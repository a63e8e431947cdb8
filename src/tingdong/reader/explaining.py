"""How much of a sentence an array leaves unexplained: devices, rooms, values and times that are not in it.

The reading that explains more is more probable (architecture, the reading tiers).
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import Command
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.reader.spots import SentenceTokens, count_of
from zhtext.quantities import QuantityKind

__all__ = ["unexplained"]

_DELAYED = "后"


class _Told(msgspec.Struct, frozen=True):
    """What an array says: all its words, its values and times, as one text each; its names, types and counts."""

    words: str
    values: str
    names: frozenset[str]
    types: frozenset[str]
    counts: frozenset[int]
    timed: bool


def unexplained(spots: SentenceTokens, commands: Sequence[Command], lexicon: Lexicon) -> int:
    """How many of the sentence's words for things, rooms, values, counts and times no command has."""
    told = _told(commands)
    return sum(not _explained(token, spots.text[token.start : token.end], told, lexicon) for token in spots.tokens)


def _explained(token: Token, said: str, told: _Told, lexicon: Lexicon) -> bool:
    """Whether a token is in what is told, or is of a kind that need not be."""
    match token.kind:
        case Kind.DEVICE:
            known = lexicon.kinds.get(token.device)
            generic = token.value == "*" and known is not None and known.type.value in told.types
            return generic or said in told.words or token.value in told.names
        case Kind.ROOM | Kind.ZONE:
            return said in told.words or (bool(token.value) and token.value in told.words)
        case Kind.VALUE:
            return token.value in told.values or said in told.words
        case Kind.QUANTITY:
            return said in told.words or _has_quantity(token, told)
        case Kind.WHEN:
            return told.timed
        case Kind.COUNT:  # 一个, 一下 are mostly no numbers
            return bool(told.counts) or count_of(token) < 2
    return True


def _told(commands: Sequence[Command]) -> _Told:
    names = [name for c in commands for name in (c.target.name, *c.target.excluded) if name != "*"]
    values = [part for c in commands for part in (c.action.value, c.action.when) if part]
    rooms = [room for c in commands for room in (*c.scope.include, *c.scope.exclude)]
    return _Told(
        " ".join((*rooms, *names, *values)),
        " ".join(values),
        frozenset(names),
        frozenset(c.target.type.value for c in commands),
        frozenset(c.target.count for c in commands if c.target.count is not None),
        any(c.action.when for c in commands),
    )


def _has_quantity(token: Token, told: _Told) -> bool:
    quantity = token.quantity
    if quantity is None or (quantity.kind is QuantityKind.DURATION and _DELAYED in told.values):
        return True
    whole = quantity.value == int(quantity.value)
    number = str(int(quantity.value) if whole else quantity.value)
    return number in told.values or (whole and int(quantity.value) in told.counts)
