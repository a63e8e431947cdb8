"""Conditions that are not numbers: set for later where the wire can say them, else told; never done now (law 2)."""

from pathlib import Path
from typing import Any

import pytest

from tingdong.api.homes import Home

HOMES = Path(__file__).parents[1] / "corpus" / "homes"
EVENTS = [
    "如果有人经过客厅就",
    "检测到有人就",
    "没人的时候",
    "日落时",
    "日落后",
    "日出的时候",
    "天黑了就",
    "太阳下山就",
    "下雨就",
    "我回家的时候",
    "客厅没人了就",
    "人都走了就",
    "门铃响了就",
    "有动静就",
]
REQUESTS = ["打开客厅的灯", "开灯", "关掉电视", "关灯"]


@pytest.fixture
def home() -> Any:
    return Home.load(HOMES / "flat25.json", local="客厅")


@pytest.mark.parametrize("request_", REQUESTS)
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_that_cannot_be_watched_is_told(home: Any, event: str, request_: str) -> None:
    """Nothing is switched now, nothing is scheduled, and the reply says that the trigger cannot be set here."""
    turn = home.say(f"{event}{request_}")
    assert (turn.kind, list(turn.instructs), list(turn.scheduled)) == ("answer", [], [])
    assert "触发条件" in turn.text


@pytest.mark.parametrize("text", ["温度计触发就开灯", "温度计触发了就打开电视"])
def test_a_sensor_that_goes_off_is_an_event(home: Any, text: str) -> None:
    """触发就 is waited for, and runs nothing now (law 2)."""
    turn = home.say(text)
    assert (turn.kind, list(turn.instructs), list(turn.scheduled)) == ("answer", [], [])


@pytest.mark.parametrize("text", ["门一打开就开灯", "门打开的时候开灯"])
def test_the_state_of_a_thing_is_a_condition(home: Any, text: str) -> None:
    """What the wire can say goes out as `when`, for the client or an automation."""
    turn = home.say(text)
    assert list(turn.instructs) == []
    assert {one.when for one in turn.scheduled} == {"门=打开"}


SENSED = [
    ("如果有人经过客厅就开灯", {"ceiling": True}, "客厅有人=是", "客厅有人时"),
    ("走廊有人就开灯", {"hall": True}, "走廊有人=是", "走廊有人时"),
    ("没人的时候关空调", {"ac": False}, "客厅有人=否", "客厅没人时"),
    ("有人走进走廊就打开客厅的灯", {"ceiling": True}, "走廊有人=是", "走廊有人时"),
    ("检测到漏水就打开走廊灯", {"hall": True}, "卫生间漏水=是", "卫生间漏水时"),
]


@pytest.fixture
def sensing() -> Any:
    """A home whose sensors see who comes by, and water."""
    switch = {"power": {"type": "bool"}}
    model = {
        "lamp": {"name": "lamp", "describe": "灯", "property": switch},
        "ac": {"name": "ac", "describe": "空调", "property": switch},
        "pir": {
            "name": "motion",
            "describe": "人体传感器",
            "property": {"motion": {"type": "bool", "describe": "有人"}},
        },
        "wet": {"name": "leak", "describe": "水浸", "property": {"water_leak": {"type": "bool", "describe": "漏水"}}},
    }
    rows = [
        ("ceiling", "吊灯", "客厅", "lamp"),
        ("hall", "走廊灯", "走廊", "lamp"),
        ("ac", "空调", "客厅", "ac"),
        ("pir1", "人体传感器", "客厅", "pir"),
        ("pir2", "人体传感器", "走廊", "pir"),
        ("wet", "水浸传感器", "卫生间", "wet"),
    ]
    devices = [
        {
            "id": key,
            "name": name,
            "local": room,
            "device": {"model": kind, "state": dict.fromkeys(model[kind]["property"], False)},
        }
        for key, name, room, kind in rows
    ]
    return Home.load({"layout": ["客厅", "走廊", "卫生间"], "model": model, "devices": devices}, local="客厅")


@pytest.mark.parametrize(("text", "states", "when", "told"), SENSED)
def test_an_event_that_a_sensor_tells_is_a_condition(
    sensing: Any, text: str, states: Any, when: str, told: str
) -> None:
    """Where the home senses it, it goes out as `when`, and the reply says it in words (service.md, Timed)."""
    turn = sensing.say(text)
    assert list(turn.instructs) == []
    assert {one.id: one.state["power"] for one in turn.scheduled} == states
    assert {one.when for one in turn.scheduled} == {when}
    assert told in turn.text


def test_an_event_of_a_room_without_a_sensor_is_asked_about(sensing: Any) -> None:
    """The rooms that have one are offered, and the answer sets it."""
    asked = sensing.say("卫生间没人就关走廊灯")
    assert (asked.kind, list(asked.scheduled)) == ("question", [])
    assert {one.when for one in sensing.say("客厅").scheduled} == {"客厅有人=否"}


@pytest.mark.parametrize("text", ["客厅没人了，把灯关了", "走廊有人吗", "没人的时候灯开着吗"])
def test_statements_and_questions_schedule_nothing(sensing: Any, text: str) -> None:
    """Without a 就, 的话 or 的时候 it is no condition, and a question sets nothing."""
    assert list(sensing.say(text).scheduled) == []


@pytest.mark.parametrize("text", ["我到家就开空调", "我回来了就开灯"])
def test_coming_home_in_a_condition_is_no_wish_for_now(home: Any, text: str) -> None:
    """What waits for somebody to come home switches nothing on before (law 2)."""
    turn = home.say(text)
    assert (list(turn.instructs), list(turn.scheduled)) == ([], [])
    assert "触发条件" in turn.text


@pytest.mark.parametrize("text", ["日落色", "灯调成日落色"])
def test_a_colour_of_that_name_stays_a_colour(text: str) -> None:
    """日落 is a colour too, where no time is meant."""
    turn = Home.load(HOMES / "flat25.json", local="客厅").say(text)
    assert "触发条件" not in turn.text


@pytest.mark.parametrize(
    "text",
    [
        "Turn on the light in the living room",
        "what can you do for me",
        "Please close the curtains, thanks",
        "Hello!",
        "hi",
        "Good morning",
        "Bye",
    ],
)
def test_an_english_sentence_gets_one_english_sentence(home: Any, text: str) -> None:
    """It says what is understood here; nothing is done."""
    turn = home.say(text)
    assert (turn.kind, list(turn.instructs)) == ("answer", [])
    assert turn.text.startswith("I understand")
    assert turn.text.count(". ") == 0


@pytest.mark.parametrize("text", ["打开TV", "OK", "把HDMI打开一下"])
def test_an_english_word_is_no_english_sentence(home: Any, text: str) -> None:
    """A brand, a name or an OK in a Chinese dialogue is read as ever."""
    assert not home.say(text).text.startswith("I understand")
