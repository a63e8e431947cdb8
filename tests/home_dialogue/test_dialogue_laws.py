"""Laws 1, 2, 3 and 5 of the architecture as properties over random homes and dialogues (service.md, Dialogue,
Endpoint)."""

import asyncio
import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from tingdong.commands import LocalParser
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import ReplyKind
from tingdong.home.validate import validate
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.step import Circumstances, step
from tingdong.home_turn import TurnRequest, Understander
from tingdong.stores import MemoryPageStore

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))

POWER = {"type": "bool", "range": [True, False]}
MODELS: dict[str, dict[str, Any]] = {
    "switch": {"name": "switch", "describe": "开关设备，可开关电源。", "property": {"power": POWER}},
    "lamp": {
        "name": "LED-lamp",
        "describe": "LED调光灯，用于照明，可开关，可调节亮度。",
        "property": {"power": POWER, "level": {"type": "uint", "min": 1, "max": 255}},
    },
    "air": {
        "name": "fan",
        "describe": "空调，调节室温，支持开关和温度调节。",
        "property": {"power": POWER, "level": {"type": "uint", "min": 16, "max": 30}},
    },
    "fan": {
        "name": "fan",
        "describe": "电风扇，支持开关和风速调节。",
        "property": {"power": POWER, "speed": {"type": "enum", "range": ["low", "mid", "high"]}},
    },
    "curtain": {
        "name": "curtain",
        "describe": "电动窗帘，position是开合度百分比，0是全关，100是全开。",
        "property": {"position": {"type": "uint", "min": 0, "max": 100}},
    },
    "lock": {
        "name": "lock",
        "describe": "智能门锁，locked为true是锁上、false是开锁。",
        "property": {"locked": {"type": "bool", "range": [True, False]}},
    },
    "sensor": {
        "name": "temp-sensor",
        "describe": "温度传感器，检测环境温度，单位摄氏度，只读。",
        "property": {"temperature": {"type": "int", "min": -20, "max": 60}},
    },
}
NAMES = {
    "switch": ["照明灯", "台灯", "插座", "冰箱插座", "热水器"],
    "lamp": ["吸顶灯", "床头灯", "落地灯", "老伙计"],
    "air": ["空调", "柜机"],
    "fan": ["风扇", "吊扇"],
    "curtain": ["窗帘", "纱帘"],
    "lock": ["门锁"],
    "sensor": ["温度计"],
}
STATES: dict[str, dict[str, Any]] = {
    "switch": {"power": False},
    "lamp": {"power": True, "level": 128},
    "air": {"power": False, "level": 26},
    "fan": {"power": True, "speed": "low"},
    "curtain": {"position": 40},
    "lock": {"locked": True},
    "sensor": {"temperature": 27},
}
ROOMS = ["客厅", "卧室", "厨房", "书房", "卫生间"]
ABSENT = ["地下室", "阳台", "花园", "影音室"]
WORDS = ["灯", "空调", "风扇", "窗帘", "门锁", "床头灯", "温度计", "插座", "所有设备"]
CONTROLS = [
    "打开{room}的{word}",
    "关掉{room}{word}",
    "把{word}关了",
    "{word}调到50%",
    "{room}的{word}调到26度",
    "再亮一点",
    "关了",
    "它调到最大",
    "都关了",
    "{room}的呢",
    "{room}",
    "第二个",
    "都要",
    "算了",
    "不对，是{room}的",
    "把它们打开",
    "{room}的也打开",
    "好热",
    "还是好热",
    "我要睡觉了",
    "太暗了",
    "十分钟后关{room}的{word}",
    "取消刚才的定时",
    "除了{room}，别的灯都关掉",
    "别关{word}",
    "确定",
    "门锁打开",
    "全部关掉",
]
QUESTIONS = [
    "{room}的{word}开着吗",
    "{room}现在多少度",
    "哪些灯没关",
    "现在开着几盏灯",
    "{word}关了没有",
    "家里有什么是开着的",
    "哪个房间最热",
    "{word}是开着还是关着",
]


@st.composite
def homes(draw: st.DrawFn) -> dict[str, Any]:
    rooms = draw(st.lists(st.sampled_from(ROOMS), min_size=1, max_size=4, unique=True))
    devices = []
    for index in range(draw(st.integers(1, 10))):
        model = draw(st.sampled_from(sorted(MODELS)))
        device = {
            "id": f"d{index}",
            "name": draw(st.sampled_from(NAMES[model])),
            "local": draw(st.sampled_from(rooms)),
            "device": {"model": model, "state": dict(STATES[model])},
        }
        if draw(st.integers(0, 9)) == 0:
            device["online"] = False
        devices.append(device)
    return {"layout": rooms, "model": MODELS, "devices": devices}


