"""Refusals: 先不挂号了, 别给我挂骨科, 不要李四 (hospital.md, Segments, 先不).

A refused request is no task, whether or not such a task is open. The words are in the domain file (`refusing`); a
question refuses nothing (不挂号能看吗, 挂不挂得上).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tingdong.front_desk.lexicon import QUESTION_MARKS, any_of, phrases
from tingdong.front_desk.spotting import CONNECTIVE, LEADING, POSITION, PRONOUN, WEAK_CONNECTIVE, Spots, Spotter

_NEAR = 64
"""Characters within which what belongs to a refusal begins and ends."""
_LONGEST_WORD = 8


class RefusedStretch(NamedTuple):
    """A stretch of text that refuses what stands from `inner` to `inner_end`; nothing in particular where these are
    one place (不看了)."""

    start: int
    end: int
    inner: int
    inner_end: int


class Refusals:
    """Finds what clauses refuse, by the words of one domain."""

    def __init__(self, spotter: Spotter) -> None:
        spec = spotter.domain.refusing
        self._marker = any_of(f"{spec.markers} {spec.with_object}")
        self._with_object = frozenset(phrases(spec.with_object))
        self._between = any_of(spec.between)
        self._verb = any_of(spec.verbs)
        self._tail = any_of(spec.tails)
        self._behind = any_of(spec.behind) if spec.behind else None
        self._without = any_of(spec.without) if spec.without else None
        self._never = any_of(spec.not_markers) if spec.not_markers else None
        self._wishes = spotter.bits(spec.wishes)
        self._objects = spotter.bits(spec.objects) | spotter.bit(POSITION)
        self._particles = frozenset(spotter.domain.markers.particles)
        self._unless = spotter.bits(spec.unless)
        self._asking = spotter.bits(spec.asking)
        self._anew = self._wishes | self._objects
        for name in (CONNECTIVE, WEAK_CONNECTIVE, LEADING, PRONOUN):
            self._anew |= spotter.bit(name)

    def split(self, spots: Spots, spans: list[tuple[int, int]]) -> list[tuple[int, int] | RefusedStretch]:
        """The clauses with what they refuse cut out, in order."""
        parts: list[tuple[int, int] | RefusedStretch] = []
        for start, end in spans:
            at = start
            finders = self._next, self._put_last
            found = [finder(spots, at, end) for finder in finders]
            while left := [one for one in found if one is not None]:
                refused = min(left)
                if refused.start > at:
                    parts.append((at, refused.start))
                parts.append(refused)
                at = refused.end
                found = [
                    finder(spots, at, end) if one is not None and one.start < at else one
                    for finder, one in zip(finders, found, strict=True)
                ]
            if at < end:
                parts.append((at, end))
        return parts

    def takes(self, spots: Spots, before: tuple[int, int], refused: RefusedStretch) -> bool:
        """Whether what is refused stands before the refusal (骨科就不挂了): a thing by its name, and nothing asked."""
        if spots.mask(refused.inner, refused.inner_end) & self._objects:
            return False
        named, wishes = (set(spots.inside(*before, bits)) for bits in (self._objects, self._wishes))
        return bool(named) and wishes <= named and not spots.mask(*before) & self._asking

    def _next(self, spots: Spots, start: int, end: int) -> RefusedStretch | None:
        text = spots.text
        for marker in self._marker.finditer(text, start, end) if self._marker.pattern else ():
            first, last = marker.span()
            if self._voided(text, start, end, first):
                continue
            stops = self._stops(self._between, text, last, end)
            inner = stops[-1]
            takes_object = marker.group() in self._with_object
            inner_end, named = self._thing(spots, first, stops, end, takes_object=takes_object)
            if not inner_end:
                continue
            closing = self._skip(self._tail, text, inner_end, end)
            found = RefusedStretch(first, closing, inner if named else inner_end, inner_end)
            if not self._asked(spots, start, found, end) and not self._excluded(spots, start, found):
                return found
        return None

    def _put_last(self, spots: Spots, start: int, end: int) -> RefusedStretch | None:
        """What is refused by words behind it (挂号就免了): a wish, or a thing by its name; nothing is asked of it."""
        for marker in self._behind.finditer(spots.text, start, end) if self._behind is not None else ():
            if self._voided(spots.text, start, end, marker.start()):
                continue
            near = max(start, marker.start() - _NEAR)
            wishes = [first for first, _ in spots.inside(near, marker.start(), self._wishes)]
            things = [first for first, _ in spots.inside(near, marker.start(), self._objects)]
            if not wishes and not things:
                continue
            first = max(wishes) if wishes else min(things)
            closing = self._skip(self._tail, spots.text, marker.end(), end)
            found = RefusedStretch(first, closing, first, marker.start())
            asked = spots.mask(found.start, marker.start()) & self._asking or self._asked(spots, start, found, end)
            if not asked and not self._excluded(spots, start, found):
                return found
        return None

    def _excluded(self, spots: Spots, start: int, found: RefusedStretch) -> bool:
        """Whether what stands there is said of something else (`unless`), by words that a refusal does not merely hold
        behind its first (先不去了 puts off, 不去了 is said of an appointment)."""
        around = spots.inside(max(start, found.start - _NEAR), found.end, self._unless)
        return any(first <= found.start or found.inner <= first < found.inner_end for first, _ in around)

    def _voided(self, text: str, start: int, end: int, at: int) -> bool:
        """Whether a marker is part of another word (特别), or of a question (挂不挂)."""
        if start < at < end - 1 and text[at - 1] == text[at + 1]:
            return True
        near = max(start, at - _LONGEST_WORD), min(end, at + _LONGEST_WORD)
        return self._never is not None and any(
            found.start() <= at < found.end() for found in self._never.finditer(text, *near)
        )

    def _skip(self, words: re.Pattern[str], text: str, at: int, end: int) -> int:
        """The end of the optional words at a position."""
        return self._stops(words, text, at, end)[-1]

    def _stops(self, words: re.Pattern[str], text: str, at: int, end: int) -> list[int]:
        """Where each of the words that may stand there ends, the place itself first."""
        stops = [at]
        while at < end and words.pattern and (found := words.match(text, at, end)) and found.end() > at:
            at = found.end()
            stops.append(at)
        return stops

    def _thing(self, spots: Spots, first: int, stops: list[int], end: int, *, takes_object: bool) -> tuple[int, bool]:
        """End of what is refused by a marker at `first`, 0 when nothing that can be refused follows it; and whether it
        has a name. `stops` are the ends of the words between; the last may be the verb itself (先不去了)."""
        at = stops[-1]
        wish = self._reach(spots, self._wishes, range(first + 1, at + 1), at, end)
        if wish:
            return max(wish, self._reach(spots, self._objects, range(at, wish + 2), wish, end)), True
        verbs = (self._verb.match(spots.text, stop, end) for stop in stops[:-3:-1] if self._verb.pattern)
        verb = next((found for found in verbs if found), None)
        if verb is None and not takes_object:
            return 0, False
        at = verb.end() if verb is not None else at
        named = self._reach(spots, self._objects, range(at, at + 1), at, end)
        after = self._skip(self._tail, spots.text, at, end)
        alone = after == end or (after > at and self._begins(spots, after, end))
        return (named, True) if named else (at if alone else 0, False)

    def _reach(self, spots: Spots, bits: int, starts: range, least: int, end: int) -> int:
        """The furthest end of words of some signals that begin at one of `starts` and reach beyond `least`."""
        near = spots.inside(starts.start, min(end, starts.stop + _NEAR), bits)
        return max((last for first, last in near if first in starts and last > least), default=0)

    def _asked(self, spots: Spots, start: int, found: RefusedStretch, end: int) -> bool:
        """Whether the clause asks about doing without (不挂号能看吗), rather than asking for something else."""
        if spots.mask(max(start, found.start - _NEAR), found.start) & self._asking:
            return True
        rest = found.end
        if self._without is not None and self._without.match(spots.text, rest, end):
            return bool(spots.mask(rest, end) & self._asking) or spots.text[end : end + 1] in QUESTION_MARKS
        closed = found.end > found.inner_end and spots.text[found.end - 1] in self._particles
        if rest < end and (closed or self._begins(spots, rest, end)):
            return False
        asked = spots.text[end : end + 1] in QUESTION_MARKS
        return asked or bool(spots.mask(rest, min(end, rest + _NEAR)) & self._asking)

    def _begins(self, spots: Spots, at: int, end: int) -> bool:
        """Whether something new begins here: a wish, a thing by name, a connective, somebody."""
        return any(spots.ends_from(at, end, self._anew))
