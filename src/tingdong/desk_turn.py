"""The use case of the hospital desk: one turn, from text to a committed context (hospital.md; architecture, One
request).

Thin and asynchronous like `home_turn`: it awaits the store, the language model where one is configured and the rules
left something open, and calls the pure dialogue. The laws of the page are those of `tingdong.pages`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Self, TypeVar

import msgspec

from tingdong.errors import FrameTooLarge
from tingdong.front_desk.desk import Desk
from tingdong.front_desk.llm_reader import (
    ABSTAIN,
    Describer,
    LLMTurnReader,
    OpenDeskTurn,
    TurnJudgement,
    is_open,
    merged,
)
from tingdong.front_desk.model import Attachment, DeskTurn, IntentContext, TurnReading
from tingdong.front_desk.reports import Report
from tingdong.front_desk.router import Router
from tingdong.front_desk.wire import turn_as_json
from tingdong.llm import Budget, ChainResult, TierChain
from tingdong.pages import PageRequest, PageService, PageStore, kept_answers
from tingdong.workshop import LONG_TEXT, Workshop

__all__ = [
    "CONVERSATION_VERSION",
    "DeskLanguage",
    "DeskPage",
    "DeskTurns",
    "Routed",
    "ServedTurn",
    "TurnAsked",
]

CONVERSATION_VERSION = 1
"""Schema of stored conversations; a change of it starts them anew."""

MOST_BYTES = 262_144
"""Bytes that a turn may have as JSON: it is kept with its page, and sent."""

T = TypeVar("T")


class ServedTurn(msgspec.Struct, frozen=True):
    """A turn that was answered, as it was sent; `asked` marks what was said, and `size` is its bytes
    (`tingdong.pages`)."""

    rid: str
    turn: dict[str, Any]
    asked: str = ""
    size: int = 0

    def emptied(self) -> Self:
        """A record that the turn was answered, without the answer."""
        return msgspec.structs.replace(self, turn={}, size=-1)


class DeskPage(msgspec.Struct, frozen=True):
    """What is kept of a page: the dialogue's context, and the last turns by their `rid`."""

    context: IntentContext = IntentContext()
    served: tuple[ServedTurn, ...] = ()

    def encode(self) -> bytes:
        """The conversation as JSON bytes, for a store."""
        return msgspec.json.encode(self)

    def latest(self) -> int:
        """Bytes of the latest answer."""
        return max(0, self.served[0].size) if self.served else 0

    @classmethod
    def decode(cls, data: bytes, _page_id: str) -> Self:
        """The stored conversation; a new one when the bytes are damaged."""
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return cls()


class TurnAsked(msgspec.Struct, frozen=True):
    """One turn of a page: what the user says, or what an agent reports (`report`). `now` is aware; relative dates are
    read against it. `tenant` chooses the release path of the language model. `alternatives` are what else a recogniser
    offers for the text, the best first."""

    rid: str
    page_id: str
    text: str
    now: datetime
    attachments: Sequence[Attachment] = ()
    tenant: str = ""
    report: Report | None = None
    alternatives: tuple[str, ...] = ()


class DeskLanguage:
    """The front desk's language model: reads what the rules leave open, on the tenant's path."""

    def __init__(self, chain: TierChain[TurnJudgement], reader: LLMTurnReader) -> None:
        self.chain = chain
        self._reader = reader

    async def judge(self, turn: OpenDeskTurn, tenant: str) -> ChainResult[TurnJudgement]:
        """What stands of the turn; the local reading where the model is late, down, unsure or not asked."""

        async def tier(_: TurnJudgement, budget: Budget) -> TurnJudgement:
            return await self._reader.read(turn, budget)

        return await self.chain.ask(TurnJudgement(turn.reading, ABSTAIN, reason="open"), [tier], tenant=tenant)

    async def close(self) -> None:
        """Ends what runs beside the turns."""
        await self.chain.close()


class Routed(msgspec.Struct, frozen=True):
    """The turn as JSON; `replayed` marks the stored one of a repeated `rid`."""

    turn: dict[str, Any]
    replayed: bool = False


