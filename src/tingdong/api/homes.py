"""A home with a dialogue about it (service.md), and retrieval from it (retrieval.md)."""

import asyncio
import json
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar

from context_retrieval.catalog import Catalog
from context_retrieval.models import Device, RetrievalResult
from context_retrieval.pipeline import retrieve as retrieve_from
from context_retrieval.state import ConversationState
from tingdong.bootstrap import embedded
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.errors import BadHome
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.document import Warned
from tingdong.home.shape import HomeShape
from tingdong.home_turn import Turn, TurnRequest

__all__ = ["Home", "aretrieve", "retrieve"]

T = TypeVar("T")
Source = str | Path | bytes | Mapping[str, Any]
"""A home: a path, JSON bytes, or the object of a home (service.md, Home)."""

Devices = Iterable[Device | dict[str, Any]]
"""Devices in retrieval's form."""

_PAGE = "page"


class Home:
    """A home and one dialogue about it (service.md).

    With `obeys` (default) the state follows the instructs of each turn, as a client's would. The dialogue lasts as long
    as the object.
    """

    def __init__(self, document: Mapping[str, Any], *, local: str = "", obeys: bool = True) -> None:
        self.local = local
        self.obeys = obeys
        self._document: dict[str, Any] = json.loads(json.dumps(document))
        self._understander = embedded()
        self._turns = 0
        self._shape: HomeShape = load_home(self._bytes(), HomeStore()).shape

    @classmethod
    def load(cls, source: Source, *, local: str = "", obeys: bool = True) -> Self:
        """A home from a path, JSON bytes or an object; `local` is the room where the user is.

        Raises:
            OSError: the file cannot be read.
            BadHome: it is no home; `path` and message name the fault.
        """
        return cls(_document(source), local=local, obeys=obeys)

    def say(
        self,
        text: str,
        *,
        local: str | None = None,
        now: datetime | None = None,
        alternatives: Sequence[str] = (),
    ) -> Turn:
        """One turn: kind, text, instructs, and short answers if it is a question.

        `now` is the user's clock (aware), else this machine's in Asia/Shanghai. `alternatives` are the recogniser's
        other results, best first; the first eight count. Raises `BadHome`.
        """
        return _waited_for(self.asay(text, local=local, now=now, alternatives=alternatives))

    async def asay(
        self,
        text: str,
        *,
        local: str | None = None,
        now: datetime | None = None,
        alternatives: Sequence[str] = (),
    ) -> Turn:
        """`say`, awaited."""
        self._turns += 1
        here = self.local if local is None else local
        request = TurnRequest(
            str(self._turns), _PAGE, text, home=self._bytes(), local=here, now=now, alternatives=tuple(alternatives)
        )
        turn = await self._understander.turn(request)
        if self.obeys:
            self._obey(turn)
        return turn

    def state(self, device_id: str) -> dict[str, Any]:
        """The device's present state. Raises `KeyError` for an id that this home does not have."""
        for device in self._document["devices"]:
            if device["id"] == device_id:
                state: dict[str, Any] = device["device"].setdefault("state", {})
                return state
        raise KeyError(device_id)

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """Unused parts of the home (`path`, `message`): properties of an unknown type."""
        return self._shape.warnings

    def retrieve(self, text: str, *, local: str | None = None) -> RetrievalResult:
        """The fewest entities of this home that a sentence needs, and a hint (retrieval.md)."""
        return _retrieved(text, self._shape.catalog, self.local if local is None else local)

    def _obey(self, turn: Turn) -> None:
        known = {device["id"] for device in self._document["devices"]}
        for instruct in turn.instructs:
            if instruct.when is None and instruct.cancel is None and instruct.id in known:
                self.state(instruct.id).update(instruct.state)

    def _bytes(self) -> bytes:
        return json.dumps(self._document, ensure_ascii=False).encode()


def _document(source: Source) -> Mapping[str, Any]:
    if isinstance(source, Mapping):
        return source
    raw = source if isinstance(source, bytes) else Path(source).read_bytes()
    try:
        document = json.loads(raw)
    except ValueError as error:
        raise BadHome(f"home 不是合法的 JSON：{error}", path="home") from error
    if not isinstance(document, dict):
        raise BadHome("home 应为一个 JSON 对象", path="home")
    return document


def retrieve(text: str, home: Home | Source | Devices, *, local: str = "") -> RetrievalResult:
    """The fewest entities that a sentence needs, and a hint (retrieval.md).

    `home` is a `Home`, the source of one, or devices in retrieval's form. Raises `BadHome`, `msgspec.ValidationError`.
    """
    if isinstance(home, Home):
        return home.retrieve(text, local=local or None)
    if isinstance(home, str | Path | bytes | Mapping):
        return Home.load(home).retrieve(text, local=local)
    return _retrieved(text, Catalog.build(home), local)


async def aretrieve(text: str, home: Home | Source | Devices, *, local: str = "") -> RetrievalResult:
    """`retrieve`, in a thread of its own."""
    return await asyncio.to_thread(retrieve, text, home, local=local)


def _retrieved(text: str, catalog: Catalog, local: str) -> RetrievalResult:
    return retrieve_from(text, catalog, EmbeddedLLM(catalog), ConversationState(), location=local or None)


def _waited_for(turn: Coroutine[Any, Any, T]) -> T:
    """The coroutine's result, also where an event loop already runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(turn)
    with ThreadPoolExecutor(max_workers=1) as worker:
        return worker.submit(asyncio.run, turn).result()
