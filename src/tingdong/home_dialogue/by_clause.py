"""A turn of several clauses, clause by clause (service.md, Dialogue; `ClauseOutcome`).

The reading of the whole sentence is used if it is sure and contains the requests of its clauses. Otherwise each clause
is handled by itself, in order: requests are executed together; answers, undoing, questions and refusals go by their own
rules; unknown clauses are reported. A device that one clause excludes is changed by no other.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from context_retrieval.models import ResolutionStatus
from tingdong.commands.reading import MentionKind, Verdict
from tingdong.home.model import ReplyKind
from tingdong.home.questions import wants_answer
from tingdong.home_dialogue.acting import speaks_of_work
from tingdong.home_dialogue.alike import sets_beside
from tingdong.home_dialogue.answers import step_said
from tingdong.home_dialogue.arriving import carried_to
from tingdong.home_dialogue.clarify import beside
from tingdong.home_dialogue.clause_kinds import (
    NO_CONDITION,
    THINGS,
    Clause,
    adds_to_the_order,
    describes_a_place,
    hurries,
    is_background,
    is_other_case,
    takes_all_back,
    waits_for,
)
from tingdong.home_dialogue.clause_requests import ClauseRequests
from tingdong.home_dialogue.clause_times import (
    names_timers,
    only_hastens,
    put_off,
    replaced_already,
    timed,
    times_of_one,
)
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.ending import Ended
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.leading import MOST_BESIDE_ANSWER, that_answer, that_correct, together
from tingdong.home_dialogue.leaving import refusal_in, tells_how_it_stands
from tingdong.home_dialogue.outcome import AS_IT_WAS, ClauseOutcome, Fate, Outcome
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.parting import aimed, is_weighty
from tingdong.home_dialogue.purposes import Purpose, aim_of
from tingdong.home_dialogue.quiet import acts_in_telling, gives_a_reason, is_told, orders_something
from tingdong.home_dialogue.restoring import says_undo
from tingdong.home_dialogue.several import as_one_turn, asked_too
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.sparing import left_as_it_is
from tingdong.home_dialogue.standing import REFUSED, stands_by_clauses
from tingdong.home_dialogue.target import members, resolve_job
from tingdong.home_dialogue.timer_words import speaks_of_timers
from tingdong.home_dialogue.undoing import kept_as_it_was
from tingdong.home_dialogue.unplaced import NOT_UNDERSTOOD

__all__ = ["ClauseRules", "clause_by_clause"]

Rule = Callable[[Situation], Ended | None]
NOT_KNOWN = "“{}”我答不上来。"
NO_SUCH_CONDITION = "“{}”这样的条件还定不了，没有做。"
_FATES = {ReplyKind.INSTRUCT: Fate.DONE, ReplyKind.QUESTION: Fate.ASKED, ReplyKind.ANSWER: Fate.ANSWERED}


class ClauseRules(NamedTuple):
    """Rules of the dialogue, by the clauses that they are asked for."""

    answered: Rule
    """The clause answers the open question."""
    corrected: Rule
    """The clause puts right what the last turn did."""
    before: Sequence[Rule]
    """For a clause with a request of its own."""
    beside: Sequence[Rule]
    """For a clause that requests nothing by itself."""
    goes_on: Rule
    """The one of these that reads a short clause as going on with what was done."""
    wishes: Sequence[Rule]
    """For one that says what is wished, where no clause of the turn orders anything."""


def clause_by_clause(situation: Situation, rules: ClauseRules) -> Ended | None:
    """The turn by its clauses; None where it is to be taken as a whole."""
    reading = situation.reading
    if not reading.parts:
        return None
    own = times_of_one(situation)
    clauses = [
        Clause(aimed(timed(part, reading, own), reading), situation.text[part.start : part.end])
        for part in reading.parts
    ]
    for place, clause in enumerate(clauses):
        clause.continues = adds_to_the_order(clause, clauses[:place], situation.home)
        if clause.part.reading.verdict is Verdict.ABSTAIN and refusal_in(situation.read_as(clause.part.reading)):
            clause.asks_for_nothing()  # 推拉门那个别动, in which an act was guessed at
    leads = that_answer(clauses, situation)
    first, answers = (rules.answered, leads) if leads else (rules.corrected, that_correct(clauses, situation))
    aims = [aim_of(one, situation.read_as(one.part.reading)) for one in clauses]
    orders = any(aim.purpose is Purpose.ORDER for aim in aims) or any(speaks_of_work(one.text) for one in clauses)
    for clause, aim in zip(clauses, aims, strict=True):
        clause.wishes = aim.purpose is Purpose.WISH and not orders
        clause.reason = aim.purpose is Purpose.WISH and orders  # beside an order it is the reason for that
    stands = stands_by_clauses(clauses, situation, aims)
    if not answers and not (stands or _takes_earlier_back(clauses, situation, rules.beside)):
        return None
    return _Turn(situation, clauses, rules).held(first, answers)


def _takes_earlier_back(clauses: Sequence[Clause], situation: Situation, beside: Sequence[Rule]) -> bool:
    """撤销，开电视 · 取消，开电视: a clause takes back what an earlier turn did or set, and another one orders."""
    if not any(clause.commands for clause in clauses):
        return False
    alone = (situation.part(o.part.start, o.part.end) for o in clauses if takes_all_back(o) or says_undo(o.text))
    return any(rule(one) is not None for one in alone for rule in beside)


class _Turn:
    """The clauses of a turn, taken in their order."""

    def __init__(self, situation: Situation, clauses: list[Clause], rules: ClauseRules) -> None:
        self._whole = situation
        self._clauses = clauses
        self._rules = rules
        self._page, self._home = situation.page, situation.home
        self._requests = ClauseRequests(situation)
        self._ended: list[Outcome] = []

    def held(self, first: Rule, answers: int) -> Ended | None:
        """The page after the turn and what it comes to; None where no clause came to anything. So many clauses at the
        beginning are taken together, by the `first` rule."""
        lead = self._clauses[:answers]
        if answers and not self._take(first, together(self._whole, lead), lead) and first is self._rules.corrected:
            return None
        rest = self._clauses[answers:]
        if waiting := put_off(rest, self._whole):
            self._lose(waiting, NO_SUCH_CONDITION)
        self._refuse(rest)
        for place, clause in enumerate(rest):
            if clause.commands and not any(one.commands for one in rest[:place]):
                self._speak_of(rest[:place], clause)
            if place and rest[place - 1].fate is Fate.LEFT and (clause.points or self._points_back(clause)):
                self._flush()  # 毯子留着，过一个钟头关
                left = self._situation(rest[place - 1])
                self._page = self._requests.spoken_of(left)
                if not left.has(*THINGS) and left.left_beside() > MOST_BESIDE_ANSWER:
                    self._lose((clause,), NOT_UNDERSTOOD)  # nothing here is called so
            if place and is_other_case(clause, rest[place - 1]):
                self._lose((clause,), NO_SUCH_CONDITION)
            if clause.fate is None:
                self._clause(clause, rest[place + 1 :])
                if clause.fate in (Fate.ANSWERED, Fate.TALK):
                    self._stay_in(clause)
                    self._requests.move_to(self._situation(clause))
        self._flush()
        if not self._ended:
            if not any(clause.fate is Fate.LEFT and clause.commands for clause in self._clauses):
                return None
            self._ended.append(Outcome(ReplyKind.ANSWER, AS_IT_WAS))
        told = (ClauseOutcome(one.part.start, one.part.end, one.fate or Fate.TALK) for one in self._clauses)
        return as_one_turn(self._whole, self._page, self._ended, tuple(told))

    def _points_back(self, clause: Clause) -> bool:
        return self._situation(clause).left_beside() <= MOST_BESIDE_ANSWER and clause.point_back()

    def _speak_of(self, before: Sequence[Clause], clause: Clause) -> None:
        """主灯那个不是让你取消，6分钟后关: what clauses before the first request named is what that points to."""
        named = [self._situation(one) for one in before if any(m.kind in THINGS for m in one.part.reading.mentions)]
        if not named or not clause.points:
            return
        query = about_all("状态", named[-1])
        found = members(resolve_job(Job(query), named[-1]), named[-1])
        if found:
            self._page = msgspec.structs.replace(self._page, last=Doing((query,), found, turn=self._page.turn))

    def _situation(self, clause: Clause) -> Situation:
        return Situation(self._page, clause.part.reading, self._home, self._whole.scene, self._whole.spared)

    def _refuse(self, clauses: list[Clause]) -> None:
        """What is refused is taken out of the requests before it, or spared by all of them."""
        refused: list[Clause] = []
        for place, clause in enumerate(clauses):
            situation = self._situation(clause)
            ordered = [one for one in clauses[:place] if one.fate is None and one.commands]
            if ordered and takes_all_back(clause) and not speaks_of_timers(situation):
                for one in (*ordered, clause):
                    one.fate = Fate.LEFT
                continue
            if not any(one.commands for one in clauses[: place + 1]) and names_timers(situation):
                continue  # a timer is taken back
            clause.refusal = None if clause.commands or clause.continues else refusal_in(situation)
            if clause.refusal is None:
                continue
            if situation.has(MentionKind.EXCEPT) and not situation.has(*THINGS, MentionKind.ROOM):
                clause.fate = Fate.LEFT  # 除此之外都别动 takes nothing back
                continue
            taken = self._requests.taken_back(clause.refusal, situation, clauses[:place])
            for earlier in taken:
                earlier.fate = Fate.LEFT
            refused += taken
            names = situation.has(MentionKind.NAME, MentionKind.DEVICE, MentionKind.ROOM)
            if taken or (refused and not names):
                clause.fate = Fate.LEFT  # 等等，先别关 is one refusal
            elif names_timers(situation):
                continue  # 夜灯别关了, where it is to go off later
            elif (left := left_as_it_is(situation)) and left.ids and kept_as_it_was(situation) is None:
                clause.fate = Fate.LEFT  # and the last turn has not done what is refused

    def _clause(self, clause: Clause, later: Sequence[Clause]) -> None:
        here = self._situation(clause)
        if is_told(clause, self._whole):
            clause.fate = Fate.TALK
            self._page = self._requests.spoken_of(self._situation(clause))
        elif later and waits_for(clause, later[0]) and not (names_timers(here) or self._speaks_of_what_is_done(clause)):
            self._lose((clause, later[0]), NO_SUCH_CONDITION)
        elif only_hastens(clause, later, here) or replaced_already(here, self._whole.page):
            clause.fate = Fate.TALK
        elif clause.commands and self._is_of_something_else(clause):
            self._lose((clause,), NOT_UNDERSTOOD)
        elif clause.commands and hurries(clause) and not self._requests.can_go_faster(self._page):
            clause.fate = Fate.TALK  # 快点
        elif clause.commands:
            self._request(clause)
        elif clause.refusal is not None or is_weighty(clause.part.reading) or self._speaks_of_what_is_done(clause):
            self._aside(clause)
        elif clause.continues or (step_said(clause.text) is not None and self._requests.waits):
            self._aside(clause)  # 咖啡机打开，浓一点
        elif wants_answer(clause.text):
            self._lose((clause,), NOT_KNOWN)
        elif orders_something(clause, self._whole):
            self._lose((clause,), NOT_UNDERSTOOD)
        else:
            clause.fate = Fate.TALK
            self._requests.move_to(self._situation(clause))

    def _beside(self, clause: Clause) -> Sequence[Rule]:
        """The rules for a clause that requests nothing; nothing is made of what is only told."""
        told = is_background(clause) and not clause.continues
        beside = [rule for rule in self._rules.beside if rule is not self._rules.goes_on or not told]
        return (*self._rules.wishes, *beside) if clause.wishes else beside

    def _is_of_something_else(self, clause: Clause) -> bool:
        """Whether what was read as a request tells of a place, tells at all, or points at what is not there."""
        return describes_a_place(clause) or acts_in_telling(clause, self._whole) or self._is_astray(clause)

    def _is_astray(self, clause: Clause) -> bool:
        """毯子开着没，关喽它, where there is no such thing: 它 is not what an earlier turn was about."""
        named = [one for outcome in self._ended for one in outcome.findings if one.query.name]
        points = all(command.target.is_last for command in clause.commands)
        missing = bool(named) and named[-1].status == ResolutionStatus.NO_DEVICE.value
        return missing and points and not self._situation(clause).has(*THINGS)

    def _speaks_of_what_is_done(self, clause: Clause) -> bool:
        """Whether one of the rules for timers and undoing knows the clause, in which the reading found nothing."""
        found = (rule(self._situation(clause)) for rule in self._beside(clause))
        return any(ended is not None and ended[1].kind is not ReplyKind.NONE for ended in found)

    def _request(self, clause: Clause) -> None:
        if sets_beside(clause.text):
            self._flush()
        situation = self._situation(clause)
        for rule in self._rules.before:
            if rule(situation) is not None:
                self._flush()
                situation = self._situation(clause)
                if self._take(rule, situation, (clause,)):
                    return
        self._requests.add(clause, situation)

    def _aside(self, clause: Clause) -> None:
        """A clause that requests nothing by itself: taken by the rule that knows it, else named as not understood."""
        if says_undo(clause.text) and not any(m.kind in THINGS for m in clause.part.reading.mentions):
            self._flush()
            if any(outcome.instructs for outcome in self._ended):
                clause.fate = Fate.TALK  # 窗帘拉开，恢复: what a turn does it does not take back
                return
        refuses = clause.refusal is not None or clause.part.reading.reason in REFUSED
        if not refuses:
            self._flush()
        for rule in self._beside(clause):
            if rule(self._situation(clause)) is not None:
                self._flush()
                if self._take(rule, self._situation(clause), (clause,)):
                    return
        if tells_how_it_stands(self._situation(clause)):
            clause.fate = Fate.TALK
            self._page = self._requests.spoken_of(self._situation(clause))
        elif refuses:
            clause.fate = Fate.LEFT
        elif self._tells_only(clause):
            clause.fate = Fate.TALK
        else:
            unwatched = clause.part.reading.reason == NO_CONDITION
            self._lose((clause,), NO_SUCH_CONDITION if unwatched else NOT_UNDERSTOOD)

    def _tells_only(self, clause: Clause) -> bool:
        """Whether the clause asks for nothing by itself: a reason, what others say, what another clause is about."""
        told = clause.reason or is_background(clause) or gives_a_reason(clause, self._whole)
        return told or self._is_said_elsewhere(clause) or self._only_wonders(clause)

    def _only_wonders(self, clause: Clause) -> bool:
        """空调怎么是热的，改制冷: beside an order, what asks for nothing that could be told is its reason."""
        orders = any(one.commands for one in self._clauses if one is not clause)
        return orders and self._situation(clause).asks and not wants_answer(clause.text)

    def _is_said_elsewhere(self, clause: Clause) -> bool:
        """空调……空调先等等: it only names what another clause is about."""
        said = [mention for mention in clause.part.reading.mentions if mention.kind in THINGS]
        others = {
            mention.value for other in self._clauses if other is not clause for mention in other.part.reading.mentions
        }
        bare = all(
            mention.kind in THINGS or mention.kind is MentionKind.FILLER for mention in clause.part.reading.mentions
        )
        return bool(said) and bare and all(mention.value in others for mention in said)

    def _lose(self, clauses: Sequence[Clause], told: str) -> None:
        self._flush()
        told = NOT_KNOWN if told == NOT_UNDERSTOOD and wants_answer(clauses[-1].text) else told
        for clause in clauses:
            clause.fate = Fate.LOST
        said = self._whole.text[clauses[0].part.start : clauses[-1].part.end]
        self._ended.append(Outcome(ReplyKind.ANSWER, told.format(said), rule="lost"))

    def _take(self, rule: Rule, situation: Situation, clauses: Sequence[Clause]) -> bool:
        """Whether the rule knows the clauses, which it has then ended."""
        ended = rule(situation)
        if ended is None or ended[1].kind is ReplyKind.NONE or (ended[1].instructs and situation.puts_either):
            return False
        self._end(ended)
        for clause in clauses:
            clause.fate = _FATES[ended[1].kind]
        return True

    def _flush(self) -> None:
        """Carries the requests so far out together."""
        ended = self._requests.carried_out(self._page, self._home)
        if ended is not None:
            self._end(ended)

    def _end(self, ended: Ended) -> None:
        before, self._page, outcome = self._page.pending, asked_too(self._page, ended[0], self._whole), ended[1]
        if before is not None and before != self._whole.page.pending:
            self._page = msgspec.structs.replace(self._page, pending=beside(before, self._page.pending))
        self._home = self._home.after(one for one in outcome.instructs if not one.deferred)
        self._ended.append(outcome)

    def _stay_in(self, clause: Clause) -> None:
        """A没人吧，空调怎么还开着: the one room that a clause names is the room of what follows."""
        rooms = self._situation(clause).rooms_said
        if rooms is not None and len(rooms) == 1 and self._page.room != rooms[0]:
            last = self._page.last
            last = carried_to(rooms[0], last, self._home) if last is not None else None
            self._page = msgspec.structs.replace(self._page, room=rooms[0], last=last)
