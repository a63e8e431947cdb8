"""The network's input: for each character its index and features of its token.

Numbers and times are one symbol each: the network points to them and never reads numerals. Unknown characters and words
share one index. Sounds are given beside characters.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from context_retrieval.lexicon import Lexicon
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind, WordTable
from tingdong.reader.spots import SentenceTokens
from zhtext.normalise import fold
from zhtext.sound import syllables

__all__ = ["COLUMNS", "LONGEST", "Vocabulary", "columns", "fingerprint", "signs_of"]

COLUMNS = ("character", "kind", "word", "thing", "sound")
"""The rows of the input, in this order: the character; the kind of the token over it and whether it begins there;
what the token says (verb, attribute, unit); the type of device it names; the character's syllable without its tone."""

LONGEST = 80
"""Characters; longer sentences are left to the rules."""

_NUMBERS = frozenset((Kind.QUANTITY, Kind.COUNT, Kind.WHEN, Kind.ORDINAL))
_BIG, _HUGE = 100, 1500
_FIRST_CHINESE = "\u4e00"


class Vocabulary(msgspec.Struct, frozen=True, dict=True):
    """The known entries of each column. Number 0 stands for none or unknown."""

    character: tuple[str, ...]
    kind: tuple[str, ...]
    word: tuple[str, ...]
    thing: tuple[str, ...]
    sound: tuple[str, ...]

    def __post_init__(self) -> None:
        self.__dict__["numbers"] = [{entry: i + 1 for i, entry in enumerate(getattr(self, name))} for name in COLUMNS]

    def sizes(self) -> tuple[int, ...]:
        """Numbers in use, by column."""
        return tuple(len(getattr(self, name)) + 1 for name in COLUMNS)

    def encode(self, rows: Sequence[Sequence[str]]) -> list[list[int]]:
        """Signs (see `columns`) as numbers, column by column."""
        tables: list[dict[str, int]] = self.__dict__["numbers"]
        return [[table.get(sign, 0) for sign in row] for table, row in zip(tables, rows, strict=True)]


def columns(spots: SentenceTokens, lexicon: Lexicon) -> list[list[str]]:
    """The signs of a sentence, column by column, one a character."""
    length = len(spots.text)
    rows = [list(fold(spots.text)), [""] * length, [""] * length, [""] * length]
    for token in spots.tokens:
        start, end = token.start, token.end
        characters, word, thing = signs_of(token, spots.text[start:end], lexicon)
        name, size = token.kind.name, end - start
        rows[0][start:end] = characters
        rows[1][start:end] = [f"{name}+", *[name] * (size - 1)]
        rows[2][start:end] = [word] * size
        rows[3][start:end] = [thing] * size
    return [*rows, [sound_of(character) for character in rows[0]]]


@cache
def sound_of(character: str) -> str:
    """The syllable of a Chinese character without its tone; "" for other characters."""
    return syllables(character)[0] if character >= _FIRST_CHINESE else ""


def signs_of(token: Token, said: str, lexicon: Lexicon) -> tuple[Iterable[str], str, str]:
    """Characters, word and thing of one token."""
    kind = lexicon.kinds.get(token.device)
    thing = "" if kind is None else kind.type.value
    if token.kind is Kind.DEVICE:
        generic = "*" if token.value == "*" else ""
        return fold(said), f"{token.device}{generic}", f"{thing}{generic}"
    if token.kind in _NUMBERS:
        return ["#" if token.kind is not Kind.WHEN else "@"] * len(said), _number(token), thing
    if token.kind in (Kind.OPEN, Kind.ROOM, Kind.SCENE, Kind.NOUN, Kind.DOMAIN):
        return fold(said), "", thing
    return fold(said), f"{token.value}/{token.attribute}", thing


def _number(token: Token) -> str:
    quantity = token.quantity
    if quantity is None:
        return "time" if token.value and token.attribute != "condition" else f"{token.attribute}{bool(token.value)}"
    size = "huge" if quantity.value >= _HUGE else "big" if quantity.value > _BIG else ""
    unit = quantity.unit if token.kind is not Kind.COUNT else ""
    return f"{quantity.kind.value}:{unit}{size}"


def fingerprint(vocabulary: Vocabulary, table: WordTable) -> str:
    """What the word table says of the words that the network knows; another one means that its inputs have changed.

    A form more for a known word changes nothing, and a word the network does not know is none to it until the next
    training; a word that is gone, or is of another kind or type of device, is read wrongly by it.
    """
    known = frozenset(vocabulary.word)
    found = set()
    for form, word in table.forms.items():
        token = Token(word.kind, 0, len(form), form, word.value, word.attribute, word.device)
        _, said, thing = signs_of(token, form, table.lexicon)
        if said in known:
            found.add(f"{word.kind.name} {said} {thing}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:16]
