"""Names of people in a text: those of the directory, and those a title gives away (hospital.md, "Class").

Some people are called like ordinary words (方便, 高兴). A directory name counts as a name only beside what names stand
beside: a title or a word of `markers.after_name` after it, a word of `markers.before_name` or a clause's start before
it; one of three characters counts anywhere. A surname with a title is the one person of that surname (唐主任), or
somebody, but not whom. Other names are told by a surname of `markers`, and, without a title, by a word of
`markers.name_leads` or a surname of two characters before them and what follows a name behind them. What only sounds
like a directory name has been put right before (`hearing`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain_words import Markers
from tingdong.front_desk.lexicon import PUNCTUATION, any_of, phrases

_GIVEN_NAME_LENGTHS = (2, 1)
_UNMISTAKABLE = 3
"""Characters from which a directory name is no ordinary word."""
_NOT_BEFORE_SURNAME = frozenset("这下上本每一")

Spans = Sequence[tuple[int, int]]
Places = set[int]
"""Characters that belong to something: no name takes one of them."""
MeansElse = Callable[[int, int], bool]
"""Whether words of another meaning begin or end in a stretch (高血压)."""


class Name(Struct, frozen=True):
    """A person at `start`..`end` (title left out), `text` as the directory has it.

    `full` is false when only the surname is said and does not tell who; `known` says whether the directory has such a
    person.
    """

    start: int
    end: int
    text: str
    full: bool
    title_end: int
    known: bool = True


class Surroundings(Struct, frozen=True):
    """What stands in a text besides names: spans no name lies in, places, and whether a stretch means else."""

    closed: Spans
    places: Spans
    means_else: MeansElse


class NameFinder:
    """Finds names of one directory, by the markers of one domain."""

    def __init__(self, markers: Markers, directory: Directory) -> None:
        self._directory = directory
        self._names: dict[str, list[str]] = {}
        for person in sorted(directory.people, key=lambda person: -len(person.name)):
            self._names.setdefault(person.name[0], []).append(person.name)
        self._titles = tuple(sorted(phrases(markers.titles), key=len, reverse=True))
        self._surnames = frozenset(markers.surnames)
        self._rare = frozenset(markers.rare_surnames)
        self._compound = frozenset(phrases(markers.compound_surnames))
        self._before = tuple(phrases(markers.before_name))
        self._leads = tuple(phrases(markers.name_leads))
        self._after = (*phrases(markers.after_name), *PUNCTUATION, " ")
        self._not_in_name = frozenset(markers.not_in_name)
        self._numerals = frozenset(markers.numerals_in_name)
        one = f"({'|'.join([*self._compound, *self._surnames])})"
        said, half = any_of(markers.surname_said).pattern, any_of(markers.surname_half).pattern
        title, own = any_of(markers.titles).pattern, any_of(markers.surname_own).pattern
        self._surnamed = re.compile(
            f"(?:{own})|(?:{said}){one}(?:(?:{half})+(?:{title})?|(?:{title}))|{one}(?:{half})+(?:{title})"
        )

    def find(self, text: str, around: Surroundings) -> list[Name]:
        """Names in `text`, by start; none lies inside a closed span. A name may follow a place (眼科何既明)."""
        bounds = frozenset(end for _, end in around.places)
        taken = {at for span in around.closed for at in range(*span)}
        found = [*self._listed(text, taken, bounds), *self._by_surname(text, taken)]
        taken.update(at for name in found for at in range(name.start, name.title_end))
        found += self._titled(text, taken, around.means_else, bounds)
        found += self._untitled(text, taken, around.means_else, bounds)
        return sorted(found, key=lambda name: name.start)

    def called(self, name: Name, place: str = "") -> Name:
        """The person that a name means: by a surname that only one (of a place) has."""
        if not self._directory.people:
            return name
        if name.full:
            return _stranger(name)
        people = {
            person.name
            for person in self._directory.people
            if self._surname(person.name) == name.text and place in ("", person.place)
        }
        if len(people) == 1:
            return msgspec.structs.replace(name, text=min(people), full=True, known=True)
        return name if people else _stranger(name)

    def _surname(self, name: str) -> str:
        return name[:2] if len(name) > 2 and name[:2] in self._compound else name[:1]

    def _listed(self, text: str, taken: Places, bounds: frozenset[int]) -> Iterator[Name]:
        for start, char in enumerate(text):
            for name in self._names.get(char, ()):
                end = start + len(name)
                if not text.startswith(name, start) or _overlaps(start, end, taken):
                    continue
                title = self._title_at(text, end)
                if title or self._stands_as_name(text, start, end, bounds):
                    yield Name(start, end, name, full=True, title_end=end + len(title))
                    break

    def _stands_as_name(self, text: str, start: int, end: int, bounds: frozenset[int]) -> bool:
        if end - start >= _UNMISTAKABLE:
            return True
        after = end == len(text) or text.startswith(self._after, end)
        if _opens(text, start):
            return after
        led = text.endswith(self._before, 0, start) or start in bounds
        return led and (after or self._led(text, start))

    def _led(self, text: str, start: int) -> bool:
        """A word that leads to a name stands right before it, and the clause is a wish (挂李四就行)."""
        return text.endswith(self._leads, 0, start)

    def _by_surname(self, text: str, taken: Places) -> Iterator[Name]:
        """Whoever is told by a surname and hardly more (姓宋的那位, 唐什么的大夫)."""
        for match in self._surnamed.finditer(text):
            surname = match[1] or match[2]
            if surname and not _overlaps(*match.span(), taken):
                taken.update(range(*match.span()))
                yield self.called(Name(match.start(), match.end(), surname, full=False, title_end=match.end()))

    def _title_at(self, text: str, at: int) -> str:
        return next((title for title in self._titles if text.startswith(title, at)), "")

    def _titled(self, text: str, taken: Places, means_else: MeansElse, bounds: frozenset[int]) -> Iterator[Name]:
        for title in self._titles:
            at = text.find(title, 1)
            while at > 0:
                end = at + len(title)
                name = None if _overlaps(at, end, taken) else self._before_title(text, at, taken, means_else, bounds)
                if name is not None and not (text[name.start] in self._rare and means_else(name.start, at)):
                    taken.update(range(name.start, end))
                    yield self.called(msgspec.structs.replace(name, title_end=end))
                at = text.find(title, at + 1)

    def _before_title(
        self, text: str, at: int, taken: Places, means_else: MeansElse, bounds: frozenset[int]
    ) -> Name | None:
        if at >= 2 and text[at - 2 : at] in self._compound:
            return Name(at - 2, at, text[at - 2 : at], full=False, title_end=at)
        for given in _GIVEN_NAME_LENGTHS:
            for start in (at - 2 - given, at - 1 - given):
                if start < 0 or _overlaps(start, at, taken) or not self._named(text, start, at - given, at):
                    continue
                if text[at - 1] in self._numerals and means_else(start, at):
                    continue
                led = _opens(text, start) or start in bounds or text.endswith(self._before, 0, start)
                if led or at - given - start > 1:
                    return Name(start, at, text[start:at], full=True, title_end=at)
        before = text[at - 2 : at - 1]
        if text[at - 1] in self._surnames and before != text[at - 1] and before not in _NOT_BEFORE_SURNAME:
            return Name(at - 1, at, text[at - 1], full=False, title_end=at)
        return None

    def _named(self, text: str, start: int, given: int, end: int) -> bool:
        """Whether a surname stands at `start`, and behind it what may be a given name."""
        surname = text[start:given]
        known = surname in self._surnames or surname in self._rare or surname in self._compound
        if not known or any(text.endswith(word, 0, start + 1) for word in self._before if len(word) > 1):
            return False  # 换成陈医生 is no 成陈
        if text[start:given] == text[given:end]:
            return False  # 谢谢医生
        numeral = end - given == 1 and text[given] in self._numerals
        return numeral or self._not_in_name.isdisjoint(text[given:end])

    def _untitled(self, text: str, taken: Places, means_else: MeansElse, bounds: frozenset[int]) -> Iterator[Name]:
        """Names in neither the directory nor before a title, where a wish leads to them or the surname tells."""
        at = 0
        while at < len(text):
            named = self._untitled_at(text, at, taken, bounds)
            found = next((name for name in named if not means_else(name.start, name.end)), None)
            if found is not None:
                yield found
            at = found.end if found is not None else at + 1

    def _untitled_at(self, text: str, at: int, taken: Places, bounds: frozenset[int]) -> Iterator[Name]:
        compound = text[at : at + 2] in self._compound
        if not compound and text[at] not in self._surnames:
            return
        led = text.endswith(self._leads, 0, at) or at in bounds
        near = led or _opens(text, at) or text.endswith(self._before, 0, at)
        if not near:
            return
        for given in _GIVEN_NAME_LENGTHS:
            begin = at + (2 if compound else 1)
            end = begin + given
            ends = end == len(text) or text.startswith(self._after, end)
            if end > len(text) or not ends or _overlaps(at, end, taken):
                continue
            if (led or compound) and self._named(text, at, begin, end) and PUNCTUATION.isdisjoint(text[begin:end]):
                yield self.called(Name(at, end, text[at:end], full=True, title_end=end))


def _stranger(name: Name) -> Name:
    return msgspec.structs.replace(name, known=False)


def _opens(text: str, start: int) -> bool:
    """Whether a clause begins here."""
    return start == 0 or text[start - 1] in PUNCTUATION or text[start - 1] == " "


def _overlaps(start: int, end: int, taken: Places) -> bool:
    return not taken.isdisjoint(range(start, end))
