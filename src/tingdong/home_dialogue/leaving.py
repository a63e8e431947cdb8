"""Devices that a clause excludes: 灯带先等等, 大灯留着, 应急灯别动, 别关空调 (`data/leaving.yaml`)."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind, Verdict
from tingdong.home.vocabulary import read_table
from tingdong.home_dialogue.answers import less_said
from tingdong.home_dialogue.mentioned import THINGS, WHERE
from tingdong.home_dialogue.situation import Situation
from zhtext.finding import any_of

__all__ = ["RefusedAct", "Spared", "leaving", "refusal_in", "tells_how_it_stands"]

MOST_BESIDE_WAITING = 1
"""Characters beside a word that holds back, where that is all that is said."""


class Leaving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`leaving.yaml`."""

    waiting: tuple[str, ...]
    keeping: tuple[str, ...]
    untouched: tuple[str, ...]
    undone: tuple[str, ...]
    until: tuple[str, ...]
    awaited: str
    only_then: tuple[str, ...]
    otherwise: tuple[str, ...]
    hurrying: tuple[str, ...]
    of_a_place: tuple[str, ...]
    telling: tuple[str, ...]
    in_that_case: str
    there: tuple[str, ...]
    not_there: tuple[str, ...]
    as_it_stands: tuple[str, ...]
    switched: dict[str, bool]
    reminding: tuple[str, ...]
    only: str
    only_on: str
    enough: tuple[str, ...]


@cache
def leaving() -> Leaving:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "leaving.yaml", Leaving)


class RefusedAct(msgspec.Struct, frozen=True):
    """An act that is refused: `on` says whether switching on (True) or off (False) is, None any act; `waits` whether
    it holds back what was ordered (灯带先等等), and does not only leave a thing alone (灯别动)."""

    on: bool | None
    waits: bool = False
    attribute: str = ""
    """What alone stays as it is (温度不变); "" for the thing with all that it has."""

    def is_of(self, action: str) -> bool:
        """Whether the act is refused."""
        if self.attribute:
            return action.endswith(self.attribute)
        return self.on is None or action in (verb_table().beginning if self.on else verb_table().ending)


class Spared(NamedTuple):
    """Devices that a clause of the turn leaves as they are, and the act that it refuses."""

    ids: frozenset[str]
    refusal: RefusedAct


def tells_how_it_stands(situation: Situation) -> bool:
    """门没锁: whether every denial of the clause stands right before an act that has not been done."""
    starts = {act.start for act in situation.of(MentionKind.ACTION)}
    denials = situation.of(MentionKind.NEGATION)
    told = (situation.text[one.start : one.end] in leaving().telling and one.end in starts for one in denials)
    return bool(denials) and all(told)


def refusal_in(situation: Situation) -> RefusedAct | None:
    """What the clause refuses; None where it refuses nothing, or how something is done (别那么亮)."""
    if less_said(situation.text) is not None or situation.says(leaving().reminding):
        return None
    acts = {mention.value for mention in situation.of(MentionKind.ACTION)}
    table = leaving()
    denials = {situation.text[one.start : one.end] for one in situation.of(MentionKind.NEGATION)}
    refuses = bool(denials.difference((*table.keeping, *table.untouched))) and not tells_how_it_stands(situation)
    if refuses and acts & verb_table().beginning and not acts & verb_table().ending:
        return RefusedAct(on=True)
    if refuses and acts & verb_table().ending and not acts & verb_table().beginning:
        return RefusedAct(on=False)
    if situation.says(table.keeping):
        return RefusedAct(on=False)
    waits = not acts and _only_waits(situation)
    if waits or (situation.says(table.untouched) and (not acts or _acts_before_it(situation))):
        said = [one.value for one in situation.of(MentionKind.ATTRIBUTE)]
        return RefusedAct(None, waits, said[-1] if said else "")
    return None


def _acts_before_it(situation: Situation) -> bool:
    """山景房那个锁别动, unsurely read as locking: whether what was taken for an act stands before what leaves alone."""
    place = min(place for word in leaving().untouched if (place := situation.text.find(word)) >= 0)
    unsure = situation.reading.verdict is Verdict.ABSTAIN
    return unsure and all(one.end <= place for one in situation.of(MentionKind.ACTION))


def _only_waits(situation: Situation) -> bool:
    """灯带先等等: whether what waits is all that is said; 等会儿孩子睡了 tells when something else is."""
    if not situation.says(leaving().waiting):
        return False
    rest = any_of(leaving().waiting).sub("", situation.without(*THINGS, *WHERE, MentionKind.FILLER))
    return len(re.sub(r"[\W_]", "", rest)) <= MOST_BESIDE_WAITING
