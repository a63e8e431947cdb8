"""The protocol's verbs as acts on properties (commands.md, ACTION; `data/acts.yaml`)."""

from enum import Enum, auto
from functools import cache
from pathlib import Path

import msgspec

from tingdong.errors import DataError
from tingdong.home.model import PropertyRole
from tingdong.home.vocabulary import attributes, read_table, roles
from zhtext.remembering import remembered

__all__ = ["ActKind", "ActTable", "ChoiceWord", "VerbMeaning", "acts", "read_act", "settable_roles"]


class ActKind(Enum):
    """What an action of the protocol does to a property."""

    ON = auto()
    OFF = auto()
    SET = auto()
    RAISE = auto()
    LOWER = auto()
    CHOOSE = auto()  # one word of a playback or activity property: 暂停, 继续, 回充 …
    MUTE = auto()
    UNMUTE = auto()
    LOCK = auto()
    UNLOCK = auto()
    RUN = auto()  # a scene
    ASK = auto()
    UNKNOWN = auto()


class VerbMeaning(msgspec.Struct, frozen=True):
    """What a verb does: `role` is the property it speaks of (None for a bare 设置), `word` the verb or attribute."""

    kind: ActKind
    word: str
    role: PropertyRole | None = None


@cache
def settable_roles() -> dict[str, PropertyRole]:
    """The protocol's words for what can be set, with the role each is."""
    found: dict[str, PropertyRole] = {}
    for word, ranked in attributes().items():
        for role in ranked:
            entry = roles()[role]
            if entry.asked and not entry.read_only and entry.takes != "switch":
                found.setdefault(word, role)
    return found


class ChoiceWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One word of a player, a robot or a motor (`acts.yaml`, `choices`)."""

    sets: tuple[str, ...]
    of: tuple[str, ...] = (PropertyRole.ACTIVITY, PropertyRole.PLAYBACK)
    told: dict[str, tuple[str, str]] = {}
    powers: bool = False
    steps: int = 0
    ends: bool = False


class _Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    does: str
    role: str = ""
    told_as: str | None = msgspec.field(default=None, name="as")


class ActTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/acts.yaml`; the fields are told at the head of the file."""

    verbs: dict[str, _Verb]
    prefixes: dict[str, str]
    choices: dict[str, ChoiceWord]
    worked: dict[str, tuple[str, str]]
    ways: tuple[tuple[str, str], ...]
    moved: dict[str, str]
    offered: dict[str, dict[str, str]]

    def choice(self, word: str) -> ChoiceWord:
        """What the word chooses; a word that the table does not have chooses itself."""
        return self.choices.get(word) or ChoiceWord((word,))


@cache
def acts() -> ActTable:
    """The table. Raises `DataError` naming file and key."""
    table = read_table(Path(__file__).parent / "data" / "acts.yaml", ActTable)
    known = {kind.name.lower() for kind in ActKind}
    for verb, entry in table.verbs.items():
        if entry.does not in known:
            raise DataError(f"acts.yaml: verbs: {verb}: does: unknown kind of act {entry.does!r}")
    said = {role for choice in table.choices.values() for role in (*choice.of, *choice.told)}
    said |= {*table.worked, *table.offered, *(entry.role for entry in table.verbs.values() if entry.role)}
    if wrong := sorted(said - roles().keys()):
        raise DataError(f"acts.yaml: unknown role {wrong[0]!r}")
    if wrong := sorted(set(table.prefixes.values()) - known):
        raise DataError(f"acts.yaml: prefixes: unknown kind of act {wrong[0]!r}")
    if wrong := sorted({word for pair in table.worked.values() for word in pair} - table.choices.keys()):
        raise DataError(f"acts.yaml: worked: unknown choice {wrong[0]!r}")
    if wrong := sorted({word for pair in table.ways for word in pair} ^ table.moved.keys()):
        raise DataError(f"acts.yaml: moved: {wrong[0]!r} is not a choice of a motor, or has no reply")
    return table


@remembered(1024)
def read_act(verb: str) -> VerbMeaning:
    """The act of a canonical verb phrase; `UNKNOWN` for one the protocol does not have."""
    table = acts()
    known = table.verbs.get(verb)
    if known is not None:
        word, role = verb if known.told_as is None else known.told_as, known.role
        return VerbMeaning(ActKind[known.does.upper()], word, PropertyRole(role) if role else None)
    if verb in table.choices:
        return VerbMeaning(ActKind.CHOOSE, verb)
    for prefix, kind in table.prefixes.items():
        if verb.startswith(prefix):
            attribute = verb[len(prefix) :]
            return VerbMeaning(ActKind[kind.upper()], attribute, settable_roles().get(attribute))
    return VerbMeaning(ActKind.UNKNOWN, verb)
