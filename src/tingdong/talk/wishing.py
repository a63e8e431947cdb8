"""The rule for implied wishes: 好热 … 还是好热 (seed 004 §4.2); what a wish does is `home/data/wishes.yaml`."""

from context_retrieval.models import Quantifier
from tingdong.commands.reading import MentionKind
from tingdong.home.model import ReplyKind
from tingdong.home.states import spoken, status_of
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import Wish
from tingdong.home.wishes import WishStep, helpers_of, plan_wish
from tingdong.talk.carry import Carried
from tingdong.talk.closing import close
from tingdong.talk.complete import Job
from tingdong.talk.ending import Ended, passed
from tingdong.talk.outcome import Outcome
from tingdong.talk.page import WishMemory
from tingdong.talk.situation import Situation

__all__ = ["wished"]

MOST_BESIDE = 4
"""Characters beside what is mentioned that still tell no feeling."""
_MOST_TOLD = 3
"""Devices whose state is told where none of them can help further."""


def wished(situation: Situation) -> Ended | None:
    """The turn says how it feels, not what to do (seed 004 §4.2: 好热 … 还是好热)."""
    named = situation.has(MentionKind.NAME, MentionKind.DEVICE)
    if situation.queries or (named and situation.is_fragment and situation.left_beside(*MentionKind) <= MOST_BESIDE):
        return None  # 吸顶灯也一样 names what is done again
    wish = match_wish(situation.without(MentionKind.ROOM))
    if wish is None:
        return None
    before = situation.page.wish
    last = before.steps if before is not None and before.wish == wish.key else ()
    said = situation.rooms_said
    if said is not None and not said:
        return None
    place = "和".join(said) if said else situation.local or situation.page.room
    steps: list[WishStep] = []
    for room in said or (place,):
        steps += plan_wish(situation.home, wish, room, last=last, bound=bool(said))
    steps = _about_named(situation, steps)
    if not steps:
        return passed(situation), Outcome(ReplyKind.ANSWER, _no_help(situation, wish, place), rule="wished")
    carried = Carried(situation)
    carried.wish = WishMemory(wish.key, tuple(steps))
    for query, ids in steps:
        if query.quantifier is Quantifier.ONE and len(ids) > 1:
            carried.ask(query, ids)
        else:
            carried.run_job(Job(query, ids, "wish"))
    return close(carried, "wished")


def _no_help(situation: Situation, wish: Wish, place: str) -> str:
    """Why nothing was done: how what could help stands, or that there is nothing of the kind."""
    home = situation.home
    devices = helpers_of(home, wish, place if place in home.shape.by_room else "")[:_MOST_TOLD]
    if not devices:
        return f"{place or '家里'}没有能帮上忙的设备。"
    told = "，".join(spoken(home, device, status_of(home, device)) for device in devices)
    return f"{told}，没有更多可以调的了。"


def _about_named(situation: Situation, steps: list[WishStep]) -> list[WishStep]:
    """电视太吵了 is about the television: where a thing is named, only what is done to it."""
    named = situation.of(MentionKind.DEVICE, MentionKind.NAME)
    devices = situation.home.shape.devices
    found = []
    for query, ids in steps:
        kept = tuple(
            i for i in ids for m in named if i in devices and (m.value in devices[i].name or m.type is devices[i].type)
        )
        if kept:
            found.append((query, tuple(dict.fromkeys(kept))))
    return found or steps
