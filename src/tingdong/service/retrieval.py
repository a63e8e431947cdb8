"""Retrieval over a home of seed 004's format: what `POST /v1/retrieve` and `tingdong retrieve` answer (seed 002)."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.commands.reading import NameTable, Reading
from tingdong.home.cache import ShapeCache, load_home
from tingdong.home.shape import HomeShape

__all__ = ["HomeRetriever", "RetrieveAnswer", "RetrieveRequest", "Retrieved"]


class RetrieveRequest(msgspec.Struct, frozen=True):
    """A sentence and a home of seed 004's format; `before` are earlier utterances, oldest first."""

    text: str
    home: msgspec.Raw
    location: str | None = None
    before: tuple[str, ...] = ()


class Retrieved(msgspec.Struct, frozen=True):
    """One entity that the sentence needs (seed 002)."""

    entity_id: str
    kind: str
    role: str
    score: float


class RetrieveAnswer(msgspec.Struct, frozen=True):
    """The fewest entities the sentence needs; `hint` names what to ask when that is unsure."""

    candidates: list[Retrieved]
    hint: str | None = None


class NamingReader(Protocol):
    """A reading tier that takes a home's names (the local parser)."""

    def read(self, text: str, names: NameTable | None = None) -> Reading: ...


class _Client:
    """The reading tier as seed 002's `llm`, with one home's names."""

    def __init__(self, reader: NamingReader, names: NameTable) -> None:
        self._reader = reader
        self._names = names

    def parse(self, text: str) -> Reading:
        return self._reader.read(text, self._names)


class HomeRetriever:
    """Retrieves from homes; a home whose shape it has met is not compiled again. Raises `BadHome`."""

    def __init__(self, reader: NamingReader) -> None:
        self._reader = reader
        self._shapes = ShapeCache()

    def __call__(self, request: RetrieveRequest) -> RetrieveAnswer:
        """One request, with a conversation of its own made of `before`."""
        shape = load_home(bytes(request.home), self._shapes).shape
        return self.within(shape, request.text, location=request.location, before=request.before)

    def within(
        self, shape: HomeShape, text: str, *, location: str | None = None, before: Sequence[str] = ()
    ) -> RetrieveAnswer:
        """The same for a home that is already compiled."""
        client, state = _Client(self._reader, shape.names), ConversationState()
        for earlier in before:
            retrieve(earlier, shape.catalog, client, state, location=location)
        result = retrieve(text, shape.catalog, client, state, location=location)
        found = [Retrieved(one.entity_id, one.kind.value, one.role.value, one.score) for one in result.candidates]
        return RetrieveAnswer(found, result.hint)
