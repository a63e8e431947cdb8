"""Values of the multi-intent dialogue: what a turn is read as, and the context it leads to (hospital.md).

Two halves meet here. *Reading* a text (rules, the local classifier, or an LLM) gives a `TurnReading`; *advancing* a
context by a reading gives a `DeskTurn`. All values are immutable and carry plain data only, so that a log of readings
rebuilds any context without a model.
Names that are data of a domain file are strings; what the laws name is an enum.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from msgspec import Struct, field

from tingdong.front_desk.said import RememberedTurn as RememberedTurn
from tingdong.front_desk.said import Unread as Unread
from tingdong.hearing.heard import Heard
from tingdong.hearing.told import HeardView

TURN_PROMPT_VERSION = "2026-11-22"
"""Version of the prompt that a language model reads turns with, whether or not one was asked (hospital.md)."""

UNKNOWN_AGENT = "unknown"
"""Agent code of a segment that fits no agent; it never becomes a frame (hospital.md, "Class")."""


class OpKind(StrEnum):
    """Operations on task frames (hospital.md, Ops)."""

    BLOCK = "block"
    CLARIFY = "clarify"
    CANCEL = "cancel"
    COMPLETE = "complete"
    SHIFT = "shift"
    CONTINUE = "continue"
    ADD = "add"


class OpPriority(IntEnum):
    """Order of execution, smallest first (hospital.md, Ops)."""

    BLOCK = 1
    CLARIFY = 2
    CANCEL = 3
    COMPLETE = 3
    SHIFT = 4
    CONTINUE = 5
    ADD = 6


class FrameRole(StrEnum):
    """Where a frame stands: current task, waiting, or an insertion being answered now (hospital.md, Frames)."""

    FOCUS = "focus"
    QUEUED = "queued"
    INSERT = "insert"


class Status(StrEnum):
    """Life of a frame (hospital.md, Frames)."""

    ACTIVE = "active"
    PENDING = "pending"
    COMPLETED = "completed"
    CANCELED = "canceled"


class PersistLevel(StrEnum):
    """How long the memory of a task is worth keeping; a policy, not a time to live (hospital.md, Frames)."""

    PERSISTENT = "persistent"
    SHORT_TERM = "short_term"
    EPHEMERAL = "ephemeral"


class TurnType(StrEnum):
    """What a turn does to what is already there (hospital.md, Frames)."""

    CONFIRM = "confirm"
    DENY = "deny"
    REPAIR = "repair"
    SLOT_FILL = "slot_fill"
    NEW_REQUEST = "new_request"
    UNKNOWN = "unknown"


class RelationType(StrEnum):
    """How two segments stand to each other (hospital.md, Relations)."""

    EXCLUSIVE = "exclusive"
    INSERTION = "insertion"
    PARALLEL = "parallel"
    HANDOFF = "handoff"


class SafetyLabel(StrEnum):
    """Outcome of the check that comes before everything else (hospital.md, "Safety")."""

    NORMAL = "normal"
    EMERGENCY = "emergency"
    SELF_HARM = "self_harm"
    INJECTION = "injection"


class SafetyAction(StrEnum):
    """What is done about a label: pass it on, hand it to people at once, or refuse."""

    PASS = "pass"
    ESCALATE = "escalate"
    BLOCK = "block"


class Layer(StrEnum):
    """Which means decided: the dialogue's state, rules, the local classifier, or an LLM (hospital.md, "Per turn")."""

    STATE = "state"
    RULE = "rule"
    MODEL = "model"
    LLM = "llm"


