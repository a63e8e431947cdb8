"""The desk's router: reads a turn, advances the context, keeps a log that rebuilds it (hospital.md; architecture, law
6).

`Router` is the public face of this package. A dialogue is an immutable `IntentContext`; the router holds none. Agents
downstream report through `activate`, `complete`, `cancel` and `handoff`. A log of events (readings and reports) replays
to the same context without reading anything again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from tingdong.front_desk.advance import DEFAULTS, DeskOptions, advance
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import Attachment, DeskTurn, IntentContext, TurnReading
from tingdong.front_desk.reports import Report, ReportKind, report
from zhtext.normalise import encodable

__all__ = ["Event", "Read", "ReadingTier", "Router", "replay"]


class ReadingTier(Protocol):
    """What reads a turn; rules and the local classifier, or an LLM behind the same call. `alternatives` are what else
    a recogniser offers for the text."""

    def read(
        self,
        context: IntentContext,
        text: str,
        *,
        now: datetime,
        attachments: Sequence[Attachment] = (),
        alternatives: Sequence[str] = (),
    ) -> TurnReading:
        """The reading of one turn; `alternatives` are what else a recogniser offers."""


class Read(msgspec.Struct, frozen=True, tag="read"):
    """A logged turn: what was read, and when."""

    reading: TurnReading
    now: datetime


class Reported(msgspec.Struct, frozen=True, tag="reported"):
    """A logged report of an agent."""

    report: Report


Event = Read | Reported


class Router:
    """Routes turns of one domain. Stateless: contexts go in and come out."""

    def __init__(self, domain: Domain, tier: ReadingTier, *, options: DeskOptions = DEFAULTS) -> None:
        self.domain = domain
        self.options = options
        self._tier = tier

    def read(
        self,
        context: IntentContext,
        text: str,
        *,
        now: datetime,
        attachments: Sequence[Attachment] = (),
        alternatives: Sequence[str] = (),
    ) -> TurnReading:
        """The reading of the turn, before anything changes."""
        others = tuple(map(encodable, alternatives))
        return self._tier.read(context, encodable(text), now=now, attachments=attachments, alternatives=others)

    @property
    def tier(self) -> ReadingTier:
        """The tier that reads the turns."""
        return self._tier

    def advance(self, context: IntentContext, reading: TurnReading, *, now: datetime) -> DeskTurn:
        """The turn that a reading makes."""
        return advance(context, reading, now=now, domain=self.domain, options=self.options)

    def turn(
        self,
        context: IntentContext,
        text: str,
        *,
        now: datetime,
        attachments: Sequence[Attachment] = (),
        alternatives: Sequence[str] = (),
    ) -> DeskTurn:
        """Reads and advances."""
        reading = self.read(context, text, now=now, attachments=attachments, alternatives=alternatives)
        return self.advance(context, reading, now=now)

    def report(self, context: IntentContext, told: Report) -> DeskTurn:
        """The turn that an agent's report makes. Raises `UnknownFrame`."""
        return report(context, told, self.domain)

    def activate(self, context: IntentContext, frame_id: str) -> DeskTurn:
        """A waiting task is being answered now: it becomes an insertion (hospital.md, Frames, role insert)."""
        return self.report(context, Report(ReportKind.ACTIVATE, frame_id))

    def complete(self, context: IntentContext, frame_id: str) -> DeskTurn:
        """An agent is done with a task; the freed focus goes to the next."""
        return self.report(context, Report(ReportKind.COMPLETE, frame_id))

    def cancel(self, context: IntentContext, frame_id: str) -> DeskTurn:
        """An agent gave a task up."""
        return self.report(context, Report(ReportKind.CANCEL, frame_id))

    def handoff(self, context: IntentContext, frame_id: str, agent_code: str, *, summary: str = "") -> DeskTurn:
        """An agent's result suggests another agent (hospital.md, Relations): a waiting task, never a change of
        focus."""
        return self.report(context, Report(ReportKind.HANDOFF, frame_id, agent_code, summary))


def replay(events: Iterable[Event], domain: Domain, *, options: DeskOptions = DEFAULTS) -> IntentContext:
    """The context that a log leads to, without any model."""
    context = IntentContext()
    for event in events:
        if isinstance(event, Read):
            context = advance(context, event.reading, now=event.now, domain=domain, options=options).context
        else:
            context = report(context, event.report, domain).context
    return context
