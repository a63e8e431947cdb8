"""The composition root: settings → tiers, store, use case, desks → service (architecture, Ways of building).

Only this module knows concrete classes. Heavy parts are imported by the function that needs them, so that `tingdong
parse` starts fast.
"""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tingdong.errors import DataError

if TYPE_CHECKING:
    from tingdong.desk_turn import DeskTurns
    from tingdong.front_desk.desk import Desk
    from tingdong.home_turn import Understander
    from tingdong.language import Language
    from tingdong.reader import SentenceReader
    from tingdong.service.access import Access
    from tingdong.service.app import Application
    from tingdong.service.handlers import HomeHandler
    from tingdong.service.hospital import HospitalHandler
    from tingdong.service.http import Api
    from tingdong.service.metrics import Metrics
    from tingdong.service.stream import StreamEndpoint
    from tingdong.service.telemetry import Telemetry
    from tingdong.service.turns import DeskTopic, TurnService
    from tingdong.settings import LlmSettings, PageSettings, Settings
    from tingdong.workshop import Workshop

__all__ = ["Runtime", "build", "create_service", "embedded", "hospital_desk", "serve"]

SWITCH_SECONDS = 0.0005
"""How long the workshop's thread may keep the loop waiting for the interpreter."""


class Runtime(msgspec.Struct, frozen=True):
    """The joined parts. `check` raises `BackendError` when turns cannot be served; `close` ends what was opened.

    `language` is None where no model is configured.
    """

    understander: Any  # Understander
    parser: Any  # LocalParser
    homes: Any  # HomeStore
    check: Callable[[], Awaitable[None]]
    close: Callable[[], Awaitable[None]]
    language: Any = None  # tingdong.language.Language


def hospital_desk(directory: Path | None = None, domain: Path | None = None, *, legacy: bool = False) -> "Desk":
    """A desk on the embedded reader; without paths the domain and the demo hospital of the package. A domain of your
    own has an empty directory if none is given.

    Raises `DataError` for a file that is broken.
    """
    from tingdong.front_desk.advance import DeskOptions
    from tingdong.front_desk.desk import DEMO_DIRECTORY, Desk
    from tingdong.front_desk.domain import DEFAULT_DOMAIN

    return Desk(
        domain=domain or DEFAULT_DOMAIN,
        directory=directory or (DEMO_DIRECTORY if domain is None else None),
        options=DeskOptions(legacy=legacy),
    )


def embedded() -> "Understander":
    """A use case of its own: embedded parser, pages in memory, no settings read, no network."""
    from tingdong.home_turn import Understander
    from tingdong.stores import MemoryPageStore

    return Understander(MemoryPageStore())


def take_words(folder: "Path | None") -> int:
    """Loads the own words (docs/own-words.md) and returns their number. Raises `DataError`."""
    if folder is None:
        return 0
    from context_retrieval.lexicon import use_words
    from context_retrieval.own_words import OwnWordsError, in_force
    from tingdong.home.wish_table import wish_table

    try:
        use_words(folder)
        wish_table()
    except OwnWordsError as error:
        raise DataError(f"words: {error}", path="words") from error
    return len(in_force())


def build(settings: "Settings", telemetry: "Telemetry | None" = None, workshop: "Workshop | None" = None) -> Runtime:
    """The use case that these settings describe, watched by `telemetry`. Opens no connection yet."""
    from tingdong.home.cache import HomeStore
    from tingdong.home_turn import HomeOptions, Understander
    from tingdong.reader import sentence_reader
    from tingdong.stores.codec import HOME_PAGES
    from tingdong.stores.table import open_store

    parser = sentence_reader()
    metrics = telemetry.metrics if telemetry is not None else None
    store = open_store(settings.pages, HOME_PAGES)
    language = _language(settings.llm, parser, telemetry)
    homes = HomeStore(settings.pages.homes_bytes)
    options = HomeOptions(
        wake_words=tuple(settings.wake_words), zone=settings.time_zone, timed=settings.when_mode == "when"
    )
    understander = Understander(
        _watched(store, metrics),
        **_remembering(parser, metrics),
        language=language.home if language is not None else None,
        options=options,
        homes=homes,
        workshop=workshop,
    )

    async def close() -> None:
        await store.close()
        if language is not None:
            await language.close()

    return Runtime(understander, parser, homes, store.check, close, language)


