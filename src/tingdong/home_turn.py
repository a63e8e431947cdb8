"""The use case: one turn of a smart-home dialogue, from question to outcome (architecture, One request).

It awaits the reading tiers and the page (`tingdong.pages`) and calls the pure parts. Long work (a long sentence, a
large new home) goes to the workshop.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from context_retrieval.text import plain_question
from tingdong.commands.reading import Reading, Verdict
from tingdong.consult import Advice, Consultation, OpenHomeTurn
from tingdong.errors import BadHome
from tingdong.home.cache import HomeStore, read_home
from tingdong.home.document import Warned
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Instruct, ReplyKind, now_and_later
from tingdong.home_dialogue.addressee import DEFAULT_WAKE_WORDS, Addressee, Call, hear
from tingdong.home_dialogue.clause_kinds import NO_CONDITION
from tingdong.home_dialogue.events import hung_on, with_event_times, with_sensed_event
from tingdong.home_dialogue.offering import short_answers
from tingdong.home_dialogue.outcome import Finding, Outcome
from tingdong.home_dialogue.page import Page, Served
from tingdong.home_dialogue.parting import in_parts
from tingdong.home_dialogue.pauses import unnumbered
from tingdong.home_dialogue.restated import restated
from tingdong.home_dialogue.step import Circumstances, step
from tingdong.llm import TierReport, report_of
from tingdong.pages import PageRequest, PageService, PageStore
from tingdong.workshop import LONG_HOME, LONG_TEXT, Workshop
from zhtext.normalise import encodable

if TYPE_CHECKING:
    from tingdong.reader import SentenceReader

__all__ = ["Decision", "Turn", "TurnRequest", "Understander"]

T = TypeVar("T")


class TurnRequest(msgspec.Struct, frozen=True):
    """One request (service.md, Request frame). `home` is the client's JSON; empty when only a `home_id` was sent. `now`
    is aware.

    `home_names` are the names under which the home may be known, and is kept from then on.

    `tenant` chooses the release path of the language models. `alternatives` are what else a recogniser offers for the
    question, the best first (docs/hearing.md, Alternatives).
    """

    rid: str
    page_id: str
    question: str
    instruct: bool = True
    home: bytes | memoryview = b""
    home_names: tuple[str, ...] = ()
    local: str = ""
    now: datetime | None = None
    tenant: str = ""
    alternatives: tuple[str, ...] = ()


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a turn came out so: addressee, final reading, report of each tier, devices of each command, and microseconds
    per stage."""

    addressee: Addressee
    rule: str = ""
    reading: Reading | None = None
    tiers: tuple[TierReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    microseconds: dict[str, int] = {}


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of a turn. `replayed` marks the stored one of a repeated `rid`; it carries no decision.

    `instructs` are to be done now; `scheduled` are those that wait (`when`, `timer_id`) and cancellations of timers.
    `options` are short answers to the question that the turn ends with; `warnings` say what of the home was not used.
    """

    kind: ReplyKind
    text: str
    instructs: tuple[Instruct, ...] = ()
    scheduled: tuple[Instruct, ...] = ()
    replayed: bool = False
    decision: Decision | None = None
    options: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()


def _turn_of(served: Served, *, replayed: bool = False, decision: Decision | None = None) -> Turn:
    now, later = now_and_later(served.instructs)
    return Turn(served.kind, served.text, now, later, replayed, decision, served.options, served.warnings)


class KeptReadings(Protocol):
    """A cache of results for a text and a home."""

    def once(self, text: str, thing: object, make: Callable[[], T]) -> T:
        """The cached result for both, made by `make` if missing."""
        ...


class HomeOptions(msgspec.Struct, frozen=True):
    """Settings of the use case. `zone` is the user's time zone when a request brings no clock of its own."""

    wake_words: tuple[str, ...] = DEFAULT_WAKE_WORDS
    zone: str = "Asia/Shanghai"
    timed: bool = True


class Understander:
    """Serves turns. `local` reads first; `language`, when given, is asked about what that leaves open, afresh each
    turn. `homes` is shared with other users of the same clients' homes; `kept` is a memory of what was read in them."""

    def __init__(
        self,
        store: PageStore[Page],
        *,
        local: "SentenceReader | None" = None,
        language: Consultation | None = None,
        options: HomeOptions | None = None,
        clock: Callable[[], datetime] | None = None,
        homes: HomeStore | None = None,
        kept: "KeptReadings | None" = None,
        workshop: Workshop | None = None,
    ) -> None:
        self._pages = PageService(store, lambda page_id: Page(id=page_id))
        self._local = local or _embedded_parser()
        self._kept = kept
        self._language = language
        self._options = options or HomeOptions()
        zone = ZoneInfo(self._options.zone)
        self._clock = clock or (lambda: datetime.now(zone))
        self._homes = homes if homes is not None else HomeStore()
        self._workshop = workshop if workshop is not None else Workshop()

    async def turn(self, request: TurnRequest) -> Turn:
        """One turn, after the earlier ones of its page. Raises `BadFrame`, `BadHome`, `BackendError`; the page then
        stays."""
        question, local = encodable(request.question), encodable(request.local)
        alternatives = tuple(map(encodable, request.alternatives))
        request = msgspec.structs.replace(request, question=question, local=local, alternatives=alternatives)
        asked = PageRequest(request.page_id, request.rid, question)
        attempt = _HomeAttempt(self, request, asked.mark)
        turn = await self._pages.turn(asked, attempt.on, _again)
        attempt.watch.lap("commit")  # the decision of the turn tells the same laps
        return turn

    async def forget(self, page_id: str) -> bool:
        """Forgets a page; False when there was none."""
        return await self._pages.forget(page_id)

    def is_short(self, request: TurnRequest) -> bool:
        """Whether the turn is short enough to run on the event loop."""
        known = len(request.home) < LONG_HOME or self._homes.home(bytes(request.home)) is not None
        return known and len(request.question) + sum(map(len, request.alternatives)) < LONG_TEXT

    def scene(self, request: TurnRequest, call: Call) -> Circumstances:
        """The circumstances of the turn: clock, room, switches, who is called."""
        now = request.now or self._clock()
        return Circumstances(now, request.local, request.instruct, self._options.timed, self._options.wake_words, call)

    async def home(self, request: TurnRequest) -> HomeSnapshot:
        """The request's home, or the one it names; a home sent with a `home_id` is known by it from then on."""
        raw, homes = bytes(request.home), self._homes
        for name in request.home_names:
            raw = raw or homes.named(name)
        if not raw:
            message = "未知的 home_id，请发送完整的 home" if request.home_names else "缺少字段 home"
            raise BadHome(message, path="home_id" if request.home_names else "home")
        home = homes.home(raw)
        if home is None:
            known = await self._workshop.do(lambda: read_home(raw, homes), long=len(raw) >= LONG_HOME)
            homes.keep(known)
            home = known.home
        for name in request.home_names:
            homes.keep_name(raw, name)
        return home

    def read(self, request: TurnRequest, home: HomeSnapshot) -> tuple[Call, Reading]:
        """Who is called, and what the local tier makes of the request after its call; nothing is read that is not for
        us. Where an alternative was probably said, it says who is called."""
        if self._kept is None or request.alternatives:
            return self._read(request, home)
        return self._kept.once(request.question, home.shape, lambda: self._read(request, home))

    def _read(self, request: TurnRequest, home: HomeSnapshot) -> tuple[Call, Reading]:
        names, said = home.shape.names, (request.question, *request.alternatives)
        calls = [hear(text, wake_words=self._options.wake_words, names=names.names) for text in said]
        if calls[0].to is Addressee.OTHER:
            return calls[0], Reading(request.question, reason="addressee")
        text, *others = (unnumbered(plain_question(text[call.start :])) for text, call in zip(said, calls, strict=True))
        text, hanging = with_event_times(restated(text))
        reading = self._local.read(text, names, others) if others else self._local.read(text, names)
        sensed = with_sensed_event(text, home.shape.catalog) if reading.reason == NO_CONDITION else None
        if sensed is not None and (rest := self._local.read(sensed[0], names)).commands:
            reading, hanging = rest, sensed[1]
        taken = reading.heard.taken if reading.heard is not None and not reading.perhaps else None
        call = calls[0] if taken is None else calls[taken.alternative + 1]
        if call.to is Addressee.OTHER:
            return call, msgspec.structs.replace(reading, commands=(), verdict=Verdict.REJECT, reason="addressee")
        return call, hung_on(in_parts(reading, lambda text: self._local.read(text, names)), hanging)

    async def advise(self, turn: OpenHomeTurn) -> Advice | None:
        """The language models' result for an open turn; None if none is configured or needed."""
        if self._language is None or not self._language.asks(turn.reading, turn.outcome, turn.tenant):
            return None
        return await self._language.advise(turn)

    async def do(self, work: Callable[[], T], *, long: bool) -> T:
        """Runs work of a turn, in the workshop if it is long."""
        return await self._workshop.do(work, long=long)


def _again(page: Page, place: int) -> Turn:
    """The turn that a page has stored."""
    served = page.served[place]
    if place:  # only what was asked last can be answered
        served = msgspec.structs.replace(served, options=())
    return _turn_of(served, replayed=True)


class _HomeAttempt:
    """One turn's way from request to outcome; what does not depend on the page is done once, however often the page is
    taken anew."""

    def __init__(self, understander: Understander, request: TurnRequest, mark: str) -> None:
        self._by = understander
        self._request = request
        self._mark = mark
        self.watch = _Watch()
        self._home: HomeSnapshot | None = None
        self._long = not understander.is_short(request)  # also what a large home makes at first use
        self._read: tuple[Call, Reading] | None = None
        self._advice: Advice | None = None

    async def on(self, page: Page) -> tuple[Page, Turn]:
        """The page after the turn, and the turn."""
        by, request, watch = self._by, self._request, self.watch
        watch.lap("page")
        if self._home is None:
            self._home = await by.home(request)
            watch.lap("home")
        home, long = self._home, self._long
        if self._read is None:
            self._read = await by.do(lambda: by.read(request, home), long=long)
            watch.lap("read")
        call, reading = self._read
        scene = by.scene(request, call)
        after, outcome = await by.do(lambda: step(page, reading, home, scene), long=long)
        watch.lap("step")
        if self._advice is None:
            self._advice = await by.advise(OpenHomeTurn(reading, outcome, home, page, scene, request.tenant))
        advice = self._advice
        if advice is not None:
            watch.lap("model")
            if advice.reading is not reading:
                reading = advice.reading
                self._read = call, reading
                after, outcome = await by.do(lambda: step(page, reading, home, scene), long=long)
                watch.lap("step")
            if advice.text:
                outcome = Outcome(ReplyKind.ANSWER, advice.text, rule="open_question")
        options, warnings = short_answers(home, after.pending), home.shape.warnings
        served = Served(request.rid, outcome.kind, outcome.text, outcome.instructs, self._mark, options, warnings)
        tiers = advice.reports if advice is not None else (report_of(reading),)
        decision = Decision(call.to, outcome.rule, reading, tiers, outcome.findings, watch.laps)
        return after.with_served(served), _turn_of(served, decision=decision)


class _Watch:
    """Microseconds per stage."""

    __slots__ = ("_at", "laps")

    def __init__(self) -> None:
        self._at = time.perf_counter_ns()
        self.laps: dict[str, int] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter_ns()
        self.laps[stage] = self.laps.get(stage, 0) + (now - self._at) // 1000
        self._at = now


def _embedded_parser() -> "SentenceReader":
    from tingdong.reader import sentence_reader

    return sentence_reader()
