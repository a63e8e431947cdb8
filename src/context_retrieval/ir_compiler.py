"""From a sentence to QueryIR through a language model's port (retrieval.md, Calls; commands.md, Consumer).

A client is anything with `parse(text)`. Its answer is the command array of commands.md or QueryIR JSON checked
against `query_ir_schema()`. A broken answer, an exception, UNKNOWN or a low confidence falls through to the next
client of a chain, and the result says which layer answered and why others did not. `FakeLLM` is the offline double.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol, runtime_checkable

import msgspec
from msgspec import Meta

from context_retrieval.models import Command, DeviceType, Quantifier, QueryIR, Reference
from context_retrieval.protocol import decode

__all__ = [
    "UNKNOWN_ANSWER",
    "Chain",
    "Compiled",
    "FakeLLM",
    "LLMClient",
    "ReadSpan",
    "compile_ir",
    "query_ir_schema",
]

UNKNOWN_ANSWER = '["UNKNOWN-*-*#Unknown#one"]'
MIN_CONFIDENCE = 0.5
UNKNOWN_QUERY = QueryIR("UNKNOWN", confidence=0.0)
MAX_QUERIES = 100


class LLMClient(Protocol):
    """The port. May raise anything; whatever it answers is checked."""

    def parse(self, text: str) -> Any:
        """A JSON text, a list of command strings or QueryIR objects, one QueryIR object, or a reading with
        `commands`.
        """
        ...


@runtime_checkable
class _Reading(Protocol):
    """What a local parser answers: commands with one confidence for all."""

    @property
    def commands(self) -> Sequence[Command]: ...

    @property
    def confidence(self) -> float: ...


class ReadSpan(msgspec.Struct, frozen=True):
    """A span `[start, end)` of the sentence that a client read; the rest as its mentions name it."""

    kind: str
    start: int
    end: int
    value: str = ""
    type: DeviceType = DeviceType.UNKNOWN


class Compiled(msgspec.Struct, frozen=True):
    """Queries (never empty; at worst the one UNKNOWN), the layer that answered, and the reasons why others did
    not. `said` are the parts of the sentence that a local parser read, in its order, none from other clients; `text`
    is the sentence as it was understood, which a recogniser may have written otherwise.
    """

    queries: tuple[QueryIR, ...]
    layer: str = ""
    issues: tuple[str, ...] = ()
    said: tuple[ReadSpan, ...] = ()
    text: str = ""


_Word = Annotated[str, Meta(min_length=1, max_length=100)]


class _QueryWire(msgspec.Struct, forbid_unknown_fields=True, rename={"type_": "type"}):
    """QueryIR as JSON; the published schema is made from this shape."""

    action: Annotated[
        str, Meta(min_length=1, max_length=40, pattern="^[^-@#=]+$", description="原子动作，如 打开、设置亮度")
    ]
    value: Annotated[str, Meta(max_length=40, description="动作的值，如 50%、26C")] | None = None
    include: Annotated[list[_Word], Meta(max_length=50, description="房间词；空表示未提及")] = []
    exclude: Annotated[list[_Word], Meta(max_length=50, description="排除的房间词")] = []
    here: bool = False
    name: Annotated[str, Meta(min_length=1, max_length=100, description="点名的设备；泛指类型时为 null")] | None = None
    excluded_names: Annotated[list[_Word], Meta(max_length=50)] = []
    type_: DeviceType = DeviceType.UNKNOWN
    quantifier: Quantifier = Quantifier.ONE
    count: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    reference: Reference | None = None
    when: Annotated[str, Meta(max_length=60, description="延时、定时或条件，如 10分钟后、温度>26C")] | None = None
    confidence: Annotated[float, Meta(ge=0, le=1)] = 1.0

    def query(self) -> QueryIR:
        return QueryIR(
            self.action,
            self.value,
            tuple(self.include),
            tuple(self.exclude),
            self.here,
            self.name,
            tuple(self.excluded_names),
            self.type_,
            self.quantifier,
            self.count,
            self.reference,
            self.when,
            self.confidence,
        )


class _QueriesWire(msgspec.Struct, forbid_unknown_fields=True):
    queries: Annotated[list[_QueryWire], Meta(min_length=1, max_length=MAX_QUERIES)]


def query_ir_schema() -> dict[str, Any]:
    """JSON schema (2020-12) of a QueryIR answer: an object `{"queries": [...]}`, for structured output of a model."""
    return msgspec.json.schema(_QueriesWire)


class FakeLLM:
    """Answers from presets, exactly by text; any other text gets the one UNKNOWN command (commands.md,
    解析失败统一降级).

    A preset is whatever a model could answer: JSON text, a list of command strings, or QueryIR as dict or list of
    dicts.
    """

    layer = "fake"

    def __init__(self, presets: Mapping[str, Any] | None = None) -> None:
        self._presets = dict(presets or {})

    def parse(self, text: str) -> Any:
        """The preset of exactly this text, else the one UNKNOWN command. Never raises."""
        return self._presets.get(text, UNKNOWN_ANSWER)


class Chain:
    """Several clients, asked in order until one answers well."""

    def __init__(self, clients: Sequence[LLMClient], *, min_confidence: float = MIN_CONFIDENCE) -> None:
        """Raises ValueError without clients."""
        if not clients:
            raise ValueError("a chain needs at least one client")
        self.clients: tuple[LLMClient, ...] = tuple(clients)
        self.min_confidence = min_confidence


def compile_ir(text: str, llm: LLMClient | Chain, *, min_confidence: float = MIN_CONFIDENCE) -> Compiled:
    """The queries of `text`. Never raises for what a client does or answers.

    When nobody is sure, the first doubtful answer stands and `issues` says so: the agent that reads the context
    decides.
    """
    clients: Sequence[LLMClient] = llm.clients if isinstance(llm, Chain) else (llm,)
    threshold = llm.min_confidence if isinstance(llm, Chain) else min_confidence
    issues: list[str] = []
    doubtful: Compiled | None = None
    said, understood = tuple[ReadSpan, ...](), text
    for client in clients:
        layer = str(getattr(client, "layer", type(client).__name__))
        try:
            answer = client.parse(text)
        except Exception as error:  # noqa: BLE001  # a client of any vendor may raise anything
            issues.append(f"{layer}: {type(error).__name__}")
            continue
        queries, reasons = _read(answer)
        if not said and (said := _said(answer)):
            understood = getattr(answer, "text", text)
        layer = str(getattr(answer, "tier", "") or layer)
        issues.extend(f"{layer}: {reason}" for reason in reasons)
        if not queries:
            issues.append(f"{layer}: unknown")
        elif min(query.confidence for query in queries) < threshold:
            issues.append(f"{layer}: low_confidence")
            doubtful = doubtful or Compiled(queries, layer)
        else:
            return Compiled(queries, layer, tuple(issues), said, understood)
    if doubtful is not None:
        return Compiled(doubtful.queries, doubtful.layer, tuple(issues), said, understood)
    return Compiled((UNKNOWN_QUERY,), "fallback", tuple(issues), said, understood)


def _said(answer: Any) -> tuple[ReadSpan, ...]:
    """The mentions of a local parser's reading."""
    if not isinstance(answer, _Reading) or isinstance(answer, Mapping):
        return ()
    return tuple(
        ReadSpan(str(one.kind), one.start, one.end, one.value, one.type) for one in getattr(answer, "mentions", ())
    )


