"""Rules for turns that take back what was done: 撤销, 全部恢复, 插座恢复一下, and 别关 just after it was done."""

from collections.abc import Sequence

import msgspec

from tingdong.commands.reading import MentionKind
from tingdong.home.model import NoteCode, Plan, ReplyKind
from tingdong.home.reply import tell_deeds
from tingdong.home.states import is_active
from tingdong.home_dialogue.answers import answers, clauses_of, says_no, says_yes
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.leaving import refusal_in
from tingdong.home_dialogue.ledger import put_back, risky_to_put_back, without
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.page import Change, Choice, Entry, Pending
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job
from tingdong.home_dialogue.timer_telling import cancelling, cancels_of
from tingdong.home_dialogue.timer_words import speaks_of_timers

__all__ = ["kept_as_it_was", "refused", "says_undo_alone", "undone"]

NOTHING_NOW = "刚才这句没有改动什么。要撤销更早的，{}吗？"
OLDER_TIMERS = "取消那时的定时"
NOTHING_DONE = "刚才没有改动什么，没有可以撤销的。"
_ENDS = "吧了。！!"
_THINGS = (MentionKind.NAME, MentionKind.DEVICE)
_NAMING = (MentionKind.NAME, MentionKind.DEVICE, MentionKind.ROOM)
AS_IT_WAS = "好的，保持不变。"


def undone(situation: Situation) -> Ended | None:
    """撤销: what the newest turn did is put back; 全部 goes back to before the first, and what is named only that."""
    table, ledger, offered = answers(), situation.page.ledger, _was_offered(situation)
    if offered and says_no(situation.text):
        return msgspec.structs.replace(passed(situation), pending=None), Outcome(ReplyKind.ANSWER, AS_IT_WAS)
    asked = says_undo_alone(situation.text) or situation.says(table.undo) or (offered and says_yes(situation.text))
    if not (asked or _gives_up(situation) or _is_put_back(situation)):
        return None
    situation = _where_it_undoes(situation)
    if _sets_a_value(situation) or _puts_right(situation):
        return None
    if speaks_of_timers(situation) or (not ledger and situation.page.timers):
        return None
    named = _named(situation)
    if situation.queries and not (named and any(change.id in named for e in ledger for change in e.changes)):
        return None
    taken, timers = _taken(situation, ledger, named)
    back = put_back(situation.home, taken)
    if not (named or offered) and _goes_further_back(situation) and (back.instructs or timers):
        return _offers(situation, back)
    carried = Carried(situation)
    due = tuple(timer for timer in situation.page.timers if timer.timer_id in timers)
    if due:
        carried.cancels = cancelling(cancels_of(due))
        gone = frozenset(timers)
        kept = tuple(timer for timer in situation.page.timers if timer.timer_id not in gone)
        situation.page = msgspec.structs.replace(situation.page, timers=kept)
    carried.hold(risky_to_put_back(situation.home, back))
    back = msgspec.structs.replace(back, notes=tuple(one for one in back.notes if one.code is not NoteCode.RISKY))
    if not back.instructs and not back.notes and not due and not carried.risky:
        page = msgspec.structs.replace(passed(situation), pending=None)  # a yes that comes now confirms nothing
        return page, Outcome(ReplyKind.ANSWER, NOTHING_DONE, rule="undone")
    carried.ledger = without(ledger, taken, timers)
    carried.plans.append(back)
    page, outcome = close(carried, "undone")
    return msgspec.structs.replace(page, undone=page.turn), outcome


def _goes_further_back(situation: Situation) -> bool:
    """Whether the last turn changed nothing, took nothing back and all is not meant: what is older is not undone for
    it."""
    page = situation.page
    if situation.has(MentionKind.ALL) or situation.says(answers().undo_all) or page.undone >= page.turn:
        return False
    return bool(page.ledger) and page.ledger[-1].turn < page.turn


def _offers(situation: Situation, back: Plan) -> Ended:
    """That the last turn changed nothing, and what would be taken back of the one before."""
    told = tell_deeds(situation.home, back) or OLDER_TIMERS
    text = NOTHING_NOW.format(told)
    return msgspec.structs.replace(passed(situation), pending=Pending(Choice.UNDO, (), (), text)), Outcome(
        ReplyKind.QUESTION, text, rule="undo_offered"
    )