class CueKind(StrEnum):
    """Words that act on the dialogue and are no task of their own (hospital.md, Segments, Ops).

    `FORMER` and `LATTER` answer a clarify by position, `CHOICE` by class or name; `ALL_DONE` ends all open tasks
    (没别的了), `CANCEL_ALL` takes all back (全都取消), `UNDONE`: one is not done (没交成); `FIRST` asks for one first
    (先说停车), `OVERVIEW` what is open; `ABOUT` points back at one; `BOTH`, `EITHER`, `NEITHER` answer a clarify.
    """

    CONFIRM = "confirm"
    DENY = "deny"
    REPAIR = "repair"
    CANCEL = "cancel"
    CANCEL_ALL = "cancel_all"
    COMPLETE = "complete"
    ALL_DONE = "all_done"
    UNDONE = "undone"
    PUT_OFF = "put_off"
    RESUME = "resume"
    FIRST = "first"
    ABOUT = "about"
    FORMER = "former"
    LATTER = "latter"
    CHOICE = "choice"
    BOTH = "both"
    EITHER = "either"
    NEITHER = "neither"
    REFUSE = "refuse"
    OVERVIEW = "overview"


class AgentCandidate(Struct, frozen=True):
    """One agent a segment may belong to, with its score from 0 to 1."""

    agent_code: str
    score: float


class SlotMention(Struct, frozen=True, omit_defaults=True):
    """Something named in the text that may fill a slot.

    `kind` is a slot kind of the domain file (`person`, `signal:drug`, …), `text` the user's words, `value` what a slot
    stores (an ISO date, a directory name). Offsets count characters of the turn's text. A person whom the words do not
    tell has no value; `listed` is false for one whom the directory does not have.
    """

    kind: str
    text: str
    value: str
    start: int
    end: int
    listed: bool = True


class Segment(Struct, frozen=True, omit_defaults=True):
    """One task of a turn (hospital.md, Segments): the user's own words, their span, and the agent they belong to.

    `slots` are the slots of `agent_code` found in the words; `mentions` everything found, whatever the agent, so that
    a short answer (`agent_code` unknown) can be matched with the slots a standing frame still misses.
    `connective` tells that a connective introduced the segment (另外, 还有), `asks` that it asks or wishes something
    by itself; without it a segment only tells (a symptom, a date, a name). `opens` tells whether it is a task of its
    own or tells of one that is open, None where the words were not read so far. `denied` is what it takes
    back, or says not to be so (不是周三).
    """

    text: str
    start: int
    end: int
    agent_code: str = UNKNOWN_AGENT
    confidence: float = 0.0
    signals: tuple[str, ...] = ()
    candidates: tuple[AgentCandidate, ...] = ()
    slots: dict[str, str] = {}
    mentions: tuple[SlotMention, ...] = ()
    layer: Layer = Layer.RULE
    connective: bool = False
    asks: bool = False
    opens: bool | None = None
    denied: tuple[SlotMention, ...] = ()


class Cue(Struct, frozen=True, omit_defaults=True):
    """Words that act on the dialogue. `about` is what they name (医保那个不问了 → 医保), `agents` whom it hints at,
    `mentions` what is named; of a refused request `refused` is what it would have been: only one like it is meant."""

    kind: CueKind
    text: str
    start: int
    end: int
    about: str = ""
    agents: tuple[str, ...] = ()
    refused: Segment | None = None
    mentions: tuple[SlotMention, ...] = ()


class Safety(Struct, frozen=True):
    """Label and action (hospital.md, Safety); `evidence` the words that decided."""

    label: SafetyLabel = SafetyLabel.NORMAL
    action: SafetyAction = SafetyAction.PASS
    evidence: tuple[str, ...] = ()


class Attachment(Struct, frozen=True):
    """Something sent along with a turn, e.g. `kind` "image" (hospital.md, "Slots")."""

    kind: str
    ref: str


class TurnReading(Struct, frozen=True, omit_defaults=True):
    """What a turn's text says, before it changes the dialogue's state; nothing but `safety` where that is not normal.

    `turn_type`: what words suggest; `left`: hardly background; `named`, `asked`: by clauses; `either`: to choose.
    """

    text: str
    safety: Safety = Safety()
    segments: tuple[Segment, ...] = ()
    cues: tuple[Cue, ...] = ()
    turn_type: TurnType = TurnType.UNKNOWN
    layer: Layer = Layer.RULE
    prompt_version: str = TURN_PROMPT_VERSION
    unread: Unread | None = None
    left: tuple[Segment, ...] = ()
    heard: Heard | None = None
    named: tuple[SlotMention, ...] = ()
    either: tuple[str, ...] = ()
    asked: tuple[Segment, ...] = ()


