"""Hypothetical cases in a turn: noted or asked about, and nothing changes (hospital.md, Segments, Ops; `settled`)."""

from __future__ import annotations

import msgspec

from tingdong.front_desk.align import fitting_slots
from tingdong.front_desk.model import UNKNOWN_AGENT, CueKind, Segment, TurnType
from tingdong.front_desk.pieces import is_mostly_in, overlaps
from tingdong.front_desk.placing import Placing, Unsure
from tingdong.front_desk.settled import Settled

__all__ = ["ask_of_stopped", "is_left_over", "set_aside"]

_SURE = 0.5
"""Confidence from which a question needs no word that asks."""


def set_aside(placing: Placing, settled: Settled) -> None:
    """What is said of a case that may come neither changes nor ends what is open, nor takes its place
    (要是他不出诊，那就换王五医生); it may answer what a task misses."""
    board, grouped = placing.board, placing.board.grouped()
    spans = [(one.start, one.end) for one in settled.supposed]
    told = [one for one in placing.reading.segments if one.mentions and overlaps(one.start, one.end, spans)]
    answers = any(
        not frame.slots.get(name) and name in frame.missing_slots
        for frame in grouped
        for one in told
        for name in fitting_slots(board.domain, frame, one.mentions)
    )
    if not grouped or not spans or answers:
        return
    kept = tuple(cue for cue in placing.reading.cues if not overlaps(cue.start, cue.end, spans))
    wanted = any(one.opens and not is_mostly_in(one.start, one.end, spans) for one in told)  # 李四在不在，在的话就挂他
    words = [] if len(kept) == len(placing.reading.cues) else [placing.reading.text[spans[0][0] : spans[-1][1]]]
    for index, segment in enumerate(placing.reading.segments):
        agent = board.domain.agents.get(segment.agent_code)
        inside = is_mostly_in(segment.start, segment.end, spans)
        if inside and (agent.group if agent is not None else segment.mentions):
            placing.place(index, UNKNOWN_AGENT)
            words.append(segment.text)
    placing.reading = msgspec.structs.replace(placing.reading, cues=kept)
    if words and not wanted:
        placing.note(TurnType.REPAIR)
        said = placing.reading.text[spans[0][0] : spans[-1][1]]
        placing.unsure.append(Unsure(said, tuple(grouped), supposed=True))


def is_left_over(placing: Placing, index: int, segment: Segment) -> bool:
    """Whether a segment is taken for a question that is about its own words, and asks nothing or corrects what is open:
    nothing is opened by what corrects."""
    board = placing.board
    if not board.domain.in_words(segment.agent_code) or segment.slots or not board.open():
        return False
    corrects = any(
        cue.kind in (CueKind.REPAIR, CueKind.CANCEL, CueKind.CHOICE)
        and cue.start < segment.end
        and segment.start < cue.end
        for cue in placing.reading.cues
    )
    if not (corrects and board.grouped()) and (segment.asks or segment.confidence >= _SURE):
        return False
    placing.unsure.append(Unsure(segment.text, tuple(board.open())))
    placing.place(index, UNKNOWN_AGENT)
    placing.note(TurnType.REPAIR)
    return True


def ask_of_stopped(placing: Placing, settled: Settled) -> None:
    """Asks which task is meant by clauses that may not change what they would have, where the turn did nothing else
    with their words."""
    grouped = tuple(placing.board.grouped())
    written = {value for told in placing.board.told.values() for value in told.values() if value}
    stopped = [one for one in settled.stopped if written.isdisjoint(m.value for m in one.mentions)]
    if not stopped or placing.fresh or placing.unsure or not grouped:
        return
    start, end = min(one.since for one in stopped), max(one.end for one in stopped)
    supposed = all(one.supposed for one in stopped)
    placing.unsure.append(Unsure(placing.reading.text[start:end], grouped, supposed))
    placing.note(TurnType.REPAIR)
