"""The one beside the one spoken of, what a model says against a name, and what is never switched on (service.md)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.stores import MemoryPageStore

HOMES = Path(__file__).parent.parent / "corpus" / "homes"


def talk(home: str, local: str, *sentences: str) -> list[Turn]:
    """The turns of one page; what comes back is applied to the home."""
    document = json.loads((HOMES / f"{home}.json").read_text("utf-8"))
    devices: dict[str, Any] = {device["id"]: device for device in document["devices"]}
    understander, turns = Understander(MemoryPageStore()), []
    for number, sentence in enumerate(sentences):
        raw = json.dumps(document, ensure_ascii=False).encode()
        request = TurnRequest(rid=str(number), page_id="p", question=sentence, home=raw, local=local)
        turns.append(asyncio.run(understander.turn(request)))
        for instruct in turns[-1].instructs:
            devices[instruct.id]["device"].setdefault("state", {}).update(instruct.state)
    return turns


@pytest.mark.parametrize(
    ("home", "local", "sentences", "expected"),
    [
        ("shancheng45", "堂屋", ("射灯三打开", "四号也打开"), ["c08"]),
        ("shancheng45", "堂屋", ("射灯三打开", "四号也打开", "这两个都关了"), ["c07", "c08"]),
        ("manor60", "二楼主卧", ("左边床头灯打开", "右边的也打开"), ["m35"]),
        ("manor60", "二楼主卧", ("左边床头灯打开", "另一边的也亮一点"), ["m35"]),
        ("clinic80", "2F开放办公区", ("Linear 1和2关了", "另外两个也关"), ["k55", "k56"]),
        ("shancheng45", "堂屋", ("幺鸡开始扫地", "喊它回去充电"), ["c12"]),
        ("manor60", "花园", ("草坪灯除了3号都打开",), ["m52", "m53"]),
    ],
)
def test_a_number_or_side_tells_the_neighbour(
    home: str, local: str, sentences: tuple[str, ...], expected: list[str]
) -> None:
    """service.md, Dialogue: a number or a side tells the one beside the one spoken of."""
    assert [instruct.id for instruct in talk(home, local, *sentences)[-1].instructs] == expected


def test_unlocking_is_confirmed_whatever_the_name() -> None:
    """service.md: a lock needs a confirming turn to open, by its model and not only by its name."""
    asked, done = talk("clinic80", "1F前台", "把门禁打开", "是的")
    assert (asked.kind, asked.instructs) == ("question", ())
    assert [(one.id, one.state) for one in done.instructs] == [("k06", {"locked": False})]


@pytest.mark.parametrize(
    ("home", "local", "sentence", "device", "state"),
    [
        ("shancheng45", "爸妈屋", "小太阳调到两成", "c32", {"switch_led": True, "bright_value": 208}),
        ("shancheng45", "幺妹房", "大力开到最大", "c38", {"speed": 5}),
        ("shancheng45", "洗澡间", "浴霸打开取暖", "c42", {"switch": True, "mode": "warm"}),
        ("clinic80", "2F MR-A会议室", "大屏切到Cast", "k63", {"onoff": True, "source": "Cast"}),
    ],
)
def test_the_thing_model_decides_what_a_device_is(
    home: str, local: str, sentence: str, device: str, state: dict[str, Any]
) -> None:
    """service.md: what a model is comes from its describe; a value goes to what the device is worked by."""
    (turn,) = talk(home, local, sentence)
    assert [(one.id, one.state) for one in turn.instructs] == [(device, state)]


@pytest.mark.parametrize(
    ("home", "local", "sentence", "told"),
    [
        ("shancheng45", "外婆屋", "这屋头好多度", "18"),
        ("shancheng45", "进门", "门锁电还剩好多", "22"),
        ("flat25", "儿童房", "湿度多少", "38"),
        ("clinic80", "1F诊室2", "诊室5的Panel打开", "没有诊室5"),
        ("hotel66", "大堂", "二零一空调关了", "没有201"),
    ],
)
def test_questions_and_missing_devices_never_act(home: str, local: str, sentence: str, told: str) -> None:
    """Laws 1 and 2: a question switches nothing on, and a room that is not there is never another."""
    (turn,) = talk(home, local, sentence)
    assert turn.instructs == ()
    assert told in turn.text


@pytest.mark.parametrize(
    "sentence", ["退出观影模式", "取消一下观影模式", "把离家模式关了", "关会客模式", "观影模式马上关闭"]
)
def test_leaving_a_scene_never_runs_it(sentence: str) -> None:
    """service.md, Dialogue; architecture, law 2: a scene can only be carried out, and to end it is not that."""
    (turn,) = talk("villa120", "一楼客厅", sentence)
    assert turn.instructs == ()
    assert "不支持关闭" in turn.text


def test_floors_in_a_row_are_each_one_at_home() -> None:
    """commands.md, SCOPE: 一二楼 is two floors of the home, as 一楼到二楼 is."""
    said, spanned, left_out = (talk("villa120", "一楼客厅", text)[0] for text in (
        "一二楼的灯都关了", "一楼到二楼的灯都关了", "把灯都关了除了一二楼"))  # fmt: skip
    lamps = {one.id for one in said.instructs}
    assert lamps == {one.id for one in spanned.instructs}
    assert len(lamps) > len({one.id for one in talk("villa120", "一楼客厅", "二楼的灯都关了")[0].instructs})
    assert not lamps & {one.id for one in left_out.instructs}
