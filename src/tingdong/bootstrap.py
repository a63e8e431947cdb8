"""The one composition root: settings → tiers, store, use case, desks → service (architecture, Ways of building).

Nobody else knows concrete things. Heavy parts are imported by the function that needs them, so that `tingdong parse`
starts at once.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tingdong.commands.reading import NameTable, Reading
from tingdong.errors import DataError

if TYPE_CHECKING:
    from tingdong.commands import LocalParser
    from tingdong.commands.llm_parser import LLMParser
    from tingdong.dialogue.desk import Desk
    from tingdong.service.app import Application
    from tingdong.service.telemetry import Telemetry
    from tingdong.settings import LlmSettings, PageSettings, Settings
    from tingdong.understand import AsyncReader, Understander

__all__ = ["Runtime", "build", "create_service", "embedded", "hospital_desk", "serve"]


class Runtime(msgspec.Struct, frozen=True):
    """The joined parts. `check` raises `BackendError` when turns cannot be served; `close` ends what was opened."""

    understander: Any  # Understander
    parser: Any  # LocalParser
    check: Callable[[], Awaitable[None]]
    close: Callable[[], Awaitable[None]]


def hospital_desk(directory: Path | None = None, domain: Path | None = None, *, legacy: bool = False) -> "Desk":
    """A hospital desk on the embedded reader; without paths the domain and the demo hospital of the package.

    Raises `DataError` for a file that is broken.
    """
    from tingdong.dialogue.advance import Options
    from tingdong.dialogue.desk import DEMO_DIRECTORY, Desk
    from tingdong.dialogue.domain import DEFAULT_DOMAIN
    from tingdong.dialogue.read import Reader

    return Desk(
        Reader,
        domain=domain or DEFAULT_DOMAIN,
        directory=directory or DEMO_DIRECTORY,
        options=Options(legacy=legacy),
    )


def embedded() -> "Understander":
    """A use case of its own: embedded parser, pages in memory, no settings read, no network."""
    from tingdong.stores import MemoryPageStore
    from tingdong.understand import Understander

    return Understander(MemoryPageStore())


def build(settings: "Settings") -> Runtime:
    """The use case that these settings describe. Opens no connection yet."""
    from tingdong.commands import LocalParser
    from tingdong.understand import Options, Understander

    parser = LocalParser()
    store = _store(settings.pages)
    model, close_model = _model(settings.llm, parser)
    options = Options(
        wake_words=tuple(settings.wake_words), zone=settings.time_zone, timed=settings.when_mode == "when"
    )
    understander = Understander(store, local=parser, model=model, options=options)

    async def close() -> None:
        await store.close()
        await close_model()

    return Runtime(understander, parser, store.check, close)


def _store(pages: "PageSettings") -> Any:
    from tingdong.stores import MemoryPageStore

    if pages.store == "memory":
        return MemoryPageStore(capacity=pages.capacity, ttl_seconds=pages.ttl_seconds)
    try:
        from tingdong.stores.redis import RedisPageStore
    except ImportError as error:
        raise DataError("pages.store: a Redis store needs the extra: pip install 'tingdong[redis]'") from error
    return RedisPageStore(
        pages.store, prefix=pages.prefix, ttl_seconds=pages.ttl_seconds, timeout_seconds=pages.timeout_seconds
    )


def _conversations(pages: "PageSettings") -> Any:
    from tingdong.reception import CONVERSATION_VERSION, Conversation
    from tingdong.stores.memory import MemoryStore

    if pages.store == "memory":
        return MemoryStore[Conversation](capacity=pages.capacity, ttl_seconds=pages.ttl_seconds)
    from tingdong.stores.redis import Codec, RedisStore

    codec = Codec("hospital", CONVERSATION_VERSION, Conversation.encode, Conversation.decode)
    return RedisStore(
        pages.store, codec, prefix=pages.prefix, ttl_seconds=pages.ttl_seconds, timeout_seconds=pages.timeout_seconds
    )


async def _nothing() -> None:
    """There is nothing to close."""


def _model(
    settings: "LlmSettings | None", parser: "LocalParser"
) -> "tuple[AsyncReader | None, Callable[[], Awaitable[None]]]":
    if settings is None:
        return None, _nothing
    from tingdong.commands.llm_parser import LLMParser
    from tingdong.llm import GuardedModel
    from tingdong.llm.openai_model import ModelOptions, OpenAIChatModel

    key = settings.api_key.get_secret_value()
    model = OpenAIChatModel(ModelOptions(base_url=settings.base_url, model=settings.model, api_key=key))
    return _ModelTier(LLMParser(GuardedModel(model)), parser, settings.timeout_seconds), model.aclose


class _ModelTier:
    """The language model as the use case asks it: with the local reading as grounding and a budget for the turn."""

    def __init__(self, parser: "LLMParser", local: "LocalParser", seconds: float) -> None:
        self._parser = parser
        self._local = local
        self._seconds = seconds

    async def read(self, text: str, names: NameTable | None = None) -> Reading:
        from tingdong.llm import Budget

        return await self._parser.read(self._local.read(text, names), Budget(self._seconds), names)


def create_service(settings: "Settings") -> "tuple[Application, Telemetry]":
    """The ASGI application of these settings, and its telemetry."""
    from importlib.metadata import version
    from zoneinfo import ZoneInfo

    from tingdong.reception import Reception
    from tingdong.service.access import Access
    from tingdong.service.app import HOME_STREAM, Parts, create_app
    from tingdong.service.handlers import HomeHandler
    from tingdong.service.hospital import HOSPITAL_STREAM, HospitalHandler, hospital_routes
    from tingdong.service.http import Api
    from tingdong.service.retrieval import HomeRetriever
    from tingdong.service.session import Limits
    from tingdong.service.stream import StreamEndpoint
    from tingdong.service.telemetry import Telemetry

    runtime = build(settings)
    bounds = settings.limits
    telemetry = Telemetry(level=settings.log.level, utterances=settings.log.utterances)
    token = settings.bearer_token.get_secret_value() if settings.bearer_token else None
    access = Access(token=token, origins=settings.origins, connections=bounds.connections)
    home = HomeHandler(runtime.understander, question_chars=bounds.question_chars, zone=ZoneInfo(settings.time_zone))
    limits = Limits(frame_bytes=bounds.frame_bytes, in_flight=bounds.in_flight)
    stream = StreamEndpoint([home], access=access, limits=limits, telemetry=telemetry, turn_seconds=bounds.turn_seconds)
    api = Api(
        home,
        parse=runtime.parser.read,
        retrieve=HomeRetriever(runtime.parser),
        access=access,
        telemetry=telemetry,
        body_bytes=bounds.frame_bytes,
    )
    conversations = _conversations(settings.pages)
    desk = hospital_desk(settings.hospital_directory, settings.hospital_domain, legacy=settings.hospital_legacy)
    reception = Reception(conversations, desk)
    hospital = HospitalHandler(reception, question_chars=bounds.question_chars, zone=ZoneInfo(settings.time_zone))
    hospital_stream = StreamEndpoint(
        [hospital], access=access, limits=limits, telemetry=telemetry, turn_seconds=bounds.turn_seconds
    )

    async def close() -> None:
        await runtime.close()
        await conversations.close()

    parts = Parts(
        {HOME_STREAM: stream, HOSPITAL_STREAM: hospital_stream},
        api,
        telemetry,
        runtime.check,
        close,
        tuple(settings.origins),
        version("tingdong"),
        tuple(hospital_routes(api, hospital, reception)),
    )
    return create_app(parts), telemetry


def serve(
    host: str = "127.0.0.1",
    port: int = 8765,
    settings_file: Path | None = None,
    *,
    on_listening: Callable[[str, int], None] | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT. `port` 0 takes a free one; `on_listening` is told host and port.

    Raises `DataError` for settings that cannot be used.
    """
    from tingdong.service.server import DrainingServer, server_config
    from tingdong.settings import load_settings

    settings = load_settings(settings_file)
    app, telemetry = create_service(settings)
    bounds = settings.limits
    config = server_config(
        app, message_bytes=bounds.message_bytes, ping_seconds=bounds.ping_seconds, pong_seconds=bounds.pong_seconds
    )
    config.host, config.port = host, port
    server = DrainingServer(
        config, app, telemetry=telemetry, drain_seconds=bounds.drain_seconds, on_listening=on_listening
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner, contextlib.suppress(KeyboardInterrupt):
        runner.run(server.serve())
