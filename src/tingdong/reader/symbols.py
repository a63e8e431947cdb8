"""The reader's output language: a command array as a row of symbols and pointers into the sentence.

One command is `VERB [value] [when] {room} {name} TYPE:Q [count]`; markers (`value`, `room`, `!room` …) are followed by
pointers: one to a token's first character, or two to the ends of a span. No symbols at all mean that nothing is asked.
Rooms, names, values and times are only ever pointed at or taken from closed lists, so none can come out that is not
in the sentence (seed 000: 命令 strings; spec: ACTION, SCOPE, TARGET).
"""

from collections.abc import Sequence
from functools import cached_property

import msgspec

from context_retrieval.models import DeviceType, Quantifier

__all__ = ["END", "MARKERS", "POINTERS", "Symbols", "is_target", "is_verb"]

END = "<end>"
VALUE, VALUE_SPAN, WHEN = "value", "value_span", "when"
ROOM, NOT_ROOM, HERE = "room", "!room", "@here"
NAME, NOT_NAME, LAST = "name", "!name", "@last"
COUNT = "count"
POINTERS = {VALUE: 1, VALUE_SPAN: 2, WHEN: 1, ROOM: 2, NOT_ROOM: 2, NAME: 2, NOT_NAME: 2, COUNT: 1}
"""How many pointers follow a marker."""
MARKERS = (VALUE, VALUE_SPAN, WHEN, ROOM, NOT_ROOM, HERE, NAME, NOT_NAME, LAST, COUNT)
_COUNTS = tuple(range(1, 7))


def is_verb(item: str | int) -> bool:
    """Whether an item of a row begins a command."""
    return isinstance(item, str) and item.startswith("verb:")


def is_target(item: str | int) -> bool:
    """Whether an item of a row is a type with its quantifier, which ends a command but for a count."""
    return isinstance(item, str) and ":" in item and not item.startswith(("verb:", "count:", "="))


class Symbols(msgspec.Struct, frozen=True, dict=True):
    """The closed symbols. `verbs` and `values` come from the training sentences; the rest is the protocol's."""

    verbs: tuple[str, ...]
    values: tuple[str, ...]

    @cached_property
    def all(self) -> tuple[str, ...]:
        """Every symbol; its place is its number. Types and quantifiers are one symbol (`Light:all`)."""
        verbs = tuple(f"verb:{verb}" for verb in self.verbs)
        values = tuple(f"={value}" for value in self.values)
        targets = tuple(f"{kind}:{q}" for kind in DeviceType for q in Quantifier)
        return (END, *MARKERS, *(f"count:{n}" for n in _COUNTS), *targets, *verbs, *values)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each symbol."""
        return {symbol: index for index, symbol in enumerate(self.all)}

    def __len__(self) -> int:
        return len(self.all)

    def numbers(self, row: Sequence[str | int]) -> list[int]:
        """Symbols as their numbers; pointers (positions) stand after all symbols."""
        size = len(self)
        return [self.number[item] if isinstance(item, str) else size + item for item in row]