def _remembering(parser: "SentenceReader", metrics: "Metrics | None") -> dict[str, Any]:
    if metrics is None:
        return {"local": parser}
    from tingdong.service.remembered import Remembered, RememberingReader

    kept = Remembered()
    return {"local": RememberingReader(parser, kept), "kept": kept}


def _watched(store: Any, metrics: "Metrics | None") -> Any:
    if metrics is None:
        return store
    from tingdong.service.watched import WatchedStore

    return WatchedStore(store, metrics)


def _conversations(pages: "PageSettings") -> Any:
    from tingdong.stores.conversations import CONVERSATIONS
    from tingdong.stores.table import open_store

    return open_store(pages, CONVERSATIONS)


def _language(
    settings: "LlmSettings | None", parser: "SentenceReader", telemetry: "Telemetry | None"
) -> "Language | None":
    if settings is None:
        return None
    from tingdong.language import open_language

    return open_language(settings, parser.read, telemetry)


def create_service(
    settings: "Settings", reread: "Callable[[], Settings] | None" = None, *, host: str | None = None
) -> "tuple[Application, Telemetry]":
    """The ASGI application of these settings and its telemetry. `host` is the address it listens on, None if
    another server listens and restricts access without a token.

    `reread` gives the settings at a reload: admission, the language model's path by tenant, and the hospital's files.
    """
    from importlib.metadata import version

    from tingdong.doors import listening_rules
    from tingdong.service.access import Access
    from tingdong.service.app import HOME_STREAM, Parts, create_app
    from tingdong.service.hospital import HOSPITAL_STREAM, hospital_endpoints
    from tingdong.service.telemetry import Telemetry
    from tingdong.service.turns import TurnService
    from tingdong.workshop import Workshop

    take_words(settings.words)
    telemetry = Telemetry(**settings.log.model_dump())
    workshop = Workshop()
    runtime = build(settings, telemetry, workshop)
    turns = TurnService(telemetry, settings.limits.turn_seconds)
    access = Access(listening_rules(settings, host))
    home, api = _home(settings, runtime, access, turns, workshop)
    hospital, desk_turns, close_hospital = _hospital(settings, telemetry.metrics, runtime.language, workshop)

    async def close() -> None:
        await runtime.close()
        await close_hospital()
        workshop.close()

    parts = Parts(
        {
            HOME_STREAM: _stream(home, settings, access, turns),
            HOSPITAL_STREAM: _stream(hospital, settings, access, turns),
        },
        api,
        telemetry,
        access,
        runtime.check,
        close,
        version=version("tingdong"),
        endpoints=hospital_endpoints(api, hospital, desk_turns),
        reload=_reloader(reread, host, access, desk_turns, runtime.language),
    )
    return create_app(parts), telemetry


def _reloader(
    reread: "Callable[[], Settings] | None",
    host: str | None,
    access: "Access",
    desk_turns: "DeskTurns",
    language: "Language | None",
) -> Callable[[], None]:
    """Re-reads what can change at run time: everything, or nothing if anything is broken."""

    from tingdong.doors import listening_rules

    def reload() -> None:
        fresh = reread() if reread is not None else None
        rules = listening_rules(fresh, host) if fresh is not None else access.rules
        desk_turns.desk.reload()
        access.rules = rules
        if fresh is not None and fresh.llm is not None and language is not None:
            language.reroute(fresh.llm)

    return reload


def _stream(desk: "DeskTopic", settings: "Settings", access: "Access", turns: "TurnService") -> "StreamEndpoint":
    from tingdong.service.session import ConnectionLimits
    from tingdong.service.stream import StreamEndpoint

    bounds = settings.limits
    limits = ConnectionLimits(frame_bytes=bounds.frame_bytes, in_flight=bounds.in_flight)
    return StreamEndpoint([desk], access=access, limits=limits, turns=turns)


