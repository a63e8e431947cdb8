"""Twenty conversations as wire transcripts, `docs/conversations.md`, replayed frame by frame (service.md, Endpoint).

`python tests/home_dialogue/test_dialogue_golden.py` writes the page anew; whoever does so reads the difference.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tingdong.home_turn import Understander
from tingdong.service.frames import HOME_TOPIC, RequestFrame
from tingdong.service.handlers import HomeHandler
from tingdong.stores import MemoryPageStore

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conversations.md"
HOMES = ROOT / "tests" / "corpus" / "homes"
NOW = "2026-11-21T20:00:00+08:00"

HEAD = """# Twenty conversations

Recorded frames of the topic `llm/smarthome`: `→` is the payload of a request, `←` the `data` of its closing frame.
Omitted are the token frame (same intent), the envelope (topic, rid, finish) and the request's `home`, which is the
named home in its current state. The user's clock is 2026-11-21 20:00.

`python tests/home_dialogue/test_dialogue_golden.py` writes this page; the tests replay it.
"""

CONVERSATIONS: list[tuple[str, str, str, list[str]]] = [
    ("All lamps of the home", "sample8", "客厅", ["小牛，关所有房间的灯"]),
    ("A question, then an ellipsis", "sample8", "客厅", ["小牛，厨房灯是开的吗？", "关了", "现在有啥是开着的？"]),
    ("A clarification", "sample8", "厨房", ["打开空调", "卧室", "调到26度", "客厅的也打开"]),
    ("All options of a clarification", "sample8", "卫生间", ["空调调到24度", "都要", "再低一度"]),
    ("A question dropped", "sample8", "厨房", ["打开空调", "算了", "油烟机开最大"]),
    ("A wish, repeated", "flat25", "客厅", ["好热！", "还是好热！", "凉快了，关了吧"]),
    ("A correction", "flat25", "客厅", ["打开落地灯", "不对，我说的是餐厅吊灯", "亮度调到七成"]),
    ("Plural pronouns", "flat25", "餐厅", ["把客厅的吸顶灯和落地灯打开", "把它们关了", "卧室的呢"]),
    ("A question about the home, then an order", "flat25", "卧室", ["家里哪些灯亮着", "都关掉"]),
    ("A value out of range", "sample8", "客厅", ["空调调到40度", "那就28度"]),
    ("An unknown room", "sample8", "卧室", ["打开书房的灯", "说错了，卧室的"]),
    ("Other addressees", "sample8", "客厅", ["小爱，开灯。", "妈，把灯关一下", "小牛，今天收益不错，我很开心。"]),
    ("Timers", "sample8", "客厅", ["晚上十点关灯", "改到十一点", "有哪些定时", "取消刚才的定时"]),
    ("A condition and a recurring timer", "flat25", "客厅", ["卧室温度超过28度就打开空调", "每天早上七点打开客厅窗帘"]),
    ("A confirmation", "loft30", "客厅", ["把门锁打开", "确定", "锁上", "门锁还有多少电"]),
    ("Protected devices", "loft30", "客厅", ["客厅的设备全部关掉", "鱼缸水泵关一下"]),
    ("A partly possible request", "loft30", "书房", ["台灯打开，再打开晒台的壁灯", "亮一点"]),
    ("Colour and mode", "loft30", "客厅", ["灯带打开，换成红色", "换成蓝色", "空调调到制热", "风大一点"]),
    ("A group and a scene", "loft30", "客厅", ["打开氛围组", "执行观影模式"]),
    ("Floors", "villa120", "二楼主卧", ["床头灯打开", "左边那个", "三楼还有灯亮着吗", "把楼下的灯都关了"]),
]


class Wire:
    """The smart-home handler as a connection drives it."""

    def __init__(self, home: str, local: str, page_id: str) -> None:
        self.handler = HomeHandler(Understander(MemoryPageStore()))
        self.home = json.loads((HOMES / f"{home}.json").read_text("utf-8"))
        self.local, self.page_id, self.count = local, page_id, 0

    def say(self, question: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The request's payload without its home, and the closing frame's data."""
        self.count += 1
        payload = {"page_id": self.page_id, "question": question, "local": self.local, "instruct": True, "now": NOW}
        raw = {"topic": HOME_TOPIC, "rid": str(self.count), "payload": {**payload, "home": self.home}}
        frame = msgspec.json.decode(json.dumps(raw, ensure_ascii=False).encode(), type=RequestFrame)
        tokens: list[str] = []

        async def emit(text: str) -> None:
            tokens.append(text)

        ticket = self.handler.ticket(frame.rid, frame.payload)
        closing = asyncio.run(self.handler.handle(ticket, emit)).closing(ticket)
        data: dict[str, Any] = json.loads(closing)["payload"]["data"]
        told = json.loads(tokens[0])["payload"]["data"]["token"]
        assert told == {key: data["active"]["intent"][key] for key in ("type", "result")}
        self._obey(data["active"]["instructs"])
        return payload, data

    def _obey(self, instructs: list[dict[str, Any]]) -> None:
        devices = {device["id"]: device["device"]["state"] for device in self.home["devices"]}
        for instruct in instructs:
            if "when" not in instruct and "cancel" not in instruct and instruct["id"] in devices:
                devices[instruct["id"]].update(instruct["state"])


def lines(number: int, home: str, local: str, texts: list[str]) -> Iterator[str]:
    wire = Wire(home, local, f"conversation-{number}")
    for text in texts:
        for arrow, value in zip("→←", wire.say(text), strict=True):
            yield f"{arrow} {json.dumps(value, ensure_ascii=False)}"


def written(title: str, number: int, home: str, local: str, texts: list[str]) -> str:
    transcript = "\n".join(lines(number, home, local, texts))
    return f"## {number}. {title}\n\nHome `{home}`, in {local}.\n\n```text\n{transcript}\n```\n"


def sections() -> list[tuple[int, str, str, list[str]]]:
    """Number, home, place and transcript lines of each conversation on the page."""
    found = re.findall(
        r"^## (\d+)\. [^\n]+\n\nHome `(\w+)`, in (\S+)\.\n\n```text\n(.*?)\n```", PAGE.read_text("utf-8"), re.M | re.S
    )
    return [(int(number), home, local, text.splitlines()) for number, home, local, text in found]


def test_there_are_twenty_recorded_dialogues() -> None:
    """The page shows twenty conversations."""
    assert len(sections()) == 20


@pytest.mark.parametrize("section", sections() if PAGE.exists() else [], ids=lambda section: str(section[0]))
def test_the_recorded_dialogues_replay_exactly(section: tuple[int, str, str, list[str]]) -> None:
    """Each transcript of the page comes out of the handler to the letter, token frames included."""
    number, home, local, transcript = section
    texts = [json.loads(line[2:])["question"] for line in transcript if line.startswith("→")]
    assert list(lines(number, home, local, texts)) == transcript


if __name__ == "__main__":
    parts = [written(title, number, *rest) for number, (title, *rest) in enumerate(CONVERSATIONS, start=1)]
    PAGE.write_text("\n".join([HEAD, *parts]), "utf-8")
