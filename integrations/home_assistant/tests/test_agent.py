"""The agent inside a real Home Assistant: real services, real states, a real service behind it."""

from datetime import timedelta
from typing import Any

import pytest
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import SOURCE_USER, ConfigEntryState
from homeassistant.core import Context, HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry, intent
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from .conftest import TOKEN, free_port

pytestmark = pytest.mark.usefixtures("enable_custom_integrations", "socket_enabled")
LIGHTS = ("light.ceiling_lights", "light.bed_light", "light.kitchen_lights")


@pytest.fixture
async def agent(home: HomeAssistant, service: str) -> str:
    """The agent, set up; gives its entity id."""
    entry = MockConfigEntry(domain="tingdong", title="听懂", data={"url": service, "token": TOKEN})
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    (found,) = entity_registry.async_entries_for_config_entry(entity_registry.async_get(home), entry.entry_id)
    return found.entity_id


async def _say(
    home: HomeAssistant, agent: str, text: str, conversation_id: str | None = None
) -> conversation.ConversationResult:
    result = await conversation.async_converse(home, text, conversation_id, Context(), "zh-Hans", agent)
    await home.async_block_till_done()
    return result


def _speech(result: conversation.ConversationResult) -> str:
    return str(result.response.speech["plain"]["speech"])


def _states(home: HomeAssistant, *entity_ids: str) -> list[Any]:
    return [home.states.get(entity_id).state for entity_id in entity_ids]


async def test_several_requests_in_one_sentence(home: HomeAssistant, agent: str) -> None:
    """One sentence, three services: a lamp in another room, a temperature, a curtain half open."""
    await _say(home, agent, "所有的灯都关掉")
    assert _states(home, *LIGHTS) == ["off", "off", "off"]
    result = await _say(home, agent, "打开卧室的灯，客厅空调调到24度，窗帘打开一半")
    assert result.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert _states(home, *LIGHTS) == ["off", "on", "off"]
    assert home.states.get("climate.hvac").attributes["temperature"] == 24
    for _ in range(10):  # the demo curtain moves ten percent a second
        async_fire_time_changed(home, dt_util.utcnow() + timedelta(seconds=2))
        await home.async_block_till_done()
    assert home.states.get("cover.living_room_window").attributes["current_position"] == 50


async def test_an_exclusion_that_assist_itself_cannot_do(home: HomeAssistant, agent: str) -> None:
    """除了厨房: everything else is switched, the kitchen stays; Home Assistant's own agent leaves all as it is."""
    await _say(home, agent, "打开所有的灯")
    sentence = "除了厨房的灯都关掉"
    own = await _say(home, conversation.HOME_ASSISTANT_AGENT, sentence)
    assert own.response.response_type is intent.IntentResponseType.ERROR
    assert _states(home, *LIGHTS) == ["on", "on", "on"]
    result = await _say(home, agent, sentence)
    assert result.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert _states(home, *LIGHTS) == ["off", "off", "on"]


async def test_a_conversation_is_remembered(home: HomeAssistant, agent: str) -> None:
    """Assist's conversation id is the page: 关了 means what was asked about, and the answer is true to the state."""
    await _say(home, agent, "打开所有的灯")
    asked = await _say(home, agent, "厨房灯是开的吗")
    assert asked.response.response_type is intent.IntentResponseType.QUERY_ANSWER
    assert _speech(asked).startswith("是的")
    await _say(home, agent, "关了", asked.conversation_id)
    assert _states(home, *LIGHTS) == ["on", "on", "off"]


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("车库门关了没", ["车库门关着"]),
        ("哪里漏水了", ["地下室", "漏水"]),
        ("院子里有人吗", ["院子有人"]),
        ("卧室几度", ["15.6"]),
        ("卧室湿度多少", ["54"]),
        ("二氧化碳高不高", ["54"]),
        ("现在功率多少", ["100"]),
    ],
)
async def test_what_the_sensors_say_is_answered(home: HomeAssistant, agent: str, said: str, facts: list[str]) -> None:
    """Binary sensors, covers and sensors are asked for as people ask, and answered by their state."""
    asked = await _say(home, agent, said)
    assert asked.response.response_type is intent.IntentResponseType.QUERY_ANSWER
    assert all(fact in _speech(asked) for fact in facts), _speech(asked)


