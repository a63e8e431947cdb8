"""Kinds of devices, one row each: words, platform types, sensors, functions, and properties in a home.

The rows are data (`data/kinds.yaml`), read by spotting, retrieval, home and protection (retrieval.md, 数据契约;
service.md, Home).
"""

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from context_retrieval.models import DeviceType
from context_retrieval.own_words import in_force
from context_retrieval.strict_yaml import YAMLError, parse_yaml
from context_retrieval.text import normalise

__all__ = ["DeviceKind", "KindTable", "build_table", "kind_table", "misplaced"]


class DeviceKind(msgspec.Struct, frozen=True):
    """One kind of device; its `words` are synonyms of each other. `root` is the row whose finer kind it is, or its own
    id; type, family, `apart` and `protected` are the root's as well. `home` is what a home knows of it."""

    id: str
    type: DeviceType
    words: tuple[str, ...] = ()
    platform: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    generic: bool = False
    apart: bool = False
    root: str = ""
    family: str = ""
    seen_as: Mapping[str, tuple[str, ...]] = {}
    does: tuple[str, ...] = ()
    protected: str = ""
    home: Mapping[str, Any] | None = None


class KindTable(msgspec.Struct, frozen=True):
    """`data/kinds.yaml`, indexed for look-ups by word and by platform token."""

    kinds: dict[str, DeviceKind]
    by_word: dict[str, DeviceKind]
    by_platform: dict[str, DeviceKind]
    longest: int
    prefixes: tuple[str, ...]
    endings: tuple[str, ...]
    doors: frozenset[str]
    attributes: dict[str, tuple[str, ...]]
    commands: dict[DeviceType, frozenset[str]]

    def of_ending(self, form: str) -> DeviceKind | None:
        """The kind whose longest word the normal form `form` ends in."""
        by_word = self.by_word
        for size in range(min(self.longest, len(form)), 0, -1):
            kind = by_word.get(form[-size:])
            if kind is not None:
                return kind
        return None

    def words_protected(self) -> dict[str, tuple[str, ...]]:
        """Key of `protected.yaml` → the words of the kinds that are protected for that reason."""
        found: dict[str, tuple[str, ...]] = {}
        for kind in self.kinds.values():
            if kind.protected:
                found[kind.protected] = (*found.get(kind.protected, ()), *kind.words)
        return found


class _KindEntry(msgspec.Struct, forbid_unknown_fields=True):
    like: str = ""
    type: DeviceType = DeviceType.UNKNOWN
    family: str = ""
    words: list[str] = []
    seen_as: dict[str, tuple[str, ...]] = {}
    platform: list[str] = []
    senses: list[str] = []
    does: list[str] = []
    generic: bool = False
    apart: bool = False
    protected: str = ""
    home: dict[str, Any] | None = None


class _KindFile(msgspec.Struct, forbid_unknown_fields=True):
    kinds: dict[str, _KindEntry]
    prefixes: list[str]
    endings: list[str]
    attributes: dict[str, list[str]]
    commands: dict[DeviceType, list[str]]
    doors: list[str] = []


@cache
def kind_table() -> KindTable:
    """The table of the package's own data. Raises ValueError naming file and key when the data is inconsistent."""
    source = resources.files("context_retrieval").joinpath("data", "kinds.yaml")
    try:
        data = parse_yaml(source.read_bytes())
    except YAMLError as error:
        raise ValueError(f"kinds.yaml: {error}") from error
    return build_table(_with_own_words(data), "kinds.yaml")


def _with_own_words(data: Any) -> Any:
    """The file with the words of one's own beside the known ones."""
    for own, known in in_force().words.items():
        for entry in data["kinds"].values():
            if known in map(normalise, entry.get("words", ())):
                entry["words"].append(own)
    return data


def build_table(data: Any, name: str) -> KindTable:
    """A validated table. Raises ValueError for unknown keys, a word of two kinds, or an unknown attribute."""
    try:
        file = msgspec.convert(data, _KindFile)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {_row_of(data)}{error}") from error
    kinds = {key: _kind(key, entry, file.kinds, name) for key, entry in file.kinds.items()}
    by_word: dict[str, DeviceKind] = {}
    by_platform: dict[str, DeviceKind] = {}
    for kind in kinds.values():
        _index(by_word, map(normalise, kind.words), kind, name)
        _index(by_platform, kind.platform, kind, name)
    _check_home(kinds, by_word, name)
    for kind_type, wanted in file.commands.items():
        if unknown := set(wanted) - set(file.attributes):
            raise ValueError(f"{name}: commands.{kind_type}: unknown attributes {sorted(unknown)}")
    return KindTable(
        kinds,
        by_word,
        by_platform,
        max(map(len, by_word)),
        tuple(sorted(map(normalise, file.prefixes), key=len, reverse=True)),
        tuple(file.endings),
        frozenset(map(normalise, file.doors)),
        {attribute: tuple(words) for attribute, words in file.attributes.items()},
        {kind_type: frozenset(wanted) for kind_type, wanted in file.commands.items()},
    )


