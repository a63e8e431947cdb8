"""`tingdong convert`: a platform's document in, a home out; with instructs, the platform's calls out."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from tingdong.bridges.converting import Platform, convert
from tingdong.errors import DataError

__all__ = ["convert_file"]


def convert_file(platform: str, document: Path, instructs: Path | None) -> None:
    """Print the home, or the calls for `instructs`, as JSON. `-` is standard input. Raises `DataError`, `BadHome`."""
    converted = convert(Platform(platform), _read(document))
    answer: Any = converted.home
    if instructs is not None:
        given = _read(instructs)
        if not isinstance(given, list) or not all(_is_instruct(one) for one in given):
            raise DataError(f"{instructs}: expected a list of instructs")
        answer = converted.calls([{"state": {}, **one} for one in given])
    print(msgspec.json.format(msgspec.json.encode(answer), indent=2).decode())


def _is_instruct(given: Any) -> bool:
    return isinstance(given, dict) and "id" in given and isinstance(given.get("state", {}), dict)


def _read(path: Path) -> Any:
    try:
        return msgspec.json.decode(sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(f"{path}: {error}") from error
