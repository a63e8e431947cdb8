"""Names of a home or a directory added to the language model: each counts as a usual word.

An exact name is never changed (`said_in`).
"""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, TypeVar

from tingdong.hearing.channel import SoundCandidate, Sounds
from tingdong.hearing.guards import turns
from tingdong.hearing.language import ContextRow, TrigramModel
from tingdong.hearing.signs import CHANCES, MARK, START, symbol
from zhtext.normalise import fold, normalise

__all__ = ["HomeLanguage", "Names", "keep"]

K = TypeVar("K")
T = TypeVar("T")

LONGEST = 24
"""Characters of a name that are listened for."""
MOST = 4_000
"""Names that are listened for."""
SURE = 1.0
BEGINS = -7.0
"""log P that a name begins anywhere."""
GOES_ON = (math.log(0.3), math.log(0.6))
"""log P of its next character after one, and after two of it."""
ROWS = 4_096
"""Contexts, runs of three characters and characters heard that are remembered, each; any text makes new ones."""
AFTER_CALL = -0.3
"""log P that a wake word that was begun goes on."""


class Names:
    """Words of one home: names of devices, rooms, scenes; or of one directory: departments, doctors; in any spelling.

    `calls` are wake words: what follows one is as the beginning of a sentence. `sure` are the log-odds from which a
    change is made there: more where people bring many words of their own.
    """

    def __init__(self, words: Iterable[str] = (), calls: Iterable[str] = (), sure: float = SURE) -> None:
        self.sure = sure
        fit = {fold(normalise(word).text) for word in words if 1 < len(word) <= LONGEST and not word.isascii()}
        self.words = tuple(sorted(fit)[:MOST])
        self.calls = tuple(word for word in calls if 1 < len(word) <= LONGEST)
        self._starts: dict[str, list[str]] = {}
        for word in self.words:
            self._starts.setdefault(word[0], []).append(word)
        self.characters = frozenset(character for word in self.words for character in word)

    def said_in(self, text: str) -> set[int]:
        """Places of the text inside an exact name."""
        found: set[int] = set()
        text = fold(text)
        for at, character in enumerate(text):
            for word in self._starts.get(character, ()):
                if text.startswith(word, at):
                    found.update(range(at, at + len(word)))
        return found

    def made_whole(self, text: str, at: int, character: str) -> bool:
        """Whether the character at that place completes a name."""
        if character not in self.characters:
            return False
        begin = max(0, at - LONGEST)
        other = text[begin:at] + character + text[at + 1 : at + LONGEST]
        return at - begin in self.said_in(other)


class HomeLanguage:
    """The language model with the names of one home. Rows are built on first use; `ROWS` of them are cached."""

    def __init__(self, language: TrigramModel, names: Names) -> None:
        self._language = language
        self.knows, self.sure = bool(names.words), names.sure
        self._laid: dict[str, dict[str, float]] = {}
        self.resumed = frozenset("".join(map(symbol, word))[-2:] for word in names.calls)
        for word in names.words:
            self._lay(word)
        for word in names.calls:
            self._lay_call(word)
        own = {character for word in (*names.words, *names.calls) for character in word}
        self.sounds = Sounds(sorted(own.difference(language.characters)), language.sounds)
        self._rows: dict[str, ContextRow] = {}
        self._after: dict[str, list[dict[str, float]]] = {}
        self._glances: dict[str, float] = {}
        self._telling: dict[str, tuple[SoundCandidate, ...]] = {}
        self._own = names.characters
        self.stretches: dict[tuple[str, str, str, bool, bool], tuple[str, tuple[Any, ...]]] = {}
        """What a search has found in a stretch (`search`): the context behind it, and its edits."""

    def row(self, context: str) -> ContextRow:
        """The symbols that may follow the context (two symbols at most), with their costs."""
        row = self._rows.get(context)
        if row is None:
            row = self._made(context)
            keep(self._rows, context, row)
        return row

    def fitting(self, heard: str, following: str) -> set[int]:
        """Indexes of the candidates that the next sign was ever seen after."""
        rows = self._after.get(heard)
        if rows is None:
            rows = [self.row(sign).seen for _, sign, _ in self.sounds.candidates(heard)]
            keep(self._after, heard, rows)
        return {number for number, seen in enumerate(rows) if following in seen}

    def telling(self, heard: str) -> tuple[SoundCandidate, ...]:
        """The candidates for a character heard that can make another request of a text: a sign of a question or a
        refusal, or a character of a name."""
        found = self._telling.get(heard)
        if found is None:
            candidates = self.sounds.candidates(heard)
            found = tuple(one for one in candidates if turns(one.character) or one.character in self._own)
            keep(self._telling, heard, found)
        return found

    def least(self, text: str) -> float:
        """log P of the least probable character of the text, each after the two before it: quick, and near enough."""
        known, whole, least = self._glances, START + START + text, 0.0
        for at in range(len(text)):
            run = whole[at : at + 3]
            cost = known.get(run)
            if cost is None:
                cost = self._glance(run)
            if cost < least:
                least = cost
        return least

    def _glance(self, run: str) -> float:
        one, two, three = map(symbol, run)
        if three == MARK and two == MARK:
            cost = 0.0
        else:
            context = START + START if one + two in self.resumed else one + two
            cost = self.row(context).of(three) - CHANCES.get(three, 0.0)
        keep(self._glances, run, cost)
        return cost

    def after(self, context: str, sign: str) -> str:
        """The context after one more symbol; a wake word starts a new sentence."""
        after = context[1] + sign
        return START + START if after in self.resumed else after

    def _made(self, context: str) -> ContextRow:
        laid = self._laid.get(context)
        if not context:
            base = self._language.base
            return ContextRow({**base.seen, **_larger(laid or {}, base.seen)}, base.back)
        lower, known = self.row(context[1:]), self._language.known(context)
        if known is None:
            return lower if laid is None else ContextRow(_larger(laid, {}), 0.0, lower)
        seen, back = known
        return ContextRow(seen if laid is None else {**seen, **_larger(laid, seen)}, back, lower)

    def _lay(self, word: str) -> None:
        signs = "".join(map(symbol, word))
        self._put("", signs[0], BEGINS)
        two_before = ""
        for before, sign in pairwise(signs):
            self._put(before, sign, GOES_ON[0])
            if two_before:
                self._put(two_before + before, sign, GOES_ON[1])
            two_before = before

    def _lay_call(self, word: str) -> None:
        context = START + START
        for at, sign in enumerate(map(symbol, word)):
            if at:
                self._put(context, sign, AFTER_CALL)
            context = context[1:] + sign

    def _put(self, context: str, sign: str, chance: float) -> None:
        row = self._laid.get(context)
        if row is None:
            self._laid[context] = {sign: chance}
        elif row.get(sign, -99.0) < chance:
            row[sign] = chance


def keep(known: dict[K, T], key: K, value: T) -> None:
    """Adds one entry; the cache is emptied when it is full."""
    if len(known) >= ROWS:
        known.clear()
    known[key] = value


def _larger(laid: dict[str, float], seen: dict[str, float]) -> dict[str, float]:
    return {sign: chance for sign, chance in laid.items() if chance > seen.get(sign, -99.0)}
