"""A request, its effects and its clause: the input of accounting."""

from collections.abc import Sequence
from functools import cached_property

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.acts import ActKind, VerbMeaning, read_act
from tingdong.home.device import DeviceShape
from tingdong.home.model import Plan
from tingdong.home_dialogue.accounting_table import accounting_table
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.said import SaidWords
from tingdong.home_dialogue.situation import Situation

__all__ = ["THINGS", "Proposal", "Turned", "clause_of"]

_SETS_SAID = (MentionKind.ALL, MentionKind.ANY, MentionKind.EXCEPT, MentionKind.WHOLE_HOME, MentionKind.SCENE)
_MORE = frozenset({ActKind.ON, ActKind.RAISE, ActKind.UNLOCK, ActKind.UNMUTE, ActKind.RUN})
_LESS = frozenset({ActKind.OFF, ActKind.LOWER, ActKind.LOCK, ActKind.MUTE})
_WORD_BY_WORD = frozenset({"local", "reader"})
_NAMING_RULES = frozenset({"kind", "feature", "rest"})
"""Rules that found the thing by a word for a part of it, for its kind, or for what is left of a set."""
_ANSWERING = frozenset({"clarified", "confirmed", "heard"})


class Turned(msgspec.Struct, frozen=True):
    """An act that is said, at a mention: `more` of something (True), less of it, or neither (None)."""

    mention: Mention
    act: VerbMeaning
    more: bool | None


class Proposal:
    """A request with what it would do. `clause` is where it was said, `whole` the turn; `earlier` are the plans of the
    same turn before it."""

    def __init__(
        self,
        job: Job,
        planned: Plan,
        clause: Situation,
        whole: Situation,
        *,
        earlier: Sequence[Plan] = (),
    ) -> None:
        self.planned = planned
        self.query: QueryIR = job.query
        self.rule: str = job.rule
        """How the request was completed."""
        self.answers: bool = job.rule in _ANSWERING
        """Whether it answers a question that was open, which has named the act."""
        self.wishes: bool = job.rule == "wish"
        """Whether the table of wishes accounts for the act."""
        self.clause, self.whole, self.earlier = clause_of(job.query, clause), whole, earlier
        shape = clause.home.shape.devices
        self.devices: list[DeviceShape] = [shape[one.id] for one in planned.instructs if one.id in shape]

    @property
    def read_by_words(self) -> bool:
        """Whether the words of the clause are told by who read it; a language model reads what no word says."""
        reading = self.clause.reading
        return bool(reading.mentions) and reading.tier in _WORD_BY_WORD

    @cached_property
    def act(self) -> VerbMeaning:
        """What the verb of the query means."""
        return read_act(self.query.action)

    @property
    def more(self) -> bool | None:
        """Whether the act is more of something, or less; None for what is neither (a colour, a mode)."""
        return _direction(self.act)

    @property
    def said(self) -> list[Turned]:
        """The acts that are said in the clause."""
        return self.clause.said.once(_turned)

    @cached_property
    def named(self) -> list[Mention]:
        """Mentions that name what is acted on, by its name or by its kind."""
        things = self.clause.of(*THINGS)
        words = {(one.value, one.type): one for one in things}
        meant = {word for word, one in words.items() if self._is_meant(one)}
        return [one for one in things if (one.value, one.type) in meant]

    def _is_meant(self, mention: Mention) -> bool:
        if mention.value == self.query.name or any(_is_called(device, mention) for device in self.devices):
            return True
        return self.query.name is None and mention.type is self.query.type is not DeviceType.UNKNOWN

    @cached_property
    def carried(self) -> bool:
        """Whether what is acted on is not named in the clause, and no answer, wish or scene tells it."""
        told = self.answers or self.wishes or self.rule in _NAMING_RULES or self.clause.has(MentionKind.SCENE)
        return not (told or self.named)

    @cached_property
    def kinds(self) -> set[str]:
        """Types of its devices, or plain words where a type is unknown."""
        return {one.type.value if one.type is not DeviceType.UNKNOWN else one.kind.word for one in self.devices}

    @property
    def says_set(self) -> bool:
        """Whether a word of the clause means several (都, 两盏, 它们, 一起)."""
        if self.clause.has(*_SETS_SAID) or self.clause.says(answers().together):
            return True
        if any(one.value.isdigit() and int(one.value) > 1 for one in self.clause.of(MentionKind.COUNT)):
            return True
        return any(
            not accounting_table().plural.isdisjoint(self.text_of(one)) for one in self.clause.of(MentionKind.REFERENCE)
        )

    @property
    def points_at_one(self) -> bool:
        """Whether the clause points at one thing (它, 那个)."""
        return any(
            accounting_table().plural.isdisjoint(self.text_of(one)) for one in self.clause.of(MentionKind.REFERENCE)
        )

    def text_of(self, mention: Mention) -> str:
        """The words of a mention."""
        return self.clause.text[mention.start : mention.end]

    @cached_property
    def unread(self) -> str:
        """The characters of the clause that nothing was made of."""
        return self.clause.without()


def _turned(clause: SaidWords) -> list[Turned]:
    """The acts that are said; 太亮了 asks for less."""
    found = []
    for mention in clause.of(MentionKind.ACTION):
        act = read_act(mention.value)
        more = _direction(act)
        excess = clause.text.endswith(answers().excess, 0, mention.start)
        found.append(Turned(mention, act, more if more is None or not excess else not more))
    return found


def _direction(act: VerbMeaning) -> bool | None:
    return True if act.kind in _MORE else False if act.kind in _LESS else None


def _is_called(device: DeviceShape, mention: Mention) -> bool:
    """Whether the word is one for the device: its name, its kind, or one for anything."""
    if mention.type is DeviceType.UNKNOWN:
        return mention.value == "*" or mention.value in device.label
    return mention.type is device.type or mention.value in device.label


def clause_of(query: QueryIR, situation: Situation) -> Situation:
    """The clause of a sentence read as a whole that a request is from; the sentence where none is."""
    for part in situation.reading.parts:
        for command in part.reading.commands:
            said = QueryIR.from_command(command)
            if said.action == query.action and said.name == query.name and (said.type is query.type or said.reference):
                return situation.read_as(part.reading)
    return situation
