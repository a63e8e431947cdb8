"""Turns with a label for each stretch: `words/code words/code`, one turn per line (the labelled dialogues).

A stretch ends at its `/code`, the last one at the end of the turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tingdong.errors import DataError

_STRETCH = re.compile(r"(.+?)(?:/(\S)|$)")


class Stretch(NamedTuple):
    """Characters `start`..`end` of a turn, and what they are."""

    start: int
    end: int
    label: str


class TurnStretches(NamedTuple):
    """A turn as it was said, with its stretches in order."""

    text: str
    stretches: tuple[Stretch, ...]

    def label_of(self, start: int, end: int) -> int:
        """The place of the stretch that holds most of the characters `start`..`end`."""
        shares = [min(end, told.end) - max(start, told.start) for told in self.stretches]
        return max(range(len(shares)), key=lambda place: shares[place])


def spoken(line: str, codes: Mapping[str, str], unsaid: str, where: str) -> TurnStretches:
    """The turn of a line. `codes` gives the label of a code, `unsaid` is that of a line without any.

    Raises:
        DataError: a stretch has a code that is not known; names `where`.
    """
    text = ""
    stretches: list[Stretch] = []
    for words, code in _STRETCH.findall(line):
        if code and code not in codes:
            raise DataError(f"{where}: {code!r} is not a code of a span", path=where)
        if code or not stretches:
            label = codes[code] if code else unsaid
            stretches.append(Stretch(len(text), len(text) + len(words), label))
        else:
            stretches[-1] = stretches[-1]._replace(end=len(text) + len(words))
        text += words
    return TurnStretches(text, tuple(stretches))
