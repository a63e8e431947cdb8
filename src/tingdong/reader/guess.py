"""The learned reader's result as a value; importing it needs no numpy."""

import msgspec

from context_retrieval.models import Command

__all__ = ["Guess"]


class Guess(msgspec.Struct, frozen=True):
    """What the network reads. `score` is log P of all its choices, `worst` the probability of the least sure one.

    `fits` is how likely it is by the mood of the sentence alone that something is asked, where there are commands, or
    nothing, where there are none; `mood` the likeliest mood (`slots.MOODS`).
    """

    commands: tuple[Command, ...]
    score: float
    worst: float
    fits: float
    mood: str = ""
