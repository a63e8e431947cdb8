"""A hospital's front desk (hospital.md)."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Self

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.model import DeskTurn, IntentContext
from tingdong.front_desk.router import Router

__all__ = ["FrontDesk", "aroute", "route"]


class FrontDesk:
    """A front desk and one dialogue at it (hospital.md); `context` is the state after the last turn.

    `lacks` lists missing parts of its files, as `tingdong doctor` prints them.
    """

    def __init__(self, directory: Path | None = None, domain: Path | None = None) -> None:
        desk = hospital_desk(directory, domain)
        self.router: Router = desk.router
        self.lacks: tuple[str, ...] = desk.lacks
        self.context: IntentContext = IntentContext()

    @classmethod
    def load(cls, directory: str | Path | None = None, domain: str | Path | None = None) -> Self:
        """A desk of a directory file (departments, doctors) and a domain file; without them the demonstration hospital.

        Raises:
            DataError: a file is broken; file and key are named.
        """
        return cls(Path(directory) if directory else None, Path(domain) if domain else None)

    def say(self, text: str, *, now: datetime | None = None, alternatives: Sequence[str] = ()) -> DeskTurn:
        """One turn: segments, relations, operations, frames, the reply. `now` is aware, else this machine's clock.

        `alternatives` are the recogniser's other results, best first; the first eight count.
        """
        at = now or datetime.now().astimezone()
        turn = self.router.turn(self.context, text, now=at, alternatives=alternatives)
        self.context = turn.context
        return turn

    async def asay(self, text: str, *, now: datetime | None = None, alternatives: Sequence[str] = ()) -> DeskTurn:
        """`say`, in a thread of its own."""
        return await asyncio.to_thread(self.say, text, now=now, alternatives=alternatives)


def route(
    *texts: str,
    directory: str | Path | None = None,
    domain: str | Path | None = None,
    now: datetime | None = None,
) -> list[DeskTurn]:
    """The turns of one dialogue at the desk of these files, a turn for each text (hospital.md).

    Without files it is the demonstration hospital's. `now` is aware, else this machine's clock. Raises `DataError` for
    a broken file.
    """
    desk = FrontDesk.load(directory, domain)
    return [desk.say(text, now=now) for text in texts]


async def aroute(
    *texts: str,
    directory: str | Path | None = None,
    domain: str | Path | None = None,
    now: datetime | None = None,
) -> list[DeskTurn]:
    """`route`, in a thread of its own."""
    return await asyncio.to_thread(route, *texts, directory=directory, domain=domain, now=now)
