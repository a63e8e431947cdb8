"""`POST /v1/retrieve` and `tingdong retrieve`: retrieval over a service home or a list of devices."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol
from weakref import WeakKeyDictionary

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.injection import count_tokens, summarize_devices_for_prompt, summarize_result_for_prompt
from context_retrieval.models import Candidate, QueryIR, RetrievalResult
from context_retrieval.pipeline import retrieve, retrieve_ir, says_whole_home
from context_retrieval.state import ConversationState
from context_retrieval.text import plain_question
from tingdong.commands.reading import NameTable, Reading
from tingdong.errors import FrameTooLarge
from tingdong.home.cache import HomeStore, load_home
from tingdong.reader import SentenceReader
from tingdong.service.frames import Place
from tingdong.service.listed import ListStore, is_list

__all__ = ["HomeRetriever", "RetrieveAnswer", "RetrieveRequest", "Retrieved", "Searched"]

MAX_BEFORE = 32
"""Earlier utterances of one request."""

MAX_QUERIES = 32
"""Parsed requests that one request may bring, and names in each."""

LONGEST_WORD = 64


class RetrieveRequest(msgspec.Struct, frozen=True):
    """A sentence and a home (of the service, or a list of devices); `before` are earlier utterances, oldest first.

    `queries` replace the reading of the sentence (a turn's explanation has them); `explain` adds the reasons and the
    YAML for an agent's prompt.
    """

    text: str
    home: msgspec.Raw
    location: Place | None = None
    before: Annotated[tuple[str, ...], msgspec.Meta(max_length=MAX_BEFORE)] = ()
    queries: Annotated[tuple[QueryIR, ...], msgspec.Meta(max_length=MAX_QUERIES)] = ()
    explain: bool = False

    def check_queries(self) -> None:
        """Raises `FrameTooLarge` for a query with too long a word."""
        for index, query in enumerate(self.queries):
            named = (*query.include, *query.exclude, *query.excluded_names)
            said = (query.action, query.value or "", query.name or "", query.when or "", *named)
            if len(named) > MAX_QUERIES or max(map(len, said)) > LONGEST_WORD:
                path = f"queries[{index}]"
                raise FrameTooLarge(f"{path} 的词最多 {LONGEST_WORD} 个字符，最多 {MAX_QUERIES} 个名字", path=path)


class Retrieved(msgspec.Struct, frozen=True):
    """One entity that the sentence needs (retrieval.md). `command_ids` and `reasons` come with `explain`; `count`: any
    so many of the candidates with it will do."""

    entity_id: str
    kind: str
    role: str
    score: float
    command_ids: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    reasons: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    count: int | msgspec.UnsetType = msgspec.UNSET


class RetrieveAnswer(msgspec.Struct, frozen=True):
    """The fewest entities the sentence needs; `hint` says what to ask if they are uncertain.

    With `explain`: the parsed `queries`, the `layer` that parsed them, the `yaml` for an agent's prompt, its `tokens`,
    and `home_tokens` of the whole home's YAML (both by `context_retrieval.injection`).
    """

    candidates: list[Retrieved]
    hint: str | None = None
    queries: tuple[QueryIR, ...] | msgspec.UnsetType = msgspec.UNSET
    layer: str | msgspec.UnsetType = msgspec.UNSET
    yaml: str | msgspec.UnsetType = msgspec.UNSET
    tokens: int | msgspec.UnsetType = msgspec.UNSET
    home_tokens: int | msgspec.UnsetType = msgspec.UNSET


class Searched(msgspec.Struct, frozen=True):
    """A home or a list of devices, with the names for the parser and the present readings."""

    catalog: Catalog
    names: NameTable
    state: Mapping[str, Mapping[str, Any]] = {}


class Consulted(Protocol):
    """What stands of a sentence where a model may be asked, by the tenant's release path."""

    async def __call__(self, local: Reading, names: NameTable | None = None, *, tenant: str = "") -> Reading: ...


class _Client:
    """The reading tier as retrieval's `llm`, with one home's names; `known` are sentences that were read before."""

    def __init__(self, reader: SentenceReader, names: NameTable, known: Mapping[str, Reading]) -> None:
        self._reader = reader
        self._names = names
        self._known = known

    def parse(self, text: str) -> Reading:
        return self._known.get(text) or self._reader.read(text, self._names)


class HomeRetriever:
    """Retrieves from homes; a home whose shape it has met is not compiled again. Raises `BadHome`."""

    def __init__(self, reader: SentenceReader, homes: HomeStore | None = None) -> None:
        self._reader = reader
        self._shapes = homes if homes is not None else HomeStore()
        self._home_tokens: WeakKeyDictionary[Catalog, int] = WeakKeyDictionary()
        self._lists = ListStore()

    def __call__(self, request: RetrieveRequest, known: Mapping[str, Reading] | None = None) -> RetrieveAnswer:
        """One request, with a conversation of its own made of `before`; `known` are readings made by `consulted`."""
        home = self.open(bytes(request.home))
        if request.queries:
            return self._answer(home, _resolved(home, request), explain=request.explain)
        client = _Client(self._reader, home.names, known or {})
        result = _conversation(home, client, request.text, request.before, request.location)
        return self._answer(home, result, explain=request.explain)

    async def consulted(
        self, request: RetrieveRequest, consult: Consulted, *, tenant: str = ""
    ) -> Mapping[str, Reading]:
        """The request's sentences as they stand once a model was asked, where the tenant's path asks one."""
        if request.queries:
            return {}
        names, found = self.open(bytes(request.home)).names, dict[str, Reading]()
        for text in map(plain_question, (*request.before, request.text)):
            found[text] = await consult(self._reader.read(text, names), names, tenant=tenant)
        return found

    def open(self, raw: bytes) -> Searched:
        """The home in these JSON bytes."""
        if is_list(raw):
            listed = self._lists.open(raw)
            return Searched(listed.catalog, listed.names)
        home = load_home(raw, self._shapes)
        return Searched(home.shape.catalog, home.shape.names, home.properties)

    def within(
        self,
        home: Searched,
        text: str,
        *,
        location: str | None = None,
        before: Sequence[str] = (),
        explain: bool = False,
    ) -> RetrieveAnswer:
        """The same for a home that is already open."""
        client = _Client(self._reader, home.names, {})
        return self._answer(home, _conversation(home, client, text, before, location), explain=explain)

    def _answer(self, home: Searched, result: RetrievalResult, *, explain: bool) -> RetrieveAnswer:
        found = [_told(one, explain=explain) for one in result.candidates]
        if not explain:
            return RetrieveAnswer(found, result.hint)
        yaml, whole = summarize_result_for_prompt(result, state=home.state), self._tokens_of(home.catalog)
        return RetrieveAnswer(found, result.hint, result.queries, result.layer, yaml, count_tokens(yaml), whole)

    def _tokens_of(self, catalog: Catalog) -> int:
        known = self._home_tokens.get(catalog)
        if known is None:
            known = self._home_tokens[catalog] = count_tokens(summarize_devices_for_prompt(catalog, compact=True))
        return known


def _conversation(
    home: Searched, client: _Client, text: str, before: Sequence[str], location: str | None
) -> RetrievalResult:
    """What `text` needs, said after `before` in a conversation of their own."""
    state = ConversationState()
    for earlier in before:
        retrieve(earlier, home.catalog, client, state, location=location)
    return retrieve(text, home.catalog, client, state, location=location)


def _resolved(home: Searched, request: RetrieveRequest) -> RetrievalResult:
    return retrieve_ir(
        request.queries,
        home.catalog,
        ConversationState(),
        location=request.location,
        explicit_all=says_whole_home(request.text),
    )


def _told(one: Candidate, *, explain: bool) -> Retrieved:
    return Retrieved(
        one.entity_id,
        one.kind.value,
        one.role.value,
        one.score,
        one.command_ids if explain else msgspec.UNSET,
        one.reasons if explain else msgspec.UNSET,
        msgspec.UNSET if one.count is None else one.count,
    )
