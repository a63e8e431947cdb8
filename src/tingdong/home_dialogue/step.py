"""One turn of a smart-home dialogue, pure and deterministic: `step(page, reading, home, scene) -> (page, outcome)`.

The rules are tried in order; the first that applies decides. No model, clock or store is used: the same page, reading,
home and scene give the same result (service.md, Dialogue, Endpoint).
"""

from collections.abc import Callable, Sequence

import msgspec

from context_retrieval.models import QueryIR
from tingdong.commands.reading import TOO_LONG, MentionKind, Reading
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import ReplyKind
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import wish_table
from tingdong.home_dialogue.addressee import Addressee, hear
from tingdong.home_dialogue.alike import likened
from tingdong.home_dialogue.alone import keeps_only, left_alone
from tingdong.home_dialogue.by_clause import ClauseRules, clause_by_clause
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.clarify import AnswerKind, answer_to
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.colloquial import colloquial
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.correct import correction_of, repetition_of
from tingdong.home_dialogue.courtesy import courteous, in_english
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.felt import as_felt
from tingdong.home_dialogue.infer import inferred
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.inquiries import inquiries_of
from tingdong.home_dialogue.knowing import knowing
from tingdong.home_dialogue.leaving import refusal_in, tells_how_it_stands
from tingdong.home_dialogue.ledger import put_back
from tingdong.home_dialogue.left_values import carry_left_values
from tingdong.home_dialogue.outcome import AS_IT_WAS, NO_ADDRESSEE, NO_REQUEST, Outcome
from tingdong.home_dialogue.own_questions import asked_in_own_terms
from tingdong.home_dialogue.own_terms import of_own_terms
from tingdong.home_dialogue.page import Doing, Page
from tingdong.home_dialogue.perhaps import asked_again, doubted
from tingdong.home_dialogue.present import decided_now
from tingdong.home_dialogue.quiet import is_quiet, may_be_talk, quieted
from tingdong.home_dialogue.recalled import recalled
from tingdong.home_dialogue.restoring import refused
from tingdong.home_dialogue.situation import Circumstances, Situation
from tingdong.home_dialogue.sparing import spared_in
from tingdong.home_dialogue.spoken_limits import limited
from tingdong.home_dialogue.standing import lone_clause
from tingdong.home_dialogue.target import members, resolve_job
from tingdong.home_dialogue.timer_targets import retargeted
from tingdong.home_dialogue.timer_telling import cancelling, cancels_of
from tingdong.home_dialogue.timing import about_timers
from tingdong.home_dialogue.undoing import NOTHING_DONE, kept_as_it_was, taken_back, undo_answered, undone
from tingdong.home_dialogue.unplaced import unplaced
from tingdong.home_dialogue.wishing import wished
from tingdong.home_dialogue.works import worked

__all__ = ["Circumstances", "step"]

UNCLEAR = "没听明白，请换个说法再说一遍。"
TOO_MUCH = "一次说得太多了，都还没有做，请分几次说。"
DROPPED = "好的，那就不操作了。"
NO_SUCH_TRIGGER = "这样的触发条件我这里还定不了，没有做；可以在家居平台的自动化里设置。"
Rule = Callable[[Situation], Ended | None]


def step(page: Page, reading: Reading, home: HomeSnapshot, scene: Circumstances) -> Ended:
    """The page after this turn, and what the turn comes to."""
    call = scene.call or hear(reading.text, wake_words=scene.wake_words, names=home.shape.names.names)
    if call.to is Addressee.OTHER:
        return page, NO_ADDRESSEE
    if reading.reason == TOO_LONG:
        return passed(Situation(page, reading, home, scene)), Outcome(ReplyKind.ANSWER, TOO_MUCH, rule=TOO_LONG)
    situation = quieted(Situation(page, limited(as_felt(reading), page.last), home, scene))
    situation.spared = spared_in(situation)
    return (
        in_english(situation)
        or retargeted(situation)
        or taken_back(situation)
        or clause_by_clause(situation, _CLAUSE_RULES)
        or _as_a_whole(situation)
    )


def _as_a_whole(situation: Situation) -> Ended:
    for rule in _RULES:
        ended = rule(situation)
        if ended is not None and not (ended[1].instructs and _never_acts(situation)):
            return ended if ended[1] is not NO_REQUEST else _no_request(situation, ended)
    return _no_request(situation, (_spoken_of(situation), NO_REQUEST))


def _no_request(situation: Situation, ended: Ended) -> Ended:
    """A correction of something unsaid is asked about, and a lone hello is answered in English."""
    return unplaced(situation) or in_english(situation, least=1) or ended


def _never_acts(situation: Situation) -> bool:
    """A turn that only asks or tells gives no instruct (law 2)."""
    return situation.puts_either or is_quiet(situation)


def _carried_out(jobs: Sequence[Job], situation: Situation, rule: str) -> Ended:
    """Carries the jobs out and closes the turn."""
    carried = Carried(situation)
    for job in jobs:
        carried.run_job(job)
    return close(carried, rule)


