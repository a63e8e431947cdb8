"""Values in a text that may fill a slot (hospital.md, "Slots").

`mentions` finds all of them, of every kind of slot in the domain; `fill` selects those of an agent's slots. Dates are
relative to the turn's `now`; names are stored as in the directory, other values in the user's words.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tingdong.front_desk.domain import AgentSpec, SlotSpec
from tingdong.front_desk.kinds import DATE, DURATION, PERIOD, PERSON, PLACE, SIGNAL, signals_of
from tingdong.front_desk.lexicon import BLANK, any_of, phrases
from tingdong.front_desk.meant import Meaning
from tingdong.front_desk.model import SlotMention
from tingdong.front_desk.people import People
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.spotting import PLACE_OF_PERSON, Spots, Spotter
from zhtext.clock import TimeMention, resolve

_NUMERAL = "[0-9零一二两俩三四五六七八九十百几数]"
_DURATION = re.compile(
    f"(?:(?:好|十|大|小|整|前后)?{_NUMERAL}{{1,8}}[来多]?|半|小半|大半)(?:个)?[多半来]?(?:分钟|刻钟|钟头|小时|天|宿|晚上|周|星期|礼拜|月|年)(?:多|半)?"
)
_NOT_A_LENGTH = re.compile("[前后内]|以[前后]|之[前后]|[0-9一两二三四几多]?[次回顿片粒]|级|龄")
AND = "、"
"""Parts the values of a slot that takes several."""


class SlotFinder:
    """Finds mentions of the kinds a domain's slots take."""

    def __init__(self, spotter: Spotter) -> None:
        domain = spotter.domain
        self._spotter = spotter
        kinds = dict.fromkeys(slot.kind for agent in domain.agents.values() for slot in agent.slots.values())
        self._signals = {kind: spotter.bits(signals_of(kind)) for kind in kinds if kind.startswith(SIGNAL)}
        self.people = People(spotter)
        self._compound = spotter.bits(tuple(compound.signal for compound in domain.compounds))
        self._place = spotter.bit(PLACE)
        self._place_of_person = spotter.bit(PLACE_OF_PERSON)
        own = domain.cutting.own
        self._tells = spotter.bits(tuple(name for agent in domain.cutting.tells for name in own.get(agent, ())))
        self._wants = spotter.bits((*domain.cutting.asks, PERSON, PLACE))
        self._repairs = tuple(phrases(domain.markers.repairs))
        self._meaning = Meaning(domain.correcting, domain.markers, domain.refusing.unasked)
        self._unmeant = {kind: frozenset(phrases(told.words)) for kind, told in domain.unmeant.items()}
        self._lists = any_of(domain.people.joins.replace(BLANK, ""))
        self._no_value = {kind: any_of(told.behind) for kind, told in domain.unmeant.items() if told.behind}
        self._not_length = tuple(phrases(domain.markers.not_length))
        self._broad = frozenset(phrases(domain.markers.broad))

    def mentions(self, spots: Spots, start: int, end: int, now: dt.datetime) -> tuple[SlotMention, ...]:
        """Everything named within a span and meant, by place; what a repair names takes the place of what was said
        before, and a broad word gives way to a name."""
        return self.meant(spots, start, end, now)[0]

    def meant(
        self, spots: Spots, start: int, end: int, now: dt.datetime
    ) -> tuple[tuple[SlotMention, ...], tuple[SlotMention, ...]]:
        """Everything named within a span: what is meant, as `mentions` tells it, and what is denied or turned down;
        found once for a text, which is said at one time."""
        known = spots.meant.get((start, end))
        if known is None:
            known = spots.meant[start, end] = self._meant(spots, start, end, now)
        return known

    def _meant(
        self, spots: Spots, start: int, end: int, now: dt.datetime
    ) -> tuple[tuple[SlotMention, ...], tuple[SlotMention, ...]]:
        found = [
            *self._times(spots, start, end, now),
            *self._durations(spots, start, end),
            *self._names(spots, start, end),
            *self._words(spots, start, end),
        ]
        told, untold = self.people.mentions(spots, start, end)
        said, denied = list[SlotMention](), untold
        for first, last in pairwise([start, *(at for at in self.people.borders(spots) if start < at < end), end]):
            here = sorted((one for one in found if first <= one.start < last), key=_place)
            kept, taken_back = self._meaning.of(spots.text, first, last, here)
            said += kept
            denied += taken_back
        repaired = {
            mention.kind: mention for mention in said if spots.text.endswith(self._repairs, start, mention.start)
        }
        kept = [mention for mention in said if repaired.get(mention.kind, mention).start <= mention.start]
        named = {mention.kind for mention in kept if mention.value not in self._broad}
        kept = [mention for mention in kept if mention.value not in self._broad or mention.kind not in named]
        return tuple(sorted([*kept, *told], key=_place)), tuple(sorted(denied, key=_place))

    def _mention(self, spots: Spots, kind: str, value: str, span: tuple[int, int]) -> SlotMention:
        return SlotMention(kind, spots.text[span[0] : span[1]], value, span[0], span[1])

    def _times(self, spots: Spots, start: int, end: int, now: dt.datetime) -> list[SlotMention]:
        """Days to come and parts of a day. When something began is no time of what is wanted: not what is over
        (昨晚), what is told in a clause beside the wish (早上起来胃疼，挂消化科), or what a whole time follows."""
        told = self._told(spots, start, end)
        found: list[SlotMention] = []
        dated: set[tuple[int, int]] = set()
        whole = 0
        for time in spots.times[bisect_left(spots.times, start, key=_begin) :]:
            span = time.start, time.end
            if span[0] >= end:
                break
            date, period, _ = resolve(time, now) if span[1] <= end else (None, None, None)
            over = date is not None and date < now.date()
            here = date is None or date == now.date()
            if over or (here and any(first <= span[0] < last for first, last in told)):
                continue
            if period is not None and date is not None:
                whole = len(found)
            if date is not None and time.delay is None:
                found.append(self._mention(spots, DATE, date.isoformat(), span))
                dated.add(span)
            if period is not None:
                found.append(self._mention(spots, PERIOD, period, span))
        return [
            one for at, one in enumerate(found) if at >= whole or one.kind != PERIOD or (one.start, one.end) in dated
        ]

    def _told(self, spots: Spots, start: int, end: int) -> list[tuple[int, int]]:
        """The clauses of a span that only tell something, where another one says what is wanted."""
        whole = clauses(spots.text)
        near = whole[bisect_right(whole, start, key=_end) : bisect_left(whole, end, key=_start)]
        spans = [(max(start, first), min(end, last)) for first, last in near]
        masks = [(span, spots.mask(*span)) for span in spans if span[0] < span[1]]
        told = [span for span, mask in masks if mask & self._tells and not mask & self._wants]
        return told if any(mask & self._wants for _, mask in masks) else []

    def _durations(self, spots: Spots, start: int, end: int) -> list[SlotMention]:
        text = self._spotter.without_numbers(spots.text)
        return [
            self._mention(spots, DURATION, match.group(), match.span())
            for match in _DURATION.finditer(text, start, end)
            if not (_NOT_A_LENGTH.match(text, match.end()) or text.endswith(self._not_length, 0, match.start()))
        ]

    def _names(self, spots: Spots, start: int, end: int) -> list[SlotMention]:
        people = [
            SlotMention(
                PERSON,
                spots.text[name.start : name.title_end],
                name.text if name.full else "",
                name.start,
                name.end if name.full and name.known else name.title_end,
                listed=name.known,
            )
            for name in spots.names
            if start <= name.start and name.end <= end
        ]
        name_of = self._spotter.place_name
        return people + [
            self._mention(spots, PLACE, name_of(spots.text[span[0] : span[1]]), span)
            for bit in (self._place, self._place_of_person)
            for span in spots.within(bit, start, end)
        ]

    def _words(self, spots: Spots, start: int, end: int) -> list[SlotMention]:
        found = []
        people = self.people.spans(spots)
        for kind, bits in self._signals.items():
            words = self._unmeant.get(kind, frozenset())
            spans = sorted(span for span in spots.inside(start, end, bits) if spots.text[slice(*span)] not in words)
            if behind := self._no_value.get(kind):
                spans = self._wanted(spots.text, spans, behind)
            found += [
                self._mention(spots, kind, spots.normalised.text[slice(*span)], span)
                for phrase in _phrases_of(spans, shortest=bool(bits & self._compound))
                if (span := _behind(phrase, people))
            ]
        return found

    def _wanted(self, text: str, spans: Sequence[tuple[int, int]], behind: re.Pattern[str]) -> list[tuple[int, int]]:
        """Spans that are values; what is listed before one that is none is none (头孢和阿莫西林都过敏)."""
        kept = list[tuple[int, int]]()
        none = len(text) + 1
        for start, end in reversed(spans):
            if behind.match(text, end) or (none <= len(text) and self._lists.fullmatch(text, end, none)):
                none = start
            else:
                kept.append((start, end))
        return kept[::-1]


