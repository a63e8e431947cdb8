"""The table of all known forms: surface form → word."""

from functools import cache

from context_retrieval.lexicon import Lexicon, default_lexicon
from tingdong.commands.word_forms import compose
from tingdong.commands.word_kinds import Kind, Word

__all__ = ["Kind", "Word", "WordTable", "default_words"]


class WordTable:
    """Forms and, by their first two characters, the lengths they have. Immutable after `build`."""

    __slots__ = ("forms", "lengths", "lexicon")

    def __init__(self, lexicon: Lexicon, forms: dict[str, Word]) -> None:
        self.lexicon: Lexicon = lexicon
        self.forms: dict[str, Word] = forms
        masks: dict[str, int] = {}
        bits = [1 << length for length in range(1 + max(map(len, forms), default=0))]
        masked = masks.get
        for form in forms:
            start = form[:2]
            masks[start] = masked(start, 0) | bits[len(form)]
        lengths = {mask: tuple(n for n in range(2, mask.bit_length()) if mask >> n & 1) for mask in set(masks.values())}
        self.lengths: dict[str, tuple[int, ...]] = {start: lengths[mask] for start, mask in masks.items()}

    @classmethod
    def build(cls, lexicon: Lexicon) -> "WordTable":
        """The table of a lexicon."""
        return cls(lexicon, compose(lexicon))


@cache
def default_words() -> WordTable:
    """The table of the shipped vocabulary."""
    return WordTable.build(default_lexicon())
