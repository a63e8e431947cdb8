"""One pass over a text: every signal of the domain, with its place (seed 003 §7.2, `evidence.signals`).

A signal is a name for words of one meaning. A `Spotter` is compiled from a domain and a directory; its `spot` gives
`Spots`, which segmentation, classification, safety and slots all read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tingdong.dialogue.directory import Directory
from tingdong.dialogue.domain import Domain
from tingdong.dialogue.lexicon import PUNCTUATION, Hit, PhraseIndex, phrases
from tingdong.dialogue.model import CueKind
from tingdong.dialogue.names import Name, NameFinder, Surroundings
from zhtext.clock import TimeMention, find_times
from zhtext.normalise import Normalised, fold, normalise
from zhtext.sound import readings, sound_key, syllables

_NUMBER = re.compile(
    r"[-负]?\d+(?:\.\d+)?|[零一二两三四五六七八九十百千万点半]*[零二两三四五六七八九十百千万][零一二两三四五六七八九十百千万点]*"
)
_LATIN = re.compile(r"[a-z][a-z0-9-]*")
_OPAQUE = "opaque"
_LEAST_HEARD = 4
"""Characters from which on a phrase is also known by its sound; shorter ones have too many homophones."""
_LEAST_HEARD_NAME = 2
"""Characters from which on a department is also known by its sound."""
_UNTONED = 3
"""Characters from which on its tones do not matter."""
_JOINS = frozenset({"", "的", "那个"})
"""What may stand between a person and their department."""

CONNECTIVE = "_connective"
WEAK_CONNECTIVE = "_weak_connective"
NOT_CONNECTIVE = "_not_connective"
LEADING = "_leading"
PRONOUN = "_pronoun"
ENDING = "_ending"
HISTORY = "_history"
POSITION = "_position"
DEPARTMENT_OF_DOCTOR = "_department_of_doctor"
RIVAL_NAME = "_rival_name"
"""Names under which the markers of a domain stand among its signals."""


@lru_cache(maxsize=8192)
def _syllable(char: str) -> str:
    return "".join(syllables(char))


@lru_cache(maxsize=8192)
def _merged_syllable(char: str) -> str:
    return sound_key(char) or char


def _heard_as(name: str) -> tuple[str, ...]:
    """How a department's name sounds, usual confusions merged; its last character, mostly 科, is what it is, and so is
    the tone of a name of two."""
    if len(name) < _UNTONED:
        return readings(name[0])[0], name[1:]
    return (*(_merged_syllable(char) for char in name[:-1]), name[-1])


class Spots:
    """A text with its signals: `found` maps the bit of a signal to its spans, by start.

    `classified` keeps what a span has once been classified as, beside its signals; segmentation asks more than once.
    """

    __slots__ = ("classified", "closed", "found", "names", "normalised", "original", "text", "times")

    def __init__(self, original: str, normalised: Normalised) -> None:
        self.original: str = original
        self.normalised: Normalised = normalised
        self.text: str = fold(normalised.text)
        self.found: dict[int, list[tuple[int, int]]] = {}
        self.closed: list[tuple[int, int]] = []
        self.classified: dict[tuple[int, int], tuple[int, Any]] = {}
        self.names: list[Name] = []
        self.times: tuple[TimeMention, ...] = ()

    def add(self, bits: int, start: int, end: int) -> None:
        """Note a span for every bit of `bits`."""
        while bits:
            bit = bits & -bits
            self.found.setdefault(bit, []).append((start, end))
            bits ^= bit

    def mask(self, start: int, end: int) -> int:
        """Bits of all signals that lie wholly within `start`..`end`."""
        mask = 0
        for bit, spans in self.found.items():
            for span in spans:
                if span[0] >= start and span[1] <= end:
                    mask |= bit
                    break
        return mask

    def within(self, bit: int, start: int, end: int) -> list[tuple[int, int]]:
        """Spans of one signal within `start`..`end`."""
        return [span for span in self.found.get(bit, ()) if span[0] >= start and span[1] <= end]


class Spotter:
    """Signals of one domain and one directory."""

    def __init__(self, domain: Domain, directory: Directory) -> None:
        self.domain = domain
        self.directory = directory
        self._bits: dict[str, int] = {}
        self._names_of: dict[int, str] = {}
        self._index = PhraseIndex(domain.markers.negators)
        self._index.add(fold(domain.markers.opaque), self.bit(_OPAQUE))
        markers = domain.markers
        for name, words in (
            (CONNECTIVE, markers.connectives),
            (WEAK_CONNECTIVE, markers.weak_connectives),
            (NOT_CONNECTIVE, markers.not_connectives),
            (LEADING, markers.openers),
            (LEADING, markers.politeness),
            (PRONOUN, markers.pronouns),
            (ENDING, markers.endings),
            (HISTORY, markers.history),
            *((POSITION, cue.phrases) for cue in markers.cues if cue.kind in (CueKind.FORMER, CueKind.LATTER)),
        ):
            self._index.add(fold(words), self.bit(name))
        for signal, words in domain.signals.items():
            self._index.add(fold(words), self.bit(signal))
        self._departments: dict[str, str] = {}
        for entry in directory.departments:
            for word in (entry.name, *entry.aliases):
                self._departments[fold(word)] = entry.name
                self._index.add(fold(word), self.bit("department"))
        self._heard_departments = {
            _heard_as(word): name for word, name in self._departments.items() if len(word) >= _LEAST_HEARD_NAME
        }
        self._index.freeze()
        self._sounds: dict[tuple[str, ...], int] = {}
        wanted = self.bits(domain.by_sound)
        for word, bits in self._index.words():
            if bits & wanted and len(word) >= _LEAST_HEARD and word.isalpha() and not word.isascii():
                key = tuple(_syllable(char) for char in word)
                self._sounds[key] = self._sounds.get(key, 0) | bits & wanted
        self._heard_sizes = sorted({len(key) for key in self._sounds})
        self._department_sizes = sorted({len(key) for key in self._heard_departments})
        self._greetings = tuple(sorted(phrases(domain.markers.greetings), key=len, reverse=True))
        self._classing = self.bits(
            tuple(name for rule in domain.rules for name in (*rule.all, *rule.any, *rule.none))
        ) | self.bits(domain.cutting.asks)
        self._covering = self.bits(domain.markers.covering)
        self._names = NameFinder(domain.markers, directory)
        self._barred = PUNCTUATION | frozenset(domain.markers.negators)
        self._compounds = [
            (compound, self.bit(compound.signal), tuple(self.bit(part) for part in compound.parts))
            for compound in domain.compounds
        ]

    def bit(self, signal: str) -> int:
        """The bit of a signal, given out on first use."""
        if signal not in self._bits:
            self._bits[signal] = 1 << len(self._bits)
            self._names_of[self._bits[signal]] = signal
        return self._bits[signal]

    def knows(self, signal: str) -> bool:
        """Whether the domain speaks of a signal; what a client calls an attachment need not be one."""
        return signal in self._bits

    def bits(self, signals: tuple[str, ...]) -> int:
        """The bits of several signals."""
        mask = 0
        for signal in signals:
            mask |= self.bit(signal)
        return mask

    def name(self, bit: int) -> str:
        """The name of one signal."""
        return self._names_of[bit]

    def signals(self, mask: int) -> tuple[str, ...]:
        """Names of the signals in a mask, in the order of the domain file."""
        names = []
        while mask:
            bit = mask & -mask
            mask ^= bit
            name = self._names_of[bit]
            if name[0] != "_":
                names.append(name)
        return tuple(names)

    def spot(self, text: str) -> Spots:
        """Every signal of a text."""
        spots = Spots(text, normalise(text))
        folded = spots.text
        hits = self._index.find(folded)
        opaque = self._bits[_OPAQUE]
        spots.closed = [(hit.start, hit.end) for hit in hits if hit.bits & opaque]
        hits += [*self._heard(folded, hits), *self._heard_in(folded, hits)]
        owners = _owners(hits, opaque | self._covering, len(folded))
        for hit in hits:
            owner = owners[hit.start]
            if owner is hit or owner is None or hit.end > owner.end or _equal(owner, hit, opaque):
                spots.add(hit.bits, hit.start, hit.end)
        self._spot_times(spots)
        self._spot_names(spots)
        for match in _NUMBER.finditer(folded):
            spots.add(self.bit("number"), match.start(), match.end())
        for match in _LATIN.finditer(folded):
            spots.add(self.bit("latin"), match.start(), match.end())
        for compound, bit, parts in self._compounds:
            _spot_compound(spots, bit, parts, compound.gap, self._barred if compound.denied else PUNCTUATION)
        return spots

    def _heard(self, text: str, hits: list[Hit]) -> list[Hit]:
        """Phrases of the `by_sound` signals that are not written but sound so (胡吸困难 for 呼吸困难)."""
        if not self._sounds or len(text) < _LEAST_HEARD:
            return []
        said = tuple(_syllable(char) for char in text)
        written = {(hit.start, hit.end) for hit in hits}
        found = []
        for size in self._heard_sizes:
            for start in range(len(said) - size + 1):
                bits = self._sounds.get(said[start : start + size])
                if bits and (start, start + size) not in written:
                    found.append(Hit(start, start + size, bits))
        return found

    def _heard_in(self, text: str, hits: list[Hit]) -> list[Hit]:
        """Departments that are not written but sound so (小化内科)."""
        department = self.bit("department")
        written = [(hit.start, hit.end) for hit in hits if hit.bits & department]
        found = []
        for size in self._department_sizes:
            for start in range(len(text) - size + 1):
                end = start + size
                if _heard_as(text[start:end]) in self._heard_departments and not any(
                    start < last and first < end for first, last in written
                ):
                    found.append(Hit(start, end, department))
        return found

    def _spot_names(self, spots: Spots) -> None:
        department = self.bit("department")
        departments = spots.found.get(department, [])
        words = {
            span
            for bit, spans in spots.found.items()
            if bit & self._classing
            for span in spans
            if span[1] - span[0] > 1
        }
        words.update((time.start, time.end) for time in spots.times)
        found = self._names.find(spots.text, Surroundings(spots.closed, departments, tuple(words)))
        spots.names = [self._whose(spots, name, self._beside(spots, departments, name)) for name in found]
        for name in spots.names:
            greeting = next((word for word in self._greetings if spots.text.startswith(word, name.title_end)), "")
            if greeting:
                spots.add(self.bit(LEADING), name.start, name.title_end + len(greeting))
                continue
            spots.add(self.bit("doctor" if name.full else "surname_title"), name.start, name.title_end)
            span = self._beside(spots, spots.found.get(department, []), name)
            if span is not None and (name.full or not name.known):
                self._place_beside(spots, department, span, name)

    def _whose(self, spots: Spots, name: Name, span: tuple[int, int] | None) -> Name:
        """Who is meant by a surname beside a department (眼科何主任)."""
        if name.full or span is None:
            return name
        return self._names.called(name, self.department_name(spots.text[span[0] : span[1]]))

    @staticmethod
    def _beside(spots: Spots, departments: list[tuple[int, int]], name: Name) -> tuple[int, int] | None:
        """The department that stands right beside a name."""
        for span in departments:
            before = span[1] <= name.start
            between = spots.text[span[1] : name.start] if before else spots.text[name.title_end : span[0]]
            if (before or name.title_end <= span[0]) and between in _JOINS:
                return span
        return None

    def _place_beside(self, spots: Spots, department: int, span: tuple[int, int], name: Name) -> None:
        """挂心内科李四医生: a person's own department only says where they are, another is a rival (hospital.md)."""
        own = self.department_name(spots.text[span[0] : span[1]]) in self.directory.departments_of(name.text)
        if not own or self.domain.limits.clarify_same_sentence:
            border = name.start if span[1] <= name.start else span[0]
            spots.add(self.bit(RIVAL_NAME), border, border)
            return
        spots.found[department] = [other for other in spots.found[department] if other != span]
        if not spots.found[department]:
            del spots.found[department]
        spots.add(self.bit(DEPARTMENT_OF_DOCTOR), *span)

    def department_name(self, word: str) -> str:
        """The directory's name of a department, by a name of its or by the sound of one."""
        return self._departments.get(word) or self._heard_departments[_heard_as(word)]

    def _spot_times(self, spots: Spots) -> None:
        spots.times = tuple(
            time
            for time in find_times(spots.text)
            if not any(start <= time.start and time.end <= end for start, end in spots.closed)
        )
        for time in spots.times:
            if is_date(time):
                spots.add(self.bit("date"), time.start, time.end)
            if time.period is not None or time.hour is not None:
                spots.add(self.bit("period"), time.start, time.end)


