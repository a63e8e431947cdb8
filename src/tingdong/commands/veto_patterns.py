"""Patterns over the tokens of a sentence, as rows of data write them (`data/vetoes.yaml`)."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import Kind
from tingdong.errors import DataError

__all__ = ["Pattern", "Sentence", "mask_of"]

_SOFT = frozenset((Kind.PARTICLE, Kind.POLITE, Kind.LIGHT, Kind.NOW))
"""Passed over where a pattern does not name them."""

_GAPS, _BORDERS = ("..", "..."), ("^", "$")


class _Item(msgspec.Struct, frozen=True):
    """One place of a pattern: kinds (0: a gap or a border), and what the token must say."""

    kinds: int = 0
    sign: str = ""
    marked: bool = False
    values: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    devices: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()

    @property
    def bare(self) -> bool:
        """Whether every token of its kinds fits."""
        return not (self.values or self.attributes or self.devices or self.texts)

    def fits(self, token: Token) -> bool:
        """Whether a token of its kinds says what it must."""
        if self.values and token.value not in self.values:
            return False
        if self.attributes and token.attribute not in self.attributes:
            return False
        if self.devices and token.device not in self.devices:
            return False
        return not self.texts or token.text in self.texts


class Sentence:
    """The tokens of a sentence as patterns look at them: where each kind stands, as the bits of a number, with the
    softening words that a pattern names."""

    def __init__(self, tokens: Sequence[Token], soft: int = 0) -> None:
        self._whole = tokens
        self._named: dict[int, Sentence] = {}
        self.tokens = [token for token in tokens if token.kind not in _SOFT or soft >> token.kind & 1]
        self.kinds: dict[Kind, int] = {}
        for at, token in enumerate(self.tokens):
            self.kinds[token.kind] = self.kinds.get(token.kind, 0) | 1 << at
        self.breaks = self.kinds.get(Kind.BREAK, 0)

    def naming(self, soft: int) -> "Sentence":
        """The same for a pattern that names these softening words."""
        if soft and soft not in self._named:
            self._named[soft] = Sentence(self._whole, soft)
        return self._named[soft] if soft else self


class Pattern:
    """A row of places, separated by blanks: `KIND|KIND=value:attribute@device~text`, with `/` between alternatives.

    `!` before one marks it; `..` passes over tokens of the same clause, `...` over any; `^` and `$` are the beginning
    and the end of a clause. Softening words are passed over where no place names them. `needed`: a sentence without a
    token of each of these kinds has no match.
    """

    def __init__(self, text: str) -> None:
        self._items = [_item(part) for part in text.split()]
        self._soft = mask_of(kind for kind in _SOFT if any(item.kinds >> kind & 1 for item in self._items))
        self.needed = tuple(item.kinds for item in self._items if item.kinds)
        places = [place for place, item in enumerate(self._items) if item.marked]
        self._mark = places[-1] if places else next((at for at, item in enumerate(self._items) if item.kinds), 0)
        if not self.needed:
            raise DataError(f"vetoes.yaml: unknown kind of token: {text!r}")

    def marked(self, sentence: Sentence) -> list[Token]:
        """The marked token of every match, each once, by place. Work grows with the tokens: places are the bits of a
        number, and what is found forwards is kept where the rest of the pattern follows."""
        row = sentence.naming(self._soft)
        breaks, size = row.breaks, len(row.tokens)
        reached = (1 << size) - 1
        ways: list[int] = []
        for item in self._items:
            ways.append(_taken(item, row, reached))
            reached = _after(item, ways[-1], breaks, size)
            if not reached:
                return []
        for place in range(len(self._items) - 1, self._mark, -1):
            reached = _before(self._items[place], reached, breaks, size) & ways[place]
        return [row.tokens[at] for at in _bits(ways[self._mark] & reached >> 1)]


def _taken(item: _Item, row: Sentence, reached: int) -> int:
    """Of the places that are reached those where the item may stand."""
    if item.kinds:
        there = reached & sum([places for kind, places in row.kinds.items() if item.kinds >> kind & 1])
        return there if item.bare else sum([1 << at for at in _bits(there) if item.fits(row.tokens[at])])
    if item.sign == "^":
        return reached & (row.breaks << 1 | 1)
    return reached & (row.breaks | 1 << len(row.tokens)) if item.sign == "$" else reached


def _bits(number: int) -> Iterator[int]:
    """The places of the bits, the lowest first."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def _after(item: _Item, taken: int, breaks: int, size: int) -> int:
    """The places where the next item of the pattern may match."""
    if item.kinds:
        return taken << 1
    if item.sign not in _GAPS or not taken:
        return taken
    whole = (1 << size + 1) - 1
    if item.sign == "...":
        return whole & -(taken & -taken)
    words = whole >> 1 & ~breaks  # adding carries a bit to the end of its clause
    return taken | (words + (taken & words)) ^ words


def _before(item: _Item, reached: int, breaks: int, size: int) -> int:
    """Where the item may have stood, when the next one stands at a place that is reached."""
    if item.kinds:
        return reached >> 1
    if item.sign == "...":
        return (1 << reached.bit_length()) - 1
    if item.sign == "..":
        for at in range(size - 1, -1, -1):
            if reached >> at + 1 & 1 and not breaks >> at & 1:
                reached |= 1 << at
    return reached


def _item(part: str) -> _Item:
    if part in _GAPS or part in _BORDERS:
        return _Item(sign=part)
    marked, rest = part[0] == "!", part.lstrip("!")
    said: dict[str, frozenset[str]] = {}
    for sign in "~@:=":
        rest, _, words = rest.partition(sign)
        said[sign] = frozenset(words.split("/")) if words else frozenset()
    try:
        kinds = mask_of(Kind[name] for name in rest.split("|"))
    except KeyError as error:
        raise DataError(f"vetoes.yaml: {part}: unknown kind of token {error}") from None
    return _Item(kinds, marked=marked, values=said["="], attributes=said[":"], devices=said["@"], texts=said["~"])


def mask_of(kinds: Iterable[Kind]) -> int:
    """Kinds as the bits of a number."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask
