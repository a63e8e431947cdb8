"""Patterns over the tokens of a sentence, as rows of data write them (`data/vetoes.yaml`)."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import Kind
from tingdong.errors import DataError

__all__ = ["Pattern", "mask_of"]

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

    def fits(self, token: Token) -> bool:
        if not self.kinds >> token.kind & 1:
            return False
        if self.values and token.value not in self.values:
            return False
        if self.attributes and token.attribute not in self.attributes:
            return False
        if self.devices and token.device not in self.devices:
            return False
        return not self.texts or token.text in self.texts


class Pattern:
    """A row of places, separated by blanks: `KIND|KIND=value:attribute@device~text`, with `/` between alternatives.

    `!` before one marks it; `..` passes over tokens of the same clause, `...` over any; `^` and `$` are the beginning
    and the end of a clause. Softening words are passed over where no place names them. `needed`: a sentence without a
    token of each of these kinds has no match.
    """

    def __init__(self, text: str) -> None:
        self._items = [_item(part) for part in text.split()]
        self._named = 0
        for item in self._items:
            self._named |= item.kinds
        self.needed = tuple(item.kinds for item in self._items if item.kinds)
        if not self.needed:
            raise DataError(f"vetoes.yaml: {text!r} names no kind of token")

    def marked(self, tokens: Sequence[Token]) -> list[Token]:
        """The marked token of every match, each once."""
        row = [token for token in tokens if token.kind not in _SOFT or self._named >> token.kind & 1]
        found = (mark for start in range(len(row)) for mark in self._matches(row, start, 0, None))
        return list({mark.start: mark for mark in found}.values())

    def _matches(self, row: list[Token], at: int, place: int, mark: Token | None) -> Iterator[Token]:
        """The marked tokens of the matches that go on from `at`."""
        if place == len(self._items):
            assert mark is not None
            yield mark
            return
        item = self._items[place]
        if item.kinds:
            if at < len(row) and item.fits(row[at]):
                yield from self._matches(row, at + 1, place + 1, row[at] if item.marked or mark is None else mark)
            return
        if item.sign in _BORDERS:
            edge = at - 1 if item.sign == "^" else at
            if not 0 <= edge < len(row) or row[edge].kind is Kind.BREAK:
                yield from self._matches(row, at, place + 1, mark)
            return
        last = len(row)
        if item.sign == "..":
            last = next((index for index in range(at, last) if row[index].kind is Kind.BREAK), last)
        for index in range(at, last + 1):
            yield from self._matches(row, index, place + 1, mark)


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
        raise DataError(f"vetoes.yaml: {part}: no kind of token {error}") from None
    return _Item(kinds, marked=marked, values=said["="], attributes=said[":"], devices=said["@"], texts=said["~"])


def mask_of(kinds: Iterable[Kind]) -> int:
    """Kinds as the bits of a number."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask
