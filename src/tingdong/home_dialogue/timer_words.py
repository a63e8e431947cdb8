"""Words for timers of a page (`data/timers.yaml`; service.md, Timers fire at the client)."""

from functools import cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table
from tingdong.home_dialogue.situation import Situation
from zhtext.quantities import QuantityKind, find_quantities
from zhtext.remembering import remembered

__all__ = ["TimerWords", "says_length", "speaks_of_timers", "timer_words"]


class TimerWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`timers.yaml`."""

    nouns: tuple[str, ...]
    also_nouns: tuple[str, ...]
    hastens: tuple[str, ...]
    later: tuple[str, ...]
    sooner: tuple[str, ...]
    cancels: tuple[str, ...]
    weak_cancels: tuple[str, ...]
    moves: tuple[str, ...]
    lists: tuple[str, ...]
    due: tuple[str, ...]
    next: tuple[str, ...]
    all: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    whether: tuple[str, ...]
    conditional: tuple[str, ...]
    only: tuple[str, ...]
    under: tuple[str, ...]
    over: tuple[str, ...]
    then: tuple[str, ...]


@cache
def timer_words() -> TimerWords:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "timers.yaml", TimerWords)


def speaks_of_timers(situation: Situation) -> bool:
    """Whether a word for a timer is said (定时, 闹钟)."""
    return situation.says(timer_words().nouns)


@remembered(1_024)
def says_length(text: str) -> bool:
    """Whether a length of time is said (半小时)."""
    return any(found.kind is QuantityKind.DURATION for found in find_quantities(text))
