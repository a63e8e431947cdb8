"""The data of this package as typed tables: kinds, property roles, values, policy (YAML files beside this module).

Reading is strict: an unknown key, a wrong type, a duplicate key, or a word that two entries claim raises `DataError`
naming file and key. Tables are read once, at first use.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from context_retrieval.kind_table import DeviceKind, kind_table
from context_retrieval.models import DeviceType
from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError
from tingdong.home.model import PropertyRole

__all__ = [
    "ChoiceEntry",
    "Ends",
    "KindEntry",
    "RoleEntry",
    "Sides",
    "ValueTable",
    "attribute_word",
    "attributes",
    "choice_tokens",
    "choice_words",
    "kinds",
    "read_table",
    "roles",
    "unit_words",
    "values",
]

T = TypeVar("T")
_DATA = Path(__file__).parent / "data"


class KindEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a home knows of a kind of thing (`home` in context retrieval's `kinds.yaml`; its head tells the fields)."""

    word: str
    level: str
    nouns: tuple[str, ...] = ()
    english: tuple[str, ...] = ()
    type: DeviceType = DeviceType.UNKNOWN
    nicknames: tuple[str, ...] = ()
    nearest: tuple[tuple[str, str, Literal[1, -1]], ...] = ()
    measure: str = "台"
    sensor: bool = False
    opens: str = ""
    ends: tuple[str, str] = ("", "")
    climate: bool = False
    generic: bool = False
    bulk: bool = True
    risky: tuple[str, ...] = ()
    key: str = ""


class Ends(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of the two ends of a comparison."""

    high: tuple[str, ...] = ()
    low: tuple[str, ...] = ()


class RoleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that is known of a property role (`data/properties.yaml`; the fields are told at the head of the file)."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    label: str
    takes: Literal["switch", "number", "choice", "any"]
    unit: str = ""
    attribute: str = ""
    also: tuple[str, ...] = ()
    sensed: str = ""
    read_only: bool = False
    of_room: bool = False
    among: tuple[str, ...] = ()
    instead: str = ""
    type: DeviceType = DeviceType.UNKNOWN
    kind: str = ""
    scale: Literal["percent", "degrees", "kelvin", "number", "amount"] = "percent"
    asked: tuple[str, ...] = ()
    compared: Ends = Ends()
    plain: Ends = Ends()
    most: str = ""
    least: str = ""
    fine: tuple[float, float] | None = None
    beyond: str = ""
    below: str = ""
    said: str = ""
    nought: str = ""
    states: tuple[str, str] | None = None
    at: bool = False
    active: Literal["on", "off"] = "on"
    risk: tuple[str, ...] = ()
    keeps_on: bool = True


class ChoiceEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Other Chinese words and the platform tokens of one choice."""

    words: tuple[str, ...]
    tokens: tuple[str, ...]


class Sides(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a describe tells the two values of a switch: what the role asserts, and the opposite (`names` too)."""

    asserted: tuple[str, ...]
    opposite: tuple[str, ...]
    names: frozenset[str] = frozenset()


class ValueTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/values.yaml`."""

    choices: dict[str, ChoiceEntry]
    units: dict[str, tuple[str, ...]]
    features: dict[str, tuple[str, ...]]
    at_work: tuple[str, ...]
    apart: frozenset[str]
    akin: dict[str, tuple[str, ...]]
    not_a_gear: frozenset[str]
    gear_order: tuple[str, ...]
    levels: dict[str, str]
    colours: dict[str, str]
    as_light: dict[str, str]
    sides: dict[str, Sides]
    called_tails: tuple[str, ...]
    lamp_ends: tuple[str, ...]
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
    """Kinds by key, each carrying its own key and the words of the finer kinds that it stands for."""
    rows = kind_table().kinds
    own = {noun for row in rows.values() if row.home for name in _CLAIMS for noun in row.home.get(name, ())}
    words: dict[str, list[str]] = {}
    for row in rows.values():
        if not row.generic:
            words.setdefault(row.root, []).extend(word for word in row.words if word not in own and not word.isascii())
    return {key: _entry(row, words.get(key, ())) for key, row in rows.items() if row.home is not None}


_CLAIMS = ("nouns", "first", "nicknames")
"""What a row of the home takes for itself; `first` goes before the words of another row."""


def _entry(row: DeviceKind, words: Sequence[str]) -> KindEntry:
    """What the home knows of one kind. Raises `DataError` naming the row."""
    where, home = f"kinds.yaml: kinds.{row.id}: home", dict(row.home or {})
    nouns = (*home.pop("nouns", ()), *home.pop("first", ()), *words)
    try:
        entry = msgspec.convert({"word": "".join(row.words[:1]), "english": (), **home}, KindEntry)
    except msgspec.ValidationError as error:
        raise DataError(f"{where}: {error}") from error
    if not entry.word:
        raise DataError(f"{where}: word: required for a kind without words")
    if entry.level not in roles() and entry.level != PropertyRole.OTHER:
        raise DataError(f"{where}: level: {entry.level!r} is not one of {', '.join(roles())}")
    if unknown := {role for *pair, _ in entry.nearest for role in pair} - roles().keys():
        raise DataError(f"{where}: nearest: unknown role {min(unknown)!r}")
    return msgspec.structs.replace(
        entry, key=row.id, type=row.type, bulk=not row.apart, nouns=nouns, level=PropertyRole(entry.level)
    )


@cache
def roles() -> dict[PropertyRole, RoleEntry]:
    """Property roles by role."""
    path = _DATA / "properties.yaml"
    table = read_table(path, dict[str, RoleEntry])
    seen: dict[str, str] = {}
    for role, entry in table.items():
        for name in entry.names:
            if name in seen:
                raise DataError(f"{path.name}: {role}: name {name!r} belongs to {seen[name]} already")
            seen[name] = role
        if entry.sensed and entry.sensed not in table:
            raise DataError(f"{path.name}: {role}: sensed: unknown role {entry.sensed!r}")
        if entry.instead and entry.instead not in table:
            raise DataError(f"{path.name}: {role}: instead: unknown role {entry.instead!r}")
        if entry.at and entry.states is None:
            raise DataError(f"{path.name}: {role}: at: the role has no states")
    return {
        PropertyRole(role): entry if entry.attribute else msgspec.structs.replace(entry, attribute=entry.label)
        for role, entry in table.items()
    }


@cache
def attributes() -> dict[str, tuple[PropertyRole, ...]]:
    """The protocol's words for attributes with the roles that answer them: its own first, what is measured before what
    is set."""
    found: dict[str, list[tuple[bool, bool, PropertyRole]]] = {}
    for role, entry in roles().items():
        for word in dict.fromkeys((entry.attribute, *entry.also)):
            found.setdefault(word, []).append(
                (word != entry.attribute and not entry.instead, not entry.read_only, role)
            )
    return {word: tuple(role for *_, role in sorted(ranked, key=lambda one: one[:2])) for word, ranked in found.items()}


def attribute_word(role: PropertyRole, label: str) -> str:
    """The protocol's word for a property of this role: `label`, its own name, where the role has none."""
    entry = roles().get(role)
    return label if entry is None else entry.attribute


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
            raise DataError(f"{path.name}: colours: {word}: {code!r} is not #RRGGBB")
    return table


@cache
def unit_words() -> dict[str, str]:
    """A unit as models write it (lower case) → as a reply says it."""
    return {token: word for word, tokens in values().units.items() for token in tokens}


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
