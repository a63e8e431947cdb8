"""What the learned reader makes of a sentence, as a value; importing it needs no numpy."""

import msgspec

from context_retrieval.models import Command

__all__ = ["Guess"]


class Guess(msgspec.Struct, frozen=True):
    """What the network reads. `score` is log P(row), `worst` the probability of its least sure step.

    `doubt` is log P(row) by the network of the ensemble that believes least in it.
    """

    commands: tuple[Command, ...]
    score: float
    worst: float
    doubt: float
