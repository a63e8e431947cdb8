"""Words for the halves of a day (`data/day_words.yaml`): a clock time beside one of them is meant as it is said."""

from functools import cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table

__all__ = ["DayWords", "day_words"]


class DayWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`day_words.yaml`."""

    halves: tuple[str, ...]


@cache
def day_words() -> DayWords:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "day_words.yaml", DayWords)
