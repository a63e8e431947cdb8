"""Words of one's own beside the shipped vocabulary: what a home, a hotel, a brand calls things (docs/own-words.md).

A folder of YAML files, each `words: {own word: a word that is known}`. An own word is everything that the known word
is: the same kind of device, or the same kind of room. It belongs to the process and is taken before anything is read.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from context_retrieval.text import normalise

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["OwnWordsError", "in_force", "read_words", "take"]

MOST = 2_000
LONGEST = 16


class OwnWordsError(ValueError):
    """Own words that cannot be used; the message names the file and the word."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str]


class _Taken:
    """The process's own words, and whether a vocabulary has been made of them."""

    words: Mapping[str, str] = {}
    made = False


def in_force() -> Mapping[str, str]:
    """Own word → known word, both in normal form; from now on they stay as they are."""
    _Taken.made = True
    return _Taken.words


def take(words: Mapping[str, str]) -> None:
    """Makes these the process's own words. Raises `OwnWordsError` once a vocabulary has been made without them."""
    if _Taken.made and words != _Taken.words:
        raise OwnWordsError("own words are taken before anything is read: call it first")
    _Taken.words = words


def read_words(folder: "Path") -> dict[str, str]:
    """The own words of a folder's `*.yaml`, or of one file, in normal form.

    Raises `OwnWordsError` for a file that cannot be read, and a word that stands twice.
    """
    found: dict[str, str] = {}
    for path in [folder] if folder.is_file() else sorted(folder.glob("*.yaml")):
        for own, known in _read(path):
            if own in found:
                raise OwnWordsError(f"{path.name}: {own} stands twice")
            if not own or len(own) > LONGEST or " " in own:
                raise OwnWordsError(f"{path.name}: {own!r}: a word has 1 to {LONGEST} characters and no blanks")
            found[own] = known
    if not found:
        raise OwnWordsError(f"{folder}: no file with words is there")
    if len(found) > MOST:
        raise OwnWordsError(f"{folder}: at most {MOST} words")
    return found


def _read(path: "Path") -> list[tuple[str, str]]:
    from context_retrieval.strict_yaml import YAMLError, parse_yaml

    try:
        told = msgspec.convert(parse_yaml(path.read_text("utf-8")), _File).words
    except (OSError, UnicodeError, YAMLError, msgspec.ValidationError) as error:
        raise OwnWordsError(f"{path.name}: {error}") from error
    return [(normalise(own), normalise(known)) for own, known in told.items()]
