"""The shape of the vocabulary files: one structure for each, strict about unknown keys (commands.md).

A word list is one string, its words separated by blanks.
"""

from typing import Literal

import msgspec

from context_retrieval.models import DeviceType

__all__ = [
    "Actions",
    "Adjective",
    "Attribute",
    "Colours",
    "Rooms",
    "SaidOf",
    "SetWords",
    "Talk",
    "Values",
    "Verb",
    "WordClass",
]


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Owners(_Data, frozen=True, forbid_unknown_fields=True):
    """Whose a kind of room is: words for anybody (`all`) and for one of them (`each`), separated by blanks."""

    all: str
    each: str


class Rooms(_Data, frozen=True, forbid_unknown_fields=True):
    """Room words (`rooms.yaml`); every string is a list of words separated by blanks."""

    groups: dict[str, str]
    zones: str
    suffixes: str
    open_suffixes: str
    owners: str
    owned: dict[str, Owners]
    beside: str
    pronouns: str
    speakers: str
    nearby: str
    private: str
    private_endings: str
    there: str
    bare: str
    which: str
    owner_rooms: str
    furniture: str
    here: str
    whole_home: str
    places: str
    locatives: str


class WordClass(_Data, frozen=True, forbid_unknown_fields=True):
    """One kind of device (`types.yaml`): its words, the attribute of a bare number, and what can be set on it."""

    type: DeviceType
    generic: str = ""
    specific: str = ""
    suffixes: str = ""
    bare: str = ""
    attributes: str = ""
    media: bool = False
    lock: bool = False

    @property
    def features(self) -> tuple[str, ...]:
        """Properties that change what a verb means (`by_kind` in actions.yaml)."""
        return tuple(name for name in ("media", "lock") if getattr(self, name))


class Verb(_Data, frozen=True, forbid_unknown_fields=True):
    """Words of one canonical action; `weak` ones give way to a value beside them, `state` ones say a state.

    `way`, `opposite`, `lasts`, `moves` and `plainly` say what the action is (`context_retrieval.verbs`).
    """

    strong: str = ""
    weak: str = ""
    state: str = ""
    by_kind: dict[str, str] = {}
    way: Literal["begins", "ends", ""] = ""
    opposite: str = ""
    lasts: bool = False
    moves: str = ""
    plainly: str = ""


class SetWords(_Data, frozen=True, forbid_unknown_fields=True):
    """The words of setting a value: stems (调), joints (到) and whole words (设置为)."""

    stems: str
    joints: str
    words: str


class Adjective(_Data, frozen=True, forbid_unknown_fields=True):
    """Comparatives of one attribute: those that raise it and those that lower it."""

    up: str
    down: str
    attribute: str = ""


class SaidOf(_Data, frozen=True, forbid_unknown_fields=True):
    """What people say of things whose name ends in one of `things` (a device kind, or `*` for any thing).

    `does` are the verbs of what it does (刷 → 刷起来, 开始刷, 刷一遍), `programmes` its modes that need no 模式, and
    `acts` whole phrases by the ACTION of the protocol they ask for (`回充: 回家 归位`, `调低音量: 轻轻的`).
    """

    things: str
    does: str = ""
    programmes: str = ""
    acts: dict[str, str] = {}


class Actions(_Data, frozen=True, forbid_unknown_fields=True):
    """What is done (`actions.yaml`)."""

    verbs: dict[str, Verb]
    by_kind: dict[str, dict[str, str]]
    stems: dict[str, str]
    results: dict[str, str]
    set: SetWords
    adjectives: list[Adjective]
    degrees: str
    partial: dict[str, str]
    up: str
    down: str
    light: str
    said_of: list[SaidOf]
    states_asked: str


class Attribute(_Data, frozen=True, forbid_unknown_fields=True):
    """A property to set or read (`values.yaml`). `bare`: what a number without unit counts; `units`: what fits."""

    words: str
    ask: str
    bare: str
    units: str


class Colours(_Data, frozen=True, forbid_unknown_fields=True):
    """Colour words: basic ones, which compose with 浅 or 深, and English ones."""

    basic: str
    english: dict[str, str]


class Values(_Data, frozen=True, forbid_unknown_fields=True):
    """Attributes and their values (`values.yaml`)."""

    attributes: dict[str, Attribute]
    sensors: str
    modes: dict[str, str]
    scenes: str
    weak_modes: str
    mode_as_said: bool
    colours: Colours
    temperatures: dict[str, str]
    levels: dict[str, str]
    extremes: dict[str, dict[str, str]]
    sources: str
    source_tails: str
    channel_tails: str
    channel_heads: str
    channel_names: str
    units: dict[str, str]


class Talk(_Data, frozen=True, forbid_unknown_fields=True):
    """Signs that something is no request to the home (`talk.yaml`)."""

    people: str
    nouns: str
    sentence: str
    addressed: str
    asking: str
    clause: str
    domains: dict[str, str]
    events: str
    double_condition: str
