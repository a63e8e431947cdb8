"""One pass over a text: every signal of the domain, with its place (hospital.md, Frames, `evidence.signals`).

A signal is a name for words of one meaning. A `Spotter` is compiled from a domain and a directory; its `spot` gives
`Spots`, which segmentation, classification, safety and slots all read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.domain_words import Markers
from tingdong.front_desk.kinds import DATE, LATIN, NUMBER, PERIOD, PERSON, PLACE, TITLED
from tingdong.front_desk.lexicon import PUNCTUATION, Hit, PhraseIndex, any_of, phrases
from tingdong.front_desk.model import CueKind
from tingdong.front_desk.names import Name, NameFinder, Surroundings
from tingdong.front_desk.spots import Spots as Spots
from zhtext.clock import TimeMention, find_times
from zhtext.normalise import Normalised, fold, normalise

_NUMBER = re.compile(
    r"[-负]?\d+(?:\.\d+)?|[零一二两三四五六七八九十百千万点半]*[零二两三四五六七八九十百千万][零一二两三四五六七八九十百千万点]*"
)
_LATIN = re.compile(r"[a-z][a-z0-9-]*")
_OPAQUE = "opaque"
_SHORT_NAME = 3
"""Characters from which a place is known without its ending (耳鼻喉); two are enough where the second is one of
`place_classes` (普外)."""
_JOINS = frozenset({"", "的", "那个"})
"""What may stand between a person and their place."""

CONNECTIVE = "_connective"
WEAK_CONNECTIVE = "_weak_connective"
NOT_CONNECTIVE = "_not_connective"
LEADING = "_leading"
PRONOUN = "_pronoun"
ENDING = "_ending"
HISTORY = "_history"
POSITION = "_position"
PLACE_OF_PERSON = "_place_of_person"
RIVAL_NAME = "_rival_name"
"""Names under which the markers of a domain stand among its signals."""


def _short_names(word: str, markers: Markers) -> Iterator[str]:
    """What a place is called besides its name: without its ending, by the first part of what it is of (甲状腺外科, of
    甲状腺乳腺外科), and with a word between that and its class (甲乳那个外科)."""
    short = word.rstrip(markers.place_endings)
    classes = tuple(markers.place_classes.split())
    if len(short) >= _SHORT_NAME or short[1:] in classes:
        yield short
    if classes and short.endswith(classes) and len(short) > 1:
        yield from (f"{short[:-1]}{join}{word[len(short) - 1 :]}" for join in _JOINS)
        yield from (short[:size] + word[len(short) - 1 :] for size in range(_SHORT_NAME, len(short) - 1))


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
        self._places: dict[str, str] = {}
        for entry in directory.places:
            for word in (entry.name, *entry.aliases):
                self._places[fold(word)] = entry.name
        for word, name in tuple(self._places.items()):
            for short in _short_names(word, markers):
                self._places.setdefault(short, name)
        for word in self._places:
            self._index.add(word, self.bit(PLACE))
        self._index.freeze()
        self._greetings = tuple(sorted(phrases(domain.markers.greetings), key=len, reverse=True))
        self._classing = self.bits(
            tuple(name for rule in domain.rules for name in (*rule.all, *rule.any, *rule.none))
        ) | self.bits(domain.cutting.asks)
        self._covering = self.bits(domain.markers.covering)
        self._names = NameFinder(domain.markers, directory)
        self._several, self._each_one = any_of(domain.correcting.several), any_of(domain.correcting.each_one)
        numerals = set(markers.numerals_in_name)
        numbered = [re.escape(fold(one.name)) for one in directory.people if numerals & set(one.name)]
        self._numbered = re.compile("|".join(numbered) or "(?!)")
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

    def spot(self, text: str, understood: Normalised | None = None) -> Spots:
        """Every signal of a text; of what was `understood` instead, with its way back into the text."""
        spots = Spots(text, understood or normalise(text))
        folded = spots.text
        hits = self._index.find(folded)
        opaque = self._bits[_OPAQUE]
        spots.closed = [(hit.start, hit.end) for hit in hits if hit.bits & opaque]
        owners = _owners(hits, opaque | self._covering, len(folded))
        for hit in hits:
            owner = owners[hit.start]
            if owner is hit or owner is None or hit.end > owner.end or _equal(owner, hit, opaque):
                spots.add(hit.bits, hit.start, hit.end)
        self._spot_times(spots)
        self._spot_names(spots)
        self._spot_counted(spots)
        for match in _NUMBER.finditer(folded):
            spots.add(self.bit(NUMBER), match.start(), match.end())
        for match in _LATIN.finditer(folded):
            spots.add(self.bit(LATIN), match.start(), match.end())
        for compound, bit, parts in self._compounds:
            _spot_compound(spots, bit, parts, compound.gap, self._barred if compound.denied else PUNCTUATION)
        return spots

    def _spot_names(self, spots: Spots) -> None:
        place = self.bit(PLACE)
        places = spots.found.get(place, [])
        found = self._names.find(
            spots.text, Surroundings(spots.closed, places, lambda start, end: self._means_else(spots, start, end))
        )
        spots.names = [self._whose(spots, name, self._beside(spots, places, name)) for name in found]
        for name in spots.names:
            greeting = next((word for word in self._greetings if spots.text.startswith(word, name.title_end)), "")
            if greeting:
                spots.add(self.bit(LEADING), name.start, name.title_end + len(greeting))
                continue
            spots.add(self.bit(PERSON if name.full else TITLED), name.start, name.title_end)
            span = self._beside(spots, spots.found.get(place, []), name)
            if span is not None and (name.full or not name.known):
                self._place_beside(spots, place, span, name)

    def _means_else(self, spots: Spots, start: int, end: int) -> bool:
        """Whether words of a class, or a time, begin or end in a stretch (高血压); what stands around it (找…看) says
        nothing."""
        around = spots.overlapping(start, end, self._classing)
        spans = [*around, *((time.start, time.end) for time in spots.times)]
        return any(
            start < last and first < end and last - first > 1 and not (first < start and end < last)
            for first, last in spans
        )

    def _whose(self, spots: Spots, name: Name, span: tuple[int, int] | None) -> Name:
        """Who is meant by a surname beside a place (眼科何主任)."""
        if name.full or span is None:
            return name
        return self._names.called(name, self.place_name(spots.text[span[0] : span[1]]))

    @staticmethod
    def _beside(spots: Spots, places: list[tuple[int, int]], name: Name) -> tuple[int, int] | None:
        """The place that stands right beside a name."""
        for span in places:
            before = span[1] <= name.start
            between = spots.text[span[1] : name.start] if before else spots.text[name.title_end : span[0]]
            if (before or name.title_end <= span[0]) and between in _JOINS:
                return span
        return None

    def _place_beside(self, spots: Spots, place: int, span: tuple[int, int], name: Name) -> None:
        """挂心内科李四医生: a person's own place only says where they are, another is a rival (hospital.md)."""
        own = self.place_name(spots.text[span[0] : span[1]]) in self.directory.places_of(name.text)
        if not own or self.domain.limits.clarify_same_sentence:
            border = name.start if span[1] <= name.start else span[0]
            spots.add(self.bit(RIVAL_NAME), border, border)
            return
        spots.drop(place, span)
        spots.add(self.bit(PLACE_OF_PERSON), *span)

    def place_name(self, word: str) -> str:
        """The directory's name of a place, by a name of its."""
        return self._places[word]

    def _spot_counted(self, spots: Spots) -> None:
        """Where the next of several tasks that are counted begins (挂两个号，一个…一个…)."""
        counted = self._several.search(spots.text)
        heads = list(self._each_one.finditer(spots.text, counted.end())) if counted is not None else []
        for head in heads[1:]:
            spots.add(self.bit(RIVAL_NAME), head.start(), head.start())

    def without_numbers(self, text: str) -> str:
        """A text of the same length in which the name of nobody reads as a number (王五 in 王五周一)."""
        return self._numbered.sub(lambda name: "\0" * len(name.group()), text)

    def _spot_times(self, spots: Spots) -> None:
        spots.times = tuple(
            time
            for time in find_times(self.without_numbers(spots.text))
            if not any(start <= time.start and time.end <= end for start, end in spots.closed)
        )
        for time in spots.times:
            if is_date(time):
                spots.add(self.bit(DATE), time.start, time.end)
            if time.period is not None or time.hour is not None:
                spots.add(self.bit(PERIOD), time.start, time.end)


def is_date(time: TimeMention) -> bool:
    """Whether a time names a day, not only a part of the day or a length of time."""
    return time.delay is None and bool(time.weekdays or time.day_offset is not None or time.day is not None)


def _spot_compound(spots: Spots, bit: int, parts: tuple[int, ...], gap: int, barred: frozenset[str]) -> None:
    chains = list(spots.found.get(parts[0], ()))
    for part in parts[1:]:
        if not chains:
            return
        followers = sorted(spots.found.get(part, ()))
        chains = [
            (start, next_end)
            for start, end in chains
            for next_start, next_end in _from(followers, end, end + gap)
            if barred.isdisjoint(spots.text[end:next_start])
        ]
    for start, end in dict.fromkeys(chains):
        spots.add(bit, start, end)


def _from(spans: list[tuple[int, int]], first: int, last: int) -> list[tuple[int, int]]:
    """Sorted spans that begin at `first`..`last`."""
    return spans[bisect_left(spans, (first, 0)) : bisect_left(spans, (last + 1, 0))]


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
