"""Commands as slots: a fixed number of places, each one command, all filled at once (architecture, the reading tiers).

Slot *i* is command *i*; the first slot without a verb ends the array. Every choice of a slot is a class of a closed
list, or a position of the sentence: rooms, names, numbers and times are only ever pointed at, so none can come out that
is not in the sentence (commands.md: 命令 strings; spec: ACTION, SCOPE, TARGET).
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from context_retrieval.models import DeviceType, Quantifier

__all__ = [
    "CHOICES", "EXCLUDED_NAME", "EXCLUDED_ROOM", "MARKS", "MOODS", "NOTHING", "POINTED", "POINTERS", "ROOM", "SETTING",
    "SLOTS", "Alphabet", "Mark", "Slot", "Span", "columns_of", "mood_of",
]  # fmt: skip

SLOTS = 8
"""Commands of one sentence at most."""
CHOICES = ("verb", "value", "when", "name", "target", "count", "here")
"""The closed choices of a slot, in this order."""
POINTERS = ("value", "when", "name", "count")
"""What a slot points at with one position; a name, and a value of plain words, goes on to an end."""
ROOM, EXCLUDED_ROOM, EXCLUDED_NAME = 1, 2, 3
MARKS = 4
"""What the character that begins a span may be to a slot: nothing, a room, a room left out, a name left out."""
NO_VALUE, VALUE_TOKEN, VALUE_SPAN, CLOSED_VALUE = 0, 1, 2, 3
NO_NAME, LAST, NAMED = 0, 1, 2
NO_COUNT, COUNT_TOKEN, CLOSED_COUNT = 0, 1, 2
POINTED = ((1, (VALUE_TOKEN, VALUE_SPAN)), (2, (1,)), (3, (NAMED,)), (5, (COUNT_TOKEN,)))
"""Of each pointer the choice that makes use of it, and with which classes."""
SETTING = ("设置", "调高", "调低")
"""How verbs begin that set an attribute."""
MOST = 6
"""The largest number of devices that need not be a number in the sentence (a pair)."""

Span = tuple[int, int]
"""First and last position."""
Mark = tuple[int, int, int]
"""Kind of mark, first and last position."""

NOTHING = ("no_request", "negated", "when_not_expressible", "happened", "asked", "not_addressed", "cancelled",
           "other_domain")  # fmt: skip
"""Why a sentence may ask for nothing."""
MOODS = ("request", "question", *NOTHING)


class Slot(msgspec.Struct, frozen=True):
    """One command as numbers of classes and positions (-1: nowhere)."""

    verb: int = 0
    value: int = NO_VALUE
    when: int = 0
    name: int = NO_NAME
    target: int = 0
    count: int = NO_COUNT
    here: int = 0
    value_at: Span = (-1, -1)
    when_at: int = -1
    name_at: Span = (-1, -1)
    count_at: int = -1
    marks: tuple[Mark, ...] = ()

    def choices(self) -> tuple[int, ...]:
        """The classes, in the order of `CHOICES`."""
        return self.verb, self.value, self.when, self.name, self.target, self.count, self.here

    def pointers(self) -> tuple[int, ...]:
        """The positions, in the order of `POINTERS`."""
        return self.value_at[0], self.when_at, self.name_at[0], self.count_at

    def spans(self) -> tuple[Span, ...]:
        """Everything pointed at that has an end of its own."""
        value = (self.value_at,) if self.value == VALUE_SPAN else ()
        name = (self.name_at,) if self.name == NAMED else ()
        return (*value, *name, *((first, last) for _, first, last in self.marks))


class Alphabet(msgspec.Struct, frozen=True, dict=True):
    """The closed classes. `verbs` and `values` come from the training sentences; the rest is the protocol's."""

    verbs: tuple[str, ...]
    values: tuple[str, ...]

    @cached_property
    def targets(self) -> tuple[tuple[DeviceType, Quantifier], ...]:
        """Types with their quantifiers."""
        return tuple((kind, quantifier) for kind in DeviceType for quantifier in Quantifier)

    @cached_property
    def verb_number(self) -> dict[str, int]:
        """Verb to class; 0 is none."""
        return {verb: i + 1 for i, verb in enumerate(self.verbs)}

    @cached_property
    def value_number(self) -> dict[str, int]:
        """Value to class, behind the closed ones."""
        return {value: i + CLOSED_VALUE for i, value in enumerate(self.values)}

    @cached_property
    def target_number(self) -> dict[tuple[DeviceType, Quantifier], int]:
        """Type and quantifier to class."""
        return {target: i for i, target in enumerate(self.targets)}

    def sizes(self) -> tuple[int, ...]:
        """How many classes each choice has, in the order of `CHOICES`."""
        return (1 + len(self.verbs), CLOSED_VALUE + len(self.values), 2, 3, len(self.targets), CLOSED_COUNT + MOST, 2)


def mood_of(verbs: Iterable[str]) -> str:
    """The mood of a sentence whose commands have these verbs."""
    return "question" if all(verb.startswith("查询") for verb in verbs) else "request"


def columns_of(sizes: Sequence[int]) -> list[slice]:
    """The column of each choice among the classes laid side by side."""
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