def _home(
    settings: "Settings", runtime: Runtime, access: "Access", turns: "TurnService", workshop: "Workshop"
) -> "tuple[HomeHandler, Api]":
    from zoneinfo import ZoneInfo

    from tingdong.service.handlers import HomeHandler
    from tingdong.service.http import Api
    from tingdong.service.retrieval import HomeRetriever

    home = HomeHandler(
        runtime.understander,
        question_chars=settings.limits.question_chars,
        zone=ZoneInfo(settings.time_zone),
        here=settings.pages.url is None and settings.llm is None,
    )
    retriever, language = HomeRetriever(runtime.parser, runtime.homes), runtime.language

    async def consult(request: Any, tenant: str) -> Any:
        return await retriever.consulted(request, language.home.read, tenant=tenant)

    api = Api(
        home,
        reader=runtime.parser,
        retrieve=retriever,
        consult=None if language is None else consult,
        access=access,
        turns=turns,
        workshop=workshop,
        body_bytes=settings.limits.frame_bytes,
    )
    return home, api


def _hospital(
    settings: "Settings", metrics: "Metrics", language: "Language | None", workshop: "Workshop"
) -> "tuple[HospitalHandler, DeskTurns, Callable[[], Awaitable[None]]]":
    from zoneinfo import ZoneInfo

    from tingdong.desk_turn import DeskTurns
    from tingdong.service.hospital import HospitalHandler

    conversations = _conversations(settings.pages)
    desk = hospital_desk(settings.hospital_directory, settings.hospital_domain, legacy=settings.hospital_legacy)
    model = language.hospital if language is not None else None
    desk_turns = DeskTurns(_watched(conversations, metrics), desk, model, workshop=workshop)
    zone = ZoneInfo(settings.time_zone)
    handler = HospitalHandler(
        desk_turns,
        question_chars=settings.limits.question_chars,
        zone=zone,
        here=settings.pages.url is None,
    )
    return handler, desk_turns, conversations.close


def serve(
    host: str = "127.0.0.1",
    port: int = 8765,
    settings_file: Path | None = None,
    *,
    on_listening: Callable[[str, int], None] | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT. `port` 0 takes a free one; `on_listening` is told host and port.

    Raises `DataError` for settings that cannot be used, and for an address that cannot be listened on.
    """
    from tingdong.service.rates import Rate
    from tingdong.service.server import Bounds, DrainingServer, check_address, server_config
    from tingdong.settings import load_settings

    sys.setswitchinterval(SWITCH_SECONDS)
    settings = load_settings(settings_file)
    app, telemetry = create_service(settings, lambda: load_settings(settings_file), host=host)
    check_address(host, port)
    bounds = settings.limits
    config = server_config(
        app,
        Bounds(
            message_bytes=bounds.message_bytes,
            ping_seconds=bounds.ping_seconds,
            pong_seconds=bounds.pong_seconds,
            request_seconds=bounds.handshake_seconds,
            requests=bounds.http_connections,
            frames=Rate(bounds.frame_rate, 2 * bounds.frame_rate),
        ),
    )
    config.host, config.port = host, port
    server = DrainingServer(
        config, app, telemetry=telemetry, drain_seconds=bounds.drain_seconds, on_listening=on_listening
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner, contextlib.suppress(KeyboardInterrupt):
        runner.run(_warm_up(with_model=settings.llm is not None))
        runner.run(server.serve())


async def _warm_up(*, with_model: bool = False) -> None:
    """Runs one turn before the first request, so that data are loaded and compiled."""
    import gc

    from tingdong.home_turn import TurnRequest

    if with_model:
        from tingdong.language import preload

        preload()

    switch = {"name": "switch", "describe": "开关", "property": {"power": {"type": "bool", "range": [True, False]}}}
    lamp = {"id": "1", "name": "照明灯", "local": "客厅", "device": {"model": "1", "state": {"power": True}}}
    home = msgspec.json.encode({"layout": ["客厅"], "model": {"1": switch}, "devices": [lamp]})
    await embedded().turn(TurnRequest(rid="1", page_id="1", question="十分钟后关掉客厅的灯", home=home))
    gc.collect()
    gc.freeze()