def _was_offered(situation: Situation) -> bool:
    """Whether it was just asked if what is older is to be taken back."""
    pending = situation.page.pending
    return pending is not None and pending.choice is Choice.UNDO


def says_undo_alone(text: str) -> bool:
    """恢复, and nothing else."""
    return "".join(clauses_of(text)) in answers().undo_alone


def _undo_place(situation: Situation) -> int:
    """Where the word for undoing stands; -1 for none."""
    return min((place for word in answers().undo if (place := situation.text.find(word)) >= 0), default=-1)


def _where_it_undoes(situation: Situation) -> Situation:
    """The clause of the word for undoing, where it names what is put back (刚才油烟机开最大撤销，台灯留着)."""
    place = _undo_place(situation)
    part = situation.part(*situation.clause_around(place)) if place >= 0 else situation
    return part if part.has(*_NAMING) and len(part.text) < len(situation.text) else situation


def _sets_a_value(situation: Situation) -> bool:
    """音量调回到20 sets it; in 开最大撤销 the value tells what was done."""
    return any(mention.start > _undo_place(situation) for mention in situation.of(MentionKind.VALUE))


def _is_put_back(situation: Situation) -> bool:
    """大灯也恢复: what was done to it earlier."""
    if situation.queries or not situation.has(*_THINGS):
        return False
    if not situation.text.rstrip(_ENDS).endswith(answers().undo_behind):
        return False
    named = _named(situation)
    return any(change.id in named for entry in situation.page.ledger for change in entry.changes)


def _gives_up(situation: Situation) -> bool:
    """窗帘不用了: what was just done to it is not wanted, and no timer of it is meant."""
    if situation.queries or not situation.has(MentionKind.CANCEL) or not situation.has(*_THINGS):
        return False
    named, page = _named(situation), situation.page
    timed = any(timer.device in named for timer in page.timers)
    return not timed and any(change.id in named for entry in page.ledger for change in entry.changes)


def _puts_right(situation: Situation) -> bool:
    """Whether something is put right as well; 还是刚才那样 only goes back."""
    said = (situation.text[one.start : one.end] for one in situation.of(MentionKind.CORRECTION))
    return any(words not in answers().rather for words in said)


def _taken(
    situation: Situation, ledger: Sequence[Entry], named: frozenset[str]
) -> tuple[list[Change], tuple[str, ...]]:
    """The changes to take back, oldest first, and the timers."""
    every = situation.has(MentionKind.ALL) or situation.says(answers().undo_all)
    if named:
        about = [found for entry in ledger if (found := [one for one in entry.changes if one.id in named])]
        return [change for found in (about if every else about[-1:]) for change in found], ()
    entries = ledger if every else ledger[-1:]
    changes = [change for entry in entries for change in entry.changes]
    return changes, tuple(timer for entry in entries for timer in entry.timers)


def _named(situation: Situation) -> frozenset[str]:
    """The devices that the sentence names."""
    if not situation.has(*_NAMING):
        return frozenset()
    found = resolve_job(Job(about_all("状态", situation), None, "inquired", everywhere=True), situation)
    return frozenset(members(found, situation)) if found.found else frozenset(found.choices)


def refused(situation: Situation) -> list[Change]:
    """What the last turn has just switched and the sentence refuses (别关空调): of the things named, else all of it."""
    last, ledger, refusal = situation.page.last, situation.page.ledger, refusal_in(situation)
    if last is None or not ledger or ledger[-1].turn != last.turn or refusal is None:
        return []
    named, home = _named(situation), situation.home
    changes = [one for one in ledger[-1].changes if one.id in named or not situation.has(*_NAMING)]
    if refusal.on is None:
        return changes if refusal.waits else []
    devices = home.shape.devices
    return [one for one in changes if one.id in devices and is_active(home, devices[one.id]) is refusal.on]


def kept_as_it_was(situation: Situation) -> Ended | None:
    """别关空调, where the last turn has just switched it off: it is put back, not called unchanged."""
    if situation.queries:
        return None
    taken, refusal = refused(situation), refusal_in(situation)
    back = put_back(situation.home, taken)
    if not back.instructs:
        waits = refusal is not None and refusal.waits and situation.has(MentionKind.CORRECTION)
        return (passed(situation), Outcome(ReplyKind.ANSWER, AS_IT_WAS, rule="negated")) if waits else None
    carried = Carried(situation)
    carried.ledger = without(situation.page.ledger, taken)
    carried.plans.append(back)
    return close(carried, "undone")
