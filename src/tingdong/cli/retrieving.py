"""`tingdong retrieve`: an utterance and a home in, the fewest necessary entities out."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import typer

from tingdong.batch import Answer
from tingdong.cli.lines import RetrieveLine, answer_lines
from tingdong.errors import DataError
from tingdong.home.cache import ShapeCache, load_home
from tingdong.reader import sentence_reader
from tingdong.service.retrieval import HomeRetriever, RetrieveAnswer

__all__ = ["HomeFile", "retrieve_lines", "retrieve_sentences"]


class HomeFile:
    """A home read from a file once. Raises `DataError` when the file cannot be read, `BadHome` when it is no home."""

    def __init__(self, path: Path) -> None:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise DataError(f"{path}: {error.strerror}") from error
        self._shape = load_home(raw, ShapeCache()).shape
        self._retriever = HomeRetriever(sentence_reader())

    def retrieve(self, text: str, *, location: str | None = None, before: Sequence[str] = ()) -> RetrieveAnswer:
        """What `text` needs, said after `before` in the same conversation."""
        return self._retriever.within(self._shape, text, location=location, before=before)


def retrieve_lines(home: HomeFile) -> bool:
    """Answer lines of `RetrieveLine`; False when one could not be read."""

    def answer(line: RetrieveLine) -> Answer:
        found = home.retrieve(line.text, location=line.location, before=line.before)
        return {"id": line.id, "candidates": found.candidates, "hint": found.hint}

    return answer_lines(RetrieveLine, answer)


def retrieve_sentences(home: HomeFile, sentences: Iterable[str], location: str | None) -> None:
    """Print what each utterance needs, as JSON; they are one conversation."""
    before: list[str] = []
    for sentence in sentences:
        found = home.retrieve(sentence, location=location, before=before)
        typer.echo(msgspec.json.encode(found).decode())
        before.append(sentence)
