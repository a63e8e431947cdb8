"""Changes that are never made in silence: what would be done might be another thing.

They stand in `data/guards.yaml`; `python -m tingdong.hearing` (or `make vocabulary`) writes `data/guards.json`, which
is what is loaded.
"""

from functools import cache

import msgspec

from tingdong.errors import DataError
from tingdong.hearing.heard import HearingRepair
from zhtext.package_data import read_bytes, read_text

__all__ = ["Guards", "compiled", "decides", "guards", "is_delicate", "is_numeral", "load_guards"]


class Guards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`guards.yaml`: characters by what they decide. `kept` must not go, `numerals` not become one another, `opposites`
    not their other, `never_added` must have been heard, `scope` too, also in another word."""

    kept: frozenset[str]
    numerals: frozenset[str]
    opposites: tuple[str, ...]
    never_added: frozenset[str]
    scope: frozenset[str]


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
    from context_retrieval.strict_yaml import (  # slow to import, and only the compiled table serves
        YAMLError,
        parse_yaml,
    )

    try:
        raw = parse_yaml(read_text("tingdong.hearing", "guards.yaml"))
        return msgspec.convert({key: list(row) for key, row in raw.items()}, Guards)
    except (YAMLError, msgspec.ValidationError, AttributeError) as error:
        raise DataError(f"hearing/data/guards.yaml: {error}") from error


def compiled(table: Guards) -> bytes:
    """The table as `data/guards.json` holds it."""
    return msgspec.json.encode(table, order="deterministic") + b"\n"


def is_numeral(text: str) -> bool:
    """Whether the text is one numeral."""
    return text in guards().numerals


def is_delicate(change: HearingRepair, *, scope: bool = True) -> bool:
    """Whether the change must not be made in silence. A character that is taken away was heard twice. `scope` says
    whether what says how much is meant counts."""
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
    """Whether what is done hangs on the character: it neither comes nor goes unheard."""
    table = guards()
    return character in table.never_added or character in table.kept or character in table.numerals


def _without(text: str, other: str) -> str:
    """The characters of a text, less those of another one."""
    for character in other:
        text = text.replace(character, "", 1)
    return text
