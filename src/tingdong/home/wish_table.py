"""The table of implied wishes, `data/wishes.yaml`: how each is said and what it does (service.md, Token frame)."""

from functools import cache
from pathlib import Path

import msgspec

from context_retrieval.own_words import in_force, near
from tingdong.errors import DataError
from tingdong.home.acts import ActKind, read_act
from tingdong.home.vocabulary import kinds, read_table

__all__ = ["Wish", "WishEntry", "WishStepEntry", "WishTable", "wish_table"]


class Wish(msgspec.Struct, frozen=True):
    """A wish by its key in `data/wishes.yaml`; `label` names it in a reply (热)."""

    key: str
    label: str


class WishStepEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a wish; the fields are told at the head of the file."""

    kinds: tuple[str, ...]
    act: str
    state: str = "any"
    room: str = "here"
    value: str | None = None
    also: str | None = None
    pick: str = "one"
    near: str | None = None
    prefer: tuple[str, ...] = ()


class WishEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One wish: how it is said, and its steps."""

    label: str
    feelings: tuple[str, ...]
    phrases: tuple[str, ...]
    steps: tuple[WishStepEntry, ...]
    blocked: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    do: str = "first"
    signs: tuple[str, ...] = ()
    sure: float = 0.0
    named: tuple[str, ...] = ()
    everywhere: bool = False
    activity: bool = False


class WishTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    degrees: tuple[str, ...]
    endings: tuple[str, ...]
    negations: tuple[str, ...]
    allowed_negations: tuple[str, ...]
    compounds: tuple[str, ...]
    foreign: tuple[str, ...]
    questions: tuple[str, ...]
    question_ends: tuple[str, ...]
    aside: dict[str, tuple[str, ...]]
    sure: float
    talk: float
    wishes: dict[str, WishEntry]


@cache
def wish_table() -> WishTable:
    """The table, read once. Raises `DataError` that names file and key."""
    path = Path(__file__).parent / "data" / "wishes.yaml"
    table = read_table(path, WishTable)
    for key, entry in table.wishes.items():
        for step in entry.steps:
            unknown = [kind for kind in (*step.kinds, *((step.near,) if step.near else ())) if kind not in kinds()]
            if unknown or read_act(step.act).kind is ActKind.UNKNOWN or step.state not in ("on", "off", "any"):
                raise DataError(f"{path.name}: wishes.{key}.steps: {step.act} {step.state} {unknown}")
    return _with_own(table)


def _with_own(table: WishTable) -> WishTable:
    """The table with the phrases of one's own beside those that mean the same. Raises `OwnWordsError`."""
    own, wishes = in_force(), dict(table.wishes)
    for phrase, known in own.wishes.items():
        said = [
            (len(one), key) for key, entry in wishes.items() for one in (*entry.phrases, entry.label) if one in known
        ]
        if not said:
            phrases = [one for entry in wishes.values() for one in entry.phrases]
            raise own.fault(phrase, f"“{known}”不是已知的愿望{near(known, phrases)}")
        _, key = max(said)
        wishes[key] = msgspec.structs.replace(wishes[key], phrases=(*wishes[key].phrases, phrase))
    return msgspec.structs.replace(table, wishes=wishes)
