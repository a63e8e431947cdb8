"""What a stretch of a turn says by itself, whatever page and home it is met on: its text, and its mentions by kind.

What rules find out of words alone is kept here, so that rules that look for the same thing find it once, and a sentence
that is said again is not looked through anew.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from context_retrieval.text import plain_question
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.questions import Question, is_question, read_question
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.choose import described_in
from zhtext.finding import any_of
from zhtext.normalise import respelled

__all__ = ["STATES", "SaidWords", "said_of"]

T = TypeVar("T")
STATES = ("开起没", "关起没", "开起的", "关起的", "开着", "亮着", "关着", "灭着", "转着", "响着",
          "锁着", "拉着", "合着")  # fmt: skip
"""States that may be asked about or described, and are no orders."""
_SUPPOSING = ("的吧", "呢吧", "了吧")
_NO_WORDS = re.compile(r"[\s，,。.!！?？、~～…的那这]+")
_KEPT, _LONGEST = 1_024, 240
"""Stretches that are remembered, and the characters of the longest."""


class SaidWords:
    """A stretch of a sentence with what it mentions."""

    def __init__(self, text: str, mentions: tuple[Mention, ...]) -> None:
        self.text: str = text
        self.mentions: tuple[Mention, ...] = mentions
        self.kinds: frozenset[MentionKind] = frozenset([mention.kind for mention in mentions])
        self._by_kind: dict[tuple[MentionKind, ...], list[Mention]] = {}
        self._left: dict[tuple[MentionKind, ...], str] = {}
        self._parts: dict[tuple[int, int], SaidWords] = {}
        self._says: dict[tuple[str, ...], bool] = {}
        self._found: dict[Any, Any] = {}

    def once(self, find: "Callable[..., T]", *given: Hashable) -> T:
        """What `find` makes of it (and of what else is given), made once however often it is looked at."""
        key = (find, given)
        if key not in self._found:
            self._found[key] = find(self, *given)
        found: T = self._found[key]
        return found

    def has(self, *kinds: MentionKind) -> bool:
        """Whether anything of these kinds is mentioned."""
        return not self.kinds.isdisjoint(kinds)

    def of(self, *kinds: MentionKind) -> list[Mention]:
        """The mentions of these kinds, in order."""
        found = self._by_kind.get(kinds)
        if found is None:
            found = self._by_kind[kinds] = [one for one in self.mentions if one.kind in kinds]
        return found

    def says(self, words: tuple[str, ...]) -> bool:
        """Whether one of `words` stands in the sentence."""
        found = self._says.get(words)
        if found is None:
            found = self._says[words] = any_of(words).search(self.text) is not None
        return found

    def part(self, start: int, end: int) -> "SaidWords":
        """A stretch of it by itself, with what it mentions."""
        found = self._parts.get((start, end))
        if found is None:
            starts = self._starts
            near = self.mentions[bisect_left(starts, start) : bisect_right(starts, end)]
            inside = [mention for mention in near if mention.end <= end]
            shifted = [msgspec.structs.replace(one, start=one.start - start, end=one.end - start) for one in inside]
            found = self._parts[start, end] = said_of(self.text[start:end], tuple(shifted))
            if self.spelled == self.text:
                found.spelled = found.text
        return found

    def without(self, *kinds: MentionKind) -> str:
        """The sentence without what mentions of these kinds cover, of any where none is told."""
        text = self._left.get(kinds)
        if text is None:
            text = self.text
            for mention in reversed(self.of(*kinds) if kinds else self.mentions):
                text = text[: mention.start] + text[mention.end :]
            self._left[kinds] = text
        return text

    def left_beside(self, *kinds: MentionKind) -> int:
        """How many characters of the sentence stand beside what mentions of these kinds cover."""
        return len(_NO_WORDS.sub("", self.without(*kinds)))

    @cached_property
    def spoken(self) -> int:
        """How many characters of it say something."""
        return len(_NO_WORDS.sub("", self.text))

    @cached_property
    def spelled(self) -> str:
        """The text as the rules' words are written (好熱 as 好热); the mentions' spans stay true."""
        return plain_question(respelled(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        """Where the mentions begin, in their order: by place."""
        return [mention.start for mention in self.mentions]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each clause begins and ends, between pauses."""
        return pauses.spans(self.text)

    @cached_property
    def question(self) -> Question:
        """The sentence read as a question about states."""
        return read_question("查询状态", self.text)

    @cached_property
    def asks(self) -> bool:
        """Whether the sentence is put as a question; 呢 alone only asks on (卧室的呢)."""
        return is_question(self.text) or self.supposes

    @cached_property
    def described_state(self) -> bool | None:
        """The state that a described target is in (开着的空调: True, 没开的灯: False); None when none is described."""
        return described_in(self.text)

    @cached_property
    def small(self) -> str:
        """The small words of the sentence."""
        return "".join([self.text[one.start : one.end] for one in self.of(MentionKind.FILLER)])

    @cached_property
    def is_asked(self) -> bool:
        """Whether it is put as a question, less politeness behind it (好不好)."""
        end = max((one.end for one in self.mentions if one.kind is not MentionKind.FILLER), default=len(self.text))
        polite = sum(one.end - one.start for one in self.of(MentionKind.FILLER) if one.start >= end)
        return is_question(self.text[:end] if polite == len(self.text) - end else self.text)

    @cached_property
    def supposes(self) -> bool:
        """Whether a state with 着 is put up for a yes: 空调现在开着的吧, 是开着还是关着."""
        if not self.says(STATES):
            return False
        return self._puts_another_state or self.text.rstrip("。！!，, ").endswith(_SUPPOSING)

    @property
    def _puts_another_state(self) -> bool:
        """Whether 还是 stands between two states; 灯还是开着 rather orders."""
        first, between, _ = self.text.partition("还是")
        acts = any(mention.end <= len(first) for mention in self.of(MentionKind.ACTION, MentionKind.QUERY))
        return bool(between) and (acts or any_of(STATES).search(first) is not None)


_kept: dict[tuple[int, str], SaidWords] = {}
"""By the identity of their mentions, which they keep alive, and their text; all are forgotten where there are many."""


def said_of(text: str, mentions: tuple[Mention, ...]) -> SaidWords:
    """What a sentence says by itself, as it is known or made now."""
    if len(text) > _LONGEST:
        return SaidWords(text, mentions)
    key = id(mentions), text
    found = _kept.get(key)
    if found is None:
        found = SaidWords(text, mentions)
        if len(_kept) >= _KEPT:
            _kept.clear()
        _kept[key] = found
    return found
