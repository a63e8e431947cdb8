"""The domain file: agents, words and replies as data (hospital.md, Domain).

A domain is one YAML file. `load` validates it strictly: an unknown key, a wrong type, or a dangling name raises
`DataError` with file and key. The code of this package contains nothing about hospitals.

Sections: `agents` (lane, slots, memory, aliases), `priority` (hospital.md, Class), `relations` (hospital.md,
Relations), `limits` (hospital.md, Ops), `safety` (labels, replies, flags), `replies`, and for reading: `signals`,
`compounds`, `rules`, `markers`, `refusing`.
"""

from __future__ import annotations

import enum
import hashlib
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError
from tingdong.front_desk.domain_check import check
from tingdong.front_desk.domain_words import Correcting, Folk, Markers, Operating, Pointing, Refusing, Unmeant, Words
from tingdong.front_desk.model import (
    MemoryPolicy,
    PersistLevel,
    RelationType,
    SafetyAction,
    SafetyLabel,
)

DEFAULT_DOMAIN = Path(__file__).parent / "data" / "hospital.yaml"
"""The domain that ships with the package."""


class SlotSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot of an agent. `kind` says what fills it, `ask` the question put to the user when it is missing.

    Kinds: those of `kinds` (`person`, `place`, `date`, `period`, `duration`), `signal:<name>` (or
    `signal:<name>+<name>`), `whom:<name>` (somebody of a signal, as the one whom a task is
    for), and `text` (filled by no mention; an LLM or an agent may fill it). `many` keeps every value
    named, joined by 、, and with `grows` those of the turns before as well; with `words` a question that names none is
    its own value, and with `part` a clause that names a word of that signal, asks nothing, and stands where no value is
    named (这个心口老是扑腾).
    """

    kind: str
    required: bool = False
    ask: str = ""
    many: bool = False
    grows: bool = False
    words: bool = False
    part: str = ""


class AgentSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """An agent: its lane, slots and memory policy (hospital.md, Class, Frames).

    Agents of one `group` replace one another (all lead to one appointment); `called` are
    signals whose words a user names the task by (选医生那个, 缴费的事).
    """

    lane: str
    title: str
    memory: PersistLevel
    slots: dict[str, SlotSpec] = {}
    group: str = ""
    aliases: tuple[str, ...] = ()
    called: tuple[str, ...] = ()

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the slots that must be filled, in the file's order."""
        return tuple(name for name, slot in self.slots.items() if slot.required)

    def of(self, *kinds: str) -> list[str]:
        """Names of the slots of some kinds, or whose kinds begin so (`WHOM`), in the file's order."""
        return [name for name, slot in self.slots.items() if slot.kind.startswith(kinds)]


class LaneSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A lane. While a lane with `leads` has a focus, tasks of other lanes wait (hospital.md, Per turn, Frames)."""

    leads: bool = False


class RelationRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Two segments, one of an agent in `a` and one in `b` (either order), stand in `type` (hospital.md, Relations)."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    type: RelationType


class TurnLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Ops a turn, and turns a clarify question stands (hospital.md, Ops).

    Of a turn `chars` and `segments` are read; what is beyond them is told to be unread. `clarify_same_sentence`: a
    doctor and their own department in one task are asked about too (hospital.md, Class, note).
    """

    ops: int = 3
    clarify_turns: int = 2
    chars: int = 1_000
    segments: int = 16
    clarify_same_sentence: bool = False


class SafetyFlag(Struct, frozen=True, forbid_unknown_fields=True):
    """A red flag: `all` signals and at least one of `any`, anywhere in the turn.

    `excused` names the excuses (`safety.excuses`) that take the flag back; an empty tuple means nothing does. What is
    `sure` counts whatever the scores say.
    """

    label: SafetyLabel
    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    sure: bool = False


class FrameReach(enum.Enum):
    """How far a frame takes back what is said: its clause, everything up to the end of its clause, the whole turn."""

    CLAUSE = "clause"
    BEFORE = "before"
    TURN = "turn"


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that say that something is not happening now: past, over, general, supposed, told of others.

    What stands within `reach` of one of `signals` is taken back, unless one of `unless` stands there too; signals whose
    names begin with one of `spares` hold all the same, and where `takes` names any, all but those. With `opening` the
    words count at the start of a clause only.
    """

    signals: tuple[str, ...]
    opening: bool = False
    reach: FrameReach = FrameReach.CLAUSE
    unless: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


class SafetySpec(Struct, frozen=True, forbid_unknown_fields=True):
    """What is dangerous, what excuses it, and what is done then (hospital.md, "Safety").

    The statistical score weighs the signals whose names begin with `weighed`. A clause that names only
    `places` beside a denial, or one of `fine`, is left out of it. A label counts from its threshold. A clause is parted
    where another request begins with a chance of `parted_from`; a part that asks, with a risk below `calm_below`, is a
    request beside.
    A turn whose risk is below `quiet_below`, whatever would excuse it, is not looked at in parts. A part that names an
    object (`cutting.own`) of an agent that is not in `told_to` asks, too. Where tasks are open, signs of `vague` alone
    are talk about them: no danger, nor misuse where somebody is named.
    """

    actions: dict[SafetyLabel, SafetyAction]
    replies: dict[SafetyLabel, str]
    flags: tuple[SafetyFlag, ...] = ()
    excuses: dict[str, tuple[str, ...]] = {}
    frames: dict[str, Frame] = {}
    weighed: str = ""
    places: tuple[str, ...] = ()
    fine: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    thresholds: dict[SafetyLabel, float] = {}
    parted_from: float = 1.0
    calm_below: float = 0.0
    quiet_below: float = 0.0
    told_to: tuple[str, ...] = ()


class Compound(Struct, frozen=True, forbid_unknown_fields=True):
    """A signal made of others in order, at most `gap` characters apart and with no punctuation between; with `denied`
    a negator between them takes it back (头不疼)."""

    signal: str
    parts: tuple[str, ...]
    gap: int = 0
    denied: bool = False


class ClassRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A segment with `all`, at least one of `any`, and none of `none` belongs to `agent` with `score` (hospital.md,
    Class)."""

    agent: str
    score: float
    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()


