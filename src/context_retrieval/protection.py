"""Devices that sets exclude, with reasons: medical, cold chain, animals, network, alarm, call (service.md, Protected
and risky).

Protected are the device itself, a socket, switch or pump named after it, and those in its room. UV lamps and the like
are protected from starting. The table is `data/protected.yaml`, one reason per row, shared by home dialogue and
retrieval.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

import msgspec

from context_retrieval.kind_table import kind_table
from context_retrieval.models import DeviceType
from context_retrieval.strict_yaml import parse_yaml
from context_retrieval.text import normalise
from context_retrieval.verbs import verb_table
from zhtext.remembering import remembered

__all__ = ["Protection", "protection_by", "protection_table", "read_protection"]

_CARRYING = frozenset(
    {DeviceType.UNKNOWN, DeviceType.SMART_PLUG, DeviceType.SWITCH, DeviceType.HUB, DeviceType.CHARGER}
)
"""Types of things that may be, or feed, anything: what they are named for counts."""
_LATIN = re.compile(r"[a-z ]+")
_LETTERS = re.compile(r"[a-z]+")


class Protection(msgspec.Struct, frozen=True):
    """One row of the table: its key, the reason as it is told (Chinese), and whether it is starting the thing that does
    harm, not stopping it."""

    key: str
    reason: str
    starting: bool = False

    def is_of(self, action: str) -> bool:
        """Whether the thing is protected from this act, a verb of the protocol."""
        return not (self.starting and action in verb_table().ending)


class _ProtectedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: str
    words: tuple[str, ...]
    starting: bool = False
    always: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()


class _ProtectionPatterns(msgspec.Struct, frozen=True):
    protection: Protection
    words: re.Pattern[str]
    always: re.Pattern[str] | None
    models: re.Pattern[str] | None
    rooms: re.Pattern[str] | None


def protection_by(
    names: Iterable[str], kind_type: DeviceType, *, described_as: str = "", describe: str = "", room: str = ""
) -> Protection | None:
    """Why a thing is protected; None when it is not.

    `names` are what it is called and the plain words of its kind, `described_as` what its description calls it,
    `describe` all that its model says.
    """
    return _protection((*names, described_as), kind_type, describe, room)


@lru_cache(maxsize=2048)
def _protection(names: tuple[str, ...], kind_type: DeviceType, describe: str, room: str) -> Protection | None:
    text = "|".join(_form(name) for name in names if name)
    said, place = _form(describe), _form(room)
    carrying = kind_type in _CARRYING
    for row in protection_table():
        if row.always is not None and row.always.search(text):
            return row.protection
        if carrying and (row.words.search(text) or _found(row.models, said) or _found(row.rooms, place)):
            return row.protection
    return None


def _found(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None


@remembered(1024, longest=500)
def _form(text: str) -> str:
    """The normal form; Latin words keep their bounds, so that `nas` is not found in `banaste`."""
    latin = " ".join(_LETTERS.findall(text.lower()))
    return f"{normalise(text)} | {latin} "


@cache
def protection_table() -> tuple[_ProtectionPatterns, ...]:
    """The table of the package's own data. Raises ValueError naming file and key when the data is inconsistent."""
    source = resources.files("context_retrieval").joinpath("data", "protected.yaml")
    data = parse_yaml(source.read_text(encoding="utf-8"))
    return read_protection(data, "protected.yaml", kind_table().words_protected())


def read_protection(
    data: Any, name: str, of_kinds: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> tuple[_ProtectionPatterns, ...]:
    """A validated table; `of_kinds` are the words of protected kinds by row. Raises ValueError for unknown keys, a row
    without a reason or without words, and for kinds of a row that is not there."""
    try:
        rows = msgspec.convert(data, dict[str, _ProtectedRow])
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from error
    if unknown := of_kinds.keys() - rows.keys():
        raise ValueError(f"kinds.yaml: protected: no such rows in {name}: {sorted(unknown)}")
    for key, row in rows.items():
        if not row.reason or not row.words:
            raise ValueError(f"{name}: {key}: a row needs a reason and words")
    return tuple(
        _ProtectionPatterns(
            Protection(key, row.reason, row.starting),
            _required((*row.words, *of_kinds.get(key, ()))),
            _any(row.always),
            _any(row.models),
            _any(row.rooms),
        )
        for key, row in rows.items()
    )


def _any(words: tuple[str, ...]) -> re.Pattern[str] | None:
    return _required(words) if words else None


def _required(words: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for the words, the Latin ones between blanks."""
    latin = [f"(?<= ){word.lower()}s?(?= )" for word in words if _LATIN.fullmatch(word.lower())]
    return re.compile(
        "|".join([*latin, *(re.escape(normalise(word)) for word in words if not _LATIN.fullmatch(word.lower()))])
    )
