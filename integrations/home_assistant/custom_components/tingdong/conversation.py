"""The conversation agent: Assist's sentence and the exposed entities to the service, its instructs to services."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from . import TingDongEntry
from .client import TingDongRefused, TingDongUnreachable
from .deferral import Deferral
from .household import Household, async_household

_LOGGER = logging.getLogger(__name__)
_CANNOT_WAIT = "重复的和带条件的请求，这里还做不到。"
_UNREACHABLE = "听懂服务没有应答。"
_FAILED = "没有全部做到：{}"


async def async_setup_entry(
    hass: HomeAssistant, entry: TingDongEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the agent."""
    async_add_entities([TingDongConversation(entry)])


class TingDongConversation(conversation.ConversationEntity):
    """One agent a service; a conversation of Assist is a page of the service."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    def __init__(self, entry: TingDongEntry) -> None:
        self._client = entry.runtime_data
        self._attr_unique_id = entry.entry_id
        self._attr_name = entry.title
        self._deferral: Deferral | None = None

    @property
    def supported_languages(self) -> list[str]:
        """Chinese, as written in the mainland, Taiwan and Hong Kong."""
        return ["zh", "zh-CN", "zh-Hans", "zh-Hant", "zh-HK", "zh-TW"]

    async def async_added_to_hass(self) -> None:
        """Timers live as long as the agent."""
        await super().async_added_to_hass()
        self._deferral = Deferral(self.hass)
        self.async_on_remove(self._deferral.cancel_all)

    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        household = await async_household(self.hass)
        page_id = chat_log.conversation_id
        turn = {
            "rid": str(uuid4()),
            "page_id": page_id,
            "question": user_input.text,
            "local": household.room_of_device(user_input.device_id),
            "instruct": True,
            "home": household.home,
            "now": dt_util.now().isoformat(),
        }
        response = intent.IntentResponse(language=user_input.language)
        asks = False
        try:
            active = await self._client.async_understand(turn)
        except (TingDongUnreachable, TingDongRefused) as error:
            _LOGGER.warning("the service could not be asked: %s", error)
            response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, _UNREACHABLE)
        else:
            asks = active["intent"]["type"] == "question"
            await self._async_answer(response, active, household, user_input.context)
        said = response.speech["plain"]["speech"]
        chat_log.async_add_assistant_content_without_tools(
            conversation.AssistantContent(agent_id=user_input.agent_id, content=said)
        )
        return conversation.ConversationResult(response, conversation_id=page_id, continue_conversation=asks)

    async def _async_answer(
        self, response: intent.IntentResponse, active: Mapping[str, Any], household: Household, context: Context
    ) -> None:
        kind, text = active["intent"]["type"], active["intent"]["result"]
        if kind == "none":
            response.async_set_error(intent.IntentResponseErrorCode.NO_INTENT_MATCH, text)
            return
        failed = await self._async_obey([*active["instructs"], *active.get("scheduled", ())], household, context)
        if failed:
            response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, _FAILED.format("；".join(failed)))
            return
        if kind != "instruct":
            response.response_type = intent.IntentResponseType.QUERY_ANSWER
        response.async_set_speech(text)

    async def _async_obey(
        self, instructs: Sequence[Mapping[str, Any]], household: Household, context: Context
    ) -> list[str]:
        """Carries out, puts off or takes back; gives what could not be done. One failure stops nothing else."""

        async def carry_out(instruct: Mapping[str, Any]) -> None:
            await household.async_carry_out(instruct, context)

        assert self._deferral is not None
        failed = []
        for instruct in instructs:
            if instruct.get("cancel"):
                self._deferral.cancel(str(instruct["cancel"]))
            elif instruct.get("when"):
                if not self._deferral.put_off(instruct, carry_out):
                    failed.append(_CANNOT_WAIT)
            else:
                try:
                    await carry_out(instruct)
                except (HomeAssistantError, KeyError, ValueError) as error:
                    _LOGGER.warning("%s: %s", instruct["id"], error)
                    failed.append(str(instruct.get("summary") or instruct["id"]))
        return list(dict.fromkeys(failed))
