"""Weights of the facts against a request, and the words they use (`data/accounting.yaml`)."""

from functools import cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table

__all__ = ["AccountingTable", "Fact", "Thresholds", "accounting_table"]


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which sum on it is asked: of any request, and of one on what is protected or risky."""

    any: float
    risky: float


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a fact weighs; a `grave` one is expected to be enough by itself."""

    weight: float
    grave: bool = False


class AccountingTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`accounting.yaml`; the words are told there."""

    empty: frozenset[str]
    plural: frozenset[str]
    alike: tuple[str, ...]
    describing: str
    relative: frozenset[str]
    ask: Thresholds
    facts: dict[str, Fact]


@cache
def accounting_table() -> AccountingTable:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "accounting.yaml", AccountingTable)
