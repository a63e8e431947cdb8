"""Changes that need a question because they could change what is done.

The table is `data/guards.yaml`; `python -m tingdong.hearing` (or `make vocabulary`) compiles it to `data/guards.json`,
which is loaded.
"""

from functools import cache

import msgspec

from tingdong.errors import DataError
from tingdong.hearing.heard import HearingRepair
from tingdong.hearing.signs import MARKS
from zhtext.clock import find_times
from zhtext.numerals import NUMERAL_START
from zhtext.package_data import read_bytes, read_text
from zhtext.quantities import QuantityKind, find_quantities

__all__ = [
    "Guards",
    "changes_number",
    "compiled",
    "decides",
    "guards",
    "is_confirmed",
    "is_counted",
    "is_delicate",
    "is_numeral",
    "load_guards",
    "refuses",
    "stands_beside",
    "turns",
]


class Guards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`guards.yaml`: characters by what they decide. `kept` must not go, `numerals` not become one another, `opposites`
    not their other, `never_added` must have been heard, `scope` too, also in another word; what stands
    `before_numbers` or `behind_numbers` is no part of them; `paired` signs confirm each other."""

    kept: frozenset[str]
    numerals: frozenset[str]
    opposites: tuple[str, ...]
    never_added: frozenset[str]
    scope: frozenset[str]
    before_numbers: frozenset[str]
    behind_numbers: frozenset[str]
    paired: tuple[str, ...]
    doings: tuple[str, ...] = ()
    """What things of any kind do (捶背 of a massage chair), from `kinds.yaml`: never heard as something else."""


@cache
def guards() -> Guards:
    """The shipped table, as compiled. Raises `DataError` where it is broken."""
    try:
        return msgspec.json.decode(read_bytes("tingdong.hearing", "guards.json"), type=Guards)
    except msgspec.MsgspecError as error:
        raise DataError(f"hearing/data/guards.json: {error}") from error


@cache
def load_guards() -> Guards:
    """The table of `data/guards.yaml`. Raises `DataError` where it is broken."""
    from context_retrieval.kind_table import kind_table
    from context_retrieval.strict_yaml import (  # slow to import, and only the compiled table serves
        YAMLError,
        parse_yaml,
    )
    from context_retrieval.works import spoken_works

    try:
        raw = parse_yaml(read_text("tingdong.hearing", "guards.yaml"))
        does = (word for kind in kind_table().kinds.values() for word in kind.does)
        doings = tuple(dict.fromkeys((*does, *spoken_works())))
        return msgspec.convert({**{key: list(row) for key, row in raw.items()}, "doings": doings}, Guards)
    except (YAMLError, msgspec.ValidationError, AttributeError) as error:
        raise DataError(f"hearing/data/guards.yaml: {error}") from error


def compiled(table: Guards) -> bytes:
    """The table as `data/guards.json` holds it."""
    return msgspec.json.encode(table, order="deterministic") + b"\n"


def is_numeral(text: str) -> bool:
    """Whether the text is one numeral."""
    return text in guards().numerals


def is_delicate(change: HearingRepair, *, scope: bool = True) -> bool:
    """Whether the change needs a question. A removed character is a doubled one; `scope` says whether words of quantity
    count."""
    table = guards()
    gone, come = _without(change.heard, change.understood), _without(change.understood, change.heard)
    if not gone:
        return not table.never_added.isdisjoint(come)
    if not come:
        return not table.numerals.isdisjoint(gone)
    if table.kept.intersection(gone) and not table.kept.intersection(come):
        return True
    if scope and table.scope.intersection(come) and not table.scope.intersection(gone):
        return True
    if table.numerals.intersection(gone) and table.numerals.intersection(come):
        return True
    return any(
        (pair[0] in gone and pair[1] in come) or (pair[1] in gone and pair[0] in come) for pair in table.opposites
    )


def decides(character: str) -> bool:
    """Whether the character decides what is done, so that it must not appear or vanish silently."""
    table = guards()
    return character in table.never_added or character in table.kept or character in table.numerals


def stands_beside(text: str, at: int) -> bool:
    """Whether people say what stands at a place of the text before numbers or behind them, and it is not within one."""
    behind, before = is_numeral(text[at - 1 : at]), is_numeral(text[at + 1 : at + 2])
    return behind != before and text[at] in (guards().behind_numbers if behind else guards().before_numbers)


def is_confirmed(text: str, at: int) -> bool:
    """Whether the following text confirms the character at a place."""
    return any(text[at] == pair[0] and pair[1] in text[at + 1 :] for pair in guards().paired)


def turns(character: str) -> bool:
    """Whether the character makes a request a question or a refusal."""
    return character in guards().kept and character not in guards().scope


def refuses(text: str, other: str) -> bool:
    """Whether the text has a sign of a question or a refusal that the other has not."""
    return any(map(turns, set(text).difference(other)))


def changes_number(text: str, heard: str, *, certain: bool, beside: bool) -> bool:
    """Whether the text says another number than what was `heard` instead: one that was heard whole is gone, or one
    appears that nobody waited for.

    A unit that waited for its number (三十而度, 石分钟) has said none. What is `certain` may be part of one, unless
    what was heard is a word that people say `beside` numbers.
    """
    if not NUMERAL_START.search(text + heard):
        return False
    numbers, others = _numbers_in(text), _numbers_in(heard)
    gone, come = others - numbers, numbers - others
    alone = any(kind == QuantityKind.NUMBER for kind, _ in come)
    certain = certain and not (others and beside)
    if come and {value for _, value in come} <= {value for _, value in gone}:
        return False  # its unit was misheard
    if gone:
        whole = alone or any(kind != QuantityKind.NUMBER for kind, _ in gone)
        return not (come and certain) and (whole or not certain)
    return alone and not certain


def _numbers_in(text: str) -> set[tuple[str, object]]:
    """Quantities and times of day of a text, by their kinds."""
    clock = {("time", (one.hour, one.minute)) for one in find_times(text) if one.hour is not None}
    return clock.union((one.kind, one.value) for one in find_quantities(text))


def is_counted(text: str) -> bool:
    """Whether the text ends in a clause with a count."""
    clause = text[max(map(text.rfind, MARKS)) + 1 :]
    return any(one.kind == QuantityKind.COUNT and one.value > 1 for one in find_quantities(clause))


def _without(text: str, other: str) -> str:
    """The characters of a text, less those of another one."""
    for character in other:
        text = text.replace(character, "", 1)
    return text
