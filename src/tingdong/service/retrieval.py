"""Retrieval over a home of seed 004's format: what `POST /v1/retrieve` and `tingdong retrieve` answer (seed 002)."""

from collections.abc import Sequence
from typing import Annotated, Protocol
from weakref import WeakKeyDictionary

import msgspec

from context_retrieval.injection import (
    Entity,
    count_tokens,
    summarize_devices_for_prompt,
    summarize_result_for_prompt,
)
from context_retrieval.models import QueryIR, RetrievalResult
from context_retrieval.pipeline import retrieve, retrieve_ir, says_whole_home
from context_retrieval.state import ConversationState
from tingdong.commands.reading import NameTable, Reading
from tingdong.errors import FrameTooLarge
from tingdong.home.cache import ShapeCache, load_home
from tingdong.home.shape import HomeShape, devices_of
from tingdong.service.frames import Place

__all__ = ["HomeRetriever", "RetrieveAnswer", "RetrieveRequest", "Retrieved"]

MAX_BEFORE = 32
"""Earlier utterances of one request."""

MAX_QUERIES = 32
"""Parsed requests that one request may bring, and names in each."""

LONGEST_WORD = 64


class RetrieveRequest(msgspec.Struct, frozen=True):
    """A sentence and a home of seed 004's format; `before` are earlier utterances, oldest first.

    `queries` are taken in place of reading the sentence (a turn's explanation has them); `explain` asks for the reasons
    and for what an agent's prompt would get.
    """

    text: str
    home: msgspec.Raw
    location: Place | None = None
    before: Annotated[tuple[str, ...], msgspec.Meta(max_length=MAX_BEFORE)] = ()
    queries: Annotated[tuple[QueryIR, ...], msgspec.Meta(max_length=MAX_QUERIES)] = ()
    explain: bool = False

    def check_queries(self) -> None:
        """Raises `FrameTooLarge` for a query with a word that nobody says."""
        for index, query in enumerate(self.queries):
            named = (*query.include, *query.exclude, *query.excluded_names)
            said = (query.action, query.value or "", query.name or "", query.when or "", *named)
            if len(named) > MAX_QUERIES or max(map(len, said)) > LONGEST_WORD:
                path = f"queries[{index}]"
                raise FrameTooLarge(f"{path} 的词最多 {LONGEST_WORD} 个字符，最多 {MAX_QUERIES} 个名字", path=path)


class Retrieved(msgspec.Struct, frozen=True):
    """One entity that the sentence needs (seed 002). `command_ids` and `reasons` are told on request."""

    entity_id: str
    kind: str
    role: str
    score: float
    command_ids: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    reasons: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


class RetrieveAnswer(msgspec.Struct, frozen=True):
    """The fewest entities the sentence needs; `hint` names what to ask when that is unsure.

    Told on request: the parsed `queries`, which `layer` parsed them, the `yaml` for an agent's prompt, its `tokens`,
    and `home_tokens`, what the YAML of the whole home would take (both counted by `context_retrieval.injection`).
    """

    candidates: list[Retrieved]
    hint: str | None = None
    queries: tuple[QueryIR, ...] | msgspec.UnsetType = msgspec.UNSET
    layer: str | msgspec.UnsetType = msgspec.UNSET
    yaml: str | msgspec.UnsetType = msgspec.UNSET
    tokens: int | msgspec.UnsetType = msgspec.UNSET
    home_tokens: int | msgspec.UnsetType = msgspec.UNSET


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
        self._home_tokens: WeakKeyDictionary[HomeShape, int] = WeakKeyDictionary()

    def __call__(self, request: RetrieveRequest) -> RetrieveAnswer:
        """One request, with a conversation of its own made of `before`."""
        shape = load_home(bytes(request.home), self._shapes).shape
        if request.queries:
            result = _resolved(shape, request)
        else:
            result = self._retrieve(shape, request.text, location=request.location, before=request.before)
        return self._explained(shape, result) if request.explain else _answer(result)

    def within(
        self, shape: HomeShape, text: str, *, location: str | None = None, before: Sequence[str] = ()
    ) -> RetrieveAnswer:
        """The same for a home that is already compiled."""
        return _answer(self._retrieve(shape, text, location=location, before=before))

    def _retrieve(self, shape: HomeShape, text: str, *, location: str | None, before: Sequence[str]) -> RetrievalResult:
        client, state = _Client(self._reader, shape.names), ConversationState()
        for earlier in before:
            retrieve(earlier, shape.catalog, client, state, location=location)
        return retrieve(text, shape.catalog, client, state, location=location)

    def _explained(self, shape: HomeShape, result: RetrievalResult) -> RetrieveAnswer:
        yaml = summarize_result_for_prompt(result)
        found = [
            Retrieved(one.entity_id, one.kind.value, one.role.value, one.score, one.command_ids, one.reasons)
            for one in result.candidates
        ]
        return RetrieveAnswer(
            found, result.hint, result.queries, result.layer, yaml, count_tokens(yaml), self._tokens_of(shape)
        )

    def _tokens_of(self, shape: HomeShape) -> int:
        known = self._home_tokens.get(shape)
        if known is None:
            whole: list[Entity] = [*devices_of(shape), *shape.groups.values(), *shape.scenes.values()]
            known = self._home_tokens[shape] = count_tokens(summarize_devices_for_prompt(whole, compact=True))
        return known


def _resolved(shape: HomeShape, request: RetrieveRequest) -> RetrievalResult:
    return retrieve_ir(
        request.queries,
        shape.catalog,
        ConversationState(),
        location=request.location,
        explicit_all=says_whole_home(request.text),
    )


def _answer(result: RetrievalResult) -> RetrieveAnswer:
    found = [Retrieved(one.entity_id, one.kind.value, one.role.value, one.score) for one in result.candidates]
    return RetrieveAnswer(found, result.hint)
