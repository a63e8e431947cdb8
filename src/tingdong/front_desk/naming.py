"""Which open tasks a text refers to, for every operation (hospital.md, Segments, Ops, Memory, Frames M2 and M3).

A task is named by topic (骨科那个, 医保卡那个), patient (老爷子那个), day, agent (药的事), or words of its request. A
task that contradicts the text is excluded. If two fit equally, both are returned and the caller decides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import holder, same_person, whom
from tingdong.front_desk.kinds import NAMED as LISTED
from tingdong.front_desk.kinds import TIMES, WHOM, is_object
from tingdong.front_desk.lexicon import any_of, folded
from tingdong.front_desk.model import UNKNOWN_AGENT, Cue, CueKind, SlotMention, TaskFrame
from tingdong.front_desk.slots import AND

__all__ = [
    "CLOSE",
    "HINT",
    "NAMED",
    "Found",
    "TaskWords",
    "likeness",
    "names_task",
    "of_cue",
    "similarity",
    "which",
    "would_be",
]

CLOSE = 0.2
"""Cosine from which words and a summary speak of the same thing."""
HINT = 1.0
"""Weight of an agent that the words hint at."""
_THING = 2.0
"""Weight of what a task is about, or for whom it is."""
NAMED = _THING
"""Score from which what a task is about, or for whom it is, is named."""
_DAY = 0.75
"""Weight of a day or a part of the day that a task holds."""
_SHARE = 0.5
"""Weight of the share of some words that a task's own words hold (票, of 押金的票)."""
_HALF = 0.5
"""Least share that counts."""
_MARGIN = 0.05
"""Scores this near to one another fit equally."""
_EMPTY = frozenset("的了呢吧啊呀吗嘛那个这事儿块说问先再就是我你想要下一点接着还有，。？！、 ")


class TaskWords(NamedTuple):
    """Words that may name a task: the text, what it mentions, and the agents that it hints at."""

    text: str
    mentions: Sequence[SlotMention] = ()
    agents: Sequence[str] = ()


class Found(NamedTuple):
    """The task that is named best, with its score; `rivals` are all that fit as well, itself among them."""

    best: TaskFrame | None = None
    score: float = 0.0
    rivals: tuple[TaskFrame, ...] = ()
    hinted: bool = False
    """Whether nothing but agents is named."""

    @property
    def sure(self) -> TaskFrame | None:
        """The task that is named, None where several are named alike."""
        return self.best if len(self.rivals) == 1 else None


def of_cue(cue: Cue, told: Sequence[SlotMention] = ()) -> TaskWords:
    """What a cue names, `told` being mentioned in its words; not what its own phrase holds (等见了罗大夫再问), but
    whose it is, where it names times alone (她那个要下午的)."""
    mentions = [*cue.mentions, *told]
    if cue.refused is not None:
        mentions += cue.refused.mentions
    elif cue.about:
        times = {one.kind for one in mentions if not one.kind.startswith(WHOM)}
        whose = cue.kind is CueKind.ABOUT and bool(times) and times <= {*TIMES}
        mentions = [one for one in mentions if one.text in (cue.text if whose else cue.about)]
    return TaskWords(cue.about, mentions, cue.agents)


def which(
    domain: Domain, frames: Iterable[TaskFrame], said: TaskWords, *, times: bool = True, only_hinted: bool = True
) -> Found:
    """The frames that words name. With `only_hinted`, where agents are hinted at, only theirs; without `times` days
    name none."""
    known = list(frames)
    hinted = [frame for frame in known if frame.agent_code in said.agents and only_hinted]
    scored = [(frame, _score(domain, frame, said, times=times)) for frame in hinted or known]
    best = max((score for _, score in scored), default=0.0)
    if best < CLOSE:
        return Found()
    rivals = tuple(frame for frame, score in scored if score >= best - _MARGIN)
    return Found(rivals[0], best, rivals, hinted=rivals[0].agent_code in said.agents and best < HINT + CLOSE)


