"""Which open task words speak of, and what becomes of the others (hospital.md, Segments, Frames, Ops; hospital.md,
Ops)."""

from typing import Any

import pytest

from .conftest import Talk


def standing(turn: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    """Open tasks, oldest first."""
    return [(f["agent_code"], f["slots"]) for f in turn["frames"] if f["status"] in ("active", "pending")]


def agents(turn: dict[str, Any]) -> list[str]:
    return [agent for agent, _ in standing(turn)]


def ops(turn: dict[str, Any]) -> list[tuple[str, str]]:
    return [(op["op"], op["target"]) for op in turn["intent_ops"]]


def focus(turn: dict[str, Any]) -> dict[str, str]:
    """Slots of the medical focus, none where nothing has it."""
    return next((f["slots"] for f in turn["frames"] if f["frame_id"] == turn["medical_focus_id"]), {})


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("那个医保卡的我刚才找着了，不用管了", "smartCS"),
        ("美林那个问过药店了，不用答了", "drug"),
        ("我妈那个不挂了", "dept-direct"),
        ("眼科的算了", "dept-direct"),
    ],
)
def test_only_the_named_booking_ends(talk: Talk, said: str, ended: str) -> None:
    """hospital.md, Frames M2: by topic, by drug, for whom, by place; whatever has the focus, and every other task stays
    as it is."""
    before, turn = talk("给我妈挂眼科，周五", "医保卡没带行不行", "美林一天能吃几次", said)[-2:]
    left = [task for task in standing(before) if task[0] != ended]
    assert standing(turn) == left
    assert ops(turn)[0] in {("cancel", ended), ("complete", ended)}


def test_a_booking_that_is_named_is_ended_and_not_overwritten(talk: Talk) -> None:
    """hospital.md, Ops: of two bookings the one that is named ends; the one that is wanted keeps what it holds."""
    turn = talk("我爸挂肾内科，我妈挂眼科", "都后天上午", "我爸那个肾内科不挂了，我妈的眼科还要")[-1]
    assert [slots["department"] for _, slots in standing(turn)] == ["眼科"]


def test_a_correction_goes_to_the_booking_that_it_names(talk: Talk) -> None:
    """hospital.md, Segments: by whom it is for, where nothing else is told; the other keeps its day."""
    turn = talk("给我妈挂眼科，周四下午", "再给我爸也挂一个，时间一样", "我爸那个改到周五")[-1]
    days = {slots["patient"]: slots["date"] for _, slots in standing(turn)}
    assert days == {"妈": "2026-11-26", "爸": "2026-11-27"}


@pytest.mark.parametrize("said", ["再给我老公也挂个皮肤科，一样的时间", "我老公也要看皮肤科，跟我一个时间"])
def test_a_booking_for_somebody_else_stands_beside_with_the_times_it_shares(talk: Talk, said: str) -> None:
    """hospital.md, Ops: the same thing for another person is a second task; what is the same is copied."""
    turn = talk("挂皮肤科，后天下午", said)[-1]
    held = [
        {name: slots.get(name) for name in ("department", "date", "period", "patient")} for _, slots in standing(turn)
    ]
    times = {"department": "皮肤科", "date": "2026-11-25", "period": "下午"}
    assert held == [{**times, "patient": None}, {**times, "patient": "老公"}]


def test_of_two_that_fit_equally_neither_ends_before_one_is_named(talk: Talk) -> None:
    """hospital.md, Ops: clarify is exclusive; the answer ends the one it names, and the other goes on."""
    asked, told = talk("挂中医科，周三上午", "再挂一个康复科，周三下午", "周三那个不要了", "康复科的")[-2:]
    assert ops(asked) == [("clarify", "dept-direct|dept-direct")]
    assert len(standing(asked)) == 2
    assert all(name in asked["reply"] for name in ("中医科", "康复科"))
    assert [slots["department"] for _, slots in standing(told)] == ["中医科"]
    assert focus(told)["department"] == "中医科"


