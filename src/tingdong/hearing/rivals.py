"""What is nearly as probable as what was understood: whether it would do something else is for whoever reads."""

from collections.abc import Sequence

from tingdong.hearing.names import Spoken
from tingdong.hearing.search import Edit, costs, with_edits
from tingdong.hearing.signs import CHANCES, START, symbol

__all__ = ["CLOSE", "MOST_RIVALS", "rivals_of"]

CLOSE = 2.0
"""How much less probable another text has to be, not to be a rival."""
MOST_RIVALS = 2
"""Rivals that are told."""
REACH = 3
"""Characters whose probability hangs on one of them: itself, and the two after it."""


def rivals_of(said: str, made: Sequence[Edit], spoken: Spoken) -> tuple[str, ...]:
    """Other texts that were nearly as probably said, the nearest first: in each, one of the edits made is another."""
    found: list[tuple[float, str]] = []
    for place, edit in enumerate(made):
        if len(edit.said) != 1:
            continue
        before, after = made[:place], made[place + 1 :]
        text = with_edits(said, made)
        at = edit.at + sum(len(one.said) - 1 for one in before)
        best = _around(text, at, spoken) - edit.cost
        row = spoken.row(_context(text, at))
        for other, sign, cost in spoken.sounds.candidates(said[edit.at]):
            if other == edit.said or row.of(sign) - CHANCES.get(sign, 0.0) - cost < best - CLOSE:
                continue
            rival = with_edits(said, [*before, Edit(edit.at, other, cost), *after])
            less = best - (_around(rival, at, spoken) - cost)
            if less < CLOSE:
                found.append((less, rival))
    return tuple(rival for _, rival in sorted(found)[:MOST_RIVALS])


def _context(text: str, at: int) -> str:
    return "".join(map(symbol, (START + START + text[:at])[-2:]))


def _around(text: str, at: int, spoken: Spoken) -> float:
    """log P of the characters at a place that hang on it."""
    begin = max(0, at - 2)
    found = costs(text[begin : at + REACH], spoken, _context(text, begin), ends=at + REACH > len(text))
    return sum(found[at - begin :])
