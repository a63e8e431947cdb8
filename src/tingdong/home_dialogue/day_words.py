"""Words for the halves of a day (`data/day_words.yaml`): a clock time beside one of them is meant as it is said."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from context_retrieval.models import QueryIR
from tingdong.home.vocabulary import read_table
from tingdong.home_dialogue.page import Page

__all__ = ["DayWords", "day_words", "in_the_afternoon"]


class DayWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`day_words.yaml`."""

    halves: tuple[str, ...]


@cache
def day_words() -> DayWords:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "day_words.yaml", DayWords)


def in_the_afternoon(page: Page, queries: Sequence[QueryIR]) -> bool:
    """那就六点半开: whether the last turn set the same for an hour in the afternoon."""
    last, acts = page.last, {one.action for one in queries}
    if last is None or last.turn != page.turn:
        return False
    clocks = [(one.when or "")[-5:-3] for one in last.queries if one.action in acts]
    return any(hour.isdigit() and int(hour) >= 12 for hour in clocks)
