"""Answers to a clarify that are not one of the two (hospital.md, Relations, Per turn, Ops)."""

from typing import Any

import pytest

from .conftest import Talk

ASKED = "我要挂心内科，李四医生明天出诊吗，停车怎么收费"


def ops(turn: dict[str, Any]) -> list[tuple[str, str]]:
    return [(op["op"], op["target"]) for op in turn["intent_ops"]]


def standing(turn: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {frame["agent_code"]: (frame["role"], frame["status"]) for frame in turn["frames"]}


@pytest.mark.parametrize("answer", ["两个都要", "都要", "两个都挂", "我都要挂", "全都要"])
def test_both_keeps_two_tasks(talk: Talk, answer: str) -> None:
    """hospital.md, Relations: the first by class takes the focus, the other waits, and so does what waited before."""
    clarified, turn = talk(ASKED, answer)
    assert ops(turn) == [("shift", "doc-direct"), ("add", "dept-direct")]
    assert standing(turn) == {
        "doc-direct": ("focus", "active"),
        "dept-direct": ("queued", "pending"),
        "smartCS": ("queued", "pending"),
    }
    slots = {frame["agent_code"]: frame["slots"] for frame in turn["frames"]}
    assert slots == {frame["agent_code"]: frame["slots"] for frame in clarified["frames"]}


@pytest.mark.parametrize("answer", ["都不要", "都不是", "都不要了", "两个都不挂", "哪个都不要"])
def test_neither_ends_both_tasks(talk: Talk, answer: str) -> None:
    """hospital.md, Relations: both end, and what waits comes up."""
    _, turn = talk(ASKED, answer)
    assert ops(turn) == [("cancel", "doc-direct"), ("cancel", "dept-direct"), ("shift", "smartCS")]
    assert standing(turn)["smartCS"] == ("focus", "active")
    assert turn["medical_focus_id"] is None


@pytest.mark.parametrize(
    "answer", ["都可以", "随便", "哪个都行", "两个都可以", "无所谓", "你看着办吧", "都行，你定", "随你便", "帮我选一个"]
)
def test_either_takes_the_first_by_priority(talk: Talk, answer: str) -> None:
    """hospital.md, Class, Relations: who has no wish between the two gets the first of the order of classes; what
    waited still waits."""
    _, turn = talk(ASKED, answer)
    assert ops(turn) == [("shift", "doc-direct")]
    assert standing(turn)["doc-direct"] == ("focus", "active")
    assert standing(turn)["dept-direct"][1] == "canceled"
    assert standing(turn)["smartCS"] == ("queued", "pending")


def test_either_with_a_day_fills_the_day(talk: Talk) -> None:
    """hospital.md, Relations, Per turn: 随便，明天下午的 answers the clarify, and the day goes to what is chosen."""
    _, turn = talk("我要挂心内科，李四医生出诊吗", "随便，明天下午的")
    (slots,) = (frame["slots"] for frame in turn["frames"] if frame["status"] == "active")
    assert (slots["date"], slots["period"]) == ("2026-11-24", "下午")


@pytest.mark.parametrize("answer", ["不挂心内科", "前一个不要了", "不要第一个", "别给我挂心内科"])
def test_refusing_one_chooses_the_other(talk: Talk, answer: str) -> None:
    """hospital.md, Relations: of two that exclude one another, a no to one is a yes to the other."""
    _, turn = talk(ASKED, answer)
    assert ops(turn) == [("shift", "doc-direct")]
    assert standing(turn)["dept-direct"][1] == "canceled"


@pytest.mark.parametrize(
    ("answer", "status", "moves"),
    [
        ("先不挂号了，我要缴费", "pending", [("shift", "payment")]),
        ("不挂号了，我要缴费", "canceled", [("cancel", "doc-direct"), ("cancel", "dept-direct"), ("shift", "payment")]),
    ],
)
def test_refusing_what_both_have_in_common_ends_or_postpones_both(
    talk: Talk, answer: str, status: str, moves: list[tuple[str, str]]
) -> None:
    """hospital.md, Segments, Relations: 先不 queues the contested tasks and 不 ends them; the other request is served
    at once."""
    _, turn = talk("我要挂心内科，李四医生明天出诊吗", answer)
    assert ops(turn) == moves
    assert {standing(turn)[agent] for agent in ("doc-direct", "dept-direct")} == {("queued", status)}
    assert standing(turn)["payment"] == ("focus", "active")


def test_an_answer_keeps_the_request_beside_it(talk: Talk) -> None:
    """hospital.md, Segments: 两个都要 beside another request answers the clarify, and the request waits."""
    _, turn = talk("我要挂心内科，李四医生明天出诊吗", "两个都要，停车怎么收费")
    assert ops(turn) == [("shift", "doc-direct"), ("add", "dept-direct"), ("add", "smartCS")]


ASKS = ["郭远帆医生那天在不在", "郭远帆大夫周五出不出诊呀", "请问郭远帆主任哪天坐诊", "郭远帆医生有没有号"]


@pytest.mark.parametrize("asks", ASKS)
def test_a_question_replaces_no_complete_booking(talk: Talk, asks: str) -> None:
    """hospital.md, Ops: it is asked which of them is wanted; what stands, its day and whom it is for are kept."""
    before, turn, chosen = talk("给我妈挂心内科，周五上午", asks, "还是心内科")
    (booked,), both = before["frames"], {frame["agent_code"]: frame for frame in turn["frames"]}
    assert ops(turn) == [("clarify", "dept-direct|doc-direct")]
    assert both["dept-direct"]["slots"] == booked["slots"]
    assert standing(chosen)["dept-direct"] == ("focus", "active")
    assert chosen["frames"][0]["slots"] == booked["slots"]


@pytest.mark.parametrize("asks", ASKS[:2])
def test_an_unanswered_question_leaves_the_task_active(talk: Talk, asks: str) -> None:
    """hospital.md, Ops: what stood before the clarify is the focus again, and what was only asked about ends."""
    *_, turn = talk("给我妈挂心内科，周五上午", asks, "停车怎么收费", "发票在哪打", "食堂几点开")
    assert standing(turn)["dept-direct"] == ("focus", "active")
    assert standing(turn)["doc-direct"][1] == "canceled"


@pytest.mark.parametrize("asks", ["郭远帆医生有没有号，有就给我换成他", "改挂郭远帆医生吧，他在不在"])
def test_a_wish_for_another_opens_another(talk: Talk, asks: str) -> None:
    """hospital.md, Ops: a wish beside the question replaces what stands."""
    assert standing(talk("挂心内科，周五上午", asks)[-1])["doc-direct"] == ("focus", "active")


def test_a_booking_without_a_day_yields_to_a_question(talk: Talk) -> None:
    """hospital.md, Ops: a new focus replaces a former one of its group."""
    assert standing(talk("挂心内科", ASKS[0])[-1])["dept-direct"][1] == "canceled"
