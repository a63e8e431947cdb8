"""Dialogues with every stretch labelled: what a turn's reading is learned from (hospital.md, Segments).

A file of lines. `= d doc-direct` gives an agent its code; `- words/code words/code` is a turn of a dialogue, a line
without `-` a dialogue of one turn; an empty line ends a dialogue, `#` begins a comment. A stretch reaches up to its
`/code`, the last one up to the end of the turn. Codes besides those of agents are `CODES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tingdong.front_desk.model import CueKind
from tingdong.learned.stretches import TurnStretches, spoken

ANSWER = "answer"
"""A stretch that tells of what is open already: a value that is missing, a correction, one detail more."""
BACKGROUND = "background"
"""A stretch that is no task and acts on nothing."""
RETURN = "return"
"""A stretch that points back at a task: one that was put off, or one of some time ago."""

ACTS = {
    kind.value: kind
    for kind in (
        CueKind.CONFIRM,
        CueKind.DENY,
        CueKind.CANCEL,
        CueKind.COMPLETE,
        CueKind.ALL_DONE,
        CueKind.UNDONE,
        CueKind.PUT_OFF,
        CueKind.FORMER,
        CueKind.LATTER,
        CueKind.BOTH,
        CueKind.EITHER,
        CueKind.NEITHER,
        CueKind.REFUSE,
        CueKind.OVERVIEW,
    )
}
"""Labels of stretches that act on the dialogue."""

CODES = {
    "=": ANSWER,
    "b": BACKGROUND,
    "o": RETURN,
    "y": CueKind.CONFIRM.value,
    "n": CueKind.DENY.value,
    "c": CueKind.CANCEL.value,
    "f": CueKind.COMPLETE.value,
    "a": CueKind.ALL_DONE.value,
    "u": CueKind.UNDONE.value,
    "l": CueKind.PUT_OFF.value,
    "1": CueKind.FORMER.value,
    "2": CueKind.LATTER.value,
    "B": CueKind.BOTH.value,
    "E": CueKind.EITHER.value,
    "N": CueKind.NEITHER.value,
    "x": CueKind.REFUSE.value,
    "v": CueKind.OVERVIEW.value,
}
"""Codes that every file knows."""


def dialogues(path: Path) -> Iterator[list[TurnStretches]]:
    """The dialogues of a file.

    Raises:
        DataError: a stretch has a code that is not known; names file and line.
    """
    codes = dict(CODES)
    turns: list[TurnStretches] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        said = line.strip()
        if said.startswith("= "):
            _, code, agent = said.split()
            codes[code] = agent
        elif not said or not said.startswith("- "):
            if turns:
                yield turns
            turns = []
            if said and not said.startswith("#"):
                yield [spoken(said, codes, BACKGROUND, f"{path.name}:{number}")]
        else:
            turns.append(spoken(said.removeprefix("- "), codes, BACKGROUND, f"{path.name}:{number}"))
    if turns:
        yield turns
