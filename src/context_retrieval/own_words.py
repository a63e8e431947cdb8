"""Own words beside the shipped vocabulary, for a home, a hotel, a brand (docs/own-words.md).

A folder of YAML files with `words` (own word: known word), `wishes` (own phrase: known phrase) and `replies` (question:
answer). They apply to the process and are loaded before anything is read. Messages are Chinese, for the authors of the
files; they name file, line and word.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from context_retrieval.text import normalise
from zhtext.normalise import fold

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NONE", "OwnWords", "OwnWordsError", "in_force", "near", "own_replies", "read_words", "sentence", "take"]

MOST = 2_000
LONGEST = 16
LONGEST_SENTENCE = 60
LONGEST_REPLY = 300
_SECTIONS = ("words", "wishes", "replies")


class OwnWordsError(ValueError):
    """Own words that cannot be used; the message names file, line and word."""


class OwnWords(msgspec.Struct, frozen=True):
    """What the files say, in normal form; `places` says where each stands (house.yaml 第3行“冷风机”)."""

    words: Mapping[str, str] = {}
    wishes: Mapping[str, str] = {}
    replies: Mapping[str, str] = {}
    places: Mapping[str, str] = {}

    def __len__(self) -> int:
        return len(self.words) + len(self.wishes) + len(self.replies)

    def fault(self, own: str, why: str) -> OwnWordsError:
        """The error about one row."""
        return OwnWordsError(f"{self.places.get(own, own)}：{why}")


NONE = OwnWords()


class _OwnWordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str] = {}
    wishes: dict[str, str] = {}
    replies: dict[str, str] = {}


class _Taken:
    """The process's own words, and whether a vocabulary has been made of them."""

    own = NONE
    made = False


def in_force() -> OwnWords:
    """The own words; from now on they stay as they are."""
    _Taken.made = True
    return _Taken.own


def own_replies() -> Mapping[str, str]:
    """Questions, without punctuation, with their replies."""
    return _Taken.own.replies


def take(own: OwnWords) -> None:
    """Makes these the process's own words. Raises `OwnWordsError` once a vocabulary has been made without them."""
    if _Taken.made and own != _Taken.own:
        raise OwnWordsError("own words must be loaded before the first sentence is read")
    _Taken.own = own


def read_words(folder: "Path") -> OwnWords:
    """The own words of a folder's `*.yaml` and `*.yml`, or of one file.

    Raises `OwnWordsError` for a file that cannot be read, a word that stands twice or is too long, and where none is.
    """
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    places: dict[str, str] = {}
    for path in [folder] if folder.is_file() else sorted((*folder.glob("*.yaml"), *folder.glob("*.yml"))):
        told, lines = _read(path)
        for section in _SECTIONS:
            for own, meant in getattr(told, section).items():
                word = (normalise(own) or own) if section == "words" else sentence(own)
                place = f"{path.name} 第{lines.get((section, own), '?')}行“{own}”"
                _check_form(section, word, meant, place)
                if word in places:
                    raise OwnWordsError(f"{place}：{places[word]}已经有了")
                places[word] = place
                found[section][word] = normalise(meant) if section == "words" else meant
    if not places:
        raise OwnWordsError(f"{folder}：没有一个文件里有自己的词")
    if len(places) > MOST:
        raise OwnWordsError(f"{folder}：最多 {MOST} 个词")
    return OwnWords(**found, places=places)


def sentence(text: str) -> str:
    """A sentence as own phrases and questions are compared: folded, without the signs around it."""
    return fold(text).strip("。！？!?，,~～ ")


def near(word: str, *known: Iterable[str]) -> str:
    """The known words most like `word`, for a message; "" where none is."""
    from difflib import get_close_matches  # only faults need it

    found = get_close_matches(word, [one for table in known for one in table], cutoff=0.5)
    return f"（相近的：{'、'.join(found)}）" if found else ""


def _check_form(section: str, word: str, meant: str, place: str) -> None:
    longest = LONGEST if section == "words" else LONGEST_SENTENCE
    if not word or len(word) > longest or (section == "words" and " " in word):
        raise OwnWordsError(f"{place}：要有 1 到 {longest} 个字，词里不能有空格")
    if not meant.strip() or len(meant) > LONGEST_REPLY:
        raise OwnWordsError(f"{place}：右边要有 1 到 {LONGEST_REPLY} 个字")


def _read(path: "Path") -> tuple[_OwnWordsFile, dict[tuple[str, str], int]]:
    """The file, and the line of every row by section and own word."""
    from context_retrieval.strict_yaml import YAMLError, lines_of, parse_yaml

    try:
        text = path.read_text("utf-8")
        told = parse_yaml(text)
        if isinstance(told, dict):  # a section without a row is null in YAML
            told = {section: rows for section, rows in told.items() if rows is not None}
        return msgspec.convert(told, _OwnWordsFile), lines_of(text)
    except msgspec.ValidationError as error:
        raise OwnWordsError(f"{path.name}：{error}（两边都是文字；是数字就加引号）") from error
    except (OSError, UnicodeError, YAMLError) as error:
        raise OwnWordsError(f"{path.name}：{error}") from error
