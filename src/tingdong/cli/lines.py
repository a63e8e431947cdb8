"""JSON lines in, JSON lines out, in the same order.

A line that cannot be read is answered `{"id": …, "error": "…"}` (`id` null when it has none) and the rest goes on;
whoever calls learns of it at the end.
"""

import sys
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from tingdong.errors import TingDongError

__all__ = ["Answer", "HospitalLine", "ParseLine", "RetrieveLine", "answer_lines"]

Answer = dict[str, Any]
Line = TypeVar("Line", bound=msgspec.Struct)


class ParseLine(msgspec.Struct):
    """A line of `tingdong parse --jsonl`; unknown fields are ignored, here and below."""

    text: str
    id: Any = None


class RetrieveLine(msgspec.Struct):
    """A line of `tingdong retrieve --jsonl`: `before` are earlier utterances of the same conversation."""

    text: str
    id: Any = None
    location: str | None = None
    before: tuple[str, ...] = ()


class HospitalLine(msgspec.Struct):
    """A line of `tingdong route --jsonl`: a dialogue, whose dates are read against `now` (ISO 8601)."""

    turns: list[dict[str, Any]]
    id: Any = None
    now: str | None = None


def answer_lines(kind: type[Line], answer: Callable[[Line], Answer]) -> bool:
    """Answer every line of standard input; False when a line could not be answered."""
    good = True
    decoder = msgspec.json.Decoder(kind)
    for raw in sys.stdin.buffer:
        if not raw.strip():
            continue
        try:
            result = answer(decoder.decode(raw))
        except (msgspec.DecodeError, TingDongError) as error:
            result, good = {"id": _id_of(raw), "error": str(error)}, False
        except Exception as error:  # noqa: BLE001  a fault of ours in one line must not cost the others
            traceback.print_exc(file=sys.stderr)
            result, good = {"id": _id_of(raw), "error": f"internal: {type(error).__name__}"}, False
        sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")
        sys.stdout.buffer.flush()
    return good


def _id_of(raw: bytes) -> Any:
    """The `id` of a line that could not be answered, None when it has none."""
    try:
        value = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return None
    return value.get("id") if isinstance(value, dict) else None
