"""What a new room, a range, an attribute or a question over rooms means (retrieval.md, Calls)."""

import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.ir_compiler import FakeLLM
from context_retrieval.models import Device, DeviceCommand, RetrievalResult
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM

ON_OFF = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
ROOMS = [str(number) for number in range(101, 106)]
HOME = Catalog.build(
    [
        *(Device(f"l{room}", "主灯", room, "light", ON_OFF) for room in ROOMS),
        *(Device(f"s{room}", "射灯", room, "light", ON_OFF) for room in ROOMS),
        *(Device(f"a{room}", "空调", room, "airconditioner", ON_OFF) for room in ROOMS[:3]),
        *(Device(f"d{room}", "门磁", room, "contact", (DeviceCommand("open", "查询开合"),)) for room in ROOMS),
        Device("p1", "人体传感器", "会议室", "motion", (DeviceCommand("m", "查询有人"),)),
        Device("tv", "长虹", "客厅", "television", (*ON_OFF, DeviceCommand("ch", "设置频道", "integer"))),
    ]
)


def talk(*turns: tuple[str, str]) -> RetrievalResult:
    """The result of the last of several sentences, each with the command that it is read as."""
    state, llm = ConversationState(), FakeLLM({text: [command] for text, command in turns})
    return [retrieve(text, HOME, llm, state) for text, _ in turns][-1]


def ids(result: RetrievalResult) -> set[str]:
    return {one.entity_id for one in result.candidates}


@pytest.mark.parametrize("room", ROOMS[1:])
@pytest.mark.parametrize(("first", "prefix"), [("打开-101-主灯#Light#one", "l"), ("打开-101-射灯#Light#one", "s")])
def test_a_new_room_replaces_the_carried_one(room: str, first: str, prefix: str) -> None:
    """The same thing in the room said, never the thing of the room before."""
    assert ids(talk(("甲", first), (f"{room}也开", f"打开-{room}-@last#Unknown#one"))) == {f"{prefix}{room}"}


def test_a_room_that_has_nothing_alike_says_so() -> None:
    """Law 1: a room that was said is never left."""
    result = talk(("甲", "打开-101-空调#AirConditioner#one"), ("105也开", "打开-105-@last#Unknown#one"))
    assert not result.candidates
    assert "“空调”" in (result.hint or "")


@pytest.mark.parametrize("room", ROOMS)
def test_a_new_thing_is_meant_in_the_carried_room(room: str) -> None:
    """射灯也开一下 after a room's main light is that room's; without 也 it is asked about."""
    first = ("甲", f"打开-{room}-主灯#Light#one")
    assert ids(talk(first, ("射灯也开一下", "打开-*-射灯#Light#one"))) == {f"s{room}"}
    assert len(ids(talk(first, ("射灯开一下", "打开-*-射灯#Light#one")))) == len(ROOMS)


@pytest.mark.parametrize(("low", "high"), [(101, 103), (102, 105), (104, 105)])
@pytest.mark.parametrize("joint", ["到", "至"])
@pytest.mark.parametrize("end", [0, 1])
def test_rooms_from_one_number_to_another(low: int, high: int, joint: str, end: int) -> None:
    """Whichever end the reading kept, all rooms between the two are meant."""
    text = f"{low}{joint}{high}的主灯都关了"
    result = talk((text, f"关闭-{(low, high)[end]}-主灯#Light#all"))
    assert ids(result) == {f"l{number}" for number in range(low, high + 1)}


@pytest.mark.parametrize("text", ["101到109的主灯都关了", "105到101的主灯都关了", "温度从101到103"])
def test_a_range_needs_both_ends_in_the_home(text: str) -> None:
    """No room is guessed: the end that was read stands alone."""
    assert ids(talk((text, "关闭-101-主灯#Light#all"))) <= {"l101", "l102", "l103"}
    assert "l105" not in ids(talk((text, "关闭-101-主灯#Light#all")))


def test_a_question_over_rooms() -> None:
    """哪几间房的门开着 and 哪间会议室有人 bring what senses it, in the rooms said."""

    def asked(text: str) -> set[str]:
        return ids(retrieve(text, HOME, EmbeddedLLM(HOME), ConversationState()))

    assert asked("哪几间房的门开着") == {f"d{room}" for room in ROOMS}
    assert asked("哪间会议室有人") == {"p1"}
    assert not asked("哪间会议室漂亮")


def test_an_attribute_of_one_thing() -> None:
    """换到八频道 without anything before it is the only television's."""
    assert ids(talk(("换到八频道", "设置频道=8-*-@last#Unknown#one"))) == {"tv"}
