"""The LLM tier of a front-desk turn: segments and classes that the rules leave open (hospital.md, Segments, Class).

The model may only cut the user's words and name an agent of the domain. Confident results of the rules stay, and so do
red flags, cues and slots; a turn stopped by the safety check is not sent to it. If it is late, down or invalid, the
rules' reading is used.
"""

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files
from typing import Protocol, runtime_checkable

import msgspec

from tingdong.front_desk.board import OPEN
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import (
    TURN_PROMPT_VERSION,
    UNKNOWN_AGENT,
    IntentContext,
    Layer,
    SafetyLabel,
    Segment,
    TurnReading,
)
from tingdong.llm import Asked, Budget, ChatMessage, Constraint, GuardedModel, Observer, ask_checked
from tingdong.llm.shaping import token_estimate
from tingdong.llm.viable import viable_json

__all__ = [
    "TURN_PROMPT_VERSION",
    "Cut",
    "Describer",
    "LLMTurnReader",
    "OpenDeskTurn",
    "TurnJudgement",
    "is_open",
    "merged",
]

ANSWER_CONFIDENCE = 0.8
REPAIRED_CONFIDENCE = 0.6
OPEN_BELOW = 0.7
"""A segment whose class the local layers give less than this is open."""
SURE_OF_NOTHING = 0.95
"""From here on the local layers are sure that a segment is no task of the desk."""
LEAST_CHARS = 3
MAX_CUTS = 8
MAX_FRAMES = 8

ACCEPT, ABSTAIN, REJECT = "accept", "abstain", "reject"


class Cut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One task as the model tells it: words of the turn, and an agent's code."""

    text: str
    agent: str


class CutFault(StrEnum):
    """Why a model's cuts are not believed; stable codes."""

    NOT_JSON = "not_json"
    WRONG_SHAPE = "wrong_shape"
    TOO_MANY = "too_many"
    NOT_IN_TEXT = "not_in_text"
    UNKNOWN_AGENT = "unknown_agent"


@runtime_checkable
class Describer(Protocol):
    """What the rules know of a stretch of a turn (`tingdong.front_desk.read.DeskReader`)."""

    domain: Domain

    def described(self, text: str, span: tuple[int, int], agent: str, *, now: dt.datetime) -> Segment:
        """The segment of an agent that stands at `span`, with its signals, mentions and slots."""
        ...


class OpenDeskTurn(msgspec.Struct, frozen=True):
    """A turn that the rules left open, and the dialogue it stands in."""

    reading: TurnReading
    context: IntentContext
    describer: Describer
    now: dt.datetime


class TurnJudgement(msgspec.Struct, frozen=True):
    """A tier's answer about a turn: its reading and, from a model, the cuts it is made of."""

    reading: TurnReading
    verdict: str
    confidence: float = 0.0
    reason: str = ""
    tier: str = "local"
    cuts: tuple[Cut, ...] = ()


def is_open(reading: TurnReading) -> bool:
    """Whether the rules left something to be read: a segment of no agent or of a doubtful one, words that are hardly
    background, or words and no task."""
    if reading.safety.label is not SafetyLabel.NORMAL:
        return False
    if not reading.segments and not reading.cues:
        return len(reading.text.strip()) >= LEAST_CHARS
    return any(_is_open(segment) for segment in (*reading.segments, *reading.left))


def _is_open(segment: Segment) -> bool:
    if segment.agent_code == UNKNOWN_AGENT:
        unsure = segment.layer is not Layer.STATE and segment.confidence < SURE_OF_NOTHING
        return unsure and len(segment.text) >= LEAST_CHARS
    return segment.confidence < OPEN_BELOW


def merged(turn: OpenDeskTurn, cuts: Sequence[Cut]) -> TurnReading:
    """The local reading with its open stretches read as `cuts` say; what the rules are sure of stays."""
    local = turn.reading
    sure = [segment for segment in local.segments if not _is_open(segment)]
    fresh: list[Segment] = []
    at = 0
    for cut in cuts:
        start = local.text.index(cut.text, at)
        at = start + len(cut.text)
        if cut.agent != UNKNOWN_AGENT and not _meets(start, at, sure):
            fresh.append(turn.describer.described(local.text, (start, at), cut.agent, now=turn.now))
    if not fresh:
        return local
    left = [
        segment for segment in local.segments if _is_open(segment) and not _meets(segment.start, segment.end, fresh)
    ]
    segments = tuple(sorted([*sure, *fresh, *left], key=lambda segment: segment.start))
    return msgspec.structs.replace(local, segments=segments, layer=Layer.LLM, prompt_version=TURN_PROMPT_VERSION)


