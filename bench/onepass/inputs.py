"""What the one-pass network is fed: the inputs of the learned reader (`tingdong.reader.inputs`), and sounds."""

import hashlib
from collections.abc import Sequence
from functools import cache

import msgspec

from context_retrieval.lexicon import Lexicon
from tingdong.commands.spotting import Token
from tingdong.commands.words import WordTable
from tingdong.reader import inputs
from tingdong.reader.spots import Spots
from zhtext.sound import syllables

__all__ = ["COLUMNS", "Vocabulary", "columns", "fingerprint"]

COLUMNS = (*inputs.COLUMNS, "sound")
"""The rows of the input, in this order: those of the learned reader, and the character's syllable without its tone."""

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


def columns(spots: Spots, lexicon: Lexicon) -> list[list[str]]:
    """The signs of a sentence, column by column, one a character."""
    rows = inputs.columns(spots, lexicon)
    return [*rows, [sound_of(character) for character in rows[0]]]


@cache
def sound_of(character: str) -> str:
    """The syllable of a Chinese character without its tone; "" for other characters."""
    return syllables(character)[0] if character >= _FIRST_CHINESE else ""


def fingerprint(vocabulary: Vocabulary, table: WordTable) -> str:
    """What the word table says of the words that the network knows; another one means that its inputs have changed.

    A form more for a known word changes nothing, and a word the network does not know is none to it until the next
    training; a word that is gone, or is of another kind or type of device, is read wrongly by it.
    """
    known = frozenset(vocabulary.word)
    found = set()
    for form, word in table.forms.items():
        token = Token(word.kind, 0, len(form), form, word.value, word.attribute, word.device)
        _, said, thing = inputs.signs_of(token, form, table.lexicon)
        if said in known:
            found.add(f"{word.kind.name} {said} {thing}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:16]
