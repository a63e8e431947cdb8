"""A reading: what one tier understood of one sentence, as a value (architecture: "A reading is a value").

Tiers (local parser, learned reader, LLM) turn text into a `Reading`; everything after takes a reading and is pure, so a
log of readings replays a dialogue without any model.
"""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from context_retrieval.models import Command, DeviceType
from tingdong.hearing.heard import Heard

__all__ = ["TOO_LONG", "Mention", "MentionKind", "NameTable", "Part", "Perhaps", "Reading", "Verdict"]

TOO_LONG = "too_long"
"""The reason of a reading of which nothing is read, as there is too much of it."""


class MentionKind(StrEnum):
    """What a span of the sentence is. `Mention.value` is the canonical form named in brackets."""

    ACTION = "action"  # [canonical verb phrase: 打开, 调高亮度, 查询状态 …]
    ROOM = "room"  # [room word as spoken]
    WHOLE_HOME = "whole_home"  # 家里, 全屋, 所有房间
    HERE = "here"  # 这里, 这屋
    DEVICE = "device"  # [name as spoken, "*" for a generic word]; `Mention.type` says the type
    NAME = "name"  # [a name of this home's NameTable]
    SCENE = "scene"  # [scene or mode name]
    ATTRIBUTE = "attribute"  # [亮度, 温度 …]
    VALUE = "value"  # [canonical value: 50%, 26C, 3档, 红色, 最大 …]
    COUNT = "count"  # [integer as text]
    ORDINAL = "ordinal"  # [1-based integer as text; "-1" for 最后一个]
    ALL = "all"  # 所有, 都, 两个都
    ANY = "any"  # 随便, 哪个都行
    EXCEPT = "except"  # 除了, 其他, 别的 …
    REFERENCE = "reference"  # [last | these | that]
    WHEN = "when"  # [the protocol's WHEN text]
    NEGATION = "negation"  # 别, 不要 …
    CORRECTION = "correction"  # 不对, 错了, 应该是 …
    QUERY = "query"  # question form: 吗, 是不是, 几, 多少 …
    ALSO = "also"  # 也, 还有
    AGAIN = "again"  # 再, 又, 还是 …
    CANCEL = "cancel"  # 算了, 不用了, 取消
    CONFIRM = "confirm"  # 好的, 对, 是的, 确认
    WAKE = "wake"  # [the name called]
    FILLER = "filler"  # politeness and particles


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A typed span `[start, end)` of the reading's original text."""

    kind: MentionKind
    start: int
    end: int
    value: str = ""
    type: DeviceType = DeviceType.UNKNOWN
    score: float = 1.0


class Verdict(StrEnum):
    """A tier's answer about its own reading."""

    ACCEPT = "accept"
    ABSTAIN = "abstain"
    REJECT = "reject"


class Reading(msgspec.Struct, frozen=True):
    """What a tier understood. No commands = UNKNOWN; `reason` says why a tier abstains or rejects (stable code).

    `confidence` in 0..1 is calibrated; `tier` names who read it (`local`, `llm`, …). `mentions` are sorted by start and
    also cover fragments that make no command (客厅, 第二个, 都要), which the dialogue needs. `heard` says what was
    heard where `text` is what was understood instead, or where a change is in doubt. `perhaps` is what was perhaps
    said, which is asked about and never carried out in silence: the sentence with what is in doubt, or two that are
    nearly as probable and would do different things. `parts` are the clauses of a sentence of several, each read by
    itself.
    """

    text: str
    commands: tuple[Command, ...] = ()
    confidence: float = 0.0
    tier: str = "local"
    verdict: Verdict = Verdict.ABSTAIN
    reason: str = ""
    mentions: tuple[Mention, ...] = ()
    heard: Heard | None = None
    perhaps: tuple["Perhaps", ...] = ()
    parts: tuple["Part", ...] = ()

    @property
    def repaired(self) -> bool:
        """Whether it is not words that a recogniser heard that were read."""
        return self.heard is not None and not self.heard.verbatim


class Perhaps(msgspec.Struct, frozen=True):
    """A text that was perhaps said, and its commands."""

    text: str
    commands: tuple[Command, ...]


class Part(msgspec.Struct, frozen=True):
    """A clause of a sentence, at `[start, end)` of it, and what it says by itself."""

    start: int
    end: int
    reading: Reading


class NameTable(msgspec.Struct, frozen=True, weakref=True):
    """Words of one home that a parser should look for; they win over the lexicon.

    `names`: spoken name (normalised) → type; `rooms`: room words of the layout and their synonyms; `scenes`: names of
    scenes and groups; `choices`: what its things can be set to, which is not heard anew where it is said.
    """

    names: Mapping[str, DeviceType] = {}
    rooms: frozenset[str] = frozenset()
    scenes: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()
