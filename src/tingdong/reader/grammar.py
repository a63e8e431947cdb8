"""What may follow in a row: the command grammar as a table (spec: ACTION, SCOPE, TARGET; symbols.py has the language).

`Grammar.legal` gives the symbols, or the positions, that may come next, so that no invalid command can be decoded.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tingdong.commands.words import Kind
from tingdong.reader import symbols as s
from tingdong.reader.spots import Spots, count_of, value_of, when_of

__all__ = ["Grammar", "Legal", "Places", "last_marker"]

Legal = tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None]
"""Which symbols, or which positions, may come next; exactly one of the two is given."""

_State = tuple[str, int, bool, bool, bool, tuple[bool, bool]]
"""Verb, stage, whether something is excluded, named, here, and what the sentence has to point at."""
LONGEST_NAME = 14
MAX_COMMANDS = 12
_NO_NAME = frozenset((Kind.BREAK, Kind.WHEN))


class Grammar:
    """The states of a row and the symbols each allows; one per set of symbols."""

    def __init__(self, symbols: s.Symbols) -> None:
        self.symbols = symbols
        names = symbols.all
        self._verbs = np.array([s.is_verb(name) for name in names])
        self._values = np.array([name.startswith("=") for name in names])
        self._targets = np.array([s.is_target(name) for name in names])
        self._except = self._targets & np.array([name.endswith(":except") for name in names])
        self._counts = np.array([name.startswith("count:") for name in names])
        self._one = {name: index for index, name in enumerate(names)}
        self._known: dict[_State, NDArray[np.bool_]] = {}

    def _these(self, *names: str) -> NDArray[np.bool_]:
        out = np.zeros(len(self._verbs), bool)
        out[[self._one[name] for name in names]] = True
        return out

    def legal(self, row: Sequence[str | int], places: "Places") -> Legal:
        """What may come after `row`."""
        command = _last_command(row)
        marker, pointers = last_marker(command)
        if marker:
            return None, places.legal(marker, command, pointers)
        return self._after(row, command, places), None

    def _after(self, row: Sequence[str | int], command: Sequence[str | int], places: "Places") -> NDArray[np.bool_]:
        if not command:
            return self._verbs | self._these(s.END)
        said = [item for item in command if isinstance(item, str)]
        last = said[-1]
        if s.is_target(last) or last == s.COUNT or last.startswith("count:"):
            end = self._these(s.END)
            many = sum(map(s.is_verb, row)) >= MAX_COMMANDS
            after = end if many else self._verbs | end
            if s.is_target(last) and last.endswith(":any"):
                after = after | self._counts | (self._these(s.COUNT) if places.counts.any() else False)
            return after
        return self._inside(said, places)

    def _inside(self, said: Sequence[str], places: "Places") -> NDArray[np.bool_]:
        """Within a command: value, time, rooms, name, then the target."""
        excluding = s.NOT_ROOM in said or s.NOT_NAME in said
        named = s.NAME in said or s.LAST in said
        state = said[0].removeprefix("verb:"), _stage(said[-1]), excluding, named, s.HERE in said, places.has
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._allowed(state)
        return known

    def _allowed(self, state: _State) -> NDArray[np.bool_]:
        """What a state within a command allows."""
        verb, stage, excluding, named, here, has = state
        allowed = np.zeros(len(self._verbs), bool)
        must = stage == 0 and verb.startswith("设置")
        if stage == 0 and verb.startswith(("设置", "调高", "调低")):
            allowed |= self._values | self._these(s.VALUE_SPAN)
            if has[0]:
                allowed |= self._these(s.VALUE)
        if must:
            return allowed
        if stage <= 1 and has[1]:
            allowed |= self._these(s.WHEN)
        if stage <= 2:
            allowed |= self._these(s.HERE)
        if stage <= 3 and not here:
            allowed |= self._these(s.ROOM)
        if stage <= 4 and not here:
            allowed |= self._these(s.NOT_ROOM)
        if stage <= 4 and not named:
            allowed |= self._these(s.NAME, s.LAST)
        if stage <= 5 and not named:
            allowed |= self._these(s.NOT_NAME)
        allowed |= self._except if excluding else self._targets & ~self._except
        if verb == "执行" and not named:
            allowed &= ~self._targets & ~self._these(s.LAST)
        return allowed

    def completed(self, row: Sequence[str | int]) -> Sequence[str | int]:
        """The row without what follows its last whole command: all of it but where it was broken off."""
        targets = [i for i, item in enumerate(row) if s.is_target(item)]
        end = targets[-1] + 1 if targets else 0
        if end < len(row):
            said = str(row[end])
            end += 2 if said == s.COUNT and end + 1 < len(row) else 1 if said.startswith("count:") else 0
        return row[:end]


class Places:
    """Where in a sentence each kind of pointer may point."""

    def __init__(self, spots: Spots, size: int | None = None) -> None:
        length = len(spots.text) if size is None else size
        self.values, self.times, self.counts, self.words = (np.zeros(length, bool) for _ in range(4))
        self.words[:] = True
        for token in spots.tokens:
            self.values[token.start] = bool(value_of(token, ""))
            self.times[token.start] = bool(when_of(token))
            self.counts[token.start] = count_of(token) > 0
            if token.kind in _NO_NAME:
                self.words[token.start : token.end] = False
        self.has = bool(self.values.any()), bool(self.times.any())

    def legal(self, marker: str, command: Sequence[str | int], pointers: int) -> NDArray[np.bool_]:
        """The positions that the next pointer of a marker may have."""
        if marker == s.VALUE:
            return self.values
        if marker == s.WHEN:
            return self.times
        if marker == s.COUNT:
            return self.counts
        if pointers == 0:
            return self.words
        first = int(command[-1])
        legal = np.zeros(len(self.words), bool)
        end = first
        while end < len(self.words) and end - first < LONGEST_NAME and self.words[end]:
            legal[end] = True
            end += 1
        return legal


def _last_command(row: Sequence[str | int]) -> Sequence[str | int]:
    for index in range(len(row) - 1, -1, -1):
        if s.is_verb(row[index]):
            return row[index:]
    return ()


def last_marker(command: Sequence[str | int]) -> tuple[str, int]:
    """The marker whose pointers are not all there yet, and how many are; "" where none is open."""
    for count, item in enumerate(reversed(command)):
        if isinstance(item, str):
            return (item, count) if s.POINTERS.get(item, 0) > count else ("", 0)
    return "", 0


def _stage(last: str) -> int:
    """How far a command is: 0 verb, 1 value, 2 time, 3 a room, 4 rooms end, 5 an excluded name, 6 named."""
    if s.is_verb(last):
        return 0
    if last.startswith("=") or last in (s.VALUE, s.VALUE_SPAN):
        return 1
    return {s.WHEN: 2, s.ROOM: 3, s.HERE: 4, s.NOT_ROOM: 4, s.NOT_NAME: 5}.get(last, 6)
