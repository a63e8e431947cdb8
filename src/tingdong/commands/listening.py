"""Correction of recognition errors for the local parser: which sentences, and with which names."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import msgspec

from context_retrieval.lexicon import Lexicon
from tingdong.alive import WhileAlive
from tingdong.commands.reading import Mention, NameTable
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.hearing import Heard, Hearer, KnownSpans, Names, default_hearer
from tingdong.hearing.guards import guards

__all__ = ["HomeListener", "explains_all", "in_doubt"]

_TELLING = frozenset((Kind.ROOM, Kind.DEVICE, Kind.SCENE, Kind.SENSOR, Kind.CLAUSE_SIGN, Kind.SENTENCE_SIGN))
_ANYWHERE = _TELLING | {Kind.VERB, Kind.ATTRIBUTE}
"""Words that are not heard anew: in a home whose names are known, and where nothing is known."""
Spot = Callable[[str], Iterable[Token]]
"""What says a text's tokens."""


class HomeListener:
    """Says what was probably said in a home; thread-safe. The first sentence loads its language."""

    def __init__(self, lexicon: Lexicon, hearer: Hearer | None = None) -> None:
        self._given = hearer
        self._calls = tuple(word for word in lexicon.grammar["wake"] if len(word) > 1 and not word.isascii())
        self._nobody = Names(calls=self._calls)
        self._kept: WhileAlive[NameTable, Names] = WhileAlive(self._made)
        self._choices: WhileAlive[NameTable, Names] = WhileAlive(lambda names: Names(names.choices))

    def hear(self, text: str, names: NameTable | None, spot: Spot) -> Heard:
        """The sentence as it was probably said; words that say something by themselves, as its tokens do, stay, but for
        the end of a word that nobody knows (前洋台)."""
        telling = _TELLING if names is not None else _ANYWHERE
        kept, whole, open_until = _doings().said_in(text), set[int](), -1
        if names is not None and names.choices:
            kept |= self._choices.of(names).said_in(text)
        for token in spot(text):
            if token.kind in _ANYWHERE and token.end - token.start > 1:
                whole.update(range(token.start, token.end))
                if token.kind in telling and token.start != open_until:
                    kept.update(range(token.start, token.end))
            elif token.kind is Kind.OPEN:
                open_until = token.end
        return (self._given or default_hearer()).hear(text, self._names(names), KnownSpans(kept, whole))

    def hear_offered(self, text: str, others: Sequence[str], names: NameTable | None, spot: Spot) -> Heard | None:
        """The same of the recogniser's other text that was probably said; None where it is the first."""

        from tingdong.hearing.offered import heard_instead  # few recognisers offer anything

        def strange(said: str) -> int:
            return sum(token.end - token.start for token in spot(said) if token.kind is Kind.OPEN)

        offer = (self._given or default_hearer()).offered(text, others, self._names(names), strange)
        if offer is None:
            return None
        heard = heard_instead(text, self.hear(offer.taken.text, names, spot), offer)
        if not heard.asks or heard.changes:
            return heard
        first = self.hear(text, names, spot)  # what is asked about takes nothing from how the first is understood
        return msgspec.structs.replace(heard, text=first.text, changes=first.changes)

    def is_usual(self, text: str, names: NameTable | None) -> bool:
        """Whether the text is what people say in that home, word for word."""
        return (self._given or default_hearer()).is_usual(text, self._names(names))

    def _names(self, names: NameTable | None) -> Names:
        return self._nobody if names is None else self._kept.of(names)

    def _made(self, names: NameTable) -> Names:
        halves = (room[:-1] for room in names.rooms)  # 芙蓉 of 芙蓉厅
        return Names((*names.names, *names.rooms, *halves, *names.scenes), self._calls)


@cache
def _doings() -> Names:
    """What things of any kind do, as it is said of them (捶背 of a massage chair)."""
    return Names(guards().doings)


def explains_all(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether every letter and figure of the text is of a mention."""
    at = 0
    for mention in mentions:
        if mention.start > at and _says(text[at : mention.start]):
            return False
        at = max(at, mention.end)
    return not _says(text[at:])


def in_doubt(heard: Heard) -> Heard:
    """The same, none of it made in silence."""
    doubts = tuple(sorted((*heard.changes, *heard.doubts), key=lambda change: change.start))
    return Heard(heard.said, heard.said, (), doubts, heard.asks or heard.text, taken=heard.taken)


def _says(text: str) -> bool:
    return any(character.isalnum() for character in text)
