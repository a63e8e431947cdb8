"""Between command arrays and rows of symbols and pointers: `to_row` for training and scoring, `Writer` for reading.

`to_row` gives None where the array cannot be said by pointing into the sentence (a name that is not in it).
"""

from collections.abc import Callable, Iterable, Sequence

from context_retrieval.models import LAST_NAME, Action, Command, DeviceType, Quantifier, Scope, Target
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.reader import symbols as s
from tingdong.reader.spots import SentenceSpotter, Spots, count_of, value_of, when_of
from zhtext.durations import Duration, TimeUnit
from zhtext.normalise import fold

__all__ = ["Row", "RowWriter", "attribute_of"]

Row = list[str | int]
"""Symbols, and positions in the sentence."""

_SETTING = ("设置", "调高", "调低")


def attribute_of(verb: str) -> str:
    """What a verb sets (亮度 of 设置亮度); "" for 设置 and for verbs that set nothing."""
    return verb[2:] if verb.startswith(_SETTING) else ""


class RowWriter:
    """Writes rows for one sentence, and commands from rows of it."""

    def __init__(self, spotter: SentenceSpotter, spots: Spots, symbols: s.Symbols) -> None:
        self._spotter = spotter
        self._spots = spots
        self._symbols = symbols
        self._folded = fold(spots.text)

    def to_row(self, commands: Iterable[Command]) -> Row | None:
        """The row that says the commands; None where it cannot be said."""
        row: Row = []
        self._from = 0
        for command in commands:
            parts = (self._action(command.action), self._scope(command.scope), self._target(command.target))
            for part in parts:
                if part is None:
                    return None
                row += part
        return row

    def _action(self, action: Action) -> Row | None:
        symbol = f"verb:{action.verb}"
        if symbol not in self._symbols.number:
            return None
        row: Row = [symbol]
        if action.value is not None:
            value = self._value(action.verb, action.value)
            if value is None:
                return None
            row += value
        if action.when is not None:
            at = self._first(lambda token: _same_time(when_of(token), action.when or ""))
            if at is None:
                return None
            row += [s.WHEN, at]
        return row

    def _value(self, verb: str, value: str) -> Row | None:
        unit = self._spotter.unit(attribute_of(verb))
        at = self._first(lambda token: value_of(token, unit) == value)
        if at is not None:
            return [s.VALUE, at]
        if f"={value}" in self._symbols.number:
            return [f"={value}"]
        span = self._span(value)
        return [s.VALUE_SPAN, *span] if span else None

    def _scope(self, scope: Scope) -> Row | None:
        row: Row = [s.HERE] if scope.here else []
        for marker, rooms in ((s.ROOM, scope.include), (s.NOT_ROOM, scope.exclude)):
            for room in rooms:
                span = self._span(room)
                if span is None:
                    return None
                row += [marker, *span]
        return row

    def _target(self, target: Target) -> Row | None:
        row: Row = []
        if target.is_last:
            row.append(s.LAST)
        elif target.name != "*":
            span = self._span(target.name)
            if span is None:
                return None
            row += [s.NAME, *span]
        for name in target.excluded:
            span = self._span(name)
            if span is None:
                return None
            row += [s.NOT_NAME, *span]
        row.append(f"{target.type}:{target.quantifier}")
        if target.count is not None:
            count = target.count
            at = self._first(lambda token: count_of(token) == count)
            if at is None and f"count:{count}" not in self._symbols.number:
                return None
            row += [s.COUNT, at] if at is not None else [f"count:{count}"]
        return row

    def _first(self, fits: Callable[[Token], bool]) -> int | None:
        """Where the first fitting token begins, from the last one pointed at on; else the first of all."""
        starts = [token.start for token in self._spots.tokens if fits(token)]
        found = next((start for start in starts if start >= self._from), starts[0] if starts else None)
        if found is not None:
            self._from = found
        return found

    def _span(self, text: str) -> tuple[int, int] | None:
        """First and last position of the words, where they are said whole if anywhere."""
        folded = fold(text)
        whole = [t.start for t in self._spots.tokens if self._spoken(t) == folded]
        if whole:
            start = next((at for at in whole if at >= self._from), whole[0])
            token = self._spots.at(start)
            if token is not None and self._folded[token.start : token.end] != folded:
                return token.start, token.end - 1
        else:
            start = self._folded.find(folded, self._from)
            start = self._folded.find(folded) if start < 0 else start
        if start < 0:
            return None
        self._from = start
        return start, start + len(folded) - 1

    def _spoken(self, token: Token) -> str:
        return fold(self.words(token.start, token.end - 1))

    def words(self, first: int, last: int) -> str:
        """The name or room that a span says: a known word as it is written, else the characters."""
        token = self._spots.spanning(first, last + 1)
        said = self._spots.text[first : last + 1]
        if token is None or token.kind not in (Kind.ROOM, Kind.DEVICE, Kind.SCENE) or token.value in ("", "*"):
            return said
        return said if said.casefold() == token.value.casefold() else token.value

    def commands(self, row: Sequence[str | int]) -> tuple[Command, ...]:
        """The commands that a grammatical row says."""
        found: list[Command] = []
        at = 0
        while at < len(row):
            end = at + 1
            while end < len(row) and not s.is_verb(row[end]):
                end += 1
            found.append(self._command(row[at:end]))
            at = end
        return tuple(dict.fromkeys(found))

    def _command(self, row: Sequence[str | int]) -> Command:
        verb = str(row[0]).removeprefix("verb:")
        value = when = None
        rooms: dict[str, list[str]] = {s.ROOM: [], s.NOT_ROOM: [], s.NAME: [], s.NOT_NAME: []}
        name, here, count = "*", False, None
        kind, quantifier = DeviceType.UNKNOWN, Quantifier.ONE
        at = 1
        while at < len(row):
            symbol = str(row[at])
            taken = [int(item) for item in row[at + 1 : at + 1 + s.POINTERS.get(symbol, 0)]]
            at += 1 + len(taken)
            token = self._spots.at(taken[0]) if len(taken) == 1 else None
            if symbol == s.VALUE and token is not None:
                value = value_of(token, self._spotter.unit(attribute_of(verb)))
            elif symbol == s.WHEN and token is not None:
                when = when_of(token)
            elif symbol == s.COUNT and token is not None:
                count = count_of(token)
            elif symbol == s.VALUE_SPAN:
                value = self._spots.text[taken[0] : taken[1] + 1]
            elif symbol in rooms:
                rooms[symbol].append(self.words(*taken))
            elif symbol == s.HERE:
                here = True
            elif symbol == s.LAST:
                name = LAST_NAME
            elif symbol.startswith("="):
                value = symbol[1:]
            elif symbol.startswith("count:"):
                count = int(symbol[6:])
            else:
                first, second = symbol.split(":")
                kind, quantifier = DeviceType(first), Quantifier(second)
        name = rooms[s.NAME][0] if rooms[s.NAME] else name
        scope = Scope(tuple(rooms[s.ROOM]), tuple(rooms[s.NOT_ROOM]), here)
        return Command(
            Action(verb, value, when), scope, Target(name, kind, quantifier, count, tuple(rooms[s.NOT_NAME]))
        )


def _same_time(said: str, wanted: str) -> bool:
    return bool(said) and (said == wanted or _seconds(said) == _seconds(wanted) != 0)


def _seconds(when: str) -> float:
    """A delay in seconds, so that 60分钟后 is 1小时后; 0 for what is no delay."""
    for unit in (TimeUnit.SECOND, TimeUnit.MINUTE, TimeUnit.HOUR):
        number = when.removesuffix(f"{unit}后")
        if number != when and number.isdigit():
            return Duration(float(number), unit).seconds
    return 0.0
