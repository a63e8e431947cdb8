"""What a turn does to what is open: answers, questions, denials, what is not done (hospital.md, Segments, Ops)."""

from typing import Any

import pytest

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.llm_reader import is_open
from tingdong.front_desk.model import IntentContext

from .conftest import NOW, Talk


def standing(turn: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    """Open tasks, oldest first."""
    return [(f["agent_code"], f["slots"]) for f in turn["frames"] if f["status"] in ("active", "pending")]


def booking(turn: dict[str, Any]) -> dict[str, str]:
    """The slots of the one booking of a department."""
    (slots,) = [slots for agent, slots in standing(turn) if agent == "dept-direct"]
    return slots


@pytest.mark.parametrize("asked", ["周末你们上班不上班", "礼拜天开不开门", "节假日门诊照常吗"])
def test_a_question_about_a_day_sets_none(talk: Talk, asked: str) -> None:
    """hospital.md, Segments: what asks is no answer, though it names what is missed; it waits beside the booking."""
    turn = talk("挂骨科", asked)[-1]
    assert "date" not in booking(turn)
    assert [agent for agent, _ in standing(turn)] == ["dept-direct", "smartCS"]


@pytest.mark.parametrize("said", ["周六，停车免费吗", "周六吧停车要钱吗", "礼拜六吧，能刷医保卡不"])
def test_an_answer_and_a_question_are_both_kept(talk: Talk, said: str) -> None:
    """hospital.md, Segments, Relations: the answer fills its slot, the question is queued."""
    turn = talk("挂骨科", said)[-1]
    assert booking(turn)["date"] == "2026-11-28"
    assert "smartCS" in [agent for agent, _ in standing(turn)]


@pytest.mark.parametrize(
    "said",
    ["娃昨晚上开始发烧，今天上午儿科还有号吗", "早上起来发烧，想看今天下午的儿科", "半夜吐的，想挂儿科，今天下午"],
)
def test_the_onset_of_a_symptom_is_not_the_booked_time(talk: Talk, said: str) -> None:
    """hospital.md, Slots: period is the part of the day that is booked."""
    slots = booking(talk(said)[-1])
    assert (slots["date"], slots["period"]) == ("2026-11-23", "上午" if "今天上午" in said else "下午")


def test_denied_values_are_not_kept(talk: Talk) -> None:
    """hospital.md, Segments, denial: the department, the day and the part of the day that are turned down give way."""
    named, turned = talk("挂普外", "不是普外，是甲状腺乳腺那个外科，周五上午", "不要上午，下午")[-2:]
    assert booking(named) == {"department": "甲乳外科", "date": "2026-11-27", "period": "上午"}
    assert booking(turned)["period"] == "下午"


def test_an_unknown_place_is_asked_for(talk: Talk) -> None:
    """hospital.md, Segments: 不是A，是B corrects a booking and does not end it, though B is nowhere in the
    directory."""
    turn = talk("挂骨科", "不是骨科，是那个美容啥的")[-1]
    assert not booking(turn).get("department")


@pytest.mark.parametrize("said", ["没交成功，还得交", "不对，页面显示没付成功", "那个缴费还没弄完"])
def test_what_is_reported_as_not_done_is_open_again(talk: Talk, said: str) -> None:
    """hospital.md, Ops: also some turns later, and with what was told of it."""
    turn = talk("我要缴检查费", "交好了", "停车怎么收费", said)[-1]
    assert ("payment", {"item": "检查费"}) in standing(turn)


@pytest.mark.parametrize("said", ["我没有胸闷也不喘，挂心内科", "不咳也不烧，就想挂个心内科"])
def test_a_denied_complaint_opens_no_task(talk: Talk, said: str) -> None:
    """hospital.md, Class: a denied symptom beside a clear booking books."""
    turn = talk(said)[-1]
    assert [agent for agent, _ in standing(turn)] == ["dept-direct"]
    assert turn["clarify"] is None


def test_a_question_chooses_neither_of_two(talk: Talk) -> None:
    """hospital.md, Ops: while one of two is to be chosen, asking about them leaves both, and the choice is asked for
    again."""
    turn = talk("挂骨科，唐守拙大夫明天坐诊吗", "康复科跟骨科有啥区别呀")[-1]
    assert turn["clarify"] is not None
    assert {"dept-direct", "doc-direct"} <= {agent for agent, _ in standing(turn)}


def test_a_day_given_before_a_clarify_is_kept_by_the_chosen_task(talk: Talk) -> None:
    """hospital.md, Segments: nothing that was told is lost by a clarify."""
    told, chosen = talk("挂骨科，唐守拙大夫明天坐诊吗", "周四吧", "医生那个")[-2:]
    assert told["clarify"] is not None
    assert standing(chosen) == [("doc-direct", {"doctor": "唐守拙", "date": "2026-11-26"})]


def test_an_unread_clause_is_left_to_the_model() -> None:
    """hospital.md, Class: what stands beside a task and is not understood is put to the language model, and not
    dropped."""
    tier = hospital_desk().router.tier
    assert is_open(tier.read(IntentContext(), "我要缴费，顺便弄个单子", now=NOW))
    assert not is_open(tier.read(IntentContext(), "我要缴费", now=NOW))
