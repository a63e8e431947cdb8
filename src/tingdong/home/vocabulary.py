"""The data of this package as typed tables: kinds, property roles, values, policy (YAML files beside this module).

Reading is strict: an unknown key, a wrong type, a duplicate key, or a word that two entries claim raises `DataError`
naming file and key. Tables are read once, at first use.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from context_retrieval.kinds import kind_table
from context_retrieval.models import DeviceType
from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError
from tingdong.home.model import PropertyRole

__all__ = [
    "ChoiceEntry",
    "KindEntry",
    "RoleEntry",
    "ValueTable",
    "choice_tokens",
    "choice_words",
    "kinds",
    "read_table",
    "roles",
    "values",
]

T = TypeVar("T")
_DATA = Path(__file__).parent / "data"


class KindEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of thing (`data/kinds.yaml`); the field comments stand at the head of that file."""

    word: str
    nouns: tuple[str, ...]
    english: tuple[str, ...]
    level: PropertyRole
    also: tuple[str, ...] = ()
    type: DeviceType = DeviceType.UNKNOWN
    nicknames: tuple[str, ...] = ()
    measure: str = "台"
    sensor: bool = False
    generic: bool = False
    bulk: bool = True
    risky: tuple[str, ...] = ()
    key: str = ""


class RoleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a property role is recognised and told (`data/properties.yaml`)."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    label: str
    unit: str = ""
    sensed: PropertyRole | None = None


class ChoiceEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Other Chinese words and the platform tokens of one choice."""

    words: tuple[str, ...]
    tokens: tuple[str, ...]


class ValueTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/values.yaml`."""

    choices: dict[str, ChoiceEntry]
    not_a_gear: frozenset[str]
    gear_order: tuple[str, ...]
    levels: dict[str, str]
    colours: dict[str, str]
    colour_tokens: dict[str, tuple[str, ...]]
    prefixes: tuple[str, ...]
    endings: tuple[str, ...]


def read_table(path: Path, shape: type[T]) -> T:
    """The YAML file at `path` as `shape`. Raises `DataError` naming file and key."""
    try:
        return msgspec.convert(parse_yaml(path.read_text("utf-8")), shape)
    except (YAMLError, msgspec.ValidationError) as error:
        raise DataError(f"{path.name}: {error}") from error


@cache
def kinds() -> dict[str, KindEntry]:
    """Kinds by key, each carrying its own key and the words of the retrieval kinds it stands for."""
    path = _DATA / "kinds.yaml"
    table = read_table(path, dict[str, KindEntry])
    seen: dict[str, str] = {}
    for key, entry in table.items():
        for noun in (*entry.nouns, *entry.nicknames, *(f"english {word}" for word in entry.english)):
            if noun in seen:
                raise DataError(f"{path.name}: {key}: {noun!r} belongs to {seen[noun]} already")
            seen[noun] = key
    words: dict[str, list[str]] = {}
    for kind in kind_table().by_word.values():
        words.setdefault(kind.id, []).extend(word for word in kind.words if word not in words.get(kind.id, ()))
    return {key: _completed(key, entry, words, frozenset(seen), path.name) for key, entry in table.items()}


def _completed(
    key: str, entry: KindEntry, words: Mapping[str, Sequence[str]], taken: frozenset[str], file: str
) -> KindEntry:
    """The entry with the words of its retrieval kinds that no entry claims for itself."""
    nouns = list(entry.nouns)
    for kind_id in entry.also:
        if kind_id not in words:
            raise DataError(f"{file}: {key}: also: {kind_id!r} is no kind of context retrieval")
        nouns += [word for word in words[kind_id] if word not in taken and not word.isascii()]
    return msgspec.structs.replace(entry, key=key, nouns=tuple(dict.fromkeys(nouns)))


@cache
def roles() -> dict[PropertyRole, RoleEntry]:
    """Property roles by role."""
    path = _DATA / "properties.yaml"
    table = read_table(path, dict[PropertyRole, RoleEntry])
    seen: dict[str, PropertyRole] = {}
    for role, entry in table.items():
        for name in entry.names:
            if name in seen:
                raise DataError(f"{path.name}: {role}: name {name!r} belongs to {seen[name]} already")
            seen[name] = role
    return table


@cache
def values() -> ValueTable:
    """Choices, levels, colours and name prefixes."""
    path = _DATA / "values.yaml"
    table = read_table(path, ValueTable)
    levels = set(table.levels.values())
    if bad := levels - {"min", "low", "middle", "high", "max"}:
        raise DataError(f"{path.name}: levels: unknown place {sorted(bad)}")
    for word, code in table.colours.items():
        if len(code) != 7 or not code.startswith("#"):
            raise DataError(f"{path.name}: colours: {word}: {code!r} is no #RRGGBB")
    return table


@cache
def choice_tokens() -> dict[str, str]:
    """Platform token (lower case, without _ and -) → Chinese choice word."""
    found: dict[str, str] = {}
    for word, entry in values().choices.items():
        for token in entry.tokens:
            found.setdefault(token.replace("_", ""), word)
    return found


@cache
def choice_words() -> dict[str, tuple[str, ...]]:
    """Chinese choice word or synonym → the choice words it may mean (风 words belong to several)."""
    found: dict[str, list[str]] = {}
    for word, entry in values().choices.items():
        for said in (word, *entry.words):
            found.setdefault(said, []).append(word)
    return {said: tuple(dict.fromkeys(words)) for said, words in found.items()}
