"""People named in a turn: by kinship term, pronoun, or as the speaker (hospital.md, "Slots").

The words are in the domain file (`people`); their roles are decided in `people`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from tingdong.front_desk.antecedents import PersonMention
from tingdong.front_desk.domain_words import Folk
from tingdong.front_desk.for_whom import whom_kind
from tingdong.front_desk.kinds import signals_of
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.pieces import clause_at, overlaps
from tingdong.front_desk.spotting import Spots, Spotter

__all__ = ["Who"]

_TITLE = 1
"""Characters of a surname."""
_LATELY = 16
"""Characters of words for a while (最近这两天) between who speaks and what ails them."""
_start, _end = itemgetter(0), itemgetter(1)


class Who:
    """Finds those who are named in turns, by the words of one domain."""

    def __init__(self, spotter: Spotter) -> None:
        domain = spotter.domain
        words: Folk = domain.people
        signals = signals_of(whom_kind(domain))
        self._names = spotter.bits(signals)
        self._known = {name for signal in signals for name in phrases(domain.signals.get(signal, ""))}
        self._ails = spotter.bits(words.ails)
        self._own = sorted(phrases(words.own), key=len, reverse=True)
        self._me = tuple(phrases(words.me))
        self._speaker_name = words.speaker_name
        self._speaker, self._not_speaker = any_of(words.speaker), any_of(words.not_speaker)
        self._others = any_of(words.others)
        self._not_others = any_of(words.not_others)
        self._children = frozenset(phrases(words.children))
        self._of = frozenset({"", *phrases(words.of)})
        self._titled = any_of(words.titled)
        self._surnames = frozenset(domain.markers.surnames)
        self._lately = re.compile(f"(?:{any_of(words.lately).pattern})*")
        self._denied, self._either = tuple(phrases(words.denied)), tuple(phrases(words.either))
        self._with = tuple(phrases(words.with_))
        self._alike = any_of(f"{words.alike} {words.alike_day}")
        self._joins = re.compile(f"(?:{any_of(words.joins).pattern})*")

    def find(self, spots: Spots) -> list[PersonMention]:
        """Those who are named, by place; a pronoun stands for somebody."""
        named = self._named(spots)
        taken = [(one.start, one.end) for one in named]
        return sorted([*named, *self._pronouns(spots.text, taken), *self._speakers(spots, taken)], key=_place)

    def _named(self, spots: Spots) -> list[PersonMention]:
        """Who is named by a word of kinship; whoever only tells whose somebody is (我妈的同学) is not."""
        text, found = spots.text, list[PersonMention]()
        for start, end in _longest(spots.inside(0, len(spots.text), self._names)):
            name = self._bare(text[start:end])
            if self._titled.fullmatch(name) and text[start - _TITLE : start] in self._surnames and start:
                start, name = start - _TITLE, text[start - _TITLE] + name
            between = text[found[-1].end : start] if found else " "
            if found and between in self._of and not (between == "" and self._leads(text[start:end])):
                owner = found[-1]
                if between or owner.name in self._children:
                    if name in self._children and not between:
                        found.append(PersonMention(start, end, name))
                        continue
                    found[-1] = PersonMention(owner.start, end, self._bare(text[owner.start : end]))
                    continue
            found.append(PersonMention(start, end, name))
        return found

    def _leads(self, word: str) -> bool:
        return word.startswith(self._me)

    def _bare(self, word: str) -> str:
        """A name without whose it is (我家老头子 → 老头子)."""
        for lead in filter(word.startswith, self._own):
            left = word[len(lead) :]
            if left in self._known or len(left) > 1 or (left and lead in self._me):
                return self._bare(left)
        return word

    def _pronouns(self, text: str, taken: Sequence[tuple[int, int]]) -> Iterator[PersonMention]:
        never = [match.span() for match in self._not_others.finditer(text)]
        for match in self._others.finditer(text):
            start, end = match.span()
            inside = overlaps(start, end, taken)
            if not inside and not any(first <= start and end <= last for first, last in never):
                yield PersonMention(start, end, match.group(), stands_for=True)

    def _speakers(self, spots: Spots, taken: Sequence[tuple[int, int]]) -> Iterator[PersonMention]:
        """Where the speaker is named as one among others (我自己, 我那个, 我周三), not only speaks (我想挂)."""
        text = spots.text
        never = [match.span() for match in self._not_speaker.finditer(text)]
        spans = [match.span() for match in self._speaker.finditer(text)]
        timed = {time.start for time in spots.times}
        for word in self._me:
            for match in re.finditer(re.escape(word), text):
                start, end = match.span()
                tells = end in timed or self._is_ill(spots, end)
                tells = tells and not text.endswith(self._with, 0, start)  # 跟我隔一天
                like = text.endswith(self._with, 0, start) and self._alike.match(text, end)
                denied = self.is_denied(text, start)
                if tells or like or denied or self._stands_beside(text, start, end, taken):
                    spans.append((start, end))
        for start, end in _longest(spans):
            start = min((at for word in self._me if start <= (at := text.find(word, start)) < end), default=start)
            inside = overlaps(start, end, taken)
            if not inside and not any(first <= start < last for first, last in never):
                yield PersonMention(start, end, self._speaker_name)

    def _is_ill(self, spots: Spots, at: int) -> bool:
        """Whether what ails somebody stands there, or behind words for a while (我最近头晕)."""
        for first, _ in spots.inside(at, clause_at(spots.text, at)[1], self._ails):
            if first > at + _LATELY:
                break
            if self._lately.fullmatch(spots.text, at, first):
                return True
        return False

    def _stands_beside(self, text: str, start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether the speaker is one of several that are listed (我和我老公)."""
        behind, before = bisect_right(taken, end, key=_start), bisect_left(taken, start, key=_end) - 1
        if behind < len(taken) and self._joins.fullmatch(text, end, taken[behind][0]):
            return True
        return before >= 0 and self._joins.fullmatch(text, taken[before][1], start) is not None

    def is_denied(self, text: str, at: int) -> bool:
        """Whether somebody at a place is denied (不是我妈)."""
        return text.endswith(self._denied, 0, at) and not text.endswith(self._either, 0, at)


def _longest(spans: Iterator[tuple[int, int]] | Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans that do not overlap, of those with one start the longest."""
    last = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= last:
            yield start, end
            last = end


def _place(one: PersonMention) -> tuple[int, int]:
    return one.start, -one.end
