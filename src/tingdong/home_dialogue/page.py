"""A page: all that the service remembers of one scenario dialogue (service.md, Dialogue, 情景对话ID).

A page is a value: `step` takes one and returns the next. It is bounded (every list has a limit here), versioned, and
serialisable, so that a store can keep it over a restart; a page of another version is forgotten, never guessed at.
"""

from enum import StrEnum
from typing import Any, Self

import msgspec

from context_retrieval.models import QueryIR
from context_retrieval.state import ConversationState
from tingdong.home.document import Warned
from tingdong.home.model import Instruct, ReplyKind
from tingdong.pages import kept_answers

__all__ = ["Choice", "Doing", "Entry", "LedgerChange", "Page", "Pending", "Served", "Timer", "WishMemory"]

PAGE_VERSION = 1
MAX_TIMERS = 32
MAX_ENTRIES = 20
MAX_SAID = 48
"""Characters that are kept of what was said."""


class LedgerChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an instruct changed: the values of a device's properties before and after it. `clause` is the place of the
    request in its entry that asked for it, -1 where it only put back what had been done."""

    id: str
    before: dict[str, Any]
    after: dict[str, Any]
    clause: int = -1


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn that changed something or set timers (`home_dialogue/ledger.py`); `clauses` are its requests, complete,
    and `said` the beginning of what was said."""

    turn: int
    clauses: tuple[QueryIR, ...] = ()
    changes: tuple[LedgerChange, ...] = ()
    timers: tuple[str, ...] = ()
    said: str = ""


class Doing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the last turn was about, done or not: ellipsis, corrections and repetitions start from here.

    `queries` are complete (they name their target themselves); `ids` the devices meant; `pool` those they were chosen
    from (for 另一个); `missed` are the queries whose target was not found; `timers` those set; `text` how it was
    said and `turn` when.
    """

    queries: tuple[QueryIR, ...] = ()
    ids: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    missed: tuple[QueryIR, ...] = ()
    timers: tuple[str, ...] = ()
    text: str = ""
    turn: int = 0

    @property
    def query(self) -> QueryIR | None:
        """The latest query; None before the first."""
        return self.queries[-1] if self.queries else None


class Choice(StrEnum):
    """What kind of answer a pending question waits for."""

    TARGET = "target"  # which of the options
    WHAT = "what"  # any device at all: the request named none
    CONFIRM = "confirm"  # yes or no
    HEARD = "heard"  # yes or no: whether this was said; or which of two
    TIMER = "timer"  # which of the timers, whose ids are the options
    WHEN = "when"  # the room whose sensor a condition watches (options)
    UNDO = "undo"  # yes or no: whether what an older turn did is put back


class OfferedText(msgspec.Struct, frozen=True):
    """A text that was perhaps said, and its requests."""

    text: str
    queries: tuple[QueryIR, ...]


class Pending(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question the user still owes an answer to. `options` are device ids in the home's order.

    `queries` are the requests it holds back, each for its own of `targets` where these are kept, `doubted` whether no
    clause accounts for one; `said` are the texts of which it asks whether or which was said. `asked` counts how often
    it was asked, `age` the unrelated turns since.
    """

    choice: Choice
    queries: tuple[QueryIR, ...]
    options: tuple[str, ...] = ()
    text: str = ""
    asked: int = 1
    age: int = 0
    said: tuple[OfferedText, ...] = ()
    targets: tuple[tuple[str, ...], ...] = ()
    doubted: bool = False


class Timer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deferred instruct that the client holds (service.md, Timers fire at the client).

    `turn` is the page's turn that set it; `due` the time it fires in seconds since 1970, None for a recurring or
    conditional one.
    """

    timer_id: str
    device: str
    state: dict[str, Any]
    when: str
    text: str
    turn: int = 0
    due: float | None = None


class WishMemory(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last implied wish and what was done for it, so that 还是好热 goes one step further (service.md, Token
    frame)."""

    wish: str
    steps: tuple[tuple[QueryIR, tuple[str, ...]], ...] = ()


class Served(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome that a request id already got; a repeated id gets it again and acts once (service.md, Retries).

    `asked` marks the question and `size` is about its bytes (`tingdong.pages`), `options` are short answers to the one
    the turn ended with, `warnings` what of the home was not used.
    """

    rid: str
    kind: ReplyKind
    text: str
    instructs: tuple[Instruct, ...] = ()
    asked: str = ""
    options: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    size: int = 0

    def emptied(self) -> "Served":
        """That it was answered, without the answer."""
        return Served(self.rid, self.kind, "", asked=self.asked, size=-1)


class Page(msgspec.Struct, frozen=True, omit_defaults=True):
    """One dialogue. `room` is the room of the conversation ("" for none), `local` where the user stood last, `undone`
    the turn that last put something back, and `redo` what was put back since something was done, the latest last."""

    id: str = ""
    version: int = PAGE_VERSION
    turn: int = 0
    room: str = ""
    local: str = ""
    last: Doing | None = None
    state: ConversationState = msgspec.field(default_factory=ConversationState)
    pending: Pending | None = None
    timers: tuple[Timer, ...] = ()
    timer_count: int = 0
    ledger: tuple[Entry, ...] = ()
    wish: WishMemory | None = None
    undone: int = 0
    redo: tuple[Entry, ...] = ()
    served: tuple[Served, ...] = ()

    def encode(self) -> bytes:
        """The page as JSON bytes, for a store."""
        return _ENCODER.encode(self)

    @classmethod
    def decode(cls, data: bytes, page_id: str) -> Self:
        """The stored page; a new one when the bytes are of another version or damaged."""
        try:
            page = msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return cls(id=page_id)
        return page if page.version == PAGE_VERSION and page.id == page_id else cls(id=page_id)

    def with_served(self, served: Served) -> Self:
        """The page with one answer more, the latest first."""
        sized = msgspec.structs.replace(served, size=len(_ENCODER.encode(served)))
        return msgspec.structs.replace(self, served=kept_answers((sized, *self.served)))

    def latest(self) -> int:
        """Bytes of the latest answer."""
        return max(0, self.served[0].size) if self.served else 0

    def recent(self) -> tuple[str, ...]:
        """Ids of what was spoken of, latest first."""
        ids = (entity_id for mention in reversed(self.state.mentions) for entity_id in mention.entity_ids)
        return tuple(dict.fromkeys(ids))


_ENCODER = msgspec.json.Encoder()