def _answered(situation: Situation) -> Ended | None:
    """The turn answers the open question."""
    pending = situation.page.pending
    if pending is None:
        return None
    answer = answer_to(pending, situation)
    match answer.kind:
        case AnswerKind.UNRELATED:
            return asked_again(pending, situation)
        case AnswerKind.DROPPED:
            page = msgspec.structs.replace(passed(situation), pending=None, last=None)
            return page, Outcome(ReplyKind.ANSWER, DROPPED, rule="dropped")
    carried = Carried(situation)
    carried.answers_question = True
    for job in answer.jobs:
        carried.run_job(job)
    return close(carried, "answered")


def _corrected(situation: Situation) -> Ended | None:
    """The turn corrects the last one."""
    correction = correction_of(situation)
    if correction is None:
        return None
    carried = Carried(situation)
    carried.answers_question = True
    first = put_back(situation.home, refused(situation))
    if first.instructs:  # 别关，声音小点就行: less of it, once it is on again
        carried.plans.append(first)
    _replace_timers(carried, situation, correction.jobs)
    for job in correction.jobs:
        carried.run_job(job)
    spared = (one for left in situation.spared for one in left.ids)
    back = put_back(situation.home, correction.undo, but=(*carried.doing.ids, *spared))
    if back.instructs and any(planned.instructs or planned.notes for planned in carried.plans):
        carried.plans.append(back)
    return close(carried, "corrected")


def _replace_timers(carried: Carried, situation: Situation, jobs: tuple[Job, ...]) -> None:
    """不是它，是台灯: what the last turn set for later is taken back where the correction sets something for later."""
    page = situation.page
    wrong = tuple(timer for timer in page.timers if page.last is not None and timer.timer_id in page.last.timers)
    if wrong and any(job.query.when is not None for job in jobs):
        carried.cancels = cancelling(cancels_of(wrong))
        situation.page = msgspec.structs.replace(page, timers=tuple(one for one in page.timers if one not in wrong))


_DROPPING = (MentionKind.CANCEL, MentionKind.FILLER, MentionKind.CONFIRM, MentionKind.NEGATION, MentionKind.WAKE)
MOST_BESIDE_DROPPING = 4
"""Characters beside 算了 that still say nothing of their own (算了，不弄了)."""


def _dropped(situation: Situation) -> Ended | None:
    """算了 alone, with nothing open."""
    if (
        situation.queries
        or not situation.has(MentionKind.CANCEL)
        or situation.left_beside(*_DROPPING) > MOST_BESIDE_DROPPING
    ):
        return None
    page = msgspec.structs.replace(passed(situation), pending=None)
    text = NOTHING_DONE if situation.has(MentionKind.NAME, MentionKind.DEVICE) else "好的。"
    return page, Outcome(ReplyKind.ANSWER, text, rule="dropped")


def _left_alone(situation: Situation) -> Ended | None:
    """太刺眼了，光开夜灯就行: the others of its kind go off."""
    jobs = left_alone(situation) if situation.queries or keeps_only(situation.text) else ()
    if not jobs:
        return None
    return _carried_out(jobs, situation, "left_alone")


def _requested(situation: Situation) -> Ended | None:
    """The turn makes requests or asks questions."""
    if not situation.queries:
        return None
    carried = Carried(situation)
    for query in situation.orders:
        carried.run(query)
    carry_left_values(carried, situation)
    return close(carried, "requested")


def _inquired(situation: Situation) -> Ended | None:
    """The turn asks for a state or a measure of the home (law 2)."""
    inquiries = inquiries_of(situation)
    if not inquiries:
        return None
    wishes = not situation.queries and match_wish(situation.text) is not None
    if wishes and not any(resolve_job(Job(one.query, one.ids), situation).found for one in inquiries):
        return None  # 嗓子都冒烟了 asks for no smoke, where nothing tells of any
    carried = Carried(situation)
    for inquiry in inquiries:
        if inquiry.everywhere or inquiry.ids is not None:
            job = Job(inquiry.query, inquiry.ids, "inquired", text=inquiry.text, everywhere=inquiry.everywhere)
            carried.run_job(job)
        else:
            carried.run(inquiry.query, text=inquiry.text)
    return close(carried, "inquired")


def _inferred(situation: Situation) -> Ended | None:
    """The turn goes on with what the last one was about."""
    jobs = () if situation.queries else inferred(situation) or colloquial(situation)
    if not jobs and not situation.queries and (alone := lone_clause(situation)) is not None:
        situation = alone
        jobs = inferred(situation) or colloquial(situation)
    if not jobs:
        return None
    return _carried_out(jobs, situation, "inferred")


def _repeated(situation: Situation) -> Ended | None:
    """The turn only names another place or thing: the same again there."""
    if not (situation.is_fragment or _tells_what_was_missed(situation)) or _is_begun(situation):
        return None
    jobs = tuple(_asked_if_same(job, situation) for job in repetition_of(situation))
    if not jobs or all(_is_done(job, situation) for job in jobs):
        return None
    return _carried_out(jobs, situation, "repeated")


