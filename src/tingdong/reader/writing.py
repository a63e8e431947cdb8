"""Between command arrays and slots: `slots_of` for training and scoring, `commands_of` for reading.

`slots_of` gives None where the array cannot be said by pointing into the sentence (a name that is not in it).
"""

from collections.abc import Callable, Iterable, Sequence

from context_retrieval.models import LAST_NAME, Action, Command, Scope, Target
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.reader import slots as s
from tingdong.reader.spots import SentenceSpotter, SentenceTokens, count_of, value_of, when_of
from zhtext.durations import Duration, TimeUnit
from zhtext.normalise import fold

__all__ = ["SlotWriter", "set_by"]


def set_by(verb: str) -> str:
    """What a verb sets (亮度 of 设置亮度); "" for 设置 and for verbs that set nothing."""
    return verb[2:] if verb.startswith(s.SETTING) else ""


class _Unsaid(Exception):
    """A part of a command cannot be said by pointing."""


class SlotWriter:
    """Writes slots for one sentence, and commands from slots of it."""

    def __init__(self, spotter: SentenceSpotter, spots: SentenceTokens, alphabet: s.Alphabet) -> None:
        self._spotter = spotter
        self._spots = spots
        self._alphabet = alphabet

    def slots_of(self, commands: Iterable[Command]) -> tuple[s.Slot, ...] | None:
        """The slots that say the commands; None where they cannot be said."""
        self._from, self._folded = 0, fold(self._spots.text)
        try:
            found = tuple(self._slot(command) for command in commands)
        except _Unsaid:
            return None
        return found if len(found) < s.SLOTS else None

    def _slot(self, command: Command) -> s.Slot:
        action, scope, target = command.action, command.scope, command.target
        verb = self._alphabet.verb_number.get(action.verb)
        if verb is None:
            raise _Unsaid
        value, value_at = self._value(action) if action.value is not None else (s.NO_VALUE, (-1, -1))
        when_at = -1 if action.when is None else self._when(action.when)
        marks = [(s.ROOM, *self._span(room)) for room in scope.include]
        marks += [(s.EXCLUDED_ROOM, *self._span(room)) for room in scope.exclude]
        name, name_at = s.NO_NAME, (-1, -1)
        if target.is_last:
            name = s.LAST
        elif target.name != "*":
            name, name_at = s.NAMED, self._span(target.name)
        marks += [(s.EXCLUDED_NAME, *self._span(left)) for left in target.excluded]
        count, count_at = self._count(target.count) if target.count is not None else (s.NO_COUNT, -1)
        kind = self._alphabet.target_number[target.type, target.quantifier]
        return s.Slot(verb, value, int(when_at >= 0), name, kind, count, int(scope.here),
                      value_at, when_at, name_at, count_at, tuple(marks))  # fmt: skip

    def _value(self, action: Action) -> tuple[int, s.Span]:
        said = action.value or ""
        unit = self._spotter.unit(set_by(action.verb))
        at = self._first(lambda token: value_of(token, unit) == said)
        if at is not None:
            return s.VALUE_TOKEN, (at, -1)
        closed = self._alphabet.value_number.get(said)
        return (s.VALUE_SPAN, self._span(said)) if closed is None else (closed, (-1, -1))

    def _when(self, when: str) -> int:
        at = self._first(lambda token: _same_time(when_of(token), when))
        if at is None:
            raise _Unsaid
        return at

    def _count(self, count: int) -> tuple[int, int]:
        at = self._first(lambda token: count_of(token) == count)
        if at is not None:
            return s.COUNT_TOKEN, at
        if not 0 < count <= s.MOST:
            raise _Unsaid
        return s.CLOSED_COUNT + count - 1, -1

    def _first(self, fits: Callable[[Token], bool]) -> int | None:
        """Where the first fitting token begins, from the last one pointed at on; else the first of all."""
        starts = [token.start for token in self._spots.tokens if fits(token)]
        found = next((start for start in starts if start >= self._from), starts[0] if starts else None)
        if found is not None:
            self._from = found
        return found

    def _span(self, text: str) -> s.Span:
        """First and last position of the words, where they are said whole if anywhere."""
        folded = fold(text)
        whole = [t.start for t in self._spots.tokens if fold(self.words(t.start, t.end - 1)) == folded]
        if whole:
            start = next((at for at in whole if at >= self._from), whole[0])
            token = self._spots.at(start)
            if token is not None and self._folded[token.start : token.end] != folded:
                return token.start, token.end - 1
        else:
            start = self._folded.find(folded, self._from)
            start = self._folded.find(folded) if start < 0 else start
        if start < 0:
            raise _Unsaid
        self._from = start
        return start, start + len(folded) - 1

    def words(self, first: int, last: int) -> str:
        """The name or room that a span says: a known word as it is written, else the characters."""
        token = self._spots.spanning(first, last + 1)
        said = self._spots.text[first : last + 1]
        if token is None or token.kind not in (Kind.ROOM, Kind.DEVICE, Kind.SCENE) or token.value in ("", "*"):
            return said
        return said if said.casefold() == token.value.casefold() else token.value

    def commands_of(self, slots: Sequence[s.Slot]) -> tuple[Command, ...]:
        """The commands that slots say, each once."""
        return tuple(dict.fromkeys(self._command(slot) for slot in slots))

    def _command(self, slot: s.Slot) -> Command:
        verb = self._alphabet.verbs[slot.verb - 1]
        spans = {
            kind: tuple(self.words(first, last) for mark, first, last in slot.marks if mark == kind)
            for kind in (s.ROOM, s.EXCLUDED_ROOM, s.EXCLUDED_NAME)
        }
        name = "*" if slot.name == s.NO_NAME else LAST_NAME if slot.name == s.LAST else self.words(*slot.name_at)
        kind, quantifier = self._alphabet.targets[slot.target]
        when = self._spots.at(slot.when_at) if slot.when else None
        return Command(
            Action(verb, self._said_value(slot, verb), when_of(when) if when is not None else None),
            Scope(spans[s.ROOM], spans[s.EXCLUDED_ROOM], bool(slot.here)),
            Target(name, kind, quantifier, self._said_count(slot), spans[s.EXCLUDED_NAME]),
        )

    def _said_value(self, slot: s.Slot, verb: str) -> str | None:
        if slot.value == s.NO_VALUE:
            return None
        if slot.value == s.VALUE_SPAN:
            return self._spots.text[slot.value_at[0] : slot.value_at[1] + 1]
        if slot.value == s.VALUE_TOKEN:
            token = self._spots.at(slot.value_at[0])
            return value_of(token, self._spotter.unit(set_by(verb))) if token is not None else None
        return self._alphabet.values[slot.value - s.CLOSED_VALUE]

    def _said_count(self, slot: s.Slot) -> int | None:
        if slot.count == s.NO_COUNT:
            return None
        token = self._spots.at(slot.count_at) if slot.count == s.COUNT_TOKEN else None
        return count_of(token) if token is not None else slot.count - s.CLOSED_COUNT + 1


def _same_time(said: str, wanted: str) -> bool:
    return bool(said) and (said == wanted or _seconds(said) == _seconds(wanted) != 0)


def _seconds(when: str) -> float:
    """A delay in seconds, so that 60分钟后 is 1小时后; 0 for what is no delay."""
    for unit in (TimeUnit.SECOND, TimeUnit.MINUTE, TimeUnit.HOUR):
        number = when.removesuffix(f"{unit}后")
        if number != when and number.isdigit():
            return Duration(float(number), unit).seconds
    return 0.0
