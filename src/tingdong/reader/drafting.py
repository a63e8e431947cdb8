"""What probably comes next in a row, to be run ahead of its turn (speculative decoding).

Where the network leaves the rules' row it mostly comes back to it: the draft is what is left of that row, command by
command, with the parts that were left otherwise put right. Where the rules have nothing to offer, it is the next place
and the next thing of the sentence. A wrong draft costs a little time and changes nothing.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.reader import symbols as s
from tingdong.reader.spots import Spots, value_of, when_of
from tingdong.reader.writing import Row

__all__ = ["Draft"]

_THINGS = frozenset((Kind.DEVICE, Kind.OPEN, Kind.SCENE))
_SORTS = {s.NOT_ROOM: s.ROOM, s.NOT_NAME: s.NAME, s.VALUE_SPAN: s.VALUE}
_INSTEAD = {s.ROOM: s.NAME}
"""Markers that stand in one another's place."""
_LOOKED = 3
"""How many of the rules' commands are looked through for the verb that came."""


class Draft:
    """The items that probably follow those taken so far."""

    __slots__ = ("_later", "_loose", "_now", "_spots", "_starts", "_type_of")

    def __init__(self, spots: Spots, type_of: Callable[[Token], str], row: Row, at: int) -> None:
        """`row`: the rules'; its first `at` items stand."""
        self._spots, self._type_of = spots, type_of
        verbs = [i for i in range(at, len(row)) if s.is_verb(row[i])] + [len(row)]
        self._now: Row = row[at : verbs[0]]
        self._later: list[Row] = [row[start:end] for start, end in pairwise(verbs)]
        self._loose = False
        self._starts: dict[str, list[int]] | None = None

    def items(self) -> Row:
        """The draft: symbols and positions."""
        return [*self._now, *(item for command in self._later for item in command)]

    def came_true(self) -> None:
        """The first item of the draft was taken."""
        if self._now:
            del self._now[0]
        else:
            self._begin(0)

    def missed(self, row: Row, marker: str) -> None:
        """Another item was taken, the last of `row`; `marker`: the one whose pointers are not all there yet, or ""."""
        item = row[-1]
        if isinstance(item, int):
            _drop_pointers(self._now)
            if marker:
                self._now.insert(0, self._end(row, item))
        elif s.is_verb(item):
            self._other_verb(row, item)
        elif s.is_target(item):
            self._close(row)
        else:
            self._inside(row, item, marker)

    def _begin(self, index: int) -> None:
        self._now, self._loose = self._later[index][1:], False
        del self._later[: index + 1]

    def _other_verb(self, row: Row, verb: str) -> None:
        """A command that the rules did not have there: it may stand in place of theirs, or before it."""
        found = next((i for i, command in enumerate(self._later[:_LOOKED]) if command[0] == verb), None)
        if found is not None:
            self._begin(found)
            return
        rest = self._later[0][1:] if self._later else []
        valued = bool(rest) and (rest[0] == s.VALUE or str(rest[0]).startswith("="))
        if verb.startswith("verb:设置"):
            rest = rest if valued else [*self._value(row), *rest]
        elif valued:
            rest = rest[2:] if rest[0] == s.VALUE else rest[1:]
        self._now, self._loose = rest if any(map(s.is_target, rest)) else [*rest, *self._next_thing(row)], True

    def _close(self, row: Row) -> None:
        """A target ends the command; what the rules said of the same thing is said then."""
        start = max(i for i, item in enumerate(row) if s.is_verb(item))
        if self._loose and self._later and _pointed(row[start:]) & _pointed(self._later[0]):
            del self._later[0]
        self._now, self._loose = [], False

    def _inside(self, row: Row, item: str, marker: str) -> None:
        rest = self._now
        if item in rest:
            rest = rest[rest.index(item) + 1 :]
        else:
            if rest and _sort(rest[0]) == _sort(item):
                rest = rest[1:]
                _drop_pointers(rest)
            rest = [*self._pointers(row, marker), *rest]
        self._now = rest if any(map(s.is_target, rest)) else [*rest, *self._target(row, rest)]

    def _pointers(self, row: Row, marker: str) -> Row:
        """Where a marker probably points: at the next token of its sort, or where it pointed the last time."""
        start = self._next(row, _SORTS.get(marker, marker)) if marker else -1
        if start < 0:
            return []
        return [start] if s.POINTERS[marker] == 1 else [start, self._end(row, start)]

    def _value(self, row: Row) -> Row:
        start = self._next(row, s.VALUE)
        return [s.VALUE, start] if start >= 0 else []

    def _next_thing(self, row: Row) -> Row:
        """The next place and the next thing of the sentence, as a command has them."""
        place = self._next(row, s.ROOM)
        room: Row = [s.ROOM, place, self._end(row, place)] if place >= 0 else []
        return [*room, *self._thing(row)]

    def _thing(self, row: Row) -> Row:
        at = max([item for item in row if isinstance(item, int)], default=-1)
        token = next((token for token in self._spots.tokens if token.start > at and token.kind in _THINGS), None)
        if token is None:
            return []
        kind = self._type_of(token)
        return [f"{kind}:all"] if token.value == "*" else [s.NAME, token.start, token.end - 1, f"{kind}:one"]

    def _target(self, row: Row, rest: Row) -> Row:
        """The target of a command whose name is pointed at, or the next one."""
        at = next((item for item in (*reversed(rest), row[-1]) if isinstance(item, int)), -1)
        for token in self._spots.tokens:
            if token.start <= at < token.end and token.kind in _THINGS:
                return [f"{self._type_of(token)}:one"]
        return self._thing(row)[-1:]

    def _end(self, row: Row, start: int) -> int:
        """The last character of the span that begins at `start`."""
        for i in range(len(row) - 2, -1, -1):
            end = row[i + 1]
            if row[i] == start and isinstance(end, int) and end >= start:
                return end
        token = self._spots.at(start)
        return start if token is None else token.end - 1

    def _next(self, row: Row, sort: str) -> int:
        """Where the next token of a sort begins; that of the last one where there is no further, -1 where there is
        none."""
        if self._starts is None:
            self._starts = _starts(self._spots)
        at = -1
        for i in range(len(row) - 2, -1, -1):
            item, start = row[i], row[i + 1]
            if isinstance(item, str) and isinstance(start, int) and _SORTS.get(item, item) == sort:
                at = start
                break
        return next((start for start in self._starts.get(sort, ()) if start > at), at)


def _starts(spots: Spots) -> dict[str, list[int]]:
    """Where the tokens begin that each marker may point at."""
    starts: dict[str, list[int]] = {s.ROOM: [], s.NAME: [], s.VALUE: [], s.WHEN: []}
    for token in spots.tokens:
        if token.kind is Kind.ROOM:
            starts[s.ROOM].append(token.start)
        elif token.kind in _THINGS:
            starts[s.NAME].append(token.start)
        elif when_of(token):
            starts[s.WHEN].append(token.start)
        elif value_of(token, ""):
            starts[s.VALUE].append(token.start)
    return starts


def _pointed(command: Sequence[str | int]) -> set[str | int]:
    """Where names and values of a command point."""
    return {command[i + 1] for i, item in enumerate(command[:-1]) if item in (s.NAME, s.VALUE)}


def _drop_pointers(rest: Row) -> None:
    while rest and isinstance(rest[0], int):
        del rest[0]


def _sort(item: str | int) -> str:
    """Of which sort an item of a row is: a pointer (""), a verb, a value, a target, …"""
    if isinstance(item, int):
        return ""
    return ":" if s.is_target(item) else _INSTEAD.get(item, item[:1] if item.startswith("=") else item)
