"""Which filled slots a turn may change (hospital.md, Segments, Ops).

A filled slot changes only if a clause gives another value for that booking. A clause for somebody else, about another
booking, or for one more changes no other; the patient changes only by a correction; a hypothetical case
(要是他不出诊就换…) changes nothing. The words are in the domain file (`operating`, `correcting`, `people`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import holder, is_for, same_person, whom_kind
from tingdong.front_desk.kinds import DATE, DAY_TIMES, NAMED, PERIOD, WHOM
from tingdong.front_desk.lexicon import SENTENCE_ENDS, any_of, phrases
from tingdong.front_desk.model import CueKind, SlotMention, TaskFrame, TurnReading
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.slots import same_value

__all__ = ["Said", "Settled", "said_of"]

ANSWER_SHARE = 0.33
"""Share of a clause that names values, from which it is an answer."""
_ANEW = frozenset({CueKind.REPAIR, CueKind.DENY})
_MOST = 64
"""Clauses of a turn that are looked at: the work of a long text has an end."""


class Said(NamedTuple):
    """A clause of a turn: what it mentions and denies, for whom and about what it or those before it in its sentence
    are; `led` is what those before it are about.

    `adds`: it asks for one more; `anew`: it tells something anew; `supposed`: it speaks of a case that may come;
    `since` is where that begins.
    """

    text: str
    start: int
    end: int
    since: int
    mentions: tuple[SlotMention, ...]
    denied: tuple[SlotMention, ...]
    people: tuple[str, ...]
    things: tuple[SlotMention, ...]
    led: tuple[SlotMention, ...]
    adds: bool
    anew: bool
    supposed: bool

    def only(self, kinds: Sequence[str]) -> bool:
        """Whether the clause names values of some kinds, and hardly anything besides."""
        spoken = sum(one.end - one.start for one in {(m.start, m.end): m for m in self.mentions}.values())
        return all(one.kind in kinds for one in self.mentions) and spoken >= ANSWER_SHARE * len(self.text) > 0

    def about(self, domain: Domain) -> list[SlotMention]:
        """What the clause names of a task, or those before it in its sentence do."""
        kind = whom_kind(domain)
        return [*self.things, *(SlotMention(kind, name, name, self.start, self.start) for name in self.people)]

    def of(self, *kinds: str) -> list[SlotMention]:
        """What the clause mentions of some kinds, and by name."""
        return [one for one in self.mentions if one.kind.startswith(kinds) and one.value]


def said_of(domain: Domain, reading: TurnReading) -> list[Said]:
    """The clauses of a turn, each with what those before it in its sentence leave open."""
    mentions = dict.fromkeys(chain(reading.named, *(one.mentions for one in reading.segments)))
    told = dict.fromkeys(chain.from_iterable(one.denied for one in reading.segments))
    denied = [one for one in told if one not in mentions]
    adds = any_of(f"{domain.correcting.also} {domain.correcting.again}")
    supposed, courteous = any_of(domain.operating.supposed), any_of(domain.operating.courteous)
    anew = any_of(f"{domain.correcting.anywhere} {domain.operating.instead}")
    found: list[Said] = []
    people: tuple[str, ...] = ()
    things: tuple[SlotMention, ...] = ()
    more = case = False
    since = 0
    for start, end in clauses(reading.text)[:_MOST]:
        words = reading.text[start:end]
        if start and reading.text[start - 1] in SENTENCE_ENDS:
            people, things, more, case = (), (), False, False
        inside, untold = (_inside(told, start, end) for told in (mentions, denied))
        both = inside + untold
        named = tuple(dict.fromkeys(m.value for m in both if m.kind.startswith(WHOM) and m.value))
        again = any(one.kind in _ANEW and one.start < end and start < one.end for one in reading.cues)
        again = again or anew.search(words) is not None
        opens = adds.search(words) is not None
        since = since if (more or case) and not opens else start
        more = opens or (more and not again and not named)
        about = words.endswith(tuple(m.text + after for m in inside for after in phrases(domain.operating.as_for)))
        case = case or (supposed.search(words) is not None and not about and not courteous.search(words))
        people, led = named or people, things
        things = tuple(m for m in both if m.kind in NAMED and m.value) or things
        found.append(Said(words, start, end, since, inside, untold, people, things, led, more, again, case))
    return found


def _inside(told: Iterable[SlotMention], start: int, end: int) -> tuple[SlotMention, ...]:
    return tuple(sorted((m for m in told if start <= m.start and m.end <= end), key=lambda m: (m.start, m.end)))


class Settled:
    """The slots that the bookings of a dialogue hold before a turn, and what the turn may do to them."""

    def __init__(self, domain: Domain, reading: TurnReading, frames: Sequence[TaskFrame]) -> None:
        self._domain = domain
        self._reading = reading
        self._frames = {frame.frame_id: frame for frame in frames if domain.agents[frame.agent_code].group}
        self.said: list[Said] = said_of(domain, reading)
        self.meant: set[tuple[str, str, str]] = set()
        """Frames, slots and values that a clause is known to mean."""
        self.kept: dict[str, int] = {}
        """Frames that are to stay as they are, and where that is said."""
        self.stopped: list[Said] = []
        """Clauses that would change what they do not mean."""

    @property
    def supposed(self) -> list[Said]:
        """Clauses that speak of a case that may come."""
        return [said for said in self.said if said.supposed]

    def allowed(self, frame: TaskFrame, slots: Mapping[str, str]) -> dict[str, str]:
        """Of slots that a turn writes into a frame those that it may: whatever the frame did not hold, and what a
        clause changes in it."""
        before = self._frames.get(frame.frame_id)
        if before is None:
            return dict(slots)
        return {name: value for name, value in slots.items() if self._may(before, name, value, slots)}

    def _may(self, frame: TaskFrame, name: str, value: str, slots: Mapping[str, str]) -> bool:
        spec = self._domain.agents[frame.agent_code].slots.get(name)
        held = frame.slots.get(name, "")
        whom = spec is not None and spec.kind.startswith(WHOM)
        if meant := [one for key, slot, one in self.meant if (key, slot) == (frame.frame_id, name)]:
            return value in meant
        if spec is None or value == held or not (held or whom) or not self._is_settled(spec.kind):
            return True
        if spec.kind == DATE and not value and self._is_part_of_day(frame):
            return False
        where = self._told(spec.kind, value, held)
        if where and all(one.start < self.kept.get(frame.frame_id, 0) for one in where):  # 他的改后天，我的不动
            self.stopped += [said for said in where if said not in self.stopped]
            return False
        if not where:  # counted, or copied: whoever the turn speaks of is meant
            where = [one for one in self.said if one.people]
            return not where or any(self._is_of(frame, one, slots) for one in where)
        stopped = [said for said in where if not self._means(said, frame, spec.kind, value, slots)]
        if len(stopped) == len(where):
            self.stopped += [said for said in stopped if said not in self.stopped]
            return False
        return True

    @staticmethod
    def _is_settled(kind: str) -> bool:
        return kind in DAY_TIMES or kind in NAMED or kind.startswith(WHOM)

    def _told(self, kind: str, value: str, held: str) -> list[Said]:
        """The clauses that tell a value; of one that is emptied those that name what it was, or nobody known."""
        wanted = {value} if value else {held, ""}
        told = ((said, (*said.mentions, *said.denied)) for said in self.said)
        return [said for said, inside in told if any(m.kind == kind and m.value in wanted for m in inside)]

    def _is_part_of_day(self, frame: TaskFrame) -> bool:
        """Whether a day is turned down in one word with a part of it, and another part is told, or that part is not
        what the frame holds (周二上午不行，下午)."""
        segments = self._reading.segments
        denied = [one for segment in segments for one in segment.denied]
        days = [(one.start, one.end) for one in denied if one.kind == DATE]
        parts = [one.value for one in denied if one.kind == PERIOD and (one.start, one.end) in days]
        told = any(one.kind == PERIOD for segment in segments for one in segment.mentions)
        return bool(parts) and (told or not any(value in parts for value in frame.slots.values()))

    def _means(self, said: Said, frame: TaskFrame, kind: str, value: str, slots: Mapping[str, str]) -> bool:
        """Whether a clause means this frame by the value that it tells."""
        if said.supposed or (said.adds and not said.anew):
            return False
        if kind.startswith(WHOM):
            taken = any(is_for(self._domain, one, [value]) for one in self._frames.values())
            told = any(frame.slots.get(name) for name in self._domain.agents[frame.agent_code].of(WHOM))
            return self._is_about(said, frame) and (not (taken or told) or self._hands_on(said, frame, value))
        if said.people and not self._is_of(frame, said, slots):
            return said.anew and len(self._frames) == 1
        return True

    def _is_about(self, said: Said, frame: TaskFrame) -> bool:
        """Whether a clause names nothing, or what a frame is about (not 不是我看唐主任, of a department)."""
        return not said.things or any(self._holds(frame, one) for one in said.things)

    def _is_of(self, frame: TaskFrame, said: Said, slots: Mapping[str, str]) -> bool:
        """Whether a clause is for whom a frame is for, or is to be."""
        people = [self._narrowed(frame, one) for one in said.people]
        whose = [slots.get(name) for name in self._domain.agents[frame.agent_code].of(WHOM)]
        return is_for(self._domain, frame, people) or bool(set(whose) & set(people))

    def _narrowed(self, frame: TaskFrame, name: str) -> str:
        """Whoever a frame is for, where a word means them too (老人家)."""
        held = holder(self._domain, frame)
        broad = self._domain.people.broad
        alike = any(name in phrases(word) and held in phrases(meant) for word, meant in broad.items())
        alike = alike or any(held in phrases(word) and name in phrases(meant) for word, meant in broad.items())
        return held if alike else name

    def _hands_on(self, said: Said, frame: TaskFrame, value: str) -> bool:
        """Whether a clause says that a task is somebody else's (是我妈要看, 换我去), or tells in full whose it is."""
        words, text = self._domain.people, self._reading.text
        if same_person(self._domain, self._narrowed(frame, value), holder(self._domain, frame)):
            return True
        if said.anew or any(one.kind in _ANEW for one in self._reading.cues):
            return True
        if any(m.kind.startswith(WHOM) for one in self._reading.segments for m in one.denied):
            return True
        settled = tuple(phrases(f"{words.settled} {self._domain.operating.belongs}"))
        lead = (*settled, *(f"{one}{to}" for one in settled for to in phrases(words.introduced)))
        named = [m for m in said.of(WHOM) if m.value == value]
        if any(text.endswith(lead, 0, m.start) for m in named):
            return True
        return any_of(words.lets).search(text, said.start, said.end) is not None

    def _holds(self, frame: TaskFrame, mention: SlotMention) -> bool:
        held = (frame.slots.get(name, "") for name in self._domain.agents[frame.agent_code].of(mention.kind))
        return any(same_value(value, mention.value) for value in held)