def is_date(time: TimeMention) -> bool:
    """Whether a time names a day, not only a part of the day or a length of time."""
    return time.delay is None and bool(time.weekdays or time.day_offset is not None or time.day is not None)


def _spot_compound(spots: Spots, bit: int, parts: tuple[int, ...], gap: int, barred: frozenset[str]) -> None:
    chains = list(spots.found.get(parts[0], ()))
    for part in parts[1:]:
        followers = spots.found.get(part, ())
        chains = [
            (start, next_end)
            for start, end in chains
            for next_start, next_end in followers
            if end <= next_start <= end + gap and barred.isdisjoint(spots.text[end:next_start])
        ]
        if not chains:
            return
    for start, end in chains:
        spots.add(bit, start, end)


def _owners(hits: list[Hit], covering: int, length: int) -> list[Hit | None]:
    """For each character the longest covering hit that holds it."""
    owners: list[Hit | None] = [None] * length
    covers = [hit for hit in hits if hit.bits & covering]
    for hit in sorted(covers, key=lambda hit: hit.end - hit.start):
        owners[hit.start : hit.end] = [hit] * (hit.end - hit.start)
    return owners


def _equal(owner: Hit, hit: Hit, opaque: int) -> bool:
    """Whether a hit says as much as the one that holds it; inside opaque words only they themselves count."""
    return owner.start == hit.start and owner.end == hit.end and not owner.bits & opaque
