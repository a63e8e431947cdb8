"""Kinds of slots and signals found by code, independent of the domain (hospital.md, "Slots")."""

from __future__ import annotations

PERSON = "person"
"""Somebody by name: of the directory, or told by a title."""
PLACE = "place"
"""A place of the directory."""
TITLED = "titled"
"""A surname with a title, which does not tell who."""
DATE, PERIOD, DURATION = "date", "period", "duration"
NUMBER, LATIN = "number", "latin"
TEXT = "text"
"""A slot that no mention fills."""

NAMED = frozenset({PERSON, PLACE})
"""Kinds of slots that name somebody or some place of the directory."""
DAY_TIMES = (DATE, PERIOD)
"""Kinds of what tells when a task is; the first is the day."""
TIMES = (*DAY_TIMES, DURATION)
"""Kinds of mentions that name no object of a task."""
SLOT_KINDS = NAMED.union(TIMES, (TEXT,))
"""Kinds of slots without a vocabulary; `signal:<name>` and `whom:<name>` point to words of the domain."""
FOUND = NAMED.union(TIMES, (TITLED, NUMBER, LATIN))
"""Signals that need no words in the domain file."""

SIGNAL = "signal:"
"""How kinds of slots begin that words of the domain fill."""
WHOM = "whom:"
"""How kinds of slots begin that name the one whom a task is for, by words of the domain."""
LIKE = "like"
"""Somebody whose time another is to have as well; no kind of a slot."""


def is_object(kind: str) -> bool:
    """Whether a kind is of things (somebody, some place, words of the domain), and no time."""
    return kind in NAMED or kind.startswith((SIGNAL, WHOM))


def signals_of(kind: str) -> tuple[str, ...]:
    """The signals whose words fill a slot of this kind."""
    return tuple(kind.partition(":")[2].split("+")) if kind.startswith((SIGNAL, WHOM)) else ()
