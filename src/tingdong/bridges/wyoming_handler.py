"""The voice bridge: a Wyoming handle and intent service, from transcript to spoken reply (extra `voice`).

A `transcript` is answered with `handled` (its text is what to say) or `not-handled` (nobody meant us); a `recognize`
with `intent` or `not-recognized`. `context` of both sides carries what text cannot: in, `conversation_id`, `location`,
a `home` and the recogniser's `alternatives`; out, the `instructs` to carry out now, and `scheduled` for later. The home
of the start follows the instructs; a call's does not.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from typing import Any
from uuid import uuid4

import msgspec
from wyoming.asr import Transcript
from wyoming.error import Error
from wyoming.event import Event
from wyoming.handle import Handled, NotHandled
from wyoming.info import Attribution, Describe, HandleModel, HandleProgram, Info, IntentModel, IntentProgram
from wyoming.intent import Entity, Intent, NotRecognized, Recognize
from wyoming.ping import Ping, Pong
from wyoming.server import AsyncEventHandler, AsyncServer

from tingdong.bootstrap import embedded
from tingdong.client.conversation import apply_instructs
from tingdong.errors import BadHome, ClientError, DataError, TingDongError
from tingdong.hearing.offered import MOST_OFFERED
from tingdong.home.model import ReplyKind
from tingdong.home_turn import Turn, TurnRequest, Understander

__all__ = ["VoiceHome", "serve_wyoming"]

LANGUAGES = ["zh", "zh-CN", "zh-Hans", "cmn"]
LONGEST_QUESTION = 500
_ATTRIBUTION = Attribution(name="TingDong", url="")


class VoiceHome:
    """What all connections share: the use case, the home, where the speaker is when nobody says so."""

    def __init__(
        self,
        home: Mapping[str, Any] | None = None,
        *,
        location: str | None = None,
        understander: Understander | None = None,
    ) -> None:
        self.home: Mapping[str, Any] | None = home
        self._location = location
        self._understander = understander or embedded()

    async def turn(self, text: str, context: Mapping[str, Any]) -> tuple[Turn, dict[str, Any]]:
        """One turn and the context to answer with. Raises `BadHome`, `ClientError` for what cannot be served."""
        if not isinstance(text, str) or not isinstance(context, Mapping):
            raise ClientError("text must be a string, and context an object")
        if len(text) > LONGEST_QUESTION:
            raise ClientError(f"longer than {LONGEST_QUESTION} characters")
        alternatives = _alternatives(context.get("alternatives"))
        given = context.get("home")
        home = given if isinstance(given, dict) else self.home
        if home is None:
            raise BadHome("no home: start with --home, or send one in the context", path="context.home")
        page_id = str(context.get("conversation_id") or uuid4()).encode(errors="replace").decode()
        location = str(context.get("location") or context.get("area") or self._location or "")
        raw = msgspec.json.encode(home)
        request = TurnRequest(str(uuid4()), page_id, text, home=raw, local=location, alternatives=alternatives)
        turn = await self._understander.turn(request)
        instructs = msgspec.to_builtins(turn.instructs)
        if home is not given and self.home is not None:  # another connection may have changed it meanwhile
            self.home = apply_instructs(self.home, instructs)
        told = {"conversation_id": page_id, "type": turn.kind.value, "instructs": instructs}
        if turn.scheduled:
            told["scheduled"] = msgspec.to_builtins(turn.scheduled)
        return turn, told


def _alternatives(given: Any) -> tuple[str, ...]:
    """What else the recogniser offers, as the context has it. Raises `ClientError` for what is no such list."""
    if given is None:
        return ()
    if not isinstance(given, list) or len(given) > MOST_OFFERED or not all(isinstance(one, str) for one in given):
        raise ClientError(f"alternatives must be a list of at most {MOST_OFFERED} texts", path="context.alternatives")
    if any(len(one) > LONGEST_QUESTION for one in given):
        raise ClientError(f"longer than {LONGEST_QUESTION} characters", path="context.alternatives")
    return tuple(given)


class _WyomingConnection(AsyncEventHandler):
    """One connection; a fault in one event is an `error` event, and the connection goes on."""

    def __init__(self, home: VoiceHome, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self._home = home

    async def handle_event(self, event: Event) -> bool:
        try:
            answer = await self._answer(event)
        except (TingDongError, KeyError, TypeError, ValueError) as error:
            answer = _fault(error).event()
        if answer is not None:
            await self.write_event(answer)
        return True

    async def _answer(self, event: Event) -> Event | None:
        if Describe.is_type(event.type):
            return _info().event()
        if Ping.is_type(event.type):
            return Pong(text=Ping.from_event(event).text).event()
        if Transcript.is_type(event.type):
            said = Transcript.from_event(event)
            turn, context = await self._home.turn(said.text, said.context or {})
            spoken = NotHandled if turn.kind is ReplyKind.NONE else Handled
            return spoken(text=turn.text, context=context).event()
        if Recognize.is_type(event.type):
            asked = Recognize.from_event(event)
            turn, context = await self._home.turn(asked.text, asked.context or {})
            if turn.kind is ReplyKind.NONE:
                return NotRecognized(text=turn.text, context=context).event()
            entities = [Entity(name, context[name]) for name in ("instructs", "scheduled") if name in context]
            return Intent(name=turn.kind.value, entities=entities, text=turn.text, context=context).event()
        return None


def _fault(error: Exception) -> Error:
    """A fault by its code, with the place where it is known."""
    if not isinstance(error, TingDongError):
        return Error(text=repr(error), code=ClientError.code)
    place = f" ({error.path})" if error.path else ""
    return Error(text=f"{error}{place}", code=error.code)


def _info() -> Info:
    told: dict[str, Any] = {
        "name": "tingdong",
        "attribution": _ATTRIBUTION,
        "installed": True,
        "description": "听懂：中文智能家居",
        "version": version("tingdong"),
    }
    return Info(
        handle=[HandleProgram(**told, models=[HandleModel(**told, languages=LANGUAGES)])],
        intent=[IntentProgram(**told, models=[IntentModel(**told, languages=LANGUAGES)])],
    )


async def serve_wyoming(uri: str, home: VoiceHome) -> None:
    """Serve at `uri` (`tcp://HOST:PORT`, `unix://PATH`, `stdio://`) until cancelled or SIGTERM. Raises `DataError`."""
    try:
        server = AsyncServer.from_uri(uri)
    except ValueError as error:
        raise DataError(f"{uri}: {error}") from error
    try:
        await server.run(partial(_WyomingConnection, home))
    except OSError as error:  # taken, not ours, no such host or folder
        raise DataError(f"{uri}: {error.strerror}") from error
