"""Logs of sentences: JSON lines in, JSON lines out, the same function on one machine and on many (docs/cli.md).

A line that cannot be read is answered `{"id": …, "error": "…"}` (`id` null when it has none) and the rest goes on.
"""

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec

from context_retrieval.protocol import or_unknown
from tingdong.errors import TingDongError
from tingdong.hearing.offered import MOST_OFFERED
from tingdong.reader import SentenceReader, sentence_reader

__all__ = ["Answer", "ParseLine", "answer_each", "parse_batch", "parse_line", "parser"]

Answer = dict[str, Any]
Line = TypeVar("Line", bound=msgspec.Struct)


class ParseLine(msgspec.Struct):
    """A line of `tingdong parse --jsonl`; unknown fields are ignored.

    `alternatives` are what else a recogniser offers for the text, the best first.
    """

    text: str
    id: Any = None
    alternatives: Annotated[tuple[str, ...], msgspec.Meta(max_length=MOST_OFFERED)] = ()


def answer_each(
    lines: Iterable[bytes], kind: type[Line], answer: Callable[[Line], Answer]
) -> Iterator[tuple[bytes, bool]]:
    """The answer to each line that is not blank, as JSON, and whether the line could be answered."""
    decoder = msgspec.json.Decoder(kind)
    for raw in lines:
        if not raw.strip():
            continue
        try:
            yield msgspec.json.encode(answer(decoder.decode(raw))), True
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TingDongError) as error:
            yield _failure(raw, str(error)), False
        except Exception as error:  # noqa: BLE001  a fault of ours in one line must not cost the others
            traceback.print_exc(file=sys.stderr)
            yield _failure(raw, f"internal: {type(error).__name__}"), False


def parse_batch(lines: Iterable[bytes]) -> list[tuple[bytes, bool]]:
    """The answers to lines of `ParseLine`, and whether each could be read; blank lines have none."""
    return list(answer_each(lines, ParseLine, parse_line))


def parse_line(line: ParseLine) -> Answer:
    """The command array of one line with the embedded parser (commands.md), how sure, and which tier read it."""
    reading = parser().read(line.text, None, line.alternatives)
    return {
        "id": line.id,
        "commands": [str(command) for command in or_unknown(reading.commands)],
        "confidence": round(reading.confidence, 4),
        "tier": reading.tier,
    }


@cache
def parser() -> SentenceReader:
    """The rules and the learned reader of this process."""
    return sentence_reader()


def _failure(raw: bytes, error: str) -> bytes:
    return msgspec.json.encode({"id": _id_of(raw), "error": error})


def _id_of(raw: bytes) -> Any:
    """The `id` of a line that could not be answered, None when it has none."""
    try:
        value = msgspec.json.decode(raw.decode(errors="replace"))
    except (msgspec.DecodeError, RecursionError):
        return None
    return value.get("id") if isinstance(value, dict) else None