class Cutting(Struct, frozen=True, forbid_unknown_fields=True):
    """How a turn falls into tasks (hospital.md, Segments).

    A piece with one of `asks` wishes or asks something by itself; without it a piece of an agent in `tells` only tells
    (a symptom, a finding), one of any other agent asks by its name alone (a department, a doctor). What a piece tells
    goes with its neighbour, unless the pair stands in `apart` ([what tells, what asks]); pairs of
    `unlike` are parted even inside a clause. A second request of the same
    agent is a task of its own when it names an object of its own (`own`); agents not listed there never are, unless a
    connective says so. A request that names no object at all goes with the one before it, unless it has one of the
    `alone` signals; one of `once` signals asked twice is asked once. Beside words that close a
    task only a question, or one of `wishes`, opens another. `bare` agents are asked for by a name alone. `questions`
    are signals of asking whatever it is; one of `arranged` speaks of what was arranged before (上周约的), whose wishes
    and refusals are no new ones. `hopes` are words of wishes that no task holds (要女医生).
    """

    asks: tuple[str, ...]
    apart: tuple[tuple[str, str], ...] = ()
    unlike: tuple[tuple[str, str], ...] = ()
    own: dict[str, tuple[str, ...]] = {}
    tells: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    hopes: str = ""
    arranged: tuple[str, ...] = ()


class Domain(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole domain file. Values that exist are valid: `load` has checked every name it uses.

    `evidence` names signals as `evidence.signals` tells them (hospital.md, Frames: doctor_name); no others are told.
    `people` tells for whom tasks are; `unmeant` says by kind of slot what is named and still no value of it.
    `attachments` are kinds of what may be sent along with a turn; each is a signal (hospital.md: image).
    `sentences` are lines to learn from, under the code of their agent (`lessons`); `learned` names the models of the
    package that serve agents of the same code. `source` is the path that the domain was read from, never in the file.
    """

    name: str
    lanes: dict[str, LaneSpec]
    agents: dict[str, AgentSpec]
    priority: tuple[str, ...]
    relations: tuple[RelationRule, ...]
    safety: SafetySpec
    replies: dict[str, str]
    markers: Markers
    cutting: Cutting
    refusing: Refusing = Refusing()
    correcting: Correcting = Correcting()
    pointing: Pointing = Pointing()
    operating: Operating = Operating()
    people: Folk = Folk()
    unmeant: dict[str, Unmeant] = {}
    signals: dict[str, Words] = {}
    compounds: tuple[Compound, ...] = ()
    rules: tuple[ClassRule, ...] = ()
    limits: TurnLimits = TurnLimits()
    memory_policy_default: MemoryPolicy = MemoryPolicy()
    evidence: dict[str, str] = {}
    attachments: tuple[str, ...] = ()
    learned: str = ""
    sentences: dict[str, str] = {}
    version: str = ""
    source: str = ""

    def rank(self, agent_code: str) -> int:
        """Place of an agent in the order of classes (hospital.md, Class), 0 first; agents not listed come last."""
        try:
            return self.priority.index(agent_code)
        except ValueError:
            return len(self.priority)

    def lane(self, agent_code: str) -> str:
        """Lane of an agent."""
        return self.agents[agent_code].lane

    def in_words(self, agent_code: str) -> bool:
        """Whether a task of an agent may be about words of its own."""
        agent = self.agents.get(agent_code)
        return agent is not None and any(spec.words for spec in agent.slots.values())

    def resolve(self, agent_code: str) -> str | None:
        """The agent a code or one of its aliases stands for (`ask` → `smartCS`), None when there is none."""
        if agent_code in self.agents:
            return agent_code
        return next((code for code, agent in self.agents.items() if agent_code in agent.aliases), None)


def load(path: Path) -> Domain:
    """Read and check a domain file.

    Raises:
        DataError: the file is no YAML, or a key is unknown, of a wrong type, or points to nothing; says which.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}", path=path.name) from error
    return msgspec.structs.replace(parse(raw, name=path.name), source=str(path))


def parse(raw: bytes, *, name: str = "domain") -> Domain:
    """Read and check the text of a domain file; `name` is used in error messages.

    A file that gives no `version` gets one made from its contents, so that two different files never share a version.

    Raises:
        DataError: as `load`.
    """
    domain = _convert(raw, Domain, name)
    if not domain.version:
        domain = msgspec.structs.replace(domain, version=hashlib.blake2b(raw, digest_size=6).hexdigest())
    check(domain, name)
    return domain


@cache
def default() -> Domain:
    """The domain that ships with the package, loaded once."""
    return load(DEFAULT_DOMAIN)


def _convert(raw: bytes, kind: type[Domain], name: str) -> Domain:
    try:
        return msgspec.convert(parse_yaml(raw), kind)
    except msgspec.ValidationError as error:
        raise DataError(f"{name}: {error}", path=name) from error
    except YAMLError as error:
        raise DataError(f"{name}: not YAML: {error}", path=name) from error
