"""What the sentence itself says where a client read nothing, or read only part (retrieval.md, Names)."""

import pytest

from context_retrieval.catalog import Catalog
from context_retrieval.ir_compiler import FakeLLM
from context_retrieval.models import Device, DeviceCommand, Group
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM

SWITCH = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
HOME = Catalog.build(
    [
        Device("lamp", "顶灯", "客厅", "light", SWITCH),
        Device("kitchen", "吊灯", "厨房", "light", SWITCH),
        Device("vacuum", "扫地机器人", "客厅", "vacuum", SWITCH),
        Device("water", "浇花器", "阳台", "valve", SWITCH),
        Device("pearls", "串灯", "阳台", "light", SWITCH),
        Device("people", "人体传感器", "走廊", "motion", (DeviceCommand("m", "查询有人"),)),
        Device("air", "空气盒子", "客厅", "airmonitor", (DeviceCommand("p", "查询PM2.5"),)),
        Device("chair", "太上皇", "书房", "", SWITCH, description="按摩椅，力度1-5。"),
        Device("left", "Bedside Lamp L", "主卧", "light", SWITCH),
        Device("right", "Bedside Lamp R", "主卧", "light", SWITCH),
        Device("door", "Door Sensor", "玄关", "contact", (DeviceCommand("o", "查询开合"),)),
        Device("meeting", "空调", "会议室A", "ac", SWITCH),
        Device("mist", "喷雾", "屋顶花园", "", SWITCH),
        Device("other", "空调", "会议室B", "ac", SWITCH),
        Device("stage1", "舞台射灯1", "礼堂", "light", SWITCH),
        Device("stage2", "舞台射灯2", "礼堂", "light", SWITCH),
    ],
    [Group("g", "公共区灯", ("lamp", "kitchen"))],
)
READER = EmbeddedLLM(HOME)


def targets(text: str, answer: str = "") -> list[str]:
    """What a sentence needs, read as `answer`, or by the package's own reader where there is none."""
    result = retrieve(text, HOME, FakeLLM({text: answer}) if answer else READER, ConversationState())
    return [candidate.entity_id for candidate in result.candidates]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("地不扫不行了，让扫地机器人跑一圈", ["vacuum"]),
        ("客厅、厨房这两处的灯开着等我", ["g"]),
        ("走廊有没有人", ["people"]),
        ("现在PM2.5多少", ["air"]),
        ("叫按摩椅动起来", ["chair"]),
        ("给会议室B的人把空调打开", ["other"]),
        ("会议室A的人说把空调打开", ["meeting"]),
        ("灯全部关掉", ["lamp", "kitchen", "pearls", "left", "right", "stage1", "stage2"]),
    ],
)
def test_unread_sentences_still_bring_what_they_name(text: str, expected: list[str]) -> None:
    """retrieval.md: a client that read nothing does not lose what the sentence plainly names."""
    assert targets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "扫地机器人是谁发明的",
        "浇花器别动",
        "老公你买个串灯回来",
        "把串灯打开，算了",
        "顶灯多少钱一个",
        "书房的串灯亮起来",
        "今天的红烧肉有点咸",
        "串灯" * 50,
    ],
)
def test_dialogue_and_unsure_places_find_nothing(text: str) -> None:
    """Law 1: what is forbidden, told, sold or elsewhere is no candidate."""
    assert targets(text) == []


def test_an_elliptical_clause_is_completed() -> None:
    """retrieval.md: a device that a clause names and no query speaks of comes along, once."""
    assert sorted(targets("浇花器浇会儿水，串灯也点起来")) == ["pearls", "water"]
    assert targets("浇花器不用管，串灯点起来") == ["pearls"]
    assert targets("串灯点起来，浇花器那边的串灯")[0] == "pearls"


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("左边的床头灯打开", "打开-左边-床头灯#Light#one", ["left"]),
        ("右边那个床头灯打开", "打开-主卧-床头灯#Light#one", ["right"]),
        ("床头灯都关掉", "关闭-*-床头灯#Light#all", ["left", "right"]),
        ("大门关好没有", "查询状态-*-大门#Unknown#one", ["door"]),
        ("按摩椅停了", "关闭-*-按摩椅#Unknown#one", ["chair"]),
        ("A会议室的空调开一下", "打开-A会议室-*#AirConditioner#all", ["meeting"]),
        ("屋顶的喷雾停了吧", "关闭-屋顶-喷雾#Unknown#one", ["mist"]),
        ("公共区的灯都关掉", "关闭-公共区-*#Light#all", ["g"]),
        ("浇花器放水", "播放-*-浇花器#Unknown#one", ["water"]),
        ("舞台灯都打开", "打开-*-舞台灯#Light#one", ["stage1", "stage2"]),
        ("舞台射灯2打开", "打开-*-舞台射灯#Light#one", ["stage2"]),
        ("会议室A和B的空调都关了", "关闭-会议室A,B-*#AirConditioner#all", ["meeting", "other"]),
        ("403房间的灯开一下", "打开-403,房间-*#Light#all", []),
    ],
)
def test_names_rooms_and_verbs_are_read_as_people_mean_them(text: str, answer: str, expected: list[str]) -> None:
    """retrieval.md: English names, sides, describes, marks, groups by word; never elsewhere."""
    assert targets(text, f'["{answer}"]') == expected


def test_a_failed_command_gives_no_hint_if_another_succeeded() -> None:
    """厨房亮堂点，灯都开了: the lamps that cannot be dimmed are switched on, so nothing is to be asked."""
    text = "厨房亮堂点，灯都开了"
    answer = '["调高亮度-厨房-*#Light#all", "打开-厨房-*#Light#all"]'
    result = retrieve(text, HOME, FakeLLM({text: answer}), ConversationState())
    assert ([candidate.entity_id for candidate in result.candidates], result.hint) == (["kitchen"], None)