class IntentOp(Struct, frozen=True):
    """One operation of a turn (hospital.md, Frames, Ops). `executed` is false for what is only recorded."""

    op: OpKind
    target: str
    lane: str
    priority: int
    reason: str
    confidence: float
    executed: bool = True


class Memory(Struct, frozen=True):
    """What is kept of a task: how long it matters, and the words by which it is found again."""

    persist_level: PersistLevel
    summary: str = ""


class FrameEvidence(Struct, frozen=True):
    """Why a frame exists (hospital.md, Frames)."""

    turn_type: TurnType = TurnType.UNKNOWN
    signals: tuple[str, ...] = ()
    candidates: tuple[AgentCandidate, ...] = ()


class TaskFrame(Struct, frozen=True):
    """A task in the dialogue (hospital.md, Frames)."""

    frame_id: str
    agent_code: str
    role: FrameRole
    lane: str
    status: Status
    memory: Memory
    confidence: float = 0.0
    slots: dict[str, str] = {}
    missing_slots: tuple[str, ...] = ()
    evidence: FrameEvidence = FrameEvidence()


class MemoryPolicy(Struct, frozen=True):
    """Memory switches for a whole dialogue (hospital.md, Frames).

    `full_history_default` keeps what was said, by the policies of the tasks it belongs to (M1); `vector_alignment`
    finds a task by what its words mean (M2); `structured_state` keeps slots, filled by short answers (M3).
    """

    full_history_default: bool = True
    vector_alignment: bool = True
    structured_state: bool = True


class Meta(Struct, frozen=True):
    """Which layer decided, and under which versions of data and prompt (hospital.md, Frames)."""

    layer_hit: Layer = Layer.STATE
    config_version: str = ""
    prompt_version: str = TURN_PROMPT_VERSION


class PendingClarify(Struct, frozen=True, omit_defaults=True):
    """A question: contested frames, for how many more turns, the `act` of one, and which `stood` before and go on."""

    frame_ids: tuple[str, ...]
    turns_left: int
    act: CueKind | None = None
    stood: tuple[str, ...] = ()


class IntentContext(Struct, frozen=True):
    """The state of a dialogue after a turn, field for field (hospital.md, Turn as JSON).

    `turn` (number of turns so far), `clarify` (the standing question) and `history` (what was said, where
    `memory_policy_default` keeps it) are additions; `legacy_agent_code` is filled only where a setting asks.
    """

    intent_ops: tuple[IntentOp, ...] = ()
    frames: tuple[TaskFrame, ...] = ()
    medical_focus_id: str | None = None
    memory_policy_default: MemoryPolicy = MemoryPolicy()
    safety: Safety = Safety()
    meta: Meta = Meta()
    legacy_agent_code: str | None = None
    turn: int = 0
    clarify: PendingClarify | None = None
    history: tuple[RememberedTurn, ...] = ()


class Relation(Struct, frozen=True):
    """How segments `a` and `b` stand to each other; indexes into the turn's segments, -1 the standing focus."""

    a: int
    b: int
    type: RelationType


class DeskTurn(Struct, frozen=True):
    """One turn's outcome: the new context, what was read, and the text to show (hospital.md, "Turn as JSON")."""

    context: IntentContext
    segments: tuple[Segment, ...] = ()
    relations: tuple[Relation, ...] = ()
    turn_type: TurnType = TurnType.UNKNOWN
    reply: str = ""
    notes: tuple[str, ...] = field(default=())
    unread: Unread | None = None
    heard: HeardView | None = None