def _meets(start: int, end: int, segments: Sequence[Segment]) -> bool:
    return any(start < segment.end and segment.start < end for segment in segments)


class LLMTurnReader:
    """Reads the open part of a turn with a chat model. Never raises for the backend's sake."""

    tier = "llm_hospital"

    def __init__(self, model: GuardedModel, *, observe: Observer | None = None) -> None:
        self._model = model
        self._observe = observe

    async def read(self, turn: OpenDeskTurn, budget: Budget) -> TurnJudgement:
        """The model's judgement: accept with cuts, reject when it sees no task either, abstain with the reason."""
        domain, text = turn.describer.domain, turn.reading.text
        asked = Asked[tuple[Cut, ...]](
            "hospital",
            turn_messages(turn),
            cut_constraint(domain),
            partial(check_cuts, text=text, domain=domain),
            partial(viable_json, root="[{"),
            remind='只输出 [{"text":…,"agent":…}] 的 JSON 数组，按规则重新输出。',
            sections={
                "rules": token_estimate(static_rules()),
                "domain": token_estimate(agents_section(domain)),
                "turn": token_estimate(_under_way(turn.context)),
                "sentence": token_estimate(text),
            },
        )
        checked = await ask_checked(self._model, asked, budget, observe=self._observe)
        if checked.wrong or checked.value is None:
            return TurnJudgement(turn.reading, ABSTAIN, reason=checked.wrong[0], tier=self.tier)
        reading = merged(turn, checked.value)
        if reading is turn.reading:
            return TurnJudgement(reading, REJECT, ANSWER_CONFIDENCE, "model_unknown", self.tier)
        confidence = REPAIRED_CONFIDENCE if checked.repaired else ANSWER_CONFIDENCE
        return TurnJudgement(reading, ACCEPT, confidence, "", self.tier, checked.value)


_CUTS = msgspec.json.Decoder(tuple[Cut, ...])


def check_cuts(answer: str, *, text: str, domain: Domain) -> tuple[tuple[Cut, ...], tuple[str, ...]]:
    """The cuts of an answer with the domain's own codes, and every reason not to believe them."""
    try:
        told = _CUTS.decode(answer)
    except msgspec.ValidationError:
        return (), (CutFault.WRONG_SHAPE.value,)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return (), (CutFault.NOT_JSON.value,)
    faults: list[CutFault] = [CutFault.TOO_MANY] if len(told) > MAX_CUTS else []
    cuts: list[Cut] = []
    at = 0
    for cut in told[:MAX_CUTS]:
        words = cut.text.strip()
        agent = UNKNOWN_AGENT if cut.agent == UNKNOWN_AGENT else domain.resolve(cut.agent)
        found = text.find(words, at) if words else -1
        if found < 0:
            faults.append(CutFault.NOT_IN_TEXT)
        elif agent is None:
            faults.append(CutFault.UNKNOWN_AGENT)
        else:
            at = found + len(words)
            cuts.append(Cut(words, agent))
    return tuple(cuts), tuple(dict.fromkeys(fault.value for fault in faults))


def cut_constraint(domain: Domain) -> Constraint:
    """The answer's form; the domain's agents are all that it may name."""
    item = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "agent": {"enum": [*domain.agents, UNKNOWN_AGENT]}},
        "required": ["text", "agent"],
        "additionalProperties": False,
    }
    return Constraint("segments", {"type": "array", "items": item, "maxItems": MAX_CUTS})


def turn_messages(turn: OpenDeskTurn) -> tuple[ChatMessage, ...]:
    """Static rules, then the domain's stable part, then what is under way; the user's words come last."""
    parts = (static_rules(), agents_section(turn.describer.domain), _under_way(turn.context))
    system = "\n\n".join(part for part in parts if part)
    return ChatMessage("system", system), ChatMessage("user", turn.reading.text)


@cache
def static_rules() -> str:
    """The fixed rules of the prompt, package data."""
    return (files("tingdong.front_desk") / "data" / "llm_rules.md").read_text(encoding="utf-8").rstrip()


def agents_section(domain: Domain) -> str:
    """The domain's agents, first what wins (hospital.md, Class): the same bytes for the same domain."""
    ranked = sorted(domain.agents, key=domain.rank)
    lines = [f"- {code}：{domain.agents[code].title}" for code in ranked]
    return "\n".join(["智能体：", *lines])


def _under_way(context: IntentContext) -> str:
    """The open tasks by their agents only: the words of earlier turns stay out of the prompt."""
    codes = [frame.agent_code for frame in context.frames if frame.status in OPEN][:MAX_FRAMES]
    return f"正在进行的任务：{'、'.join(codes)}" if codes else ""