def _score(domain: Domain, frame: TaskFrame, said: TaskWords, *, times: bool) -> float:
    """How well words fit a frame; below 0 where they name another thing than it is about."""
    specs = domain.agents[frame.agent_code].slots
    text = _folded(domain, said.text) if domain.memory_policy_default.vector_alignment else ""
    score = HINT if frame.agent_code in said.agents else 0.0
    named, held = whom(domain, said.mentions), holder(domain, frame)
    if named and held:
        if not any(same_person(domain, held, one) for one in named):
            return -1.0
        score += _THING
    for name, value in frame.slots.items():
        kind = specs[name].kind
        if named and kind.startswith(WHOM):
            continue
        told = [one.value for one in said.mentions if one.kind == kind and one.value]
        same = any(_same(domain, value, one) for one in told)
        if kind in TIMES:
            score += _DAY if times and same else 0.0
        elif same or ((len(value) > 1 or kind.startswith(WHOM)) and _folded(domain, value) in text):
            score += _THING
        elif told and kind in LISTED:
            return -1.0
    known = _words_of(domain, frame)
    if len(text) > 1 and any(text in one for one in known) and score < _THING:
        score += _THING
    alike = max([similarity(text, one) for one in known] + [_SHARE * _held(text, one) for one in known], default=0.0)
    return score + (alike if alike >= CLOSE else 0.0)


def _words_of(domain: Domain, frame: TaskFrame) -> list[str]:
    specs = domain.agents[frame.agent_code].slots
    return [
        _folded(domain, one) for one in (frame.memory.summary, *(frame.slots[n] for n in frame.slots if n in specs))
    ]


def _same(domain: Domain, one: str, other: str) -> bool:
    parts = {_folded(domain, part) for part in one.split(AND)}
    return any(a in b or b in a for a in parts for b in (_folded(domain, part) for part in other.split(AND)))


def _folded(domain: Domain, text: str) -> str:
    return folded(domain.pointing.alike, text)


# ---- what a refusal names


def names_task(cue: Cue) -> bool:
    """Whether a refusal says what is refused (不挂骨科), and not only that something is (不看了)."""
    return cue.refused is not None and (cue.refused.agent_code != UNKNOWN_AGENT or bool(_things(cue.refused.mentions)))


def would_be(domain: Domain, frame: TaskFrame, cue: Cue) -> bool:
    """Whether a frame is what a refusal names: it holds the thing, or, where none is named, is of the agent's group."""
    refused = cue.refused
    if refused is None:
        return False
    if frame.agent_code in domain.cutting.tells and any_of(domain.refusing.unasked).search(cue.text):
        return False
    if _things(refused.mentions):
        return _score(domain, frame, TaskWords("", refused.mentions), times=False) >= _THING
    groups = {domain.agents[code].group for code in (refused.agent_code, frame.agent_code) if code in domain.agents}
    return refused.agent_code == frame.agent_code or (
        refused.agent_code != UNKNOWN_AGENT and len(groups) == 1 and "" not in groups
    )


def _things(mentions: Sequence[SlotMention]) -> list[str]:
    return [mention.value for mention in mentions if is_object(mention.kind) and mention.value]


# ---- words like one another


def likeness(domain: Domain, text: str, summary: str) -> float:
    """Similarity of a text to a summary; 0 where the policy aligns nothing by vectors (hospital.md, Frames)."""
    return similarity(text, summary) if domain.memory_policy_default.vector_alignment else 0.0


def similarity(one: str, other: str) -> float:
    """Cosine of the character 1-gram and 2-gram vectors of two texts, empty words left out; 0..1."""
    a, b = _vector(one), _vector(other)
    if not a or not b:
        return 0.0
    dot = sum(weight * b[gram] for gram, weight in a.items() if gram in b)
    return dot / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))


def _held(words: str, text: str) -> float:
    """The share of some words that stand in a text, 0 for less than half of them."""
    wanted, held = _vector(words), _vector(text)
    share = sum(weight for gram, weight in wanted.items() if gram in held) / max(1, sum(wanted.values()))
    return share if share >= _HALF else 0.0


def _vector(text: str) -> Counter[str]:
    letters = [letter for letter in text if letter not in _EMPTY]
    grams = Counter(letters)
    for first, second in pairwise(letters):
        grams[first + second] += 2
    return grams
