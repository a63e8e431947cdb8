"""The embedded parser as retrieval's `llm`: no server, no key, some milliseconds (retrieval.md, Calls).

It reads like `tingdong parse` and the service. Names and rooms of the catalog take precedence over the lexicon (老伙计,
大白).
"""

from context_retrieval.catalog import Catalog
from tingdong.commands.reading import Reading
from tingdong.reader import sentence_reader
from tingdong.service.listed import names_of

__all__ = ["EmbeddedLLM"]


class EmbeddedLLM:
    """`EmbeddedLLM(catalog)` in place of a language model, for `retrieve`."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._parser = sentence_reader()
        self._names = names_of(catalog) if catalog is not None else None

    def parse(self, text: str) -> Reading:
        """The parser's reading; after UNKNOWN a `Chain` asks the next client."""
        return self._parser.read(text, self._names)
