"""The rule for implied wishes: 好热 … 还是好热 (service.md, Token frame); what a wish does is
`home/data/wishes.yaml`."""

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.model import ReplyKind
from tingdong.home.states import spoken, status_of
from tingdong.home.wish_reading import is_worded, match_wish
from tingdong.home.wish_table import Wish, wish_table
from tingdong.home.wishes import WishStep, helpers_of, plan_wish
from tingdong.home_dialogue.acting import has_attribute
from tingdong.home_dialogue.answers import answers, step_said
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.clause_kinds import NO_CONDITION
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.page import WishMemory
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.standing import lone_clause
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["wished"]

_TURNED = (("调高", "调低"), ("调低", "调高"))
MOST_BESIDE_FEELING = 4
"""Characters beside what is mentioned that still tell no feeling."""
MOST_GUESSED = 2
"""Characters beside acts and values by which no feeling is guessed."""
_MOST_TOLD = 3
"""Devices whose state is told where none of them can help further."""


def wished(situation: Situation) -> Ended | None:
    """The turn says how it feels, not what to do (service.md, Token frame: 好热 … 还是好热)."""
    alone = lone_clause(situation)
    if alone is not None and alone.has(MentionKind.NAME, MentionKind.DEVICE) and match_wish(alone.text) is not None:
        situation = alone  # 大彩电吵得慌，娃儿要睡了 is about the television
    named = situation.has(MentionKind.NAME, MentionKind.DEVICE)
    fragment = situation.is_fragment and situation.left_beside() <= MOST_BESIDE_FEELING
    worded = is_worded(situation.text) or situation.says(answers().excess)
    if situation.queries or situation.reading.reason == NO_CONDITION or (named and fragment and not worded):
        return None  # 吸顶灯也一样 names what is done again; 我到家就开空调 is for later
    beside = situation.left_beside(MentionKind.ACTION, MentionKind.VALUE, MentionKind.FILLER)
    if not worded and beside <= MOST_GUESSED:
        return None  # 预热, 飞起来: too little to guess a feeling by
    wish = match_wish(situation.without(MentionKind.ROOM)) or _in_a_clause(situation)
    if wish is not None and situation.asks and not any(sign in situation.text for sign in _signs(wish)):
        return None  # 都是啥 complains of nothing
    if wish is None or (named and step_said(situation.text)):  # 毯子热点 orders, and complains of nothing
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
    steps = _the_other_way(situation, wish) or _about_named(situation, steps, wish)
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


def _signs(wish: Wish) -> tuple[str, ...]:
    """The words that a sentence of the wish has."""
    entry = wish_table().wishes[wish.key]
    return (*entry.signs, *entry.feelings, *entry.phrases)


def _in_a_clause(situation: Situation) -> Wish | None:
    """电视音量大得很，邻居要骂人哩: the wish of the one clause that says one, beside talk."""
    parts = [situation.part(*span) for span in situation.clause_spans]
    found = [wish for part in parts if (wish := match_wish(part.without(MentionKind.ROOM))) is not None]
    return found[0] if len(parts) > 1 and len(found) == 1 and not situation.asks else None


def _the_other_way(situation: Situation, wish: Wish) -> list[WishStep]:
    """我是嫌热 right after it was made warmer: what was just done is complained of, and is turned round."""
    last = situation.page.last
    if last is None or last.turn != situation.page.turn or last.query is None or situation.rooms_said is not None:
        return []
    turned = next((there + last.query.action[2:] for here, there in _TURNED if last.query.action.startswith(here)), "")
    devices = situation.home.shape.devices
    for step in wish_table().wishes[wish.key].steps:
        ids = tuple(one for one in last.ids if one in devices and devices[one].kind.key in step.kinds)
        if step.act == turned and ids:
            return [(msgspec.structs.replace(last.query, action=turned, value=None, when=None), ids)]
    return []


def _no_help(situation: Situation, wish: Wish, place: str) -> str:
    """Why nothing was done: how what could help stands, or that there is nothing of the kind."""
    home = situation.home
    devices = helpers_of(home, wish, place if place in home.shape.by_room else "")[:_MOST_TOLD]
    if not devices:
        return f"{place or '家里'}没有能帮上忙的设备。"
    told = "，".join(spoken(home, device, status_of(home, device)) for device in devices)
    return f"{told}。要怎么调请直接说。"


def _about_named(situation: Situation, steps: list[WishStep], wish: Wish) -> list[WishStep]:
    """电视太吵了 is about the television: where a thing is named, only what is done to it."""
    named = situation.of(MentionKind.DEVICE, MentionKind.NAME)
    devices = situation.home.shape.devices
    found = []
    for query, ids in steps:
        kept = tuple(i for i in ids for m in named if i in devices and _is_called(devices[i], m))
        if kept:
            found.append((query, tuple(dict.fromkeys(kept))))
    return found or _done_to_named(situation, wish) or steps


def _done_to_named(situation: Situation, wish: Wish) -> list[WishStep]:
    """What the wish comes to on the one thing that is named (马桶圈凉冰冰的), where that is on and can do it."""
    if not situation.has(MentionKind.DEVICE, MentionKind.NAME):
        return []
    found = resolve_job(Job(about_all("状态", situation)), situation)
    ids = members(found, situation) if found.found else ()
    if len(ids) != 1 or not situation.is_active(ids[0]):
        return []
    device = situation.home.shape.devices[ids[0]]
    act = next((act for act in wish_table().wishes[wish.key].named if has_attribute(device, act)), None)
    return [] if act is None else [(QueryIR(act, name=device.plain, type=device.type), ids)]


def _is_called(device: DeviceShape, mention: Mention) -> bool:
    """Whether the word is one for the device: its name, or its kind."""
    return mention.value in device.name or (mention.type is device.type and device.type is not DeviceType.UNKNOWN)
