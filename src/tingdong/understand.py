"""The use case: one turn of a smart-home dialogue, from question to outcome (architecture, One request).

Thin and asynchronous: it awaits the reading tiers and the page store, and calls the pure rest. Two laws live here:
turns of one page are handled in order, and the page is committed before the result is returned, so that a repeated
`rid` gets the stored outcome and acts once (service.md, Retries).
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import msgspec

from context_retrieval.text import plain_question
from tingdong.commands.reading import NameTable, Reading
from tingdong.consult import Advice, Consultation, OpenTurn
from tingdong.errors import BackendError, BadHome
from tingdong.home.cache import ShapeCache, load_home
from tingdong.home.document import Warned
from tingdong.home.home import Home
from tingdong.home.model import Instruct, ReplyKind, now_and_later
from tingdong.llm import TierReport, report_of
from tingdong.page_order import PageOrder
from tingdong.talk.addressee import DEFAULT_WAKE_WORDS, Addressee, Call, hear
from tingdong.talk.offering import short_answers
from tingdong.talk.outcome import Finding, Outcome
from tingdong.talk.page import Page, Served
from tingdong.talk.step import Scene, step

__all__ = ["Decision", "PageStore", "Reader", "Turn", "TurnRequest", "Understander"]

MAX_KNOWN_HOMES = 256
MAX_WRITE_ATTEMPTS = 3


class PageStore(Protocol):
    """Where pages live. A revision guards against two writers: 0 means that the page must not exist yet."""

    async def get(self, page_id: str) -> tuple[Page, int] | None:
        """The page and its revision (≥ 1), or None when unknown or expired. Raises `BackendError`."""
        ...

    async def put(self, page_id: str, page: Page, *, expected: int) -> bool:
        """Stores the page as revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        ...

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none. Raises `BackendError`."""
        ...


class Reader(Protocol):
    """A reading tier that answers at once (the local parser)."""

    def read(self, text: str, names: NameTable | None = None) -> Reading: ...


class TurnRequest(msgspec.Struct, frozen=True):
    """One request (seed 004 §4.1). `home` is the client's JSON; empty when only `home_id` was sent. `now` is aware.

    `tenant` chooses the release path of the language models.
    """

    rid: str
    page_id: str
    question: str
    instruct: bool = True
    home: bytes | memoryview = b""
    home_id: str | None = None
    local: str = ""
    now: datetime | None = None
    tenant: str = ""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a turn came out as it did: who was called, which reading stands, what each tier said of the sentence and what
    it cost, what each command resolved to, and what each stage took in microseconds."""

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


def _turn_of(
    outcome: Outcome | Served,
    home: Home,
    *,
    replayed: bool = False,
    decision: Decision | None = None,
    options: tuple[str, ...] = (),
) -> Turn:
    now, later = now_and_later(outcome.instructs)
    return Turn(outcome.kind, outcome.text, now, later, replayed, decision, options, home.shape.warnings)


class Options(msgspec.Struct, frozen=True):
    """Settings of the use case. `zone` is the user's time zone when a request brings no clock of its own."""

    wake_words: tuple[str, ...] = DEFAULT_WAKE_WORDS
    zone: str = "Asia/Shanghai"
    timed: bool = True


class Understander:
    """Serves turns. `local` reads first; `language`, when given, is asked about what that leaves open, afresh each
    turn."""

    def __init__(
        self,
        store: PageStore,
        *,
        local: Reader | None = None,
        language: Consultation | None = None,
        options: Options | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        self._store = store
        self._local = local or _embedded_parser()
        self._language = language
        self._options = options or Options()
        zone = ZoneInfo(self._options.zone)
        self._clock = clock or (lambda: datetime.now(zone))
        self._shapes = ShapeCache()
        self._homes: OrderedDict[str, bytes] = OrderedDict()
        self._order = PageOrder()

    async def turn(self, request: TurnRequest) -> Turn:
        """One turn, after the earlier ones of its page. Raises `BadHome`, `BackendError`; the page then stays."""
        async with self._order.turn_of(request.page_id):
            return await self._serve(request)

    async def forget(self, page_id: str) -> bool:
        """Forgets a page; False when there was none."""
        async with self._order.turn_of(page_id):
            return await self._store.delete(page_id)

    async def _serve(self, request: TurnRequest) -> Turn:
        watch = _Watch()
        home = self._home(request)
        watch.lap("home")
        reading: Reading | None = None
        advice: Advice | None = None
        for _ in range(MAX_WRITE_ATTEMPTS):
            stored = await self._store.get(request.page_id)
            page, revision = stored if stored is not None else (Page(id=request.page_id), 0)
            served = page.outcome_of(request.rid)
            if served is not None:
                options = short_answers(home, page.pending) if served is page.served[0] else ()
                return _turn_of(served, home, replayed=True, options=options)
            watch.lap("page")
            call = hear(request.question, wake_words=self._options.wake_words, names=home.shape.names.names)
            scene = self._scene(request, call)
            if reading is None:
                reading = self._read(request.question, call, home)
                watch.lap("read")
            before = page
            page, outcome = step(before, reading, home, scene)
            watch.lap("step")
            if self._language is not None and advice is None and self._language.asks(reading, outcome, request.tenant):
                advice = await self._language.advise(OpenTurn(reading, outcome, home, before, scene, request.tenant))
                watch.lap("model")
                if advice.reading is not reading:
                    reading = advice.reading
                    page, outcome = step(before, reading, home, scene)
                    watch.lap("step")
            if advice is not None and advice.text:
                outcome = Outcome(ReplyKind.ANSWER, advice.text, rule="open_question")
            page = page.with_served(Served(request.rid, outcome.kind, outcome.text, outcome.instructs))
            if await self._store.put(request.page_id, page, expected=revision):
                watch.lap("commit")
                tiers = advice.reports if advice is not None else (report_of(reading),)
                decision = Decision(call.to, outcome.rule, reading, tiers, outcome.findings, watch.laps)
                options = short_answers(home, page.pending)
                return _turn_of(outcome, home, decision=decision, options=options)
        raise BackendError(f"page {request.page_id!r}: another writer was faster {MAX_WRITE_ATTEMPTS} times")

    def _scene(self, request: TurnRequest, call: Call) -> Scene:
        now = request.now or self._clock()
        return Scene(now, request.local, request.instruct, self._options.timed, self._options.wake_words, call)

    def _home(self, request: TurnRequest) -> Home:
        """The request's home, or the one it names; a home sent with a `home_id` is known by it from then on."""
        raw = bytes(request.home)
        if request.home_id is not None:
            if not raw:
                raw = self._homes.get(request.home_id, b"")
            if raw:
                self._homes[request.home_id] = raw
                self._homes.move_to_end(request.home_id)
                if len(self._homes) > MAX_KNOWN_HOMES:
                    self._homes.popitem(last=False)
        if not raw:
            message = "缺少字段 home" if request.home_id is None else "未知的 home_id，请发送完整的 home"
            raise BadHome(message, path="home" if request.home_id is None else "home_id")
        return load_home(raw, self._shapes)

    def _read(self, question: str, call: Call, home: Home) -> Reading:
        """What the local tier makes of the request after its call; nothing is read that is not for us."""
        if call.to is Addressee.OTHER:
            return Reading(question, reason="addressee")
        return self._local.read(plain_question(question[call.start :]), home.shape.names)


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


def _embedded_parser() -> Any:
    from tingdong.reader import sentence_reader

    return sentence_reader()