def _tells_what_was_missed(situation: Situation) -> bool:
    """就是书房啊，她住那儿 after 家里没有阿婆那屋: the room that could not be found, and orders nothing else."""
    last = situation.page.last
    if last is None or not last.missed or last.turn != situation.page.turn or situation.queries or situation.asks:
        return False
    rooms = situation.rooms_said
    return rooms is not None and len(rooms) == 1 and not situation.has(MentionKind.ACTION, MentionKind.NEGATION)


def _is_begun(situation: Situation) -> bool:
    """我们也看会儿电视 tells what is about to be done, and wants nothing done again."""
    wish = None if situation.asks else match_wish(situation.text)
    return wish is not None and wish_table().wishes[wish.key].activity


def _same_there(situation: Situation) -> Ended | None:
    """长虹也是, beside other clauses: the same again there, where it is said to be the same."""
    return _repeated(situation) if situation.says_the_same else None


def _asked_if_same(job: Job, situation: Situation) -> Job:
    """大白呢 of what was just switched asks how it is; nothing is switched twice."""
    last = situation.page.last
    if last is None or job.query.action.startswith("查询") or not situation.says(("呢",)):
        return job
    found = members(resolve_job(job, situation), situation)
    if not found or found != last.ids:
        return job
    query = msgspec.structs.replace(job.query, action="查询状态", value=None, when=None)
    return Job(query, found, "repeated")


def _is_done(job: Job, situation: Situation) -> bool:
    """Whether the job only names what the last turn has acted on: a name said again asks for nothing again."""
    last, ledger = situation.page.last, situation.page.ledger
    if last is None or job.query.action.startswith("查询") or situation.has(MentionKind.ALSO, MentionKind.AGAIN):
        return False
    if not ledger or ledger[-1].turn != last.turn:
        return False
    found = members(resolve_job(job, situation), situation)
    return bool(found) and found == last.ids


def _unclear(situation: Situation) -> Ended | None:
    """Something was asked of a device, but not in a way that could be carried out safely (law 2)."""
    if not situation.queries and may_be_talk(situation):
        return None
    if not situation.queries and situation.has(MentionKind.CANCEL):
        ends = situation.of(MentionKind.CANCEL)[-1].end > situation.clause_spans[-1][0]
        dropped = Outcome(ReplyKind.ANSWER, DROPPED, rule="dropped")
        return _spoken_of(situation), dropped if ends else Outcome(ReplyKind.QUESTION, UNCLEAR, rule="unclear")
    named = situation.has(MentionKind.DEVICE, MentionKind.NAME)
    meant = named or situation.page.last is not None
    if named and tells_how_it_stands(situation) and (told := _as_it_stands(situation)) is not None:
        return told
    refuses = situation.has(MentionKind.ACTION) and situation.has(MentionKind.NEGATION)
    if (meant and refuses) or (named and refusal_in(situation) is not None):
        return passed(situation), Outcome(ReplyKind.ANSWER, AS_IT_WAS, rule="negated")
    acts = situation.has(MentionKind.ACTION)
    if acts and not situation.queries and situation.reading.reason == "when_not_expressible":
        return _spoken_of(situation), Outcome(ReplyKind.ANSWER, NO_SUCH_TRIGGER, rule="unclear")
    if not named or not (acts or situation.is_fragment):
        return None
    return _spoken_of(situation), Outcome(ReplyKind.QUESTION, UNCLEAR, rule="unclear")


def _as_it_stands(situation: Situation) -> Ended | None:
    """B室的门没锁, said by itself: how it stands."""
    carried = Carried(situation)
    ids = knowing(situation, situation.question)
    carried.run_job(Job(about_all("状态", situation), ids or None, "told"))
    return close(carried, "told") if carried.answers else None


def _spoken_of(situation: Situation) -> Page:
    """The page after a turn that was not understood: a device it named is what 它 then means."""
    page = passed(situation)
    names = situation.of(MentionKind.NAME)
    if not names:
        return page
    query = QueryIR("查询状态", name=names[-1].value, type=names[-1].type)
    found = resolve_job(Job(query), situation)
    if not found.found or len(found.entity_ids) != 1:
        return page
    return msgspec.structs.replace(page, last=Doing((query,), found.entity_ids, turn=page.turn))


_RULES: tuple[Rule, ...] = (
    _answered,
    courteous,
    recalled,
    asked_in_own_terms,
    of_own_terms,
    worked,
    undo_answered,
    doubted,
    decided_now,
    about_timers,
    likened,
    _inquired,
    kept_as_it_was,
    _corrected,
    _dropped,
    _left_alone,
    _requested,
    _inferred,
    wished,
    _repeated,
    _unclear,
)

_ANYWHERE: tuple[Rule, ...] = (
    courteous, recalled, asked_in_own_terms, of_own_terms, worked,
    undone, decided_now, about_timers, likened, _inquired,
)  # fmt: skip
_CLAUSE_RULES = ClauseRules(
    answered=_answered,
    corrected=_corrected,
    before=_ANYWHERE,
    beside=(*_ANYWHERE, kept_as_it_was, _inferred, _same_there),
    goes_on=_inferred,
    wishes=(wished,),
)