async def test_a_question_is_asked_back_and_its_answer_taken(home: HomeAssistant, agent: str) -> None:
    """The garage door needs a confirming turn: Assist listens on, and only 好的 opens."""
    asked = await _say(home, agent, "打开车库门")
    assert asked.continue_conversation
    assert _states(home, "cover.garage_door") == ["closed"]
    await _say(home, agent, "好的", asked.conversation_id)
    assert _states(home, "cover.garage_door")[0] in ("opening", "open")


async def test_what_is_not_exposed_is_never_switched(home: HomeAssistant, agent: str) -> None:
    """The user's choice of what Assist may touch holds for the agent too."""
    await _say(home, agent, "打开所有的灯")
    async_expose_entity(home, conversation.DOMAIN, "light.bed_light", False)
    await _say(home, agent, "关掉所有的灯")
    assert _states(home, *LIGHTS) == ["off", "on", "off"]


async def test_a_delay_is_waited_for_and_can_be_taken_back(home: HomeAssistant, agent: str) -> None:
    """十分钟后: nothing now, then the service call; 取消 takes it back; what repeats is refused, not promised."""
    await _say(home, agent, "打开所有的灯")
    said = await _say(home, agent, "十分钟后关掉厨房的灯")
    assert said.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert _states(home, *LIGHTS) == ["on", "on", "on"]
    async_fire_time_changed(home, dt_util.utcnow() + timedelta(minutes=11))
    await home.async_block_till_done()
    assert _states(home, *LIGHTS) == ["on", "on", "off"]
    later = await _say(home, agent, "半小时后关掉卧室的灯")
    await _say(home, agent, "取消定时", later.conversation_id)
    async_fire_time_changed(home, dt_util.utcnow() + timedelta(minutes=45))
    await home.async_block_till_done()
    assert _states(home, "light.bed_light") == ["on"]
    daily = await _say(home, agent, "每天晚上十点关掉卧室的灯")
    assert daily.response.response_type is intent.IntentResponseType.ERROR


async def test_what_is_not_for_us_and_a_failing_device(home: HomeAssistant, agent: str) -> None:
    """小爱，开灯 switches nothing; a service that fails is said, and does not stop the rest."""
    await _say(home, agent, "关掉所有的灯")
    assert (await _say(home, agent, "小爱，开灯")).response.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH
    assert _states(home, *LIGHTS) == ["off", "off", "off"]
    home.services.async_remove("cover", "set_cover_position")
    said = await _say(home, agent, "打开窗帘，打开厨房灯")
    assert said.response.response_type is intent.IntentResponseType.ERROR
    assert "窗帘" in _speech(said)
    assert _states(home, "light.kitchen_lights") == ["on"]


async def test_setting_up_asks_the_service(hass: HomeAssistant, service: str) -> None:
    """The form refuses a wrong token and an address where nobody answers, and takes the right one once."""
    assert await async_setup_component(hass, "homeassistant", {})
    flow = await hass.config_entries.flow.async_init("tingdong", context={"source": SOURCE_USER})
    tries = [
        ({"url": service, "token": "wrong"}, {"base": "invalid_auth"}),
        ({"url": f"http://127.0.0.1:{free_port()}"}, {"base": "cannot_connect"}),
    ]
    for given, errors in tries:
        flow = await hass.config_entries.flow.async_configure(flow["flow_id"], given)
        assert flow["errors"] == errors
    given = {"url": service, "token": TOKEN}
    done = await hass.config_entries.flow.async_configure(flow["flow_id"], given)
    assert done["type"] is FlowResultType.CREATE_ENTRY
    again = await hass.config_entries.flow.async_init("tingdong", context={"source": SOURCE_USER}, data=given)
    assert again["reason"] == "already_configured"
    await hass.async_block_till_done()


async def test_a_service_that_is_away_is_tried_again(hass: HomeAssistant) -> None:
    """Home Assistant retries the set-up while the service does not answer."""
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry(domain="tingdong", data={"url": f"http://127.0.0.1:{free_port()}"})
    entry.add_to_hass(hass)
    assert not await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.SETUP_RETRY
