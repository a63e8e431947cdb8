"""Whatever a turn asks for leaves a trace in its reply (hospital.md, Per turn): done, noted, asked back, or
named as not understood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tingdong.front_desk.model import UNKNOWN_AGENT, Segment
from tingdong.front_desk.pieces import overlaps
from tingdong.front_desk.placing import Placing

__all__ = ["untold"]

_SAME = 4
"""Characters of a clause by which a reply speaks of it."""


def untold(placing: Placing, replies: Sequence[str]) -> Iterator[Segment]:
    """The clauses that ask or wish something, of which neither a task nor one of the `replies` speaks."""
    said = "".join(replies)
    board, reading = placing.board, placing.reading
    done = [(cue.start, cue.end) for cue in reading.cues] + placing.settled
    for segment, agent in zip(reading.segments, placing.agents, strict=True):
        inside = [one for one in reading.asked if overlaps(one.start, one.end, [(segment.start, segment.end)])]
        same = [one for one in inside if one.agent_code == agent or board.same_group(one.agent_code, agent)]
        if len(same) == 1 or not board.domain.in_words(agent):
            done += [(one.start, one.end) for one in same]
    told = {value for values in placing.board.told.values() for value in values.values() if value}
    for one in reading.asked:
        unheld = one.agent_code == UNKNOWN_AGENT
        if (unheld or not overlaps(one.start, one.end, done)) and not _is_spoken_of(one, said, told, whole=unheld):
            yield one


def _is_spoken_of(asked: Segment, said: str, told: set[str], *, whole: bool) -> bool:
    """Whether a reply names what a clause names, or its words; the `whole` of it where no task holds what it wishes."""
    if whole:
        return asked.text in said
    named = any(one.text in said or one.value in told for one in asked.mentions)
    words = asked.text
    return named or any(words[at : at + _SAME] in said for at in range(max(1, len(words) - _SAME + 1)))
