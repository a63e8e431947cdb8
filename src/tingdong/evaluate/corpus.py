"""Labelled sets: JSONL files of cases with an id, tags and the expected result (docs/evaluation.md, Adding cases).

A case is counted under its first tag (`tags[0]`). `accept` lists other correct answers, or overlays of the answer. A
set named `*_aside`, `*_check` or `*_third` is closed: scored, never shown.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tingdong.errors import DataError

__all__ = ["Case", "Overlay", "is_closed", "load", "overlays"]

CLOSED_ENDINGS = ("_aside", "_check", "_third")

Overlay = Mapping[str, Any]


class Case(msgspec.Struct, frozen=True):
    """One labelled line: `raw` is the line as written, `tag` its leading tag ("-" when it has none)."""

    id: str
    tags: tuple[str, ...]
    raw: Mapping[str, Any]

    @property
    def tag(self) -> str:
        """The leading tag; `-` without one."""
        return self.tags[0] if self.tags else "-"


def is_closed(path: Path) -> bool:
    """Whether the set may be scored only: its sentences and failures stay unseen."""
    return path.stem.endswith(CLOSED_ENDINGS)


def load(path: Path) -> tuple[Case, ...]:
    """Every case of the file. Raises `DataError` naming file and line when a line is no object with an `id`."""
    return tuple(_cases(path))


def _cases(path: Path) -> Iterator[Case]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            raw = msgspec.json.decode(line, type=dict[str, Any])
            yield Case(str(raw["id"]), tuple(raw.get("tags", ())), raw)
        except (msgspec.DecodeError, KeyError, TypeError) as error:
            raise DataError(f"{path.name}:{number}: not a labelled case: {error!r}") from error


def overlays(gold: Overlay) -> Iterator[dict[str, Any]]:
    """The expected answer, then each `accept` overlay applied to it."""
    first = {key: value for key, value in gold.items() if key != "accept"}
    yield first
    for accepted in gold.get("accept") or ():
        yield {**first, **accepted}
