"""What the rules see in a sentence, as the learned reader is given it: the typed tokens of the local parser's first
steps (normalise → spot → name → conditions), over the text that spans are copied from.
"""

from collections.abc import Callable, Sequence

import msgspec

from context_retrieval.lexicon import Lexicon
from tingdong.commands.conditions import quantity_text
from tingdong.commands.parts import delay_of
from tingdong.commands.preparing import Prepared, Preparer
from tingdong.commands.reading import NameTable
from tingdong.commands.scope_lists import respelt
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind, WordTable, default_words
from zhtext.normalise import normalise
from zhtext.quantities import QuantityKind

__all__ = ["SentenceSpotter", "SentenceTokens", "count_of", "spots_of", "value_of", "when_of"]

Spoil = Callable[[list[Token]], list[Token]]
"""A change of the tokens before names and conditions are read out of them: training hides some of them."""

_VALUES = frozenset((Kind.VALUE, Kind.QUANTITY, Kind.ORDINAL, Kind.COUNT, Kind.SIZE, Kind.ZONE))
_PERCENT_MOST = 100
_DELAYS = frozenset(("秒", "分钟", "小时"))


class SentenceTokens(msgspec.Struct, frozen=True):
    """One sentence: `text` normalised, and `tokens` covering it in order."""

    text: str
    tokens: tuple[Token, ...]

    def at(self, start: int) -> Token | None:
        """The token that begins at `start`."""
        return next((token for token in self.tokens if token.start == start), None)

    def spanning(self, start: int, end: int) -> Token | None:
        """The token that is exactly `[start, end)`."""
        return next((token for token in self.tokens if token.start == start and token.end == end), None)


class SentenceSpotter:
    """Finds the tokens of sentences; thread-safe."""

    def __init__(self, table: WordTable | None = None) -> None:
        self._table = table or default_words()
        self.lexicon: Lexicon = self._table.lexicon
        self._preparer = Preparer(self._table)

    def read(self, text: str, names: NameTable | None = None, spoil: Spoil | None = None) -> SentenceTokens:
        """The tokens of a sentence. Empty where nothing is left of it once normalised."""
        clean = normalise(text).text
        if not clean:
            return SentenceTokens("", ())
        tokens = self._preparer.spot(clean, names)
        return _spots(clean, self._preparer.read(tokens if spoil is None else spoil(tokens)))

    def unit(self, attribute: str) -> str:
        """The unit of a number said without one for an attribute ("" where it has none)."""
        known = self.lexicon.values.attributes.get(attribute)
        return self.lexicon.values.units.get(known.bare, "") if known is not None else ""


def spots_of(said: Prepared) -> SentenceTokens:
    """A sentence that is prepared, as the network is given it."""
    return _spots(said.text, said.tokens)


def _spots(text: str, tokens: Sequence[Token]) -> SentenceTokens:
    return SentenceTokens(respelt(text, tokens), tuple(tokens))


def value_of(token: Token, unit: str) -> str:
    """The token as the value of a setting ("" where it is none); `unit` as in `SentenceSpotter.unit`."""
    if token.kind not in _VALUES:
        return ""
    if token.quantity is None:
        return token.value
    kind, number = token.quantity.kind, token.quantity.value
    if unit == "%" and kind is QuantityKind.NUMBER and number > _PERCENT_MOST:
        unit = ""  # a value of the thing's own scale
    return "" if kind is QuantityKind.DURATION else quantity_text(token, unit)


def when_of(token: Token) -> str:
    """The token as the protocol's WHEN ("" where it is none): a time, a condition, or a length of time from now."""
    if token.kind is Kind.WHEN:
        return token.value
    quantity = token.quantity
    if quantity is None or quantity.kind is not QuantityKind.DURATION or quantity.unit not in _DELAYS:
        return ""
    return delay_of(quantity)


def count_of(token: Token) -> int:
    """The token as a number of devices (0 where it is none)."""
    quantity = token.quantity
    if quantity is None or quantity.kind not in (QuantityKind.COUNT, QuantityKind.NUMBER):
        return 0
    return int(quantity.value) if quantity.value == int(quantity.value) else 0
