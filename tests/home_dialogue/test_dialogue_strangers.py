"""What other homes and other voices brought up (service.md): numbered rooms, features, choices, halts, wishes.

The homes are those of the later sets: properties by other names, Chinese choices, motors, numbered guest
rooms, English names in traditional surroundings, names that people make up.
"""

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.stores import MemoryPageStore

HOMES = Path(__file__).parent.parent / "corpus" / "homes"
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def say(home: str, local: str, *texts: str) -> list[Turn]:
    """The turns of one dialogue; what each changes is applied before the next."""
    document = json.loads((HOMES / f"{home}.json").read_text("utf-8"))
    states = {device["id"]: device["device"]["state"] for device in document["devices"]}
    understander = Understander(MemoryPageStore())
    turns = []
    for number, text in enumerate(texts):
        sent = json.dumps(document, ensure_ascii=False).encode()
        request = TurnRequest(rid=str(number), page_id="page", question=text, home=sent, local=local, now=NOW)
        turn = asyncio.run(understander.turn(request))
        for instruct in turn.instructs:
            if not instruct.deferred:
                states[instruct.id].update(instruct.state)
        turns.append(turn)
    return turns


def done(turn: Turn) -> dict[str, dict[str, Any]]:
    return {instruct.id: dict(instruct.state) for instruct in turn.instructs}


@pytest.mark.parametrize(
    ("home", "local", "texts", "expected"),
    [
        # Law: traditional characters say the same, in the sentence, the names and the describes (zhtext).
        ("taipei36", "客廳", ["小牛，好熱"], {"t06": {"on": True}}),
        ("taipei36", "客廳", ["冷氣打開", "還是好熱"], {"t06": {"temp": 25}}),
        ("taipei36", "客廳", ["媽，把燈關一下"], {}),
        ("taipei36", "孩房", ["電風扇轉大一點"], {"t24": {"speed": 4}}),
        # Law: an English name is called by its kind and side, or by its letter.
        ("taipei36", "主臥", ["床頭燈打開", "右邊那個"], {"t18": {"on": True}}),
        ("taipei36", "廚房", ["把燈打開"], {"t14": {"on": True}}),
        # Law: the only switch of a model is its power, whatever its describe calls it.
        ("hotel66", "408套房", ["打开浴缸"], {"a60": {"sw": True}}),
        # Law: a property is called as its describe calls it, whatever the reader took it for.
        ("manor60", "一楼老人房", ["太上皇力度大一点"], {"m29": {"power": True, "strength": 3}}),
        # Law: 只留 one switches off the others of its type in the place.
        ("hotel66", "301", ["开灯", "太亮了，只留主灯"], {"a36": {"sw": False}, "a37": {"sw": False}}),
        # Law: a room known by its number is that room, however the number is read out (service.md, Place).
        ("homestay49", "", ["二零一的空调低一度"], {"h39": {"setpoint": 25}}),
        ("homestay49", "二楼走廊", ["主灯打开", "101和202"], {"h20": {"on": True}, "h42": {"on": True}}),
        # Law: the floor of a numbered room is in its number.
        ("homestay49", "", ["二楼的空调都关上"], {"h39": {"on": False}, "h43": {"on": False}}),
        # Law 1: a wish said of a room is met there and nowhere else.
        ("villa120", "一楼客厅", ["健身房太热了"], {"v104": {"power": True}}),
        ("homestay49", "102房", ["201有点热"], {"h39": {"setpoint": 25}}),
        # Law: warmer light is the lower colour temperature (service.md, `instructs`).
        ("loft30", "客厅", ["吸顶灯色温调暖一点"], {"L05": {"color_temp": 3620}}),
        # Law: 停 halts a player, a robot, a motor; it does not send a robot home.
        ("loft30", "客厅", ["回音壁暂停播放"], {"L11": {"playback": "pause"}}),
        ("northflat34", "客厅", ["胖墩扫地去", "停"], {"n10": {"work": "暂停"}}),
        ("northflat34", "客厅", ["胖墩扫地去", "回去吧"], {"n10": {"work": "回充"}}),
        ("northflat34", "阳台", ["晾衣架降下来", "停"], {"n32": {"motor": "停"}}),
        ("homestay49", "一楼餐厅", ["卷帘放下来", "停"], {"h12": {"action": "stop"}}),
        # Law: locking acts at once, and 门锁上 locks (policy table).
        ("loft30", "玄关", ["门锁上"], {"L02": {"locked": True}}),
        # Law: rooms left out keep the kind of thing that is said.
        (
            "loft30",
            "客厅",
            ["所有房间除了厨房和卫生间的灯都给我关了"],
            {i: {"power": False} for i in ("L05", "L06", "L07", "L08", "L20", "L24", "L25")},
        ),
        # Law: what stands in for a property a device does not have also takes a step.
        ("northflat34", "大屋", ["加湿器开到最大", "小一点"], {"n17": {"mist": 4}}),
        ("homestay49", "一楼大堂", ["香薰机开高一点"], {"h09": {"gear": 2}}),
        # Law: a number before several devices picks so many (service.md, `instructs`).
        ("villa120", "一楼客厅", ["打开射灯1和射灯2", "关一个"], {"v2": {"power": False}}),
        # Law: 下一个频道 is channel + 1.
        ("loft30", "客厅", ["电视打开", "下一个频道"], {"L10": {"channel": 9}}),
        # Law: a device's own features and choices are understood by their names.
        ("northflat34", "小屋", ["小屋的电扇摇头"], {"n20": {"swing": True}}),
        ("northflat34", "阳台", ["打开浴霸", "换气就行 不用取暖"], {"n29": {"mode": "换气"}}),
        # Law: a target humidity is literal, as temperatures are.
        ("homestay49", "202房", ["除湿机目标湿度45"], {"h44": {"on": True, "targetRh": 45}}),
        # Law: what is to be played is for a player, not for the lamp spoken of before.
        ("homestay49", "一楼大堂", ["关掉水晶吊灯", "我想听歌"], {"h06": {"transport": "play"}}),
        # Law: a yes with the verb said again is a yes.
        ("homestay49", "一楼厨房", ["烤箱预热到200度", "是的 开吧"], {"h14": {"on": True, "heatTo": 200}}),
    ],
)
def test_another_home_is_served_as_well(
    home: str, local: str, texts: list[str], expected: dict[str, dict[str, Any]]
) -> None:
    """service.md, Home: what a device is and can do comes from its model, whatever the platform calls it."""
    assert done(say(home, local, *texts)[-1]) == expected