def _read(answer: Any) -> tuple[tuple[QueryIR, ...], list[str]]:
    """Known queries of an answer, and what was wrong with it."""
    if isinstance(answer, QueryIR):
        return _known((answer,)), []
    if isinstance(answer, (str, bytes)):
        return _read_text(answer if isinstance(answer, str) else answer.decode("utf-8", "replace"))
    if isinstance(answer, _Reading) and not isinstance(answer, Mapping):
        confidence = float(answer.confidence)
        return _known(tuple(QueryIR.from_command(command, confidence) for command in answer.commands)), []
    if isinstance(answer, Mapping):
        return _read_objects(answer)
    if isinstance(answer, Sequence):
        return _read_list(answer)
    return (), ["not_json"]


def _read_text(text: str) -> tuple[tuple[QueryIR, ...], list[str]]:
    stripped = text.lstrip()
    if stripped.startswith("{") or (stripped.startswith("[") and stripped[1:].lstrip().startswith("{")):
        try:
            return _read_objects(json.loads(text))
        except (ValueError, RecursionError):
            return (), ["not_json"]
    decoded = decode(text)
    queries = tuple(QueryIR.from_command(command) for command in decoded.commands)
    return _known(queries), [issue.code.value for issue in decoded.issues]


def _read_list(items: Sequence[Any]) -> tuple[tuple[QueryIR, ...], list[str]]:
    if all(isinstance(item, QueryIR) for item in items):
        return _known(tuple(items)), []
    if all(isinstance(item, Command) for item in items):
        return _known(tuple(QueryIR.from_command(item) for item in items)), []
    if items and all(isinstance(item, Mapping) for item in items):
        return _read_objects(items)
    try:
        return _read_text(json.dumps(list(items), ensure_ascii=False))
    except (TypeError, ValueError):
        return (), ["not_json"]


def _read_objects(value: Any) -> tuple[tuple[QueryIR, ...], list[str]]:
    """QueryIR objects: `{"queries": [...]}`, one object, or a list; one bad object spoils the answer."""
    if isinstance(value, Mapping) and "queries" not in value:
        value = [value]
    if not isinstance(value, Mapping):
        value = {"queries": value}
    try:
        wire = msgspec.convert(value, _QueriesWire)
    except msgspec.ValidationError as error:
        return (), [f"bad_query_ir: {error}"[:200]]
    return _known(tuple(query.query() for query in wire.queries)), []


def _known(queries: tuple[QueryIR, ...]) -> tuple[QueryIR, ...]:
    return tuple(query for query in queries if query.action != "UNKNOWN")
