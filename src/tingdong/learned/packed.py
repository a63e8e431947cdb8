"""The file of a learned model: a head (labels, features, sizes) and named arrays, packed and compressed.

The bytes are zlib over MessagePack: the form (which model it is), the head, and of each array its kind, shape and bytes
(little endian). `in_steps` makes signed bytes of a matrix, for a quarter of its size.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from tingdong.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Arrays", "NamedFeatures", "in_steps", "pack", "read", "unpack"]

Head = TypeVar("Head")

STEP = ".step"
"""What the name of a matrix in steps is followed by where the size of the steps lies."""
STEPS = 127
"""Steps of the largest number of a row, to either side."""
_KINDS = frozenset(("|i1", "|u1", "<f4", "<f8"))


class NamedFeatures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The head of a model that knows features by their name."""

    labels: tuple[str, ...]
    features: tuple[str, ...]


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    kind: str
    shape: tuple[int, ...]
    raw: bytes


class _PackedFile(msgspec.Struct, frozen=True):
    form: str
    head: msgspec.Raw
    arrays: dict[str, _Stored]


class Arrays(NamedTuple):
    """The arrays of a file."""

    name: str
    stored: Mapping[str, _Stored]

    def take(self, name: str, *shape: int) -> NDArray[Any]:
        """An array of a given shape (-1: any size). Raises `DataError` when it is not there, or has another shape."""
        import numpy as np

        found = self.stored.get(name)
        if found is None or len(found.shape) != len(shape):
            raise _broken(self.name, f"array {name!r} with {len(shape)} dimensions is missing")
        if any(wanted not in (-1, size) for wanted, size in zip(shape, found.shape, strict=True)):
            raise _broken(self.name, f"array {name!r} has the shape {found.shape}")
        return np.frombuffer(found.raw, found.kind).reshape(found.shape)

    def scaled(self, name: str, *shape: int) -> NDArray[np.float32]:
        """A matrix that was stored in steps (`in_steps`)."""
        import numpy as np

        step = self.take(name + STEP, -1, *[1] * (len(shape) - 1))
        return np.asarray(self.take(name, *shape) * step, np.float32)


def in_steps(name: str, matrix: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """The rows (along the first axis) as signed bytes, and how large a step of each row is."""
    import numpy as np

    largest = np.abs(matrix).max(axis=tuple(range(1, matrix.ndim)), keepdims=True)
    step = np.maximum(largest / STEPS, np.finfo(np.float32).tiny).astype(np.float32)
    return {name: np.rint(matrix / step).astype(np.int8), name + STEP: step}


def pack(form: str, head: object, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a file; the same parts give the same bytes."""
    stored = {name: _Stored(_kind(array), array.shape, _little(array).tobytes()) for name, array in arrays.items()}
    told = _PackedFile(form, msgspec.Raw(msgspec.msgpack.encode(head)), stored)
    return zlib.compress(msgspec.msgpack.encode(told), 9)


def read(path: Path) -> bytes:
    """The bytes of a file. Raises `DataError`, which says its name, when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _broken(path.name, str(error)) from error


def unpack(raw: bytes, form: str, head: type[Head], *, name: str) -> tuple[Head, Arrays]:
    """Head and arrays of a file. Raises `DataError`, which says `name`, when the bytes are none of that form."""
    try:
        file = msgspec.msgpack.decode(_inflated(raw), type=_PackedFile)
        found = msgspec.msgpack.decode(file.head, type=head)
    except (zlib.error, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _broken(name, str(error)) from error
    if file.form != form:
        raise _broken(name, f"expected {form}, got {file.form}")
    for key, array in file.arrays.items():
        if array.kind not in _KINDS or len(array.raw) != int(array.kind[2:]) * prod(array.shape):
            raise _broken(name, f"array {key!r} does not fit its description")
    return found, Arrays(name, file.arrays)


def _inflated(raw: bytes) -> bytes:
    """The bytes of one whole stream. Raises `ValueError` where it is truncated, or followed by other bytes."""
    stream = zlib.decompressobj()
    found = stream.decompress(raw)
    if not stream.eof or stream.unused_data:
        raise ValueError("truncated, or followed by other bytes")
    return found


def _little(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(_kind(array))


def _kind(array: NDArray[Any]) -> str:
    return str(array.dtype.newbyteorder("<").str)


def _broken(name: str, why: str) -> DataError:
    return DataError(f"{name}: not a model file: {why}", path=name)
