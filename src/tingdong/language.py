"""Joins the settings of a language model to what uses it: client, guard, tiers, rollout (docs/llm.md).

Part of the composition root, apart because it is optional: without `llm` settings none of it is imported.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec

from tingdong.answering.answerer import Answerer
from tingdong.commands.codec import CommandConsumer
from tingdong.commands.llm_parser import LLMParser
from tingdong.commands.reading import NameTable, Reading
from tingdong.consult import Consultation
from tingdong.desk_turn import DeskLanguage
from tingdong.front_desk.llm_reader import LLMTurnReader, TurnJudgement
from tingdong.llm import Budget, ChatModel, ConstraintKind, GuardedModel, Observer, ReleasePath, Rollout, TierChain
from tingdong.llm.hedge import HedgedModel
from tingdong.llm.openai_model import ModelOptions, OpenAIChatModel, preload

if TYPE_CHECKING:
    from tingdong.service.telemetry import Telemetry
    from tingdong.settings import LlmSettings

__all__ = ["Language", "open_language", "open_model", "preload"]

ReadWords = Callable[[str, NameTable | None], Reading]


class Language(msgspec.Struct, frozen=True):
    """The configured models, as both dialogues use them; `close` closes their connections."""

    home: Consultation
    hospital: DeskLanguage | None
    close: Callable[[], Awaitable[None]]

    def reroute(self, settings: "LlmSettings") -> None:
        """Takes the paths of other settings from the next turn on."""
        self.home.chain.rollout = _rollout(settings)
        if self.hospital is not None:
            self.hospital.chain.rollout = _rollout(settings)


def _rollout(settings: "LlmSettings") -> Rollout:
    tenants = {name: ReleasePath(path) for name, path in settings.tenants.items()}
    return Rollout(ReleasePath(settings.path), tenants)


def open_model(settings: "LlmSettings") -> OpenAIChatModel:
    """The client that the settings describe. Opens no connection yet."""
    return OpenAIChatModel(
        ModelOptions(
            base_url=settings.base_url,
            model=settings.model,
            api_key=settings.api_key.get_secret_value(),
            extra_body=settings.extra_body,
            constraint=ConstraintKind(settings.constraint) if settings.constraint else None,
            stream=settings.stream,
        )
    )


def open_language(settings: "LlmSettings", read: ReadWords, telemetry: "Telemetry | None" = None) -> Language:
    """The models of these settings, watched by `telemetry`; `read` is the local parser."""
    client = open_model(settings)
    model: ChatModel = client
    if settings.hedge_seconds is not None:
        model = HedgedModel(client, after_s=settings.hedge_seconds)
    guarded = GuardedModel(model, first_token_s=settings.first_token_seconds)
    rollout = _rollout(settings)
    watch = _Watching(telemetry)

    def budget() -> Budget:
        return Budget(settings.timeout_seconds, settings.turn_tokens)

    chain = TierChain[Reading](budget, rollout=rollout, told=watch.tier, watch=watch.commands, may_lead=True)
    answerer = None
    if settings.answers:
        answerer = Answerer(guarded, lambda text: read(text, None), observe=watch.exchange)
    hospital = None
    if settings.hospital:
        turns = TierChain[TurnJudgement](budget, rollout=rollout, told=watch.tier, watch=watch.turns)
        hospital = DeskLanguage(turns, LLMTurnReader(guarded, observe=watch.exchange))
    consumer = CommandConsumer(first_only=settings.first_only, legacy=settings.legacy)
    home = Consultation(chain, [LLMParser(guarded, consumer=consumer, observe=watch.exchange)], answerer=answerer)

    async def close() -> None:
        await home.close()
        if hospital is not None:
            await hospital.close()
        await client.aclose()

    return Language(home, hospital, close)


class _Watching:
    """The hooks of a process's telemetry; without one nobody watches."""

    def __init__(self, telemetry: "Telemetry | None") -> None:
        self.exchange: Observer | None = None
        self.tier: Any = None
        self.commands: Any = None
        self.turns: Any = None
        if telemetry is not None:
            from tingdong.service.model_watch import ModelWatch, commands_of, segments_of

            watch = ModelWatch(telemetry)
            self.exchange, self.tier = watch.exchange, watch.tier
            self.commands = watch.shadow("commands", commands_of, lambda reading: not reading.commands)
            self.turns = watch.shadow("hospital", segments_of, lambda judged: not segments_of(judged))
