"""Rules that undo: 撤销, 全部恢复, 插座恢复一下, and 别关 just after it was done."""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, read_act
from tingdong.home.device import DeviceShape
from tingdong.home.model import NoteCode, Plan, ReplyKind
from tingdong.home.reply import tell_deeds
from tingdong.home_dialogue.answers import says_home, says_no, says_yes
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.colloquial import feature_of
from tingdong.home_dialogue.complete import pointing
from tingdong.home_dialogue.covers import is_robot
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.leaving import refusal_in
from tingdong.home_dialogue.ledger import put_back, risky_to_put_back
from tingdong.home_dialogue.outcome import AS_IT_WAS, Outcome
from tingdong.home_dialogue.page import MAX_ENTRIES, MAX_SAID, Choice, Doing, Entry, Page, Pending
from tingdong.home_dialogue.restoring import THINGS, RestoringRequest, asked_in, refused, says_redo, words
from tingdong.home_dialogue.selecting import Depth, SelectedChange, Selector, select, whole, without
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.sparing import named_in
from tingdong.home_dialogue.timer_telling import cancelling, cancels_of
from tingdong.home_dialogue.timer_words import speaks_of_timers

__all__ = ["kept_as_it_was", "taken_back", "undo_answered", "undone"]

NOTHING_NOW = "刚才这句没有改动什么。要撤销更早的，{}吗？"
OLDER_TIMERS = "取消那时的定时"
NOTHING_DONE = "刚才没有改动什么，没有可以撤销的。"
_RESUMING = (ActKind.CHOOSE, ActKind.UNMUTE)
_ENDS = "吧了。！!"


def taken_back(situation: Situation) -> Ended | None:
    """The turn takes back what was done, and orders nothing: all its clauses say together what is meant."""
    pending = situation.page.pending
    return None if pending is not None and pending.choice is Choice.UNDO else undone(situation)


def _spoken_of(situation: Situation) -> list[DeviceShape]:
    last, devices = situation.page.last, situation.home.shape.devices
    return [devices[one] for one in last.ids if one in devices] if last is not None else []


def _is_of_a_feature(situation: Situation) -> bool:
    """不要摇头了, of a fan that was just switched on: the feature goes off, and the rest is not taken back."""
    return not speaks_of_timers(situation) and feature_of(_spoken_of(situation), situation.text) is not None


def undo_answered(situation: Situation) -> Ended | None:
    """The turn answers whether what an older one did is put back; where nothing was asked, `taken_back` has looked."""
    pending = situation.page.pending
    return undone(situation) if pending is not None and pending.choice is Choice.UNDO else None


def undone(situation: Situation) -> Ended | None:
    """撤销: what the newest turn did is put back; 全部 goes back to before the first, and what is named only that."""
    page, offered = situation.page, _was_offered(situation)
    if offered and says_no(situation.text):
        return msgspec.structs.replace(passed(situation), pending=None), Outcome(ReplyKind.ANSWER, AS_IT_WAS)
    if page.redo and (says_redo(situation.text) or _takes_the_return_back(situation)):
        return _done_again(situation)
    if any(read_act(one.action).kind in _RESUMING for one in situation.queries):  # 恢复播放 is an act of a player
        return None
    if says_home(situation.text) and any(is_robot(one.id, situation.home) for one in _spoken_of(situation)):
        return None  # 回来吧 is told to the robot
    if _is_of_a_feature(situation):
        return None
    asked = asked_in(situation) or _given_up(situation) or _as_the_last(situation)
    if asked is None and offered and says_yes(situation.text):
        asked = RestoringRequest(Selector(), surely=True)
    if asked is None or speaks_of_timers(situation) or (not page.ledger and page.timers):
        return None
    wanted = asked.selector
    taken = select(page.ledger, wanted, situation.home)
    if not taken and wanted.opens is not None:
        return None
    if not taken and not asked.surely and not wanted.things:
        return None
    if situation.queries and wanted.things and not taken:
        return None
    timers = _timers_of(page.ledger, taken, wanted)
    back = put_back(situation.home, [one.change for one in taken])
    vague = wanted.takes_turns and wanted.depth is Depth.LAST and not offered
    if vague and _goes_further_back(situation) and (back.instructs or timers):
        return _offers(situation, back)
    return _put_back(situation, taken, timers, back)


def _put_back(situation: Situation, taken: Sequence[SelectedChange], timers: tuple[str, ...], back: Plan) -> Ended:
    """What is taken back is put back, its timers are cancelled, and it leaves the ledger."""
    ledger, carried = situation.page.ledger, Carried(situation)
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
    entry = Entry(page.turn, (), tuple(one.change for one in taken), said=situation.text[:MAX_SAID])
    redo = (*page.redo, entry)[-MAX_ENTRIES:]
    page = msgspec.structs.replace(page, undone=page.turn, redo=redo if taken else page.redo)
    return _speaking_of(page, back, situation), outcome


