"""The directory of a desk: its places with their aliases, and its people (hospital.md, Domain).

It is apart from the domain file: the domain says what an agent is, the directory who works here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError

KEY_WORDS = Path(__file__).parent / "data" / "directory_keys.yaml"
"""What a trade calls the keys of its directory file."""


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A place and the other names it goes by."""

    name: str
    aliases: tuple[str, ...] = ()


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody, and the place (its directory name) they work in. Two may share a name."""

    name: str
    place: str
    title: str = ""


class Directory(Struct, frozen=True, forbid_unknown_fields=True):
    """Places and people that one desk knows."""

    name: str = ""
    places: tuple[Place, ...] = ()
    people: tuple[Person, ...] = ()

    def places_of(self, person: str) -> tuple[str, ...]:
        """Places of every person of that name; more than one means the name alone does not say who."""
        return tuple(entry.place for entry in self.people if entry.name == person)

    def place(self, word: str) -> str | None:
        """Directory name of a place called by its name or an alias."""
        return next((entry.name for entry in self.places if word == entry.name or word in entry.aliases), None)


EMPTY = Directory()
"""A directory nobody is in; people are then known by their title only."""


def load(path: Path) -> Directory:
    """Read and check a directory file.

    Raises:
        DataError: no YAML, an unknown key, a wrong type, an alias used twice, or a person of a place not listed.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}", path=path.name) from error
    return parse(raw, name=path.name)


def parse(raw: bytes, *, name: str = "directory") -> Directory:
    """Read and check the text of a directory file; `name` is used in error messages.

    Raises:
        DataError: as `load`.
    """
    try:
        directory = msgspec.convert(_named(parse_yaml(raw)), Directory)
    except msgspec.ValidationError as error:
        raise DataError(f"{name}: {error}", path=name) from error
    except YAMLError as error:
        raise DataError(f"{name}: not YAML: {error}", path=name) from error
    _check(directory, name)
    return directory


@cache
def _key_words() -> dict[str, str]:
    words: dict[str, str] = parse_yaml(KEY_WORDS.read_bytes())
    return words


def _named(told: object) -> object:
    """What a file holds, with its keys by their own names."""
    if isinstance(told, dict):
        return {_key_words().get(key, key): _named(value) for key, value in told.items()}
    return [_named(one) for one in told] if isinstance(told, list) else told


def _check(directory: Directory, name: str) -> None:
    owner: dict[str, str] = {}
    for index, entry in enumerate(directory.places):
        for word in (entry.name, *entry.aliases):
            if word in owner:
                raise DataError(f"{name}: places[{index}]: {word!r} already names {owner[word]!r}", path=word)
            owner[word] = entry.name
    known = {entry.name for entry in directory.places}
    for index, person in enumerate(directory.people):
        if person.place not in known:
            raise DataError(f"{name}: people[{index}].place: {person.place!r} is not listed", path=name)
