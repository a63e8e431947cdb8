"""Indirect and misheard wordings and their plain form (`data/restated.yaml`): 别让它出声 is 静音, 一小时候 is
一小时后."""

import re
from functools import cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table
from zhtext.remembering import remembered

__all__ = ["restated"]


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row: a pattern and what stands in its place."""

    said: str
    words: str


@cache
def _rows() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = read_table(Path(__file__).parent / "data" / "restated.yaml", tuple[Row, ...])
    return tuple((re.compile(row.said), row.words) for row in table)


@remembered(1_024)
def restated(text: str) -> str:
    """The text in plain words; the same where no row fits."""
    for pattern, words in _rows():
        text = pattern.sub(words, text)
    return text
