"""Changes the devices of a timer; nothing is done now: 半小时那个别关主灯，只关帘子 (service.md, Timers).

Timers that were set together are a set. A clause removes devices (空调不用关), keeps only some (只关帘子), or adds one
(电视也一起).
"""

from collections.abc import Sequence

import msgspec

from tingdong.commands.reading import MentionKind
from tingdong.home.model import ReplyKind
from tingdong.home.reply import reply
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.page import Timer
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job
from tingdong.home_dialogue.timer_choice import keeps, meant
from tingdong.home_dialogue.timer_telling import cancelling, cancels_of, tell_left
from tingdong.home_dialogue.timer_words import speaks_of_timers, timer_words
from tingdong.home_dialogue.timers import alive, lengths_said, of_last

__all__ = ["retargeted"]

_OUT = (MentionKind.NEGATION, MentionKind.CANCEL)


def retargeted(situation: Situation) -> Ended | None:
    """The turn changes what timers that were set together are for."""
    timers = alive(situation.page.timers, situation.scene.now.timestamp())
    if not timers or situation.asks or _sets_another(situation):
        return None
    spans = situation.clause_spans
    if len(spans) < 2:
        return None
    parts = [situation.part(*span) for span in spans]
    described = [place for place, part in enumerate(parts) if _describes(part)]
    together = _together(parts[described[0]], timers) if described else of_last(situation, timers)
    if len(together) < 2:
        return None
    out: set[str] = set()
    only: set[str] = set()
    for place, part in enumerate(parts):
        ids = _ids(part, together)
        if part.has(*THINGS) and not ids:
            return None  # of another thing: a request of its own
        if ids and part.says(timer_words().only) and not part.has(*_OUT):
            only |= ids
        elif ids and _takes_out(part):
            out |= ids
        elif ids or place not in described:
            return None
    gone = tuple(one for one in together if one.device in out or (only and one.device not in only))
    return _without(situation, gone, tuple(one for one in together if one not in gone)) if gone else None


def _sets_another(situation: Situation) -> bool:
    """Whether a clause sets something for a time of its own."""
    commands = (command for part in situation.reading.parts for command in part.reading.commands)
    return any(command.action.when for command in commands)


def _describes(part: Situation) -> bool:
    """半小时那个, 那个定时里: whether the clause tells which timers."""
    told = speaks_of_timers(part) or bool(lengths_said(part)) or part.has(MentionKind.WHEN)
    return told and part.has(MentionKind.REFERENCE)


def _together(part: Situation, timers: tuple[Timer, ...]) -> tuple[Timer, ...]:
    """The timers that the clause tells by their time, and not by the things it names."""
    kept = tuple(one for one in part.reading.mentions if one.kind not in (*THINGS, MentionKind.ACTION, *_OUT))
    bare = part.read_as(msgspec.structs.replace(part.reading, mentions=kept, commands=()))
    return meant(bare, timers, lengths_said(part)).timers


def _ids(part: Situation, timers: Sequence[Timer]) -> set[str]:
    """The devices of the timers that the clause names."""
    if not part.has(*THINGS):
        return set()
    found = resolve_job(Job(about_all("状态", part), None, "inquired", everywhere=True), part)
    named = set(members(found, part)) if found.found else set(found.choices)
    return named & {timer.device for timer in timers}


def _takes_out(part: Situation) -> bool:
    return any(not keeps(one, part) or part.has(MentionKind.ACTION) for one in part.of(*_OUT))


def _without(situation: Situation, gone: tuple[Timer, ...], left: tuple[Timer, ...]) -> Ended:
    """The timers taken back; what is left of them is told."""
    cancels, page = cancels_of(gone), situation.page
    text = reply(situation.home, cancelling(cancels))
    if left:
        text += f"{tell_left(left, situation.scene.now.timestamp()).removesuffix('。')}，照旧。"
    sent = cancels if situation.scene.instruct else ()
    kept = tuple(timer for timer in page.timers if timer not in gone)
    last = page.last
    if last is not None and left:
        ids = tuple(dict.fromkeys(one.device for one in left))
        last = msgspec.structs.replace(last, ids=ids, timers=tuple(one.timer_id for one in left))
    page = msgspec.structs.replace(passed(situation), timers=kept if sent else page.timers, pending=None, last=last)
    return page, Outcome(ReplyKind.INSTRUCT, text, sent, rule="timers_cancelled")
