"""Changes that are never made in silence: what would be done might be another thing.

They stand in `data/guards.yaml`; `python -m tingdong.hearing` (or `make vocabulary`) writes `data/guards.json`, which
is what is loaded.
"""

from functools import cache

import msgspec

from tingdong.errors import DataError
from tingdong.hearing.heard import Change
from zhtext.package_data import read_bytes, read_text

__all__ = ["Guards", "compiled", "guards", "is_delicate", "is_numeral", "load_guards"]


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


def is_delicate(change: Change) -> bool:
    """Whether the change must not be made in silence."""
    table, heard, understood = guards(), change.heard, change.understood
    if len(understood) > 1 and understood[1:] == heard:  # a lost character filled in
        return understood[0] in table.never_added
    if not understood:  # a doubled one taken away: the other one stays
        return heard in table.numerals
    if heard in table.kept and understood not in table.kept:
        return True
    if understood in table.scope and heard not in table.scope:
        return True
    if heard in table.numerals and understood in table.numerals:
        return True
    return any(heard in pair and understood in pair for pair in table.opposites)
