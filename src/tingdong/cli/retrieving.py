"""`tingdong retrieve`: an utterance and a home in, the fewest necessary entities out, or the YAML for a prompt."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from context_retrieval.injection import one_line
from tingdong.batch import Answer
from tingdong.cli.files import fault_of, read_file
from tingdong.cli.lines import RetrieveLine, answer_lines
from tingdong.reader import SentenceReader, sentence_reader
from tingdong.service.retrieval import HomeRetriever, RetrieveAnswer

__all__ = ["HomeFile", "retrieve_lines", "retrieve_sentences"]

MAX_HINT = 300


class HomeFile:
    """A home, or a list of retrieval's devices, read from a file once.

    Raises `DataError` when the file cannot be read, `BadHome` when it is neither.
    """

    def __init__(self, path: Path, reader: SentenceReader | None = None) -> None:
        raw = read_file(path)
        self._retriever = HomeRetriever(reader or sentence_reader())
        with fault_of(path):
            self._home = self._retriever.open(raw)

    def retrieve(
        self, text: str, *, location: str | None = None, before: Sequence[str] = (), explain: bool = False
    ) -> RetrieveAnswer:
        """The entities that `text` needs, after the utterances `before` in the same conversation."""
        return self._retriever.within(self._home, text, location=location, before=before, explain=explain)


def retrieve_lines(home: HomeFile, *, yaml: bool = False) -> bool:
    """Answer lines of `RetrieveLine`, with `yaml` on request; False when one could not be read."""

    def answer(line: RetrieveLine) -> Answer:
        found = home.retrieve(line.text, location=line.location, before=line.before, explain=yaml)
        told: Answer = {"id": line.id, "candidates": found.candidates, "hint": found.hint}
        return {**told, "yaml": found.yaml} if yaml else told

    return answer_lines(RetrieveLine, answer)


def retrieve_sentences(home: HomeFile, sentences: Iterable[str], location: str | None, *, yaml: bool = False) -> None:
    """Print what each utterance needs, as JSON, or as YAML documents with the hint; they are one conversation."""
    before: list[str] = []
    for sentence in sentences:
        found = home.retrieve(sentence, location=location, before=before, explain=yaml)
        if yaml:
            print(("---\n" if before else "") + _prompt(found), end="")
        else:
            print(msgspec.json.encode(found).decode())
        before.append(sentence)


def _prompt(found: RetrieveAnswer) -> str:
    """What goes into the agent's prompt (retrieval.md, Calls, step 4): the YAML, then the hint as a comment."""
    return str(found.yaml) + (f"\n# 提示：{one_line(found.hint, MAX_HINT)}\n" if found.hint else "")
