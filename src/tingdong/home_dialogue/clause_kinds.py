"""What a clause of a turn is, by its own words: a refusal of all, a hurry, a wait, a place."""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import LAST_NAME, Command, Target
from context_retrieval.works import ends_with_it, made_in, work_in
from tingdong.commands.reading import MentionKind, Part, Verdict
from tingdong.home.home import HomeSnapshot
from tingdong.home_dialogue.answers import clauses_of
from tingdong.home_dialogue.leaving import RefusedAct, leaving
from tingdong.home_dialogue.mentioned import THINGS, WHERE
from tingdong.home_dialogue.outcome import Fate
from tingdong.home_dialogue.own_words import own_words
from tingdong.home_dialogue.parting import is_weighty

__all__ = [
    "NO_CONDITION",
    "THINGS",
    "Clause",
    "adds_to_the_order",
    "describes_a_place",
    "hurries",
    "is_background",
    "is_other_case",
    "takes_all_back",
    "waits_for",
]

SURE_OF_NO_REQUEST = 0.985
"""Confidence from which a clause that is read as no request is talk, whatever it mentions."""
NO_CONDITION, _NEGATED, _NO_REQUEST = "when_not_expressible", "negated", "no_request"
"""Reasons of a reading: it waits for what cannot be watched; it asks for nothing."""


class Clause:
    """One clause: what it says by itself, and what became of it."""

    def __init__(self, part: Part, text: str) -> None:
        self.part: Part = part
        self.text: str = text
        self.refusal: RefusedAct | None = None
        self.wishes = self.reason = self.continues = False
        self.fate: Fate | None = None

    def at(self, when: str) -> None:
        """Sets its requests for later (WHEN text)."""
        commands = tuple(
            msgspec.structs.replace(one, action=msgspec.structs.replace(one.action, when=when)) for one in self.commands
        )
        self.part = msgspec.structs.replace(
            self.part, reading=msgspec.structs.replace(self.part.reading, commands=commands)
        )

    @property
    def points(self) -> bool:
        """Whether it orders something, and names nothing that it is for."""
        return bool(self.commands) and all(command.target.is_last for command in self.commands)

    def point_back(self) -> bool:
        """电视先别开，等八点再开: whether it names nothing, so that what the clause before refused is meant; its
        requests then point at that, whatever the reading took them to be for."""
        named = {one.kind for one in self.part.reading.mentions}
        if not self.commands or not named.isdisjoint((*THINGS, *WHERE, MentionKind.ALL)):
            return self.points
        commands = tuple(msgspec.structs.replace(one, target=Target(LAST_NAME)) for one in self.commands)
        reading = msgspec.structs.replace(self.part.reading, commands=commands)
        self.part = msgspec.structs.replace(self.part, reading=reading)
        return True

    def asks_for_nothing(self) -> None:
        """Takes its requests away: what the reading was unsure of, it refuses."""
        reading = msgspec.structs.replace(self.part.reading, commands=(), reason=_NEGATED)
        self.part = msgspec.structs.replace(self.part, reading=reading)

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands that were read in it."""
        return self.part.reading.commands


def takes_all_back(clause: Clause) -> bool:
    """窗帘打开，电视打开，算了 · 关灯？不用: it names nothing, and takes the orders before it back."""
    reading = clause.part.reading
    if any(one.kind is MentionKind.CANCEL for one in reading.mentions):
        return not is_weighty(reading)
    denial = [one for one in reading.mentions if one.kind is not MentionKind.FILLER]
    said = sum(one.end - one.start for one in reading.mentions)
    return bool(denial) and all(one.kind is MentionKind.NEGATION for one in denial) and said >= len(clause.text)


def hurries(clause: Clause) -> bool:
    """快点: it asks for nothing but haste."""
    return clause.text.lstrip("你").rstrip("啊吧呀嘛哈") in leaving().hurrying


def waits_for(clause: Clause, following: Clause) -> bool:
    """要是下雨了，就关窗 · 等我回来，再开空调: the second clause waits for what cannot be watched."""
    if clause.commands or not following.commands:
        return False
    if clause.part.reading.reason == NO_CONDITION:  # 要是下雨了就关窗 is whole by itself
        return not any(one.kind is MentionKind.ACTION for one in clause.part.reading.mentions)
    table = leaving()
    until = clause.text.startswith(table.until) and not clause.text.startswith(table.waiting)
    return until and following.text.startswith(table.only_then)


def is_other_case(clause: Clause, before: Clause) -> bool:
    """如果下雨就关天窗，没下就开到一半: what is to be done where a condition that was not set does not hold."""
    lost = before.fate is Fate.LOST and before.part.reading.reason == NO_CONDITION
    return lost and clause.text.startswith(leaving().otherwise)


def describes_a_place(clause: Clause) -> bool:
    """暖和点的那间 tells which room is meant, and changes nothing."""
    actions = [one for one in clause.part.reading.mentions if one.kind is MentionKind.ACTION]
    return bool(actions) and clause.text[actions[-1].end :].startswith(leaving().of_a_place)


def is_background(clause: Clause) -> bool:
    """妈妈说要关空调, 今晚暖和: the reading is sure that nothing is asked for, or no more than a time is named."""
    reading = clause.part.reading
    if reading.verdict is not Verdict.REJECT or reading.reason != _NO_REQUEST:
        return False
    named = {mention.kind for mention in reading.mentions} - {MentionKind.WHEN, MentionKind.FILLER}
    return reading.confidence >= SURE_OF_NO_REQUEST or not named


def adds_to_the_order(clause: Clause, before: Sequence[Clause], home: HomeSnapshot) -> bool:
    """风扇开三档，摇头: whether it is a choice or feature of the thing that was named last, and an order stands before;
    or work that something of its own does."""
    named = any(one.kind in THINGS for one in clause.part.reading.mentions)
    if named and not clause.commands and ends_with_it(clause.text):
        return True  # 空调打开，床头灯不用了
    acts = any(one.kind is MentionKind.ACTION for one in clause.part.reading.mentions)
    if work_in(clause.text) is not None or (acts and not clause.commands and made_in(clause.text) is not None):
        return True  # 灯打开，煮杯咖啡 · 灯关了，音乐停掉
    ordered = any(one.commands for one in before)
    if not ordered or clause.commands or is_weighty(clause.part.reading):
        return False
    names = [one.value for earlier in before for one in earlier.part.reading.mentions if one.kind in THINGS]
    said = "".join(clauses_of(clause.text))
    things = [one for one in home.shape.devices.values() if names and names[-1] in (one.plain, one.name)]
    return any(one.end - one.start == len(said) for thing in things for one in own_words(thing, said))
