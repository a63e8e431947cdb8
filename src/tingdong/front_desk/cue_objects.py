"""Which open tasks a cue refers to: by its own words, else by those before it (hospital.md, Segments, Frames)."""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.front_desk.model import Cue, CueKind, Segment, TaskFrame
from tingdong.front_desk.naming import HINT, Found, TaskWords, names_task, of_cue, which, would_be
from tingdong.front_desk.placing import Placing

__all__ = ["apart", "by_own_words", "candidates", "named_by", "overlap"]

_BEFORE = 0.3
"""What words before a cue must say of a task, beyond hinting at its agent, to name it."""
_ACTING = frozenset(
    {
        CueKind.CANCEL,
        CueKind.CANCEL_ALL,
        CueKind.REFUSE,
        CueKind.COMPLETE,
        CueKind.ALL_DONE,
        CueKind.PUT_OFF,
    }
)
"""Cues that end a task or put it off."""


def named_by(placing: Placing, cue: Cue) -> Found:
    """The open frames that a cue names: by its own words, else by those before it. Where it only hints at agents, the
    focus of one of them is meant."""
    found = by_own_words(placing, cue)
    if found.best is not None and not found.hinted:
        return found
    frames = list(found.rivals) or candidates(placing, cue)
    told = which(placing.board.domain, frames, _before(placing, cue))
    if told.best is not None and told.score >= _BEFORE + (HINT if found.best is not None else 0.0):
        return told
    focus = placing.board.standing_focus()
    return found._replace(best=focus, rivals=(focus,)) if focus is not None and focus in found.rivals else found


def by_own_words(placing: Placing, cue: Cue) -> Found:
    """The open frames that the words of a cue name."""
    told = [one for segment in placing.reading.segments if overlap(cue, segment) for one in segment.mentions]
    said = of_cue(cue, told)
    return which(placing.board.domain, candidates(placing, cue), said, only_hinted=not cue.about)


def apart(frames: Sequence[TaskFrame]) -> list[TaskFrame]:
    """Tasks that something tells apart: two questions about parking are one to whoever asked them."""
    known: list[TaskFrame] = []
    for frame in frames:
        if not any((frame.agent_code, frame.slots) == (one.agent_code, one.slots) for one in known):
            known.append(frame)
    return known


def candidates(placing: Placing, cue: Cue) -> list[TaskFrame]:
    """Open frames, focuses first; of a refusal that names something only those that it would be, else those that are
    about words of their own."""
    board = placing.board
    frames = sorted(board.open(), key=lambda frame: board.focus(frame.lane) != frame)
    if not names_task(cue):
        return frames
    meant = [frame for frame in frames if would_be(board.domain, frame, cue)]
    told = cue.kind is CueKind.CANCEL and not meant
    return [frame for frame in frames if board.domain.in_words(frame.agent_code)] if told else meant


def _before(placing: Placing, cue: Cue) -> TaskWords:
    """The words of the turn before a cue, up to the cue before it, if the cue itself names nothing."""
    if cue.about or names_task(cue):
        return TaskWords("")
    acting = [other for other in placing.reading.cues if other.kind in _ACTING]
    start = max((other.end for other in acting if other.end <= cue.start), default=0)
    told = [one for segment in placing.reading.segments if segment.start >= start for one in segment.mentions]
    named = [one for one in told if one.end <= cue.start]
    return TaskWords(placing.reading.text[start : cue.start], named, cue.agents)


def overlap(cue: Cue, segment: Segment) -> bool:
    """Whether a cue and a segment share words."""
    return cue.start < segment.end and segment.start < cue.end