def _row_of(data: Any) -> str:
    """The first row that is none, for a message; "" where the fault is elsewhere."""
    rows = data.get("kinds") if isinstance(data, dict) else None
    for key, row in rows.items() if isinstance(rows, dict) else ():
        try:
            msgspec.convert(row, _KindEntry)
        except msgspec.ValidationError:
            return f"kinds.{key}: "
    return ""


def _kind(key: str, entry: _KindEntry, entries: Mapping[str, _KindEntry], name: str) -> DeviceKind:
    root = entries.get(entry.like) if entry.like else entry
    if root is None or (root is not entry and root.like):
        raise ValueError(f"{name}: kinds.{key}: like: {entry.like!r} names no row of this file")
    if root is not entry and (entry.type is not DeviceType.UNKNOWN or entry.home is not None):
        raise ValueError(f"{name}: kinds.{key}: type and home cannot be set beside like: {entry.like}")
    if not entry.words and entry.home is None:
        raise ValueError(f"{name}: kinds.{key}: words are missing")
    return DeviceKind(
        key,
        root.type,
        tuple(entry.words),
        tuple(entry.platform),
        tuple(entry.senses),
        entry.generic,
        entry.apart or root.apart,
        entry.like or key,
        entry.family or root.family,
        entry.seen_as,
        tuple(entry.does),
        entry.protected or root.protected,
        entry.home,
    )


def _index(table: dict[str, DeviceKind], words: Iterable[str], kind: DeviceKind, name: str) -> None:
    for word in words:
        other = table.setdefault(word, kind)
        if other is not kind:
            raise ValueError(f"{name}: kinds.{kind.id}: {word!r} is already a word of {other.id}")


def _check_home(kinds: Mapping[str, DeviceKind], by_word: Mapping[str, DeviceKind], name: str) -> None:
    """A noun of a home belongs to one kind; where it is a word of another row, it stands under `first`."""
    seen: dict[str, str] = {}
    for kind in kinds.values():
        home = kind.home or {}
        for noun in (*home.get("nouns", ()), *home.get("first", ()), *home.get("nicknames", ())):
            if (owner := seen.setdefault(noun, kind.id)) != kind.id:
                raise ValueError(f"{name}: kinds.{kind.id}: home: {noun!r} is already a noun of {owner}")
        for noun in home.get("nouns", ()):
            if (other := by_word.get(normalise(noun))) is not None:
                raise ValueError(f"{name}: kinds.{kind.id}: home: nouns: {noun!r} is a word of {other.id}")
        for noun in home.get("first", ()):
            other = by_word.get(normalise(noun))
            if other is None or other.root == kind.id:
                raise ValueError(f"{name}: kinds.{kind.id}: home: first: {noun!r} is a word of no other kind")


def _as_known(word: str, known: str | None) -> str:
    """What `types.yaml` has, and what to write where the row means it too."""
    remedy = "" if known is None else f" (where both are meant: seen_as: {{{known}: [{word}]}})"
    return f"{known or 'no class'} in types.yaml{remedy}"


def misplaced(table: KindTable, class_of: Callable[[str], str | None], classes: Container[str]) -> list[str]:
    """What is wrong where spotting and the kinds disagree; `class_of` gives the one of the `classes` of `types.yaml`
    that a word has.

    A word has the class that is its row's `family`, else the row says under `seen_as` which class goes first there.
    """
    faults = []
    for kind in table.kinds.values():
        if kind.family and kind.family not in classes:
            faults.append(f"kinds.yaml: kinds.{kind.id}: family: {kind.family} is no class of types.yaml")
        home = kind.home or {}
        elsewhere = {word: other for other, words in kind.seen_as.items() for word in words}
        for word in dict.fromkeys((*kind.words, *home.get("nouns", ()), *elsewhere)):
            known = class_of(normalise(word))
            if known != elsewhere.get(word, known if known is None else kind.family):
                faults.append(f"kinds.yaml: kinds.{kind.id}: {word} is of {_as_known(word, known)}")
    return faults