def _speaking_of(page: Page, back: Plan, situation: Situation) -> Page:
    """The page on which what was put back is what 它 then means, and is not corrected once more."""
    ids = tuple(one.id for one in back.instructs)
    if not ids or page.last is None:
        return page
    verbs = {deed.verb for deed in back.deeds}
    action = verbs.pop() if len(verbs) == 1 and verbs <= verb_table().ways else "查询状态"
    asked = pointing(QueryIR(action), ids, situation, None)
    return msgspec.structs.replace(page, last=Doing(asked.named or (asked.query,), ids, turn=page.turn))


def _done_again(situation: Situation) -> Ended:
    """重做: what was taken back last is done again; 全部 all of it."""
    stack = situation.page.redo
    every = situation.has(MentionKind.ALL)
    again = stack[::-1] if every else stack[-1:]
    changes = [
        msgspec.structs.replace(one, before=one.after, after=one.before) for e in again for one in e.changes[::-1]
    ]
    carried = Carried(situation)
    back = put_back(situation.home, changes)
    carried.hold(risky_to_put_back(situation.home, back))
    carried.plans.append(
        msgspec.structs.replace(back, notes=tuple(n for n in back.notes if n.code is not NoteCode.RISKY))
    )
    page, outcome = close(carried, "redone")
    left = stack[: -len(again)]
    if not says_redo(situation.text):  # what was brought back can be brought back again
        left = (*left, Entry(page.turn, (), tuple(changes), said=situation.text[:MAX_SAID]))
    return msgspec.structs.replace(page, redo=left), outcome


def _takes_the_return_back(situation: Situation) -> bool:
    """撤销 right after 恢复刚才的亮度: what was brought back is not wanted; after 撤销 it goes one step further."""
    page, table = situation.page, words()
    bare = situation.text.strip(_ENDS) in table.taking
    return bare and page.undone == page.turn > 0 and not any(word in page.redo[-1].said for word in table.taking)


def _timers_of(ledger: Sequence[Entry], taken: Sequence[SelectedChange], wanted: Selector) -> tuple[str, ...]:
    """The timers of the turns that are taken back as a whole."""
    if not wanted.takes_turns:
        return ()
    turns = range(len(ledger) - 1, -1, -1)
    if wanted.depth is Depth.LAST:
        turns = turns[: wanted.steps]
    elif wanted.batch and taken:
        turns = range(min(one.entry for one in taken), len(ledger))
    return tuple(timer for n in turns if n >= wanted.since for timer in ledger[n].timers)


def _goes_further_back(situation: Situation) -> bool:
    """Whether the last turn changed nothing, and took nothing back: what is older is not undone for it."""
    page = situation.page
    return page.undone < page.turn and bool(page.ledger) and page.ledger[-1].turn < page.turn


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


def _given_up(situation: Situation) -> RestoringRequest | None:
    """窗帘不用了: what was just done to it is not wanted, and no timer of it is meant."""
    page, text = situation.page, situation.text.rstrip(_ENDS)
    gives_up = situation.has(MentionKind.CANCEL) or text.endswith(words().no_more)
    named = situation.has(*THINGS) or (situation.has(MentionKind.ROOM) and situation.has(MentionKind.REFERENCE))
    if situation.queries or not gives_up or not named or page.pending is not None:
        return None
    meant = named_in(situation)
    timed = any(timer.device in meant for timer in page.timers)
    return None if timed or situation.has(MentionKind.ACTION) else _if_done(meant, situation)


def _as_the_last(situation: Situation) -> RestoringRequest | None:
    """电视也是 after something was taken back: it too."""
    page = situation.page
    too = page.undone == page.turn > 0 and situation.says(words().too) and not situation.has(MentionKind.ACTION)
    return _if_done(named_in(situation), situation) if too and not situation.queries else None


def _if_done(named: frozenset[str], situation: Situation) -> RestoringRequest | None:
    """The request to take back what was done to the devices; None where nothing was done to them."""
    done = any(change.id in named for entry in situation.page.ledger for change in entry.changes)
    return RestoringRequest(Selector(things=(named,)), surely=False) if done else None


def kept_as_it_was(situation: Situation) -> Ended | None:
    """别关空调, where the last turn has just switched it off: it is put back, not called unchanged."""
    if _is_of_a_feature(situation):
        return None
    if situation.queries:
        return None
    taken, refusal = refused(situation), refusal_in(situation)
    back = put_back(situation.home, taken)
    if not back.instructs:
        waits = refusal is not None and refusal.waits and situation.has(MentionKind.CORRECTION)
        return (passed(situation), Outcome(ReplyKind.ANSWER, AS_IT_WAS, rule="negated")) if waits else None
    return _put_back(situation, whole(situation.page.ledger, taken), (), back)