class DeskTurns:
    """Serves turns of a hospital desk. `language`, when given, is asked about what the rules leave open."""

    def __init__(
        self,
        store: PageStore[DeskPage],
        desk: Desk,
        language: DeskLanguage | None = None,
        *,
        workshop: Workshop | None = None,
    ) -> None:
        self.desk = desk
        self._pages = PageService(store, lambda _: DeskPage())
        self._language = language
        self._workshop = workshop if workshop is not None else Workshop()

    async def turn(self, asked: TurnAsked) -> Routed:
        """One turn, committed to its page. Raises `BackendError` when the store cannot keep it, `UnknownFrame` for a
        report about what is not there, `BadFrame` for a `rid` of another question."""
        told = asked.text if asked.report is None else msgspec.json.encode(msgspec.to_builtins(asked.report)).decode()
        key = PageRequest(asked.page_id, asked.rid, told)
        attempt = _DeskAttempt(self, asked, key.mark)
        return await self._pages.turn(key, attempt.on, _again)

    def is_short(self, asked: TurnAsked) -> bool:
        """Whether the turn is short enough to run on the event loop."""
        return len(asked.text) + sum(map(len, asked.alternatives)) < LONG_TEXT and self._language is None

    async def forget(self, page_id: str) -> bool:
        """Forgets a page; False when there was none."""
        return await self._pages.forget(page_id)

    async def judge(self, turn: OpenDeskTurn, tenant: str) -> ChainResult[TurnJudgement] | None:
        """What the language model makes of a turn; None where none is configured."""
        return None if self._language is None else await self._language.judge(turn, tenant)

    async def do(self, work: Callable[[], T], *, long: bool) -> T:
        """Runs work of a turn, in the workshop if it is long."""
        return await self._workshop.do(work, long=long)


def _again(page: DeskPage, place: int) -> Routed:
    """The turn that a page has served."""
    return Routed(page.served[place].turn, replayed=True)


def _known(context: IntentContext, router: Router) -> IntentContext:
    """The context without tasks of agents that the domain does not have: a roll back took them away, or another replica
    has a later file."""
    frames = tuple(frame for frame in context.frames if frame.agent_code in router.domain.agents)
    if len(frames) == len(context.frames):
        return context
    focus = context.medical_focus_id if context.medical_focus_id in {frame.frame_id for frame in frames} else None
    return msgspec.structs.replace(context, frames=frames, medical_focus_id=focus, clarify=None)


def _size_of(plain: dict[str, Any]) -> int:
    """Its bytes as JSON. Raises `FrameTooLarge` for a turn that says too much at once; the page stays as it was."""
    size = len(msgspec.json.encode(plain))
    if size > MOST_BYTES:
        raise FrameTooLarge("一次说的事情太多，请分几次说", path="question")
    return size


class _DeskAttempt:
    """One turn's way from text to committed context; the model is asked once, however often the page is taken anew."""

    def __init__(self, desk_turns: DeskTurns, asked: TurnAsked, mark: str) -> None:
        self._by = desk_turns
        self._asked = asked
        self._mark = mark
        self._judged: ChainResult[TurnJudgement] | None = None

    async def on(self, page: DeskPage) -> tuple[DeskPage, Routed]:
        """The page after the turn, and the turn as JSON; `tiers` tells what a model that was asked said and cost."""
        router = self._by.desk.router
        context = _known(page.context, router)
        report = self._asked.report
        turn = await self._said(router, context) if report is None else router.report(context, report)
        plain = turn_as_json(turn)
        if self._judged is not None and len(self._judged.reports) > 1:
            plain["tiers"] = msgspec.to_builtins(self._judged.reports)
        served = ServedTurn(self._asked.rid, plain, self._mark, _size_of(plain))
        return DeskPage(turn.context, kept_answers((served, *page.served))), Routed(plain)

    async def _said(self, router: Router, context: IntentContext) -> DeskTurn:
        """The turn of what the user says."""
        by, asked = self._by, self._asked
        long = len(asked.text) + sum(map(len, asked.alternatives)) >= LONG_TEXT

        def made() -> TurnReading:
            sent, others = asked.attachments, asked.alternatives
            return router.read(context, asked.text, now=asked.now, attachments=sent, alternatives=others)

        reading = await by.do(made, long=long)
        if is_open(reading) and isinstance(router.tier, Describer):
            open_turn = OpenDeskTurn(reading, context, router.tier, asked.now)
            self._judged = self._judged or await by.judge(open_turn, asked.tenant)
            if self._judged is not None:
                reading = merged(open_turn, self._judged.answer.cuts)
        read = reading
        return await by.do(lambda: router.advance(context, read, now=asked.now), long=long)
