"""The words of a domain, compiled for one scan over a text.

A phrase of the domain file is a template: `(a|b)` alternatives, `[x]` an optional part, `…` up to six characters
without punctuation, `␣` a blank. Expanded at load, a scan then only looks up slices of the text, by the first two
characters and the lengths known for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from msgspec import Struct

from tingdong.errors import DataError

GAP = "…"
GAP_LENGTH = 6
BLANK = "␣"
QUESTION_MARKS = frozenset("？?")
SENTENCE_ENDS = frozenset("。！？；!?;…\n")
PUNCTUATION = frozenset("，。！？；：、,!?;:…\n\t（）()【】—~～")
"""Characters that end a clause; blanks between Chinese characters do as well."""

STEM = 5
"""Letters from which a Latin word may go on behind what is known of it (suffocat, ambulances)."""

_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_SIGNS = frozenset("()[]|")
_TOKEN = re.compile(r"[()\[\]|]|[^()\[\]|]+")
_MAX_EXPANSION = 2000


_LATIN_WORDS = re.compile("[A-Za-z]+")
_MANY_LETTERS = 6
"""Letters from which a text without Chinese is in another language, and no shortened name."""


def is_foreign(text: str, *, least: int = _MANY_LETTERS) -> bool:
    """Whether a text is written in letters alone, `least` or more (I would like to book; wo yao gua hao)."""
    letters = "".join(_LATIN_WORDS.findall(text))
    return len(letters) >= least and not any(char >= "一" for char in text)


def expand(template: str) -> list[str]:
    """All plain phrases of a template, e.g. `(挂|看)[个]号` → 挂号, 挂个号, 看号, 看个号.

    Raises:
        DataError: brackets do not match, or the template stands for more than 2000 phrases.
    """
    if _SIGNS.isdisjoint(template):  # nine of ten
        return [template] if template else []
    tokens = _TOKEN.findall(template)
    phrases, rest = _alternatives(tokens, template)
    if rest:
        raise DataError(f"template {template!r}: unmatched {rest[0]!r}")
    if len(phrases) > _MAX_EXPANSION:
        raise DataError(f"template {template!r}: {len(phrases)} phrases are too many")
    return [phrase.replace(BLANK, " ") for phrase in dict.fromkeys(phrases) if phrase]


def phrases(words: str) -> list[str]:
    """All plain phrases of templates separated by white space.

    Raises:
        DataError: as `expand`.
    """
    return [phrase for template in words.split() for phrase in expand(template)]


@cache
def any_of(words: str) -> re.Pattern[str]:
    """One of some phrases, the longest first; matches nothing where there are none."""
    known = sorted(phrases(words), key=len, reverse=True)
    gap = f"[^{re.escape(''.join(PUNCTUATION))}]{{0,{GAP_LENGTH}}}?"
    return re.compile("|".join(gap.join(map(re.escape, phrase.split(GAP))) for phrase in known) or "(?!)")


def folded(rows: tuple[str, ...], text: str) -> str:
    """A text with the words of a row written as its first (老爷子 → 爸)."""
    pattern, first = _firsts(rows)
    return pattern.sub(lambda found: first[found.group()], text)


@cache
def _firsts(rows: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    first = {word: words[0] for words in map(phrases, rows) for word in words}
    known = sorted(first, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)) if known else "(?!)"), first


def _alternatives(tokens: list[str], template: str) -> tuple[list[str], list[str]]:
    """Phrases up to the closing bracket, and the tokens from it on."""
    done: list[str] = []
    current = [""]
    while tokens and tokens[0] not in {")", "]"}:
        token, tokens = tokens[0], tokens[1:]
        if token == "|":
            done += current
            current = [""]
        elif token in {"(", "["}:
            inner, tokens = _alternatives(tokens, template)
            if not tokens or tokens[0] != {"(": ")", "[": "]"}[token]:
                raise DataError(f"template {template!r}: {token!r} is not closed")
            tokens = tokens[1:]
            inner = [*inner, ""] if token == "[" else inner
            current = [head + tail for head, tail in product(current, inner)]
        else:
            current = [head + token for head in current]
    return done + current, tokens


class Hit(Struct, frozen=True):
    """A phrase found at `start`..`end`, and the bits of the signals it stands for."""

    start: int
    end: int
    bits: int


class PhraseIndex:
    """Phrases with the signals (bits) they stand for; `find` gives every occurrence in a text.

    The gap of a phrase holds no punctuation and none of `negators`: 嘴没歪 is no 嘴…歪. Latin words begin where a word
    begins and, when short, end where one ends: there is no pt in september.
    """

    def __init__(self, negators: str = "") -> None:
        self._closing = PUNCTUATION | frozenset(negators)
        self._words: dict[str, int] = {}
        self._gapped: dict[str, list[tuple[str, int]]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}

    def add(self, words: str, bits: int) -> None:
        """Add every phrase of white-space separated templates under `bits`."""
        known = self._words
        for phrase in phrases(words):
            if GAP not in phrase:
                known[phrase] = known.get(phrase, 0) | bits
                continue
            head, _, tail = phrase.partition(GAP)
            self._gapped.setdefault(head, []).append((tail, bits))
            known.setdefault(head, 0)

    def freeze(self) -> None:
        """Build the table of lengths; call once after the last `add`."""
        masks: dict[str, int] = {}
        for word in self._words:
            key = word[:2]  # a word of one character has a key of its own
            masks[key] = masks.get(key, 0) | 1 << len(word)
        sizes = {mask: tuple(size for size in range(mask.bit_length()) if mask >> size & 1) for mask in masks.values()}
        self._lengths = {key: sizes[mask] for key, mask in masks.items()}

    def words(self) -> Iterator[tuple[str, int]]:
        """Every plain phrase with its bits."""
        return iter(self._words.items())

    def find(self, text: str) -> list[Hit]:
        """All occurrences, by start; `text` is folded already (`fold`)."""
        found: list[Hit] = []
        lengths, words, gapped, length = self._lengths, self._words, self._gapped, len(text)
        for start, char in enumerate(text):
            for size in (
                *lengths.get(char, ()),
                *(lengths.get(text[start : start + 2], ()) if start + 1 < length else ()),
            ):
                end = start + size
                if end > length:
                    break
                phrase = text[start:end]
                bits = words.get(phrase)
                if bits is None or (char in _LATIN and text[start - 1 : start] in _LATIN):
                    continue
                if bits and not (size < STEM and phrase[-1] in _LATIN and text[end : end + 1] in _LATIN):
                    found.append(Hit(start, end, bits))
                if phrase in gapped:
                    found.extend(self._gapped_hits(text, start, end))
        return found

    def _gapped_hits(self, text: str, start: int, end: int) -> Iterator[Hit]:
        for tail, bits in self._gapped[text[start:end]]:
            at = text.find(tail, end, end + GAP_LENGTH + len(tail))
            if at >= 0 and self._closing.isdisjoint(text[end:at]):
                yield Hit(start, at + len(tail), bits)
