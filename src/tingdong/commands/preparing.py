"""One sentence, prepared once: normalised, spotted, named, with conditions; rules, network and correction start from
it.

It never changes; readers that retype words use copies.
"""

import msgspec

from tingdong.commands.conditions import read_conditions
from tingdong.commands.naming import Namer
from tingdong.commands.reading import NameTable
from tingdong.commands.spotting import LexiconSpotter, Token
from tingdong.commands.words import WordTable
from zhtext.normalise import Normalised

__all__ = ["Prepared", "PreparedSentences", "Preparer"]


class Prepared(msgspec.Struct, frozen=True):
    """One sentence. `normal`: the text as it was heard, normalised; `tokens`: its words in order, with names, rooms,
    quantities and times, as nobody has changed them."""

    normal: Normalised
    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """The normalised text, which the tokens cover."""
        return self.normal.text

    def words(self) -> list[Token]:
        """The tokens, to be typed anew."""
        return _copied(self.tokens)


class Preparer:
    """The steps that everybody uses, in their order; thread-safe."""

    def __init__(self, table: WordTable) -> None:
        self.lexicon = table.lexicon
        self._spotter = LexiconSpotter(table)
        self._namer = Namer(table.lexicon)

    def spot(self, text: str, names: NameTable | None = None) -> list[Token]:
        """The words of a normalised text, before names are read out of them."""
        return self._spotter.spot(text, names)

    def read(self, tokens: list[Token]) -> list[Token]:
        """The words with names and conditions read out of them; takes the list for its own."""
        return read_conditions(self._namer.join(tokens), self.lexicon)


class PreparedSentences:
    """The sentences of one turn (what was said, what was probably said instead), each spotted and prepared once."""

    def __init__(self, preparer: Preparer, names: NameTable | None) -> None:
        self.names = names
        self._preparer = preparer
        self._spotted: dict[str, tuple[Token, ...]] = {}
        self._prepared: dict[str, Prepared] = {}

    def spotted(self, text: str) -> tuple[Token, ...]:
        """The words of a normalised text, before names are read out of them."""
        known = self._spotted.get(text)
        if known is None:
            known = self._spotted[text] = tuple(self._preparer.spot(text, self.names))
        return known

    def prepared(self, normal: Normalised) -> Prepared:
        """The sentence, prepared at its first use."""
        known = self._prepared.get(normal.text)
        if known is None:
            words = self._preparer.read(_copied(self.spotted(normal.text)))
            known = self._prepared[normal.text] = Prepared(normal, tuple(words))
        return known


def _copied(tokens: tuple[Token, ...]) -> list[Token]:
    replace = msgspec.structs.replace
    return [replace(token) for token in tokens]
