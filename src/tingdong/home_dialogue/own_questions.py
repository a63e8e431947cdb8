"""Questions in the words of a thing's own model: 香薰现在什么香味, 油烟机吸力多大, 按摩开着没.

An answer is true to the state and changes nothing (service.md, Token frame; law 2)."""

import msgspec

from context_retrieval.models import QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.model import ReplyKind
from tingdong.home.properties import PropertySpec
from tingdong.home.questions import Form
from tingdong.home.readings import tell_own
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.own_terms import LONGEST_ORDER
from tingdong.home_dialogue.own_words import own_terms
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.term_search import Cover, pools, terms_said

__all__ = ["asked_in_own_terms"]

_NOT_OF_ONE = (MentionKind.WHEN, MentionKind.EXCEPT, MentionKind.WHOLE_HOME, MentionKind.SCENE)
"""What makes it more than a question about one property."""


def asked_in_own_terms(situation: Situation) -> Ended | None:
    """The turn asks about one property of one thing by what its model calls that, and about nothing else."""
    asked = situation.asks or situation.says(own_terms().asks)
    if (
        not asked
        or len(situation.text) > LONGEST_ORDER
        or situation.has(*_NOT_OF_ONE)
        or situation.question.form is Form.ABILITY
    ):
        return None
    for pool in pools(situation):
        found = [(one, spec) for one in pool if (spec := _asked_of(one, situation)) is not None]
        if found:
            return _told(*found[0], situation) if len(found) == 1 else None
    return None


def _told(device: DeviceShape, spec: PropertySpec, situation: Situation) -> Ended:
    said = tell_own(situation.home, device, spec, wanted=situation.question.on is not False)
    page, query = passed(situation), QueryIR("查询状态", name=device.plain, type=device.type)
    page = msgspec.structs.replace(page, last=Doing((query,), (device.id,), turn=page.turn))
    return page, Outcome(ReplyKind.ANSWER, said, rule="own_question")


def _asked_of(device: DeviceShape, situation: Situation) -> PropertySpec | None:
    """The property that is asked about, where the sentence says nothing else."""
    table, cover = own_terms(), Cover(situation.text.lower())
    name, terms = terms_said(cover, device, situation, table.asking)
    if not terms or len({term.spec.name for term in terms}) != 1:
        return None
    others = [one for one in situation.of(*THINGS) if one.value not in ("", "*", device.plain)]
    if not name and not all(cover.holds(one.start, one.end) for one in others):
        return None
    for one in situation.of(MentionKind.ROOM, MentionKind.HERE):
        cover.add(one.start, one.end)
    return None if cover.rest.strip(f"\n{table.asking}") else terms[0].spec
