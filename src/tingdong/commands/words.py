"""The flat table of everything the local parser knows by sight: surface form → word."""

from functools import cache

from context_retrieval.lexicon import Lexicon, default_lexicon
from tingdong.commands.word_forms import compose
from tingdong.commands.word_kinds import Kind, Word

__all__ = ["Kind", "Word", "WordTable", "default_words"]


class WordTable:
    """Forms and, by their first two characters, the lengths they have. Immutable after `build`."""

    __slots__ = ("forms", "lengths", "lexicon")

    def __init__(self, lexicon: Lexicon, forms: dict[str, Word]) -> None:
        self.lexicon = lexicon
        self.forms = forms
        lengths: dict[str, set[int]] = {}
        for form in forms:
            if len(form) > 1:
                lengths.setdefault(form[:2], set()).add(len(form))
        self.lengths = {start: tuple(sorted(found)) for start, found in lengths.items()}

    @classmethod
    def build(cls, lexicon: Lexicon) -> "WordTable":
        """The table of a lexicon."""
        return cls(lexicon, compose(lexicon))


@cache
def default_words() -> WordTable:
    """The table of the shipped vocabulary."""
    return WordTable.build(default_lexicon())
