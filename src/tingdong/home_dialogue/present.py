"""Orders that depend on the present state: 没锁就锁上, 要是开着就关掉 (service.md, Dialogue).

The condition is decided at once by the state in the request.
"""

import re
from functools import cache

import msgspec

from context_retrieval.models import QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.model import ReplyKind
from tingdong.home.query import is_lock
from tingdong.home.questions import is_question, polarity_words
from tingdong.home.states import is_active
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.complete import Job, with_target
from tingdong.home_dialogue.conditions import told_as_it_is
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.inquire import about_all, asks
from tingdong.home_dialogue.leaving import leaving
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["decided_now"]

_LOCKING = frozenset({"上锁", "解锁"})


def decided_now(situation: Situation) -> Ended | None:
    """The turn orders something for what is in a state now: done where it is so, else told how it stands."""
    found = _supposed().search(situation.text)
    if found is None:
        return None
    acts = [one for one in situation.of(MentionKind.ACTION) if one.start >= found.end("then")]
    start, _ = situation.clause_around(found.start("state"))
    before = situation.part(0, start)
    if before.has(MentionKind.ACTION) and not before.asks:
        return None  # 窗帘拉上，空调要是开着就关: the curtain is closed whatever is so
    if len(acts) != 1 or acts[0].value not in verb_table().lasting or _is_timed(situation):
        return None
    after = situation.part(found.end("then"), len(situation.text))
    other = about_all("状态", after) if after.has(MentionKind.NAME, MentionKind.DEVICE, MentionKind.ROOM) else None
    if other is not None and not _was_asked(before, situation):
        return None  # 窗户开着就关空调 waits for one thing and acts on another
    query, ids = _spoken_of(situation, found.start("state"))
    if acts[0].value in _LOCKING:
        ids = tuple(i for i in ids if is_lock(situation.home.shape.devices[i])) or _only_lock(situation)
    if not ids:
        return None
    wanted, devices = found["on"] is not None, situation.home.shape.devices
    meant = tuple(i for i in ids if i in devices and is_active(situation.home, devices[i]) is wanted)
    if not meant:
        return passed(situation), Outcome(ReplyKind.ANSWER, told_as_it_is(ids, situation), rule="decided_now")
    carried = Carried(situation)
    if other is not None:
        carried.run(msgspec.structs.replace(other, action=acts[0].value))
    else:
        carried.run_job(Job(msgspec.structs.replace(query, action=acts[0].value), meant, "decided_now"))
    return close(carried, "decided_now")


def _only_lock(situation: Situation) -> tuple[str, ...]:
    """The lock of the home, where it has one."""
    locks = [device.id for device in situation.home.shape.devices.values() if is_lock(device)]
    return tuple(locks) if len(locks) == 1 else ()


def _is_timed(situation: Situation) -> bool:
    return any("=" not in one.value for one in situation.of(MentionKind.WHEN))


def _was_asked(before: Situation, situation: Situation) -> bool:
    """窗户开着没，开着就把空调关了: whether it was just asked how the thing stands."""
    last = situation.page.last
    asked = last is not None and last.query is not None and asks(last.query)
    return before.asks or (asked and not before.has(MentionKind.NAME, MentionKind.DEVICE, MentionKind.ROOM))


def _spoken_of(situation: Situation, until: int) -> tuple[QueryIR, tuple[str, ...]]:
    """What is named before the state, else what was spoken of last."""
    before = situation.part(0, until)
    if before.has(MentionKind.NAME, MentionKind.DEVICE):
        query = about_all("状态", before)
        found = resolve_job(Job(query), before)
        return query, members(found, situation) if found.found else ()
    last = situation.page.last
    if last is None or last.query is None:
        return about_all("状态", situation), ()
    if before.rooms_said:  # 儿童房的要是没开就打开: the kind of thing spoken of, there
        query = with_target(about_all("状态", before), last.query)
        found = resolve_job(Job(query, None, "elsewhere"), before)
        return query, members(found, situation) if found.found else ()
    return msgspec.structs.replace(last.query, value=None, when=None), last.ids


@cache
def _supposed() -> re.Pattern[str]:
    """A state, then what is to be done where it is so."""
    table = leaving()
    told = [
        sorted((word for word in (*(one for one in words if not is_question(one)), *more)), key=len, reverse=True)
        for words, more in zip(polarity_words(), (table.there, table.not_there), strict=True)
    ]
    on, off = ("|".join(map(re.escape, words)) for words in told)
    then = table.in_that_case
    return re.compile(f"(?P<state>(?:(?P<off>{off})|(?P<on>{on}))[，,]?(?P<then>{then}))")
