"""The use case of the hospital desk: one turn, from text to a committed context (seed 003; architecture, One request).

Thin and asynchronous like `understand`: it awaits the store, the language model where one is configured and the rules
left something open, and calls the pure dialogue. Turns of one page are handled
in order; the page is committed before the turn is returned, so that a repeated `rid` gets the stored turn.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, Self

import msgspec

from tingdong.dialogue.desk import Desk
from tingdong.dialogue.llm_reader import (
    ABSTAIN,
    Describer,
    LLMTurnReader,
    OpenTurn,
    TurnJudgement,
    is_open,
    merged,
)
from tingdong.dialogue.model import Attachment, IntentContext, Reading, Turn
from tingdong.dialogue.reports import Report
from tingdong.dialogue.router import Router
from tingdong.dialogue.wire import turn_as_json
from tingdong.errors import BackendError
from tingdong.llm import Budget, ChainResult, TierChain
from tingdong.page_order import PageOrder

__all__ = [
    "CONVERSATION_VERSION",
    "Conversation",
    "ConversationStore",
    "DeskLanguage",
    "Reception",
    "Routed",
    "Served",
    "TurnAsked",
]

CONVERSATION_VERSION = 1
"""Schema of stored conversations; a change of it starts them anew."""
KEPT_TURNS = 8
"""Turns a page keeps, for clients that ask for one again."""
MAX_WRITE_ATTEMPTS = 3


class Served(msgspec.Struct, frozen=True):
    """A turn that was answered, as it was sent."""

    rid: str
    turn: dict[str, Any]


class Conversation(msgspec.Struct, frozen=True):
    """What is kept of a page: the dialogue's context, and the last turns by their `rid`."""

    context: IntentContext = IntentContext()
    served: tuple[Served, ...] = ()

    def encode(self) -> bytes:
        """The conversation as JSON bytes, for a store."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, data: bytes, _page_id: str) -> Self:
        """The stored conversation; a new one when the bytes are damaged."""
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, msgspec.ValidationError):
            return cls()


class ConversationStore(Protocol):
    """Where conversations live; revisions as in `tingdong.understand.PageStore`."""

    async def get(self, page_id: str) -> tuple[Conversation, int] | None: ...
    async def put(self, page_id: str, page: Conversation, *, expected: int) -> bool: ...
    async def delete(self, page_id: str) -> bool: ...


class TurnAsked(msgspec.Struct, frozen=True):
    """One turn of a page: what the user says, or what an agent reports (`report`). `now` is aware; relative dates are
    read against it. `tenant` chooses the release path of the language model."""

    rid: str
    page_id: str
    text: str
    now: datetime
    attachments: Sequence[Attachment] = ()
    tenant: str = ""
    report: Report | None = None


class DeskLanguage:
    """The language model of the hospital's desk: reads what the rules leave open, by the tenant's path."""

    def __init__(self, chain: TierChain[TurnJudgement], reader: LLMTurnReader) -> None:
        self.chain = chain
        self._reader = reader

    async def judge(self, turn: OpenTurn, tenant: str) -> ChainResult[TurnJudgement]:
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


class Reception:
    """Serves turns of a hospital desk. `language`, when given, is asked about what the rules leave open."""

    def __init__(self, store: ConversationStore, desk: Desk, language: DeskLanguage | None = None) -> None:
        self.desk = desk
        self._store = store
        self._language = language
        self._order = PageOrder()

    async def turn(self, asked: TurnAsked) -> Routed:
        """One turn, committed to its page. Raises `BackendError` when the store cannot keep it, `UnknownFrame` for a
        report about what is not there."""
        judged: ChainResult[TurnJudgement] | None = None
        async with self._order.turn_of(asked.page_id):
            for _ in range(MAX_WRITE_ATTEMPTS):
                kept = await self._store.get(asked.page_id)
                page, revision = kept or (Conversation(), 0)
                known = next((served.turn for served in page.served if served.rid == asked.rid), None)
                if known is not None:
                    return Routed(known, replayed=True)
                router = self.desk.router
                if asked.report is not None:
                    page, plain = _kept(page, asked, router.report(page.context, asked.report))
                    if await self._store.put(asked.page_id, page, expected=revision):
                        return Routed(plain)
                    continue
                reading = router.read(page.context, asked.text, now=asked.now, attachments=asked.attachments)
                if self._language is not None and is_open(reading) and isinstance(router.tier, Describer):
                    turn = OpenTurn(reading, page.context, router.tier, asked.now)
                    judged = judged or await self._language.judge(turn, asked.tenant)
                    reading = merged(turn, judged.answer.cuts)
                page, plain = _advanced(page, asked, router, reading, judged)
                if await self._store.put(asked.page_id, page, expected=revision):
                    return Routed(plain)
        raise BackendError("情景对话正被别处写入", code="conflict")

    async def forget(self, page_id: str) -> bool:
        """Forgets a page; False when there was none."""
        return await self._store.delete(page_id)


def _advanced(
    page: Conversation, asked: TurnAsked, router: Router, reading: Reading, judged: ChainResult[TurnJudgement] | None
) -> tuple[Conversation, dict[str, Any]]:
    """The page after the turn, and the turn as JSON; `tiers` tells what a model that was asked said and cost."""
    turn = router.advance(page.context, reading, now=asked.now)
    extra = {}
    if judged is not None and len(judged.reports) > 1:
        extra["tiers"] = msgspec.to_builtins(judged.reports)
    return _kept(page, asked, turn, extra)


def _kept(
    page: Conversation, asked: TurnAsked, turn: Turn, extra: Mapping[str, Any] | None = None
) -> tuple[Conversation, dict[str, Any]]:
    plain = turn_as_json(turn) | dict(extra or {})
    served = (*page.served, Served(asked.rid, plain))[-KEPT_TURNS:]
    return Conversation(turn.context, served), plain
