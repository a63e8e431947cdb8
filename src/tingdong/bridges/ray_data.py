"""Logs that outgrow one machine: `tingdong parse --jsonl` as a Ray Data transform (extra `ray`; docs/cli.md).

Lines in, answers out, by the very function of the command line. Ray itself is not imported here: it calls.
"""

from typing import Any

from tingdong.batch import parse_batch

__all__ = ["ParseLines"]


class ParseLines:
    """For `Dataset.map_batches`: each worker makes one, and with it one parser.

    A batch's column `text` holds JSON lines as `tingdong parse --jsonl` reads them; the answer has the column `answer`,
    a JSON line each, in the same order. A blank line has no answer, and one that cannot be read an `error`.
    """

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The answers to a batch's lines."""
        lines = [text if isinstance(text, bytes) else str(text).encode() for text in batch["text"]]
        return {"answer": [answer.decode() for answer, _ in parse_batch(lines)]}
