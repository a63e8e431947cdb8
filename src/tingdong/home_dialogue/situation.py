"""One turn's givens, gathered once: the page, the reading with its mentions by kind, the home, the scene.

Rules of the dialogue are functions of a `Situation`; nothing in it changes while they look.
"""

import re
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from context_retrieval.counting import counting_things
from context_retrieval.models import DeviceType, QueryIR, Reference
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import Mention, MentionKind, Reading
from tingdong.home.home import HomeSnapshot
from tingdong.home.questions import Form, Question, puts_either
from tingdong.home.states import is_active
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.addressee import DEFAULT_WAKE_WORDS, Call
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.day_words import day_words, in_the_afternoon
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.places import in_rooms_of_the_home, is_any_room, room_of_speaker
from tingdong.home_dialogue.said import SaidWords, said_of

if TYPE_CHECKING:
    from tingdong.home_dialogue.leaving import Spared

__all__ = ["Circumstances", "Situation"]

_EVERYWHERE = ("所有", "全部", "一切", "每")
_BARE_CLOCK = re.compile(r"(\d{2}):(\d{2})")
HALF_DAY, MINUTES = 12, 60
_SAME = ("呢", "也", "一样", "同样", "别忘")


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
        said = said_of(reading.text, reading.mentions)
        if said.spelled != said.text:
            reading = msgspec.structs.replace(reading, text=said.spelled)
            said = said_of(reading.text, reading.mentions)
        placed = in_rooms_of_the_home(reading, said, page, home, scene.local)
        self._takes(placed, said if placed is reading else said_of(placed.text, placed.mentions))
        self.page = page
        self.home = home
        self.scene = scene
        self.local: str = room_of_speaker(scene.local, home.shape)
        asked = [QueryIR.from_command(one, placed.confidence) for one in placed.commands if not one.is_unknown]
        self.queries: tuple[QueryIR, ...] = tuple(asked)
        if asked:
            self.queries = self._asked()

    def _takes(self, reading: Reading, said: SaidWords) -> None:
        """Stands on a reading, and on what it says by itself."""
        self.reading: Reading = reading
        self.said: SaidWords = said
        self.text: str = said.text
        self.kinds: frozenset[MentionKind] = said.kinds
        self.of, self.has, self.says = said.of, said.has, said.says
        self.without, self.left_beside = said.without, said.left_beside

    def _asked(self) -> tuple[QueryIR, ...]:
        """The queries of the reading, as the words of the turn have them; none where its acts are refused."""
        queries = self.queries
        if refused := self._refused_acts():
            mentions = tuple(sorted((*self.reading.mentions, *refused), key=lambda one: one.start))
            self._takes(msgspec.structs.replace(self.reading, mentions=mentions), said_of(self.text, mentions))
            return ()
        if all(q.action == "查询频道" for q in queries) and self._changes_channel():
            return ()
        queries = counting_things(queries, self.text, self.home.shape.catalog)
        if "哪" in self.text:
            queries = tuple(map(_in_any_room, queries))
        if any(query.when for query in queries):
            self.queries = queries  # what is for later is said of all of them
            queries = tuple(map(self.at_the_next, queries))
        return queries

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
        if not acts or self.has(MentionKind.NEGATION):
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

    @property
    def question(self) -> Question:
        """The sentence read as a question about states."""
        return self.said.question

    @cached_property
    def whole_home(self) -> bool:
        """Whether all of the home was said in words, or asked about (哪些灯开着, 亮着几盏灯)."""
        return self._all_of_the_home()

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

    @property
    def asks(self) -> bool:
        """Whether the sentence is put as a question; 呢 alone only asks on (卧室的呢)."""
        return self.said.asks

    @property
    def clause_spans(self) -> list[tuple[int, int]]:
        """Where each clause of the sentence begins and ends."""
        spans, parts = self.said.spans, self.reading.parts
        # One without pauses may have seams.
        return [(part.start, part.end) for part in parts] if len(spans) < len(parts) else spans

    def part(self, start: int, end: int) -> "Situation":
        """A stretch of the sentence by itself, with what it mentions and without commands."""
        said = self.said.part(start, end)
        return self.read_as(
            msgspec.structs.replace(self.reading, text=said.text, commands=(), mentions=said.mentions, parts=())
        )

    def read_as(self, reading: Reading, page: Page | None = None) -> "Situation":
        """The same turn with another reading, one of its clauses for instance; on another page, where one is given."""
        return Situation(self.page if page is None else page, reading, self.home, self.scene, self.spared)

    @property
    def puts_either(self) -> bool:
        """Whether two states are put up to choose from (是升着还是降着)."""
        return puts_either(self.text)

    @property
    def described_state(self) -> bool | None:
        """The state that a described target is in (开着的空调: True, 没开的灯: False); None when none is described."""
        return self.said.described_state

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
    def is_fragment(self) -> bool:
        """Whether the sentence is hardly more than a place or thing (卧室的呢), and no talk about one."""
        if self.queries or self.has(MentionKind.NEGATION, MentionKind.EXCEPT) or self._has_own_verb():
            return False
        spoken = self.said.spoken
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

    def type_of(self, device_id: str) -> DeviceType:
        """TYPE of a device by its id; Unknown for one that is not there."""
        device = self.home.shape.devices.get(device_id)
        return device.type if device is not None else DeviceType.UNKNOWN

    def is_active(self, device_id: str) -> bool:
        """Whether a device is on, open or at work."""
        device = self.home.shape.devices.get(device_id)
        return device is not None and bool(is_active(self.home, device))


def _is_put_off(first: QueryIR, second: QueryIR) -> bool:
    """吊灯也关，过二十分钟再关: one act, and not for now."""
    if first.action != second.action or first.when is not None or second.when is None:
        return False
    return second.reference is not None or (first.name, first.type) == (second.name, second.type)


def _is_denied(text: str, place: int) -> bool:
    """Whether a denial stands right before the place (还是不开了), and no choice (开不开)."""
    return text[max(0, place - 1) : place] in answers().denials and text[max(0, place - 2) : place - 1] != text[place]


def _in_any_room(query: QueryIR) -> QueryIR:
    """哪些房间的灯还开着 asks for the rooms; 房间 is none of them."""
    rooms = tuple(room for room in query.include if not is_any_room(room))
    return query if len(rooms) == len(query.include) else msgspec.structs.replace(query, include=rooms)
