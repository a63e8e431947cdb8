"""`tingdong convert`: a platform's document in, a home out; with instructs, the platform's calls out."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from tingdong.bridges.automations import automations_of
from tingdong.bridges.converting import Platform, convert
from tingdong.cli.files import fault_of, read_file
from tingdong.errors import DataError

__all__ = ["convert_file"]


def convert_file(platform: str, document: Path, instructs: Path | None, scheduled: Path | None = None) -> None:
    """Print the home, the calls for `instructs`, or automations for `scheduled`, as JSON; `-` is standard input.

    What cannot be an automation is told on standard error. Raises `DataError`, `BadHome`.
    """
    given = _read(document)
    with fault_of(document):
        converted = convert(Platform(platform), given)
    answer: Any = converted.home
    if instructs is not None:
        answer = converted.calls(_instructs(instructs))
    elif scheduled is not None:
        made = automations_of(converted, _instructs(scheduled))
        answer = made.automations
        for one in made.cannot:
            print(f"{one['id']} {one['when']}: {one['reason']}", file=sys.stderr)
    print(msgspec.json.format(msgspec.json.encode(answer), indent=2).decode())


def _instructs(path: Path) -> list[dict[str, Any]]:
    given = _read(path)
    if not isinstance(given, list) or not all(_is_instruct(one) for one in given):
        raise DataError(f"{path}: expected a list of instructs")
    return [{"state": {}, **one} for one in given]


def _is_instruct(given: Any) -> bool:
    return isinstance(given, dict) and "id" in given and isinstance(given.get("state", {}), dict)


def _read(path: Path) -> Any:
    try:
        return msgspec.json.decode(sys.stdin.buffer.read() if str(path) == "-" else read_file(path))
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(f"{path}: {error}") from error
