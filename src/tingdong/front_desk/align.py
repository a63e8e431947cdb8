"""Finding the frame that words point at (seed 003 §2.2, §7.2 M2 and M3; hospital.md, Ops and Memory).

Three ways, surest first: the agent a cue names (排队的事), a missing slot that a short answer fits (明天下午的), and
meaning: character n-gram vectors of the words against the frames' summaries (停车那个事).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tingdong.front_desk.board import Board
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, Mention, Segment, TaskFrame
from tingdong.front_desk.slots import value_of

__all__ = [
    "CLOSE",
    "by_cue",
    "by_meaning",
    "fitting_slots",
    "given_up",
    "likeness",
    "names_task",
    "says_little_else",
    "similarity",
    "slot_frame",
    "would_be",
]

ANSWER_SHARE = 0.33
"""Share of a clause that names values, from which it is an answer."""
CLOSE = 0.2
"""Cosine from which words and a summary speak of the same thing."""
_EMPTY = frozenset("的了呢吧啊呀吗嘛那个这事儿块说问先再就是我你想要下一点接着还有，。？！、 ")


def by_cue(board: Board, frames: Sequence[TaskFrame], cue: Cue) -> TaskFrame | None:
    """The frame a cue names: by what it is about among frames of the hinted agents, then by agent, then by meaning."""
    hinted = [frame for frame in frames if frame.agent_code in cue.agents]
    if cue.about:
        found = by_meaning(board, hinted or frames, cue.about)
        if found is not None:
            return found
    return hinted[0] if hinted else None


def names_task(cue: Cue) -> bool:
    """Whether a refusal says what is refused (不挂骨科), and not only that something is (不看了)."""
    return cue.refused is not None and (cue.refused.agent_code != UNKNOWN_AGENT or bool(_objects(cue.refused)))


def would_be(board: Board, frame: TaskFrame, cue: Cue) -> bool:
    """Whether a frame is what a refusal names: it holds the thing, or, where none is named, is of the agent's group."""
    refused = cue.refused
    if refused is None:
        return False
    objects = _objects(refused)
    if objects:
        held = [value for value in frame.slots.values() if value]
        return any(value in other or other in value for value in objects for other in held)
    return refused.agent_code == frame.agent_code or (
        refused.agent_code != UNKNOWN_AGENT and board.same_group(refused.agent_code, frame.agent_code)
    )


def _objects(segment: Segment) -> list[str]:
    return [mention.value for mention in segment.mentions if ":" in mention.kind and mention.value]


def likeness(board: Board, text: str, frame: TaskFrame) -> float:
    """Similarity of a text to a frame's summary; 0 where the policy aligns nothing by vectors (seed 003 §7.2)."""
    return similarity(text, frame.memory.summary) if board.domain.memory_policy_default.vector_alignment else 0.0


def by_meaning(board: Board, frames: Iterable[TaskFrame], text: str) -> TaskFrame | None:
    """The frame whose summary or slots are closest to `text`, if close enough; none where the policy forbids it."""
    if not board.domain.memory_policy_default.vector_alignment:
        return None
    best, best_score = None, CLOSE
    for frame in frames:
        score = max(similarity(text, known) for known in (frame.memory.summary, *frame.slots.values()))
        if score > best_score:
            best, best_score = frame, score
    return best


def similarity(one: str, other: str) -> float:
    """Cosine of the character 1-gram and 2-gram vectors of two texts, empty words left out; 0..1."""
    a, b = _vector(one), _vector(other)
    if not a or not b:
        return 0.0
    dot = sum(weight * b[gram] for gram, weight in a.items() if gram in b)
    return dot / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))


def _vector(text: str) -> Counter[str]:
    letters = [letter for letter in text if letter not in _EMPTY]
    grams = Counter(letters)
    for first, second in pairwise(letters):
        grams[first + second] += 2
    return grams


def fitting_slots(domain: Domain, frame: TaskFrame, mentions: Sequence[Mention]) -> dict[str, str]:
    """Slots of the frame that these mentions fill; a missing slot takes a mention before a filled one does."""
    if not domain.memory_policy_default.structured_state:
        return {}
    slots = domain.agents[frame.agent_code].slots
    filled: dict[str, str] = {}
    for mention in mentions:
        if not mention.value:
            continue
        fitting = [name for name, spec in slots.items() if spec.kind == mention.kind and name not in filled]
        if fitting:
            name = min(fitting, key=lambda name: bool(frame.slots.get(name)))
            filled[name] = value_of(slots[name], mentions) or mention.value
    return filled


def slot_frame(
    domain: Domain, frames: Sequence[TaskFrame], mentions: Sequence[Mention]
) -> tuple[TaskFrame, dict[str, str]] | None:
    """The frame a short answer belongs to: the first whose missing slot it fits, else the first it fits at all."""
    fits = [(frame, filled) for frame in frames if (filled := fitting_slots(domain, frame, mentions))]
    for frame, filled in fits:
        if any(not frame.slots.get(name) for name in filled):
            return frame, filled
    return fits[0] if fits else None


def given_up(board: Board, frame: TaskFrame, segment: Segment) -> dict[str, str]:
    """Slots whose value is not meant any more: somebody else is named, but the words do not tell whom (换成陈医生)."""
    specs = board.domain.agents[frame.agent_code].slots
    return {
        name: ""
        for mention in segment.mentions
        for name, spec in specs.items()
        if not mention.value
        and spec.kind == mention.kind
        and not frame.slots.get(name, "").startswith(mention.text[:1])
    }


def says_little_else(segment: Segment, start: int, end: int) -> bool:
    """Whether a clause of a segment names values and hardly anything besides (周六的 in 周六的，她平时要补课)."""
    spoken = sum(
        mention.end - mention.start
        for mention in segment.mentions
        if start <= mention.start - segment.start and mention.end - segment.start <= end
    )
    return spoken >= ANSWER_SHARE * (end - start)
