"""The learned function of each clause, from labelled turns (service.md, Dialogue; `make train-turns`).

`functions.bin` is a chain over the clauses (`learned.chain`), `clause_ends.bin` a linear model of clause ends without a
pause. Both are loaded on the first turn. They only remove requests and never make one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tingdong.commands.reading import Mention
from tingdong.home_dialogue.function_signs import Ends, Facts, clauses, ending, signs, symbols
from tingdong.learned import chain, statistics

__all__ = ["CLAUSE_ENDS", "MODEL", "Function", "ToldClause", "functions_of"]

MODEL = Path(__file__).parent / "data" / "functions.bin"
CLAUSE_ENDS = Path(__file__).parent / "data" / "clause_ends.bin"
END, INSIDE = "end", "inside"
"""Labels of places by where a clause ends."""


class Function(StrEnum):
    """The function of a clause in its turn."""

    ORDER = "order"
    ASK = "ask"  # a state, time left, an ability, what was done
    TELL = "tell"  # background, a reason, somebody else's words, praise, chat
    WISH = "wish"  # a complaint or a state of affairs that asks for something
    REFUSE = "refuse"  # what is not to be done, or left as it is
    CORRECT = "correct"  # puts right what was just done or said
    ANSWER = "answer"  # to our question, or completes our last act
    UNDO = "undo"
    TIMER = "timer"  # changes, takes back or asks about a timer
    COURTESY = "courtesy"


class ToldClause(NamedTuple):
    """A clause at `[start, end)` of the turn, and the chance of each function."""

    start: int
    end: int
    chances: Mapping[str, float]

    @property
    def function(self) -> Function:
        """The likeliest function."""
        return Function(max(self.chances, key=lambda name: self.chances[name]))

    def chance(self, *functions: Function) -> float:
        """How likely it does one of these."""
        return sum(self.chances[one] for one in functions)


def functions_of(text: str, mentions: tuple[Mention, ...], facts: Facts) -> tuple[ToldClause, ...]:
    """The clauses of a turn with their functions; empty for an empty text."""
    parts = clauses(text, symbols(text, mentions), _ends())
    if not parts:
        return ()
    read = _chain().read(signs(parts, mentions, facts))
    return tuple(
        ToldClause(part[0].start, part[-1].end, chances) for part, (_, chances) in zip(parts, read, strict=True)
    )


@cache
def _chain() -> chain.LabelChain:
    return chain.load(MODEL)


@cache
def _ends() -> Ends:
    return ending(statistics.load(CLAUSE_ENDS).leanings(END, INSIDE))