@pytest.mark.parametrize(
    "text", ["空调几点关", "空调什么时候开", "大门锁了吗", "哪些房间的灯还开着呀", "晾衣架是升着还是降着"]
)
def test_a_question_never_acts(text: str) -> None:
    """Law 2 (architecture): what is asked is answered, whatever verb stands in it."""
    turns = say("northflat34", "客厅", "打开空调", text)
    assert (turns[-1].kind, turns[-1].instructs) == ("answer", ())


def test_a_cancelled_timer_is_not_repeated_elsewhere() -> None:
    """service.md, Timers: what was taken back is no last action any more."""
    turns = say("loft30", "客厅", "十分钟后关客厅灯", "取消所有定时", "厨房灯")
    assert [instruct.cancel is not None for instruct in turns[1].scheduled] == [True] * 4
    assert turns[2].instructs == ()


def test_a_length_of_time_moves_a_timer() -> None:
    """service.md, Timers: 改成四十分钟 takes the timer back and sets it anew."""
    moved = say("northflat34", "客厅", "半小时以后把电视关了", "改成四十分钟")[-1]
    assert [(one.id, one.when) for one in moved.scheduled if one.cancel is None] == [("n08", "PT40M")]
    assert sum(one.cancel is not None for one in moved.scheduled) == 1


def test_everything_after_single_devices_is_the_whole_place() -> None:
    """service.md, Place: 全关了 after single devices is all of the place, not what was named before."""
    assert len(say("loft30", "客厅", "打开吸顶灯", "打开电视", "全关了")[-1].instructs) == 8