def sentences(templates: list[str], rooms: list[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda template, room, word: template.format(room=room, word=word),
        st.sampled_from(templates),
        st.sampled_from(rooms),
        st.sampled_from(WORDS),
    )


ANY_SENTENCE = st.one_of(
    sentences(CONTROLS, ROOMS + ABSENT), sentences(QUESTIONS, ROOMS + ABSENT), st.text(max_size=20)
)
DIALOGUES = st.lists(ANY_SENTENCE, min_size=1, max_size=6)
PARSER = LocalParser()


def compiled(home: dict[str, Any]) -> HomeSnapshot:
    return load_home(json.dumps(home, ensure_ascii=False).encode(), HomeStore())


def scene(local: str = "客厅") -> Circumstances:
    return Circumstances(now=NOW, local=local)


@given(homes(), DIALOGUES)
def test_instructs_are_of_this_home_and_valid(document: dict[str, Any], dialogue: list[str]) -> None:
    """Law 3: ids come only from the supplied home, and every instruct is valid against its thing model."""
    home, page = compiled(document), Page(id="p")
    for text in dialogue:
        page, outcome = step(page, PARSER.read(text, home.shape.names), home, scene())
        for instruct in outcome.instructs:
            validate(home, instruct)
            assert home.is_online(instruct.id) or instruct.cancel is not None
        assert outcome.text
        assert outcome.kind is ReplyKind.INSTRUCT or not outcome.instructs
        home = home.after(outcome.instructs)


@given(homes(), DIALOGUES, sentences(QUESTIONS, ROOMS))
def test_a_question_never_acts(document: dict[str, Any], dialogue: list[str], question: str) -> None:
    """Law 2: whatever was said before, a question yields no instruct."""
    home, page = compiled(document), Page(id="p")
    for text in dialogue:
        page, _ = step(page, PARSER.read(text, home.shape.names), home, scene())
    _, outcome = step(page, PARSER.read(question, home.shape.names), home, scene())
    assert outcome.instructs == ()


@given(
    homes(),
    st.sampled_from(ABSENT),
    st.sampled_from(WORDS),
    st.sampled_from(["打开{0}的{1}", "把{0}的{1}关了", "{0}{1}调到50%"]),
)
def test_an_unknown_room_is_never_widened(document: dict[str, Any], room: str, word: str, template: str) -> None:
    """Law 1: a room that the home does not have yields no instruct but a sentence that says so."""
    home = compiled(document)
    text = template.format(room, word)
    _, outcome = step(Page(id="p"), PARSER.read(text, home.shape.names), home, scene())
    assert outcome.instructs == ()
    assert outcome.kind in (ReplyKind.ANSWER, ReplyKind.QUESTION)


@given(homes(), st.sampled_from(ROOMS), st.sampled_from(["灯", "空调", "风扇", "窗帘"]))
def test_a_room_bounds_what_is_done(document: dict[str, Any], room: str, word: str) -> None:
    """Law 1: a room said bounds the request; nothing elsewhere is touched."""
    home = compiled(document)
    _, outcome = step(Page(id="p"), PARSER.read(f"打开{room}的{word}", home.shape.names), home, scene())
    assert all(home.shape.devices[instruct.id].room == room for instruct in outcome.instructs)


@given(homes(), st.sampled_from(ROOMS), st.sampled_from(["灯", "空调", "风扇"]))
def test_a_delay_is_never_lost(document: dict[str, Any], room: str, word: str) -> None:
    """Law 2: a delayed or conditional request never becomes an immediate one."""
    home = compiled(document)
    for text in (f"十分钟后关{room}的{word}", f"天黑了打开{room}的{word}", f"温度超过三十度就打开{room}的{word}"):
        _, outcome = step(Page(id="p"), PARSER.read(text, home.shape.names), home, scene())
        assert all(instruct.when is not None for instruct in outcome.instructs)


@given(homes(), DIALOGUES)
def test_a_page_survives_its_store(document: dict[str, Any], dialogue: list[str]) -> None:
    """A page is serialisable and bounded: written and read again after each turn, the dialogue goes on the same."""
    home = compiled(document)
    kept, stored = Page(id="p"), Page(id="p")
    for text in dialogue:
        reading = PARSER.read(text, home.shape.names)
        kept, outcome = step(kept, reading, home, scene())
        stored, again = step(stored, reading, home, scene())
        stored = Page.decode(stored.encode(), "p")
        assert again == outcome
        assert len(stored.encode()) < 65_536


def play(understander: Understander, page_id: str, home: bytes, texts: list[str]) -> list[Any]:
    async def turns() -> list[Any]:
        requests = [
            TurnRequest(rid=f"{page_id}-{n}", page_id=page_id, question=text, home=home, local="客厅", now=NOW)
            for n, text in enumerate(texts)
        ]
        return [await understander.turn(request) for request in requests]

    return asyncio.run(turns())


def told(turns: list[Any]) -> list[Any]:
    return [(turn.kind, turn.text, turn.instructs) for turn in turns]


@given(homes(), DIALOGUES, DIALOGUES)
def test_pages_do_not_see_each_other(document: dict[str, Any], one: list[str], other: list[str]) -> None:
    """Law 5: the same dialogue gives the same results whether its page interleaves with another or not."""
    home = json.dumps(document, ensure_ascii=False).encode()
    alone = told(play(Understander(MemoryPageStore()), "one", home, one))

    async def interleaved() -> list[Any]:
        understander = Understander(MemoryPageStore())
        turns = []
        for n in range(max(len(one), len(other))):
            if n < len(other):
                await understander.turn(TurnRequest(f"x{n}", "other", other[n], home=home, local="卧室", now=NOW))
            if n < len(one):
                request = TurnRequest(f"one-{n}", "one", one[n], home=home, local="客厅", now=NOW)
                turns.append(await understander.turn(request))
        return turns

    assert told(asyncio.run(interleaved())) == alone


@given(homes(), DIALOGUES)
def test_a_repeated_rid_acts_once(document: dict[str, Any], dialogue: list[str]) -> None:
    """Law 5: a repeated rid of a page gets the stored outcome, and the dialogue goes on as if it came once."""
    home = json.dumps(document, ensure_ascii=False).encode()
    once = told(play(Understander(MemoryPageStore()), "p", home, dialogue))

    async def twice() -> list[Any]:
        understander = Understander(MemoryPageStore())
        turns = []
        for n, text in enumerate(dialogue):
            request = TurnRequest(f"p-{n}", "p", text, home=home, local="客厅", now=NOW)
            turns.append(await understander.turn(request))
            again = await understander.turn(request)
            assert again.replayed
            assert told([again]) == told(turns[-1:])
        return turns

    assert told(asyncio.run(twice())) == once
