"""The words that a home's own models have for what can be done with its things (service.md, Home `model`): what a
property is called, the beginning of that, and what it can be set to (音效: 古典, 摇滚).

What the reading has words of its own for (亮度, 音量) is left out: it reads these everywhere.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from tingdong.alive import WhileAlive
from tingdong.home.amounts import AmountKind, parse_amount
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.shape import HomeShape
from tingdong.home.vocabulary import read_table, roles, values

__all__ = ["SHORTEST", "Term", "feature_words", "terms_of", "things_with_a_term", "told_so"]

SHORTEST = 2
"""Characters of a word that may stand for something by itself; a shorter one needs its thing beside it."""
_APART = frozenset({PropertyRole.SPEED, PropertyRole.MODE, PropertyRole.INPUT, PropertyRole.OPENING})
"""Roles of which a thing may have several, told by what they are called."""


class Term(msgspec.Struct, frozen=True):
    """A word of a thing's model: for one of its properties, or for `choice`, one of what that can be set to."""

    word: str
    spec: PropertySpec
    choice: str = ""


class ToldSo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a property is told that is called by its model's own word."""

    unknown: str
    value: str
    off: str
    yes: str
    no: str
    on: str
    stands_off: str
    has: str
    lacks: str
    end: str


class _Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`terms.yaml`."""

    before: tuple[str, ...]
    behind: tuple[str, ...]
    switches: frozenset[str]
    told: ToldSo


class _Index(msgspec.Struct):
    words: dict[str, tuple[str, ...]]
    longest: int


def terms_of(device: DeviceShape) -> dict[str, Term]:
    """The words of the thing's model, a choice's before a property's; what can only be read is asked about by them."""
    found: dict[str, Term] = {}
    for spec in device.properties.values():
        if not spec.readonly and spec.role is not PropertyRole.PLAYBACK and (spec.texts or spec.numeric):
            for word in (text.removesuffix("模式") for text in spec.texts.values() or spec.words):
                if len(word) >= SHORTEST and not _is_amount(word):
                    found.setdefault(word.lower(), Term(word, spec, word))
    for spec in device.properties.values():
        for word in _names_of(spec):
            found.setdefault(word, Term(word, spec))
    return found


def _index(shape: HomeShape) -> _Index:
    """Which things have a word of their model's, and how long such words are."""
    words: dict[str, dict[str, None]] = {}
    by_model: dict[int, list[DeviceShape]] = {}
    for device in shape.devices.values():
        by_model.setdefault(id(device.properties), []).append(device)
    for alike in by_model.values():  # things of one model share their properties
        for word in terms_of(alike[0]):
            words.setdefault(word, {}).update((one.id, None) for one in alike)
    found = {word: tuple(ids) for word, ids in words.items()}
    return _Index(found, max(map(len, found), default=0))


_INDEXES: WhileAlive[HomeShape, _Index] = WhileAlive(_index)


def things_with_a_term(text: str, shape: HomeShape) -> tuple[str, ...]:
    """The ids of the things that have a word of the text, in the home's order."""
    index, found = _INDEXES.of(shape), set[str]()
    text = text.lower()
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + index.longest) + 1):
            found.update(index.words.get(text[start:end], ()))
    return tuple(sorted(found, key=lambda one: shape.devices[one].index))


def _is_amount(word: str) -> bool:
    """Whether the word tells how much, of whatever (最大, 800)."""
    return parse_amount(word).kind is not AmountKind.WORD or word in values().gear_order or word in values().not_a_gear


def _names_of(spec: PropertySpec) -> Iterator[str]:
    called = spec.called
    if spec.type is PropertyType.BOOL and spec.role not in (PropertyRole.OTHER, PropertyRole.POWER):
        return
    if spec.role is PropertyRole.POWER:
        if len(called) >= SHORTEST and called not in _table().switches:
            yield called
        return
    entry = roles().get(spec.role)
    if entry is not None and spec.role not in _APART and any(one in called for one in (entry.label, *entry.words)):
        return  # the reading has words of its own for it
    for name in dict.fromkeys((called, *(feature_words(spec) if spec.is_feature else ()))):
        if not name or name in _table().switches:
            continue
        bare = next((name.removeprefix(one) for one in _table().before if name.startswith(one)), name)
        stem = next((bare.removesuffix(one) for one in _table().behind if bare.endswith(one)), bare)
        parts = (name[:SHORTEST], name[-SHORTEST:]) if spec.is_feature and len(name) > 1 + SHORTEST else ()
        yield from (one for one in (name, bare, stem, *parts) if one and not one.isascii())
        if len(stem) == SHORTEST and (spec.numeric or spec.is_feature):
            yield stem[0]


@cache
def _table() -> _Labels:
    return read_table(Path(__file__).parent / "data" / "terms.yaml", _Labels)


def told_so() -> ToldSo:
    """The replies. Raises `DataError` naming the file."""
    return _table().told


def feature_words(spec: PropertySpec) -> tuple[str, ...]:
    """What a switch of a device is called: its label, and what people say for it."""
    return _feature_words(spec.label)


@lru_cache(maxsize=512)
def _feature_words(label: str) -> tuple[str, ...]:
    alike = (
        word for key, words in values().features.items() if label == key or label in words for word in (key, *words)
    )
    return tuple(dict.fromkeys((label, *alike)))
