"""Concepts of a short text: switching on, brightness, raising (retrieval.md, Devices).

Concept words come from `data/concepts.yaml` and, through it, from the lexicon. A character in no listed word counts as
far as the listed words with it agree on one concept, so that unlisted words are covered.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from context_retrieval.lexicon import Lexicon, default_lexicon
from context_retrieval.strict_yaml import parse_yaml

__all__ = ["ConceptTable", "build_concepts", "concept_table"]

_SOFT_SHARE = 0.3
"""A character speaks for a concept when at least this share of its words does."""
_ENOUGH = 2
"""So many words of a concept must hold a character before it speaks for it; a word of one character is enough."""
_SOFT_WEIGHT = 1.0
"""What a character counts beside a listed word."""

Dimensions = tuple[tuple[int, float], ...]


class _Concept(msgspec.Struct, forbid_unknown_fields=True):
    weight: float
    words: list[str]
    verbs: list[str] = []
    attributes: list[str] = []
    lists: list[str] = []


class _ConceptFile(msgspec.Struct, forbid_unknown_fields=True):
    concepts: dict[str, _Concept]
    silent: str = ""
    implied: dict[str, str] = {}


class ConceptTable(msgspec.Struct, frozen=True):
    """Concepts by word and by character, each as (dimension, weight)."""

    names: tuple[str, ...]
    by_word: dict[str, Dimensions]
    by_character: dict[str, Dimensions]
    longest: int
    implied: tuple[tuple[str, str], ...] = ()

    def describe(self, description: str) -> str:
        """A command's description with what it implies (设置开合度 also opens and closes)."""
        extra = {more for word, more in self.implied if word in description}
        return " ".join((description, *sorted(extra)))

    def spot(self, text: str) -> dict[int, float]:
        """Dimension → weight of the concepts in `text`; at each place the longest listed word counts."""
        found: dict[int, float] = {}
        soft: dict[int, float] = {}
        text, start = text.lower(), 0
        while start < len(text):
            for size in range(min(self.longest, len(text) - start), 0, -1):
                concepts = self.by_word.get(text[start : start + size])
                if concepts is not None and not _inside_latin(text, start, start + size):
                    found.update(concepts)
                    start += size
                    break
            else:
                for dimension, weight in self.by_character.get(text[start], ()):
                    soft[dimension] = max(soft.get(dimension, 0.0), weight)
                start += 1
        for dimension, weight in soft.items():
            found.setdefault(dimension, weight)
        return found

    def lists(self, text: str) -> bool:
        """Whether a listed word of two or more characters stands in `text`."""
        lowered = text.lower()
        return any(len(word) > 1 and word in lowered for word in self.by_word)


def _inside_latin(text: str, start: int, end: int) -> bool:
    """Whether a Latin word is only a piece of a longer one (on in condition)."""

    def letter(index: int) -> bool:
        return 0 <= index < len(text) and text[index].isascii() and text[index].isalpha()

    return (letter(start) and letter(start - 1)) or (letter(end - 1) and letter(end))


@cache
def concept_table() -> ConceptTable:
    """The table of the package's own data. Raises ValueError naming file and key when the data is inconsistent."""
    source = resources.files("context_retrieval").joinpath("data", "concepts.yaml")
    return build_concepts(parse_yaml(source.read_bytes()), "concepts.yaml")


def build_concepts(data: Any, name: str, lexicon: Lexicon | None = None) -> ConceptTable:
    """A validated table. Raises ValueError for unknown keys, a weight that is not positive, or a word said twice."""
    try:
        file = msgspec.convert(data, _ConceptFile)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from error
    lexicon = lexicon if lexicon is not None else default_lexicon()
    by_word: dict[str, dict[int, float]] = {}
    words: list[set[str]] = []
    for dimension, (key, concept) in enumerate(file.concepts.items()):
        if concept.weight <= 0:
            raise ValueError(f"{name}: concepts.{key}.weight: must be positive")
        own = [word.lower() for word in concept.words]
        if len(set(own)) != len(own):
            raise ValueError(f"{name}: concepts.{key}.words: a word is listed twice")
        borrowed = {word.lower() for word in _borrowed(concept, lexicon, f"{name}: concepts.{key}")}
        for word in (*own, *(word for word in borrowed if len(word) > 1)):
            by_word.setdefault(word, {})[dimension] = concept.weight
        words.append({*own, *borrowed})
    weights = [concept.weight for concept in file.concepts.values()]
    return ConceptTable(
        tuple(file.concepts),
        {word: tuple(concepts.items()) for word, concepts in by_word.items()},
        _by_character(words, weights, frozenset(file.silent)),
        max(map(len, by_word)),
        tuple(file.implied.items()),
    )


def _borrowed(concept: _Concept, lexicon: Lexicon, where: str) -> Iterator[str]:
    """Words that a concept takes from the lexicon."""
    actions, values = lexicon.actions, lexicon.values
    try:
        for verb in concept.verbs:
            yield from f"{actions.verbs[verb].strong} {actions.verbs[verb].weak}".split()
        for attribute in concept.attributes:
            yield from f"{values.attributes[attribute].words} {values.attributes[attribute].ask}".split()
            for adjective in actions.adjectives:
                if adjective.attribute == attribute:
                    yield from f"{adjective.up} {adjective.down}".split()
        for title in concept.lists:
            yield from _list(title, lexicon)
    except KeyError as error:
        raise ValueError(f"{where}: {error} is not in the lexicon") from error


def _list(title: str, lexicon: Lexicon) -> Iterator[str]:
    values = lexicon.values
    lists: Mapping[str, Iterable[str]] = {
        "modes": (*values.modes, *values.modes.values()),
        "levels": values.levels.values(),
        "temperatures": values.temperatures.values(),
        "colours": (f"{word}色" for word in values.colours.basic.split()),
        "sources": (values.sources,),
        "channels": (values.channel_names,),
        "up": (lexicon.actions.up, *(adjective.up for adjective in lexicon.actions.adjectives)),
        "down": (lexicon.actions.down, *(adjective.down for adjective in lexicon.actions.adjectives)),
        "questions": (attribute.ask for attribute in values.attributes.values()),
    }
    for words in lists[title]:
        yield from words.split()


def _by_character(words: list[set[str]], weights: list[float], silent: frozenset[str]) -> dict[str, Dimensions]:
    """For each character the concepts that its listed words agree on; long word lists do not outvote short ones."""
    votes: dict[str, dict[int, float]] = {}
    heard: dict[tuple[str, int], int] = {}
    for dimension, listed in enumerate(words):
        for word in listed:
            for character in set(word) - silent:
                if "\u4e00" <= character <= "\u9fff":
                    concepts = votes.setdefault(character, {})
                    concepts[dimension] = concepts.get(dimension, 0.0) + (3.0 if len(word) == 1 else 1.0 / len(word))
                    heard[character, dimension] = heard.get((character, dimension), 0) + (
                        _ENOUGH if len(word) == 1 else 1
                    )
    found: dict[str, Dimensions] = {}
    for character, concepts in votes.items():
        scaled = {dimension: count / math.sqrt(len(words[dimension])) for dimension, count in concepts.items()}
        total = sum(scaled.values())
        kept = tuple(
            (dimension, round(_SOFT_WEIGHT * weights[dimension] * share / total, 4))
            for dimension, share in scaled.items()
            if share / total >= _SOFT_SHARE and heard[character, dimension] >= _ENOUGH
        )
        if kept:
            found[character] = kept
    return found
