"""Labelled sentences as training sees them, and the words that variations are made with."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from context_retrieval.models import Command
from context_retrieval.protocol import decode
from context_retrieval.strict_yaml import parse_yaml

__all__ = ["Phrases", "Sample", "load", "phrases", "words_of"]

T = TypeVar("T")


class Sample(msgspec.Struct, frozen=True):
    """A sentence and the commands it asks for, none for UNKNOWN. `named`: its names are known as those of a home."""

    text: str
    commands: tuple[Command, ...]
    named: bool = False


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`phrases.yaml`; words separated by blanks are split."""

    rooms: tuple[str, ...]
    names: dict[str, tuple[str, ...]]
    scenes: tuple[str, ...]
    generic: dict[str, tuple[str, ...]]
    polite_before: tuple[str, ...]
    particles: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    joins: tuple[str, ...]
    refusals: tuple[str, ...]
    open_conditions: tuple[str, ...]
    told: tuple[str, ...]
    asked: tuple[str, ...]
    others: tuple[str, ...]
    urged: tuple[str, ...]
    contrasts: tuple[str, ...]
    who: tuple[str, ...]
    day: tuple[str, ...]
    event: tuple[str, ...]
    corrections: tuple[str, ...]
    cancels: tuple[str, ...]
    times: tuple[str, ...]
    conditions: tuple[str, ...]
    cities: tuple[str, ...]
    dates: tuple[str, ...]
    shows: tuple[str, ...]
    elsewhere: tuple[str, ...]


@cache
def phrases() -> Phrases:
    """The shipped words."""
    return words_of("phrases.yaml", Phrases)


def words_of(name: str, shape: type[T]) -> T:
    """A file of words beside this module; words separated by blanks are split."""
    text = resources.files("tingdong.reader.training").joinpath(name).read_text(encoding="utf-8")
    return msgspec.convert(_split(parse_yaml(text)), shape)


def _split(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _split(item) for key, item in value.items()}
    return value.split() if isinstance(value, str) else [item if isinstance(item, str) else str(item) for item in value]


def load(paths: Iterable[Path]) -> Iterator[Sample]:
    """The sentences of labelled sets, with their gold commands (`accept` is not trained on)."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                case = json.loads(line)
                found = decode(json.dumps(case["gold"], ensure_ascii=False)).commands
                yield Sample(case["text"], tuple(command for command in found if not command.is_unknown))