def _start(span: tuple[int, int]) -> int:
    return span[0]


def _begin(time: TimeMention) -> int:
    return time.start


def _end(span: tuple[int, int]) -> int:
    return span[1]


def _behind(phrase: tuple[int, int], people: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """A phrase without what of it tells of somebody (心慌, of 老头子心慌); None for nothing else."""
    start = max((end for first, end in people if first < phrase[0] < end), default=phrase[0])
    return (start, phrase[1]) if start < phrase[1] else None


def _place(mention: SlotMention) -> tuple[int, int]:
    return mention.start, mention.end


def fill(agent: AgentSpec, mentions: tuple[SlotMention, ...]) -> dict[str, str]:
    """Slots of an agent that the mentions fill."""
    slots: dict[str, str] = {}
    for name, spec in agent.slots.items():
        value = value_of(spec, mentions)
        if value is not None:
            slots[name] = value
    return slots


def value_of(spec: SlotSpec, mentions: Sequence[SlotMention]) -> str | None:
    """What a slot takes of some mentions: the first of its kind, all of them where it takes `many` (布洛芬、头孢)."""
    values = list(dict.fromkeys(mention.value for mention in mentions if mention.kind == spec.kind and mention.value))
    if not values:
        return None
    return AND.join(values) if spec.many else values[0]


def grown(agent: AgentSpec, held: Mapping[str, str], told: Mapping[str, str], *, along: bool) -> dict[str, str]:
    """The slots told, with what those that grow held before: each thing once, by its longest name (头疼、发烧).
    Where one goes `along` with another, those that take several grow too."""
    slots = dict(told)
    for name, value in told.items():
        spec = agent.slots.get(name)
        more = spec is not None and (spec.grows or (along and spec.many and AND not in value))
        if not more or not value or not held.get(name):
            continue
        parts = held[name].split(AND)
        for new in value.split(AND):
            if not any(new in part for part in parts):
                parts = [part for part in parts if part not in new] + [new]
        slots[name] = AND.join(parts)
    return slots


def without(agent: AgentSpec, held: Mapping[str, str], denied: Sequence[SlotMention]) -> dict[str, str]:
    """The slots that held what is denied, and what is left of them."""
    left: dict[str, str] = {}
    for name, value in held.items():
        spec = agent.slots.get(name)
        taken = {one.value for one in denied if spec is not None and one.kind == spec.kind and one.value}
        parts = value.split(AND)
        kept = [part for part in parts if part not in taken]
        if len(kept) < len(parts):
            left[name] = AND.join(kept)
    return left


def same_value(one: str, other: str) -> bool:
    """Whether two values of a slot speak of the same thing."""
    return not set(one.split(AND)).isdisjoint(other.split(AND))


def _phrases_of(spans: list[tuple[int, int]], *, shortest: bool) -> list[tuple[int, int]]:
    """Of spans with one start the longest, those that overlap give way to the one before. Where parts far apart may
    join (`shortest`), of spans with one start the shortest, and those that touch or overlap are one phrase."""
    by_start: dict[int, int] = {}
    for start, end in spans:
        if start not in by_start or (end > by_start[start] and not shortest):
            by_start[start] = end
    chosen: list[tuple[int, int]] = []
    for start, end in sorted(by_start.items()):
        if chosen and start < chosen[-1][1]:
            if shortest:
                chosen[-1] = chosen[-1][0], max(end, chosen[-1][1])
            continue
        if shortest and chosen and start == chosen[-1][1]:
            chosen[-1] = chosen[-1][0], end
        else:
            chosen.append((start, end))
    return chosen
