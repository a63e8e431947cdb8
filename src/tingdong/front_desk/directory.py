"""The directory of a house: its departments with their aliases, and its people (hospital.md, Domain).

It is apart from the domain file: the domain says what an agent is, the directory who works here.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError


class Department(Struct, frozen=True, forbid_unknown_fields=True):
    """A department and the other names it goes by."""

    name: str
    aliases: tuple[str, ...] = ()


class Doctor(Struct, frozen=True, forbid_unknown_fields=True):
    """A doctor, and the department (its directory name) they work in. Two doctors may share a name."""

    name: str
    department: str
    title: str = ""


class Directory(Struct, frozen=True, forbid_unknown_fields=True):
    """Departments and doctors of one house."""

    name: str = ""
    departments: tuple[Department, ...] = ()
    doctors: tuple[Doctor, ...] = ()

    def departments_of(self, doctor: str) -> tuple[str, ...]:
        """Departments of every doctor of that name; more than one means the name alone does not say who."""
        return tuple(person.department for person in self.doctors if person.name == doctor)

    def department(self, word: str) -> str | None:
        """Directory name of a department called by its name or an alias."""
        return next((entry.name for entry in self.departments if word == entry.name or word in entry.aliases), None)


EMPTY = Directory()
"""A directory nobody is in; doctors are then known by their title only."""


def load(path: Path) -> Directory:
    """Read and check a directory file.

    Raises:
        DataError: no YAML, an unknown key, a wrong type, an alias used twice, or a doctor of a department not listed.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path.name}: cannot be read: {error}", path=path.name) from error
    return parse(raw, name=path.name)


def parse(raw: bytes, *, name: str = "directory") -> Directory:
    """Read and check the text of a directory file; `name` is used in error messages.

    Raises:
        DataError: as `load`.
    """
    try:
        directory = msgspec.convert(parse_yaml(raw), Directory)
    except msgspec.ValidationError as error:
        raise DataError(f"{name}: {error}", path=name) from error
    except YAMLError as error:
        raise DataError(f"{name}: no YAML: {error}", path=name) from error
    _check(directory, name)
    return directory


def _check(directory: Directory, name: str) -> None:
    owner: dict[str, str] = {}
    for index, entry in enumerate(directory.departments):
        for word in (entry.name, *entry.aliases):
            if word in owner:
                raise DataError(f"{name}: departments[{index}]: {word!r} already names {owner[word]!r}", path=word)
            owner[word] = entry.name
    known = {entry.name for entry in directory.departments}
    for index, person in enumerate(directory.doctors):
        if person.department not in known:
            raise DataError(f"{name}: doctors[{index}].department: {person.department!r} is not listed", path=name)
