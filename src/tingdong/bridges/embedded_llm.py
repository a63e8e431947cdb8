"""The reader of the package as retrieval's `llm`: no model server, no key, some milliseconds (retrieval.md, Calls).

It reads as `tingdong parse` and the service do. It knows the catalog's own names and rooms, which win over the words of
its lexicon (老伙计, 大白).
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
        """What the parser understood; UNKNOWN falls through a `Chain` to whoever is asked next."""
        return self._parser.read(text, self._names)