def test_a_task_done_elsewhere_completes_nothing_here(talk: Talk) -> None:
    """hospital.md, Ops, complete: a booking that was made before is not the enquiry that has the focus."""
    turn = talk("前面还有多少人排队", "我已经挂好号了，就问排到哪了")[-1]
    assert agents(turn) == ["queue"]
    assert "complete" not in {op for op, _ in ops(turn)}


def test_an_answer_beside_words_that_point_back_is_kept(talk: Talk) -> None:
    """hospital.md, Segments: the day is told to the booking, the question goes to the task that it names."""
    turn = talk("挂骨科", "停车怎么收费", "后天吧。停车的问题还没告诉我呢")[-1]
    assert focus(turn) == {"department": "骨科", "date": "2026-11-25"}
    assert agents(turn) == ["dept-direct", "smartCS"]


def test_words_of_a_question_name_it_before_the_agent_they_hint_at(talk: Talk) -> None:
    """hospital.md, Frames M2: 号费 is said of the question about it, though 号 and 费 are words of other tasks."""
    turn = talk("挂李四，周五", "他的号费多少", "号费我查到了")[-1]
    assert agents(turn) == ["doc-direct"]
    assert focus(turn)["doctor"] == "李四"


def test_an_exchange_keeps_the_times(talk: Talk) -> None:
    """hospital.md, Segments 改成: one place for another, with something else waiting; nothing is canceled, nothing is a
    question."""
    turn = talk("挂妇科，后天下午", "停车怎么收费", "不去妇科了，给我换产科，时间不变")[-1]
    assert focus(turn) == {"department": "产科", "date": "2026-11-25", "period": "下午"}
    assert agents(turn) == ["dept-direct", "smartCS"]


def test_a_postponed_task_does_not_return_in_the_same_turn(talk: Talk) -> None:
    """hospital.md, Ops: the one that is named waits, the next has the focus."""
    turn = talk("心内科和骨科都给我挂一个，都周三上午", "心内科那个先不挂了，等我儿子回来再说")[-1]
    assert focus(turn)["department"] == "骨科"
    assert len(standing(turn)) == 2


def test_postponing_a_waiting_task_changes_no_focus(talk: Talk) -> None:
    """hospital.md, Ops: the booking goes on; what is to be asked later only waits."""
    turn = talk("挂罗映秋，周四上午", "二甲双胍饭前吃还是饭后吃", "药的事等见了罗大夫再问吧")[-1]
    assert focus(turn)["doctor"] == "罗映秋"
    assert agents(turn) == ["doc-direct", "drug"]


@pytest.mark.parametrize("said", ["等我交完了再给我挂皮肤科", "还没交完呢"])
def test_an_announced_task_completes_nothing(talk: Talk, said: str) -> None:
    """hospital.md, Ops, complete: only what is said to be done."""
    turn = talk("我要交化验费", said)[-1]
    assert "payment" in agents(turn)
    assert "complete" not in {op for op, _ in ops(turn)}


def test_an_unfinished_task_is_open_again(talk: Talk) -> None:
    """hospital.md, Ops: the task comes back with what was told of it."""
    turn = talk("我要交住院押金", "发票去哪儿领", "弄好了", "没弄好，押金还没交上")[-1]
    assert sorted(agents(turn)) == ["payment", "smartCS"]
    assert ("payment", {"item": "住院押金"}) in standing(turn)


@pytest.mark.parametrize("said", ["要紧伐", "对", "接着说停车"])
def test_a_reply_says_what_was_kept_or_not_understood(talk: Talk, said: str) -> None:
    """hospital.md, reply: what stands, or that the words were not understood; never a yes that keeps nothing."""
    turn = talk("挂骨科，后天上午", "停车怎么收费", said)[-1]
    assert turn["reply"] != "好的。"
