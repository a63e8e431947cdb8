"""Names of people in a text: those of the directory, and those a title gives away (hospital.md, "Class").

Some doctors are called like ordinary words (方便, 高兴). A directory name counts as a name only beside what names stand
beside: a title or a word of `markers.after_name` after it, a word of `markers.before_name` or a clause's start before
it; one of three characters counts anywhere. A surname with a title (张大夫) names somebody, but not whom.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tingdong.dialogue.directory import Directory
from tingdong.dialogue.domain_words import Markers
from tingdong.dialogue.lexicon import PUNCTUATION, phrases

_GIVEN_NAME_LENGTHS = (2, 1)
_UNMISTAKABLE = 3
"""Characters from which a directory name is no ordinary word."""


class Name(Struct, frozen=True):
    """A person at `start`..`end` (title left out); `full` is false when only the surname is said."""

    start: int
    end: int
    text: str
    full: bool
    title_end: int


class NameFinder:
    """Finds names of one directory, by the markers of one domain."""

    def __init__(self, markers: Markers, directory: Directory) -> None:
        self._names: dict[str, list[str]] = {}
        for person in sorted(directory.doctors, key=lambda person: -len(person.name)):
            self._names.setdefault(person.name[0], []).append(person.name)
        self._titles = tuple(sorted(phrases(markers.titles), key=len, reverse=True))
        self._surnames = frozenset(markers.surnames)
        self._compound = frozenset(phrases(markers.compound_surnames))
        self._before = tuple(phrases(markers.before_name))
        self._after = (*phrases(markers.after_name), *PUNCTUATION, " ")
        self._not_in_name = frozenset(markers.not_in_name)

    def find(
        self, text: str, closed: list[tuple[int, int]], departments: list[tuple[int, int]] | None = None
    ) -> list[Name]:
        """Names in `text`, by start; none lies inside a `closed` span. A name may follow a department (眼科何既明)."""
        bounds = frozenset(end for _, end in departments or ())
        found = list(self._listed(text, closed, bounds))
        taken = [(name.start, name.end) for name in found]
        found.extend(self._titled(text, [*taken, *closed], bounds))
        return sorted(found, key=lambda name: name.start)

    def _listed(self, text: str, closed: list[tuple[int, int]], bounds: frozenset[int]) -> Iterator[Name]:
        for start, char in enumerate(text):
            for name in self._names.get(char, ()):
                end = start + len(name)
                if not text.startswith(name, start) or _overlaps(start, end, closed):
                    continue
                title = self._title_at(text, end)
                if title or self._stands_as_name(text, start, end, bounds):
                    yield Name(start, end, name, full=True, title_end=end + len(title))
                    break

    def _stands_as_name(self, text: str, start: int, end: int, bounds: frozenset[int]) -> bool:
        if end - start >= _UNMISTAKABLE:
            return True
        at_start = start == 0 or text[start - 1] in PUNCTUATION or text[start - 1] == " "
        after = end == len(text) or text.startswith(self._after, end)
        if at_start:
            return after
        led = text.endswith(self._before, 0, start) or start in bounds
        return led and (after or self._led(text, start))

    def _led(self, text: str, start: int) -> bool:
        """A word that leads to a name stands right before it, and the clause is a wish (挂李四就行)."""
        return text.endswith(("挂", "约", "找", "认准", "选", "抢"), 0, start)

    def _title_at(self, text: str, at: int) -> str:
        return next((title for title in self._titles if text.startswith(title, at)), "")

    def _titled(self, text: str, taken: list[tuple[int, int]], bounds: frozenset[int]) -> Iterator[Name]:
        for title in self._titles:
            at = text.find(title, 1)
            while at > 0:
                if not _overlaps(at, at + len(title), taken) and (name := self._before_title(text, at, taken, bounds)):
                    taken.append((name.start, at + len(title)))
                    yield Name(name.start, name.end, name.text, name.full, at + len(title))
                at = text.find(title, at + 1)

    def _before_title(self, text: str, at: int, taken: list[tuple[int, int]], bounds: frozenset[int]) -> Name | None:
        for given in _GIVEN_NAME_LENGTHS:
            start = at - 1 - given
            if start < 0 or text[start] not in self._surnames or _overlaps(start, at, taken):
                continue
            led = start == 0 or start in bounds or text[start - 1] in PUNCTUATION
            bounded = led or text.endswith(self._before, 0, start)
            if bounded and not self._not_in_name.intersection(text[start + 1 : at]):
                return Name(start, at, text[start:at], full=True, title_end=at)
        if at >= 2 and text[at - 2 : at] in self._compound:
            return Name(at - 2, at, text[at - 2 : at], full=False, title_end=at)
        if text[at - 1] in self._surnames and text[at - 2 : at - 1] not in {"这", "下", "上", "本", "每", "一"}:
            return Name(at - 1, at, text[at - 1], full=False, title_end=at)
        return None


def _overlaps(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < other_end and other_start < end for other_start, other_end in spans)
