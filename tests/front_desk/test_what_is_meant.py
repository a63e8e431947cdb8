"""Of several values the one that is meant, and tasks beside one another (hospital.md, Segments, Ops)."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.front_desk.conftest import NOW

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.model import IntentContext

Talk = Callable[..., list[dict[str, Any]]]


def open_frames(turn: dict[str, Any], agent: str) -> list[dict[str, Any]]:
    """Frames of an agent that are open after a turn."""
    return [f for f in turn["frames"] if f["agent_code"] == agent and f["status"] in ("active", "pending")]


@pytest.mark.parametrize(
    ("told", "date"),
    [
        ("周二，不对，周四", "2026-11-26"),
        ("下周一，啊不，下周三", "2026-12-02"),
        ("周三我没空，周五吧", "2026-11-27"),
        ("明天，说错了，后天", "2026-11-25"),
        ("后天上午，要是没有，大后天也行", "2026-11-25"),
        ("周四吧，哦周四要开会，那就周五", "2026-11-27"),
    ],
)
def test_the_value_that_is_meant_is_kept(talk: Talk, told: str, date: str) -> None:
    """hospital.md, Segments 改成: what is corrected, turned down, or for another case gives way; and what was noted
    is said back."""
    turn = talk("挂骨科", told)[-1]
    assert [frame["slots"]["date"] for frame in open_frames(turn, "dept-direct")] == [date]
    assert f"{int(date[5:7])}月{int(date[8:])}日" in turn["reply"]


@pytest.mark.parametrize(
    ("turns", "names"),
    [
        (["挂皮肤科", "明天", "眼科也挂一个"], {"皮肤科", "眼科"}),
        (["挂心内科，再挂一个骨科"], {"心内科", "骨科"}),
        (["我爸挂肾内科，我妈挂眼科"], {"肾内科", "眼科"}),
        (["挂呼吸科和康复科，都周五"], {"呼吸内科", "康复科"}),
    ],
)
def test_a_second_booking_stands_beside_the_first(talk: Talk, turns: list[str], names: set[str]) -> None:
    """hospital.md, Ops: two of one agent in a dialogue are two tasks, none of which replaces the other; one focus
    at most."""
    turn = talk(*turns)[-1]
    frames = open_frames(turn, "dept-direct")
    assert {frame["slots"]["department"] for frame in frames} == names
    assert [frame["role"] for frame in frames].count("focus") == 1


def test_a_time_for_several_tasks_fills_each(talk: Talk) -> None:
    """hospital.md, Segments: a time said of both tasks fills both."""
    (turn,) = talk("挂骨科和眼科，都周五上午")
    assert [frame["slots"]["date"] for frame in open_frames(turn, "dept-direct")] == ["2026-11-27"] * 2


def test_a_task_that_replaces_another_keeps_its_day(talk: Talk) -> None:
    """hospital.md, Frames: what holds whatever is booked was told already."""
    turn = talk("挂骨科", "周五上午", "还是改挂疼痛科吧")[-1]
    (frame,) = open_frames(turn, "dept-direct")
    assert (frame["slots"]["department"], frame["slots"]["date"]) == ("疼痛科", "2026-11-27")


@pytest.mark.parametrize("said", ["全部取消", "都不要了", "所有的都取消吧"])
def test_cancelling_everything_leaves_no_task(talk: Talk, said: str) -> None:
    """hospital.md, Ops, cancel: said of all tasks, it leaves none, and the reply names every one of them."""
    turn = talk("挂骨科", "停车怎么收费", said)[-1]
    assert not [frame for frame in turn["frames"] if frame["status"] in ("active", "pending")]
    assert "科室挂号" in turn["reply"]
    assert "就医咨询" in turn["reply"]


def test_a_postponed_task_is_not_done(talk: Talk) -> None:
    """hospital.md, Segments, 先不: the task waits, and is neither completed nor canceled."""
    turn = talk("白细胞高是什么意思", "报告等会再说，先给我挂骨科")[-1]
    assert {op["op"] for op in turn["intent_ops"]}.isdisjoint({"complete", "cancel"})
    assert open_frames(turn, "report")


@pytest.mark.parametrize("text", ["I would like to book a doctor", "wo yao gua hao"])
def test_another_language_is_told_what_is_understood(talk: Talk, text: str) -> None:
    """One sentence says what is understood here; nothing is opened."""
    (turn,) = talk(text)
    assert not turn["frames"]
    assert "Chinese" in turn["reply"]


@pytest.mark.parametrize("text", ["你好", "谢谢，再见", "好的，谢谢您"])
def test_courtesies_are_understood(talk: Talk, text: str) -> None:
    """hospital.md, Class: nothing fits, and the reply does not say that it was not understood."""
    (turn,) = talk(text)
    assert "没听明白" not in turn["reply"]


def test_the_same_thing_once_more_is_a_second_task(talk: Talk) -> None:
    """hospital.md, Ops: for somebody else as well; the first one keeps its day."""
    turn = talk("挂皮肤科，后天", "给我弟也挂一个")[-1]
    frames = open_frames(turn, "dept-direct")
    assert [frame["slots"]["department"] for frame in frames] == ["皮肤科", "皮肤科"]
    assert sorted(frame["slots"].get("date", "") for frame in frames) == ["", "2026-11-25"]


def test_a_question_whether_it_is_done_completes_nothing(talk: Talk) -> None:
    """hospital.md, Ops, complete: only what is said to be done."""
    turn = talk("帮我退一下上周的号", "挂骨科，后天", "刚才退号那个弄好了吗")[-1]
    assert "complete" not in {op["op"] for op in turn["intent_ops"]}


def test_confidence_is_calibrated_on_held_out_speakers() -> None:
    """A chance of 0.9 and more is rare for words that nobody said in training."""
    router = hospital_desk().router
    unheard = ("那个蓝色的条子我搁哪儿了", "隔壁老李说你们换院长了", "这楼里有蚊子")
    for text in unheard:
        turn = router.turn(IntentContext(), text, now=NOW)
        assert all(one.confidence < 0.9 for one in turn.segments if one.agent_code != "unknown")


@pytest.mark.parametrize(
    "said", ["我没说上午，早上我要打太极的，下午去吧", "没说要上午啊，下午", "不是上午，早上我要打太极，下午去"]
)
def test_a_denied_value_is_replaced(talk: Talk, said: str) -> None:
    """hospital.md, Segments: a value that is denied, however often it is named before another, is not meant."""
    slots = talk("挂眼科，下周二上午", said)[-1]["frames"][0]["slots"]
    assert (slots["date"], slots["period"]) == ("2026-12-01", "下午")
