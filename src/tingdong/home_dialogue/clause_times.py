"""Times of a turn's clauses: each belongs to its own clause; timers are handled separately."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from context_retrieval.models import Command, DeviceType
from context_retrieval.when import WhenKind, parse_when
from tingdong.commands.reading import MentionKind, Part, Reading, Verdict
from tingdong.home_dialogue.alone import keeps_only
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.clause_kinds import NO_CONDITION, THINGS, Clause
from tingdong.home_dialogue.conditions import of_itself
from tingdong.home_dialogue.leaving import leaving
from tingdong.home_dialogue.outcome import Fate
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.parting import is_weighty, matching
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_words import speaks_of_timers
from tingdong.home_dialogue.timers import TimerVerb, asks_when, hastens, said_moment, timer_request

__all__ = [
    "hands_its_time_on",
    "is_about_timers_beside",
    "names_timers",
    "only_hastens",
    "put_off",
    "replaced_already",
    "timed",
    "times_of_one",
]

_NAMING_OR_POINTING = (*THINGS, MentionKind.ROOM, MentionKind.ORDINAL, MentionKind.REFERENCE)


def times_of_one(situation: Situation) -> frozenset[str]:
    """Times that are said of one thing alone (饮水机九点关，筒灯打开), not of all that follows (九点关饮水机，开灯)."""
    found = set()
    for mention in situation.of(MentionKind.WHEN):
        start, end = situation.clause_around(mention.start)
        before = end if _is_of_one_act(mention.value) else mention.start
        waits = situation.text.startswith(leaving().until, start)  # 空调先别开，等九点再开
        if waits or any(start <= thing.start < before for thing in situation.of(*THINGS, MentionKind.REFERENCE)):
            over = next((one.end for one in situation.reading.parts if one.start <= mention.start < one.end), end)
            behind = situation.part(min(over, end), len(situation.text))
            if not behind.has(MentionKind.ALSO) and not behind.says((*answers().together, *answers().same)):
                found.add(mention.value)
    return frozenset(found)


def _is_of_one_act(when: str) -> bool:
    """Whether it is a length of time or a condition (十五分钟后断它的电，灯调亮点), which belongs to its own
    clause; a time of day said first is that of all that follows."""
    parsed = parse_when(when)
    return parsed is not None and parsed.kind in (WhenKind.DELAY, WhenKind.CONDITION)


def timed(part: Part, whole: Reading, own: frozenset[str]) -> Part:
    """The part with the times that a sure reading of the whole sentence gives its requests (明早七点拉开窗帘，开灯)."""
    if whole.verdict is not Verdict.ACCEPT:
        return part
    behind = (one for other in whole.parts if other.start > part.start for one in other.reading.commands)
    own |= {one.action.when for one in behind if one.action.when}  # 空调关了，毯子过一个钟头也关
    said = [one for other in whole.parts for one in other.reading.commands]
    own |= {one.action.when or "" for one in said if of_itself(one.action.when, one.target.name, one.target.type)}
    commands = tuple(_at_its_time(command, matching(command, whole), own) for command in part.reading.commands)
    return msgspec.structs.replace(part, reading=msgspec.structs.replace(part.reading, commands=commands))


def _at_its_time(command: Command, match: Command | None, own: frozenset[str]) -> Command:
    if match is None or command.action.when is not None or match.action.when is None or match.action.when in own:
        return command
    return msgspec.structs.replace(command, action=msgspec.structs.replace(command.action, when=match.action.when))


def _is_moved_behind(first: Clause, second: Clause, there: dict[int, Situation]) -> bool:
    """Whether a cancel is followed by the new time of what it took back."""
    one, other = timer_request(there[id(first)]), timer_request(there[id(second)])
    if one is None or other is None or (one.verb, other.verb) != (TimerVerb.CANCEL, TimerVerb.MOVE):
        return False
    return not there[id(second)].has(*_NAMING_OR_POINTING)


def hands_its_time_on(command: Command, match: Command | None, own: frozenset[str]) -> bool:
    """Whether the reading of the whole gives a request a time that is said of another thing alone."""
    return command.action.when is None and match is not None and match.action.when in own


def put_off(clauses: Sequence[Clause], situation: Situation) -> list[Clause]:
    """风扇关，我睡着了再关，十五分钟: what waits for what cannot be watched is set for the length that is said; without
    one the clauses are returned, of which nothing is to be done."""
    for place, clause in enumerate(clauses):
        later = next((one for one in clauses[place + 1 :] if clause.commands and _repeats_later(one, clause)), None)
        if later is None:
            continue
        if later.commands:
            clause.at(later.commands[0].action.when or "")
            later.fate = Fate.TALK
            return []
        told = [clause, later]
        for other in clauses[clauses.index(later) + 1 :]:
            alone = situation.read_as(other.part.reading)
            moment = said_moment(alone) if not other.commands else ""
            if moment and alone.left_beside() == 0:
                clause.at(moment)
                later.fate = other.fate = Fate.TALK
                return []
        return told
    return []


def _repeats_later(later: Clause, clause: Clause) -> bool:
    """Whether it says that the same is to be done then (一会儿再关)."""
    mentions = later.part.reading.mentions
    acts = {mention.value for mention in mentions if mention.kind is MentionKind.ACTION}
    again = any(mention.kind is MentionKind.AGAIN for mention in mentions)
    verbs = {command.action.verb for command in clause.commands if command.action.when is None}
    if later.commands:  # 吊灯也关，过二十分钟再关
        waits = all(one.target.is_last and one.action.when and one.action.verb in verbs for one in later.commands)
        return waits and again
    waits = later.part.reading.reason == NO_CONDITION
    return waits and again and bool(acts) and acts <= verbs


def only_hastens(clause: Clause, later: Sequence[Clause], situation: Situation) -> bool:
    """别等了，直接关: it waits no longer, and what is done instead a later clause says of the same thing."""
    if clause.commands or not hastens(situation) or situation.has(*THINGS, MentionKind.ROOM, MentionKind.ORDINAL):
        return False
    ids = {timer.device for timer in situation.page.timers}
    devices = [situation.home.shape.devices[one] for one in ids if one in situation.home.shape.devices]
    targets = [command.target for one in later for command in one.commands]
    return any(
        target.is_last or target.name in device.label or (target.type is device.type is not DeviceType.UNKNOWN)
        for target in targets
        for device in devices
    )


def names_timers(situation: Situation) -> bool:
    """Whether the clause asks something about timers, and names them: by their word, a thing, a room, or 那个."""
    if not situation.page.timers:
        return False
    request = timer_request(situation)
    if request is None or request.verb is TimerVerb.NOW:
        return False
    return request.verb is TimerVerb.MOVE or speaks_of_timers(situation) or situation.has(*_NAMING_OR_POINTING)


def replaced_already(situation: Situation, before: Page) -> bool:
    """打印机那个改成十分钟后，刚才的作废: what the clause takes back, the turn that began on `before` has replaced."""
    old, now = ({one.timer_id for one in page.timers} for page in (before, situation.page))
    if (
        old <= now
        or situation.queries
        or situation.has(*THINGS, MentionKind.ROOM)
        or (request := timer_request(situation)) is None
    ):
        return False
    return request.verb is TimerVerb.CANCEL and old.isdisjoint(one.timer_id for one in request.timers)


def is_about_timers_beside(clauses: Sequence[Clause], situation: Situation) -> bool:
    """空调的定时取消，十五分钟后再关: one clause is about the timers, another asks or orders something of its own."""
    if not situation.page.timers or any(keeps_only(one.text) for one in clauses):
        return False
    there = {id(one): situation.read_as(one.part.reading) for one in clauses}
    own = [one for one in clauses if names_timers(there[id(one)])]
    if any(_is_moved_behind(one, other, there) for one, other in pairwise(own)):
        return False  # 新风的取消，改为一小时后
    others = [one for one in clauses if one not in own and (one.commands or is_weighty(one.part.reading))]
    if any(one.commands for one in others) or len(own) > 1:
        return bool(own)
    named = any(there[id(one)].has(*THINGS, MentionKind.ROOM) for one in own)
    return bool(own) and any(named or asks_when(there[id(one)]) for one in others)
