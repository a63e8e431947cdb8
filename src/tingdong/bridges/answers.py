"""What an agent may ask, as plain JSON values: parse, retrieve, resolve, explain (commands.md, retrieval.md,
service.md).

The same tiers and the same validation as in the service; a home is that of service.md. No protocol lives here, so
that every bridge gives the same answers.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import msgspec

from context_retrieval.models import QueryIR
from context_retrieval.pipeline import default_capability, resolve_ir
from context_retrieval.protocol import UNKNOWN, decode_command, or_unknown
from tingdong.bootstrap import embedded
from tingdong.errors import BadHome
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.shape import HomeShape
from tingdong.home_turn import TurnRequest, Understander
from tingdong.reader import SentenceReader, sentence_reader
from tingdong.service.explain import explanation
from tingdong.service.retrieval import HomeRetriever, RetrieveRequest

__all__ = ["Answers"]

JsonObject = dict[str, Any]


class Answers:
    """Answers over `home`, or over the home that a call brings with it.

    Every method returns plain JSON values and raises `BadHome` for a home that does not validate or is missing.
    """

    def __init__(
        self,
        home: bytes | None = None,
        *,
        understander: Understander | None = None,
        reader: SentenceReader | None = None,
    ) -> None:
        self._home = home
        self._reader = sentence_reader()
        self._shapes = HomeStore()
        self._retriever = HomeRetriever(reader or self._reader)
        self._understander = understander or embedded()
        if home is not None:
            load_home(home, self._shapes)

    def parse(self, text: str) -> JsonObject:
        """The command array of one sentence (commands.md), confidence 0..1, and the tier that read it."""
        reading = self._reader.read(text)
        return {
            "commands": [str(command) for command in or_unknown(reading.commands)],
            "confidence": round(reading.confidence, 4),
            "tier": reading.tier,
        }

    def retrieve(
        self,
        text: str,
        *,
        home: Mapping[str, Any] | None = None,
        location: str | None = None,
        before: Sequence[str] = (),
    ) -> JsonObject:
        """The fewest entities the sentence needs, with reasons, a hint, and the YAML for a system prompt
        (retrieval.md)."""
        request = RetrieveRequest(text, msgspec.Raw(self._raw(home)), location, tuple(before), explain=True)
        answer: JsonObject = msgspec.to_builtins(self._retriever(request))
        return answer

    def resolve(
        self, commands: Sequence[str], *, home: Mapping[str, Any] | None = None, location: str | None = None
    ) -> list[JsonObject]:
        """What each command string means in the home: status, ids, choices, missing words, near names.

        A string that is no command resolves to `nothing`, with the codec's reasons in `issues`.
        """
        shape = self._shape(home)
        places = shape.catalog.rooms.find(location)[:1] if location else ()
        return [self._resolved(text, shape, tuple(places)) for text in commands]

    def _resolved(self, text: str, shape: HomeShape, places: tuple[str, ...]) -> JsonObject:
        read, issues = decode_command(text)
        command = read or UNKNOWN
        found = resolve_ir(QueryIR.from_command(command), shape.catalog, places=places, capability=default_capability())
        answer: JsonObject = {"command": str(command), **msgspec.to_builtins(found)}
        if issues:
            answer["issues"] = [code.value for code, _ in issues]
        return answer

    async def explain(
        self,
        text: str,
        *,
        home: Mapping[str, Any] | None = None,
        location: str | None = None,
        page_id: str | None = None,
    ) -> JsonObject:
        """One whole turn with its reasons: reply, validated instructs (service.md, Closing frame), reading, findings,
        rule.

        `instructs` are immediate, `scheduled` (if any) are for later. Turns of one `page_id` form a conversation;
        without one the turn stands alone. Nothing is executed.
        """
        request = TurnRequest(
            rid=str(uuid4()),
            page_id=page_id or str(uuid4()),
            question=text,
            home=self._raw(home),
            local=location or "",
        )
        turn = await self._understander.turn(request)
        if page_id is None:
            await self._understander.forget(request.page_id)
        return {
            "type": turn.kind.value,
            "result": turn.text,
            "instructs": msgspec.to_builtins(turn.instructs),
            **({"scheduled": msgspec.to_builtins(turn.scheduled)} if turn.scheduled else {}),
            "explain": msgspec.to_builtins(explanation(turn, text)),
        }

    def _raw(self, home: Mapping[str, Any] | None) -> bytes:
        if home is not None:
            return msgspec.json.encode(home)
        if self._home is None:
            raise BadHome("no home: give one with the call, or start the server with --home", path="home")
        return self._home

    def _shape(self, home: Mapping[str, Any] | None) -> HomeShape:
        return load_home(self._raw(home), self._shapes).shape
