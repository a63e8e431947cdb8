"""The slowest turn that a search finds stays near a usual one (service.md, Limits): one text stops nobody else."""

import pytest
from bench.slowest import FOUND, said
from bench.worst import front_desk, home_desk, measured

MOST = {1_000: 60.0, 2_000: 100.0}
"""Characters → usual turns, with room for a machine that is busy otherwise; `python -m bench.worst` asks for 50."""


@pytest.mark.slow
@pytest.mark.parametrize("desk", ["home", "front desk"])
def test_no_text_takes_too_long(desk: str) -> None:
    """What searches found stays mended: work grows with the length of a text."""
    turn, questions = home_desk() if desk == "home" else front_desk()
    for text in map(said, ([one] for one in FOUND[desk])):
        for size, most in MOST.items():
            usual, seconds = measured(turn, questions, text[:size])
            assert seconds <= most * usual, text[:60]
