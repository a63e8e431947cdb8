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


@pytest.mark.parametrize("text", ["日落色", "灯调成日落色"])
def test_a_colour_of_that_name_stays_a_colour(text: str) -> None:
    """日落 is a colour too, where no time is meant."""
    turn = Home.load(HOMES / "flat25.json", local="客厅").say(text)
    assert "触发条件" not in turn.text


@pytest.mark.parametrize(
    "text", ["Turn on the light in the living room", "what can you do for me", "Please close the curtains, thanks"]
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
