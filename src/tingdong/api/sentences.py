"""One sentence and nothing else (commands.md)."""

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tingdong.bootstrap import take_words
from tingdong.commands.reading import Reading
from tingdong.reader import SentenceReader, sentence_reader

__all__ = ["aparse", "parse", "use_words"]


def use_words(folder: str | Path) -> int:
    """Takes words of your own for this process, and says how many (docs/own-words.md); call it before anything else.

    Raises `DataError`, which names file and word.
    """
    return take_words(Path(folder))


def parse(text: str, *, alternatives: Sequence[str] = ()) -> Reading:
    """The commands of a sentence (commands.md), with confidence and reason.

    `commands` is empty if nothing is requested; never raises. Uses the learned reader like `tingdong parse`.
    `alternatives` are the recogniser's other results, best first; the first eight count.
    """
    return _reader().read(text, None, tuple(alternatives))


async def aparse(text: str, *, alternatives: Sequence[str] = ()) -> Reading:
    """`parse`, in a thread of its own."""
    return await asyncio.to_thread(parse, text, alternatives=alternatives)


@cache
def _reader() -> SentenceReader:
    return sentence_reader()
