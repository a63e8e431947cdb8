"""What of a row stays, what stands beside what, and what a name keeps of itself (retrieval.md, Names)."""

import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.models import Device, DeviceCommand, RetrievalResult
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM

ON_OFF = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
OPEN = (DeviceCommand("read", "查询门窗开合"),)
HOME = Catalog.build(
    [
        *(Device(f"w{mark}", f"壁灯{mark}", "西廊", "light", ON_OFF) for mark in "ABC"),
        Device("p左", "吊灯左", "茶座", "light", ON_OFF),
        Device("p中", "吊灯中", "茶座", "light", ON_OFF),
        Device("p右", "吊灯右", "茶座", "light", ON_OFF),
        Device("sign", "招牌灯", "店门", "light", ON_OFF),
        Device("s左", "射灯（左）", "店门", "light", ON_OFF),
        Device("s右", "射灯（右）", "店门", "light", ON_OFF),
        Device("far", "射灯", "茶座", "light", ON_OFF),
        Device("a1", "1号增氧机", "鱼塘", "plug", ON_OFF),
        Device("a2", "2号增氧机", "鱼塘", "plug", ON_OFF),
        Device("oxygen", "制氧机插座", "老人房", "plug", ON_OFF),
        Device("chill", "药品冷藏柜", "药房", "fridge", ON_OFF),
        Device("door", "库门磁", "冷库", "contact", OPEN),
    ]
)


def asked(text: str) -> RetrievalResult:
    return retrieve(text, HOME, EmbeddedLLM(HOME), ConversationState())


def ids(text: str) -> set[str]:
    return {one.entity_id for one in asked(text).candidates}


@pytest.mark.parametrize("text", ["壁灯留着B，其他的关了", "西廊壁灯B别动，其余两盏关掉", "西廊的壁灯关了，只留B"])
def test_the_rest_of_a_row_stays_within_the_row(text: str) -> None:
    """architecture, law 1: what is left of a row of three is two, never the rest of the home."""
    assert ids(text) == {"wA", "wC"}


@pytest.mark.parametrize("text", ["西廊的壁灯留一盏，别的关了", "壁灯留两盏，剩下的都关掉"])
def test_if_some_are_to_be_kept_it_asks_which(text: str) -> None:
    """architecture, law 2: a count says nothing of which: all of the row, and a question."""
    result = asked(text)
    assert {one.entity_id for one in result.candidates} == {"wA", "wB", "wC"}
    assert result.hint is not None


@pytest.mark.parametrize("text", ["茶座中间的吊灯关了", "把茶座中间那盏吊灯打开"])
def test_the_middle_of_a_row_can_be_named(text: str) -> None:
    """A name may say the middle as it says a side."""
    assert ids(text) == {"p中"}


def test_a_position_can_be_excluded() -> None:
    """What stays may be told by its place alone."""
    assert ids("把茶座的吊灯都关了只留中间那盏") == {"p左", "p右"}


@pytest.mark.parametrize(("text", "meant"), [("招牌右边的射灯关掉", "s右"), ("招牌左边那个射灯打开", "s左")])
def test_a_device_beside_another_is_in_its_room(text: str, meant: str) -> None:
    """What stands beside a thing is of its room."""
    assert ids(text) == {meant}


def test_a_name_that_only_ends_alike_does_not_match() -> None:
    """增氧机 is no 制氧机: of two things of that name both are asked about, and no third (law 1)."""
    result = asked("把增氧机停了")
    assert {one.entity_id for one in result.candidates} == {"a1", "a2"}
    assert result.hint is not None


def test_a_number_makes_a_protected_order_direct() -> None:
    """service.md, Protected: by its own name and number it is brought, and asked about."""
    result = asked("二号增氧机停一下")
    assert {one.entity_id for one in result.candidates} == {"a2"}
    assert result.hint is not None


@pytest.mark.parametrize(("text", "meant"), [("药柜开着没有", "chill"), ("冷库的门关好没有", "door")])
def test_short_names_are_found(text: str, meant: str) -> None:
    """A name's first, last and some between are the name where nothing else bears them; a door needs no longer word."""
    assert ids(text) == {meant}
