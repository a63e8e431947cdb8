"""Executes a turn's requests: complete, resolve, plan, apply policy, collect (architecture, One request).

The possible part is done, the rest explained. An unclear target gives a question, a risky request a confirmation; an
unknown room or name never widens the scope (law 1).
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from context_retrieval.models import DeviceType, QueryIR, Resolution, ResolutionStatus
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Instruct, Note, NoteCode, Plan
from tingdong.home.plan import plan
from tingdong.home.policy import needs_confirmation
from tingdong.home.query import answer
from tingdong.home.questions import Form, read_question
from tingdong.home.readings import rooms_told
from tingdong.home.states import is_active
from tingdong.home_dialogue.accounting import account, part_of
from tingdong.home_dialogue.acting import has_attribute, told_by_work
from tingdong.home_dialogue.alone import all_but, alone_in
from tingdong.home_dialogue.arriving import spoken_of_here
from tingdong.home_dialogue.bulk import in_bulk
from tingdong.home_dialogue.choose import described, described_in, in_state
from tingdong.home_dialogue.complete import (
    Job,
    complete,
    pointing,
    rest_of_turn,
    says_everything,
    sums_up,
)
from tingdong.home_dialogue.conditions import bound, left_to_itself, stands_so, told_as_it_is
from tingdong.home_dialogue.counting import counted
from tingdong.home_dialogue.covers import as_it_moves, halts, is_robot
from tingdong.home_dialogue.fitting import (
    as_fits,
    by_its_kind,
    by_own_words,
    feature_said,
    its_own_light,
    no_sensor,
    of_feature,
    part_of_a_thing,
    where_it_stands,
)
from tingdong.home_dialogue.focus import able_here, is_too_vague, suited
from tingdong.home_dialogue.outcome import Finding
from tingdong.home_dialogue.page import Doing, Entry, WishMemory
from tingdong.home_dialogue.proposal import Proposal
from tingdong.home_dialogue.said_scope import SaidScope, scope_after, scope_announced
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.sparing import not_spared
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["Carried", "Unclear"]

_HALT = ("停",)
_SUMMED = (MentionKind.ALL, MentionKind.WHOLE_HOME, MentionKind.DEVICE, MentionKind.NAME, MentionKind.COUNT)
NONE_SO = "没有这样的设备，没有动。"


class Unclear(msgspec.Struct, frozen=True):
    """A request that was held back or refused for its target: the resolution says why."""

    query: QueryIR
    resolution: Resolution


class Carried:
    """Gathers the results of a turn's requests, one request at a time."""

    def __init__(self, situation: Situation) -> None:
        self.situation: Situation = situation
        self.whole: Situation = situation
        self.home: HomeSnapshot = situation.home
        self.plans: list[Plan] = []
        self.notes: list[Note] = []
        self.answers: list[str] = []
        self.asked: set[tuple[str, tuple[str, ...], Form, bool, bool, bool]] = set()
        self.unclear: list[Unclear] = []
        self.findings: list[Finding] = []
        self.risky: list[Job] = []
        self.cancels: Plan = Plan()
        self.untimed: list[Job] = []
        self.held: list[Plan] = []
        self.lacking: list[tuple[QueryIR, tuple[str, ...], str]] = []
        self.doubted: bool = False
        self.answers_question = False
        self.question_text: str = ""
        self.wish: WishMemory | None = None
        self.rooms: tuple[str, ...] | None = None
        self.clauses: list[tuple[QueryIR, tuple[str, ...]]] = []
        self.ledger: tuple[Entry, ...] | None = None
        self.latest: Doing | None = spoken_of_here(situation)
        self.doing: Doing = Doing()
        self.scope: SaidScope | None = scope_announced(situation)

    @contextmanager
    def within(self, clause: Situation) -> Iterator[None]:
        """Requests of one clause: its words alone are looked at."""
        whole, self.situation = self.situation, clause
        try:
            yield
        finally:
            self.situation = whole

    def hold(self, requests: Iterable[tuple[QueryIR, str]]) -> None:
        """Holds requests, each for one device, until they are confirmed."""
        for query, device_id in requests:
            self.risky.append(Job(query, (device_id,), "risky"))
            self.held.append(plan(self.home, query, (device_id,), now=self.situation.scene.now))

    def is_there(self, query: QueryIR) -> bool:
        """Whether what the query names is in the places it names."""
        status = resolve_job(Job(query), self.situation).status
        return status in (ResolutionStatus.FOUND, ResolutionStatus.AMBIGUOUS)

    # ---- one request

    def run(self, query: QueryIR, *, text: str = "") -> None:
        """Completes one query of the reading and carries it out; `text` is the clause a question was put in."""
        rest = rest_of_turn(query, self.situation) if self.doing.ids else None
        if rest is not None:
            self.run_rest(rest, self.doing.ids)
            return
        if (light := its_own_light(query, self.latest, self.situation, beside=bool(self.doing.ids))) is not None:
            self.run_job(light)
            return
        if self.doing.ids and sums_up(query, self.situation):
            self.run_job(pointing(query, self.doing.ids, self.situation, None))
            return
        if query.name is None and (able := told_by_work(self.situation)):
            if query.action in verb_table().moves:  # 加湿 of 能加湿的东西 only tells which
                self.run_job(Job(query, able, "kind"))
            return
        if jobs := alone_in(query, self.situation) or all_but(query, self.situation, self.latest):
            for one in jobs:
                self.run_job(one)
            return
        self.scope = scope_after(self.scope, query, self.situation)
        held = self.scope is not None and self.scope.holds_for(query, self.situation)
        if self.scope is not None and held:
            query = msgspec.structs.replace(query, exclude=self.scope.but)
        job = complete(query, self.situation, self.latest)
        if held and job is not None and job.ids is None:
            job = msgspec.structs.replace(job, everywhere=True)
        job = able_here(query, self.situation) if job is None else suited(job, self.situation)
        if job is None or is_too_vague(job, self.situation):
            self.unclear.append(Unclear(query, Resolution(ResolutionStatus.NO_REFERENCE)))
            self._note_doing(Job(query), (), ())
        elif job.rule == "which":
            self.ask(job.query, job.pool)
        else:
            self.run_job(msgspec.structs.replace(job, text=text) if text else job)

    def run_rest(self, query: QueryIR, but: Collection[str]) -> None:
        """All of the home but what earlier requests of this turn were about."""
        found = resolve_job(Job(query, None, "rest", everywhere=True), self.situation)
        ids = tuple(one for one in members(found, self.situation) if one not in but)
        self.run_job(Job(query, ids, "rest") if ids else Job(query))

    def run_job(self, job: Job) -> None:
        """Carries one complete request out as far as it can be."""
        self.question_text = job.text or self.question_text
        resolution, too_few = counted(job, resolve_job(job, self.situation), self.situation)
        if too_few:
            self.plans.append(Plan(notes=too_few))
        self.findings.append(Finding(job.query, resolution.status.value, resolution.entity_ids, job.rule))
        ids = members(resolution, self.situation) if resolution.found else ()
        other = no_sensor(job, ids, self.situation) or (
            None
            if resolution.found
            else part_of_a_thing(job, self.latest, self.situation)
            or by_its_kind(job, resolution, self.situation)
            or where_it_stands(job, resolution, self.situation)
        )
        if other is not None:
            self.run_job(other)
            return
        if not resolution.found:
            self.unclear.append(Unclear(job.query, resolution))
            self._note_doing(job, (), resolution.choices)
            return
        if job.query.action.startswith("查询"):
            self._answer(job, ids, resolution)
        else:
            self._act(job, ids, resolution)

    def _answer(self, job: Job, ids: tuple[str, ...], resolution: Resolution) -> None:
        """Answers a question; after 哪些灯开着 what was listed is spoken of, not all that was looked at."""
        text = job.text or self.situation.text
        devices = self.home.shape.devices
        if job.rule == "repeated" and not any(has_attribute(devices.get(i), job.query.action) for i in ids):
            job, text = Job(msgspec.structs.replace(job.query, action="查询状态"), job.ids, job.rule), ""
        question = read_question(job.query.action, text)
        asked = (job.query.action, ids, question.form, question.highest, question.versus, question.target)
        if asked not in self.asked and (told := answer(self.home, job.query, ids, text=text)) not in self.answers:
            self.answers.append(told)
        self.asked.add(asked)
        listed = ids
        if question.form in (Form.COUNT, Form.LIST) and question.on is not None:
            listed = tuple(i for i in ids if i in devices and is_active(self.home, devices[i]) is question.on)
        self._note_doing(job, listed or ids, listed or ids, resolution)
        rooms = rooms_told(self.home, job.query, [devices[i] for i in ids if i in devices], text=text)
        self.rooms = rooms or self.rooms  # 哪间最热 … 那间

    def ask(self, query: QueryIR, options: tuple[str, ...]) -> None:
        """Holds a request back until it is said which of `options` is meant."""
        self.unclear.append(Unclear(query, Resolution(ResolutionStatus.AMBIGUOUS, choices=options)))
        self._note_doing(Job(query), (), options)

    # ---- acting

    def _act(self, job: Job, ids: tuple[str, ...], resolution: Resolution) -> None:
        query = job.query
        if ids and not (ids := not_spared(query, ids, self.situation)):
            self._note_doing(job, (), ())
            return
        ids = self._in_state(ids, job)
        if (so := stands_so(query, ids, self.situation)) is not None:
            if not so:
                self.answers.append(told_as_it_is(ids, self.situation))
                self._note_doing(job, ids, ids)
                return
            query, ids = msgspec.structs.replace(query, when=None), so
            job = msgspec.structs.replace(job, query=query)
        if query.when is not None and not self.situation.scene.timed:
            self._refuse_time(query, ids)
            return
        stops = query.action == "关闭" and self.situation.says(_HALT)
        if stops and ids and all(halts(one, self.home) for one in ids):
            robots = all(is_robot(one, self.home) for one in ids)
            query = msgspec.structs.replace(query, action="暂停" if robots else "停止")
            job = msgspec.structs.replace(job, query=query)
        elif stops and all(self.situation.type_of(one) is DeviceType.BLIND for one in ids):
            self.notes_only(job, ids, NoteCode.UNSUPPORTED, "中途停下")
            return
        devices = [self.home.shape.devices[i] for i in ids if i in self.home.shape.devices]
        if (feature := feature_said(query, devices, self.situation)) is not None:
            query = of_feature(query, feature)
            job = msgspec.structs.replace(job, query=query)
        if self._is_too_wide(query, job):
            self.unclear.append(Unclear(query, Resolution(ResolutionStatus.NO_REFERENCE)))
            self._note_doing(job, (), ())
            return
        if (timed := self._waits(query, ids)) is None:
            return
        query = timed if job.rule == "own_term" else as_fits(timed, devices, self.situation)
        query = as_it_moves(query, ids, self.situation)
        targets, left_out = in_bulk(
            self.home, query, ids, chosen=job.ids is not None, covers=says_everything(self.situation)
        )
        planned = plan(self._present(), query, targets, now=self.situation.scene.now)
        if _is_denied(planned) and (own := by_own_words(query, devices, self.situation)) is not None:
            query, planned = own, plan(self._present(), own, targets, now=self.situation.scene.now)
        if query.when is not None and query.action not in verb_table().moves:
            planned = left_to_itself(query.when, planned, self.home)
        held, doubted = self._held_back(msgspec.structs.replace(job, query=query), planned)
        if held:
            self.risky.append(Job(query, held, "risky"))
            self.held.append(part_of(planned, frozenset(held), kept=True))
            planned = part_of(planned, frozenset(held), kept=False) if not doubted else Plan()
        self.plans.append(msgspec.structs.replace(planned, notes=(*left_out, *planned.notes)))
        meant = tuple(instruct.id for instruct in planned.instructs)
        self.clauses.append((query, meant))
        self._note_doing(job, meant or ids, job.pool or ids, resolution)

    def _held_back(self, job: Job, planned: Plan) -> tuple[tuple[str, ...], bool]:
        """What is asked about before it is done: all of what no clause accounts for (True), else what is risky."""
        if job.rule == "confirmed":
            return (), False
        proposal = Proposal(job, planned, self.situation, self.whole, earlier=self.plans)
        found = account(proposal, self.held if self.doubted else ())
        self.findings[-1:] = [msgspec.structs.replace(one, against=found.against) for one in self.findings[-1:]]
        self.doubted |= found.asks
        return tuple(one.id for one in planned.instructs if found.asks or self._is_risky(one)), found.asks

    def _is_too_wide(self, query: QueryIR, job: Job) -> bool:
        """Whether 打开 would switch on all there is in a place though nobody said all of it: that is asked about."""
        anything = query.name is None and query.type is DeviceType.UNKNOWN and not query.excluded_names
        if query.action != "打开" or not anything or job.ids is not None:
            return False
        return not self.situation.has(*_SUMMED)

    def notes_only(self, job: Job, ids: tuple[str, ...], code: NoteCode, attribute: str) -> None:
        """Does nothing, and says why."""
        self.plans.append(Plan(notes=tuple(Note(code, i, attribute=attribute) for i in ids)))
        self._note_doing(job, ids, ids)

    def _in_state(self, ids: tuple[str, ...], job: Job) -> tuple[str, ...]:
        """开着的空调, 小的灯: those that are told so, here or where it is repeated from; of one it only tells which."""
        for text in (self.situation.text, job.text if job.rule == "repeated" else ""):
            if len(ids) < 2:
                break
            if found := described(self.home, text, ids) or in_state(self.home, text, ids):
                return found
            if described_in(text) is not None:
                self.answers.append(NONE_SO)
                return ()
        return ids

    def _refuse_time(self, query: QueryIR, ids: tuple[str, ...]) -> None:
        """A consumer that does not know `when` gets a question instead, never an immediate instruct (law 2)."""
        now = msgspec.structs.replace(query, when=None)
        self.untimed.append(Job(now, ids, "untimed"))
        self.held.append(plan(self._present(), now, ids, now=self.situation.scene.now))
        self._note_doing(Job(now), (), ids)

    def _waits(self, query: QueryIR, ids: tuple[str, ...]) -> QueryIR | None:
        """The request with its condition bound to a sensor; None where its time or its sensor is to be asked for first,
        or nothing could tell it, which is said."""
        lack = bound(query, ids, self.situation)
        if isinstance(lack, QueryIR):
            return lack
        if lack.open:
            self.lacking.append((query, lack.rooms, lack.told))
        else:
            self.answers.append(lack.told)
        self._note_doing(Job(query), (), ids)
        return None

    def _is_risky(self, instruct: Instruct) -> bool:
        device = self.home.shape.devices.get(instruct.id)
        return device is not None and needs_confirmation(device, instruct.state)

    def _present(self) -> HomeSnapshot:
        """The home as this turn's earlier instructs will leave it."""
        if not self.plans:
            return self.home
        return self.home.after(instruct for planned in self.plans for instruct in planned.instructs)

    # ---- memory

    def _note_doing(
        self, job: Job, ids: tuple[str, ...], pool: tuple[str, ...], resolution: Resolution | None = None
    ) -> None:
        """Adds a request to what this turn is about; a later 它 in the same sentence starts from here."""
        named = job.named or (msgspec.structs.replace(job.query, reference=None),)
        doing, told = self.doing, self.situation.page.last
        if ids and told is not None and set(ids) < set(told.ids):
            pool = told.ids  # 另外两盏, of those that were told of
        self.latest = Doing(named, ids, pool)
        self.doing = Doing(
            (*doing.queries, *named),
            tuple(dict.fromkeys((*doing.ids, *ids))),
            tuple(dict.fromkeys((*doing.pool, *pool))),
        )
        if resolution is not None and resolution.rooms:
            self.rooms = resolution.rooms


def _is_denied(planned: Plan) -> bool:
    """Whether nothing could be done, for what the devices are."""
    codes = {note.code for note in planned.notes}
    return not planned.instructs and bool(codes) and codes <= {NoteCode.UNSUPPORTED, NoteCode.UNKNOWN_VALUE}
