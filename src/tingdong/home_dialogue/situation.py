"""One turn's givens, gathered once: the page, the reading with its mentions by kind, the home, the scene.

Rules of the dialogue are functions of a `Situation`; nothing in it changes while they look.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from context_retrieval.counting import counting_things
from context_retrieval.models import DeviceType, QueryIR, Reference
from context_retrieval.text import plain_question
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import Mention, MentionKind, Reading
from tingdong.home.home import HomeSnapshot
from tingdong.home.questions import Form, Question, is_question, puts_either, read_question
from tingdong.home.states import is_active
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.addressee import DEFAULT_WAKE_WORDS, Call
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.choose import described_in
from tingdong.home_dialogue.day_words import day_words, in_the_afternoon
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.places import in_rooms_of_the_home, is_any_room, room_of_speaker
from zhtext.finding import any_of
from zhtext.normalise import respelled

if TYPE_CHECKING:
    from tingdong.home_dialogue.leaving import Spared

__all__ = ["STATES", "Circumstances", "Situation"]

T = TypeVar("T")
_EVERYWHERE = ("所有", "全部", "一切", "每")
STATES = ("开起没", "关起没", "开起的", "关起的", "开着", "亮着", "关着", "灭着", "转着", "响着",
          "锁着", "拉着", "合着")  # fmt: skip
"""States that may be asked about or described, and are no orders."""
_SUPPOSING = ("的吧", "呢吧", "了吧")
_BARE_CLOCK = re.compile(r"(\d{2}):(\d{2})")
HALF_DAY, MINUTES = 12, 60
_SAME = ("呢", "也", "一样", "同样", "别忘")
_NO_WORDS = re.compile(r"[\s，,。.!！?？、~～…的那这]+")


class Circumstances(msgspec.Struct, frozen=True):
    """Where and when a request comes in. `now` is aware; `local` the user's place ("" for unknown).

    `call` is who was addressed when that is known already; `instruct` the request's own switch; `timed` whether the
    consumer knows `when` (service.md: it can be served with a question instead).
    """

    now: datetime
    local: str = ""
    instruct: bool = True
    timed: bool = True
    wake_words: tuple[str, ...] = DEFAULT_WAKE_WORDS
    call: Call | None = None


class Situation:
    """What the rules of one turn look at. `spared` is what some clause of the turn leaves as it is."""

    def __init__(
        self, page: Page, reading: Reading, home: HomeSnapshot, scene: Circumstances, spared: tuple["Spared", ...] = ()
    ) -> None:
        self.spared: tuple[Spared, ...] = spared
        reading = in_rooms_of_the_home(_in_one_spelling(reading), page, home, scene.local)
        self.page = page
        self.reading: Reading = reading
        self.home = home
        self.scene = scene
        self.text: str = reading.text
        self._by_kind: dict[tuple[MentionKind, ...], list[Mention]] = {}
        self._left: dict[tuple[MentionKind, ...], str] = {}
        self._found: dict[Callable[[Situation], Any], Any] = {}
        self.kinds: frozenset[MentionKind] = frozenset([mention.kind for mention in reading.mentions])
        self.queries: tuple[QueryIR, ...] = tuple(
            [QueryIR.from_command(one, reading.confidence) for one in reading.commands if not one.is_unknown]
        )
        if refused := self._refused_acts():
            mentions = sorted((*reading.mentions, *refused), key=lambda one: one.start)
            self.reading = reading = msgspec.structs.replace(reading, mentions=tuple(mentions))
            self.kinds = self.kinds | {MentionKind.NEGATION}
            self._by_kind.clear()
            self.queries = ()
        if self.queries and all(q.action == "查询频道" for q in self.queries) and self._changes_channel():
            self.queries = ()
        if self.queries:
            self.queries = counting_things(self.queries, self.text, home.shape.catalog)
        if "哪" in self.text:
            self.queries = tuple(map(_in_any_room, self.queries))
        if any(query.when for query in self.queries):
            self.queries = tuple(map(self.at_the_next, self.queries))
        self.local: str = room_of_speaker(scene.local, home.shape)
        self.whole_home: bool = self._all_of_the_home()
        """Whether all of the home was said in words, or asked about (哪些灯开着, 亮着几盏灯)."""

    def at_the_next(self, query: QueryIR) -> QueryIR:
        """十点, said without a half of the day, is the next ten o'clock there is; so is what is said back."""
        clock = _BARE_CLOCK.fullmatch(query.when or "")
        if clock is None or self._says_half_of_day() or ":" in self.text or "：" in self.text:
            return query
        hour, minute, now = int(clock[1]), int(clock[2]), self.scene.now
        if not 0 < hour <= HALF_DAY:
            return query
        if query.reference is Reference.LAST and in_the_afternoon(self.page, self.queries):
            return msgspec.structs.replace(query, when=f"{hour % HALF_DAY + HALF_DAY:02d}:{clock[2]}")
        past = ((now.hour - hour) * MINUTES + now.minute - minute) % (2 * HALF_DAY * MINUTES)
        later = past < HALF_DAY * MINUTES  # the half of the day it would be in is over, the other one is to come
        hour = (hour + HALF_DAY) % (2 * HALF_DAY) if later else hour % (2 * HALF_DAY)
        return msgspec.structs.replace(query, when=f"{hour:02d}:{clock[2]}")

    def _refused_acts(self) -> list[Mention]:
        """喷灌还是不开了: the denials right before the acts of the sentence, where all of them are denied so."""
        acts, text = self.of(MentionKind.ACTION), self.text
        if not self.queries or not acts or self.has(MentionKind.NEGATION):
            return []
        if not all(_is_denied(text, one.start) for one in acts) or self.asks:
            return []
        return [Mention(MentionKind.NEGATION, one.start - 1, one.start, text[one.start - 1]) for one in acts]

    def _says_half_of_day(self) -> bool:
        """Whether a time is said with its half of the day (晚上十点); 小夜灯 says none."""
        said = [self.text[mention.start : mention.end] for mention in self.of(MentionKind.WHEN)]
        return any(half in words for words in said or (self.text,) for half in day_words().halves)

    def _changes_channel(self) -> bool:
        """下一个频道 names the channel and asks nothing of it."""
        table = answers()
        return self.says(table.next_channel) or self.says(table.previous_channel)

    @property
    def places(self) -> tuple[str, ...]:
        """Default places in the home's own names: the room of the conversation, then where the user is."""
        room, local = self.page.room, self.local
        if not room or room == local:
            return (local,) if local else ()
        return (room, local) if local else (room,)

    @property
    def rooms_said(self) -> tuple[str, ...] | None:
        """The rooms that are said, in the home's own names; None when none is said, () when the home has none of them.

        Of several rooms of one word it is the one where the user is; 房间 where it is asked which names none.
        """
        ends = {mention.end for mention in self.of(MentionKind.ROOM)}
        said = [one for one in self.of(MentionKind.ROOM, MentionKind.HERE) if not is_any_room(one.value)]
        apart = [one for one in said if one.kind is MentionKind.ROOM or one.start not in ends]  # 客厅这边 is one place
        words = [one.value if one.kind is MentionKind.ROOM else self.local for one in apart]
        if not any(words):
            return None
        return tuple(dict.fromkeys(room for word in words for room in self._rooms_of(word)))

    def _rooms_of(self, word: str) -> tuple[str, ...]:
        rooms = self.home.shape.catalog.rooms
        found = rooms.find(word)
        return (self.local,) if len(found) > 1 and self.local in found else found

    @cached_property
    def question(self) -> Question:
        """The sentence read as a question about states."""
        return read_question("查询状态", self.text)

    def _all_of_the_home(self) -> bool:
        if MentionKind.WHOLE_HOME in self.kinds:
            return True
        for mention in self.of(MentionKind.ALL):
            if any(word in self.text[mention.start : mention.end] for word in _EVERYWHERE):
                return True
        if not self.queries or not self.queries[0].action.startswith("查询"):
            return False
        form = self.question.form
        sets = form in (Form.COUNT, Form.LIST) or (form is Form.ANY and self.says(answers().still))
        return form is Form.COMPARE or (sets and self.question.on is not None)

    @cached_property
    def asks(self) -> bool:
        """Whether the sentence is put as a question; 呢 alone only asks on (卧室的呢)."""
        return is_question(self.text) or self.supposes

    @cached_property
    def clause_spans(self) -> list[tuple[int, int]]:
        """Where each clause of the sentence begins and ends."""
        spans = pauses.spans(self.text)
        parts = [(part.start, part.end) for part in self.reading.parts]
        return parts if len(spans) < len(parts) else spans  # one without pauses may have seams

    @cached_property
    def _starts(self) -> list[int]:
        """Where the mentions begin, in their order: by place."""
        return [mention.start for mention in self.reading.mentions]

    def once(self, find: Callable[["Situation"], T]) -> T:
        """What `find` makes of it, made once however many requests of the turn look at it."""
        if find not in self._found:
            self._found[find] = find(self)
        found: T = self._found[find]
        return found

    def part(self, start: int, end: int) -> "Situation":
        """A stretch of the sentence by itself, with what it mentions and without commands."""
        mentions, starts = self.reading.mentions, self._starts
        near = mentions[bisect_left(starts, start) : bisect_right(starts, end)]
        inside = [mention for mention in near if mention.end <= end]
        shifted = [msgspec.structs.replace(one, start=one.start - start, end=one.end - start) for one in inside]
        reading = msgspec.structs.replace(
            self.reading, text=self.text[start:end], commands=(), mentions=tuple(shifted), parts=()
        )
        return self.read_as(reading)

    def read_as(self, reading: Reading, page: Page | None = None) -> "Situation":
        """The same turn with another reading, one of its clauses for instance; on another page, where one is given."""
        return Situation(self.page if page is None else page, reading, self.home, self.scene, self.spared)

    @property
    def puts_either(self) -> bool:
        """Whether two states are put up to choose from (是升着还是降着)."""
        return puts_either(self.text)

    @cached_property
    def described_state(self) -> bool | None:
        """The state that a described target is in (开着的空调: True, 没开的灯: False); None when none is described."""
        return described_in(self.text)

    @property
    def orders(self) -> tuple[QueryIR, ...]:
        """The queries without what only describes: 把开着的空调关了 opens nothing, 锁还有多少电 locks nothing."""
        queries = self.queries
        if len(queries) < 2:
            return queries
        if len(queries) == 2 and _is_put_off(*queries):
            return (msgspec.structs.replace(queries[0], when=queries[1].when),)
        if self.described_state is not None:
            return tuple(q for q in queries if q.action not in ("打开", "关闭") or q is queries[-1]) or queries
        asked = tuple(query for query in queries if query.action.startswith("查询"))
        return asked if asked and self.asks and not pauses.has_pause(self.text) else queries

    @property
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

    @property
    def is_fragment(self) -> bool:
        """Whether the sentence is hardly more than a place or thing (卧室的呢), and no talk about one."""
        if self.queries or self.has(MentionKind.NEGATION, MentionKind.EXCEPT) or self._has_own_verb():
            return False
        spoken = len(_NO_WORDS.sub("", self.text))
        covered = sum(mention.end - mention.start for mention in self.reading.mentions)
        return self.says(_SAME) or spoken - covered <= 2

    @property
    def says_the_same(self) -> bool:
        """Whether it is said to be the same there (长虹也是); 另外 begins something else."""
        return self.says(_SAME)

    def _has_own_verb(self) -> bool:
        return any(mention.value in verb_table().ways for mention in self.of(MentionKind.ACTION))

    def clause_around(self, place: int) -> tuple[int, int]:
        """Where the clause that holds this place begins and ends, between pauses."""
        return pauses.around(self.text, place)

    def without(self, *kinds: MentionKind) -> str:
        """The sentence without what mentions of these kinds cover, of any where none is told."""
        text = self._left.get(kinds)
        if text is None:
            text = self.text
            for mention in reversed(self.of(*kinds) if kinds else self.reading.mentions):
                text = text[: mention.start] + text[mention.end :]
            self._left[kinds] = text
        return text

    @cached_property
    def small(self) -> str:
        """The small words of the sentence."""
        return "".join([self.text[one.start : one.end] for one in self.of(MentionKind.FILLER)])

    @cached_property
    def is_asked(self) -> bool:
        """Whether it is put as a question, less politeness behind it (好不好)."""
        mentions = self.reading.mentions
        end = max((one.end for one in mentions if one.kind is not MentionKind.FILLER), default=len(self.text))
        polite = sum(one.end - one.start for one in mentions if one.kind is MentionKind.FILLER and one.start >= end)
        return is_question(self.text[:end] if polite == len(self.text) - end else self.text)

    def left_beside(self, *kinds: MentionKind) -> int:
        """How many characters of the sentence stand beside what mentions of these kinds cover."""
        return len(_NO_WORDS.sub("", self.without(*kinds)))

    def has(self, *kinds: MentionKind) -> bool:
        """Whether anything of these kinds is mentioned."""
        return not self.kinds.isdisjoint(kinds)

    def of(self, *kinds: MentionKind) -> list[Mention]:
        """The mentions of these kinds, in order."""
        if self.kinds.isdisjoint(kinds):
            return []
        found = self._by_kind.get(kinds)
        if found is None:
            found = self._by_kind[kinds] = [one for one in self.reading.mentions if one.kind in kinds]
        return found

    def type_of(self, device_id: str) -> DeviceType:
        """TYPE of a device by its id; Unknown for one that is not there."""
        device = self.home.shape.devices.get(device_id)
        return device.type if device is not None else DeviceType.UNKNOWN

    def is_active(self, device_id: str) -> bool:
        """Whether a device is on, open or at work."""
        device = self.home.shape.devices.get(device_id)
        return device is not None and bool(is_active(self.home, device))

    def says(self, words: tuple[str, ...]) -> bool:
        """Whether one of `words` stands in the sentence."""
        return any_of(words).search(self.text) is not None


def _is_put_off(first: QueryIR, second: QueryIR) -> bool:
    """吊灯也关，过二十分钟再关: one act, and not for now."""
    if first.action != second.action or first.when is not None or second.when is None:
        return False
    return second.reference is not None or (first.name, first.type) == (second.name, second.type)


def _is_denied(text: str, place: int) -> bool:
    """Whether a denial stands right before the place (还是不开了), and no choice (开不开)."""
    return text[max(0, place - 1) : place] in answers().denials and text[max(0, place - 2) : place - 1] != text[place]


def _in_one_spelling(reading: Reading) -> Reading:
    """The reading with its text as the rules' words are written (好熱 as 好热); the mentions' spans stay true."""
    text = plain_question(respelled(reading.text))
    return reading if text == reading.text else msgspec.structs.replace(reading, text=text)


def _in_any_room(query: QueryIR) -> QueryIR:
    """哪些房间的灯还开着 asks for the rooms; 房间 is none of them."""
    rooms = tuple(room for room in query.include if not is_any_room(room))
    return query if len(rooms) == len(query.include) else msgspec.structs.replace(query, include=rooms)
