"""The intended value among several: 周四，不对，周五; 周三不行，得周四; 要是没有，周五也行.

Corrected, rejected and conditional values give way; denied values are marked, because the user withdraws them. The
words are in the domain file (`correcting`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from tingdong.front_desk.domain_words import Correcting, Markers
from tingdong.front_desk.kinds import DATE, PERIOD, SIGNAL, TIMES
from tingdong.front_desk.lexicon import PUNCTUATION, any_of, phrases
from tingdong.front_desk.model import SlotMention

__all__ = ["Meaning", "MeantValues"]

_NEAR = 12
"""Characters behind a value within which it is turned down."""
_TAIL, _TELLS = 3, 4
"""Characters of a clause besides a value that say nothing, and that tell why it is not meant."""
_STOP = "，"
"""Stands for the end of a clause, whatever ends it."""
_ASKED = re.compile("[了啊呀]?(?P<sure>[吗么？?])?(?P<hoped>吧)?")
"""`hoped` behind what is said of a thing asks (阿莫西林不行吧), behind what is said of a day it settles."""


class MeantValues(NamedTuple):
    """The values that are meant, and those that are not."""

    kept: list[SlotMention]
    denied: list[SlotMention]


class Meaning:
    """Tells what is meant by the words of a domain."""

    def __init__(self, words: Correcting, markers: Markers, unasked: str = "") -> None:
        self._denials = tuple(phrases(f"{markers.denials} {unasked}"))
        self._either = tuple(phrases(markers.either))
        self._own = tuple(phrases(markers.pronouns))
        self._whole = frozenset(phrases(words.whole))
        self._anywhere = any_of(words.anywhere)
        self._starts = tuple(phrases(words.starts))
        self._turned_down = any_of(words.turned_down)
        self._or, self._joins = frozenset(phrases(words.or_else)), frozenset(phrases(words.joins))
        self._which, self._settled = tuple(phrases(words.which)), tuple(phrases(words.settled))
        self._else = any_of(words.otherwise)
        self._as_well = any_of(words.as_well)
        self._settling = tuple(phrases(words.settling))

    def of(self, text: str, start: int, end: int, mentions: Sequence[SlotMention]) -> MeantValues:
        """What is meant among the mentions of a stretch of a text; their offsets count its characters."""
        asked = {at for pair in pairwise(mentions) if self._leaves_open(text, *pair) for at in pair}
        free = {one.kind for one in asked if one.kind in TIMES}
        told = (one for one in mentions if one.kind not in free or _rest(text, start, end, one) < _TELLS)
        mentions = [one for one in told if one not in asked]  # 上午下午都行，早上我要打太极
        denied = [one for one in mentions if self._denied(text, start, one.start)]
        gone = {_told(one): one.start for one in denied}  # the last place of each
        said = [one for one in mentions if one.start > gone.get(_told(one), -1)]
        last = {one.kind: _told(one) for one in said}  # 不是上午，早上我要打太极，下午去吧
        said = [one for one in said if _told(one) not in gone or last[one.kind] in gone]
        down = [one for one in said if self._is_turned_down(text, end, one, mentions)]
        kept = _without(said, down)
        if down:
            sure = {_told(one) for one in kept if not self._for_another_case(text, start, end, one, said)}
            late = {_told(one): one.start for one in down}  # 周三吧，哦周三不行，周四; but 今天，今天不行明天也行
            over = {told for told in late if any(kind == told[0] and (kind, value) != told for kind, value in sure)}
            kept = [one for one in kept if _told(one) not in over or one.start >= late[_told(one)]]
        if any(one.kind == PERIOD for one in kept) and not any(one.kind == DATE for one in kept):
            days = [one for one in down if one.kind == DATE and any(_is_part(one, other) for other in down)]
            kept, down = kept + days, _without(down, days)  # 明天上午要赶工，下午吧
        for kind in dict.fromkeys(one.kind for one in kept):
            ranked = [one for one in kept if one.kind == kind]
            if len({one.value for one in ranked}) > 1:
                wanted = self._wanted(text, start, end, ranked)
                kept = [one for one in kept if one.kind != kind or one in wanted]
        return MeantValues(_without_parts(kept, _without(mentions, kept)), denied + down)

    def _leaves_open(self, text: str, one: SlotMention, other: SlotMention) -> bool:
        """Whether two values are named to ask which of them (骨科还是康复科, 李四和王五哪个好), or as good as the
        other (上午下午都行)."""
        between = text[one.end : other.start]
        if one.kind != other.kind or one.value == other.value:
            return False
        if (between in self._joins or between in self._or or not between) and self._as_well.match(text, other.end):
            return True
        settled = text.startswith(self._settled, other.end)
        return (between in self._or and not settled) or (
            between in self._joins and text.startswith(self._which, other.end)
        )

    def _denied(self, text: str, start: int, at: int) -> bool:
        """Whether a denial stands right before a place (不是我闺女); what asks (有没有, 是不是) denies nothing."""
        at -= max((len(word) for word in self._own if text.endswith(word, start, at)), default=0)
        denied = text.endswith(self._denials, start, at) and not text.endswith(self._either, start, at)
        return denied and any(
            text.endswith(word, start, at) and text[max(0, at - len(word) - 1) : at - len(word)] != word[-1]
            for word in self._denials
        )

    def _is_turned_down(self, text: str, end: int, one: SlotMention, mentions: Sequence[SlotMention]) -> bool:
        """Whether a value is turned down behind it (周三不行, 下午我没空), and not asked about (周三不行吗)."""
        after = (other.start for other in _behind(one, mentions) if not _beside(one, other))
        stop = min(end, one.end + _NEAR, next(after, end))
        clause = re.split(_SIGNS, text[one.end : stop])[0]
        clause += _STOP if re.match(f"{_SIGNS}|$", text[one.end + len(clause) :]) else ""
        found = self._turned_down.search(clause)
        if found is None:
            return False
        before, after_it = clause[: found.start()], text[one.end + found.end() :]
        whether = found.group()[1:2], found.group()[-1]  # 行不行, 得唔得闲
        asked = _ASKED.match(after_it)
        hoped = asked is not None and asked["hoped"] is not None and asked["sure"] is None
        thing = one.kind.startswith(SIGNAL) and (hoped or before.endswith(self._either))
        return not (thing or (asked is not None and asked["sure"]) or before.endswith(whether))

    def _wanted(self, text: str, start: int, end: int, ranked: Sequence[SlotMention]) -> Sequence[SlotMention]:
        """Of values of one kind those that are meant: not what was corrected, not what is named for another case, and
        alone what was settled on."""
        last = max((n for n in range(1, len(ranked)) if self._corrects(text, ranked[n - 1], ranked[n])), default=0)
        ranked = ranked[last:]
        first = [one for one in ranked if not self._for_another_case(text, start, end, one, ranked)]
        ranked = first or ranked
        if ranked[0].kind.startswith(SIGNAL):
            return ranked
        settled = [one for one in ranked if text.endswith(self._settling, start, one.start)]
        settled = settled or self._answers(text, start, end, ranked)
        return [one for one in ranked if one.start >= settled[-1].start] if settled else ranked

    @staticmethod
    def _answers(text: str, start: int, end: int, ranked: Sequence[SlotMention]) -> list[SlotMention]:
        """The last value, where its clause says nothing else and every other stands in one that tells something
        (礼拜天我孙子结婚，下礼拜一嘛)."""
        rest = [_rest(text, start, end, one) for one in ranked]
        alone = rest[-1] <= _TAIL and all(one >= _TELLS for one in rest[:-1])
        return [ranked[-1]] if alone and ranked[-1].kind in TIMES else []

    def _corrects(self, text: str, one: SlotMention, other: SlotMention) -> bool:
        """Whether what stands between two values takes the first one back."""
        between = text[one.end : other.start]
        parts = [part.strip() for part in re.split(_SIGNS, between)]
        said = [part for part in parts if part]
        if any(part in self._whole or self._anywhere.search(part) for part in said):
            return True
        return bool(len(parts) > 1 and parts[-1].startswith(self._starts)) if self._starts else False

    def _for_another_case(
        self, text: str, start: int, end: int, one: SlotMention, mentions: Sequence[SlotMention]
    ) -> bool:
        """Whether a value is for the case that another cannot be had (没有就周五)."""
        before = re.split(_SIGNS, text[start : one.start])[-1]
        stop = next((other.start for other in _behind(one, mentions) if other.kind == one.kind), end)
        after = re.split(_SIGNS, text[one.end : stop])[0]
        return bool(self._else.search(before) or self._as_well.search(after))


_SIGNS = f"[{re.escape(''.join(PUNCTUATION))} ]"


def _is_part(day: SlotMention, other: SlotMention) -> bool:
    """Whether a day is told in one word with a part of it."""
    return other.kind == PERIOD and (day.start, day.end) == (other.start, other.end)


def _rest(text: str, start: int, end: int, one: SlotMention) -> int:
    """How many characters the clause of a value has besides."""
    before = re.split(_SIGNS, text[start : one.start])[-1]
    return len(before) + len(re.split(_SIGNS, text[one.end : end])[0])


def _beside(one: SlotMention, other: SlotMention) -> bool:
    """Whether two mentions are one phrase (周三下午)."""
    return other.start - one.end <= 1 and other.kind != one.kind


def _without_parts(kept: Sequence[SlotMention], dropped: Sequence[SlotMention]) -> list[SlotMention]:
    """What is meant, less the parts of phrases that are not (周二上午, where 周四下午 is), if others are there."""
    parts = [one for one in kept if any(_beside(other, one) for other in dropped if other.end <= one.start)]
    return [one for one in kept if one not in parts or not any(o.kind == one.kind and o not in parts for o in kept)]


def _told(one: SlotMention) -> tuple[str, str]:
    return one.kind, one.value


def _without(mentions: Sequence[SlotMention], gone: Sequence[SlotMention]) -> list[SlotMention]:
    dropped = frozenset(gone)
    return [one for one in mentions if one not in dropped]


def _behind(one: SlotMention, mentions: Sequence[SlotMention]) -> Iterator[SlotMention]:
    """The mentions that begin where one ends or later; they are in the order of their places."""
    return islice(mentions, bisect_left(mentions, one.end, key=lambda other: other.start), None)
