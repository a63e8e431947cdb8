"""Files given on the command line; errors name the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tingdong.errors import BadHome, DataError

__all__ = ["fault_of", "read_file"]


def read_file(path: Path) -> bytes:
    """The bytes of the file. Raises `DataError`: path and reason."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error


@contextmanager
def fault_of(path: Path | None) -> Iterator[None]:
    """A `BadHome` raised inside is raised with the file before its message; `path` stays the place in the home."""
    try:
        yield
    except BadHome as error:
        raise error if path is None else BadHome(f"{path}: {error}", path=error.path) from error
